"""The form field that an action fills, and the kind of that field, as far as the page shows them.

A field may have several controls: three lists for a date, a calendar that a button opens, or a list
of suggestions below it. Controls carry the name of their field if the page gives it.
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
"""The number of options from which a list of names is taken for a list of airports; shorter lists
hold titles or kinds of trips.
"""


def kind_of(action: Action, page: Observation) -> str:
    """Return the kind of field that the action fills or opens: `AIRPORT`, `DATE`, `COUNT` or
    `OTHER`.
    """
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
    """Return the kind of a drop-down list by its options: `DATE` for days, months or years, `COUNT`
    for small numbers, `AIRPORT` for many names, else `OTHER`.
    """
    named = [each for each in options if any(map(str.isalnum, each))]
    if any(each.startswith(_MONTHS) for each in named):
        return DATE
    if named and all(each.isdecimal() for each in named):
        return DATE if any(len(each) > 1 for each in named) else COUNT
    return AIRPORT if len(named) >= _MANY else OTHER


def _opened(button: Element, page: Observation) -> list[str]:
    """Return the names of the fields whose calendar a button opens, read from the button's name
    after its colon; [] for other buttons.
    """
    names = button.name.partition(": ")[2].split(", ")
    typed = {each.name for each in page.elements if each.role == "textbox"}
    return names if {*names} <= typed else []


def _calendar(element: Element, page: Observation) -> list[str]:
    """Return the names of the fields of the calendar that the element opens, or of the calendar
    that is open now.
    """
    open_ = [each for each in page.elements if "expanded" in each.states and _opened(each, page)]
    return _opened(element, page) or (_opened(open_[0], page) if open_ else [])


def _counter(button: Element, page: Observation) -> bool:
    """Return whether the button increases or decreases a number: another element's name ends in the
    same words after a colon.
    """
    ending = button.name.partition(": ")[2]
    others = [each for each in page.elements if ending and each.name.endswith(f": {ending}")]
    return len(others) > 1


def field_of(action: Action, page: Observation) -> str:
    """Return the name of the field that the action fills, as the page writes it; "" if it fills
    none.

    If a calendar serves several fields, their names are joined by commas.
    """
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
    """Return the name of the form field above a suggested option."""
    above: list[Element] = []
    for each in page.elements:
        if each is option:
            break
        above += [each] * (each.value is not None)
    return above[-1].name if above else ""


def _shared_start(element: Element, page: Observation) -> str:
    """Return the first words that an element's name shares with another list, such as "Departure"
    of day and month lists; "" if none.
    """
    if not element.options:
        return ""
    own = _words(element)
    lists = [_words(each) for each in page.elements if each.options and each is not element]
    shared = max((_alike(own, other) for other in lists), default=0)
    return " ".join(own[:shared]) if shared < len(own) else ""


def _words(element: Element) -> list[str]:
    """Return the words of the element's name up to a bracket."""
    return element.name.partition(" (")[0].split()


def _alike(one: Sequence[str], other: Sequence[str]) -> int:
    """Return how many words the two lists have in common at their start."""
    pairs = zip(one, other, strict=False)
    return len([*takewhile(lambda pair: pair[0] == pair[1], pairs)])


def fields_left(kind: str, actions: Sequence[Action], page: Observation) -> list[str]:
    """Return the fields of a kind that the actions fill, without repetition, in the order of the
    actions.

    Args:
        kind: `AIRPORT`, `DATE` or `COUNT`.
        actions: The actions that are left to do.
        page: The page that shows the fields.
    """
    found = (field_of(each, page) for each in actions if kind_of(each, page) == kind)
    return list(dict.fromkeys(found))


def part_of(action: Action, page: Observation) -> str:
    """Return the owner of the action's field, such as a person; the name of the field ends with it
    in brackets. "" for a field without an owner.
    """
    element = element_of(action, page)
    found = _PART.search(element.name) if element else None
    return found[1] if found and kind_of(action, page) != COUNT else ""


def counts(actions: Sequence[Action], page: Observation) -> Iterator[str]:
    """Yield the numbers that the actions enter, each with the name of its field, such as "Adults
    2". Presses of a button that counts up are yielded as "name x times pressed".
    """
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
