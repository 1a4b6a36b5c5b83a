"""The screen that pays customers for late flights or lost bags, at a desk with tickets."""

from __future__ import annotations

from collections.abc import Mapping

from sites.crm.airline_desk.operations import payouts
from sites.crm.airline_desk.screens import _booked, _ticketed
from sites.crm.airline_desk.screens._view import Contents, Entry, ScreenKind, View


def _entries(view: View) -> tuple[Entry, ...]:
    """Return an amount field for each kind of payment.

    Raises `Refusal`: 404 at a desk without tickets, 409 for a cancelled booking.
    """
    _booked.check_tickets(view, "pays nothing out")
    return tuple(Entry(f"payout-{each}", "money") for each in payouts.KINDS)


def _payout(view: View) -> Contents:
    form = view.form(view.word("group-payouts"), _entries(view), view.word("lead-payout"))
    given = _ticketed.paid_out(view, view.booking())
    sections = (*_booked.summary(view), *given, form)
    return _booked.contents(view, "title-payout", sections, "give-payout", commits=True)


PAYOUTS: Mapping[str, ScreenKind] = {
    "payout": _booked.committing(
        _payout, _entries, _booked.sends(payouts.give_payout), "give-payout"
    ),
}
