"""Days of travel as people name them, relative to the calendar or to another day.

Every phrase has exactly one reading: "the week after" is used only when weeks that start on Monday
and weeks that start on Sunday agree, and "next Friday" is never used.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random

from sites.crm.base.clock import WEEKDAYS
from sites.months import MONTHS

FIRST, LAST = date(2026, 2, 2), date(2026, 11, 2)
"""The first and the last possible day of the outward flight."""
COUNTED = ("first", "second", "third", "fourth")
NUMBERS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen"),
)
SUNDAY = 6
RELATIVE = 0.75
"""The share of travel days that a request names by a weekday or relative to another day, not by a
date.
"""


@dataclass(frozen=True)
class NamedDay:
    """An ISO date and its wording in the request, such as "on the last Friday in March", to follow
    a verb of travel.
    """

    iso: str
    text: str


def outward(rng: Random) -> NamedDay:
    """Draw a day for the outward flight."""
    day = FIRST + timedelta(rng.randrange((LAST - FIRST).days + 1))
    return NamedDay(day.isoformat(), rng.choice(_counted(day)) if _relative(rng) else plain(day))


def homeward(rng: Random, out: str) -> NamedDay:
    """Draw a day for the return flight, 2 to 18 days after the outward flight.

    Args:
        out: The ISO date of the outward flight.
    """
    there = date.fromisoformat(out)
    ways = [*_after(rng, there)] if _relative(rng) else []
    if ways:
        return rng.choice(ways)
    day = there + timedelta(rng.randint(3, 18))
    return NamedDay(day.isoformat(), plain(day))


def another(rng: Random, day: str, days: int = 7) -> NamedDay:
    """Draw another date, at most `days` days before or after `day`, named by its date."""
    there = date.fromisoformat(day)
    found = there + timedelta(rng.choice([each for each in range(-days, days + 1) if each]))
    return NamedDay(found.isoformat(), plain(found))


def plain(day: date) -> str:
    """Return the date in words, such as "on 13 March"."""
    return f"on {day.day} {MONTHS[day.month - 1]}"


def moved(iso: str, days: int) -> str:
    """Return the ISO date `days` days later."""
    return (date.fromisoformat(iso) + timedelta(days)).isoformat()


def _relative(rng: Random) -> bool:
    return rng.random() < RELATIVE


def _counted(day: date) -> list[str]:
    """Return the phrases, such as "on the second Friday in March", that name this day within its
    month.
    """
    weekday, month = WEEKDAYS[day.weekday()], MONTHS[day.month - 1]
    place = (day.day - 1) // 7
    named = [f"on the {COUNTED[place]} {weekday} in {month}"] if place < len(COUNTED) else []
    if (day + timedelta(7)).month != day.month:
        named.append(f"on the last {weekday} in {month}")
    return named


def _after(rng: Random, out: date) -> Iterator[NamedDay]:
    """Yield days for the return flight with phrases relative to the outward flight."""
    days = rng.randint(3, 12)
    yield _later(out, days, f"{NUMBERS[days]} days later")
    yield _later(out, 14, "exactly two weeks later")
    ahead = rng.randint(8, 13)
    weekday = WEEKDAYS[(out + timedelta(ahead)).weekday()]
    yield _later(out, ahead, f"on the second {weekday} after that")
    if out.weekday() != SUNDAY:
        there = rng.randrange(SUNDAY)
        ahead = 7 + there - out.weekday()
        yield _later(out, ahead, f"on the {WEEKDAYS[there]} of the week after")


def _later(out: date, days: int, text: str) -> NamedDay:
    return NamedDay((out + timedelta(days)).isoformat(), text)
