"""The formats in which an airline writes and reads dates, times and money."""

from __future__ import annotations

import re
from calendar import monthrange
from dataclasses import dataclass
from datetime import date

from sites.crm.base import fields
from sites.crm.base.clock import WEEKDAYS
from sites.crm.base.timetable import clock24
from sites.months import MONTHS

DAYS = ("d mon yyyy", "mm/dd/yyyy", "dd/mm/yyyy")
CLOCKS = ("24", "12")
MONEY = ("$1,250", "$1,250.00", "1.250,00 $")

_SLASHED = re.compile(r"([0-9]{1,2}) ?/ ?([0-9]{1,2}) ?/ ?([0-9]{4})")
_EXAMPLE = (2026, 3, 4)
_AMOUNTS = {
    "$1,250": re.compile(r"\$? ?((?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+))(?:\.([0-9]{2}))?"),
    "1.250,00 $": re.compile(r"((?:[0-9]{1,3}(?:\.[0-9]{3})+|[0-9]+))(?:,([0-9]{2}))? ?\$?"),
}
_AMOUNTS["$1,250.00"] = _AMOUNTS["$1,250"]
LONGEST_AMOUNT = 7
"""Maximum number of digits of a typed amount of money."""


@dataclass(frozen=True)
class Formats:
    """The formats of an airline.

    Attributes:
        day_form: One of `DAYS`.
        clock_form: One of `CLOCKS`.
        money_form: One of `MONEY`.
        date_hint: A hint how to write a date; "" if the fields understand many forms.

    Raises:
        ValueError: A form is unknown.
    """

    day_form: str
    clock_form: str
    money_form: str
    date_hint: str = ""

    def __post_init__(self) -> None:
        _check(self.day_form, DAYS)
        _check(self.clock_form, CLOCKS)
        _check(self.money_form, MONEY)

    def day(self, iso: str) -> str:
        """Return an ISO date in the airline's format, such as 01/15/2026."""
        return self.written(*map(int, iso.split("-")))

    def written(self, year: int, month: int, day: int) -> str:
        """Return a date in the airline's format, even if the calendar has no such day, such as 30
        February.
        """
        if self.day_form == "mm/dd/yyyy":
            return f"{month:02}/{day:02}/{year:04}"
        if self.day_form == "dd/mm/yyyy":
            return f"{day:02}/{month:02}/{year:04}"
        return f"{day} {MONTHS[month - 1][:3]} {year}"

    def long_day(self, iso: str) -> str:
        """Return an ISO date in the airline's format with the weekday."""
        return f"{WEEKDAYS[date.fromisoformat(iso).weekday()][:3]}, {self.day(iso)}"

    def clock(self, minutes: int) -> str:
        """Return a time in the airline's format; it is given in minutes of the local day."""
        if self.clock_form == "24":
            return clock24(minutes)
        hour = minutes // 60
        return f"{hour % 12 or 12}:{minutes % 60:02} {'PM' if hour >= 12 else 'AM'}"

    def money(self, dollars: int) -> str:
        """Return an amount of whole dollars in the airline's format; a minus sign comes first."""
        sign, amount = "−" if dollars < 0 else "", f"{abs(dollars):,}"
        if self.money_form == "1.250,00 $":
            return f"{sign}{amount.replace(',', '.')},00 $"
        return f"{sign}${amount}{'.00' if self.money_form == '$1,250.00' else ''}"

    def read_day(self, text: str) -> str:
        """Return the ISO date that a text in the airline's format stands for.

        Raises ValueError with a sentence.
        """
        if self.day_form == "d mon yyyy":
            return fields.day(text)
        match = _SLASHED.fullmatch(text.strip())
        if match is None:
            raise ValueError(f"Write the date like {self.written(*_EXAMPLE)}: {self.date_hint}.")
        one, two, year = map(int, match.groups())
        month, day = (one, two) if self.day_form == "mm/dd/yyyy" else (two, one)
        return self.day_of(year, month, day)

    def day_of(self, year: int, month: int, day: int) -> str:
        """Return the ISO date of year, month and day. Raises ValueError with a sentence for the
        visitor.
        """
        try:
            return date(year, month, day).isoformat()
        except ValueError:
            raise ValueError(self._no_such_day(year, month, day)) from None

    def _no_such_day(self, year: int, month: int, day: int) -> str:
        """Return the error message for a day that does not exist."""
        if not 1 <= month <= len(MONTHS):
            return f"There is no month {month}. Write the date like {self.written(*_EXAMPLE)}."
        if not 1 <= year <= 9999:
            return f"There is no year {year}. Check the date."
        last = monthrange(year, month)[1]
        written = self.written(year, month, day)
        return f"There is no {written}: {MONTHS[month - 1]} {year} has {last} days."

    def read_money(self, text: str) -> int:
        """Return the whole dollars that a text stands for. Raises ValueError with a sentence for
        the visitor.
        """
        match = _AMOUNTS[self.money_form].fullmatch(" ".join(text.split()))
        if match is None:
            raise ValueError(f"Write the amount like {self.money(1250)}.")
        if match[2] not in {None, "00"}:
            raise ValueError("Give whole dollars, without cents.")
        digits = re.sub(r"[.,]", "", match[1]).lstrip("0") or "0"
        if len(digits) > LONGEST_AMOUNT:
            raise ValueError("This amount is too large. Check its digits.")
        return int(digits)


def _check(form: str, forms: tuple[str, ...]) -> None:
    """Raise ValueError if the name of a format is unknown."""
    if form not in forms:
        raise ValueError(f"the format {form!r} is none of {', '.join(forms)}")
