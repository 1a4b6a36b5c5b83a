"""A reader for screens of the published desk whose labels are ambiguous, used by the adviser.

Nothing names a field on such a screen, so the adviser enters the values in the order of the page.
The page then reveals what the fields are. A line of the form repeats each accepted value in its
role, and messages beside the fields say what kind of value they expect. A review asks for
confirmation, and the adviser confirms it if its line is right.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import permutations

from agent.interface import Action, Click, Element, Select, Text, Type
from scenarios.crm.published_desk._screen import FieldInput, Screen
from sites.crm.base.world import CrmData, load_data
from sites.crm.published_desk.ambiguous import DEEDS, OK
from sites.crm.published_desk.ambiguous.readings import (
    EXPECTED,
    LINES,
    MISSING,
    NO_WAY_BACK,
    ONE_WAY,
    TAKES,
    meaning,
)
from sites.crm.published_desk.form_fields import FORMS

_CHOICES = {field.id for form in FORMS.values() for field in form if field.type == "choice"}
_SO_FAR, _TRIED, _SEARCHED = "So far: ", "Tried: ", "Searched: "
_FIELD = re.compile(r"\{([a-z-]+)\}")
_LIST = re.compile(r"List [0-9]")
_TIME = re.compile(r"[0-9]{1,2}:[0-9]{2}[ap]m")
_NUMBER = re.compile(r" with ([A-Z0-9]+) for ")

Values = Mapping[str, str]
"""Texts of form fields by the name of the field."""


@dataclass(frozen=True)
class _Box:
    """A text field of an unlabelled form, with the message of the page beside it."""

    element: Element
    message: str

    @property
    def value(self) -> str:
        """The text in the field."""
        return (self.element.value or "").strip()

    @property
    def is_wrong(self) -> bool:
        """Whether the message rejects the text in the field."""
        return bool(self.message) and not (self.message == NO_WAY_BACK and not self.value)

    def takes(self, field: str) -> bool:
        """Return whether the message asks for a value of this field's kind."""
        return self.message.startswith(f"{TAKES} {EXPECTED[field]}.")


