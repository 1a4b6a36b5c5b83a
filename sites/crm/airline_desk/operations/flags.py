"""Lines of a booking's history, and flags on lines that broke the handbook's rules.

`values` are the normal texts of a form by the fields' keys. A wrong value raises `Invalid`,
and an unknown line raises `Refusal`; then nothing is changed. The operations do not check whether a
line deserves a flag. Cancelled bookings can be flagged, too.
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
    """Return the lines of a booking's history in order, as rows with `at`, `colleague`
    and `entry`.
    """
    return world.read(
        "SELECT at, colleague, entry FROM history WHERE reference = ? ORDER BY at, number",
        (reference,),
    )


def line(world: World, reference: str, number: int) -> Row:
    """Return a line of a booking's history, counted from 1. Raises `Refusal` (404)."""
    listed = lines(world, reference)
    if not has_tickets(world) or not 1 <= number <= len(listed):
        raise Refusal(404, f"The history of {reference} has no such line. Look it up there.")
    return listed[number - 1]


def flags(world: World, reference: str) -> dict[int, Row]:
    """Return the flags on a booking's history: a dict from the line's number to a row with
    `article` and `amount`.
    """
    if not has_tickets(world):
        return {}
    rows = world.read(
        "SELECT line, article, amount FROM flags WHERE reference = ? ORDER BY line", (reference,)
    )
    return {row["line"]: row for row in rows}


def save_flag(
    world: World, reference: str, number: int, values: Values, version: int | None = None
) -> None:
    """Flag a line of a booking's history as wrong, or change its flag.

    Args:
        world: The visit's database (its world).
        reference: The reference of the booking.
        number: The line, from 1.
        values: `flag-article`, the article that was broken, and `flag-amount`, the right amount.
        version: The version of the page that was sent; an older version is refused, None skips the
            check.

    Raises:
        Invalid: A value is wrong. Nothing was changed.
        Refusal: The line is unknown. Nothing was changed.
    """
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
    """Remove the flag from a line of a booking's history.

    Args:
        world: The visit's database (its world).
        reference: The reference of the booking.
        number: The line, from 1.
        values: Not used, but recorded.
        version: The version of the page that was sent; an older version is refused, None skips the
            check.

    Raises:
        Refusal: The line is unknown or has no flag. Nothing was changed.
    """
    with _change(world, "drop-flag", reference, number, values, version) as (own, _):
        if number not in flags(world, own):
            raise Refusal(
                409, f"Line {number} of {own} has no flag. There is nothing to take back."
            )
        world.write("DELETE FROM flags WHERE reference = ? AND line = ?", (own, number))


def _amount(text: str) -> str:
    """Return the amount of a flag in a text, which must not be empty. Raises `ValueError`."""
    if not text.strip():
        raise ValueError("Give the right amount, 0 for nothing.")
    return str(checks.amount(text))


@contextmanager
def _change(
    world: World, control: str, reference: str, number: int, values: Values, version: int | None
) -> Iterator[tuple[str, JournalEntry]]:
    """Yield the booking's reference and the change's entry in the journal; the flag is changed
    inside this context manager.

    Raises:
        Refusal: The line is unknown (404), or the booking is newer than the page (409).
    """
    own = looking.booking(world, reference).reference
    with commit(world, control, Place("flag", (own, str(number))), values) as entry:
        line(world, own, number)
        refuse_stale(world, own, version)
        entry.done, entry.slots = f"done-{control}", {"reference": own, "line": str(number)}
        yield own, entry
