"""Formats of days and money on all pages that differ from the shops' own.

The dial (difficulty setting) `formats` chooses the formats. The finished page is rewritten just
before it is sent, so no place is forgotten. Text that a customer wrote stays unchanged: text under
`translate="no"`, in a field, or in an attribute.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from flask import Flask, Response, g

from sites.dials import Dials
from sites.months import MONTHS
from sites.world import World

_OWN = (
    r"\$(?P<whole>[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.(?P<cents>[0-9]{2}))?(?![0-9])"
    rf"|(?P<month>{'|'.join(MONTHS)}) (?P<day>[0-9]{{1,2}}), (?P<year>[0-9]{{4}})"
    r"|\b(?P<dotted>[0-9]{2}\.[0-9]{2}\.[0-9]{4})\b"
)
"""A pattern of an amount of either shop, a day of the store, or a day of the outlet."""
_KEPT = (
    r'<(?P<tag>\w+)[^>]* translate="no"[^>]*>.*?</(?P=tag)>'
    r"|<textarea\b.*?</textarea>"
    r"|<[^>]*>"
)
_IN_TEXT = re.compile(_OWN)
_ON_PAGE = re.compile(rf"(?P<kept>{_KEPT})|{_OWN}", re.DOTALL)
_WRITTEN = re.compile(
    r"(?P<whole>[0-9]{1,3}(?:\.[0-9]{3})+|[0-9]+)(?:,(?P<cents>[0-9]{2}))? \$"
    r"|\b(?P<first>[0-9]{2})/(?P<second>[0-9]{2})/(?P<year>[0-9]{4})\b"
)
_TYPED = re.compile(r"\s*\$?\s*([0-9]{1,2}\.[0-9]{3}|[0-9]{1,5})(?:,([0-9]{2}))?\s*\$?\s*")
EXAMPLE = "1.250,00 $"
TYPED_LIKE = f"Write it like {EXAMPLE}"


@dataclass(frozen=True)
class Formats:
    """Amounts like 1.250,00 $ and days like 03/04/2026, with the day or the month first."""

    day_first: bool

    def written(self, text: str) -> str:
        """Return a shop's text with its days and amounts in these formats."""
        return _IN_TEXT.sub(self._one, text)

    def page(self, markup: str) -> str:
        """Return a page's markup with its days and amounts in these formats."""
        return _ON_PAGE.sub(lambda found: found["kept"] or self._one(found), markup)

    def read(self, text: str) -> str:
        """Return a page's text with its days and amounts in the store's formats."""
        return _WRITTEN.sub(self._read, text)

    def read_amount(self, typed: str) -> str:
        """Return an amount that a customer typed, as the store writes it; "" for other texts."""
        found = _TYPED.fullmatch(typed)
        return f"{found[1].replace('.', '')}.{found[2] or '00'}" if found else ""

    @property
    def hint(self) -> str:
        order = "day/month/year" if self.day_first else "month/day/year"
        return (
            f"On our pages a day is written as {order}, and an amount like {EXAMPLE}, with a comma"
            " before the cents."
        )

    def _one(self, found: re.Match[str]) -> str:
        if found["whole"]:
            cents = f",{found['cents']}" if found["cents"] else ""
            return f"{int(found['whole'].replace(',', '')):,}".replace(",", ".") + f"{cents} $"
        if found["dotted"]:
            day, month, year = found["dotted"].split(".")
        else:
            day, year = f"{found['day']:0>2}", found["year"]
            month = f"{MONTHS.index(found['month']) + 1:02}"
        return "/".join((day, month, year) if self.day_first else (month, day, year))

    def _read(self, found: re.Match[str]) -> str:
        if found["whole"]:
            cents = f".{found['cents']}" if found["cents"] else ""
            return f"${int(found['whole'].replace('.', '')):,}{cents}"
        day, month = found["first"], found["second"]
        if not self.day_first:
            day, month = month, day
        return f"{MONTHS[int(month) - 1]} {int(day)}, {found['year']}"


def chosen(number: int) -> Formats | None:
    """Return the formats that a number of the dial (difficulty setting) `formats` selects; None for
    0, the shops' own formats.
    """
    return Formats(day_first=number == 1) if number else None


def of(world: World | None) -> Formats | None:
    """Return the formats of a visit's pages; None if they are the shops' own."""
    dials = Dials.of(world) if world is not None else None
    return chosen(dials.formats) if dials else None


def install(app: Flask) -> None:
    """Make a Flask application rewrite its pages by the visit's dial (difficulty setting)
    `formats`.
    """
    app.after_request(_write)
    app.add_template_global(hint, "format_hint")
    app.add_template_global(amount_hint)


def hint(world: World | None) -> str:
    """Return the footer text that explains the formats of days and amounts; "" for the usual
    formats.
    """
    formats = of(world)
    return formats.hint if formats else ""


def amount_hint(world: World | None) -> str:
    """Return the hint beside a field for an amount, which shows how to write it; "" for the usual
    formats.
    """
    return TYPED_LIKE if of(world) else ""


def read_amount(world: World, typed: str) -> str:
    """Return an amount that a customer typed, as the shops write it."""
    formats = of(world)
    return formats.read_amount(typed) if formats else typed


def _write(response: Response) -> Response:
    formats = of(g.get("world"))
    if formats is not None and response.mimetype == "text/html":
        response.set_data(formats.page(response.get_data(as_text=True)))
    return response
