"""What is refused, and what a page may well say."""

from __future__ import annotations

import json

import pytest

from agent.llm.recording.cassette import CassetteWriter, SecretRefused
from agent.llm.recording.secrets import Scan
from tests.each import for_each

JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P"
SECRETS = [
    "sk-abcdefghijklmnop1234",
    "sk-proj-Ab12_Cd34-Ef56Gh78Ij90Kl",
    "sk-ant-api03-AbCdEf0123456789",
    "my key is sk-0123456789abcdef0123456789abcdef, keep it",
    '"sk-0123456789abcdef0123"',
    "key=sk-0123456789abcdef0123",
    "sk_live_0123456789abcdef",
    "rk_test_0123456789abcdef",
    "rk-0123456789abcdef0123",
    "Bearer abcdef123456",
    "bearer abcdef123456",
    "Authorization: Bearer a1b2c3d4e5f6",
    "BEARER  0123456789",
    "Bearer abcdefghijklmnopqrstuvwxyzabcdef",
    f"Bearer {JWT}",
    JWT,
    f"token:{JWT}!",
    "eyJ0eXAiOiJKV1QiLCJhbGciOiJub25lIn0.eyJhIjoxfQ.",
    "Authorization: Basic dXNlcjpwYXNzd29yZA==",
    '"authorization": "Basic dXNlcjpwYXNzd29yZA=="',
    "-----BEGIN PRIVATE KEY-----\nMIIE",
    "-----BEGIN RSA PRIVATE KEY-----",
    "-----BEGIN OPENSSH PRIVATE KEY-----",
    "-----BEGIN EC PRIVATE KEY-----",
    "-----BEGIN PGP PRIVATE KEY BLOCK-----",
    "ghp_0123456789abcdefghijABCDEFGHIJ012345",
    "github_pat_11ABCDEFG0123456789_abcdefghij",
    "gho_0123456789abcdefghijABCDEFGHIJ012345",
    "glpat-0123456789abcdefghij",
    "xoxb-123456789012-abcdefghij",
    "AKIAIOSFODNN7EXAMPLE",
    "ASIAIOSFODNN7EXAMPLE",
    "AIzaSyA0123456789abcdefghijklmnopqrstuv",
    "ya29.a0AfH6SMBxyz0123456789abcdef",
    "hf_abcdefghijklmnopqrstuvwxyz0123",
    "npm_0123456789abcdefghijABCDEFGHIJ012345",
    "pypi-AgEIcHlwaS5vcmcCJDAxMjM0NTY3ODkw",
    "the live value hunter2-hunter2 stands here",
    "s3cr3t\"with'quotes\\",
]
ENVIRONMENT = {
    "MY_TOKEN": "hunter2-hunter2",
    "other_api_key": "s3cr3t\"with'quotes\\",
    "SHORT_TOKEN": "abc",
    "HOME": "/home/somebody",
}
HARMLESS = [
    "write to jane.doe@example.com or call +1 555 0100",
    "task-1234567890123456 and disk-0123456789abcdef0123",
    "desk-lamp-2024-collection-xl, dark-0123456789012345",
    "sk-inny jeans, sk-linen-trousers-for-women",
    "The bearer of this ticket may board; bearer certificate, Bearer bonds",
    "token bearer responsibilities",
    "Authorization: none. Basic dress, basic understanding",
    "-----BEGIN CERTIFICATE-----",
    "B07XYZ1234 AKIA Sushi Bar ASIA Wok",
    "eyJ is not a token. eyJhbGci too",
    "abc is short, /home/somebody is a folder",
    "hf_short npm_install pypi-name xoxo-hugs",
    "$65.00, 10/05/2024, 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
]


@pytest.mark.parametrize("where", ["content", "tools", "reply", "arguments", "purpose", "model"])
@for_each("text", SECRETS)
def test_a_secret_is_refused_wherever_it_stands(tmp_path, monkeypatch, text, where):
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)
    path = tmp_path / "e.jsonl"
    writer = CassetteWriter(path, "gpt-x", {})
    with pytest.raises(SecretRefused) as error:
        writer.write(*exchange(where, text))
    writer.close()
    assert not list(tmp_path.iterdir())
    assert text not in str(error.value) and "hunter2" not in str(error.value)
    assert "\n" not in str(error.value)


def exchange(where, text):
    request = {
        "model": text if where == "model" else "m",
        "messages": [{"role": "user", "content": text if where == "content" else "hi"}],
        "tools": [{"name": text if where == "tools" else "t"}],
    }
    message = {"content": text if where == "reply" else "hi"}
    if where == "arguments":
        message["tool_calls"] = [{"function": {"name": "f", "arguments": json.dumps(text)}}]
    return text if where == "purpose" else "p", request, {"choices": [{"message": message}]}


def test_a_picture_is_no_text_to_search(tmp_path):
    """Its letters are chance; what stands beside it, and where it is from, is searched."""
    google, aws = "/AIza" + "A" * 35 + "/", "+AKIA" + "B" * 16 + "+"
    assert Scan({}).found(google) and Scan({}).found(aws)
    url = f"data:image/png;base64,iVBORw0KGgo{google}{aws}AA=="
    assert _recorded(tmp_path, "the page", url)
    for text, where in {
        "ghp_" + "a1" * 15: url,
        "the page": "https://a.example/x.png?key=ghp_" + "a1" * 15,
        "this page": f"{url} ghp_" + "a1" * 15,
    }.items():
        with pytest.raises(SecretRefused):
            _recorded(tmp_path, text, where)


def _recorded(folder, text, url):
    content = [
        {"type": "text", "text": text},
        {"type": "image_url", "image_url": {"url": url, "detail": "high"}},
    ]
    writer = CassetteWriter(folder / "e.jsonl", "gpt-x", {})
    try:
        writer.write("p", {"model": "m", "messages": [{"role": "user", "content": content}]}, {})
    finally:
        writer.close()
    return (folder / "e.jsonl").exists()


@for_each("text", HARMLESS)
def test_what_a_page_may_say_is_recorded(text):
    assert Scan(ENVIRONMENT).found(text) is None


def test_the_kind_is_named():
    scan = Scan(ENVIRONMENT)
    assert scan.found("hunter2-hunter2") == "the value of MY_TOKEN"
    assert scan.found(JWT) == "a JSON web token"
    assert scan.found_in({"a": [1, None, {"sk-0123456789abcdef0123": 2}]}) == "an API key (sk-...)"


@for_each("text", SECRETS)
def test_a_redacted_text_holds_no_secret(text):
    scan = Scan(ENVIRONMENT)
    redacted = scan.redacted(f"before {text} after")
    assert scan.found(redacted) is None
    assert redacted.startswith("before") and redacted.endswith("after")
