"""Changes of a booking: a passenger's data, the party, the flights of a direction, or its
cancellation.

`values` are the normal texts of a form by the fields' keys. A wrong value raises `Invalid`,
and a booking that cannot be changed raises `Refusal`; then nothing is changed. `version` is the
version of the page that was sent: an older version is refused, and None skips the check.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sites.crm.airline_desk.model import prices
from sites.crm.airline_desk.model.journal import Values
from sites.crm.airline_desk.model.place import Place
from sites.crm.airline_desk.model.records import (
    CANCELLED,
    Booking,
    Choice,
    Passenger,
    Person,
    Search,
    Segment,
    segment_row,
)
from sites.crm.airline_desk.model.world import add, has_tickets
from sites.crm.airline_desk.operations import booked, checks, looking, money
from sites.crm.airline_desk.operations.paying import payments
from sites.crm.airline_desk.operations.selling import BOUGHT
from sites.crm.base import fields, forms
from sites.crm.base.clock import TODAY
from sites.crm.base.forms import Invalid
from sites.crm.base.network import BRANDS, Fare, Offer
from sites.crm.base.timetable import Flight
from sites.crm.base.world import CrmData
from sites.site_app import Refusal
from sites.world import World

LEAVES = "leaves"
"""The form's value that says that an infant leaves the booking together with its adult."""
NOTES = ("called", "illness", "wheelchair", "permission", "documents", "claim", "meal")
"""The codes of notes that can be written on a booking."""
COLLEAGUE = "Desk 4"
"""The name under which notes of this visit are written."""


# Passengers --------------------------------------------------------------------------------------


def save_person(
    world: World,
    data: CrmData,
    reference: str,
    number: int,
    values: Values,
    version: int | None = None,
) -> None:
    """Correct a passenger's data. The name cannot change while the passenger is checked in.

    Args:
        world: The visit's database (its world).
        data: The site's read-only data.
        reference: The reference of the booking.
        number: The number of the passenger.
        values: `title`, `first-name`, `last-name`, `gender` and `born`.
        version: The version of the page that was sent; an older version is refused, None skips the
            check.

    Raises:
        Invalid: A value is wrong. Nothing was changed.
        Refusal: The booking cannot be changed. Nothing was changed.
    """
    place = Place("person", (reference, str(number)))
    with booked.change(world, "save-person", place, values, version) as (found, entry):
        before = booked.passenger(found, number)
        after = checks.person(values)
        problems = _wrong_person(world, data, found, before, after)
        if problems:
            raise Invalid(problems)
        world.write(
            "UPDATE passengers SET title = ?, first_name = ?, last_name = ?, gender = ?, born = ?"
            " WHERE reference = ? AND number = ?",
            (
                *(after.title, after.first_name, after.last_name, after.gender, after.born),
                *(found.reference, number),
            ),
        )
        entry.recorded = {"passenger": number, "name": after.name}
        entry.slots = {**entry.slots, "name": after.name}


def is_checked_in(world: World, found: Booking, number: int) -> bool:
    """Return whether a passenger is checked in on any flight of the booking."""
    key = (found.reference, number)
    return bool(world.read("SELECT 1 FROM checkins WHERE reference = ? AND passenger = ?", key))


def remove_passenger(
    world: World, reference: str, number: int, values: Values, version: int | None = None
) -> None:
    """Remove a passenger from the booking, with seats and bags.

    Args:
        world: The visit's database (its world).
        reference: The reference of the booking.
        number: The number of the passenger.
        values: `lap.<number>` for each infant on the passenger's lap: the number of another adult,
            or `LEAVES`. `refund-amount.<payment>`: dollars to give back.
        version: The version of the page that was sent; an older version is refused, None skips the
            check.

    Raises:
        Invalid: A value is wrong. Nothing was changed.
        Refusal: The booking cannot be changed. Nothing was changed.
    """
    place = Place("remove", (reference, str(number)))
    with booked.change(world, "confirm-remove", place, values, version) as (found, entry):
        leaving = booked.passenger(found, number)
        problem = cannot_leave(found, number)
        if problem:
            raise Refusal(409, problem)
        laps, problems = _new_laps(found, leaving, values), {}
        try:
            refunds = money.read_refunds(world, found, values)
        except Invalid as wrong:
            problems, refunds = wrong.errors, {}
        wrong_laps = {key: lap for key, lap in laps.items() if not lap}
        if problems or wrong_laps:
            sentence = "Choose another adult without an infant, or let the infant leave too."
            raise Invalid(
                problems | dict.fromkeys((f"lap.{each}" for each in wrong_laps), sentence)
            )
        _take_out(world, found, number)
        for infant, lap in laps.items():
            _seat_infant(world, found, infant, lap)
        money.pay_back(world, found, refunds)
        entry.recorded = {"passenger": leaving.person.name}
        entry.slots = {**entry.slots, "name": leaving.person.name}


