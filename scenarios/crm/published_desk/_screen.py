"""A reader for screens of the published desk, used by the adviser: address, fields, buttons and
texts.
"""

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
    """The text to enter into a form field, and a test for equal values.

    Attributes:
        text: The text to type or the option to select.
        right: Returns whether another text means the same.
    """

    text: str
    right: Callable[[str], bool]


@dataclass(frozen=True)
class Screen:
    """An observation of a page of the published desk.

    Elements are found by their html id if the page has ids, else by name. A field without a name is
    found by the caption before it.
    """

    observation: Observation

    @cached_property
    def place(self) -> Place | None:
        """The screen and the booking in the address, None outside the desk."""
        return address.read(urlsplit(self.observation.url).path)

    @cached_property
    def text(self) -> str:
        """All text of the page on one line."""
        return " ".join(self.observation.text.split())

    def button(self, html_id: str) -> Element | None:
        """Return a button by its html id, or by its label if the page has no ids; None if it is
        missing.
        """
        known = self._by_id(html_id)
        if known is not None or self._has_ids:
            return known
        named = [each for each in self.observation.elements if each.name == _BUTTONS[html_id]]
        if html_id.startswith(("nav-", "tab-")):
            return named[-1 if html_id.startswith("tab-") else 0] if named else None
        return next((each for each in named if each.role == "button"), None)

    def click(self, html_id: str) -> tuple[Action, ...]:
        """Return a click on the button as a tuple, empty if the page has no such button."""
        found = self.button(html_id)
        return (Click(found.id),) if found else ()

    def field(self, html_id: str) -> Element | None:
        """Return a form field by its html id, or by its caption if the page has no ids; None if it
        is missing.
        """
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
        """Return the actions that give the form fields their wanted values, in the order of the
        page.

        If a method has shortened the observation, only the shown fields are filled in.

        Returns:
            The actions, or None if a field is missing (in a shortened observation: if all are
                missing).
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
        """Return the actions that give the form fields their wanted values and press the button.

        None means that a field or the button is missing.
        """
        filling, press = self.fill(entries), self.click(button)
        if filling is None or not (press or (filling and self.is_part)):
            return None
        return (*filling, *press)

    def choose(self, departs: Mapping[str, str], button: str) -> tuple[Action, ...] | None:
        """Return the actions that choose a flight in each direction's list and press the button.

        Returns:
            The actions, or None if a wanted flight is not listed.
        """
        clicks: list[Action] = []
        for group, time in departs.items():
            radio = self.flight(group, time)
            if radio is None:
                return None
            if "checked" not in radio.states:
                clicks.append(Click(radio.id))
        return (*clicks, *self.click(button))

    def press(self, html_id: str) -> tuple[Action, ...]:
        """Return a click on a button that belongs to no form, as a tuple, empty if there is no such
        button.
        """
        return self.click(html_id)

    def held(self, html_id: str) -> str | None:
        """Return the current value of a field, or None if the field is not shown."""
        element = self.field(html_id)
        return (element.value or "") if element else None

    def lists(self, here: str, there: str, days: Sequence[str]) -> bool:
        """Return whether the page lists the flights between two airports on these days.

        Args:
            here: The first airport.
            there: The second airport.
            days: The day of the outward flight and, for a return trip, of the return flight.
        """
        outward, *back = days
        shown = f"Outward: {here} to {there} {outward}" in self.text
        if not back:
            return shown and "Return: " not in self.text
        return shown and f"Return: {there} to {here} {back[0]}" in self.text

    @property
    def is_part(self) -> bool:
        """Whether a method has shortened the observation by leaving out elements."""
        return self.observation.left_out > 0

    def flight(self, group: str, departs: str) -> Element | None:
        """Return the radio button of the flight with a departure time, or None.

        The first time in its label, or in the text beside it, is the departure time. The flight
        number is not used, because the instruction does not name it.

        Args:
            group: The list, "outward" or "return".
            departs: The departure time as the page writes it.
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
        """Return the page's text between an element and the next element."""
        content: Sequence[Any] = self.observation.content
        texts = []
        for node in content[content.index(element) + 1 :]:
            if isinstance(node, Element):
                break
            texts.append(node.text)
        return " ".join(texts)

    def _by_id(self, html_id: str) -> Element | None:
        """Return the element with an html id, or None."""
        elements = self.observation.elements
        return next((each for each in elements if each.html_id == html_id), None)

    @cached_property
    def _has_ids(self) -> bool:
        """Whether any element of the page has an html id."""
        return any(each.html_id for each in self.observation.elements)


def _entering(element: Element, entry: FieldInput) -> Action:
    """Return the action that enters the input into its field."""
    if not element.options:
        return Type(element.id, entry.text)
    fitting = [option for option in element.options if entry.right(option)]
    return Select(element.id, fitting[0] if fitting else entry.text)
