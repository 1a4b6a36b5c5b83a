"""Read a CRM screen, for advice: its place, fields, buttons and texts."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import urlsplit

from agent.interface import Action, Click, Element, Observation, Select, Text, Type
from sites.crm.base import address
from sites.crm.base.address import Place
from sites.crm.published_desk.form_fields import BUTTONS, FORMS

_FIELDS = {field.id: field.label for form in FORMS.values() for field in form}
_BUTTONS = {
    **{button.id: button.label for buttons in BUTTONS.values() for button in buttons},
    "survey-close": "Not now",
    "tab-passenger": "Passenger",
    "tab-flights": "Flights",
    "nav-flights": "Search flights",
    "nav-bookings": "Find booking",
}
_TIME = re.compile(r"\d{1,2}:\d\d[ap]m")
_ENTRIES = ("textbox", "combobox", "searchbox", "spinbutton")


@dataclass(frozen=True)
class FieldInput:
    """The text to type or choose in a field, and whether another text means the same."""

    text: str
    right: Callable[[str], bool]


@dataclass(frozen=True)
class Screen:
    """An observation of the CRM. Elements are found by html id if there is one, else by
    name, and a field without a name by the caption before it."""

    observation: Observation

    @cached_property
    def place(self) -> Place | None:
        return address.read(urlsplit(self.observation.url).path)

    @cached_property
    def text(self) -> str:
        return " ".join(self.observation.text.split())

    def button(self, html_id: str) -> Element | None:
        known = self._by_id(html_id)
        if known is not None or self._has_ids:
            return known
        named = [each for each in self.observation.elements if each.name == _BUTTONS[html_id]]
        if html_id.startswith(("nav-", "tab-")):
            return named[-1 if html_id.startswith("tab-") else 0] if named else None
        return next((each for each in named if each.role == "button"), None)

    def click(self, html_id: str) -> tuple[Action, ...]:
        """A click on the button, or no action if there is none."""
        found = self.button(html_id)
        return (Click(found.id),) if found else ()

    def field(self, html_id: str) -> Element | None:
        known = self._by_id(html_id)
        if known is not None or self._has_ids:
            return known
        caption = _FIELDS[html_id]
        before = ""
        for node in self.observation.content:
            if isinstance(node, Text):
                before = node.text
            elif node.role in _ENTRIES and (node.name or before) == caption:
                return node
        return None

    def fill(self, entries: Mapping[str, FieldInput]) -> tuple[Action, ...] | None:
        """The actions that fill the fields, in the order of the page; None if a field is missing.

        On a screen that is shown in part, only the shown fields are filled; None if there are none.
        """
        found = [(self.field(html_id), entry) for html_id, entry in entries.items()]
        shown = [(element, entry) for element, entry in found if element is not None]
        actions = [
            (element.id, _entering(element, entry))
            for element, entry in shown
            if not entry.right(element.value or "")
        ]
        ordered = tuple(action for _, action in sorted(actions, key=lambda pair: pair[0]))
        whole = len(shown) == len(found)
        return ordered if whole or (shown and self.is_part) else None

    def submit(self, entries: Mapping[str, FieldInput], button: str) -> tuple[Action, ...] | None:
        """Correct the wrong fields of the form, then press its button; None if it cannot be."""
        filling, press = self.fill(entries), self.click(button)
        if filling is None or not (press or (filling and self.is_part)):
            return None
        return (*filling, *press)

    def choose(self, departs: Mapping[str, str], button: str) -> tuple[Action, ...] | None:
        """Choose the flight of each group that departs then and press the button; None where one
        is not listed."""
        clicks: list[Action] = []
        for group, time in departs.items():
            radio = self.flight(group, time)
            if radio is None:
                return None
            if "checked" not in radio.states:
                clicks.append(Click(radio.id))
        return (*clicks, *self.click(button))

    def press(self, html_id: str) -> tuple[Action, ...]:
        """A press of a button beside no form."""
        return self.click(html_id)

    def held(self, html_id: str) -> str | None:
        """What a field holds; None where it is not shown."""
        element = self.field(html_id)
        return (element.value or "") if element else None

    def lists(self, here: str, there: str, days: Sequence[str]) -> bool:
        """Whether it lists the flights between two airports on these days, out and back."""
        outward, *back = days
        shown = f"Outward: {here} to {there} {outward}" in self.text
        if not back:
            return shown and "Return: " not in self.text
        return shown and f"Return: {there} to {here} {back[0]}" in self.text

    @property
    def is_part(self) -> bool:
        """Whether a method has left out elements."""
        return self.observation.left_out > 0

    def flight(self, group: str, departs: str) -> Element | None:
        """The radio button of the flight of the list (outward or return) that departs then.

        The first time of its label, or of the text beside it, is that of the departure. The
        number of the flight tells nothing: the instruction does not name it.
        """
        listed = "outward"
        for node in self.observation.content:
            if isinstance(node, Text):
                listed = "return" if node.text.startswith("Return: ") else listed
            elif node.role == "radio" and listed == group:
                times = _TIME.findall(node.name or self._beside(node))
                if times[:1] == [departs]:
                    return node
        return None

    def _beside(self, element: Element) -> str:
        content: Sequence[Any] = self.observation.content
        texts = []
        for node in content[content.index(element) + 1 :]:
            if isinstance(node, Element):
                break
            texts.append(node.text)
        return " ".join(texts)

    def _by_id(self, html_id: str) -> Element | None:
        elements = self.observation.elements
        return next((each for each in elements if each.html_id == html_id), None)

    @cached_property
    def _has_ids(self) -> bool:
        return any(each.html_id for each in self.observation.elements)


def _entering(element: Element, entry: FieldInput) -> Action:
    if not element.options:
        return Type(element.id, entry.text)
    fitting = [option for option in element.options if entry.right(option)]
    return Select(element.id, fitting[0] if fitting else entry.text)
