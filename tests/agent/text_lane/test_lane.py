"""The lane without a browser, on small pages of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import Any
from urllib.parse import parse_qs

import pytest

from agent.interface import (
    Action,
    Back,
    Click,
    ClickAt,
    Drag,
    Forward,
    Goto,
    KeyboardType,
    Observation,
    Press,
    Select,
    Stop,
    Text,
    Type,
)
from agent.text_lane.faults import NotInTextLane, UnknownScript
from agent.text_lane.input import NO_PLACES
from agent.text_lane.lane import TextLane
from agent.text_lane.visit import Sites

ORIGIN = "http://small.localhost"


class Small:
    """A site of a few pages; `asked` holds its requests, `referrers` the pages that led to them."""

    def __init__(self, **pages: str) -> None:
        self.pages, self.asked = pages, list[str]()
        self.referrers: list[str] = []

    def __call__(self, environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        path, query = environ["PATH_INFO"].strip("/"), environ["QUERY_STRING"]
        sent = environ["wsgi.input"].read().decode()
        line = f"{environ['REQUEST_METHOD']} /{path}{'?' * bool(query)}{query} {sent}".strip()
        self.asked.append(line)
        self.referrers.append(environ.get("HTTP_REFERER", "").removeprefix(ORIGIN))
        if path == "go":
            start("303 See Other", [("Location", "/there"), ("Set-Cookie", "seen=yes; Path=/")])
            return [b""]
        page = self.pages.get(path or "index", "<title>Nothing</title>")
        shown = page.replace("{{sent}}", str(parse_qs(sent or query, keep_blank_values=True)))
        kind = "text/plain" if path == "plain" else "text/html; charset=utf-8"
        start("200 OK", [("Content-Type", kind)])
        return [b"<!doctype html>" * (path != "plain") + shown.encode()]


def walk(site: Small, *actions: Action) -> tuple[Observation, TextLane]:
    """Open the first page, do some actions, and return the last observation and the lane."""
    lane = TextLane(Sites({ORIGIN: site}))

    async def play() -> Observation:
        seen = await lane.open(f"{ORIGIN}/", cookie=("rehearse", "token"))
        for action in actions:
            seen = await lane.act(action)
        return seen

    return asyncio.run(play()), lane


FORM = """<title> A  form </title><form method="post" action="/sent">
<label>Name <input name="name" maxlength="4"></label>
<label for="t">Text</label><textarea id="t" name="text">
 kept</textarea>
