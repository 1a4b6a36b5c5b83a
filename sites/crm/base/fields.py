"""What may be typed into each field, and its normal form.

Each function takes the text as typed and returns the normal text; it raises ValueError with a
sentence for the visitor where the text cannot be accepted.
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
"""No passenger is older, in years."""
LATEST_EXPIRY = 20
"""No card is good for longer, in years."""

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
    """The code of an airport that is named by its code, its name, or a city that has only one."""
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
    code, city, name = plain(airport.code), plain(airport.city), plain(airport.name)
    named = _CODE.search(typed)
    if named:
        before = typed[: named.start()].strip()
        return named[1] == code and before in {"", city, name}
    return typed in {code, city, name}


# Dates -------------------------------------------------------------------------------------------


def day(text: str) -> str:
    """An ISO date of one written in numbers or in words; a weekday, where given, must be right."""
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
    """A day on which we sell flights."""
    found = day(text)
    if not FIRST_DAY.isoformat() <= found <= LAST_DAY.isoformat():
        raise ValueError(f"We sell flights from {spoken(FIRST_DAY)} to {spoken(LAST_DAY)}.")
    return found


def birthday(text: str) -> str:
    found = day(text)
    if found > TODAY.isoformat():
        raise ValueError("This date is in the future. Check the year.")
    if found < TODAY.replace(year=TODAY.year - OLDEST).isoformat():
        raise ValueError(f"This date is more than {OLDEST} years ago. Check the year.")
    return found


def ordinal(day: str) -> int:
    """The number of an ISO date among all days."""
    return date.fromisoformat(day).toordinal()


def _date(typed: str, text: str) -> date:
    year, month, number = _parts(typed)
    try:
        return date(year, month, number)
    except ValueError:
        problem = f"There is no date “{short(text)}”. " if month else ""
        raise ValueError(f"{problem}{_HOW_DATES_LOOK}") from None


def _parts(typed: str) -> tuple[int, int, int]:
    """Year, month and day; a month of 0 where the text is no date at all."""
    if match := _ISO.fullmatch(typed):
        return int(match[1]), int(match[2]), int(match[3])
    if match := _DAY_FIRST.fullmatch(typed):
        return int(match[3]), _month(match[2]), int(match[1])
    if match := _MONTH_FIRST.fullmatch(typed):
        return int(match[3]), _month(match[1]), int(match[2])
    return 0, 0, 0


def _month(word: str) -> int:
    """The number of a month's name, 0 for another word."""
    place = _named(word, MONTHS)
    return 0 if place is None else place + 1


def _named(word: str, names: Sequence[str]) -> int | None:
    """The place of the name that the word is, or is the first letters of (three at least)."""
    bare = word.rstrip(".")
    fitting = [place for place, name in enumerate(names) if name.lower().startswith(bare)]
    return fitting[0] if len(bare) >= 3 and fitting else None


# Passengers --------------------------------------------------------------------------------------


def name(text: str, label: str) -> str:
    typed = " ".join(text.split())
    if not typed:
        raise ValueError(f"Give the {label}.")
    if len(typed) > LONGEST_NAME:
        raise ValueError(f"The {label} is longer than {LONGEST_NAME} characters. Shorten it.")
    if not typed.isprintable():
        raise ValueError(f"The {label} holds a character that cannot be printed. Remove it.")
    return typed


def choice(text: str, options: Sequence[str]) -> str:
    """The option that this is, whatever its letter case."""
    typed = plain(text)
    for option in options:
        if typed == option.lower():
            return option
    raise ValueError(f"Choose {', '.join(options[:-1])} or {options[-1]}.")


# Payment and references --------------------------------------------------------------------------


def card_number(text: str) -> str:
    """The digits; blanks and hyphens between them do not matter."""
    typed = re.sub(r"[\s-]", "", text)
    if not typed:
        raise ValueError("Give the card number.")
    if not re.fullmatch(r"[0-9]{13,19}", typed):
        raise ValueError("A card number has 13 to 19 digits.")
    if check_digit(typed[:-1]) != typed[-1]:
        raise ValueError("There is no card with this number. Check its digits.")
    return typed


def check_digit(digits: str) -> str:
    """The digit that must follow these in a card number (Luhn)."""
    doubled = [int(digit) * 2 for digit in digits[::-2]]
    total = sum(sum(divmod(number, 10)) for number in doubled)
    return str(-(total + sum(int(digit) for digit in digits[-2::-2])) % 10)


def expiry(text: str) -> str:
    """MM/YY of the card's last month."""
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
    """A month of 0 where the text is none."""
    if match := _EXPIRY.fullmatch(typed):
        year = int(match[2])
        return int(match[1]), year if year >= 100 else 2000 + year
    if match := _NAMED_EXPIRY.fullmatch(typed):
        return _month(match[1]), int(match[2])
    return 0, 0


def cvc(text: str) -> str:
    typed = "".join(text.split())
    if not re.fullmatch(r"[0-9]{3,4}", typed):
        raise ValueError("The CVC has 3 or 4 digits.")
    return typed


def reference(text: str) -> str:
    """Upper case, without blanks. Says nothing of whether there is such a booking."""
    typed = normal(text)
    if not typed:
        raise ValueError("Give the booking reference.")
    return typed


def short(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:40]}…"
