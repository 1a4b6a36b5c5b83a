"""The screens that issue and extend vouchers, at a desk that works on tickets."""

from __future__ import annotations

from collections.abc import Mapping

from sites.crm.airline_desk.model.journal import Values
from sites.crm.airline_desk.model.place import Place
from sites.crm.airline_desk.model.world import has_tickets
from sites.crm.airline_desk.operations import vouchers
from sites.crm.airline_desk.pages.screen import Section, Text
from sites.crm.airline_desk.screens import _booked
from sites.crm.airline_desk.screens._view import Contents, Entry, ScreenKind, View
from sites.site_app import Refusal


def _check(view: View) -> None:
    """Raise `Refusal`: 404 at a desk without tickets, 409 for a cancelled booking."""
    if not has_tickets(view.world):
        raise Refusal(404, "This desk issues no vouchers. Open the booking, and go on from there.")
    _booked.changeable(view)


def _issue_entries(view: View) -> tuple[Entry, ...]:
    _check(view)
    return (Entry("voucher-worth", "money"), Entry("voucher-until", "date"))


def _extend_entries(view: View) -> tuple[Entry, ...]:
    _check(view)
    held = vouchers.held(view.world, view.booking())
    options = tuple((row["code"], _named(view, row)) for row in held)
    return (
        (Entry("voucher-held", "choice", options=options), Entry("voucher-until", "date"))
        if options
        else ()
    )


def _named(view: View, row: Mapping[str, object]) -> str:
    """Return code, balance and last day of a voucher."""
    money = view.money(int(str(row["balance"])))
    return f"{row['code']}, {money}, {view.airline.formats.day(str(row['expires']))}"


def _issue(view: View) -> Contents:
    form = view.form(view.word("group-voucher"), _issue_entries(view))
    return _contents(view, "title-issue-voucher", form, "issue-voucher", commits=True)


def _extend(view: View) -> Contents:
    entries = _extend_entries(view)
    if not entries:
        sections = (*_booked.summary(view), Text((view.word("no-vouchers"),)))
        return Contents("title-extend-voucher", sections, back=_booked.back(view))
    form = view.form(view.word("group-voucher"), entries)
    return _contents(view, "title-extend-voucher", form, "extend-voucher", commits=False)


def _contents(view: View, title: str, form: Section, control: str, *, commits: bool) -> Contents:
    button = view.button(control, commits=commits)
    sections = (*_booked.summary(view), form)
    return Contents(title, sections, (button,), back=_booked.back(view))


def _issue_send(view: View, _: str, values: Values) -> Place:
    vouchers.issue_voucher(view.world, view.place.reference, values)
    return _booked.to_booking(view)


def _extend_send(view: View, _: str, values: Values) -> Place:
    vouchers.extend_voucher(view.world, view.place.reference, values)
    return _booked.to_booking(view)


VOUCHERS: Mapping[str, ScreenKind] = {
    "issue-voucher": ScreenKind(
        _issue,
        _issue_entries,
        _issue_send,
        ("issue-voucher",),
        ("issue-voucher",),
        _booked.summary,
        _booked.opened,
    ),
    "extend-voucher": ScreenKind(
        _extend,
        _extend_entries,
        _extend_send,
        ("extend-voucher",),
        summary=_booked.summary,
        opened=_booked.opened,
    ),
}
