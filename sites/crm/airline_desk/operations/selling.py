"""The sale of a journey: search, choose offers, enter the party, choose seats and bags, and pay.

`values` are the normal texts of a form by the fields' keys. A missing or wrong value raises
`Invalid`, and a sale or flight that is no longer available raises `Refusal`; then nothing is
changed. `version` is the version of the page that was sent: an older version is refused, and None
skips the check.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from sites.crm.airline_desk.model import outdated, prices
from sites.crm.airline_desk.model.journal import Values, commit
from sites.crm.airline_desk.model.journal import version as version_of
from sites.crm.airline_desk.model.place import Place
from sites.crm.airline_desk.model.records import (
    CONFIRMED,
    Choice,
    Passenger,
    Segment,
    Trip,
    passenger_row,
    segment_row,
    trip_columns,
)
from sites.crm.airline_desk.model.world import add
from sites.crm.airline_desk.operations import checks, looking
from sites.crm.airline_desk.operations.paying import Payment, payments
from sites.crm.base import fields, forms
from sites.crm.base.clock import TODAY
from sites.crm.base.forms import Invalid
from sites.crm.base.network import BRANDS, utc
from sites.crm.base.timetable import Flight
from sites.crm.base.world import CrmData
from sites.crm.published_desk.operations.selling import reference_of
from sites.site_app import Refusal
from sites.world import World

BOUGHT = f"{TODAY.isoformat()} 12:00"
"""The fixed time that the desk's clock shows, as an ISO date and time; purchases get it."""


def search(world: World, data: CrmData, values: Values) -> Trip:
    """Search for flights, which begins a sale.

    Args:
        world: The visit's database (its world).
        data: The site's read-only data.
        values: `from`, `to`, `departure`, `return`, `trip-type`, `adults`, `children` and
            `infants`.

    Raises:
        Invalid: A value is wrong. Nothing was changed.
    """
    with commit(world, "search-flights", Place("search"), values) as entry:
        [row] = world.read("SELECT count(*) + 1 AS number FROM log_trips")
        made = Trip(row["number"], checks.search(data.airports, values))
        columns = trip_columns(made)
        add(world, "log_trips", {"number": made.number, **columns})
        entry.recorded = {"trip": made.number}
        entry.done, entry.slots = "done-search", {"trip": str(made.number)}
    return made


def choose(
    world: World,
    data: CrmData,
    number: int,
    direction: str,
    values: Values,
    version: int | None = None,
) -> Trip:
    """Choose an offer and a fare brand for a direction of a sale.

    A new choice deletes seats and bags; a new outward choice also deletes the return choice.

    Args:
        world: The visit's database (its world).
        data: The site's read-only data.
        number: The number of the sale.
        direction: "outward" or "return".
        values: `offer`, such as `LW2041/classic`.
        version: The version of the page that was sent; an older version is refused, None skips the
            check.

    Raises:
        Invalid: A value is wrong. Nothing was changed.
        Refusal: The sale or a flight is not available. Nothing was changed.
    """
    place = Place("results", (str(number), direction))
    with commit(world, "confirm-flights", place, values) as entry:
        found = _open(world, number, version)
        choice = _choice(world, data, found, direction, values)
        choices = {**found.choices, direction: choice}
        if choice != found.choices.get(direction):  # a new outward flight needs a new return
            kept = {direction: choice} if direction == "outward" else choices
            found = replace(found, choices=kept, seats={}, bags={})
        _check_in_turn(world, data, found, direction)
        entry.recorded = {direction: choice.value}
        return _save(world, found)


def save_party(world: World, number: int, values: Values, version: int | None = None) -> Trip:
    """Enter the travellers of a sale.

    Args:
        world: The visit's database (its world).
        number: The number of the sale.
        values: `<field>.<number>`, and for infants also `lap.<number>`.
        version: The version of the page that was sent; an older version is refused, None skips the
            check.

    Raises:
        Invalid: A value is wrong. Nothing was changed.
        Refusal: The sale or a flight is not available. Nothing was changed.
    """
    with commit(world, "save-party", Place("party", (str(number),)), values) as entry:
        found = with_offers(_open(world, number, version))
        party = checks.party(found.search, values)
        entry.recorded = {"party": [each.person.name for each in party]}
        return _save(world, replace(found, party=party))


def save_seats(
    world: World,
    data: CrmData,
    number: int,
    flight: int,
    values: Values,
    version: int | None = None,
) -> Trip:
    """Choose seats on the n-th flight of a sale.

    Args:
        world: The visit's database (its world).
        data: The site's read-only data.
        number: The number of the sale.
        flight: The position of the flight in the sale, from 1.
        values: `seat.<number of the traveller>`, such as `14C`, or empty for no seat.
        version: The version of the page that was sent; an older version is refused, None skips the
            check.

    Raises:
        Invalid: A value is wrong. Nothing was changed.
        Refusal: The sale or a flight is not available. Nothing was changed.
    """
    place = Place("seating", (str(number), str(flight)))
    with commit(world, "save-seats", place, values) as entry:
        found = with_party(_open(world, number, version))
        where = flights(world, data, found)[flight - 1]
        seats = read_seats(world, where, found.party, values)
        others = {key: seat for key, seat in found.seats.items() if key[1:] != _key(where)}
        own = {(each, *_key(where)): seat for each, seat in seats.items()}
        entry.recorded = {"seats": {str(each): seat for each, seat in seats.items()}}
        return _save(world, replace(found, seats={**others, **own}))


