from __future__ import annotations

import pytest

from agent.interface import Element, Observation, Text
from agent.renderings import html


@pytest.mark.parametrize(
    ("node", "line"),
    [
        (
            Element(3, "button", "Save & go", tag="button", html_id="ok"),
            '<button data-id="3" id="ok">Save &amp; go</button>',
        ),
        (
            Element(4, "textbox", "Name", 'A"B', ("required",), "input", "tt", "text", depth=2),
            '  <input data-id="4" id="tt" type="text" data-name="Name" value="A&quot;B" required>',
        ),
        (
            Element(6, "combobox", "A", "8", tag="select", options=("<9>",)),
            '<select data-id="6" data-name="A" value="8"><option>&lt;9&gt;</option></select>',
        ),
        (
            Element(7, "img", "", tag="circle", colors=(("fill", "rgb(255, 0, 0)"),)),
            '<circle data-id="7" role="img" style="fill:rgb(255, 0, 0)"></circle>',
        ),
        (
            Element(9, "button", "Pay", tag="button", commits=True),
            '<button data-id="9" data-commits>Pay</button>',
        ),
        (Element(1, "link", "<option>", tag="a"), '<a data-id="1">&lt;option&gt;</a>'),
        (Text('He said "<b>"'), '<span>He said "&lt;b&gt;"</span>'),
        (Text("Cart", "heading", 1), " <h2>Cart</h2>"),
        (
            Text("x", "status", colors=(("color", "red"),)),
            '<div role="status" style="color:red">x</div>',
        ),
    ],
)
def test_everything_is_shown(node: Element | Text, line: str) -> None:
    page = Observation("http://a/", "t", (node,))
    rendered = html.render(page)
    assert rendered.split("\n")[-1] == line
    assert html.parse(rendered) == page
