"""The screens for refunds on a booking and for charging fees."""

from __future__ import annotations

from collections.abc import Mapping

from sites.crm.airline_desk.operations import money
from sites.crm.airline_desk.pages.screen import Section, Text
from sites.crm.airline_desk.screens import _booked, _facts
from sites.crm.airline_desk.screens._view import Contents, Entry, ScreenKind, View
from sites.crm.airline_desk.screens.sale import payment_entries


def _refund_entries(view: View) -> tuple[Entry, ...]:
    _booked.changeable(view)
    return _booked.refund_entries(view)


def _refund(view: View) -> Contents:
    entries, shown = _refund_entries(view), _booked.summary(view)
    if not entries:
        sections: tuple[Section, ...] = (*shown, Text((view.word("nothing-to-refund"),)))
        return Contents("title-refund", sections, back=_booked.back(view))
    form = view.form(view.word("group-refunds"), entries)
    sections = (*shown, _facts.brand_rules(view), form)
    return _booked.contents(view, "title-refund", sections, "give-refund", commits=True)


def _charge_entries(view: View) -> tuple[Entry, ...]:
    found = _booked.changeable(view)
    kinds = tuple((each, view.word(f"fee-{each}")) for each in money.fee_kinds(view.world, found))
    names = ((str(each.number), each.person.name) for each in found.passengers)
    return (
        Entry("fee-kind", "choice", options=kinds, fresh=True),
        Entry("passenger", "choice", options=(("", view.word("everybody")), *names)),
        Entry("fee-amount", "money"),
        *payment_entries(view),
    )


def _charge(view: View) -> Contents:
    form = view.form(view.word("group-fees"), _charge_entries(view), view.word("lead-charge"))
    sections = (*_booked.summary(view), form)
    return _booked.contents(view, "title-charge", sections, "charge", commits=True)


MONEY: Mapping[str, ScreenKind] = {
    "refund": _booked.committing(
        _refund, _refund_entries, _booked.sends(money.give_refund), "give-refund"
    ),
    "charge": _booked.committing(_charge, _charge_entries, _booked.sends(money.charge), "charge"),
}
