"""Styles of elements without a browser."""

from __future__ import annotations

import pytest

from agent.text_lane.css import Cascade, Style
from agent.text_lane.dom import Node, parse
from agent.text_lane.faults import UnknownCss


def styled(html: str, sheet: str, tag: str) -> Style:
    """Return the style of the first element with a tag."""
    cascade, root = Cascade([sheet]), parse(f"<!doctype html><body>{html}")
    found: list[Style] = []

    def walk(node: Node, outer: Style | None) -> None:
        style = cascade.style(node, outer)
        if node.local_name == tag:
            found.append(style)
        for child in node.elements:
            walk(child, style)

    walk(root, None)
    return found[0]


@pytest.mark.parametrize(
    ("sheet", "color"),
    [
        ("p { color: #123 }", "rgb(17, 34, 51)"),
        ("p { color: #11223380 }", "rgba(17, 34, 51, 0.5)"),
        ("p { color: #11223314 }", "rgba(17, 34, 51, 0.08)"),
        ("p { color: rgb(1 2 3 / .4) }", "rgba(1, 2, 3, 0.4)"),
        ("p { color: red } p { color: blue }", "rgb(0, 0, 255)"),
        ("p.a { color: red } p { color: blue }", "rgb(255, 0, 0)"),
        ("p { color: red !important } #b { color: blue }", "rgb(255, 0, 0)"),
        (":root { --x: lime } p { color: var(--x) }", "rgb(0, 255, 0)"),
        (":root { --x: var(--y); --y: lime } p { color: var(--x, red) }", "rgb(0, 255, 0)"),
        ("p { color: var(--none, red) }", "rgb(255, 0, 0)"),
        ("div { color: red }", "rgb(255, 0, 0)"),
        ("@media (prefers-color-scheme: dark) { p { color: red } }", "rgb(0, 0, 0)"),
        ("@media (max-width: 40rem) { p { color: red } }", "rgb(0, 0, 0)"),
        ("@media (min-width: 40rem) { p { color: red } }", "rgb(255, 0, 0)"),
        ("i + p { color: red }", "rgb(255, 0, 0)"),
        ("p:first-child { color: red }", "rgb(0, 0, 0)"),
        ("div:has(i) p { color: red }", "rgb(255, 0, 0)"),
        ("p:hover { color: red } p::before { color: red }", "rgb(0, 0, 0)"),
    ],
)
def test_colours(sheet: str, color: str) -> None:
    assert styled('<div><i></i><p class="a" id="b">x</div>', sheet, "p").color == color


@pytest.mark.parametrize(
    ("html", "sheet", "display"),
    [
        ("<a>x</a>", "", "inline"),
        ("<a>x</a>", "body { display: flex }", "block"),
        ("<a>x</a>", "a { position: absolute }", "block"),
        ("<a hidden>x</a>", "", "none"),
        ("<a hidden>x</a>", "a { display: inline-block }", "inline-block"),
    ],
)
def test_kinds_of_boxes(html: str, sheet: str, display: str) -> None:
    assert styled(html, sheet, "a").display == display


def test_a_background_is_found_in_the_shorthand() -> None:
    assert styled("<p>x", "p { background: url(a.png) #fff no-repeat }", "p").background == (
        "rgb(255, 255, 255)"
    )
    assert styled("<p>x", "p { background: none }", "p").background == "rgba(0, 0, 0, 0)"


def test_a_link_and_its_content_have_the_pointer_of_a_hand() -> None:
    assert styled('<a href="/"><i>x</i></a>', "", "i").cursor == "pointer"


@pytest.mark.parametrize(
    "sheet",
    [
        "@container (width > 1px) { p { color: red } }",
        "@media (hover: hover) { p { color: red } }",
        "p { color: red; & i { color: blue } }",
        "p { color: mauvish }",
        "p:unheard-of { color: red }",
    ],
)
def test_a_rule_that_is_not_known_is_named(sheet: str) -> None:
    with pytest.raises(UnknownCss):
        styled("<p>x", sheet, "p")
