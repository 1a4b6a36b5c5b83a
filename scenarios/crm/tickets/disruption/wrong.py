"""Mistakes about a disrupted flight, each with a label and the wrong decision to which it leads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from scenarios.crm.policy.facts import Delay
from scenarios.crm.tickets.disruption.rules import (
    DisruptionCase,
    Made,
    Mistake,
    Option,
    Settled,
    Stranded,
    numbers_of,
    settle,
)
from sites.crm.airline_desk.handbook.edition import Edition
from sites.crm.airline_desk.handbook.zones import zone

BEARING = ("6", "14", "15", "16", "17", "18", "24", "25")
"""The numbers of the handbook's rules that may affect a ticket about a disrupted flight."""
OTHER_READING = {"cabin": "brand", "brand": "cabin"}


def left_out(case: DisruptionCase, right: Settled) -> Iterator[tuple[str, Settled]]:
    """Yield a label and a decision for each rule or bulletin without which the decision differs
    from the right one.
    """
    for number in (*BEARING, *numbers_of(case)):
        yield from _other(right, f"rule left out: {number}", case, Mistake(dropped=(number,)))


def misreadings(case: DisruptionCase, right: Settled) -> Iterator[tuple[str, Settled]]:
    """Yield a label and a wrong decision for each oversight or misreading that changes the
    decision.
    """
    for label, wrong in _mistakes(case).items():
        yield from _other(right, label, case, wrong)


def _other(
    right: Settled, label: str, case: DisruptionCase, wrong: Mistake
) -> Iterator[tuple[str, Settled]]:
    found = settle(case, wrong)
    if found.seen != right.seen:
        yield label, found


def _mistakes(case: DisruptionCase) -> Mapping[str, Mistake]:
    return {
        **_of_flights(),
        **_of_money(case),
        "acceptance overlooked": Mistake(event=lambda event: replace(event, accepted=False)),
        "letter that came back counted": Mistake(delay=_by_the_first_letter),
        "claim believed": Mistake(delay=lambda _, delay: _believed(case, delay)),
        "limit for each booking": Mistake(each_alone=True),
        "unpaid balance left": Mistake(paid=lambda _, made: replace(made, collect=0)),
        "address of the mail": Mistake(email=True),
        "address left as it was": Mistake(email=False),
    }


# Other flights -----------------------------------------------------------------------------------


def _of_flights() -> dict[str, Mistake]:
    return {
        "cabin for fare": Mistake(edition=_with_the_other_reading),
        "first to leave": Mistake(pick=lambda options: min(options, key=_departs)),
        "cheapest way, direct only": Mistake(options=_direct),
        "the booked day only": Mistake(options=lambda one: _on_days(one, 0)),
        "the next day only": Mistake(options=lambda one: _on_days(one, 1)),
        "before the booked time": Mistake(options=lambda one: one.early),
        "a seat for the infant": Mistake(seats=lambda one: len(one.booking.passengers)),
    }


def _with_the_other_reading(edition: Edition) -> Edition:
    return replace(edition, reroute_in=OTHER_READING[edition.reroute_in])


def _departs(option: Option) -> Any:
    return option.segments[0].departs, option.segments[-1].arrives


def _direct(one: Stranded) -> list[Option]:
    return [each for each in one.options if len(each.segments) == 1]


def _on_days(one: Stranded, offset: int) -> list[Option]:
    return [each for each in one.options if each.offset == offset]


# Money -------------------------------------------------------------------------------------------


def _of_money(case: DisruptionCase) -> dict[str, Mistake]:
    edition = case.edition
    return {
        "in full": Mistake(edition=lambda edition: replace(edition, half_hours=0)),
        "half of it": Mistake(edition=lambda edition: replace(edition, half_hours=999)),
        "late by the departure": Mistake(
            delay=lambda _, delay: replace(delay, minutes=delay.waiting)
        ),
        "miles of every flight": Mistake(paid=lambda one, made: _by_flights(edition, one, made)),
        "infants paid": Mistake(paid=_with_infants),
        "no meals for infants": Mistake(paid=_meals_without_infants),
        "meals that were begun": Mistake(
            delay=lambda _, delay: replace(
                delay, waiting=delay.waiting + edition.meal_hours * 60 - 1
            )
        ),
        "a hotel at home": Mistake(
            paid=lambda one, made: _with_hotel(edition, one, made, is_there=True)
        ),
        "no hotel": Mistake(paid=lambda one, made: _with_hotel(edition, one, made, is_there=False)),
        "a hotel for infants": Mistake(paid=_hotel_with_infants),
    }


def _by_the_first_letter(one: Stranded, delay: Delay) -> Delay:
    return replace(delay, warned=one.returned or delay.warned)


def _believed(case: DisruptionCase, delay: Delay) -> Delay:
    claim = case.claim
    if claim.about == "why":
        return replace(delay, cause=claim.value)
    return replace(delay, warned=claim.value)


def _by_flights(edition: Edition, one: Stranded, made: Made) -> Made:
    """Return the compensation by the sum of the miles of all flights."""
    way = one.booking.way(one.way)
    whole = edition.miles[zone(way[0].origin)][zone(way[-1].destination)]
    every = sum(edition.miles[zone(each.origin)][zone(each.destination)] for each in way)
    before, after = (_paid(edition, each) for each in (whole, every))
    return replace(made, late=made.late * after // before)


def _paid(edition: Edition, miles: int) -> int:
    if miles <= edition.near_miles:
        return edition.paid_near
    return edition.paid_middle if miles <= edition.far_miles else edition.paid_far


def _with_infants(one: Stranded, made: Made) -> Made:
    return replace(made, late=made.late // one.seats * len(one.booking.passengers))


def _meals_without_infants(one: Stranded, made: Made) -> Made:
    return replace(made, meals=made.meals // len(one.booking.passengers) * one.seats)


def _with_hotel(edition: Edition, one: Stranded, made: Made, *, is_there: bool) -> Made:
    """Return the decision with a hotel for everybody who leaves on a later day, or for nobody."""
    own = one.booking.way(one.way)
    is_later = made.flights is not None and made.flights.segments[0].day > own[0].day
    return replace(made, hotel=edition.hotel * one.seats if is_there and is_later else 0)


def _hotel_with_infants(one: Stranded, made: Made) -> Made:
    return replace(made, hotel=made.hotel // one.seats * len(one.booking.passengers))
