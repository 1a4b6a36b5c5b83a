"""Days of travel as people name them, relative to the calendar or to another day.

Every way has one reading: "the week after" is only used where weeks from Monday and weeks from
Sunday agree, and "next Friday" never.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random

from sites.crm.base.clock import WEEKDAYS
from sites.months import MONTHS

FIRST, LAST = date(2026, 2, 2), date(2026, 11, 2)
"""The way out is on one of these days."""
COUNTED = ("first", "second", "third", "fourth")
NUMBERS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen"),
)
SUNDAY = 6
RELATIVE = 0.75
"""This share of the days is named by a weekday or by another day."""


@dataclass(frozen=True)
class NamedDay:
    """An ISO date, and how the request names it: a phrase that follows a verb of travel."""

    iso: str
    text: str


def outward(rng: Random) -> NamedDay:
    """A day for the way out."""
    day = FIRST + timedelta(rng.randrange((LAST - FIRST).days + 1))
    return NamedDay(day.isoformat(), rng.choice(_counted(day)) if _relative(rng) else plain(day))


def homeward(rng: Random, out: str) -> NamedDay:
    """A day for the way back, some days after the way out."""
    there = date.fromisoformat(out)
    ways = [*_after(rng, there)] if _relative(rng) else []
    if ways:
        return rng.choice(ways)
    day = there + timedelta(rng.randint(3, 18))
    return NamedDay(day.isoformat(), plain(day))


def another(rng: Random, day: str, days: int = 7) -> NamedDay:
    """A plainly named day that is not that one, at most so many days away."""
    there = date.fromisoformat(day)
    found = there + timedelta(rng.choice([each for each in range(-days, days + 1) if each]))
    return NamedDay(found.isoformat(), plain(found))


def plain(day: date) -> str:
    """on 13 March"""
    return f"on {day.day} {MONTHS[day.month - 1]}"


def moved(iso: str, days: int) -> str:
    """The ISO date so many days later."""
    return (date.fromisoformat(iso) + timedelta(days)).isoformat()


def _relative(rng: Random) -> bool:
    return rng.random() < RELATIVE


def _counted(day: date) -> list[str]:
    """on the second Friday in March"""
    weekday, month = WEEKDAYS[day.weekday()], MONTHS[day.month - 1]
    place = (day.day - 1) // 7
    named = [f"on the {COUNTED[place]} {weekday} in {month}"] if place < len(COUNTED) else []
    if (day + timedelta(7)).month != day.month:
        named.append(f"on the last {weekday} in {month}")
    return named


def _after(rng: Random, out: date) -> Iterator[NamedDay]:
    """Days that are named by the way out."""
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
