"""Write what a check found and wanted: the one place for lists, money, days and answers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

from evaluators.scoring.answers import Unreadable
from evaluators.scoring.score import Check
from sites.months import MONTHS

LONGEST = 160
"""The most characters of a single value."""
MOST = 20
"""The most values that a list names."""
GAVE_UP, WENT_ON = "said that it cannot be done", "did not say that it cannot be done"
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


def short(text: str) -> str:
    """Return a text in one line, cut if it is long."""
    line = " ".join(text[: 4 * LONGEST].split())
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"


def listed(values: Iterable[str], none: str = "nothing") -> str:
    """Return values as one text, or the text for none; of a long list, the first values."""
    each = [*values]
    more = [f"{len(each) - MOST} more"] if len(each) > MOST else []
    return "; ".join([*map(short, each[:MOST]), *more]) or none


def counted(count: int, noun: str) -> str:
    """Return a number of things, such as "1 purchase" or "no purchases"."""
    return f"{count or 'no'} {noun}{'' if count == 1 else 's'}"


def money(dollars: float) -> str:
    """Return an amount in US dollars, with cents unless it is a whole number of them."""
    return f"${dollars:,}" if isinstance(dollars, int) else f"${dollars:,.2f}"


def cents(amount: int) -> str:
    """Return an amount of cents in US dollars."""
    return money(amount / 100)


def days(text: str) -> str:
    """Return a text with its ISO dates written out: "6 June 2026"."""
    return _DAY.sub(lambda found: _day(found[0]), text)


def _day(iso: str) -> str:
    try:
        when = date.fromisoformat(iso)
    except ValueError:
        return iso
    return f"{when.day} {MONTHS[when.month - 1]} {when.year}"


def options(chosen: Mapping[str, Any]) -> str:
    """Return chosen options, such as "color: navy, size: 8"."""
    return ", ".join(f"{kind}: {value}" for kind, value in sorted(chosen.items())) or "no options"


def answered(text: str, given: object) -> str:
    """Return an answer as it was given, with the reason if it cannot be read."""
    shown = short(text)
    return f"{shown} ({given.why})" if shown and isinstance(given, Unreadable) else shown or "none"


# Checks of every scorer --------------------------------------------------------------------------


def unchanged(name: str, changed: Iterable[str]) -> Check:
    """Return the check that nothing else changed."""
    each = [days(name.replace("_", " ")) for name in changed]
    return Check(name, not each, listed(each, "no other change"), "no other change")


def giving_up(name: str, gave_up: bool, wanted: bool) -> Check:
    """Return the check that the agent said, or did not say, that the task cannot be done."""
    found, right = (GAVE_UP if each else WENT_ON for each in (gave_up, wanted))
    return Check(name, gave_up == wanted, found, right)


def answer(name: str, held: bool, found: tuple[str, object], wanted: str) -> Check:
    """Return the check of an answer; `found` is its text, and the answer as read."""
    return Check(name, held, answered(*found), short(wanted))
