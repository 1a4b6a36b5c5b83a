"""The screen that books escorts on a flight, at a desk that works on tickets."""

from __future__ import annotations

from collections.abc import Mapping

from sites.crm.airline_desk.model.journal import Values
from sites.crm.airline_desk.model.place import Place
from sites.crm.airline_desk.operations import booked, escorts
from sites.crm.airline_desk.screens import _booked, _facts
from sites.crm.airline_desk.screens._view import Contents, Entry, ScreenKind, View
from sites.crm.base.timetable import Flight


def _flight(view: View) -> Flight:
    found = _booked.changeable(view)
    return booked.flight(view.data, booked.segment(found, _booked.number(view)))


def _entries(view: View) -> tuple[Entry, ...]:
    """Return a check box for each passenger, ticked if the passenger has an escort.

    Raises `Refusal`: 404 at a desk without tickets, 409 for a cancelled booking.
    """
    found = _booked.check_tickets(view, "has no escorts")
    with_one = escorts.escorted(view.world, found, _booked.number(view))
    return _booked.ticks(found, "escort", with_one)


def _escort(view: View) -> Contents:
    form = view.form(view.word("group-escort"), _entries(view), view.word("lead-escort"))
    flight = _flight(view)
    return Contents(
        "title-escort",
        (_facts.flight_facts(view, flight), form),
        (view.button("save-escort"),),
        back=_booked.back(view),
        slots={"flight": flight.number},
    )


def _send(view: View, _: str, values: Values) -> Place:
    reference, place = view.place.reference, _booked.number(view)
    escorts.save_escorts(view.world, reference, place, values)
    return _booked.to_booking(view)


ESCORTS: Mapping[str, ScreenKind] = {
    "escort": ScreenKind(_escort, _entries, _send, ("save-escort",), opened=_booked.opened),
}
