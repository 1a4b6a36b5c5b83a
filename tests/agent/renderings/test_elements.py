from __future__ import annotations

import pytest

from agent.interface import Element, Observation, Text
from agent.renderings import elements


@pytest.mark.parametrize(
    ("node", "line"),
    [
        (Element(3, "button", "Submit", tag="button"), "<button id=3 val='Submit' />"),
        (
            Element(4, "textbox", "Name", "Ann", ("focused",), "input", "tt", "text"),
            "<input_text id=4 label='Name' val='Ann' focused html_id='tt' />",
        ),
        (
            Element(5, "checkbox", "Q7", None, ("checked",), "input", "ch0", "checkbox"),
            "<input_checkbox id=5 val='Q7' checked html_id='ch0' />",
        ),
        (
            Element(6, "combobox", "Size", "8", tag="select", options=("8", "9")),
            "<select id=6 label='Size' val='8' options=['8', '9'] />",
        ),
        (Element(7, "tab", "Home", tag="a"), "<a id=7 val='Home' role='tab' />"),
        (Element(8, "generic", "x"), "<element id=8 val='x' role='generic' tag='' />"),
        (
            Element(9, "button", "Pay", tag="button", commits=True),
            "<button id=9 val='Pay' commits />",
        ),
        (Text("Hello"), "<t val='Hello' />"),
        (Text("Cart", "heading"), "<heading val='Cart' />"),
        (Text("Cart", "t"), "<t role='t' val='Cart' />"),
    ],
)
def test_the_look_of_step(node: Element | Text, line: str) -> None:
    page = Observation("http://a/", "t", (node,))
    rendered = elements.render(page)
    assert rendered.split("\n")[-1] == line
    assert elements.parse(rendered) == page


def test_colours_and_depth_are_left_out() -> None:
    element = Element(1, "link", "x", tag="a", colors=(("color", "red"),), depth=3)
    shown = elements.shown(Observation("http://a/", "", (element, Text("x", depth=2))))
    assert shown.content == (Element(1, "link", "x", tag="a"), Text("x"))
