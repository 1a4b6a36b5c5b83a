"""The screen that flags a line of a booking's history."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from sites.crm.airline_desk.model.journal import Values
from sites.crm.airline_desk.model.place import Place
from sites.crm.airline_desk.operations import flags
from sites.crm.airline_desk.pages.screen import Facts
from sites.crm.airline_desk.screens import _booked
from sites.crm.airline_desk.screens._view import Contents, Entry, ScreenKind, View


def _entries(view: View) -> tuple[Entry, ...]:
    found = flags.flags(view.world, view.booking().reference).get(_booked.number(view), {})
    return (
        Entry("flag-article", value=found.get("article", ""), hint=view.word("hint-article")),
        Entry("flag-amount", "money", value=str(found.get("amount", ""))),
    )


def _flag(view: View) -> Contents:
    reference, number = view.booking().reference, _booked.number(view)
    line = flags.line(view.world, reference, number)
    rows = (
        (view.word("reference"), reference),
        (view.word("written-on"), _booked.time_of(view, line["at"])),
        (view.word("colleague"), line["colleague"]),
        (view.word("entry"), line["entry"]),
    )
    form = view.form(view.word("group-flag"), _entries(view), view.word("lead-flag"))
    buttons = [view.button("save-flag")]
    if number in flags.flags(view.world, reference):
        buttons.append(replace(view.button("drop-flag"), primary=False))
    return Contents(
        "title-flag",
        (Facts(view.word("line-of-history"), rows), form),
        tuple(buttons),
        back=view.link("back", _to_history(view)),
        slots={"line": number},
    )


def _to_history(view: View) -> Place:
    return Place("history", (view.booking().reference,))


def _send(view: View, control: str, values: Values) -> Place:
    change = flags.save_flag if control == "save-flag" else flags.drop_flag
    change(view.world, view.place.reference, _booked.number(view), values)
    return _to_history(view)


FLAGS: Mapping[str, ScreenKind] = {
    "flag": ScreenKind(_flag, _entries, _send, ("save-flag", "drop-flag"), opened=_booked.opened)
}
