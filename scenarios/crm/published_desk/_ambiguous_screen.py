"""Read a CRM screen whose labels are ambiguous, for advice.

Nothing names a field there. Values are put in in the order of the page; what a field is then shows
in the line of the form, which repeats each accepted value in its role, and in the messages beside
the fields, which say what kind of value is expected. A review is confirmed if its line is right.
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
"""Texts by what the fields are, as far as that is known."""


@dataclass(frozen=True)
class _Box:
    """A field for text with the message beside it."""

    element: Element
    message: str

    @property
    def value(self) -> str:
        return (self.element.value or "").strip()

    @property
    def is_wrong(self) -> bool:
        """Whether the message is about what it holds."""
        return bool(self.message) and not (self.message == NO_WAY_BACK and not self.value)

    def takes(self, field: str) -> bool:
        """Whether its message asks for a value of this field's kind."""
        return self.message.startswith(f"{TAKES} {EXPECTED[field]}.")


@dataclass(frozen=True)
class AmbiguousScreen(Screen):
    """An observation of a screen without labels."""

    @cached_property
    def line(self) -> str:
        """What the form, or its review, says of its values."""
        if self.reviewed:
            return self.reviewed[1]
        found = (each for each in self._texts if each.startswith(_SO_FAR))
        return next(found, "").removeprefix(_SO_FAR)

    @cached_property
    def reviewed(self) -> tuple[str, str] | None:
        """What would be done and with what, on the screen of a review."""
        for text in self._texts:
            deed, _, line = text.partition(": ")
            if deed in DEEDS.values():
                return deed, line
        return None

    @cached_property
    def accepted(self) -> Values:
        """The values that the line repeats in their roles."""
        return _parsed(self.place.screen, self.line) if self.place else {}

    def held(self, html_id: str) -> str | None:
        return self.accepted.get(html_id)

    def lists(self, here: str, there: str, days: Sequence[str]) -> bool:
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
        """The button that is known to do it, else the first that was not tried."""
        if html_id not in DEEDS:
            return self.click(html_id) or (self._back() if self.reviewed else ())
        if self.reviewed:
            return self._confirm(self.reviewed[0] == DEEDS[html_id])
        tried = [(each, self._tried(each)) for each in self._oks]
        known = [each for each, deed in tried if deed == DEEDS[html_id]]
        untried = [each for each, deed in tried if not deed]
        return tuple(Click(each.id) for each in [*known, *untried][:1])

    def _confirm(self, right: bool) -> tuple[Action, ...]:
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
        texts = self._after(button)
        return next((each for each in texts if each.startswith(_TRIED)), "").removeprefix(_TRIED)

    # Forms ---------------------------------------------------------------------------------------

    def submit(self, entries: Mapping[str, FieldInput], button: str) -> tuple[Action, ...] | None:
        right = self._agrees(entries)
        if self.reviewed:
            return self._confirm(right and self.reviewed[0] == DEEDS[button])
        whole = right and not any(box.is_wrong for box in self._boxes)
        filling = () if whole else self._filling(entries)
        if filling is None or not (self._oks or (filling and self.is_part)):
            return None
        return filling or self._ok()

    def _agrees(self, entries: Mapping[str, FieldInput]) -> bool:
        """Whether the line shows all that is wanted."""
        shown = self.accepted
        return all(name in shown and each.right(shown[name]) for name, each in entries.items())

    def _filling(self, entries: Mapping[str, FieldInput]) -> tuple[Action, ...] | None:
        """What to put in next, in the order of the page."""
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
        """The choice of what is wanted, in the list that has it; None where there is none."""
        for element in self.observation.elements:
            fitting = [option for option in element.options if entry.right(option)]
            if fitting:
                chosen = entry.right(element.value or "")
                return () if chosen else (Select(element.id, fitting[0]),)
        return None

    @cached_property
    def _boxes(self) -> list[_Box]:
        found = (each for each in self.observation.elements if each.role == "textbox")
        return [_Box(each, self._message(each)) for each in found]

    def _message(self, box: Element) -> str:
        starts = (TAKES, NO_WAY_BACK)
        return next((each for each in self._after(box) if each.startswith(starts)), "")

    def _after(self, element: Element) -> list[str]:
        """The texts between an element and the next one."""
        content, found = self.observation.content, []
        for node in content[content.index(element) + 1 :]:
            if isinstance(node, Element):
                break
            found.append(node.text)
        return found

    # Flights -------------------------------------------------------------------------------------

    def choose(self, departs: Mapping[str, str], button: str) -> tuple[Action, ...] | None:
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
        if len(ways) > 1:  # one choice tells which list is which
            clicks = clicks[:1]
        return tuple(clicks) or self._ok()

    def _ways(self, departs: Mapping[str, str]) -> Iterator[list[Element]]:
        """The flights to choose, by each of the ways in which the lists may be meant."""
        listed = self._lists
        for groups in permutations(departs, len(listed)):
            pairs = list(zip(listed, groups, strict=True))
            found = [self._leaving(rows, departs[group]) for rows, group in pairs]
            chosen = [each for each in found if each is not None]
            if len(chosen) == len(found) and all(self._may_be(*each) for each in pairs):
                yield chosen

    def _may_be(self, rows: Sequence[Element], group: str) -> bool:
        """Whether the line does not say that the list is that of another group."""
        chosen = [" ".join(self._after(each)) for each in rows if _is_on(each)]
        numbers = {name: _NUMBER.findall(text) for name, text in self.accepted.items()}
        if not chosen or not numbers:
            return True
        return any(number in chosen[0] for number in numbers.get(group, ()))

    @cached_property
    def _lists(self) -> list[list[Element]]:
        found: list[list[Element]] = []
        for node in self.observation.content:
            if isinstance(node, Text) and _LIST.fullmatch(node.text):
                found.append([])
            elif isinstance(node, Element) and node.role == "radio" and found:
                found[-1].append(node)
        return found

    def _leaving(self, rows: Sequence[Element], time: str) -> Element | None:
        """The first flight of a list that departs then."""
        found = (each for each in rows if _time(" ".join(self._after(each))) == time)
        return next(found, None)