def save_bags(world: World, number: int, values: Values, version: int | None = None) -> Trip:
    """Set how many bags each traveller of a sale takes.

    Args:
        world: The visit's database (its world).
        number: The number of the sale.
        values: `bags-outward.<number of the traveller>` and `bags-return.<number>`.
        version: The version of the page that was sent; an older version is refused, None skips the
            check.

    Raises:
        Invalid: A value is wrong. Nothing was changed.
        Refusal: The sale or a flight is not available. Nothing was changed.
    """
    with commit(world, "save-bags", Place("baggage", (str(number),)), values) as entry:
        found = with_party(_open(world, number, version))
        keys = {
            f"bags-{direction}.{each.number}": (each.number, direction)
            for direction in found.choices
            for each in found.party
            if each.seated
        }
        read = forms.read(values, dict.fromkeys(keys, checks.count(prices.MOST_BAGS)))
        bags = {keys[key]: pieces for key, pieces in read.items() if pieces}
        entry.recorded = {"bags": [[*key, pieces] for key, pieces in bags.items()]}
        return _save(world, replace(found, bags=bags))


def book(
    world: World, data: CrmData, number: int, values: Values, version: int | None = None
) -> str:
    """Pay a sale, make the booking, and return its reference. A sale can be booked only once.

    Args:
        world: The visit's database (its world).
        data: The site's read-only data.
        number: The number of the sale.
        values: The fields of `paying.payments`.
        version: The version of the page that was sent; an older version is refused, None skips the
            check.

    Raises:
        Invalid: A value is wrong. Nothing was changed.
        Refusal: The sale or a flight is not available. Nothing was changed.
    """
    with commit(world, "book", Place("payment", (str(number),)), values) as entry:
        found = with_party(_open(world, number, version))
        check_seats_left(world, data, found)
        paid = payments(world, values, total(world, data, found))
        reference = _write(world, data, found, paid)
        entry.recorded = {"reference": reference}
        entry.done, entry.slots = "done-book", {"reference": reference}
        _save(world, replace(found, reference=reference))
    return reference


# Prices ------------------------------------------------------------------------------------------


def total(world: World, data: CrmData, found: Trip) -> int:
    """Return the price of a sale in its current state, in dollars."""
    return sum(amount for _, amount in costs(world, data, found))


def costs(world: World, data: CrmData, found: Trip) -> list[tuple[str, int]]:
    """Return the parts of a sale's price, as pairs of a name (each direction, seats, bags) and
    dollars.
    """
    chosen = looking.chosen(world, data, found)
    fares = [
        (direction, prices.fares(fare.price, found.search.kinds))
        for direction, (_, fare) in chosen.items()
    ]
    cabins = {_key(each): looking.seat_map(world, each) for each in flights(world, data, found)}
    seats = sum(cabins[key[1:]].places[seat].price for key, seat in found.seats.items())
    bags = sum(
        prices.bags(found.choices[direction].brand, pieces)
        for (_, direction), pieces in found.bags.items()
        if direction in found.choices
    )
    return [*fares, *(("seats", seats),) * bool(seats), *(("bags", bags),) * bool(bags)]


# Parts of a sale ---------------------------------------------------------------------------------


def flights(world: World, data: CrmData, found: Trip) -> list[Flight]:
    """Return the flights of a sale's chosen offers, in the order of travel."""
    chosen = looking.chosen(world, data, found)
    return [flight for offer, _ in chosen.values() for flight in offer.flights]


def with_offers(found: Trip) -> Trip:
    """Return the sale. Raises `Refusal` (409) if a direction has no chosen offer."""
    if len(found.choices) < len(found.search.ways()):
        raise Refusal(409, "Choose the flights first.")
    return found


def with_party(found: Trip) -> Trip:
    """Return the sale. Raises `Refusal` (409) if offers or travellers are missing."""
    with_offers(found)
    if not found.party:
        raise Refusal(409, "Enter the travellers first.")
    return found


def read_seats(
    world: World,
    flight: Flight,
    party: tuple[Passenger, ...],
    values: Values,
    without: str = "",
) -> dict[int, str]:
    """Return the seats that a form states in `seat.<number>`, by passenger number; an empty field
    is no seat.

    Args:
        world: The visit's database (its world).
        flight: The flight.
        party: The passengers.
        values: The texts of the form.
        without: The reference of a booking whose own seats count as free, or "".

    Raises:
        Invalid: A seat does not exist, is taken, or is given twice.
    """
    cabin = looking.seat_map(world, flight, without)
    seated = [each for each in party if each.seated]

    def seat(text: str) -> str:
        typed = "".join(text.split()).upper().lstrip("0")
        place = cabin.places.get(typed)
        if typed and place is None:
            raise ValueError(f"There is no seat {fields.short(typed)} on this flight.")
        if place is not None and not place.free:
            raise ValueError(f"Seat {typed} is taken. Choose a free one.")
        return typed

    found = forms.read(values, {f"seat.{each.number}": seat for each in seated})
    taken: dict[str, str] = {}
    for key, code in found.items():
        if code and code in taken.values():
            raise Invalid({key: f"Seat {code} is given to two travellers. Choose another one."})
        taken[key] = code
    return {int(key.partition(".")[2]): code for key, code in found.items() if code}


