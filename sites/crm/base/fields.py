"""For each form field, a function that checks its text and converts it to a normal form.

Each function takes the text as typed and returns the normal text. It raises ValueError with a
sentence for the visitor if the text is not acceptable.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

from sites.crm.base.address import normal
from sites.crm.base.airports import Airport, Airports, plain
from sites.crm.base.clock import FIRST_DAY, LAST_DAY, TODAY, WEEKDAYS, spoken
from sites.months import MONTHS

LONGEST_NAME = 60
OLDEST = 120
"""Maximum age of a passenger in years."""
LATEST_EXPIRY = 20
"""Maximum number of years for which a card is valid."""

TITLES = ("Mr", "Mrs", "Ms", "Dr")
GENDERS = ("Female", "Male", "Unspecified")
TRIPS = ("return", "one-way")

_CODE = re.compile(r"\(([a-z]{3})\)")
_ISO = re.compile(r"([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})")
_DAY_FIRST = re.compile(r"(?:the )?([0-9]{1,2})(?:st|nd|rd|th)?(?: of)? ([a-z]+)\.? ([0-9]{4})")
_MONTH_FIRST = re.compile(r"([a-z]+)\.? (?:the )?([0-9]{1,2})(?:st|nd|rd|th)? ([0-9]{4})")
_EXPIRY = re.compile(r"([0-9]{1,2}) ?[/-] ?([0-9]{4}|[0-9]{2})")
_NAMED_EXPIRY = re.compile(r"([a-z]+) ([0-9]{4})")
_HOW_DATES_LOOK = "Write the date like 2026-03-04 or 4 March 2026."


# Airports ----------------------------------------------------------------------------------------


def airport(airports: Airports, text: str) -> str:
    """Return the code of an airport.

    Args:
        airports: All airports.
        text: A code, the airport's name, or a city with a single airport.

    Raises:
        ValueError: No airport, or more than one, is meant.
    """
    typed = plain(text)
    if not typed:
        raise ValueError("Give an airport: its code or its city.")
    found = [each for each in airports.values() if _is_called(each, typed)]
    if len(found) == 1:
        return found[0].code
    if found:
        labels = " or ".join(each.label for each in found)
        raise ValueError(f"{found[0].city} has more than one airport. Choose {labels}.")
    raise ValueError(f"We do not fly to “{short(text)}”. Choose an airport from the list.")


def _is_called(airport: Airport, typed: str) -> bool:
    """Return whether a typed text names the airport by code, city or name."""
    code, city, name = plain(airport.code), plain(airport.city), plain(airport.name)
    named = _CODE.search(typed)
    if named:
        before = typed[: named.start()].strip()
        return named[1] == code and before in {"", city, name}
    return typed in {code, city, name}


# Dates -------------------------------------------------------------------------------------------


def day(text: str) -> str:
    """Return the ISO date of a text.

    Args:
        text: A date in numbers or in words. A weekday before it must be the right one.

    Raises:
        ValueError: The text is no date.
    """
    words = plain(text).replace(",", " ").split()
    weekday = words.pop(0) if words and _named(words[0], WEEKDAYS) is not None else ""
    typed = " ".join(words)
    if not typed:
        raise ValueError("Give a date.")
    found = _date(typed, text)
    if weekday and _named(weekday, WEEKDAYS) != found.weekday():
        raise ValueError(f"{spoken(found)} is a {WEEKDAYS[found.weekday()]}. Check the date.")
    return found.isoformat()


def flight_day(text: str) -> str:
    """Return an ISO date on which flights are sold. Raises `ValueError` for other dates."""
    found = day(text)
    if not FIRST_DAY.isoformat() <= found <= LAST_DAY.isoformat():
        raise ValueError(f"We sell flights from {spoken(FIRST_DAY)} to {spoken(LAST_DAY)}.")
    return found


def birthday(text: str) -> str:
    """Return the ISO date of a date of birth. Raises `ValueError` if nobody can be born on it."""
    found = day(text)
    if found > TODAY.isoformat():
        raise ValueError("This date is in the future. Check the year.")
    if found < TODAY.replace(year=TODAY.year - OLDEST).isoformat():
        raise ValueError(f"This date is more than {OLDEST} years ago. Check the year.")
    return found


def ordinal(day: str) -> int:
    """Return the ordinal number of an ISO date, for counting days."""
    return date.fromisoformat(day).toordinal()


def _date(typed: str, text: str) -> date:
    """Return the date that a text states. Raises `ValueError`."""
    year, month, number = _parts(typed)
    try:
        return date(year, month, number)
    except ValueError:
        problem = f"There is no date “{short(text)}”. " if month else ""
        raise ValueError(f"{problem}{_HOW_DATES_LOOK}") from None


def _parts(typed: str) -> tuple[int, int, int]:
    """Return year, month and day; the month is 0 if the text is no date."""
    if match := _ISO.fullmatch(typed):
        return int(match[1]), int(match[2]), int(match[3])
    if match := _DAY_FIRST.fullmatch(typed):
        return int(match[3]), _month(match[2]), int(match[1])
    if match := _MONTH_FIRST.fullmatch(typed):
        return int(match[3]), _month(match[1]), int(match[2])
    return 0, 0, 0


def _month(word: str) -> int:
    """Return the number of a month's name, 0 for another word."""
    place = _named(word, MONTHS)
    return 0 if place is None else place + 1