def _time(text: str) -> str:
    """The first time in a text, "" for none."""
    return next(iter(_TIME.findall(text)), "")


def _is_on(radio: Element) -> bool:
    return "checked" in radio.states


# Which box is for what ---------------------------------------------------------------------------


def _placed(
    boxes: Sequence[_Box], accepted: Values, wanted: Mapping[str, FieldInput]
) -> dict[_Box, str]:
    """The texts to type: where it is known what a box is for, by that; the others get what is
    left, one of the kind that they ask for, else in the order of the page, empty ones last."""
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
    """What boxes are for by their values, where only one of them means what the line says."""
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
    """Boxes that hold a wanted value of which nothing was said yet."""
    found: list[tuple[_Box, str]] = []
    for box in (each for each in boxes if each.value and not each.message):
        taken = {field for _, field in found}
        fitting = [each for each in left if each not in taken and wanted[each].right(box.value)]
        found += [(box, field) for field in fitting[:1]]
    return found


def _means(field: str, text: str, shown: str) -> bool:
    try:
        return bool(text) and field in EXPECTED and meaning(field, text, _data()) == shown
    except ValueError:
        return False


@cache
def _data() -> CrmData:
    return load_data()


def _parsed(screen: str, line: str) -> dict[str, str]:
    """The values of a form's line by their fields; what is missing there is left out."""
    for place, template in enumerate(LINES.get(screen, ())):
        found = _pattern(template).fullmatch(line)
        if found:
            values = {field: found[_group(field)] for field in _FIELD.findall(template)}
            trip = {"trip-type": ONE_WAY if place else "return"} if "from" in values else {}
            return {field: text for field, text in {**values, **trip}.items() if text != MISSING}
    return {}


@cache
def _pattern(template: str) -> re.Pattern[str]:
    parts = _FIELD.split(template)
    fields = [f"(?P<{_group(each)}>.*)" for each in parts[1::2]]
    texts = [re.escape(each) for each in parts[::2]]
    return re.compile(texts[0] + "".join(map("".join, zip(fields, texts[1:], strict=True))))


def _group(field: str) -> str:
    return f"is_{field.replace('-', '_')}"