<select name="size"><option>S</option><option value="m">M</option>
<option disabled>L</option></select>
<label><input type="checkbox" name="gift" value="yes"> Gift</label>
<label><input type="radio" name="way" value="a" checked> Air</label>
<label><input type="radio" name="way" value="s"> Sea</label>
<input type="hidden" name="csrf" value="1"><button name="b" value="send">Send</button></form>"""


def test_a_site_is_told_which_page_led_to_a_request() -> None:
    link = '<a href="/go">Go</a><form action="/sent" method="post"><button>Send</button></form>'
    site = Small(index=link, there=link, sent=link)
    walk(site, Click("Go"), Click("Send"), Goto("/there"), Click("Go"), Back(), Back(), Back())
    assert [*zip(site.asked, site.referrers, strict=True)] == [
        ("GET /", ""),
        ("GET /go", "/"),
        ("GET /there", "/"),
        ("POST /sent", "/there"),
        ("GET /there", ""),
        ("GET /go", "/there"),
        ("GET /there", "/there"),
        ("GET /there", ""),
        ("GET /sent", "/there"),
        ("GET /there", "/"),
    ]


def test_a_form_sends_what_its_fields_hold() -> None:
    site = Small(index=FORM, sent="<p>{{sent}}")
    seen, _ = walk(
        site, Type("Name", "abcdef"), Select(3, "m"), Click("Gift"), Click("Sea"), Click("Send")
    )
    assert seen.url == f"{ORIGIN}/sent"
    assert site.asked[-1] == ("POST /sent name=abcd&text=+kept&size=m&gift=yes&way=s&csrf=1&b=send")


def test_fields_show_what_they_hold() -> None:
    seen, lane = walk(Small(index=FORM), Type("Text", "new\nline"), Click("Gift"))
    assert seen.title == "A form"
    assert [(one.name, one.value, one.states) for one in seen.elements] == [
        ("Name", "", ()),
        ("Text", "new\nline", ()),
        ("", "S", ()),
        ("Gift", None, ("checked", "focused")),
        ("Air", None, ("checked",)),
        ("Sea", None, ()),
        ("Send", None, ()),
    ]
    assert len(lane.inputs) == 2


def test_enter_sends_a_form_by_its_first_button() -> None:
    site = Small(index=FORM)
    walk(site, Type("Name", "x", enter=True))
    assert site.asked[-1].endswith("b=send")


@pytest.mark.parametrize(
    ("action", "error"),
    [
        (Click(99), "There is no element 99 on this page."),
        (Click("Nobody"), 'No element on this page is named "Nobody".'),
        (Click("//nobody"), 'Nothing on this page is at "//nobody".'),
        (Click("//["), '"//[" is not an XPath that finds elements.'),
        (Type(7, "x"), "Element 7 is not a text field."),
        (Select(1, "x"), "Element 1 is not a select."),
        (Select(3, "XL"), 'The select has no option "XL".'),
        (Select(3, "L"), 'The option "L" is disabled.'),
        (
            Goto("http://else.localhost/"),
            f"'http://else.localhost/' is outside this task's site, {ORIGIN}.",
        ),
        (Back(), "There is no page to go back to."),
        (Press("Nonsense"), "'Nonsense' is not a key."),
        (ClickAt(1, (1, 1)), NO_PLACES),
        (Drag(1, 2), NO_PLACES),
    ],
)  # fmt: skip
def test_what_cannot_be_done_says_why(action: Action, error: str) -> None:
    site = Small(index=FORM)
    seen, lane = walk(site, action)
    assert (seen.error, len(site.asked), lane.inputs) == (error, 1, [action])


def test_links_redirections_cookies_and_the_history() -> None:
    site = Small(index='<a href="/go">Go</a>', there='<a href="#part">Part</a> <a href="/x">X</a>')
    seen, lane = walk(site, Click("Go"), Click("Part"), Click("X"), Back(), Back(), Forward())
    assert seen.url == f"{ORIGIN}/there#part"
    assert site.asked == ["GET /", "GET /go", "GET /there", "GET /x", "GET /there"]
    assert lane.inputs == [Back(), Forward()]


def test_going_back_gives_texts_back_but_not_to_the_answer_to_a_form() -> None:
    page = '<form method="post" action="/again"><input name="a"><button>Send</button></form>'
    site = Small(index=page, again=page)
    seen, _ = walk(site, Type(1, "one"), Click("Send"), Type(1, "two"), Goto("/x"), Back())
    assert (seen.url, seen.elements[0].value) == (f"{ORIGIN}/again", "")
    assert site.asked[-1] == "GET /again"
    seen, _ = walk(site, Type(1, "one"), Click("Send"), Back())
    assert seen.elements[0].value == "one"


def test_the_keyboard_moves_the_focus_and_types() -> None:
    seen, _ = walk(Small(index=FORM), Press("Tab"), KeyboardType("ab"), Press("Backspace"))
    assert (seen.elements[0].value, seen.elements[0].states) == ("a", ("focused",))


def test_a_text_file_is_a_page() -> None:
    seen, _ = walk(Small(plain="two\n<lines>"), Goto("/plain"))
    assert seen.text == "two <lines>"


def test_the_source_of_a_part_tells_names_and_states() -> None:
    _, lane = walk(Small(index='<p class="a"><a href="/x"><b>One</b></a></p><i>"</i>'))
    seen = asyncio.run(lane.observe(source=".a, i"))
    assert seen.source == (
        '<p class="a"><a href="/x" data-id="1" style="color:rgb(0, 0, 238)"><b>One</b></a></p>\n'
        "<i>&#34;</i>"
    )
    assert asyncio.run(lane.observe(source="p:::")).error == '"p:::" is not a CSS selector.'


def test_pictures_and_windows_are_refused_by_name() -> None:
    _, lane = walk(Small(index="x"))
    for asked in ({"screenshot": True}, {"view": "viewport"}):
        with pytest.raises(NotInTextLane):
            asyncio.run(lane.observe(**asked))
    with pytest.raises(TypeError):
        asyncio.run(lane.act(Stop()))


def test_a_script_that_is_not_known_is_refused_by_its_address() -> None:
    with pytest.raises(UnknownScript, match=r"/own\.js"):
        walk(Small(index='<head><script src="/own.js"></script></head>'))


SHOP = """<head><title>Shop</title><script src="/static/outlet.js"></script></head>
<form action="/basket" data-dialog><button>Basket</button></form>
<form action="/size"><select name="size" data-submit><option>S</option><option>M</option></select>
</form><input type="search" aria-label="Search">"""
BASKET = """<main><dialog open aria-labelledby="b"><h1 id="b">Your basket</h1>
<button hidden>Update</button><a href="/away">Go on</a></dialog></main>"""


def test_the_outlets_basket_opens_over_the_page() -> None:
    site = Small(index=SHOP, basket=BASKET)
    seen, _ = walk(site, Click("Basket"), Click("Search"))
    assert seen.error == '"Search" is covered by <dialog>.'
    assert [(one.role, one.text) for one in seen.content if isinstance(one, Text)] == [
        ("dialog", "Your basket")
    ]
    assert [(one.name, one.states) for one in seen.elements][-1] == ("Go on", ("focused",))
    assert (seen.url, site.asked) == (f"{ORIGIN}/", ["GET /", "GET /basket"])


def test_escape_closes_the_dialog_and_gives_the_focus_back() -> None:
    seen, lane = walk(Small(index=SHOP, basket=BASKET), Click("Basket"), Press("Escape"))
    basket = seen.elements[0]
    assert (basket.name, basket.states) == ("Basket", ("focused",))
    assert "Go on" not in seen.text and len(lane.inputs) == 2
    seen, _ = walk(Small(index=SHOP, basket=BASKET), Click("Basket"), Press("Enter"))
    assert seen.url == f"{ORIGIN}/away"


def test_a_page_without_a_basket_is_opened_instead() -> None:
    seen, _ = walk(Small(index=SHOP, basket="<title>No basket</title>"), Click("Basket"))
    assert (seen.url, seen.title) == (f"{ORIGIN}/basket", "No basket")


def test_the_outlet_sends_a_choice_at_once() -> None:
    site = Small(index=SHOP)
    walk(site, Select(2, "M"))
    assert site.asked[-1] == "GET /size?size=M"


def test_escape_clears_a_search() -> None:
    seen, _ = walk(Small(index=SHOP), Type("Search", "lamp"), Press("Escape"))
    assert seen.elements[-1].value == ""


def test_xpaths_see_the_page_as_it_is_now() -> None:
    page = '<details><summary>More</summary><a href="/x">X</a></details><input type="checkbox">'
    closed, site = Click("//details[not(@open)]/summary"), Small(index=page)
    seen, _ = walk(site, closed, closed)
    assert seen.error == 'Nothing on this page is at "//details[not(@open)]/summary".'
    walk(site, closed, Click("//details[@open]/a"))
    assert site.asked[-1] == "GET /x"
    seen, _ = walk(site, Click("//input"), Click("//input[not(@checked)]"))
    assert (seen.error, seen.elements[-1].states) == (None, ("focused",))


def test_a_place_in_the_answer_to_a_form_is_opened_like_the_answer() -> None:
    page = '<form method="post" action="/sent"><button>Send</button></form>'
    site = Small(index=page, sent='<a href="#part">Part</a>')
    walk(site, Click("Send"), Click("Part"), Goto("/x"), Back(), Back())
    assert site.asked[2:] == ["GET /x", "GET /sent", "GET /sent"]