def cannot_leave(found: Booking, number: int) -> str:
    """Return the reason why a passenger cannot be removed, as a sentence; "" if that is
    possible.
    """
    infants = {each.number for each in infants_of(found, number)}
    staying = [each for each in found.passengers if each.number not in {number, *infants}]
    if not staying:
        return "Nobody would travel any more. Cancel the booking instead."
    if not any(each.kind == "adult" for each in staying):
        return "Children cannot travel without an adult. Take the children out first."
    return ""


def infants_of(found: Booking, number: int) -> tuple[Passenger, ...]:
    """Return the infants on the lap of a passenger."""
    return tuple(each for each in found.passengers if each.adult == number)


def free_laps(found: Booking, leaving: int) -> tuple[Passenger, ...]:
    """Return the adults other than the leaving passenger who have no infant on their lap."""
    taken = {leaving} | {each.adult for each in found.passengers}
    return tuple(
        each for each in found.passengers if each.kind == "adult" and each.number not in taken
    )


def _wrong_person(
    world: World, data: CrmData, found: Booking, before: Passenger, after: Person
) -> dict[str, str]:
    """Return the error messages for a passenger's new data, by field."""
    if after.name != before.person.name and is_checked_in(world, found, before.number):
        sentence = "This passenger is checked in. Undo the check-in before you change the name."
        changed = after.first_name != before.person.first_name
        return {"first-name" if changed else "last-name": sentence}
    age = checks.wrong_age(before.kind, after.born, _search(data, found))
    if age and after.born != before.person.born:
        return {"born": age}
    who = after.name.casefold(), after.born
    others = [each.person for each in found.passengers if each.number != before.number]
    if who in {(each.name.casefold(), each.born) for each in others}:
        return {"first-name": "This traveller is in the booking already."}
    return {}


def _search(data: CrmData, found: Booking) -> Search:
    """Return a search with the first and the last day of the booking's journey, for
    checks of ages.
    """
    flights = [booked.flight(data, each) for each in found.segments]
    first, last = flights[0], flights[-1]
    return Search(first.origin, last.destination, first.date, last.date)


def _new_laps(found: Booking, leaving: Passenger, values: Values) -> dict[int, str]:
    """Return the chosen new adult for each infant of a leaving passenger, as text; "" for an
    impossible choice.
    """
    known = {str(each.number) for each in free_laps(found, leaving.number)} | {LEAVES}
    typed = {
        each.number: values.get(f"lap.{each.number}", "").strip()
        for each in infants_of(found, leaving.number)
    }
    return {infant: lap if lap in known else "" for infant, lap in typed.items()}


def _seat_infant(world: World, found: Booking, infant: int, lap: str) -> None:
    """Move an infant to another adult's lap, or remove it from the booking."""
    if lap == LEAVES:
        _take_out(world, found, infant)
        return
    world.write(
        "UPDATE passengers SET adult = ? WHERE reference = ? AND number = ?",
        (int(lap), found.reference, infant),
    )


def _take_out(world: World, found: Booking, number: int) -> None:
    """Remove a passenger with seats, bags, check-ins and escorts."""
    key = (found.reference, number)
    for table in ("seats", "bags", "checkins", *_on_tickets(world)):
        world.write(f"DELETE FROM {table} WHERE reference = ? AND passenger = ?", key)  # noqa: S608
    world.write("DELETE FROM passengers WHERE reference = ? AND number = ?", key)


# Other flights for a direction -------------------------------------------------------------------


@dataclass(frozen=True)
class Reroute:
    """Other flights for a direction of a booking.

    Attributes:
        direction: "outward" or "return".
        offer: The new flights.
        fare: The new fare.
        difference: By how many dollars it is more expensive for all passengers; negative if
            cheaper.
    """

    direction: str
    offer: Offer
    fare: Fare
    difference: int


def search_reroute(
    world: World,
    reference: str,
    direction: str,
    values: Values,
    version: int | None = None,
) -> str:
    """Search for flights of a direction on another day and return that day as an ISO date.

    Args:
        world: The visit's database (its world).
        reference: The reference of the booking.
        direction: "outward" or "return".
        values: `departure`.
        version: The version of the page that was sent; an older version is refused, None skips the
            check.

    Raises:
        Invalid: A value is wrong. Nothing was changed.
        Refusal: The booking cannot be changed. Nothing was changed.
    """
    place = Place("reroute", (reference, direction))
    with booked.change(world, "search-flights", place, values, version) as (found, entry):
        booked.direction(found, direction)
        day = forms.read(values, {"departure": checks.day_of_travel})["departure"]
        entry.recorded, entry.done = {"direction": direction, "date": day}, ""
    return day


