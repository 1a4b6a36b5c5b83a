"""Read the date that an answer states, alone or in a sentence."""

from __future__ import annotations

import re
from datetime import date

from evaluators.scoring._refused import Refused, only

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_DAY, _YEAR = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?", r"(?P<year>\d{4})"
_HOUR = r"(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d+)?)?"
_TIME = rf"(?:[T\s]{_HOUR}(?:\s?Z|\s?[+-]\d\d:?\d\d)?)?"
_DATES = tuple(
    re.compile(rf"(?<![\w/.-]){form}(?![-/.]?\w)", re.IGNORECASE)
    for form in (
        rf"{_MONTH}\s+{_DAY},?\s+{_YEAR}",
        rf"{_DAY}[\s-]+(?:of\s+)?{_MONTH},?[\s-]+{_YEAR}",
        rf"(?P<year>\d{{4}})(?P<mark>[-/.])(?P<month>\d{{1,2}})(?P=mark)(?P<day>\d{{1,2}}){_TIME}",
        r"(?P<month>\d{1,2})(?P<mark>[-/.])(?P<day>\d{1,2})(?P=mark)(?P<year>\d{4})",
    )
)
_DAYS = rf"{_DAY}[\s-]+(?:of\s+)?{_MONTH}|{_MONTH}\s+{_DAY}"
_WITHOUT_YEAR = re.compile(re.sub(r"\?P<\w+>", "?:", rf"\b(?:{_DAYS})\b"), re.IGNORECASE)
_NTH = r"(?<![\w.,])\d{1,2}(?:st|nd|rd|th)?"
_JOINED = r"\s*(?:-|&|/|\b(?:to|or|and|until|through)\b)\s*(?:the\s+)?"
_ANOTHER_DAY = re.compile(
    rf"{_NTH}{_JOINED}@|@{_JOINED}{_NTH}(?!\w)|(?<!\w)(?:not|\w+n't|around|about|approximately"
    r"|roughly|circa|before|after)\s+(?:on\s+)?(?:the\s+)?@",
    re.IGNORECASE,
)
"""A pattern of words near a date (here `@`) that refer to another day: "7 or @", "@ to 8", "not @".
"""


def day(text: str) -> date:
    """Return the date that a plain text states.

    Raises:
        Refused: The text states no date, several dates, or a day without its year.
    """
    found = [each for form in _DATES for each in form.finditer(text)]
    stated, rest = only({*map(_day, found)}, "date"), text
    for each in found:
        rest = rest.replace(each[0], "@")
    if _ANOTHER_DAY.search(rest) or _WITHOUT_YEAR.search(rest):
        raise Refused("no single date")
    return stated


def _day(found: re.Match[str]) -> date:
    """Return the date of a match.

    In a date of figures with the year last, day and month are ambiguous unless one exceeds 12.
    """
    day, month, year = int(found["day"]), found["month"].lower()[:3], int(found["year"])
    number = _MONTHS.index(month) + 1 if month in _MONTHS else int(month)
    if month.isdecimal() and found.start("year") > found.start("day"):
        if max(day, number) <= 12 and day != number:
            raise Refused("ambiguous date")
        day, number = max(day, number), min(day, number)
    try:
        return date(year, number, day)
    except ValueError:
        raise Refused("no date") from None
