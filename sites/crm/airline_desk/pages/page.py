"""Render a screen as HTML in the style of its airline."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from flask import render_template

from sites import careless
from sites.crm.airline_desk.model.airline import Airline
from sites.crm.airline_desk.pages import widgets
from sites.crm.airline_desk.pages.screen import Form, Offers, Screen, SeatCell
from sites.crm.base.clock import TODAY


def render(screen: Screen, airline: Airline, csrf: str) -> str:
    """Return the HTML of a screen.

    Args:
        screen: The screen.
        airline: The airline.
        csrf: The token of the page's forms.
    """
    return render_template(
        "screen.html",
        screen=screen,
        airline=airline,
        csrf=csrf,
        today=airline.word("today", day=airline.formats.day(TODAY.isoformat())),
        front=widgets.front(airline) if has_widgets(screen, airline) else None,
        prepare=partial(widgets.prepare, airline),
        last_input=last_input(screen),
        by_state=by_state,
        shuffled=careless.shuffled,
        seat_sign=partial(seat_sign, airline),
    )


def has_widgets(screen: Screen, airline: Airline) -> bool:
    """Return whether the screen has a field that needs the page's JavaScript."""
    forms = (section for section in screen.sections if isinstance(section, Form))
    return any(widgets.is_scripted(airline, field) for form in forms for field in form.fields)


def last_input(screen: Screen) -> int:
    """Return the position (from 1) of the last section with inputs; 0 if there are none."""
    kinds = [isinstance(section, Form | Offers) for section in screen.sections]
    return max((place for place, filled in enumerate(kinds, start=1) if filled), default=0)


def by_state(seats: Sequence[SeatCell]) -> str:
    """Return the letters of a row of seats grouped by their state: `A C free; B taken`."""
    states: dict[str, list[str]] = {}
    for seat in seats:
        states.setdefault(seat.text, []).append(seat.code[-1])
    return "; ".join(f"{' '.join(letters)} {text}" for text, letters in states.items())


def seat_sign(airline: Airline, seat: SeatCell) -> str:
    """Return the sign of a seat in the plan: its letter if free, its price, or × if taken."""
    if seat.text == airline.word("free"):
        return seat.code[-1]
    before, after = airline.words["free-for"].split("{price}")
    if seat.text.startswith(before) and seat.text.endswith(after):
        return seat.text[len(before) : len(seat.text) - len(after)]
    return "×"
