"""The actions that fill in the widgets of a form."""

from __future__ import annotations

from agent.interface import Click, Element, Select, Type
from scenarios._kit import filling
from sites.forum import SITE
from sites.forum.operations import reply
from sites.kit import Do, Field, Form

SKIN = SITE.skins[0]
LABELS = {name: SKIN.say(name, None, "label") for name in ("title", "body", "forum", "name")}
FORM = Form(
    "reply",
    reply,
    (
        Field("title"),
        Field("body", "text", held="body"),
        Field("forum", "choice", options="SELECT name FROM forums"),
        Field("name", "check", held="name"),
    ),
)
EMPTY = (
    Element(1, "link", LABELS["title"]),
    Element(2, "textbox", LABELS["title"], ""),
    Element(3, "textbox", LABELS["body"], ""),
    Element(4, "combobox", LABELS["forum"], "", options=("", "chess")),
    Element(5, "checkbox", LABELS["name"]),
)
FULL = (
    Element(2, "textbox", LABELS["title"], "Hello"),
    Element(3, "textbox", LABELS["body"], "All of you"),
    Element(4, "combobox", LABELS["forum"], "chess", options=("", "chess")),
    Element(5, "checkbox", LABELS["name"], states=("checked",)),
)
DO = Do("reply", {"title": "Hello", "body": "All of you", "forum": "chess", "name": "yes"})


def test_each_kind_of_field_is_filled():
    assert [*filling.fill(EMPTY, SKIN, FORM, DO)] == [
        Type(2, "Hello"),
        Type(3, "All of you"),
        Select(4, "chess"),
        Click(5),
    ]


def test_a_field_with_the_right_value_is_left_alone():
    assert [*filling.fill(FULL, SKIN, FORM, DO)] == []
    unchecked = Do("reply", {**DO.args, "name": ""})
    assert [*filling.fill(FULL, SKIN, FORM, unchecked)] == [Click(5)]


def test_the_count_is_that_of_the_actions():
    assert filling.count(FORM, DO, {}) == len([*filling.fill(EMPTY, SKIN, FORM, DO)])
    held = {"body": "All of you", "name": "yes", "forum": "chess"}
    assert filling.count(FORM, DO, held) == 1


def test_a_field_that_shows_a_zero_is_not_empty():
    zero = Do("reply", {**DO.args, "body": "0"})
    held = {"body": 0, "name": "yes", "forum": "chess"}
    assert filling.count(FORM, zero, held) == filling.count(
        FORM, DO, {**held, "body": "All of you"}
    )


def test_a_radio_button_is_chosen_by_its_value():
    form = Form("reply", reply, (Field("title", "radio"),))  # type: ignore[arg-type]
    buttons = (Element(1, "radio", "Hi"), Element(2, "radio", "Hello"))
    assert [*filling.fill(buttons, SKIN, form, DO)] == [Click(2)]
    chosen = (Element(1, "radio", "Hi"), Element(2, "radio", "Hello", states=("checked",)))
    assert [*filling.fill(chosen, SKIN, form, DO)] == []
    assert filling.count(form, DO, {}) == 1


def test_the_button_of_a_row_stands_beside_its_link():
    shown = (
        Element(1, "button", "Up"),
        Element(2, "link", "First"),
        Element(3, "button", "Up"),
        Element(4, "link", "Second"),
        Element(5, "button", "Up"),
        Element(6, "link", "Last"),
    )

    def beside(row: str, *, before: bool) -> int | None:
        others = {"First", "Second", "Last"} - {row}
        found = filling.button_beside(shown, "Up", row, others, before=before)
        return found.id if found else None

    assert [beside("First", before=True), beside("Second", before=True)] == [1, 3]
    assert [beside("First", before=False), beside("Second", before=False)] == [3, 5]
    assert beside("Third", before=True) is None
    assert beside("Last", before=True) == 5
    assert beside("Last", before=False) is None


def test_the_button_of_another_row_is_not_taken():
    """The button of the first row is gone, since its form was sent."""
    shown = (
        Element(1, "link", "First"),
        Element(2, "link", "Second"),
        Element(3, "button", "Up"),
    )
    assert filling.button_beside(shown, "Up", "First", {"Second"}, before=False) is None
    found = filling.button_beside(shown, "Up", "Second", {"First"}, before=False)
    assert found == shown[2]
