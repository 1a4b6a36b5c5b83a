"""Enter an event into a free time of a calendar by dragging, name it and create it."""

from __future__ import annotations

import re

from agent.interface import Action, Advice, Click, Drag, Element
from scenarios.widgets._page_view import PageView, do, fill, with_instruction
from scenarios.widgets._widget import Outcome, Widget

LENGTHS = {"30 mins": 1, "60 mins": 2, "90 mins": 3}
LENGTHS |= {"0.5 hours": 1, "1 hour": 2, "1.5 hours": 3}
"""In half hours."""
MIDNIGHT = 48
STEPS = EVENT, NAMED = ("take the time", "name the event")


def advise(view: PageView) -> Advice:
    length, name, first, last = view.groups(
        r'Create a (.+) event named "(.+)", between (\w+) and (\w+)\.'
    )
    field = view.find("textbox", name="Event name")
    if field is not None:
        if not fits(view, half(first), half(last), LENGTHS[length]):
            return do(view.click("button", name="Cancel"), step=EVENT)
        create = view.click("button", name="Create")
        return do(fill(field, name), create, step=NAMED, needs=[name])
    taken = take(free(view), half(first), half(last), LENGTHS[length])
    return do(taken, step=EVENT, needs=[length, first, last])


def half(time: str) -> int:
    """Return the index of the half hour that begins at a time such as "12am" or "8:30PM"."""
    found = re.fullmatch(r"(\d+)(:30)?([ap])m", time.lower())
    assert found
    return (int(found[1]) % 12 + 12 * (found[3] == "p")) * 2 + bool(found[2])


def free(view: PageView) -> dict[int, Element]:
    """Return the free half hours of the calendar, by index."""
    cells = (each for each in view.all("gridcell") if "disabled" not in each.states)
    return {half(each.name.split(" to ")[0]): each for each in cells}


def take(cells: dict[int, Element], first: int, last: int, length: int) -> Action | None:
    """Return the action that selects the first free time of this length, or None.

    Args:
        first: The half hour from which the event may begin.
        last: The half hour by which the event must end.
        length: The length in half hours.
    """
    for begin in range(first, last - length + 1):
        if all(at in cells for at in range(begin, begin + length)):
            start, end = cells[begin].id, cells[begin + length - 1].id
            return Click(start) if length == 1 else Drag(start, end)
    return None


def fits(view: PageView, first: int, last: int, length: int) -> bool:
    """Return whether the new event fits the request; true if the page shows no new event."""
    names = (re.fullmatch(r"New event, (\S+) to (\S+)", e.name) for e in view.all("gridcell"))
    made = [(half(found[1]), half(found[2]) or MIDNIGHT) for found in names if found]
    return all(first <= begin and begin + length == end <= last for begin, end in made)


def wrong(view: PageView) -> Advice:
    """Advise entering the event at night: a wrong end for tests."""
    return advise(with_instruction(view, r"between \w+ and \w+", "between 12AM and 4AM"))


def misnamed(view: PageView) -> Advice:
    return advise(with_instruction(view, r'named "\w', 'named "X'))


OUTCOMES = {"wrong": Outcome(wrong), "wrong name": Outcome(misnamed)}
FAMILY = Widget(__file__, __doc__, advise, actions=3, outcomes=OUTCOMES, STEPS=STEPS)
