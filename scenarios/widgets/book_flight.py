"""Book the cheapest or the shortest flight between two airports on a day."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from agent.interface import Advice, Click, Element, Text, Type
from scenarios.widgets._calendar import days, pick
from scenarios.widgets._page_view import Ahead, PageView, click, do, fill, with_instruction
from scenarios.widgets._widget import Outcome, Widget

PARTS = 4
"""The parts of the search form: both airports, the day and the button."""

ORDER = r"Book the (\w+) one-way flight from: (.+) to: (.+) on (\S+)\."


@dataclass(frozen=True)
class Flight:
    """A flight as its card shows it, and the button that books it."""

    price: int
    minutes: int
    button: Element

    def cost(self, criterion: str) -> int:
        """Return the value to minimize: the minutes or the price."""
        return self.minutes if criterion == "shortest" else self.price


def advise(view: PageView) -> Advice:
    criterion, *_ = view.groups(ORDER)
    found = flights(view)
    if not found:
        return replace(search(view), ahead=tuple(ahead(view)))
    if not sought(view):
        return do(view.click("button", name="Back"), step="search")
    best = min(found, key=lambda flight: flight.cost(criterion))
    return do(click(best.button), step="book", needs=[criterion])


def advise_original(view: PageView) -> Advice:
    """Advise on the original page, whose results name the route only by airport codes.

    The adviser cannot check the route there, so it takes any results as those of its search.
    """
    criterion, *_ = view.groups(ORDER)
    found = flights(view)
    if not found:
        return replace(search(view), ahead=tuple(ahead(view)))
    best = min(found, key=lambda flight: flight.cost(criterion))
    return do(click(best.button), step="book", needs=[criterion])


def search(view: PageView) -> Advice:
    """Advise filling in airports and day, and searching; any open list or calendar comes first."""
    _, *airports, date = view.groups(ORDER)
    day = view.find("textbox", name="Date")
    if view.find("button", name="Prev"):
        return pick(view, day, date)
    for instruction, name in zip(airports, ("From", "To"), strict=True):
        field = view.find("textbox", name=name)
        if field and not (is_airport(field.value or "", instruction) and settled(view, field)):
            return enter(view, field, instruction)
    if day and day.value == date:
        return do(view.click("button", name="Search"), step="search")
    return pick(view, day, date)


def ahead(view: PageView) -> Ahead:
    """Return the actions of the whole search, or () if a field is already filled in."""
    _, one, two, date = view.groups(ORDER)
    fields = [each.value for each in view.all("textbox", "button")]
    if view.all("option", "link") or len(fields) != PARTS or any(fields):
        return ()
    filled = [*chosen("flight-from", one), *chosen("flight-to", two), *days(date)]
    return (*filled, ("Search", Click('//*[@id="search"]')))


def chosen(field: str, airport: str) -> Ahead:
    """Return the actions that type an airport and take its suggestion, which has the code in
    brackets.
    """
    if re.fullmatch(r"[A-Z]{3}", airport):
        typed, option = f"({airport})", f'//li[contains(text(), "({airport})")]'
    else:
        typed, option = airport, f'//li[starts-with(text(), "{airport} (")]'
    remark = f"{airport}, from the suggestions"
    return [(remark, Type(f'//*[@id="{field}"]', typed)), (remark, Click(option))]


def settled(view: PageView, field: Element) -> bool:
    """Return whether the page shows no suggestions for the field."""
    return "focused" not in field.states or not view.all("option")


def enter(view: PageView, field: Element, instruction: str) -> Advice:
    """Advise typing the airport and taking its suggestion; retype if the suggestion is gone."""
    for option in view.all("option"):
        if is_airport(option.name, instruction):
            return do(click(option), step="enter the places", needs=[instruction])
    typed = fill(field, instruction) or fill(field, instruction[:-1])
    return do(typed, step="enter the places", needs=[instruction])


def is_airport(name: str, instruction: str) -> bool:
    """Return whether "City, ST (CODE)" is the airport of the instruction, by city or by code."""
    return instruction in (name[:-6], name[-4:-1]) and name.endswith(")")


def sought(view: PageView) -> bool:
    """Return whether the page shows flights for the instruction's airports and day."""
    _, one, two, date = view.groups(ORDER)
    routes = [text.removesuffix(f" {date}").split(" to ") for text in view.texts()]
    named = any(
        len(route) == 2 and is_airport(route[0], one) and is_airport(route[1], two)
        for route in routes
    )
    return named and any(text.endswith(date) for text in view.texts())


def flights(view: PageView) -> list[Flight]:
    """Return the flights on the page, in order."""
    found, minutes = [], 0
    for node in view.page.content:
        if isinstance(node, Text):
            took = re.fullmatch(r"(\d+)h (\d+)m", node.text)
            minutes = int(took[1]) * 60 + int(took[2]) if took else minutes
        elif "$" in node.name:
            found.append(Flight(int(node.name.split("$")[1]), minutes, node))
    return found


def worst_flight(view: PageView) -> Advice:
    """Advise the right search, and then booking its worst flight: a wrong end for tests."""
    criterion, *_ = view.groups(ORDER)
    found = flights(view)
    if not found:
        return search(view)
    worst = max(found, key=lambda flight: flight.cost(criterion))
    return do(click(worst.button), step="book")


def another_day(view: PageView) -> Advice:
    day = "/15/" if "/14/" in view.instruction else "/14/"
    return advise(with_instruction(view, r"/\d\d/", day))


OUTCOMES = {"wrong": Outcome(worst_flight), "wrong day": Outcome(another_day)}
STEPS = ("enter the places", "choose the day", "search", "book")
FAMILY = Widget(
    __file__,
    __doc__,
    advise,
    actions=10,
    outcomes=OUTCOMES,
    STEPS=STEPS,
    on_original=advise_original,
)
