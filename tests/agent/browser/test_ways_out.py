"""Nothing that a page does reaches an address but the task's own site.

Each way is first shown to work on the task's own site, then aimed at listeners that count.
"""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest

from agent.browser.lane import Lane
from agent.interface import Back, Click, Goto
from tests.each import for_each
from tests.measuring import DEEP
from tests.ways_out import LOADS, Listener, filled, listening, page, page_code

from .conftest import Answer


@pytest.fixture(scope="module")
def listener() -> Iterator[Listener]:
    with listening() as counted:
        yield counted


def foreign(listener: Listener) -> list[str]:
    port = listener.port
    return [
        f"http://127.0.0.1:{port}/hit",
        f"http://localhost:{port}/hit",
        f"http://[::1]:{port}/hit",
        f"http://0x7f.1:{port}/hit",
        f"http://store.localhost:{port}/hit",
        f"http://127.0.0.1.nip.io:{port}/hit",
        "http://crm.localhost/hit",
    ]


SILENT = {"ping", "websocket", "webtransport", "webrtc", "preconnect", "service worker",
          "speculation"}  # fmt: skip
"""Ways that are shut for the task's own site too, so that they cannot be shown to work."""


def redirect(request) -> Answer:
    path, _, target = request.path.partition("?")
    return Answer(status=int(path.rpartition("/")[2]), headers={"Location": target})


@pytest.fixture
def own(visit, store, crm, listener):
    for status in (301, 302, 303, 307, 308):
        store.pages[f"/go/{status}"] = redirect
    store.pages["/hit"] = "hit"
    store.pages["/sw.js"] = Answer(
        f"fetch('http://127.0.0.1:{listener.port}/hit')",
        headers={"Content-Type": "text/javascript"},
    )
    listener.hits.clear()
    return visit


def test_the_listener_counts(listener):
    listener.hits.clear()
    socket.create_connection(("127.0.0.1", listener.port)).close()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp:
        udp.sendto(b"x", ("127.0.0.1", listener.port))
    while len(listener.hits) < 2:
        pass
    listener.hits.clear()


TOGETHER = 1 if DEEP else 4
"""So many ways are tried on one page."""
GROUPS = [[*LOADS][at : at + TOGETHER] for at in range(0, len(LOADS), TOGETHER)]


def loading(ways: list[str], addresses: list[str]) -> str:
    """A page that tries each of the ways at each of the addresses, with the way's place in it."""
    tried = (
        page_code(LOADS[way], [f"{address}?{place}" for address in addresses])
        for place, way in enumerate(ways)
    )
    return filled(" ".join(f"try {{ {each} }} catch {{}}" for each in tried))


@pytest.mark.wide
@pytest.mark.parametrize("ways", GROUPS, ids=", ".join)
def test_what_a_page_loads(ways, own, store, crm, listener, browser):
    def absent(found: list[str]) -> list[str]:
        """The ways that are in none of the lines."""
        return [
            way
            for place, way in enumerate(ways)
            if way not in SILENT and not any(f"/hit?{place}" in line for line in found)
        ]

    own.show(loading(ways, ["http://store.localhost/hit"]))
    own.act(Click("go"))
    assert own.eventually(lambda: not absent(store.hits)), absent(store.hits)
    wall = browser.wall
    wall.refused.clear()
    own.show(loading(ways, foreign(listener)))
    seen = own.act(Click("go"))
    assert seen.url.startswith("http://store.localhost/")
    assert listener.hits == [] and crm.hits == []
    assert own.eventually(lambda: not absent(at_crm(wall.refused))), absent(at_crm(wall.refused))


def at_crm(refused: list[str]) -> list[str]:
    """The refusals of requests to the other site."""
    return [line for line in refused if "//crm.localhost/hit" in line]


MOVES = {
    "link": '<a href="URL">go</a>',
    "new window": '<a href="URL" target=_blank>go</a>',
    "no opener": '<a href="URL" target=_blank rel=noopener>go</a>',
    "open": "<button onclick='window.open(\"URL\")'>go</button>",
    "location": "<button onclick='location = \"URL\"'>go</button>",
    "replace": "<button onclick='location.replace(\"URL\")'>go</button>",
    "get form": '<form action="URL"><button>go</button></form>',
    "post form": '<form action="URL" method=post><button>go</button></form>',
    "redirected post": '<form action="/go/307?URL" method=post><button>go</button></form>',
    "301": '<a href="/go/301?URL">go</a>',
    "302": '<a href="/go/302?URL">go</a>',
    "303": '<a href="/go/303?URL">go</a>',
    "308": '<a href="/go/308?URL">go</a>',
    "two redirects": '<a href="/go/302?/go/302?URL">go</a>',
    "meta": '<button onclick="document.head.innerHTML +='
    "'<meta http-equiv=refresh content=&quot;0;url=URL&quot;>'\">go</button>",
    "top": "<iframe srcdoc=\"<script>function f(){top.location='URL'}</script>\"></iframe>"
    '<button onclick="frames[0].f()">go</button>',
}


