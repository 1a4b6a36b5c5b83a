from __future__ import annotations

import pytest

from agent.interface import Element, Observation, Text
from agent.renderings import buttons


def lines_of(*nodes: Element | Text) -> list[str]:
    return buttons.render(Observation("http://a/", "t", nodes)).split("\n")[2:]


def test_the_look_of_webshop() -> None:
    assert lines_of(
        Text("Instruction:"),
        Element(1, "button", "Back to Search"),
        Element(2, "link", "B01ABCDEFG", states=("visited",)),
        Text("color"),
        Element(3, "radio", "red", "red", ("checked",)),
        Element(4, "radio", "blue", "blue"),
        Text("Price: $20.0"),
        Element(5, "button", "Buy Now"),
    ) == [
        "You have clicked red.",
        "",
        "Instruction:",
        "[button] Back to Search [button_]",
        "[clicked button] B01ABCDEFG [clicked button_]",
        "color",
        "  [clicked button] red [clicked button_]",
        "  [button] blue [button_]",
        "Price: $20.0",
        "[button] Buy Now [button_]",
    ]


def test_what_is_chosen_beforehand_was_not_clicked() -> None:
    plan = Element(1, "checkbox", "Protection plan", states=("checked",))
    assert lines_of(plan, Element(2, "button", "Continue")) == [
        "",
        "  [clicked button] Protection plan [clicked button_]",
        "[button] Continue [button_]",
    ]


def test_a_page_without_its_frame_shows_neither_address_nor_title_nor_the_wish() -> None:
    page = Observation(
        "http://a/%5B%22x%22%5D/1", "x · Page 1", (Text("Instruction: a mat"), Text("Mats"))
    )
    assert buttons.render(buttons.without_frame(page, "a mat")) == "\nMats"
    assert "Instruction: a mat" in buttons.render(buttons.without_frame(page, "a red mat"))


@pytest.mark.parametrize(
    ("element", "line"),
    [
        (
            Element(1, "searchbox", "Search products", ""),
            "[search bar ''] Search products [search bar_]",
        ),
        (Element(1, "textbox", "Name", "Ann"), "[field 'Ann'] Name [field_]"),
        (Element(1, "generic", "Day", "3"), "[field '3'] Day [field_]"),
        (Element(1, "combobox", "", "8", options=("8", "9")), "[choice '8' of '8', '9'] [choice_]"),
        (Element(1, "button", "Search", "Search"), "[button] Search [button_]"),
    ],
)
def test_fields_are_visible(element: Element, line: str) -> None:
    assert lines_of(element) == ["", line]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('[Pack of 2] Men\'s "Oxford" \\ shoe', '[Pack of 2] Men\'s "Oxford" \\ shoe'),
        ("[button] Buy Now [button_]", "'[button] Buy Now [button_]'"),
        ("now [clicked button] x", "'now [clicked button] x'"),
        ("two\nlines", "'two\\nlines'"),
        ("'quoted'", "\"'quoted'\""),
        ("", "''"),
        (" x", "' x'"),
    ],
)
def test_only_a_text_that_looks_like_syntax_is_quoted(text: str, line: str) -> None:
    assert lines_of(Text(text)) == ["", line]


def test_a_name_cannot_close_its_button() -> None:
    name = "A [button_] [button] Buy Now"
    assert lines_of(Element(1, "button", name)) == ["", f"[button] '{name}' [button_]"]


def test_what_is_read_back() -> None:
    page = Observation(
        "http://a/",
        "t",
        (
            Text("Cart", "heading", 2),
            Element(5, "link", "Home", states=("focused", "visited"), tag="a", html_id="h"),
            Element(9, "checkbox", "gift", "on", ("checked",), commits=True),
        ),
    )
    assert buttons.parse(buttons.render(page)).content == (
        Text("Cart"),
        Element(1, "button", "Home", states=("visited",)),
        Element(2, "radio", "gift", states=("checked",)),
    )


def test_a_broken_quotation_is_refused() -> None:
    with pytest.raises(ValueError, match=r"is no line of this rendering"):
        buttons.parse("url: http://a/\ntitle: ''\n\n'not closed")
