"""Lines of a booking's history, and flags on those that broke the handbook.

`values` are normal texts by the fields' keys. A wrong value raises `Invalid`, an unknown line
`Refusal`; then nothing is changed. What deserves a flag is up to the desk; a cancelled booking can
be flagged like any other.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sites.crm.airline_desk.model.journal import JournalEntry, Values, commit, refuse_stale
from sites.crm.airline_desk.model.place import Place
from sites.crm.airline_desk.model.world import has_tickets
from sites.crm.airline_desk.operations import checks, looking, tickets
from sites.crm.base import forms
from sites.site_app import Refusal
from sites.world import Row, World


def lines(world: World, reference: str) -> list[Row]:
    """The history before this visit: `at`, `colleague` and `entry` of each line, in order."""
    return world.read(
        "SELECT at, colleague, entry FROM history WHERE reference = ? ORDER BY at, number",
        (reference,),
    )


def line(world: World, reference: str, number: int) -> Row:
    """One of them, from 1. Raises `Refusal` (404)."""
    listed = lines(world, reference)
    if not has_tickets(world) or not 1 <= number <= len(listed):
        raise Refusal(404, f"The history of {reference} has no such line. Look it up there.")
    return listed[number - 1]


def flags(world: World, reference: str) -> dict[int, Row]:
    """Article and amount of each flag, by its line."""
    if not has_tickets(world):
        return {}
    rows = world.read(
        "SELECT line, article, amount FROM flags WHERE reference = ? ORDER BY line", (reference,)
    )
    return {row["line"]: row for row in rows}


def save_flag(
    world: World, reference: str, number: int, values: Values, version: int | None = None
) -> None:
    """Flag a line, or flag it otherwise: `flag-article` and `flag-amount`, the right one."""
    with _change(world, "save-flag", reference, number, values, version) as (own, entry):
        read = forms.read(values, {"flag-article": tickets.article, "flag-amount": _amount})
        article, amount = read["flag-article"], read["flag-amount"]
        world.write(
            "INSERT OR REPLACE INTO flags (reference, line, article, amount) VALUES (?, ?, ?, ?)",
            (own, number, article, int(amount)),
        )
        entry.recorded = dict(read)
        entry.slots = {**entry.slots, "article": article, "amount": amount}


def drop_flag(
    world: World, reference: str, number: int, values: Values, version: int | None = None
) -> None:
    """Take a flag back."""
    with _change(world, "drop-flag", reference, number, values, version) as (own, _):
        if number not in flags(world, own):
            raise Refusal(
                409, f"Line {number} of {own} has no flag. There is nothing to take back."
            )
        world.write("DELETE FROM flags WHERE reference = ? AND line = ?", (own, number))


def _amount(text: str) -> str:
    if not text.strip():
        raise ValueError("Give the right amount, 0 for nothing.")
    return str(checks.amount(text))


@contextmanager
def _change(
    world: World, control: str, reference: str, number: int, values: Values, version: int | None
) -> Iterator[tuple[str, JournalEntry]]:
    """The booking's reference, and the journal's line of its change.

    Raises `Refusal` for a line that is unknown (404), or a booking newer than the page (409).
    """
    own = looking.booking(world, reference).reference
    with commit(world, control, Place("flag", (own, str(number))), values) as entry:
        line(world, own, number)
        refuse_stale(world, own, version)
        entry.done, entry.slots = f"done-{control}", {"reference": own, "line": str(number)}
        yield own, entry
