"""Spellings of dates, times, cards and other values; the first spelling is canonical."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date
from random import Random

from sites.crm import CrmData
from sites.crm.base.clock import WEEKDAYS
from sites.crm.base.timetable import clock12, clock24
from sites.months import MONTHS


def of_airport(code: str, data: CrmData) -> tuple[str, ...]:
    """Return spellings of an airport: code, city if it is the city's only airport, and name."""
    airport = data.airports[code]
    only_airport = sum(each.city == airport.city for each in data.airports.values()) == 1
    city = (airport.city, f"{airport.city} ({code})") if only_airport else ()
    return tuple(dict.fromkeys((code, *city, airport.name, airport.label)))


def of_date(iso: str) -> tuple[str, ...]:
    """Return `2026-03-12`, `12 March 2026`, `March 12, 2026`, `the 12th of March 2026`, ..."""
    day = date.fromisoformat(iso)
    month, weekday = MONTHS[day.month - 1], WEEKDAYS[day.weekday()]
    counted = f"{day.day}{_ending(day.day)}"
    return (
        iso,
        f"{day.day} {month} {day.year}",
        f"{month} {day.day}, {day.year}",
        f"{day.day} {month[:3]} {day.year}",
        f"{weekday} {day.day} {month} {day.year}",
        f"the {counted} of {month} {day.year}",
        f"{month} {counted}, {day.year}",
    )


def _ending(number: int) -> str:
    if 10 < number < 20:
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")


def of_time(minutes: int) -> tuple[str, ...]:
    """Return `7:01pm`, `7:01 pm` and `19:01` for the minutes of a day."""
    short = clock12(minutes)
    return short, f"{short[:-2]} {short[-2:]}", clock24(minutes)


def published_time(minutes: int) -> str:
    """Return the published scenarios' 12-hour text: `7:01pm`, and `0:13pm` in the midday hour."""
    hour, minute = divmod(minutes, 60)
    return f"{hour % 12}:{minute:02}{'pm' if hour >= 12 else 'am'}"


def of_card(digits: str) -> tuple[str, ...]:
    """Return the digits in one piece, in fours with blanks, and in fours with hyphens."""
    fours = [digits[at : at + 4] for at in range(0, len(digits), 4)]
    return digits, " ".join(fours), "-".join(fours)


def of_expiry(expiry: str) -> tuple[str, ...]:
    """Return `09/27`, `09/2027` and `September 2027`."""
    month, year = expiry.split("/")
    return expiry, f"{month}/20{year}", f"{MONTHS[int(month) - 1]} 20{year}"


def card_words(rng: Random, card: Mapping[str, str]) -> dict[str, str]:
    """Draw spellings of a card's number and expiry, by placeholder of the phrasings.

    Args:
        card: The values of the card's form fields.
    """
    return {
        "card": rng.choice(of_card(card["card-number"])),
        "expiry": rng.choice(of_expiry(card["expiry"])),
        "cvc": card["cvc"],
    }


def of_gender(gender: str) -> tuple[str, ...]:
    """Return `female` and `woman`, or `male` and `man`."""
    return {"Female": ("female", "woman"), "Male": ("male", "man")}[gender]


def occurs(spelling: str, text: str) -> bool:
    """Return whether the text contains the spelling as whole words, ignoring letter case."""
    wanted, shown = spelling.casefold(), text.casefold()
    if wanted not in shown:  # most are not: no pattern is made for them
        return False
    return re.search(rf"(?<!\w){re.escape(wanted)}(?!\w)", shown) is not None


def written_in(text: str, spellings: Sequence[str]) -> str:
    """Return the longest spelling that occurs in the text, or else the canonical spelling."""
    found = [each for each in spellings if occurs(each, text)]
    return max(found, key=len) if found else spellings[0]
