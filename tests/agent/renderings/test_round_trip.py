"""Every rendering reads back what it shows, whatever a page says."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from agent import plugins, renderings
from agent.interface import STATES, Dialog, Element, Observation, Text
from agent.offered import OFFERS
from agent.renderings.markers import fence, unfence
from tests.each import for_each
from tests.measuring import DEEP

EVERY = renderings.names()
each = pytest.mark.parametrize("name", EVERY)
each_with_a_head = pytest.mark.parametrize("name", [name for name in EVERY if name != "state"])
"""All but the one that shows the page alone."""

SYNTAX = (
    "[button] Buy Now [button_]",
    "  [clicked button] red [clicked button_]",
    "[search bar 'x'] Find [search bar_]",
    "[choice 'a' of 'a', 'b'] Pick [choice_]",
    "[3] button 'x'",
    "text 'x'",
    "<button id=3 val='x' />",
    "<t val='x' />",
    '<button data-id="3">x</button>',
    "<option>x</option>",
    "</span>",
    "&quot;&#10;&amp;amp;",
    "url: http://evil/",
    "title: 'x'",
    "error: 'x'",
    "You have clicked x.",
    "<<<observation",
    "observation>>>",
    "\n",
    "\n\n",
    "\r\n",
    "\u2028",
    "\\",
    "\\n",
    "\\'",
    "'",
    '"',
    "''",
    " ",
    ", ",
    "of 'x'",
    "\x00",
    "\x85",
    "\ud800",
    "日本語",
    "🛒",
)
pieces = st.one_of(
    st.sampled_from(SYNTAX), st.text(max_size=6), st.text("[]'\"\\ <>/=_\n", max_size=6)
)
texts = st.lists(pieces, max_size=4).map("".join)
roles = st.sampled_from(
    (
        "button",
        "link",
        "textbox",
        "searchbox",
        "combobox",
        "radio",
        "checkbox",
        "slider",
        "t",
        "img",
    )
)
colors = st.lists(
    st.sampled_from((("color", "rgb(255, 0, 0)"), ("fill", "color(srgb 1 0 0 / 0.5)"))), unique=True
).map(tuple)
elements = st.builds(
    Element,
    id=st.just(0),
    role=st.one_of(roles, texts),
    name=texts,
    value=st.none() | texts,
    states=st.sets(st.sampled_from(STATES)).map(lambda states: tuple(sorted(states))),
    tag=st.one_of(st.sampled_from(("input", "button", "a", "select", "textarea", "svg")), texts),
    html_id=texts,
    kind=st.one_of(st.sampled_from(("", "text", "radio", "submit", "search")), texts),
    options=st.lists(texts, max_size=3).map(tuple),
    colors=colors,
    commits=st.booleans(),
    depth=st.integers(0, 12),
)
prose = st.builds(
    Text,
    text=texts,
    role=st.one_of(st.sampled_from(("text", "heading", "cell", "div", "t", "element")), texts),
    depth=st.integers(0, 12),
    colors=colors,
    current=st.booleans(),
)


def numbered(content: list[Element | Text]) -> tuple[Element | Text, ...]:
    """Ids in reading order, not all in use, as in a view of a part of the page."""
    return tuple(
        replace(node, id=2 * place + 1) if isinstance(node, Element) else node
        for place, node in enumerate(content)
    )


observations = st.builds(
    Observation,
    url=texts,
    title=texts,
    content=st.lists(elements | prose, max_size=5).map(numbered),
    dialog=st.none() | st.builds(Dialog, texts, texts, texts),
    error=st.none() | texts,
    tabs=st.lists(texts, max_size=3).map(tuple),
    tab=st.integers(0, 2),
    capped=st.booleans(),
    left_out=st.integers(0, 99),
    inputs=st.sampled_from([(), ("draw",), tuple(OFFERS)]),
    action_seconds=st.sampled_from([None, 0.1, 1.0]),
    clock_characters=st.sampled_from([None, 400]),
    notes=st.none() | st.lists(texts, max_size=3).map(tuple),
    more=st.sampled_from([(), ("above",), ("below",), ("above", "below")]),
)


@each
@given(observation=observations)
@settings(max_examples=150 if DEEP else 16, derandomize=True, deadline=None)
@example(observation=Observation("", ""))
@example(observation=Observation("", "", (Text("url: x"), Text("y"))))
@example(observation=Observation("", "", error="no"))
@example(observation=Observation("", "", (Text("x"),), error="no"))
def test_what_is_shown_is_read_back(name: str, observation: Observation) -> None:
    rendering = renderings.get(name)
    rendered = rendering.render(observation)
    assert rendering.parse(rendered) == rendering.shown(observation)
    assert unfence(f"Look:\n{fence(rendered)}\nNow act.") == [rendered]
    rendered.encode()


@each
@given(text=texts)
@settings(max_examples=100 if DEEP else 10, derandomize=True, deadline=None)
@example(text="[button] Buy Now [button_]\n[1] button 'Buy Now'\n")
def test_a_page_never_makes_a_line(name: str, text: str) -> None:
    rendering = renderings.get(name)
    page = Observation("http://a/", text, (Text(text), Element(1, "button", text), Text(text)))
    plain = Observation("http://a/", "x", (Text("x"), Element(1, "button", "x"), Text("x")))
    assert len(rendering.render(page).split("\n")) == len(rendering.render(plain).split("\n"))
    assert len(rendering.parse(rendering.render(page)).elements) == 1


@each
@given(observation=observations)
@settings(max_examples=50 if DEEP else 6, derandomize=True, deadline=None)
def test_showing_twice_shows_no_less(name: str, observation: Observation) -> None:
    rendering = renderings.get(name)
    once = rendering.shown(observation)
    assert rendering.shown(once) == once


@each_with_a_head
def test_names_values_and_choices_are_shown(name: str) -> None:
    page = Observation(
        "http://store.localhost/",
        "Shop",
        (
            Text("Winter sale"),
            Element(1, "searchbox", "Search products", "boots", tag="input", kind="search"),
            Element(2, "combobox", "Size", "8", tag="select", options=("8", "9")),
            Element(3, "radio", "red", "red", ("checked",), "input", kind="radio"),
            Element(4, "button", "Buy Now", tag="button"),
        ),
    )
    rendering = renderings.get(name)
    read = rendering.parse(rendering.render(page))
    assert (read.url, read.title) == (page.url, page.title)
    assert read.text == page.text
    search, size, red, buy = read.elements
    assert (search.role, search.value) == ("searchbox", "boots")
    assert (size.role, size.value, size.options) == ("combobox", "8", ("8", "9"))
    assert (red.role, red.states) == ("radio", ("checked",))
    assert (buy.id, buy.role) == (4, "button")


@each_with_a_head
def test_a_dialog_an_error_and_tabs_are_shown(name: str) -> None:
    page = Observation(
        "http://a/",
        "Shop",
        dialog=Dialog("prompt", "Whose?", "mine"),
        error="there is no element 9",
        tabs=("Shop", "Women's"),
        tab=1,
        capped=True,
    )
    rendering = renderings.get(name)
    assert rendering.parse(rendering.render(page)) == page


@each
def test_a_single_tab_is_not_worth_a_line(name: str) -> None:
    page = Observation("http://a/", "Shop", tabs=("Shop",))
    rendering = renderings.get(name)
    assert rendering.parse(rendering.render(page)).tabs == ()


@each
def test_a_cut_rendering_is_still_read(name: str) -> None:
    page = Observation("http://a/", "Shop", tuple(Text(f"line {i}") for i in range(9)))
    rendering = renderings.get(name)
    cut = "\n".join(rendering.render(page).split("\n")[:-4])
    assert rendering.parse(cut) == replace(rendering.shown(page), content=page.content[:5])


@each
def test_the_screenshot_is_left_out(name: str) -> None:
    page = Observation("http://a/", "Shop", screenshot=b"PNG")
    assert renderings.get(name).shown(page).screenshot is None


@each
@for_each("line", ["hello", "title: Shop", "tabs: none", "dialog: confirm Really?"])
def test_a_header_that_nobody_wrote_is_refused(name: str, line: str) -> None:
    with pytest.raises(ValueError, match=r"is no line of this rendering; give what render"):
        renderings.get(name).parse(f"url: http://a/\n{line}\n\n")


@pytest.mark.parametrize("name", [name for name in EVERY if name != "buttons"])
@for_each(
    "line",
    [
        "hello",
        "[x] button 'Buy'",
        "[1] button 'Buy' value=",
        "<b id=1 />",
        "<b val='x' oops! />",
        "<b>",
    ],
)
def test_a_line_that_nobody_wrote_is_refused(name: str, line: str) -> None:
    with pytest.raises(ValueError, match=r"is no line of this rendering"):
        renderings.get(name).parse(f"url: http://a/\ntitle: ''\n\n{line}")


def test_every_file_is_a_rendering() -> None:
    assert {"buttons", "elements", "html", "tree"} <= set(EVERY)
    assert "markers" not in EVERY


@pytest.mark.parametrize(
    ("name", "remedy"),
    [("markers", "there are buttons"), ("tre", "did you mean tree"), ("_header", "there are")],
)
def test_an_unknown_rendering_is_refused_with_those_that_there_are(name: str, remedy: str) -> None:
    with pytest.raises(plugins.UnknownName, match=rf"no rendering '{name}'; {remedy}"):
        renderings.get(name)
