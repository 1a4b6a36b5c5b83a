"""The screen that pays customers for late flights or lost bags, at a desk with tickets."""

from __future__ import annotations

from collections.abc import Mapping

from sites.crm.airline_desk.model.journal import Values
from sites.crm.airline_desk.model.place import Place
from sites.crm.airline_desk.model.world import has_tickets
from sites.crm.airline_desk.operations import payouts
from sites.crm.airline_desk.screens import _booked, _ticketed
from sites.crm.airline_desk.screens._view import Contents, Entry, ScreenKind, View
from sites.site_app import Refusal


def _entries(view: View) -> tuple[Entry, ...]:
    """Return an amount field for each kind of payment.

    Raises `Refusal`: 404 at a desk without tickets, 409 for a cancelled booking.
    """
    if not has_tickets(view.world):
        raise Refusal(404, "This desk pays nothing out. Open the booking, and go on from there.")
    _booked.changeable(view)
    return tuple(Entry(f"payout-{each}", "money") for each in payouts.KINDS)


def _payout(view: View) -> Contents:
    form = view.form(view.word("group-payouts"), _entries(view), view.word("lead-payout"))
    given = _ticketed.paid_out(view, view.booking())
    button = view.button("give-payout", commits=True)
    sections = (*_booked.summary(view), *given, form)
    return Contents("title-payout", sections, (button,), back=_booked.back(view))


def _send(view: View, _: str, values: Values) -> Place:
    payouts.give_payout(view.world, view.place.reference, values)
    return _booked.to_booking(view)


PAYOUTS: Mapping[str, ScreenKind] = {
    "payout": ScreenKind(
        _payout,
        _entries,
        _send,
        ("give-payout",),
        ("give-payout",),
        _booked.summary,
        _booked.opened,
    ),
}
