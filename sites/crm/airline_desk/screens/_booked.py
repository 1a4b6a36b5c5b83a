"""Functions that the screens of a booking share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from sites.crm.airline_desk.model import prices
from sites.crm.airline_desk.model.cabin import cabin
from sites.crm.airline_desk.model.journal import Values
from sites.crm.airline_desk.model.place import Place
from sites.crm.airline_desk.model.records import DIRECTIONS, Booking, Passenger
from sites.crm.airline_desk.model.world import has_tickets
from sites.crm.airline_desk.operations import booked, day, money
from sites.crm.airline_desk.operations.changing import fare_paid
from sites.crm.airline_desk.pages.screen import Facts, Link, Section
from sites.crm.airline_desk.screens import _facts
from sites.crm.airline_desk.screens._view import Contents, Entries, Entry, ScreenKind, View
from sites.crm.base.timetable import Flight
from sites.crm.base.world import CrmData
from sites.site_app import Refusal
from sites.world import World

Send = Callable[[View, str, Values], Place]


def opened(view: View) -> str:
    """Return the subject under which the journal records the screen: the booking's reference and
    further parts of the address.
    """
    return "/".join((view.booking().reference, *view.place.parts[1:]))


def changeable(view: View) -> Booking:
    """Return the booking that the screen is about. Raises `Refusal` (409) if it is cancelled."""
    found = view.booking()
    if found.cancelled:
        raise Refusal(409, f"Booking {found.reference} is cancelled. It cannot be changed.")
    return found


def check_tickets(view: View, instead: str) -> Booking:
    """Return the booking that the screen is about, if it can be changed. Raises `Refusal`: 404 with
    the sentence `instead` at a desk without tickets, 409 for a cancelled booking.
    """
    if not has_tickets(view.world):
        raise Refusal(404, f"This desk {instead}. Open the booking, and go on from there.")
    return changeable(view)


def number(view: View, at: int = 1) -> int:
    """Return a part of the address as a number. Raises `Refusal` (404) if it is not one."""
    text = view.place.parts[at]
    if not text.isascii() or not text.isdecimal() or len(text) > 3:
        raise Refusal(404, "There is no such page. Open the booking, and go on from there.")
    return int(text)


def direction(view: View) -> str:
    """Return the direction in the screen's address, "outward" or "return".

    Raises `Refusal` (404) if the booking does not have it.
    """
    asked = view.place.parts[1]
    booked.direction(view.booking(), asked if asked in DIRECTIONS else "")
    return asked


def ticks(found: Booking, key: str, ticked: set[int]) -> tuple[Entry, ...]:
    """Return a check box `<key>.<number>` for each passenger of a booking, ticked for the given
    passenger numbers.
    """
    return tuple(
        Entry(
            f"{key}.{each.number}",
            "check",
            "yes" if each.number in ticked else "",
            of=each.person.name,
        )
        for each in found.passengers
    )


def back(view: View) -> Link:
    """Return the link from the screen back to its booking."""
    return view.link("back", to_booking(view))


def to_booking(view: View) -> Place:
    """Return the place of the page of the screen's booking."""
    return Place("booking", (view.booking().reference,))


def time_of(view: View, at: str) -> str:
    """Return an ISO time as a day and a time in the airline's formats."""
    day, _, time = at.partition(" ")
    if not time:
        return view.airline.formats.day(day)
    hours, minutes = map(int, time.split(":")[:2])
    formats = view.airline.formats
    return f"{formats.day(day)}, {formats.clock(hours * 60 + minutes)}"


def place_name(view: View, code: str) -> str:
    """Return city and code of an airport, for lists."""
    return f"{view.data.airports[code].city} ({code})"


def way(view: View, flights: Iterable[Flight]) -> str:
    """Return the first and the last airport of some flights as text, each with city and code."""
    listed = list(flights)
    ends = place_name(view, listed[0].origin), place_name(view, listed[-1].destination)
    return " – ".join(ends)


def summary(view: View) -> tuple[Section, ...]:
    """Return a section with the booking's reference and the names of its passengers."""
    found = view.booking()
    names = ", ".join(each.person.name for each in found.passengers)
    rows = ((view.word("reference"), found.reference), (view.word("travellers"), names))
    return (Facts(view.word("booking"), rows),)


# Screens with one button -------------------------------------------------------------------------


def contents(
    view: View,
    title: str,
    sections: tuple[Section, ...],
    control: str,
    *,
    commits: bool = False,
    way: Link | None = None,
) -> Contents:
    """Return the contents of a screen with one button, and a link back to the booking, or `way` if
    given.
    """
    buttons = (view.button(control, commits=commits),)
    return Contents(title, sections, buttons, back=way or back(view))


def sends(operation: Callable[[World, str, Values], object]) -> Send:
    """Return a handler for a button that runs an operation on the booking and then goes back to the
    booking's page.
    """

    def send(view: View, _: str, values: Values) -> Place:
        operation(view.world, view.place.reference, values)
        return to_booking(view)

    return send


