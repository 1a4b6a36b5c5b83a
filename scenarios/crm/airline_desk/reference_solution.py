"""Operations that do the tasks of the published CRM benchmark without a browser, for reference
solutions and near misses.

Each function opens the screens that a person would visit, so that the journal is the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any

from scenarios.scenario import NearMiss, Scenario
from sites.crm import CrmData
from sites.crm.base.address import Place
from sites.crm.base.fields import check_digit
from sites.crm.base.records import Booking, Journey
from sites.crm.published_desk import operations
from sites.crm.published_desk.journal import draft, open_page
from sites.world import World

Values = Mapping[str, str]


def wanted(scenario: Scenario, step: str) -> dict[str, str]:
    """Return the field values to enter in a step of the gold's plan, by field."""
    return dict(next(each for each in scenario.gold["plan"] if each["name"] == step)["fields"])


def trip_values(scenario: Scenario) -> dict[str, str]:
    """Return the values of the search form for the scenario's trip, by field."""
    flight = scenario.details["flight"]
    return {
        "from": flight["from"],
        "to": flight["to"],
        "trip-type": "return" if "return" in flight else "one-way",
        "departure": flight["departure"],
        "return": flight.get("return", ""),
    }


def numbers(scenario: Scenario) -> dict[str, str]:
    """Return the flight numbers that the gold's plan selects, by direction."""
    chosen = wanted(scenario, "select flights")
    return {group: text.split()[0] for group, text in chosen.items()}


def moved(iso: str, days: int) -> str:
    return (date.fromisoformat(iso) + timedelta(days)).isoformat()


def typed(world: World, place: Place, values: Values) -> None:
    """Open a screen without a browser and record typing into its fields."""
    open_page(world, place)
    for field, text in values.items():
        draft(world, place, field, text)


# Operations ---------------------------------------------------------------------------------------


def search(world: World, data: CrmData, values: Values, reference: str = "") -> Journey:
    """Submit a search for a new journey, or for other flights of the booking `reference`, and
    return what the site creates for it.
    """
    typed(world, Place("modify-search", reference) if reference else Place("flights"), values)
    made = operations.search_flights(world, data, values, reference)
    subject = f"{reference}/{made.number}" if reference else str(made.number)
    open_page(world, Place("modify-results" if reference else "results", subject))
    return made


def prepare(world: World, data: CrmData, trip: Values, flights: Values, who: Values) -> int:
    """Take a new journey through all screens up to the payment, and return its number."""
    number = search(world, data, trip).number
    typed(world, Place("results", str(number)), flights)
    operations.confirm_flights(world, data, number, flights)
    typed(world, Place("passenger", str(number)), who)
    operations.save_passenger(world, data, number, who)
    return number


def book(
    world: World, data: CrmData, trip: Values, flights: Values, who: Values, card: Values
) -> Booking:
    """Book a journey, open its receipt, and return the booking."""
    number = prepare(world, data, trip, flights, who)
    typed(world, Place("payment", str(number)), card)
    made = operations.book(world, data, number, card)
    open_page(world, Place("receipt", str(number)))
    return made


def find(world: World, reference: str) -> Booking:
    """Find a booking by its reference and open it."""
    values = {"booking-reference": reference}
    typed(world, Place("find"), values)
    found = operations.find_booking(world, values)
    open_page(world, Place("booking", found.reference))
    return found


def cancel(world: World, reference: str) -> None:
    """Find a booking and cancel it."""
    find(world, reference)
    operations.start_cancel(world, reference)
    values = {"confirm-reference": reference}
    typed(world, Place("cancel", reference), values)
    operations.cancel_booking(world, reference, values)
    open_page(world, Place("booking", reference))


def modify_passenger(world: World, reference: str, changes: Values) -> None:
    """Find a booking and change these fields of its passenger's data."""
    found = find(world, reference)
    operations.start_modify(world, reference)
    typed(world, Place("modify", reference), changes)
    operations.modify_passenger(world, reference, {**found.passenger.values(), **changes})
    open_page(world, Place("booking", reference))


def modify_flights(
    world: World, data: CrmData, reference: str, trip: Values, flights: Values
) -> None:
    """Find a booking and move it to other flights."""
    find(world, reference)
    operations.start_modify(world, reference)
    made = search(world, data, trip, reference)
    typed(world, Place("modify-results", f"{reference}/{made.number}"), flights)
    operations.modify_flights(world, data, reference, made.number, flights)
    open_page(world, Place("booking", reference))


# Other choices -----------------------------------------------------------------------------------


def wrong_flights(data: CrmData, trip: Values, flights: Values) -> dict[str, tuple[Values, Values]]:
    """Return wrong choices of flights, as far as such flights exist.

    Returns:
        The trip and the flights to choose, by a description of the mistake.
    """
    earlier = {**trip, "departure": moved(trip["departure"], -1)}
    others = [number for number in _on_offer(data, trip) if number != flights["outward"]]
    found: dict[str, tuple[Values, Values]] = {}
    if others:
        found["another flight"] = trip, {**flights, "outward": others[0]}
    if flights["outward"] in _on_offer(data, earlier):
        found["right flight on the wrong day"] = earlier, flights
    return found


def _on_offer(data: CrmData, trip: Values) -> list[str]:
    """Return the numbers of the outward flights of a trip that have more than one seat left."""
    flights = data.flights(trip["from"], trip["to"], trip["departure"])
    return [each.number for each in flights if each.seats > 1]


def other_card(number: str) -> str:
    """Return a card number that has two wrong digits but passes the Luhn test."""
    digits = f"{number[:-2]}{(int(number[-2]) + 1) % 10}"
    return digits + check_digit(digits)


def another(scenario: Scenario) -> str:
    """Return the reference of a confirmed booking that the task is not about.

    A booking of a passenger with the same name is preferred.
    """
    rows = scenario.details["bookings"]
    own = scenario.gold["reference"]
    target = next((row for row in rows if row["reference"] == own), rows[0])
    others = [row for row in rows if row["reference"] != own and row["status"] == "confirmed"]
    names = ("first_name", "last_name")
    others.sort(key=lambda row: [row[name] for name in names] != [target[name] for name in names])
    return str(others[0]["reference"])


def miss(fails: str, *calls: tuple[Any, ...]) -> NearMiss:
    """Return a near miss that makes these function calls on the visit's database.

    Args:
        fails: The name of the check that must fail.
        calls: Functions with their arguments; each is called with the database (world) first.
    """

    def apply(world: World) -> None:
        for function, *arguments in calls:
            function(world, *arguments)

    return NearMiss(apply, fails)
