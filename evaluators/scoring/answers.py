"""What an agent answered, read once by the kind of answer that its task asks for.

An answer is one value. What cannot be read as one (nothing, a page's worth of text, a sentence
with two numbers) is refused by name; it is a wrong answer, never an exception.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any, TypeVar

from agent.interface import Answer, AnswerSchema

Value = TypeVar("Value")
LONGEST = 2_000
"""Characters; a longer answer is refused unread."""
FOUND, NOT_FOUND, NOT_ACHIEVABLE = "SUCCESS", "NOT_FOUND", "NOT_ACHIEVABLE"


@dataclass(frozen=True)
class Unreadable:
    """Why an answer is none: "empty", "too long", "no number", "several numbers", ..."""

    why: str


class _Refused(Exception):
    """The text is no value of that kind; says why in two words."""


def read(schema: AnswerSchema, text: str) -> Answer | Unreadable:
    """The answer that a text is.

    Values by kind: money and number `Decimal`, date `datetime.date`, text `str` in lower case
    with single blanks, list a sorted tuple of such texts, yes_no `bool`.
    """
    if len(text) > LONGEST:
        return Unreadable("too long")
    bare = _bare(text)
    if not bare:
        return Unreadable("empty")
    status = _STATUSES.get(re.sub(r"[\W_]+", " ", bare.casefold()).strip())
    if status is not None:
        return Answer(status)
    try:
        return Answer(FOUND, _READERS[schema.kind](bare))
    except _Refused as error:
        return Unreadable(str(error))


def gave_up(text: str) -> bool:
    """Whether it says that what was asked for is not there or cannot be done."""
    given = read(AnswerSchema("text"), text)
    return isinstance(given, Answer) and given.status != FOUND


def is_refusal(text: str) -> bool:
    """Whether it says that what was asked for cannot be done."""
    given = read(AnswerSchema("text"), text)
    return isinstance(given, Answer) and given.status == NOT_ACHIEVABLE


_STATUSES = {
    "not found": NOT_FOUND,
    "none": NOT_FOUND,
    "none found": NOT_FOUND,
    "nothing found": NOT_FOUND,
    "no such order": NOT_FOUND,
    "not achievable": NOT_ACHIEVABLE,
    "n a": NOT_ACHIEVABLE,
    "impossible": NOT_ACHIEVABLE,
    "not possible": NOT_ACHIEVABLE,
    "cannot be done": NOT_ACHIEVABLE,
}

# One value ---------------------------------------------------------------------------------------

_LABEL = re.compile(r"(?:the )?answer(?: is)?:?\s+", re.IGNORECASE)
_QUOTES = "\"'`*“”‘’"
_COMMA = r"\d{1,3}(?:\.\d{3})+,\d\d|\d+,\d\d"
"""As some of our airlines write money: 1.250,00 $."""
_NUMBER = re.compile(rf"(?<![\w.,])-?\$?\s?(?:{_COMMA}|\d[\d,]*(?:\.\d+)?)(?![\d%]|,\d)")
_AMOUNT = re.compile(r"-?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?")


def _bare(text: str) -> str:
    """Without what people put around a value: blanks, quotes, a final period, "Answer:"."""
    kept = _LABEL.sub("", text.strip(), count=1) if _LABEL.match(text.strip()) else text.strip()
    return kept.strip().removesuffix(".").strip(_QUOTES).strip().removesuffix(".").strip()


def _number(text: str) -> Decimal:
    return _only({_decimal(each[0]) for each in _NUMBER.finditer(text)}, "number")


def _only(found: set[Value], kind: str) -> Value:
    if len(found) != 1:
        raise _Refused(f"several {kind}s" if found else f"no {kind}")
    return found.pop()


def _decimal(written: str) -> Decimal:
    amount = re.sub(r"[$\s]", "", written).rstrip(",")
    if re.fullmatch(f"-?(?:{_COMMA})", amount):
        return Decimal(amount.replace(".", "").replace(",", "."))
    if not _AMOUNT.fullmatch(amount):
        raise _Refused("no number")
    return Decimal(amount.replace(",", ""))


def folded(text: str) -> str:
    """In lower case with single blanks."""
    return " ".join(text.casefold().split())


def _yes_no(text: str) -> bool:
    word = re.match(r"\w+", text.casefold())
    known = {"yes": True, "true": True, "no": False, "false": False}
    if word is None or word[0] not in known:
        raise _Refused("neither yes nor no")
    return known[word[0]]


# Dates -------------------------------------------------------------------------------------------

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = r"(?P<month>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_DAY, _YEAR = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?", r"(?P<year>\d{4})"
_DATES = tuple(
    re.compile(rf"(?<!\w){form}(?!\w)", re.IGNORECASE)
    for form in (
        rf"{_MONTH}\s+{_DAY},?\s+{_YEAR}",
        rf"{_DAY}\s+(?:of\s+)?{_MONTH},?\s+{_YEAR}",
        r"(?P<year>\d{4})-(?P<month>\d{2})-(?P<day>\d{2})",
        r"(?P<month>\d{1,2})/(?P<day>\d{1,2})/(?P<year>\d{4})",
    )
)


def _date(text: str) -> date:
    return _only({_day(each) for form in _DATES for each in form.finditer(text)}, "date")


def _day(found: re.Match[str]) -> date:
    """One with slashes tells day and month apart only where one of them is no month."""
    day, month, year = int(found["day"]), found["month"].lower()[:3], int(found["year"])
    number = _MONTHS.index(month) + 1 if month in _MONTHS else int(month)
    if "/" in found[0]:
        if max(day, number) <= 12 and day != number:
            raise _Refused("ambiguous date")
        day, number = max(day, number), min(day, number)
    try:
        return date(year, number, day)
    except ValueError:
        raise _Refused("no date") from None


# Lists -------------------------------------------------------------------------------------------

_BULLET = re.compile(r"^\s*(?:[-*•]|\d+[.)])\s+")


def _list(text: str) -> tuple[str, ...]:
    """Items by lines, else by semicolons, else by commas and a final "and"; or as JSON."""
    items = [folded(_bare(_BULLET.sub("", each))) for each in _items(text)]
    kept = sorted({each for each in items if each})
    if not kept:
        raise _Refused("no items")
    return tuple(kept)


def _items(text: str) -> list[str]:
    if text.startswith("["):
        return _from_json(text)
    for separator in ("\n", ";"):
        if separator in text:
            return text.split(separator)
    return re.split(r",\s*and\s+|,|\s+and\s+", text, flags=re.IGNORECASE)


def _from_json(text: str) -> list[str]:
    try:
        read = json.loads(text)
    except (ValueError, RecursionError):
        raise _Refused("no list") from None
    if not isinstance(read, list) or not all(isinstance(each, str) for each in read):
        raise _Refused("no list")
    return read


_READERS: Mapping[str, Callable[[str], Any]] = {
    "number": _number,
    "money": _number,
    "date": _date,
    "text": folded,
    "list": _list,
    "yes_no": _yes_no,
}
