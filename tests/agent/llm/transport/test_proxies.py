"""The proxy of the environment, and the addresses that are asked without one."""

from __future__ import annotations

import httpx2
import pytest

from agent.llm.client import from_environment
from agent.llm.faults import MissingSetting
from agent.llm.transport.proxies import proxy
from tests.each import for_each

API = httpx2.URL("https://api.example.com/v1")
KEYS = {"OPENAI_API_KEY": "k", "OPENAI_MODEL": "m"}

HERE = ["127.0.0.1", "127.0.0.2", "127.255.255.254", "127.1", "0x7f.1", "2130706433", "localhost",
        "LOCALHOST", "localhost.", "a.localhost", "a.b.localhost.", "0.0.0.0", "[::1]", "[::]",
        "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]"]  # fmt: skip
ELSEWHERE = ["10.0.0.1", "128.0.0.1", "localhost.example.com", "127.0.0.1.example.com",
             "notlocalhost", "[2001:db8::1]"]  # fmt: skip
UNUSABLE = ["socks://h:1", "socks5://h:1", "SOCKS5h://h:1", "127.0.0.1:3128", "h:3128", "h", "://",
            "http://", "http:/h:1", "http//h:1", "ftp://h:1", "http://h:port", "http://h:0",
            "http://h:99999", "http://[::1", "a b", "http://a,http://b",
            "\x00", "direct"]  # fmt: skip


def used(url: httpx2.URL, **environment: str) -> str | None:
    found = proxy(url, environment)
    return str(found.url) if found else None


@for_each("host", HERE)
def test_this_machine_is_asked_directly(host):
    url = httpx2.URL(f"http://{host}:8000/v1")
    assert used(url, http_proxy="http://p:1", ALL_PROXY="http://p:2") is None


@for_each("host", ELSEWHERE)
def test_another_machine_is_asked_through_the_proxy(host):
    assert used(httpx2.URL(f"http://{host}/v1"), HTTP_PROXY="http://p:1") == "http://p:1"


def test_the_variable_is_that_of_the_scheme_and_all_proxy_else():
    assert used(API, http_proxy="http://p:1") is None
    assert used(API, HTTPS_PROXY="http://p:2", all_proxy="http://p:3") == "http://p:2"
    assert used(API, all_proxy="http://p:3") == "http://p:3"
    assert used(API, https_proxy=" ", ALL_PROXY="http://p:3/") == "http://p:3/"


@for_each("value", UNUSABLE)
@pytest.mark.parametrize("variable", ["https_proxy", "HTTPS_PROXY", "ALL_PROXY"])
def test_a_proxy_that_cannot_be_used_is_named(variable, value):
    with pytest.raises(MissingSetting) as error:
        from_environment({**KEYS, variable: value})
    line = str(error.value)
    assert line.startswith(f"{variable} is {value!r}; ") and "\n" not in line


def test_the_password_of_a_proxy_is_not_shown():
    with pytest.raises(MissingSetting) as error:
        used(API, all_proxy="socks5://me:secret@h:1")
    assert "secret" not in str(error.value)
    assert used(API, all_proxy="http://me:secret@h:1") == "http://h:1"


@for_each(
    "listed",
    ["*", "api.example.com", "example.com", ".example.com", "*.example.com", "EXAMPLE.com.",
     "example.com:443", "other, ,example.com", "other example.com", "https://api.example.com",
     ",,;[, ://, example.com"],
)  # fmt: skip
def test_an_exception_is_asked_directly(listed):
    assert used(API, https_proxy="http://p:1", NO_PROXY=listed) is None


@for_each(
    "listed",
    ["", ",", ".", "*.", "ample.com", "example.com:80", "api.example.com.evil", "[::",
     "10.0.0.0/99",
     "://", "example.com:x"],
)  # fmt: skip
def test_what_names_another_host_is_no_exception(listed):
    assert used(API, https_proxy="http://p:1", no_proxy=listed) == "http://p:1"


def test_an_exception_may_be_a_network():
    url, far = httpx2.URL("http://10.1.2.3/v1"), httpx2.URL("http://[2001:db8::1]:8/v1")
    assert used(url, http_proxy="http://p:1", no_proxy="10.0.0.0/8") is None
    assert used(url, http_proxy="http://p:1", no_proxy="192.168.0.0/16") == "http://p:1"
    assert used(far, http_proxy="http://p:1", no_proxy="2001:db8::1") is None
    assert used(far, http_proxy="http://p:1", no_proxy="[2001:db8::1]:8") is None
