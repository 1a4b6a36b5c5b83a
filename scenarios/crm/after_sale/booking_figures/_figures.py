"""Questions about a company's trips: the conditions on a trip, and how the answer is computed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from agent.interface import AnswerSchema
from scenarios.crm.after_sale.booking_figures._company import VOUCHER, Trip
from scenarios.crm.airline_desk.bookings import CARD
from sites.crm.airline_desk.model.records import CANCELLED

NOTHING = "NOT_FOUND"
"""The answer if no trip meets the conditions."""
CLEAR_DOLLARS = 2
"""The least dollars for each person by which the dearest trip must lead the second dearest."""
Figure = Callable[[Sequence[Trip]], str]

# Trips that count ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Condition:
    """A condition on the trips that count for a question.

    Attributes:
        kind: The name of the phrasing that states it, and the key of its test.
        value: The value in normal form, or "" if the kind needs none.
    """

    kind: str
    value: str = ""

    def holds(self, trip: Trip) -> bool:
        """Return whether the trip meets the condition."""
        return TESTS[self.kind](trip, self.value)


TESTS: Mapping[str, Callable[[Trip, str], bool]] = {
    "company": lambda trip, name: trip.agency == name,
    "dropped": lambda trip, _: trip.held.status != CANCELLED,
    "month": lambda trip, month: trip.day.startswith(month),
    "traveller": lambda trip, name: name not in trip.names,
    "bought_before": lambda trip, day: trip.held.bought[:10] < day,
    "bought_since": lambda trip, day: trip.held.bought[:10] >= day,
    "fare": lambda trip, brand: trip.out[1] == brand,
    "nonstop": lambda trip, _: trip.out[0].stops == 0,
    "changing": lambda trip, _: trip.out[0].stops > 0,
    "note": lambda trip, code: code not in trip.notes,
    "voucher": lambda trip, _: all(each.method != VOUCHER for each in trip.payments),
}
LISTED = ("dropped", "month", "traveller")
"""The kinds of conditions that the list of bookings is enough to check."""


def counted(trips: Sequence[Trip], conditions: Sequence[Condition]) -> list[Trip]:
    """Return the trips that meet all conditions of the question."""
    return [each for each in trips if all(one.holds(each) for one in conditions)]


# Figures of these trips ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Kind:
    """A kind of question about a company's trips.

    Attributes:
        figure: Computes the right answer from the trips that count.
        careless: Figures that make one mistake, by that mistake.
        never: Kinds of conditions that this question cannot use.
        cancelled: Whether cancelled bookings count too.
    """

    name: str
    answer: AnswerSchema
    figure: Figure
    careless: Mapping[str, Figure]
    never: tuple[str, ...] = ()
    cancelled: bool = False


def _sum(measure: Callable[[Trip], int]) -> Figure:
    return lambda trips: str(sum(map(measure, trips)))


def _passes(per: Callable[[Trip], int]) -> Figure:
    """Return a function from trips to a sum: `per(trip)` for each passenger with a seat of their
    own.
    """
    return _sum(lambda trip: len(trip.seated) * per(trip))


def _first(value: Callable[[Trip], Fraction | int]) -> Figure:
    """Return a function from trips to the reference of the trip with the clearly highest value, or
    `NOTHING`.
    """

    def figure(trips: Sequence[Trip]) -> str:
        best = sorted(trips, key=value, reverse=True)
        if len(best) > 1 and value(best[0]) - value(best[1]) < CLEAR_DOLLARS:
            return NOTHING
        return best[0].held.reference

    return figure


def _listed(fits: Callable[[Trip], bool]) -> Figure:
    """Return a function from trips to the references of those that fit, separated by commas."""
    return lambda trips: (
        ", ".join(sorted(each.held.reference for each in trips if fits(each))) or NOTHING
    )


def _latest(days: Callable[[Trip], Sequence[str]]) -> Figure:
    return lambda trips: max(day for each in trips for day in days(each))


def _paid_by(*methods: str) -> Callable[[Trip], Sequence[str]]:
    """Return a function from a trip to the dates of its payments by these methods; [""] if there
    are none.
    """
    return lambda trip: [each.at[:10] for each in trip.payments if each.method in methods] or [""]


def _kept(trip: Trip) -> int:
    return sum(each.amount - each.back for each in trip.payments)


def _flights(trip: Trip) -> int:
    return len(trip.held.flights)


def _someone_stands(trip: Trip) -> bool:
    return trip.lacks_seat(trip.held.flights[0], trip.seated)


MONEY = AnswerSchema("money", "an amount in whole dollars")
KINDS = (
    Kind(
        "bags",
        MONEY,
        _sum(lambda trip: trip.bags + trip.fee("bags")),
        {
            "without what was charged later": _sum(lambda trip: trip.bags),
            "all later charges": _sum(lambda trip: trip.bags + sum(f.amount for f in trip.fees)),
        },
    ),
    Kind(
        "net",
        MONEY,
        _sum(_kept),
        {
            "refunds ignored": _sum(lambda trip: sum(each.amount for each in trip.payments)),
            "vouchers ignored": _sum(
                lambda trip: sum(p.amount - p.back for p in trip.payments if p.method == CARD)
            ),
            "prices instead of payments": _sum(
                lambda trip: trip.price - sum(each.back for each in trip.payments)
            ),
        },
        never=("voucher",),
        cancelled=True,
    ),
    Kind(
        "passes",
        AnswerSchema("number", "a whole number"),
        _passes(_flights),
        {
            "infants counted": _sum(lambda trip: len(trip.held.passengers) * _flights(trip)),
            "connections counted once": _passes(lambda trip: len(trip.held.ways)),
            "each person once": _passes(lambda _: 1),
        },
        never=("nonstop",),
    ),
    Kind(
        "dearest",
        AnswerSchema("text", "the reference of a booking"),
        _first(lambda trip: Fraction(trip.price, len(trip.seated))),
        {
            "whole bookings compared": _first(lambda trip: trip.price),
            "infants counted": _first(lambda trip: Fraction(trip.price, len(trip.held.passengers))),
        },
        never=("fare",),
    ),
    Kind(
        "fees",
        MONEY,
        _sum(lambda trip: trip.fee("change", "name")),
        {
            "all kinds of fees": _sum(lambda trip: sum(each.amount for each in trip.fees)),
            "one kind of fees": _sum(lambda trip: trip.fee("change")),
        },
    ),
    Kind(
        "unseated",
        AnswerSchema("list", "references of bookings"),
        _listed(_someone_stands),
        {
            "all flights looked at": _listed(
                lambda trip: any(
                    trip.lacks_seat(flight, trip.seated) for flight in trip.held.flights
                )
            ),
            "infants counted": _listed(
                lambda trip: trip.lacks_seat(trip.held.flights[0], trip.held.passengers)
            ),
        },
    ),
    Kind(
        "seats",
        MONEY,
        _sum(lambda trip: trip.seats + trip.fee("seats")),
        {
            "without what was charged later": _sum(lambda trip: trip.seats),
            "all later charges": _sum(lambda trip: trip.seats + sum(f.amount for f in trip.fees)),
        },
    ),
    Kind(
        "charged",
        AnswerSchema("date", "a date with its year, such as 9 January 2026"),
        _latest(_paid_by(CARD)),
        {
            "vouchers counted": _latest(_paid_by(CARD, VOUCHER)),
            "days of purchase": _latest(lambda trip: [trip.held.bought[:10]]),
        },
        never=("voucher",),
    ),
)
"""All kinds of questions; consecutive seeds ask different kinds."""