def check_seats_left(world: World, data: CrmData, found: Trip) -> None:
    """Raise `Refusal` (409) if a chosen fare has not enough seats any more."""
    for offer, fare in looking.chosen(world, data, found).values():
        if fare.seats < found.search.seats:
            raise Refusal(409, f"{offer.id} has not enough seats any more. Choose another flight.")


def _open(world: World, number: int, version: int | None) -> Trip:
    """Return a sale that is not booked yet. Raises `Refusal`: 404 if it is unknown, 409 if it is
    booked or newer than the page.
    """
    found = looking.trip(world, number)
    if found.reference:
        raise Refusal(409, f"This was booked already, as {found.reference}. Nothing was done.")
    if version not in {None, version_of(world, str(number))}:
        raise Refusal(409, "This was changed since the page was made. Check it and send it again.")
    return found


def _save(world: World, changed: Trip) -> Trip:
    """Write the current state of a sale to the database, and return the sale."""
    columns = trip_columns(changed)
    world.write(
        f"UPDATE log_trips SET {', '.join(f'{each} = ?' for each in columns)} WHERE number = ?",  # noqa: S608
        (*columns.values(), changed.number),
    )
    return changed


def _choice(world: World, data: CrmData, found: Trip, direction: str, values: Values) -> Choice:
    """Return the offer and fare brand in the form's field `offer`. Raises `Invalid`, or `Refusal`
    (404) if the sale has no such direction.
    """
    ways = {name: (here, there, day) for name, here, there, day in found.search.ways()}
    if direction not in ways:
        raise Refusal(404, "This search has no way back.")
    way = ways[direction]
    on_sale = {each.id: each for each in looking.offers(world, data, *way)}

    def reader(text: str) -> Choice:
        choice = Choice.of(text.strip())
        if outdated.is_gone(world, data.network, way, choice.offer):
            raise ValueError(outdated.GONE)
        if choice.offer not in on_sale or choice.brand not in BRANDS:
            raise ValueError("Choose a flight and its fare.")
        if on_sale[choice.offer].fare(choice.brand).seats < found.search.seats:
            raise ValueError("This fare has not enough seats for the party. Choose another one.")
        return choice

    return forms.read(values, {"offer": reader})["offer"]


def _check_in_turn(world: World, data: CrmData, found: Trip, direction: str) -> None:
    """Raise `Invalid` if a chosen return flight departs before the outward flight arrives."""
    chosen = looking.chosen(world, data, found)
    if direction == "outward" or "outward" not in chosen:
        return
    (out, _), (back, _) = chosen["outward"], chosen["return"]
    arrives, departs = (
        utc(data.airports, out.flights[-1])[1],
        utc(data.airports, back.flights[0])[0],
    )
    if departs <= arrives:
        raise Invalid({"offer": "The way back begins before the way out ends."})


def _key(flight: Flight) -> tuple[str, str]:
    """Return number and date of a flight, which identify it."""
    return flight.number, flight.date


# The resulting booking ---------------------------------------------------------------------------


def _write(world: World, data: CrmData, found: Trip, paid: list[Payment]) -> str:
    """Write the booking that a sale results in to the database, and return its reference."""
    reference = new_reference(world)
    row = {"reference": reference, "status": CONFIRMED, "customer": None, "bought": BOUGHT}
    add(world, "bookings", row)
    for table, each in _rows(world, data, found, reference):
        add(world, table, each)
    for payment in paid:
        payment.take(world, reference, BOUGHT)
    return reference


def _rows(
    world: World, data: CrmData, found: Trip, reference: str
) -> Iterator[tuple[str, Mapping[str, object]]]:
    """Yield the database rows of a sale's booking, each as (table, row)."""
    for direction, (offer, fare) in looking.chosen(world, data, found).items():
        for place, flight in enumerate(offer.flights, start=1):
            one = Segment(direction, place, flight.number, flight.date, fare.brand)
            yield "segments", segment_row(reference, one)
    for each in found.party:
        yield "passengers", passenger_row(reference, each)
    for (number, flight_number, day), seat in found.seats.items():
        key = {"reference": reference, "passenger": number, "flight": flight_number, "date": day}
        yield "seats", {**key, "seat": seat}
    for (number, direction), pieces in found.bags.items():
        key = {"reference": reference, "passenger": number, "direction": direction}
        yield "bags", {**key, "pieces": pieces}


def new_reference(world: World) -> str:
    """Return a new booking reference, which depends on the visit's name and the number of
    bookings.
    """
    taken = set(looking.references(world))
    count = len(taken)
    while (made := reference_of(f"{world.name}/{count}")) in taken:
        count += 1
    return made
