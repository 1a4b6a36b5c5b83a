"""The screens of a booking's seats, bags and check-in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from sites.crm.airline_desk.model import prices
from sites.crm.airline_desk.model.records import Booking
from sites.crm.airline_desk.operations import booked, day, looking, seating
from sites.crm.airline_desk.pages.screen import SeatCell, SeatMap, Section, Text
from sites.crm.airline_desk.screens import _booked, _facts
from sites.crm.airline_desk.screens._view import Contents, Entry, ScreenKind, View
from sites.crm.airline_desk.screens.sale import seat_map
from sites.crm.base.timetable import Flight


def _flight(view: View) -> tuple[Booking, Flight]:
    """Return the booking and the flight that the screen is about. Raises `Refusal` if the booking
    cannot be changed.
    """
    found = _booked.changeable(view)
    return found, booked.flight(view.data, booked.segment(found, _booked.number(view)))


# Seats -------------------------------------------------------------------------------------------


def _seat_entries(view: View) -> tuple[Entry, ...]:
    found, _ = _flight(view)
    seats = seating.seats(view.world, found, _booked.number(view))
    return tuple(
        Entry(f"seat.{each.number}", value=seats.get(each.number, ""), of=each.person.name)
        for each in found.passengers
        if each.seated
    )


def _seats(view: View) -> Contents:
    _, flight = _flight(view)
    entries = _seat_entries(view)
    form = view.form(view.word("group-seats"), entries, view.word("lead-seats"))
    return Contents(
        "title-seating",
        (_facts.flight_facts(view, flight), _seat_map(view), form),
        (view.button("save-seats"),),
        back=_booked.back(view),
        slots={"flight": flight.number},
    )


def _seat_map(view: View) -> SeatMap:
    """Return the seat map of the flight, in which the booking's seats show the passengers' first
    names.
    """
    found, flight = _flight(view)
    seats = seating.seats(view.world, found, _booked.number(view))
    first = {each.number: each.person.first_name for each in found.passengers}
    names = {seat: first[number] for number, seat in seats.items() if number in first}
    shown = seat_map(view, looking.seat_map(view.world, flight))
    rows = tuple(
        (
            row,
            exit_row,
            tuple(SeatCell(each.code, names.get(each.code, each.text)) for each in all_),
        )
        for row, exit_row, all_ in shown.rows
    )
    return replace(shown, rows=rows)


# Bags --------------------------------------------------------------------------------------------


def _bag_entries(view: View) -> tuple[Entry, ...]:
    found = _booked.changeable(view)
    numbers = tuple((str(each), str(each)) for each in range(prices.MOST_BAGS + 1))
    names = _facts.who(view, found.passengers)
    return tuple(
        Entry(seating.bags_key(number, way), "count", str(pieces), numbers, of=names[number])
        for (number, way), pieces in seating.bags(view.world, found).items()
    )


def _bags(view: View) -> Contents:
    found = _booked.changeable(view)
    brands = {each.direction: each.brand for each in found.segments}
    lead = _facts.bag_prices(view, brands)
    form = view.form(view.word("group-bags"), _bag_entries(view), lead)
    sections: tuple[Section, ...] = (form, Text((view.word("nothing-charged"),)))
    button = view.button("save-bags")
    return Contents("title-baggage", sections, (button,), back=_booked.back(view))


# Check-in ----------------------------------------------------------------------------------------


def _checkin_entries(view: View) -> tuple[Entry, ...]:
    found, _ = _flight(view)
    inside = day.checked_in(view.world, found, _booked.number(view))
    return _booked.ticks(found, "checked-in", inside)


def _checkin(view: View) -> Contents:
    _, flight = _flight(view)
    lead = view.word("lead-checkin")
    form = view.form(view.word("group-checkin"), _checkin_entries(view), lead)
    sections: tuple[Section, ...] = (_facts.flight_facts(view, flight), form)
    button = view.button("save-checkin")
    return Contents(
        "title-checkin",
        sections,
        (button,),
        back=_booked.back(view),
        slots={"flight": flight.number},
    )


EXTRAS: Mapping[str, ScreenKind] = {
    "seats": ScreenKind(
        _seats,
        _seat_entries,
        _booked.sends_part(seating.save_seats),
        ("save-seats",),
        opened=_booked.opened,
    ),
    "bags": ScreenKind(
        _bags, _bag_entries, _booked.sends(seating.save_bags), ("save-bags",), opened=_booked.opened
    ),
    "checkin": ScreenKind(
        _checkin,
        _checkin_entries,
        _booked.sends_part(day.save_checkin),
        ("save-checkin",),
        opened=_booked.opened,
    ),
}
