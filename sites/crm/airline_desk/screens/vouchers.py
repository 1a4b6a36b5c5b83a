"""The screens that issue and extend vouchers, at a desk that works on tickets."""

from __future__ import annotations

from collections.abc import Mapping

from sites.crm.airline_desk.operations import vouchers
from sites.crm.airline_desk.pages.screen import Section, Text
from sites.crm.airline_desk.screens import _booked
from sites.crm.airline_desk.screens._view import Contents, Entry, ScreenKind, View

MISSING = "issues no vouchers"


def _issue_entries(view: View) -> tuple[Entry, ...]:
    _booked.check_tickets(view, MISSING)
    return (Entry("voucher-worth", "money"), Entry("voucher-until", "date"))


def _extend_entries(view: View) -> tuple[Entry, ...]:
    _booked.check_tickets(view, MISSING)
    held = vouchers.held(view.world, view.booking())
    options = tuple((row["code"], _named(view, row)) for row in held)
    return (
        (Entry("voucher-held", "choice", options=options), Entry("voucher-until", "date"))
        if options
        else ()
    )


def _named(view: View, row: Mapping[str, object]) -> str:
    """Return code, balance and last day of a voucher as text."""
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
    sections = (*_booked.summary(view), form)
    return _booked.contents(view, title, sections, control, commits=commits)


VOUCHERS: Mapping[str, ScreenKind] = {
    "issue-voucher": _booked.committing(
        _issue, _issue_entries, _booked.sends(vouchers.issue_voucher), "issue-voucher"
    ),
    "extend-voucher": ScreenKind(
        _extend,
        _extend_entries,
        _booked.sends(vouchers.extend_voucher),
        ("extend-voucher",),
        summary=_booked.summary,
        opened=_booked.opened,
    ),
}
