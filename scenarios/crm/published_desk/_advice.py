"""The advice on each screen of the published CRM desk, for every kind of task.

The adviser reads the gold and the screen. Each kind of task names the screens that it passes; on
any other screen the advice is to go back to the start of the task.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from agent.interface import Advice, Back, Observation
from scenarios.crm.airline_desk.value_formats import (
    of_card,
    of_date,
    of_expiry,
    of_gender,
    of_time,
    written_in,
)
from scenarios.crm.published_desk._ambiguous_screen import AmbiguousScreen
from scenarios.crm.published_desk._screen import FieldInput, Screen
from scenarios.scenario import Scenario
from sites.crm.base import fields
from sites.crm.base.clock import spoken
from sites.crm.base.timetable import clock12
from sites.crm.base.world import AMBIGUOUS
from sites.crm.published_desk.serializers import day_text

Needs = tuple[tuple[str, ...], ...]

ONE_WAY = ("one way", "one-way", "single journey", "without a return")
_PAYMENT = {"card-number": fields.card_number, "expiry": fields.expiry, "cvc": fields.cvc}
_TITLES = {"Dr": ("Dr", "Doctor"), "Mr": ("Mr", "Mister"), "Mrs": ("Mrs",), "Ms": ("Ms",)}


@dataclass(frozen=True)
class CrmView:
    """A scenario together with the screen that is open."""

    scenario: Scenario
    screen: Screen

    @property
    def gold(self) -> Mapping[str, Any]:
        return self.scenario.gold

    def step(self, name: str) -> Mapping[str, Any]:
        """Return the step of the gold's plan with a name."""
        return next(each for each in self.gold["plan"] if each["name"] == name)

    def fits(self) -> bool:
        """Return whether the screen shows the booking that the task is about."""
        place = self.screen.place
        return place is not None and place.reference == self.gold["reference"]


Way = Callable[[CrmView], Advice]


def advise(
    scenario: Scenario, observation: Observation, ways: Mapping[str, Way], start: Way
) -> Advice:
    """Return the advice for the open screen.

    Args:
        scenario: The scenario.
        observation: The screen as the agent sees it.
        ways: The advice function of each screen that the task passes.
        start: The advice function for any other screen.

    Returns:
        The advice. If a survey covers the page, the advice is to close it.
    """
    ambiguous = scenario.details["knobs"].get("labels") == AMBIGUOUS
    screen = AmbiguousScreen(observation) if ambiguous else Screen(observation)
    view = CrmView(scenario, screen)
    way = ways.get(screen.place.screen, start) if screen.place else start
    advice = way(view)
    closing = screen.click("survey-close")
    return replace(advice, actions=closing, answer=None) if closing else advice


# Returning to the start --------------------------------------------------------------------------


def to_search(view: CrmView) -> Advice:
    """Return the advice to go to the search form for flights."""
    needs = _search_entries(view)[1]
    return Advice("find flight", view.screen.click("nav-flights") or (Back(),), needs=needs)


def to_bookings(view: CrmView) -> Advice:
    """Return the advice to open the search for bookings."""
    needs = ((view.gold["reference"],),)
    return Advice("find booking", view.screen.click("nav-bookings") or (Back(),), needs=needs)


def done(step: str, shown: Callable[[CrmView], bool], otherwise: Way) -> Way:
    """Return an advice function that ends the task if `shown` holds, else follows `otherwise`."""
    return lambda view: Advice(step, answer="") if shown(view) else otherwise(view)


def lost(step: str) -> Advice:
    """Return the advice for a task that can no longer be completed: no actions."""
    return Advice(step)


# Searching and choosing flights ------------------------------------------------------------------


def search(view: CrmView) -> Advice:
    """Return the advice to fill in and send the flight search."""
    entries, needs = _search_entries(view)
    return _filled(view, "find flight", entries, needs, "search-flights")


def search_instead(view: CrmView) -> Advice:
    """Return the advice to search for other flights of the task's booking."""
    return search(view) if view.fits() else to_bookings(view)


def select(control: str) -> Way:
    """Return an advice function: choose the flights of the gold's plan and press the button
    `control`.
    """

    def selecting(view: CrmView) -> Advice:
        if view.gold["reference"] and not view.fits():
            return to_bookings(view)
        if not found(view):
            return _search_again(view)
        return _selected(view, control)

    return selecting