@dataclass(frozen=True)
class AmbiguousScreen(Screen):
    """An observation of a screen without labels."""

    @cached_property
    def line(self) -> str:
        """The page's line in which an unlabelled form, or its review, repeats the accepted
        values.
        """
        if self.reviewed:
            return self.reviewed[1]
        found = (each for each in self._texts if each.startswith(_SO_FAR))
        return next(found, "").removeprefix(_SO_FAR)

    @cached_property
    def reviewed(self) -> tuple[str, str] | None:
        """The announced action and the line with the form's values, or None if the page asks for no
        confirmation.
        """
        for text in self._texts:
            deed, _, line = text.partition(": ")
            if deed in DEEDS.values():
                return deed, line
        return None

    @cached_property
    def accepted(self) -> Values:
        """The accepted values of the form, by field, as the page repeats them in a line."""
        return _parsed(self.place.screen, self.line) if self.place else {}

    def held(self, html_id: str) -> str | None:
        """Return the accepted value of a form field, or None if the page repeats none."""
        return self.accepted.get(html_id)

    def lists(self, here: str, there: str, days: Sequence[str]) -> bool:
        """Return whether the page lists the flights between two airports on these days."""
        found = (each for each in self._texts if each.startswith(_SEARCHED))
        seen = _parsed("flights", next(found, "").removeprefix(_SEARCHED))
        wanted = dict(
            zip(("from", "to", "departure", "return"), (here, there, *days), strict=False)
        )
        wanted["trip-type"] = "return" if "return" in wanted else ONE_WAY
        return seen == wanted

    @property
    def _texts(self) -> Iterator[str]:
        return (node.text for node in self.observation.content if isinstance(node, Text))

    # Buttons -------------------------------------------------------------------------------------

    def press(self, html_id: str) -> tuple[Action, ...]:
        """Return a click on the button known to do the wanted action, or else on the first button
        not tried yet.
        """
        if html_id not in DEEDS:
            return self.click(html_id) or (self._back() if self.reviewed else ())
        if self.reviewed:
            return self._confirm(self.reviewed[0] == DEEDS[html_id])
        tried = [(each, self._tried(each)) for each in self._oks]
        known = [each for each, deed in tried if deed == DEEDS[html_id]]
        untried = [each for each, deed in tried if not deed]
        return tuple(Click(each.id) for each in [*known, *untried][:1])

    def _confirm(self, right: bool) -> tuple[Action, ...]:
        """Return the click that confirms the review (the page's question before an action) if it is
        right, or else the click that goes back.
        """
        return self._ok() if right else self._back()

    def _ok(self) -> tuple[Action, ...]:
        return tuple(Click(each.id) for each in self._oks[:1])

    def _back(self) -> tuple[Action, ...]:
        found = [each for each in self.observation.elements if each.name == "Back"]
        return tuple(Click(each.id) for each in found[:1])

    @property
    def _oks(self) -> list[Element]:
        elements = self.observation.elements
        return [each for each in elements if each.role == "button" and each.name == OK]

    def _tried(self, button: Element) -> str:
        """Return the action that the page reports for a button that was pressed before, or ""."""
        texts = self._after(button)
        return next((each for each in texts if each.startswith(_TRIED)), "").removeprefix(_TRIED)

    # Forms ---------------------------------------------------------------------------------------

    def submit(self, entries: Mapping[str, FieldInput], button: str) -> tuple[Action, ...] | None:
        """Return the next actions towards the rightly filled form and its confirmation.

        None means that fields or the OK button are missing.
        """
        right = self._agrees(entries)
        if self.reviewed:
            return self._confirm(right and self.reviewed[0] == DEEDS[button])
        whole = right and not any(box.is_wrong for box in self._boxes)
        filling = () if whole else self._filling(entries)
        if filling is None or not (self._oks or (filling and self.is_part)):
            return None
        return filling or self._ok()

    def _agrees(self, entries: Mapping[str, FieldInput]) -> bool:
        """Return whether the page repeats all wanted values as accepted."""
        shown = self.accepted
        return all(name in shown and each.right(shown[name]) for name, each in entries.items())

    def _filling(self, entries: Mapping[str, FieldInput]) -> tuple[Action, ...] | None:
        """Return the next inputs in the order of the page, or None if form fields are missing."""
        choices = {name: each for name, each in entries.items() if name in _CHOICES}
        texts = {name: each for name, each in entries.items() if name not in _CHOICES}
        lists = [self._choice(each) for each in choices.values()]
        missing = None in lists or len(self._boxes) < len(texts)
        if missing and not self.is_part:
            return None
        placed = _placed(self._boxes, self.accepted, texts)
        actions: list[Type | Select] = [
            *(Type(box.element.id, text) for box, text in placed.items()),
            *(each for found in lists for each in found or ()),
        ]
        return tuple(sorted(actions, key=lambda each: str(each.target).zfill(9)))

    def _choice(self, entry: FieldInput) -> tuple[Select, ...] | None:
        """Return the selection in the list that offers the wanted option, or None if no list does.

        The tuple is empty if the option is selected already.
        """
        for element in self.observation.elements:
            fitting = [option for option in element.options if entry.right(option)]
            if fitting:
                chosen = entry.right(element.value or "")
                return () if chosen else (Select(element.id, fitting[0]),)
        return None

    @cached_property
    def _boxes(self) -> list[_Box]:
        """The text fields of the page, each with the message that the page shows beside it ("" for
        none).
        """
        found = (each for each in self.observation.elements if each.role == "textbox")
        return [_Box(each, self._message(each)) for each in found]

    def _message(self, box: Element) -> str:
        """Return the message beside a text field, "" if there is none."""
        starts = (TAKES, NO_WAY_BACK)
        return next((each for each in self._after(box) if each.startswith(starts)), "")

    def _after(self, element: Element) -> list[str]:
        """Return the page's texts between an element and the next element."""
        content, found = self.observation.content, []
        for node in content[content.index(element) + 1 :]:
            if isinstance(node, Element):
                break
            found.append(node.text)
        return found

    # Flights -------------------------------------------------------------------------------------

    def choose(self, departs: Mapping[str, str], button: str) -> tuple[Action, ...] | None:
        """Return the next actions towards the right choice of flights and its confirmation, or None
        if no list fits.
        """
        shown = {group: _time(text) for group, text in self.accepted.items()}
        right = shown == {**departs}
        if self.reviewed:
            return self._confirm(right and self.reviewed[0] == DEEDS[button])
        if right:
            return self._ok()
        ways = [*self._ways(departs)]
        if not ways:
            return None
        clicks = [Click(each.id) for each in ways[0] if not _is_on(each)]
        if len(ways) > 1:  # one choice reveals which list is which
            clicks = clicks[:1]
        return tuple(clicks) or self._ok()

    def _ways(self, departs: Mapping[str, str]) -> Iterator[list[Element]]:
        """Yield, for each possible assignment of the page's lists to directions, the radio buttons
        of the flights to choose.
        """
        listed = self._lists
        for groups in permutations(departs, len(listed)):
            pairs = list(zip(listed, groups, strict=True))
            found = [self._leaving(rows, departs[group]) for rows, group in pairs]
            chosen = [each for each in found if each is not None]
            if len(chosen) == len(found) and all(self._may_be(*each) for each in pairs):
                yield chosen

    def _may_be(self, rows: Sequence[Element], group: str) -> bool:
        """Return whether a list of flights can belong to a direction, given the numbers of chosen
        flights that the page repeats.
        """
        chosen = [" ".join(self._after(each)) for each in rows if _is_on(each)]
        numbers = {name: _NUMBER.findall(text) for name, text in self.accepted.items()}
        if not chosen or not numbers:
            return True
        return any(number in chosen[0] for number in numbers.get(group, ()))

    @cached_property
    def _lists(self) -> list[list[Element]]:
        """The radio buttons of each list of flights."""
        found: list[list[Element]] = []
        for node in self.observation.content:
            if isinstance(node, Text) and _LIST.fullmatch(node.text):
                found.append([])
            elif isinstance(node, Element) and node.role == "radio" and found:
                found[-1].append(node)
        return found

    def _leaving(self, rows: Sequence[Element], time: str) -> Element | None:
        """Return the radio button of the first flight in a list with this departure time, or
        None.
        """
        found = (each for each in rows if _time(" ".join(self._after(each))) == time)
        return next(found, None)


