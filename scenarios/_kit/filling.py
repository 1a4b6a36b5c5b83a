"""Fill in the widgets of a form: the actions that it takes, and their number."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from agent.interface import Action, Click, Element, Select, Type
from sites.kit import Do, Field, Form, Map, Place, Skin

LINK, BUTTON = "link", "button"
CHECK, CHOICE, RADIO = "check", "choice", "radio"
YES = "yes"
"""The value of a check box that is checked."""
KEYWORD = "q"


def fill(elements: Sequence[Element], skin: Skin, form: Form, do: Do) -> Iterator[Action]:
    """Yield the actions that give each field of a form the argument of an operation.

    A field that holds the value already is left alone.
    """
    for field in form.fields:
        label, wanted = skin.say(field.name, None, "label"), str(do.args[field.name])
        if field.kind == RADIO:
            yield from _choose(elements, wanted)
        elif element := _field(elements, label):
            yield from _set(element, field, wanted)


def _set(element: Element, field: Field, wanted: str) -> Iterator[Action]:
    if field.kind == CHECK:
        if ("checked" in element.states) != (wanted == YES):
            yield Click(element.id)
    elif (element.value or "") != wanted:
        is_list = field.kind == CHOICE
        yield Select(element.id, wanted) if is_list else Type(element.id, wanted)


def _choose(elements: Sequence[Element], wanted: str) -> Iterator[Action]:
    """Yield the click on the radio button of a value."""
    for each in elements:
        if each.role == RADIO and each.name == wanted and "checked" not in each.states:
            yield Click(each.id)


def _field(elements: Sequence[Element], label: str) -> Element | None:
    found = (each for each in elements if each.name == label)
    return next((each for each in found if each.role not in (LINK, BUTTON)), None)


def count(form: Form, do: Do, record: Mapping[str, Any]) -> int:
    """Return the number of actions that `fill` takes on the page as it is first shown."""
    return sum(
        _kept(field, str(do.args[field.name])) != _kept(field, _shown_first(field, record))
        for field in form.fields
    )


def _kept(field: Field, value: str) -> str:
    """Return a value as the field can hold it: a check box is checked or not."""
    return value if field.kind != CHECK or value == YES else ""


def _shown_first(field: Field, record: Mapping[str, Any]) -> str:
    """Return the value that a field holds before anybody fills it in."""
    if field.kind == RADIO and not field.held:
        return ""
    if field.held or field.options:
        value = record.get(field.held or field.name)
        return "" if value is None else str(value)
    return ""


def ask(elements: Sequence[Element], site_map: Map, place: Place) -> Iterator[Action]:
    """Yield the actions that let the form of a list ask for a place.

    The form has a field for the keyword and a select element for each filter.
    """
    skin = site_map.skin
    for name in site_map.site.page[place.page].asked:
        label = skin.say("keyword") if name == KEYWORD else skin.say(name, None, "label")
        element, wanted = _field(elements, label), place[name] or ""
        if element is not None and (element.value or "") != wanted:
            yield Select(element.id, wanted) if element.options else Type(element.id, wanted)
    button = named_button(elements, skin.say("apply"))
    if button is not None:
        yield Click(button.id)


def asked(place: Place, to: Place) -> int:
    """Return the number of actions that `ask` takes from one place of a list to another."""
    before = place.but(page=None)
    names = {name for name, _ in (*to.args, *before.args)}
    return 1 + sum(to[name] != before[name] for name in names)


def named_button(elements: Sequence[Element], label: str) -> Element | None:
    """Return the first button with a label."""
    return next((each for each in elements if each.role == BUTTON and each.name == label), None)


def button_beside(
    elements: Sequence[Element], label: str, row: str, others: Collection[str], *, before: bool
) -> Element | None:
    """Return the button with a label that stands in a row of a list.

    Args:
        elements: The elements of the page.
        label: The label of the button.
        row: The label of the first link of the row.
        others: The labels of the first links of the other rows.
        before: Whether the buttons of a row stand before its link.
    """
    at = next((at for at, e in enumerate(elements) if e.role == LINK and e.name == row), None)
    if at is None:
        return None
    for each in reversed(elements[:at]) if before else elements[at + 1 :]:
        if each.role == LINK and each.name in others:
            return None
        if each.role == BUTTON and each.name == label:
            return each
    return None