def found(view: CrmView) -> bool:
    """Return whether the screen lists the flights of the wanted trip."""
    flight = view.scenario.details["flight"]
    here, there = (view.gold["spellings"][flight[field]][-1] for field in ("from", "to"))
    days = [day_text(flight[day]) for day in ("departure", "return") if day in flight]
    return view.screen.lists(here, there, days)


def _search_again(view: CrmView) -> Advice:
    """Return the advice to go to the search form for flights."""
    tab = view.screen.click("tab-flights") if view.gold["reference"] else ()
    needs = _search_entries(view)[1]
    return Advice("find flight", tab, needs=needs) if tab else to_search(view)


def _selected(view: CrmView, control: str) -> Advice:
    """Return the advice to choose the flights of the gold's plan and to press the button."""
    groups, departs = view.step("select flights")["fields"], view.gold["departs"]
    actions = view.screen.choose({each: clock12(departs[each]) for each in groups}, control)
    if actions is None:
        return lost("select flights")
    needs = (*_search_entries(view)[1], *_time_needs(view))
    return Advice("select flights", actions, needs=needs)


def _time_needs(view: CrmView) -> Needs:
    """Return the accepted spellings of each departure time, which the instruction must contain."""
    return tuple(of_time(minutes) for minutes in view.gold["departs"].values())


def _search_entries(view: CrmView) -> tuple[dict[str, FieldInput], Needs]:
    """Return the inputs of the search form by field, and the facts that the instruction must
    give.
    """
    flight, instruction = view.scenario.details["flight"], view.scenario.instruction
    entries, needs = {}, []
    for field in ("from", "to"):
        spellings = tuple(view.gold["spellings"][flight[field]])
        entries[field] = FieldInput(written_in(instruction, spellings), _one_of(spellings))
        needs.append(spellings)
    trip = "return" if "return" in flight else "one-way"
    entries["trip-type"] = FieldInput(trip, _one_of((trip,)))
    for field in ("departure", "return"):
        if field in flight:
            entries[field] = _date_entry(flight[field], instruction)
            needs.append(of_date(flight[field]))
    return entries, tuple(needs) if trip == "return" else (*needs, ONE_WAY)


# People and payment ------------------------------------------------------------------------------


def passenger(view: CrmView) -> Advice:
    """Return the advice to fill in and save the passenger's data."""
    if not shows_flights(view):
        return to_search(view)
    entries, needs = _person(view, view.step("fill passenger")["fields"])
    return _filled(view, "fill passenger", entries, needs, "save-passenger")


def payment(view: CrmView) -> Advice:
    """Return the advice to fill in the card and to book."""
    if not (shows_flights(view) and shows_name(view, view.step("fill passenger")["fields"])):
        return to_search(view)
    wanted, instruction = view.step("fill payment")["fields"], view.scenario.instruction
    spellings = {
        "card-number": of_card(wanted["card-number"]),
        "expiry": of_expiry(wanted["expiry"]),
        "cvc": (wanted["cvc"],),
    }
    entries = {
        field: FieldInput(written_in(instruction, each), _reads(_PAYMENT[field], wanted[field]))
        for field, each in spellings.items()
    }
    return _filled(view, "fill payment", entries, tuple(spellings.values()), "book-flight")


def receipt(view: CrmView) -> Advice:
    """Return the advice to stop: after the right booking with success, after a wrong booking
    without.
    """
    if shows_flights(view) and shows_name(view, view.step("fill passenger")["fields"]):
        return Advice("fill payment", answer="")
    return lost("fill payment")


def shows_flights(view: CrmView) -> bool:
    """Return whether the screen shows a trip with the wanted flights."""
    wanted = view.step("select flights")["fields"].values()
    legs = [f"{day_text(day)}, {number}" for number, day in map(str.split, wanted)]
    return all(leg in view.screen.text for leg in legs)


def shows_name(view: CrmView, person: Mapping[str, str]) -> bool:
    """Return whether the screen shows the passenger's title and name."""
    name = f"{person['title']} {person['first-name']} {person['last-name']}"
    return name.casefold() in view.screen.text.casefold()


def shows_person(view: CrmView, person: Mapping[str, str]) -> bool:
    """Return whether the booking's screen shows this passenger."""
    born = spoken(date.fromisoformat(person["dob"]))
    rest = f"Gender {person['gender']} Date of birth {born}"
    return shows_name(view, person) and rest in view.screen.text