def _time(text: str) -> str:
    """Return the first time of day in a text, "" if it contains none."""
    return next(iter(_TIME.findall(text)), "")


def _is_on(radio: Element) -> bool:
    return "checked" in radio.states


# Roles of the fields -----------------------------------------------------------------------------


def _placed(
    boxes: Sequence[_Box], accepted: Values, wanted: Mapping[str, FieldInput]
) -> dict[_Box, str]:
    """Return the text to type into each field.

    A field whose role is known gets its value if it holds another. A field that asks for a kind of
    value gets a remaining value of that kind. All other fields get the remaining values in the
    order of the page, empty fields last.
    """
    known = _known(boxes, accepted)
    texts = {
        box: wanted[field].text
        for box, field in known.items()
        if field in wanted and not wanted[field].right(box.value)
    }
    left = [field for field in wanted if field not in known.values()]
    unknown = [box for box in boxes if box not in known]
    for box, field in _pending(unknown, wanted, left):
        unknown.remove(box)
        left.remove(field)
    for box in sorted(unknown, key=lambda each: (not each.message, not each.value)):
        fitting = [field for field in left if not box.message or box.takes(field)]
        if box.message == NO_WAY_BACK:
            texts |= {box: ""} if box.is_wrong else {}
        elif fitting:
            texts[box] = wanted[fitting[0]].text
            left.remove(fitting[0])
    return texts


def _known(boxes: Sequence[_Box], accepted: Values) -> dict[_Box, str]:
    """Return the roles of the text fields that can be identified by their values.

    A field is identified if no other field's text means what the page repeats for a role.
    """
    found: dict[_Box, str] = {}
    for field, shown in accepted.items():
        meant = [box for box in boxes if not box.message and _means(field, box.value, shown)]
        alike = [other for other in accepted if other != field and accepted[other] == shown]
        if len(meant) == 1 and not alike:
            found[meant[0]] = field
    return found


def _pending(
    boxes: Sequence[_Box], wanted: Mapping[str, FieldInput], left: Sequence[str]
) -> list[tuple[_Box, str]]:
    """Return text fields that hold a wanted value on which the page has not commented yet, each
    with its role.
    """
    found: list[tuple[_Box, str]] = []
    for box in (each for each in boxes if each.value and not each.message):
        taken = {field for _, field in found}
        fitting = [each for each in left if each not in taken and wanted[each].right(box.value)]
        found += [(box, field) for field in fitting[:1]]
    return found


def _means(field: str, text: str, shown: str) -> bool:
    """Return whether the site reads a text in a field as the value that the page repeats as
    accepted.
    """
    try:
        return bool(text) and field in EXPECTED and meaning(field, text, _data()) == shown
    except ValueError:
        return False


@cache
def _data() -> CrmData:
    return load_data()


def _parsed(screen: str, line: str) -> dict[str, str]:
    """Return the values by field in the line with which the page repeats a form. Missing values are
    left out.
    """
    for place, template in enumerate(LINES.get(screen, ())):
        found = _pattern(template).fullmatch(line)
        if found:
            values = {field: found[_group(field)] for field in _FIELD.findall(template)}
            trip = {"trip-type": ONE_WAY if place else "return"} if "from" in values else {}
            return {field: text for field, text in {**values, **trip}.items() if text != MISSING}
    return {}


@cache
def _pattern(template: str) -> re.Pattern[str]:
    """Return a regular expression that reads a form's values from the line made by a template."""
    parts = _FIELD.split(template)
    fields = [f"(?P<{_group(each)}>.*)" for each in parts[1::2]]
    texts = [re.escape(each) for each in parts[::2]]
    return re.compile(texts[0] + "".join(map("".join, zip(fields, texts[1:], strict=True))))


def _group(field: str) -> str:
    """Return the name of a form field's group in a regular expression."""
    return f"is_{field.replace('-', '_')}"