def sends_part(operation: Callable[[World, CrmData, str, int, Values], object]) -> Send:
    """Return a handler for a button that runs an operation on the passenger or flight whose number
    the address has, and then goes back to the booking's page.
    """

    def send(view: View, _: str, values: Values) -> Place:
        operation(view.world, view.data, view.place.reference, number(view), values)
        return to_booking(view)

    return send


def committing(
    shown: Callable[[View], Contents],
    entries: Entries,
    send: Send,
    control: str,
    summed: Callable[[View], tuple[Section, ...]] = summary,
) -> ScreenKind:
    """Return the kind of screen whose button takes an irreversible action."""
    return ScreenKind(shown, entries, send, (control,), (control,), summed, opened)


# Words -------------------------------------------------------------------------------------------


def kinds(view: View, passengers: Iterable[Passenger]) -> str:
    """Return the names of passengers as text, with the kind (child, infant) of passengers who are
    no adults.
    """
    return ", ".join(
        each.person.name if each.kind == "adult" else f"{each.person.name} ({view.word(each.kind)})"
        for each in passengers
    )


# Money -------------------------------------------------------------------------------------------


def by(view: View, one: money.Paid) -> str:
    """Return the source of a payment (card or voucher) as text."""
    return view.word(f"by-{one.method}", source=one.source)


def refund_entries(view: View) -> tuple[Entry, ...]:
    """Return an amount field for each payment that can still be given back."""
    return tuple(
        Entry(
            f"refund-amount.{each.number}",
            "money",
            of=f"{by(view, each)}, {view.word('refundable', amount=view.money(each.left))}",
        )
        for each in money.paid(view.world, view.booking().reference)
        if each.left
    )


def refund_form(view: View) -> tuple[Section, ...]:
    """Return the form for refunds as a section; () if nothing can be refunded."""
    entries = refund_entries(view)
    return (view.form(view.word("group-refunds"), entries),) if entries else ()


def ticket(view: View, found: Booking, one: Passenger) -> Facts:
    """Return a section with the parts of a passenger's price (fares by direction, seats, bags) and
    their total.
    """
    brands = {each.direction: each.brand for each in found.segments}
    parts = ticket_parts(view, found, one)
    rows = [
        (_part(view, name, brands), view.money(amount)) for name, amount in parts.items() if amount
    ]
    total = (view.word("total"), view.money(sum(parts.values())))
    return Facts(view.word("ticket-of", name=one.person.name), (*rows, total))


def ticket_parts(view: View, found: Booking, one: Passenger) -> dict[str, int]:
    """Return the parts of a passenger's price in dollars: by direction, and for "seats"
    and "bags".
    """
    fares = {
        name: prices.fare(fare_paid(view.data, found.direction(name)), one.kind)
        for name in dict.fromkeys(each.direction for each in found.segments)
    }
    return {**fares, "seats": _seats(view, found, one), "bags": _bags(view, found, one)}


def price(view: View, found: Booking) -> Facts:
    """Return a section with the price of the whole booking: the sums of its fares, seats
    and bags.
    """
    tickets = [ticket_parts(view, found, each) for each in found.passengers]
    sums = {name: sum(each[name] for each in tickets) for name in tickets[0]} if tickets else {}
    return _facts.costs(view, [(name, amount) for name, amount in sums.items() if amount])


def _part(view: View, name: str, brands: Mapping[str, str]) -> str:
    """Return the label of a part of a price. The label of a direction includes the fare brand."""
    word = view.word(f"cost-{name}")
    return f"{word}, {_facts.brand(view, brands[name])}" if name in brands else word


def _seats(view: View, found: Booking, one: Passenger) -> int:
    """Return the price of a passenger's seats in dollars."""
    rows = view.world.read(
        "SELECT flight, date, seat FROM seats WHERE reference = ? AND passenger = ?",
        (found.reference, one.number),
    )
    seats = []
    for row in rows:
        flight = view.data.network.flight(row["flight"], row["date"])
        assert flight is not None, "seats are on flights of the timetable"
        seats.append(cabin(flight).places[row["seat"]].price)
    return sum(seats)


def _bags(view: View, found: Booking, one: Passenger) -> int:
    """Return the price of a passenger's bags in dollars."""
    rows = view.world.read(
        "SELECT direction, pieces FROM bags WHERE reference = ? AND passenger = ?",
        (found.reference, one.number),
    )
    brands = {each.direction: each.brand for each in found.segments}
    return sum(prices.bags(brands[row["direction"]], row["pieces"]) for row in rows)


# Flights -----------------------------------------------------------------------------------------


def happened(view: View, flight: Flight) -> str:
    """Return a text that a flight is cancelled, moved or late, with the cause; "" if it is on
    schedule.
    """
    event = day.event(view.world, flight)
    if event is None:
        return ""
    because = f" ({event.cause})" if event.cause else ""
    if event.kind == day.CANCELLED:
        return view.word("flight-cancelled") + because
    word = "moved-by" if event.kind == day.MOVED else "late-by"
    return view.word(word, time=_facts.duration(event.minutes)) + because