def other_addresses(way: str, listener: Listener) -> list[str]:
    """A port of this machine and another site; one of them in the short run, in turn."""
    both = [f"http://127.0.0.1:{listener.port}/hit", "http://crm.localhost/hit"]
    return both if DEEP else [both[[*MOVES].index(way) % 2]]


@pytest.mark.wide
@pytest.mark.parametrize("way", MOVES)
def test_where_a_page_leads(way, own, store, crm, listener):
    own.show(MOVES[way].replace("URL", "http://store.localhost/hit"))
    own.act(Click("go"))
    assert any("/hit" in hit for hit in store.hits[1:]), "the way does not work at all"
    own.show("<title>before</title>")
    for url in other_addresses(way, listener):
        store.pages["/page"] = MOVES[way].replace("URL", url)
        own.act(Goto("/page"))
        seen = own.act(Click("go"))
        assert seen.url == "http://store.localhost/page" and seen.tabs == ("",)
        assert url.split("/")[2] in (seen.error or "")
    assert own.act(Goto("/hit")).error is None, "the next navigation works"
    assert listener.hits == [] and crm.hits == []


SCHEMES = ["file:///etc/passwd", "view-source:http://store.localhost/", "chrome://version",
           "javascript:fetch('URL')", "data:text/html,<img src=URL>", "blob:http://store.localhost/x",
           "about:blank", "about:srcdoc", "chrome-extension://x/y", "devtools://devtools/x",
           "filesystem:http://store.localhost/t/x", "ftp://crm.localhost/", "ws://crm.localhost/",
           "https://store.localhost/", "http://store.localhost@crm.localhost/",
           "http://store.localhost\\@crm.localhost/", "//crm.localhost/", "http:/\\crm.localhost/",
           "http://crm.localhost/", "http://store.localhost:81/",
           "http://store.localhost.crm.localhost/",
           "http://127.0.0.1/", "JaVaScRiPt:1", " \tfile:///etc/passwd", "http://[::1]/",
           ""]  # fmt: skip


@pytest.mark.wide
@for_each("address", SCHEMES)
def test_what_an_agent_may_type(address, own, crm, listener):
    start = own.show("<title>here</title>here")
    seen = own.act(Goto(address.replace("URL", f"http://127.0.0.1:{listener.port}/hit")))
    assert seen.error and seen.url == start.url and seen.text == "here"
    assert listener.hits == [] and crm.hits == []


DOORS = ("go", "tab", "open")
OTHER_SCHEMES = [each for each in SCHEMES if not each.startswith(("http", "ws", "//", " "))]


@pytest.mark.wide
@pytest.mark.parametrize(
    ("address", "doors"),
    [(each, DOORS if DEEP else DOORS[at % 3 :][:1]) for at, each in enumerate(OTHER_SCHEMES)],
)
def test_schemes_from_a_link_and_a_window(address, doors, own, crm, listener, monkeypatch):
    monkeypatch.setattr("agent.browser.tabs.POPUP_SECONDS", 0.3)
    html = (
        '<a href="URL">go</a> <a href="URL" target=_blank>tab</a>'
        "<button onclick='window.open(\"URL\")'>open</button>"
    ).replace("URL", address.replace("URL", f"http://127.0.0.1:{listener.port}/hit"))
    own.show("<title>here</title>" + html)
    for name in doors:
        seen = own.act(Click(name))
        assert "root:" not in seen.text
        assert all(
            tab.url.startswith("http://store.localhost/") or tab.url == "about:blank"
            for tab in own.lane._tabs.tabs
        )
    assert listener.hits == [] and crm.hits == []


def test_a_lane_of_the_other_site_does_not_reach_this_one(own, store, crm, runner, browser):
    lane = Lane(browser)
    crm.pages["/"] = "<title>crm</title>" + page(LOADS["fetch"], ["http://store.localhost/hit"])
    assert runner.run(lane.open(crm.url)).title == "crm"
    runner.run(lane.act(Click("go")))
    runner.run(lane.close())
    assert {*crm.hits} - {"GET /favicon.ico"} == {"GET /"} and store.hits == []


def test_after_a_refusal_going_back_still_stays(own, listener):
    own.show('<a href="http://crm.localhost/">go</a>')
    own.act(Click("go"))
    assert "no page to go back to" in (own.act(Back()).error or "")


def test_nothing_arrived_late(own, crm, listener):
    own.show("<title>end</title>")
    assert listener.hits == [] and crm.hits == []