def _named(word: str, names: Sequence[str]) -> int | None:
    """Return the index of the name (of a month or weekday) that a word of three letters or more
    abbreviates, or None.
    """
    bare = word.rstrip(".")
    fitting = [place for place, name in enumerate(names) if name.lower().startswith(bare)]
    return fitting[0] if len(bare) >= 3 and fitting else None


# Passengers --------------------------------------------------------------------------------------


def name(text: str, label: str) -> str:
    """Return a name without surplus blanks. Raises `ValueError` if it is empty or too long."""
    typed = " ".join(text.split())
    if not typed:
        raise ValueError(f"Give the {label}.")
    if len(typed) > LONGEST_NAME:
        raise ValueError(f"The {label} is longer than {LONGEST_NAME} characters. Shorten it.")
    if not typed.isprintable():
        raise ValueError(f"The {label} holds a character that cannot be printed. Remove it.")
    return typed


def choice(text: str, options: Sequence[str]) -> str:
    """Return the option that a text means, ignoring case. Raises `ValueError` for other texts."""
    typed = plain(text)
    for option in options:
        if typed == option.lower():
            return option
    raise ValueError(f"Choose {', '.join(options[:-1])} or {options[-1]}.")


# Payment and references --------------------------------------------------------------------------


def card_number(text: str) -> str:
    """Return the digits of a card number. Blanks and hyphens between them are ignored.

    Raises:
        ValueError: The length or the check digit is wrong.
    """
    typed = re.sub(r"[\s-]", "", text)
    if not typed:
        raise ValueError("Give the card number.")
    if not re.fullmatch(r"[0-9]{13,19}", typed):
        raise ValueError("A card number has 13 to 19 digits.")
    if check_digit(typed[:-1]) != typed[-1]:
        raise ValueError("There is no card with this number. Check its digits.")
    return typed


def check_digit(digits: str) -> str:
    """Return the check digit that must follow these digits in a card number (Luhn)."""
    doubled = [int(digit) * 2 for digit in digits[::-2]]
    total = sum(sum(divmod(number, 10)) for number in doubled)
    return str(-(total + sum(int(digit) for digit in digits[-2::-2])) % 10)


def expiry(text: str) -> str:
    """Return the last month of a card as MM/YY. Raises `ValueError` if it is unreadable or over."""
    typed = plain(text)
    if not typed:
        raise ValueError("Give the expiry date of the card.")
    month, year = _month_and_year(typed)
    if not 1 <= month <= 12:
        raise ValueError("Write the expiry date like 09/27: month, then year.")
    if (year, month) < (TODAY.year, TODAY.month):
        raise ValueError("This card has expired. Take another card.")
    if year > TODAY.year + LATEST_EXPIRY:
        raise ValueError("No card is valid for so long. Check the year.")
    return f"{month:02}/{year % 100:02}"


def _month_and_year(typed: str) -> tuple[int, int]:
    """Return month and year; the month is 0 if the text is unreadable."""
    if match := _EXPIRY.fullmatch(typed):
        year = int(match[2])
        return int(match[1]), year if year >= 100 else 2000 + year
    if match := _NAMED_EXPIRY.fullmatch(typed):
        return _month(match[1]), int(match[2])
    return 0, 0


def cvc(text: str) -> str:
    """Return the digits of a CVC. Raises `ValueError` unless they are 3 or 4."""
    typed = "".join(text.split())
    if not re.fullmatch(r"[0-9]{3,4}", typed):
        raise ValueError("The CVC has 3 or 4 digits.")
    return typed


def reference(text: str) -> str:
    """Return a typed booking reference in upper case, without blanks. Raises `ValueError` if it is
    empty.

    It does not check that the booking exists.
    """
    typed = normal(text)
    if not typed:
        raise ValueError("Give the booking reference.")
    return typed


def short(text: str) -> str:
    """Return at most 40 characters of a text, for messages."""
    return text if len(text) <= 40 else f"{text[:40]}…"