def choose_reroute(
    world: World,
    data: CrmData,
    reference: str,
    direction: str,
    date: str,
    values: Values,
    version: int | None = None,
) -> Choice:
    """Check the choice of new flights and a fare brand for a direction of a booking. Nothing is
    changed yet.

    Args:
        world: The visit's database (its world).
        data: The site's read-only data.
        reference: The reference of the booking.
        direction: "outward" or "return".
        date: The ISO date of the new flights.
        values: `offer`, such as `LW2041/classic`.
        version: The version of the page that was sent; an older version is refused, None skips the
            check.

    Raises:
        Invalid: A value is wrong. Nothing was changed.
        Refusal: The booking cannot be changed. Nothing was changed.
    """
    place = Place("reroute-results", (reference, direction, date))
    with booked.change(world, "confirm-flights", place, values, version) as (found, entry):
        choice = Choice.of(values.get("offer", "").strip())
        try:
            new_flights(world, data, found, direction, date, choice)
        except Refusal as problem:
            raise Invalid({"offer": problem.sentence}) from None
        entry.recorded, entry.done = {direction: choice.value}, ""
    return choice


def reroute(
    world: World,
    data: CrmData,
    reference: str,
    direction: str,
    date: str,
    choice: Choice,
    values: Values,
    version: int | None = None,
) -> None:
    """Change the flights of a direction for all passengers.

    Seats and check-ins on flights that the booking leaves are deleted. A positive fare difference
    is charged together with the fee.

    Args:
        world: The visit's database (its world).
        data: The site's read-only data.
        reference: The reference of the booking.
        direction: "outward" or "return".
        date: The ISO date of the new flights.
        choice: The new offer and brand.
        values: `fee-amount` is the change fee for all passengers. At a desk with tickets,
            `difference-amount` is the fare difference to charge. The other fields pay both, as in a
            sale.
        version: The version of the page that was sent; an older version is refused, None skips the
            check.

    Raises:
        Invalid: A value is wrong. Nothing was changed.
        Refusal: The booking cannot be changed. Nothing was changed.
    """
    place = Place("settle", (reference, direction, date, choice.offer, choice.brand))
    with booked.change(world, "save-flights", place, values, version) as (found, entry):
        made = new_flights(world, data, found, direction, date, choice)
        amount = money.fee(values)
        sources = payments(world, values, _charged(world, made, values) + amount)
        _write_flights(world, found, direction, made)
        if amount:
            money.add_fee(world, found, "change", amount)
        for each in sources:
            each.take(world, found.reference, BOUGHT)
        entry.recorded = {direction: choice.value, "difference": made.difference, "fee": amount}
        entry.slots = {**entry.slots, "flight": choice.offer.replace(".", " + ")}


def reroute_offers(
    world: World, data: CrmData, found: Booking, direction: str, date: str
) -> tuple[Offer, ...]:
    """Return the offers of a day for a direction of a booking.

    The booking's own seats count as free.
    """
    origin, destination = ends(data, found, direction)
    return looking.offers(world, data, origin, destination, date, found.reference)


def ends(data: CrmData, found: Booking, direction: str) -> tuple[str, str]:
    """Return the first and the last airport of a direction."""
    own = booked.direction(found, direction)
    return booked.flight(data, own[0]).origin, booked.flight(data, own[-1]).destination


def new_flights(
    world: World, data: CrmData, found: Booking, direction: str, date: str, choice: Choice
) -> Reroute:
    """Return the chosen new flights. Raises `Refusal` (409) if they are not available."""
    on_sale = {each.id: each for each in reroute_offers(world, data, found, direction, date)}
    offer = on_sale.get(choice.offer)
    if offer is None or choice.brand not in BRANDS:
        raise Refusal(409, "Choose a flight and its fare.")
    cancelled = [each.number for each in offer.flights if booked.is_cancelled(world, each)]
    if cancelled:
        raise Refusal(409, f"{cancelled[0]} is cancelled on this day. Choose another flight.")
    fare = offer.fare(choice.brand)
    if fare.seats < sum(each.seated for each in found.passengers):
        raise Refusal(409, "This fare has not enough seats for the party. Choose another one.")
    own = booked.direction(found, direction)
    if [(each.flight, each.date, each.brand) for each in own] == [
        (each.number, each.date, choice.brand) for each in offer.flights
    ]:
        raise Refusal(409, "The booking has these flights already. Choose other ones.")
    if not booked.in_turn(data, _journey(data, found, {direction: offer.flights})):
        raise Refusal(409, "The way back would begin before the way out ends. Choose another one.")
    return Reroute(direction, offer, fare, _difference(data, found, own, fare))


