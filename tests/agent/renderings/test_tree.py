from __future__ import annotations

from agent.interface import Element, Observation, Text
from agent.renderings import buttons, elements, html, tree


def test_the_look_of_webarena() -> None:
    page = Observation(
        "http://a/x?q=1",
        "Women's shop",
        (
            Text("Cart", "heading"),
            Element(1, "textbox", "Name", "", ("focused", "required"), depth=1),
            Element(2, "combobox", "Size", "8", options=("8", "9"), depth=1),
            Element(12, "button", "Buy Now", states=("disabled",), commits=True),
            Text('a "big" one', depth=2),
        ),
    )
    assert tree.render(page).split("\n") == [
        "url: http://a/x?q=1",
        'title: "Women\'s shop"',
        "",
        "heading 'Cart'",
        "  [1] textbox 'Name' value='' focused required",
        "  [2] combobox 'Size' value='8' options=['8', '9']",
        "[12] button 'Buy Now' disabled commits",
        "    text 'a \"big\" one'",
    ]


def test_what_is_left_out() -> None:
    element = Element(1, "link", "x", None, (), "a", "home", "k", (), (("color", "red"),))
    text = Text("x", "cell", 1, (("color", "red"),))
    shown = tree.shown(Observation("http://a/", "", (element, text)))
    assert shown.content == (Element(1, "link", "x"), Text("x", "cell", 1))


def test_the_current_step() -> None:
    page = Observation(
        "u", "t", (Text("Search", "listitem"), Text("Pay", "listitem", current=True))
    )
    assert tree.render(page).split("\n")[-2:] == ["listitem 'Search'", "listitem 'Pay' current"]
    assert elements.render(page).endswith("<listitem val='Pay' current />")
    assert html.render(page).endswith("<li current>Pay</li>")
    assert "current" not in buttons.render(page)


def test_an_empty_value_is_not_no_value() -> None:
    page = Observation("u", "t", (Element(1, "textbox", "a", ""), Element(2, "textbox", "a")))
    assert [element.value for element in tree.parse(tree.render(page)).elements] == ["", None]
