"""Lists of flight offers that are out of date until the visitor has chosen an offer.

The dials (difficulty settings) `raised` and `sold` say how the list differs from the truth: by
fares that are too low, and by an offer that turns out to be sold out. Operations always use the
current state, and after the first choice every page shows it. In a visit with a clock, every page
shows it from the minute `change` on, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sites import clock
from sites.crm.airline_desk.model.records import Trip
from sites.crm.base.network import Network, Offer
from sites.crm.base.timetable import DAY
from sites.dials import Dials
from sites.world import Row, World

LATER, CHEAPER = 3, 3
"""A sold-out offer departs this many minutes later (LATER) and costs this many dollars less
(CHEAPER) than the real offer that it resembles.
"""
GONE = "This flight was sold out while you were choosing. Choose another one."
Way = tuple[str, str, str]
"""One direction of a journey: origin, destination and ISO date."""


def sold(way: Way, offer: str, minutes: int = LATER) -> str:
    """Return the value of the dial (difficulty setting) `sold`, as text.

    Args:
        way: The direction in which the sold-out offer is listed.
        offer: The id of the offer that it resembles.
        minutes: How many minutes later it departs; negative for earlier.
    """
    return " ".join((*way, offer, str(minutes)))


def is_behind(world: World) -> bool:
    """Return whether the visit's lists of offers are still out of date, because no offer has been
    chosen and the minute of the change has not come yet.
    """
    dials = Dials.of(world)
    is_set = bool(dials and (dials.raised or dials.sold))
    return is_set and clock.changed_after(world) is None and not _first_choice(world)


def listed(world: World, network: Network, way: Way, offers: Sequence[Offer]) -> list[Offer]:
    """Return the offers as a list shows them, including the sold-out offer, which follows the one
    that it resembles.
    """
    dials = Dials.of(world) or Dials()
    alike, behind = _alike(dials, network, way), is_behind(world)
    lower = dials.raised if behind else 0
    found = []
    for each in offers:
        found.append(_with_fares(each, lower, soldout=False))
        if alike and each.id == dials.sold.split()[len(way)]:
            found.append(_with_fares(alike, lower, soldout=not behind))
    return found


def besides(world: World, network: Network, way: Way) -> int:
    """Return how many sold-out offers (0 or 1) the list for this direction has in addition to the
    real ones.
    """
    return int(_alike(Dials.of(world) or Dials(), network, way) is not None)


def is_gone(world: World, network: Network, way: Way, offer: str) -> bool:
    """Return whether an offer is the sold-out offer that the list for this direction shows or has
    shown.
    """
    alike = _alike(Dials.of(world) or Dials(), network, way)
    return alike is not None and alike.id == offer


def raised(world: World, trip: Trip, direction: str) -> int:
    """Return by how many dollars a fare rose when it was chosen as the first in this visit; 0 for
    other choices.
    """
    dials = Dials.of(world)
    chosen = _first_choice(world) == f"{trip.number}/{direction}"
    return dials.raised if dials and chosen and not _was_up_to_date(world) else 0


def _was_up_to_date(world: World) -> bool:
    """Return whether the first offer was chosen on a page that was opened after the change."""
    page = clock.changed_after(world)
    sql = "SELECT 1 FROM log_pages WHERE id > ? AND id < ?"
    return page is not None and bool(world.read(sql, (page, _first_number(world))))


def _with_fares(offer: Offer, lower: int, *, soldout: bool) -> Offer:
    """Return an offer with fares that are this many dollars lower, or without free seats."""
    fares = [replace(fare, price=fare.price - lower) for fare in offer.fares]
    return replace(offer, fares=tuple(replace(f, seats=0) if soldout else f for f in fares))


def _alike(dials: Dials, network: Network, way: Way) -> Offer | None:
    """Return the sold-out offer that the dial (difficulty setting) `sold` adds to this direction's
    list, else None.
    """
    *where, own, minutes = dials.sold.split() or ("", "0")
    found = network.offer(*way, own) if tuple(where) == way else None
    if found is None:
        return None
    moved = [
        replace(each, departs=each.departs + int(minutes), arrives=each.arrives + int(minutes))
        for each in found.flights
    ]
    if not all(0 <= time < DAY for each in moved for time in (each.departs, each.arrives)):
        return None
    moved[0] = replace(moved[0], number=_free_number(network, way, moved[0].number))
    fares = tuple(replace(fare, price=fare.price - CHEAPER) for fare in found.fares)
    return Offer(tuple(moved), fares)


def _free_number(network: Network, way: Way, own: str) -> str:
    """Return a flight number, near the given one, that no flight of this direction has."""
    taken = {each.number for offer in network.offers(*way) for each in offer.flights}
    numbers = (f"{own[:2]}{1000 + (int(own[2:]) + step) % 9000}" for step in range(1, 9000))
    return next(each for each in numbers if each not in taken)


def _first_choice(world: World) -> str:
    """Return the sale and direction in which the visitor chose the first offer, such as
    "1/outward"; "" before that.
    """
    rows = _choices(world)
    return str(rows[0]["subject"]) if rows else ""


def _first_number(world: World) -> int:
    """Return the journal's number of the first choice of an offer, 0 before that."""
    rows = _choices(world)
    return int(rows[0]["id"]) if rows else 0


def _choices(world: World) -> list[Row]:
    """Return the journal's rows of the choices of offers, the first one first."""
    return world.read(
        "SELECT id, subject FROM log_commits WHERE control = 'confirm-flights' ORDER BY id LIMIT 1"
    )
