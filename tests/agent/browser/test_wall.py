"""The addresses that an agent may type, and the server that refuses."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.browser.faults import Refused
from agent.browser.wall import Wall, address, origin_of, outside, wall

ORIGIN = "http://store.localhost"


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("http://store.localhost/a?b#c", "http://store.localhost/a?b#c"),
        ("HTTP://STORE.localhost:80/a", "http://store.localhost/a"),
        ("store.localhost", "http://store.localhost"),
        ("store.localhost:80/x", "http://store.localhost/x"),
        ("/a", "http://store.localhost/a"),
        ("?page=2", "http://store.localhost/here/?page=2"),
        ("next", "http://store.localhost/here/next"),
        ("store.localhost.evil/x", "http://store.localhost/here/store.localhost.evil/x"),
        ("../x", "http://store.localhost/x"),
        (" /a ", "http://store.localhost/a"),
    ],
)
def test_an_address_of_the_site(typed, meant):
    assert address(typed, f"{ORIGIN}/here/", ORIGIN) == meant


@pytest.mark.parametrize(
    "typed",
    ["", " ", "file:///x", "//crm.localhost/", "http://store.localhost:81/", "http://a@store.localhost/",
     "http://store.localhost.evil/", "http://store.localhost\\.evil/",
     "http://[::1]/", "http://[x", "http://store.localhost:x/", "java\nscript:1", "javascript:1",
     "about:blank", "https://store.localhost/"],
)  # fmt: skip
def test_an_address_elsewhere(typed):
    with pytest.raises(Refused, match=r"\.$"):
        address(typed, f"{ORIGIN}/", ORIGIN)


@pytest.mark.wide
@settings(max_examples=200, derandomize=True)
@given(typed=st.text(st.sampled_from("htps:/@.\\[]?#%80 \tstorecmlocalhost1"), max_size=30))
def test_whatever_is_typed_is_of_the_site_or_refused(typed):
    try:
        meant = address(typed, f"{ORIGIN}/x", ORIGIN)
    except Refused:
        return
    assert not outside(meant, ORIGIN) and origin_of(meant) == ORIGIN


@pytest.mark.parametrize("url", [f"{ORIGIN}/x", f"{ORIGIN}", "about:blank", ""])
def test_inside(url):
    assert not outside(url, ORIGIN)


@pytest.mark.parametrize(
    "url",
    ["http://store.localhost.evil/", "http://store.localhost:81/", "https://store.localhost/",
     "blob:http://store.localhost/x", "chrome-error://chromewebdata/", "about:srcdoc"],
)  # fmt: skip
def test_outside(url):
    assert outside(url, ORIGIN)


def test_the_rules_name_every_site_and_nothing_else():
    rules = Wall(9).resolver_rules({"store.localhost": 1, "crm.localhost": 2})
    assert rules == (
        "MAP store.localhost:80 127.0.0.1:1, MAP crm.localhost:80 127.0.0.1:2, "
        "MAP wall.invalid:80 127.0.0.1:9, MAP * ~NOTFOUND"
    )
    with pytest.raises(ValueError, match="not a host name"):
        Wall(9).resolver_rules({"a,MAP * 127.0.0.1": 1})


@pytest.mark.parametrize(
    "sent", [b"GET http://x/ HTTP/1.1\r\nHost: x\r\n\r\n", b"CONNECT x:443 HTTP/1.1\r\n\r\n"]
)
def test_the_wall_answers_403_and_remembers(sent, runner):
    async def ask() -> bytes:
        async with wall() as ours:
            reader, writer = await asyncio.open_connection("127.0.0.1", ours.port)
            writer.write(sent)
            answer = await reader.read()
            writer.close()
            assert list(ours.refused) == [sent.split(b"\r\n")[0].decode()]
            return answer

    assert runner.run(ask()).startswith(b"HTTP/1.1 403 ")


def test_two_origins_pass_and_no_third():
    both = (ORIGIN, "http://outlet.localhost")
    here = "http://store.localhost/here/"
    assert address("outlet.localhost/x", here, *both) == "http://outlet.localhost/x"
    assert address("HTTP://Outlet.localhost:80/x", here, *both) == "http://outlet.localhost/x"
    assert address("/x", "http://outlet.localhost/y", *both) == "http://outlet.localhost/x"
    with pytest.raises(Refused, match=r"sites, http://store.localhost and http://outlet.localhost"):
        address("http://crm.localhost/", here, *both)
    with pytest.raises(Refused, match="outside"):
        address("http://outlet.localhost/x", here, ORIGIN)
    assert not outside("http://outlet.localhost/x", *both)
    assert outside("http://outlet.localhost/x", ORIGIN)
    assert outside("http://outlet.localhost.evil/", *both)
    hosts = [each.removeprefix("http://") for each in both]
    assert (
        Wall(9).bypass(*hosts) == "<-loopback>,http://store.localhost:80,http://outlet.localhost:80"
    )
