"""Which field of a form an action fills, and of what kind it is, by what the page shows of it.

A field may have several controls: three lists for a date, a calendar that is opened by a button, a
list of suggestions below it. They have the name of the field, as far as the page says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile

from agent.interface import Action, Element, Observation, Select, Type
from agent.llm.simulated.mistakes import element_of

AIRPORT, DATE, COUNT, OTHER = "airport", "date", "count", ""
_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July", "August", "September"),
    *("October", "November", "December"),
)
_DAY = re.compile(
    rf"\b(?:{'|'.join(month[:3] for month in _MONTHS)})[a-z]* \d{{1,2}}, \d{{4}}\b"
    r"|^\d{1,2}[ /.-](?:\d{1,2}|[A-Z][a-z]+)[ /.-]\d{4}$|^\d{4}-\d\d-\d\d$"
)
_PART = re.compile(r"\(([^()]+)\)$")
_MANY = 12
"""A list of so many names is none of titles or kinds of trips."""


def kind_of(action: Action, page: Observation) -> str:
    """The kind of field that it fills or opens."""
    element = element_of(action, page)
    if element is None:
        return OTHER
    if isinstance(action, Type):
        return _kind_of_text(action.text)
    if isinstance(action, Select):
        return _kind_of_list(element.options)
    if element.role == "option":
        return AIRPORT
    is_day = _DAY.search(element.name) or _opened(element, page)
    return DATE if is_day else COUNT if _counter(element, page) else OTHER


def _kind_of_text(text: str) -> str:
    if _DAY.search(text):
        return DATE
    if text.isdecimal():
        return COUNT if len(text) == 1 else OTHER
    return AIRPORT


def _kind_of_list(options: Sequence[str]) -> str:
    """Lists of days, months or years; of numbers; of many names."""
    named = [each for each in options if any(map(str.isalnum, each))]
    if any(each.startswith(_MONTHS) for each in named):
        return DATE
    if named and all(each.isdecimal() for each in named):
        return DATE if any(len(each) > 1 for each in named) else COUNT
    return AIRPORT if len(named) >= _MANY else OTHER


def _opened(button: Element, page: Observation) -> list[str]:
    """The fields whose calendar a button opens: they stand after its name's colon."""
    names = button.name.partition(": ")[2].split(", ")
    typed = {each.name for each in page.elements if each.role == "textbox"}
    return names if {*names} <= typed else []


def _calendar(element: Element, page: Observation) -> list[str]:
    """The fields of the calendar that the element opens, or that is open."""
    open_ = [each for each in page.elements if "expanded" in each.states and _opened(each, page)]
    return _opened(element, page) or (_opened(open_[0], page) if open_ else [])


def _counter(button: Element, page: Observation) -> bool:
    """Whether it makes a number larger or smaller: another button has the same ending."""
    ending = button.name.partition(": ")[2]
    others = [each for each in page.elements if ending and each.name.endswith(f": {ending}")]
    return len(others) > 1


def field_of(action: Action, page: Observation) -> str:
    """The name of the field as the page has it, "" where it fills none."""
    element = element_of(action, page)
    if element is None:
        return ""
    if element.role == "option":
        return _suggesting(element, page)
    calendar = _calendar(element, page) if kind_of(action, page) == DATE else []
    if calendar and not isinstance(action, Type):
        return ", ".join(calendar)
    return _shared_start(element, page) or element.name


def _suggesting(option: Element, page: Observation) -> str:
    """The field above the list of suggestions."""
    above: list[Element] = []
    for each in page.elements:
        if each is option:
            break
        above += [each] * (each.value is not None)
    return above[-1].name if above else ""


def _shared_start(element: Element, page: Observation) -> str:
    """The words with which the names of several lists for one value begin."""
    if not element.options:
        return ""
    own = _words(element)
    lists = [_words(each) for each in page.elements if each.options and each is not element]
    shared = max((_alike(own, other) for other in lists), default=0)
    return " ".join(own[:shared]) if shared < len(own) else ""


def _words(element: Element) -> list[str]:
    """The name without what stands in brackets behind it."""
    return element.name.partition(" (")[0].split()


def _alike(one: Sequence[str], other: Sequence[str]) -> int:
    """How many words they begin with in common."""
    pairs = zip(one, other, strict=False)
    return len([*takewhile(lambda pair: pair[0] == pair[1], pairs)])


def fields_left(kind: str, actions: Sequence[Action], page: Observation) -> list[str]:
    """The fields of a kind that are still to be filled, in the order of the page."""
    found = (field_of(each, page) for each in actions if kind_of(each, page) == kind)
    return list(dict.fromkeys(found))


def part_of(action: Action, page: Observation) -> str:
    """What a field is of, in brackets behind its name: one of several people; "" for others."""
    element = element_of(action, page)
    found = _PART.search(element.name) if element else None
    return found[1] if found and kind_of(action, page) != COUNT else ""


def counts(actions: Sequence[Action], page: Observation) -> Iterator[str]:
    """The numbers that are entered, with the names of their fields."""
    pressed: dict[str, int] = {}
    for each in actions:
        element = element_of(each, page)
        if element is None or kind_of(each, page) != COUNT:
            continue
        if isinstance(each, Type | Select):
            text = each.text if isinstance(each, Type) else each.option
            yield f"{element.name} {text}"
        else:
            pressed[element.name] = pressed.get(element.name, 0) + 1
    yield from (f"{name} x{times}" for name, times in pressed.items())
