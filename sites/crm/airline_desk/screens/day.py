"""The screens of the day of travel: departures, bookings on a flight, rebooking."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from sites.crm.airline_desk.model.journal import Values
from sites.crm.airline_desk.model.place import Place
from sites.crm.airline_desk.model.records import Booking, Segment
from sites.crm.airline_desk.operations import booked, day
from sites.crm.airline_desk.operations.day import OnBoard
from sites.crm.airline_desk.pages.screen import Cell, Facts, Section, Table
from sites.crm.airline_desk.screens import _asked, _booked, _facts, _ticketed
from sites.crm.airline_desk.screens._view import Contents, Entry, ScreenKind, View
from sites.crm.base import forms
from sites.crm.base.clock import TODAY
from sites.crm.base.forms import Invalid
from sites.crm.base.network import BRANDS
from sites.crm.base.timetable import Flight

PAGE = 12
"""Number of departures, or of bookings on a flight, on one page."""
ALL, CHANGED = "all", "changed"
"""Values of the field that selects departures: ALL shows all, CHANGED only late and
cancelled ones.
"""


# Departures --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Board:
    """A request for the departures of an airport on a day.

    Attributes:
        airport: The airport code.
        destination: Only flights to this airport; "" for all.
        date: An ISO date.
        only: Whether only late and cancelled flights are shown.
    """

    airport: str
    destination: str
    date: str
    only: bool

    @property
    def subject(self) -> str:
        """The subject under which the journal records the list of departures: airports, day, and
        whether only changed ones are shown.
        """
        places = "-".join(filter(None, (self.airport, self.destination)))
        return f"{places} {self.date}{' changed' if self.only else ''}"


def _board_entries(view: View) -> tuple[Entry, ...]:
    shown = ((ALL, view.word("show-all")), (CHANGED, view.word("show-changed")))
    return (
        Entry("route-from", "airport"),
        Entry("route-to", "airport", hint=view.word("hint-optional")),
        Entry("flight-date", "date", TODAY.isoformat()),
        Entry("status", "choice", ALL, shown, word="status-shown"),
    )


def _asked_board(view: View) -> tuple[View, Board | None]:
    """Return the screen with its field values, and the departures that its address asks for; None
    if it asks for none or wrongly.
    """
    shown = _asked.fields(view, _board_entries(view))
    if not view.arguments or shown.problems:
        return shown, None
    values = shown.values
    try:
        forms.read(values, {"route-from": _needed, "flight-date": _needed_day})
    except Invalid as problem:
        return replace(shown, problems=problem.errors), None
    only = values.get("status") == CHANGED
    return shown, Board(values["route-from"], values["route-to"], values["flight-date"], only)


def _needed(text: str) -> str:
    if not text:
        raise ValueError("Give an airport.")
    return text


def _needed_day(text: str) -> str:
    if not text:
        raise ValueError("Give a date.")
    return text


def _departures(view: View, board: Board) -> list[Flight]:
    found = day.departures(view.data, board.airport, board.destination, board.date)
    return [each for each in found if not board.only or day.event(view.world, each)]


def _board(view: View) -> Contents:
    shown, board = _asked_board(view)
    sections: list[Section] = [shown.form(view.word("group-board"), _board_entries(view))]
    if board:
        sections.append(_board_table(view, board))
    button = view.button("show-board")
    return Contents("title-board", tuple(sections), (button,), asks=True)


def _board_table(view: View, board: Board) -> Table:
    found = _departures(view, board)
    page, pages = _asked.page(view, max(1, -(-len(found) // PAGE)))
    shown = found[(page - 1) * PAGE : page * PAGE]
    head = tuple(map(view.word, ("departs", "flight", "route-to", "arrives", "status")))
    place = view.airport(board.airport)
    date = view.airline.formats.long_day(board.date)
    count = view.word("flights-page", page=page, pages=pages, flights=len(found))
    return Table(
        f"{place}, {date}. {count}",
        head,
        tuple(_departure(view, each) for each in shown),
        view.word("no-departures"),
        _asked.pages(view, pages),
    )


def _departure(view: View, flight: Flight) -> tuple[Cell, ...]:
    listed = Place("flight", (flight.number, flight.date))
    named = view.airline.id("open-flight", flight.number)
    return (
        Cell(view.airline.formats.clock(flight.departs)),
        Cell(flight.number, view.address(listed), named),
        Cell(_booked.place_name(view, flight.destination)),
        Cell(_facts.arrival(view, flight.arrives, flight.days)),
        Cell(_booked.happened(view, flight) or view.word("as-planned")),
    )


def _board_opened(view: View) -> str:
    """Return the subject under which the journal records a list of departures: the request, the
    page and the number of pages.
    """
    _, board = _asked_board(view)
    if board is None:
        return ""
    page, pages = _asked.page(view, max(1, -(-len(_departures(view, board)) // PAGE)))
    return f"{board.subject} {page}/{pages}"


# Bookings on a flight ----------------------------------------------------------------------------


def _listed(view: View) -> Flight:
    return day.flight(view.data, *view.place.parts)


def _flight(view: View) -> Contents:
    flight = _listed(view)
    bookings = day.on_board(view.world, view.data, flight)
    page, pages = _asked.page(view, max(1, -(-len(bookings) // PAGE)))
    shown = bookings[(page - 1) * PAGE : page * PAGE]
    head = ("bought", "reference", "travellers", "persons", "fare", "onward")
    table = Table(
        view.word("on-board", bookings=len(bookings), page=page, pages=pages),
        (*map(view.word, head), view.word("to-flight")),
        tuple(_passenger_row(view, each) for each in shown),
        view.word("nobody-on-board"),
        _asked.pages(view, pages),
    )
    sections = (_flight_facts(view, flight), table, _others(view, flight))
    back = view.link("back", Place("board"))
    return Contents("title-flight", sections, back=back, slots={"flight": flight.number})


def _flight_facts(view: View, flight: Flight) -> Facts:
    shown = _facts.flight_facts(view, flight)
    status = (view.word("status"), _booked.happened(view, flight) or view.word("as-planned"))
    left = (view.word("seats-left-in"), _left(view, flight))
    waiting = ", ".join(day.waiting_for(view.world, flight)) or "–"
    listed = (view.word("waiting-list"), waiting)
    rows = (*shown.rows, status, left, listed, *_ticketed.escorts_on(view, flight))
    return replace(shown, rows=rows)


def _left(view: View, flight: Flight) -> str:
    """Return a text with the number of seats left on a flight in each fare brand."""
    fares = day.seats_left(view.world, view.data, flight)
    return ", ".join(f"{_facts.brand(view, each.brand)} {each.seats}" for each in fares) or "–"


def _passenger_row(view: View, each: OnBoard) -> tuple[Cell, ...]:
    reference = each.booking.reference
    booking = view.address(Place("booking", (reference,)))
    rebook = view.link("open-rebook", Place("rebook", (reference, str(each.place))), reference)
    return (
        Cell(_booked.time_of(view, each.booking.bought)),
        Cell(reference, booking, view.airline.id("open-booking", reference)),
        Cell(_booked.kinds(view, each.booking.passengers)),
        Cell(f"{each.persons} / {each.seats}"),
        Cell(_facts.brand(view, each.segment.brand)),
        Cell(_onward(view, each)),
        Cell(rebook.label, rebook.address, rebook.id),
    )


def _onward(view: View, each: OnBoard) -> str:
    if each.onward is None:
        return "–"
    leaves = view.airline.formats.clock(each.onward.departs)
    to = _booked.place_name(view, each.onward.destination)
    return f"{each.onward.number}, {leaves}, {to}"


def _others(view: View, flight: Flight) -> Table:
    """Return a table of the other flights of the same route and day."""
    head = ("flight", "times", "status", "seats-left-in")
    rows = tuple(
        (
            Cell(
                each.number,
                view.address(Place("flight", (each.number, each.date))),
                view.airline.id("open-flight", each.number),
            ),
            Cell(_facts.when(view, each)),
            Cell(_booked.happened(view, each) or view.word("as-planned")),
            Cell(_left(view, each)),
        )
        for each in day.others(view.data, flight)
    )
    return Table(
        view.word("other-flights"), tuple(map(view.word, head)), rows, view.word("no-departures")
    )


def _flight_opened(view: View) -> str:
    flight = _listed(view)
    bookings = day.on_board(view.world, view.data, flight)
    page, pages = _asked.page(view, max(1, -(-len(bookings) // PAGE)))
    return f"{flight.number} {flight.date} {page}/{pages}"


# Another flight for a booking --------------------------------------------------------------------


def _segment(view: View) -> tuple[Booking, Segment]:
    found = _booked.changeable(view)
    return found, booked.segment(found, _booked.number(view))


def _rebook_entries(view: View) -> tuple[Entry, ...]:
    _, segment = _segment(view)
    options = tuple(
        (each.number, f"{each.number}, {_facts.when(view, each)}; {_room(view, each, segment)}")
        for each in day.others(view.data, booked.flight(view.data, segment))
    )
    return (Entry("to-flight", "choice", options=options, fresh=True),)


def _room(view: View, flight: Flight, segment: Segment) -> str:
    """Return a text with the number of seats left on a flight in the booking's fare brand, or that
    it is cancelled.
    """
    fares = day.seats_left(view.world, view.data, flight)
    if not fares:
        return view.word("flight-cancelled")
    left = fares[BRANDS.index(segment.brand)].seats
    if left == 1:
        return view.word("seat-left")
    return view.word("seats-left", number=left) if left else view.word("sold-out")


def _rebook(view: View) -> Contents:
    found, segment = _segment(view)
    flight = booked.flight(view.data, segment)
    status = (view.word("status"), _booked.happened(view, flight) or view.word("as-planned"))
    fare = (view.word("fare"), _facts.brand(view, segment.brand))
    shown = _facts.flight_facts(view, flight)
    about = replace(shown, rows=(*shown.rows, status, fare, *_waits(view, found)))
    form = view.form(view.word("group-rebook"), _rebook_entries(view), view.word("lead-rebook"))
    buttons = tuple(map(view.button, CONTROLS))
    plain = (buttons[0], *(replace(each, primary=False) for each in buttons[1:]))
    sections = (*_booked.summary(view), about, form)
    return Contents("title-rebook", sections, plain, back=_booked.back(view))


def _waits(view: View, found: Booking) -> tuple[tuple[str, str], ...]:
    waits = ", ".join(number for number, _ in sorted(day.waits_for(view.world, found)))
    return ((view.word("waits-for"), waits),) if waits else ()


def _rebook_send(view: View, control: str, values: Values) -> Place:
    run = CONTROLS[control]
    run(view.world, view.data, view.place.reference, _booked.number(view), values)
    return _booked.to_booking(view)


CONTROLS = {"rebook": day.rebook, "add-waiting": day.wait, "end-waiting": day.stop_waiting}
"""The operation that each button of the rebooking screen runs."""

DAY: Mapping[str, ScreenKind] = {
    "board": ScreenKind(_board, _board_entries, opened=_board_opened),
    "flight": ScreenKind(_flight, opened=_flight_opened),
    "rebook": ScreenKind(
        _rebook, _rebook_entries, _rebook_send, tuple(CONTROLS), opened=_booked.opened
    ),
}