def _journey(
    data: CrmData, found: Booking, changed: Mapping[str, tuple[Flight, ...]]
) -> list[Flight]:
    """Return all flights of a booking in order, with the new flights of some directions in place of
    the old.
    """
    directions = dict.fromkeys(each.direction for each in found.segments)
    return [
        flight
        for name in directions
        for flight in changed.get(name)
        or [booked.flight(data, each) for each in found.direction(name)]
    ]


def fare_paid(data: CrmData, own: tuple[Segment, ...]) -> int:
    """Return the fare in dollars that an adult pays for these flights of a booking."""
    return sum(
        fare.price
        for each in own
        for fare in data.network.fares(booked.flight(data, each))
        if fare.brand == each.brand
    )


def _difference(data: CrmData, found: Booking, own: tuple[Segment, ...], fare: Fare) -> int:
    """Return the fare difference for all passengers in dollars; negative if the new fare
    is lower.
    """
    kinds = [each.kind for each in found.passengers]
    return prices.fares(fare.price, kinds) - prices.fares(fare_paid(data, own), kinds)


def types_difference(world: World) -> bool:
    """Return whether the form for new flights has a field for the fare difference to charge (at
    level 3).
    """
    return has_tickets(world)


def _charged(world: World, made: Reroute, values: Values) -> int:
    """Return the part of the fare difference that is charged, in dollars."""
    if not types_difference(world):
        return max(0, made.difference)
    return forms.read(values, {"difference-amount": checks.amount})["difference-amount"]


def _write_flights(world: World, found: Booking, direction: str, made: Reroute) -> None:
    """Replace the flights of a direction by the new ones in the database."""
    kept = {(each.number, each.date) for each in made.offer.flights}
    for each in found.direction(direction):
        if (each.flight, each.date) not in kept:
            leave_flight(world, found, each)
    key = (found.reference, direction)
    world.write("DELETE FROM segments WHERE reference = ? AND direction = ?", key)
    for place, flight in enumerate(made.offer.flights, start=1):
        one = Segment(direction, place, flight.number, flight.date, made.fare.brand)
        add(world, "segments", segment_row(found.reference, one))


def _on_tickets(world: World) -> tuple[str, ...]:
    """Return the names of further tables about passengers on flights, which only level 3 has."""
    return ("escorts",) if has_tickets(world) else ()


def leave_flight(world: World, found: Booking, one: Segment) -> None:
    """Delete a booking's seats, check-ins and escorts on a flight that it leaves."""
    key = (found.reference, one.flight, one.date)
    for table in ("seats", "checkins", *_on_tickets(world)):
        world.write(
            f"DELETE FROM {table} WHERE reference = ? AND flight = ? AND date = ?",  # noqa: S608
            key,
        )


# The whole booking -------------------------------------------------------------------------------


def cancel(world: World, reference: str, values: Values, version: int | None = None) -> None:
    """Cancel the whole booking.

    Args:
        world: The visit's database (its world).
        reference: The reference of the booking.
        values: `refund-amount.<payment>`: dollars to give back.
        version: The version of the page that was sent; an older version is refused, None skips the
            check.

    Raises:
        Invalid: A value is wrong. Nothing was changed.
        Refusal: The booking cannot be changed. Nothing was changed.
    """
    place = Place("cancel", (reference,))
    with booked.change(world, "confirm-cancel", place, values, version) as (found, entry):
        refunds = money.read_refunds(world, found, values)
        world.write(
            "UPDATE bookings SET status = ? WHERE reference = ?", (CANCELLED, found.reference)
        )
        money.pay_back(world, found, refunds)
        entry.recorded = {"status": CANCELLED}


def add_note(world: World, reference: str, values: Values, version: int | None = None) -> None:
    """Write a note on the booking.

    Args:
        world: The visit's database (its world).
        reference: The reference of the booking.
        values: `note-code`, one of `NOTES`.
        version: The version of the page that was sent; an older version is refused, None skips the
            check.

    Raises:
        Invalid: A value is wrong. Nothing was changed.
        Refusal: The booking cannot be changed. Nothing was changed.
    """
    place = Place("note", (reference,))
    with booked.change(world, "add-note", place, values, version) as (found, entry):
        read = forms.read(values, {"note-code": lambda text: fields.choice(text, NOTES)})
        row = {"code": read["note-code"], "day": TODAY.isoformat(), "colleague": COLLEAGUE}
        add(world, "notes", {"reference": found.reference, **row})
        entry.recorded = {"note": read["note-code"]}