def _person(view: CrmView, wanted: Mapping[str, str]) -> tuple[dict[str, FieldInput], Needs]:
    """Return the inputs of passenger fields by field, and the facts that the instruction must
    give.
    """
    instruction = view.scenario.instruction
    spellings = {field: _person_spellings(field, value) for field, value in wanted.items()}
    entries = {}
    for field, value in wanted.items():
        text = value if field == "gender" else written_in(instruction, spellings[field])
        right = _reads(fields.day, value) if field == "dob" else _one_of((value,))
        entries[field] = FieldInput(text, right)
    return entries, tuple(spellings.values())


def _person_spellings(field: str, value: str) -> tuple[str, ...]:
    """Return the accepted spellings of the value of a passenger field."""
    if field == "dob":
        return of_date(value)
    if field == "gender":
        return of_gender(value)
    return _TITLES[value] if field == "title" else (value,)


# Bookings ----------------------------------------------------------------------------------------


def find(view: CrmView) -> Advice:
    """Return the advice to search for the task's booking."""
    entries, needs = _reference_entry(view, "booking-reference")
    return _filled(view, "find booking", entries, needs, "search-booking")


def press(step: str, control: str) -> Way:
    """Return an advice function that presses a button on the booking's screen.

    On the screen of another booking, the advice is to leave it.
    """

    def pressing(view: CrmView) -> Advice:
        if not view.fits():
            return to_bookings(view)
        needs = ((view.gold["reference"],), *_to_be_changed(view))
        return Advice(step, view.screen.press(control), needs=needs)

    return pressing


def _to_be_changed(view: CrmView) -> Needs:
    """Return the spellings of the new values, which the agent must know before it starts to change
    a booking.
    """
    steps = {each["name"]: each for each in view.gold["plan"]}
    if "change passenger" in steps:
        return _person(view, steps["change passenger"]["fields"])[1]
    if "select flights" in steps:
        return (*_search_entries(view)[1], *_time_needs(view))
    return ()


def confirm(view: CrmView) -> Advice:
    """Return the advice to type the reference again and to confirm the cancellation."""
    if not view.fits():
        return to_bookings(view)
    entries, needs = _reference_entry(view, "confirm-reference")
    return _filled(view, "confirm cancelling", entries, needs, "confirm-cancel")


def _reference_entry(view: CrmView, field: str) -> tuple[dict[str, FieldInput], Needs]:
    """Return the input of the field for a reference, by field, and the reference as a fact that the
    instruction must give.
    """
    reference = view.gold["reference"]
    return {field: FieldInput(reference, _reads(fields.reference, reference))}, ((reference,),)


def change_passenger(view: CrmView) -> Advice:
    """Return the advice to make the wanted changes, and to restore other fields that were changed
    by mistake.
    """
    if not view.fits():
        return to_bookings(view)
    wanted = view.step("change passenger")["fields"]
    entries, needs = _person(view, {**wanted, **_to_restore(view, wanted)})
    return _filled(view, "change passenger", entries, needs, "save-changes")


def _to_restore(view: CrmView, wanted: Mapping[str, str]) -> dict[str, str]:
    """Return the start values, by field, of fields that must not change but now hold something
    else.
    """
    start = view.scenario.details["start"]
    entries, _ = _person(view, start)
    held = {field: view.screen.held(field) for field in start if field not in wanted}
    return {
        field: start[field]
        for field, text in held.items()
        if text is not None and not entries[field].right(text)
    }


# Fields ------------------------------------------------------------------------------------------


def _filled(
    view: CrmView, step: str, entries: Mapping[str, FieldInput], needs: Needs, control: str
) -> Advice:
    """Return the advice to correct the wrong fields of the form and then to press its button."""
    actions = view.screen.submit(entries, control)
    return lost(step) if actions is None else Advice(step, actions, needs=needs)


def _date_entry(iso: str, instruction: str) -> FieldInput:
    """Return the input of a date field: the date as the instruction spells it, and a test of other
    spellings.
    """
    return FieldInput(written_in(instruction, of_date(iso)), _reads(fields.day, iso))


def _one_of(spellings: tuple[str, ...]) -> Callable[[str], bool]:
    """Return a function that says whether a text is one of the spellings, ignoring case."""
    known = {each.casefold() for each in spellings}
    return lambda text: text.strip().casefold() in known


def _reads(reader: Callable[[str], str], wanted: str) -> Callable[[str], bool]:
    """Return a function that says whether the site reads a text as the wanted value."""

    def right(text: str) -> bool:
        try:
            return reader(text) == wanted
        except ValueError:
            return False

    return right
