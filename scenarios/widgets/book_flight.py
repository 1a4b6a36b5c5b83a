"""Book the cheapest or the shortest flight between two airports on a day."""

from __future__ import annotations

import re
from dataclasses import dataclass

from agent.interface import Advice, Element, Text
from scenarios.widgets._calendar import pick
from scenarios.widgets._page_view import PageView, click, do, fill, misheard
from scenarios.widgets._widget import Outcome, Widget

ORDER = r"Book the (\w+) one-way flight from: (.+) to: (.+) on (\S+)\."


@dataclass(frozen=True)
class Flight:
    """A flight as its card shows it, and the button that books it."""

    price: int
    minutes: int
    button: Element

    def cost(self, criterion: str) -> int:
        """What is to be as small as possible."""
        return self.minutes if criterion == "shortest" else self.price


def advise(scene: PageView) -> Advice:
    criterion, *_ = scene.heard(ORDER)
    found = flights(scene)
    if not found:
        return search(scene)
    if not sought(scene):
        return do(scene.click("button", name="Back"), step="search")
    best = min(found, key=lambda flight: flight.cost(criterion))
    return do(click(best.button), step="book", needs=[criterion])


def search(scene: PageView) -> Advice:
    """Fill in both airports and the day, and search; first finish what is open over the fields."""
    _, *airports, date = scene.heard(ORDER)
    day = scene.find("textbox", name="Date")
    if scene.find("button", name="Prev"):
        return pick(scene, day, date)
    for told, name in zip(airports, ("From", "To"), strict=True):
        field = scene.find("textbox", name=name)
        if field and not (is_airport(field.value or "", told) and settled(scene, field)):
            return enter(scene, field, told)
    if day and day.value == date:
        return do(scene.click("button", name="Search"), step="search")
    return pick(scene, day, date)


def settled(scene: PageView, field: Element) -> bool:
    """Whether no suggestions are shown for the field."""
    return "focused" not in field.states or not scene.all("option")


def enter(scene: PageView, field: Element, told: str) -> Advice:
    """Type what was told and take the suggestion; where it is gone, type a little less."""
    for option in scene.all("option"):
        if is_airport(option.name, told):
            return do(click(option), step="enter the places", needs=[told])
    typed = fill(field, told) or fill(field, told[:-1])
    return do(typed, step="enter the places", needs=[told])


def is_airport(name: str, told: str) -> bool:
    """Whether "City, ST (CODE)" is what was told by its city or its code."""
    return told in (name[:-6], name[-4:-1]) and name.endswith(")")


def sought(scene: PageView) -> bool:
    """Whether the flights shown are of the search that was told."""
    _, one, two, date = scene.heard(ORDER)
    routes = [text.removesuffix(f" {date}").split(" to ") for text in scene.texts()]
    named = any(
        len(route) == 2 and is_airport(route[0], one) and is_airport(route[1], two)
        for route in routes
    )
    return named and any(text.endswith(date) for text in scene.texts())


def flights(scene: PageView) -> list[Flight]:
    """The flights shown, in order."""
    found, minutes = [], 0
    for node in scene.page.content:
        if isinstance(node, Text):
            took = re.fullmatch(r"(\d+)h (\d+)m", node.text)
            minutes = int(took[1]) * 60 + int(took[2]) if took else minutes
        elif "$" in node.name:
            found.append(Flight(int(node.name.split("$")[1]), minutes, node))
    return found


def worst_flight(scene: PageView) -> Advice:
    """The right search, and the worst flight of it."""
    criterion, *_ = scene.heard(ORDER)
    found = flights(scene)
    if not found:
        return search(scene)
    worst = max(found, key=lambda flight: flight.cost(criterion))
    return do(click(worst.button), step="book")


def another_day(scene: PageView) -> Advice:
    return advise(misheard(scene, r"/\d\d/", "/15/" if "/14/" in scene.told else "/14/"))


FAMILY = Widget(
    __file__,
    __doc__,
    advise,
    actions=10,
    outcomes={"wrong": Outcome(worst_flight), "wrong day": Outcome(another_day)},
    STEPS=("enter the places", "choose the day", "search", "book"),
)
