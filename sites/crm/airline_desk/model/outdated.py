"""Lists of offers that are out of date until the visitor has chosen an offer.

The dials `raised` and `sold` say how the list differs from the truth. Operations always use the
current state, and after the first choice every page shows it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sites.crm.airline_desk.model.records import Trip
from sites.crm.base.network import Network, Offer
from sites.crm.base.timetable import DAY
from sites.dials import Dials
from sites.world import World

LATER, CHEAPER = 3, 3
"""Minutes and dollars by which a sold-out offer differs from the offer that it resembles."""
GONE = "This flight was sold out while you were choosing. Choose another one."
Way = tuple[str, str, str]
"""Origin, destination and date."""


def sold(way: Way, offer: str, minutes: int = LATER) -> str:
    """Return the text of the dial `sold`.

    Args:
        way: The direction in which the sold-out offer is listed.
        offer: The id of the offer that it resembles.
        minutes: How many minutes later it departs; negative for earlier.
    """
    return " ".join((*way, offer, str(minutes)))


def is_behind(world: World) -> bool:
    """Return whether the visit's lists are out of date, because no offer has been chosen yet."""
    dials = Dials.of(world)
    return bool(dials and (dials.raised or dials.sold)) and not _first_choice(world)


def listed(world: World, network: Network, way: Way, offers: Sequence[Offer]) -> list[Offer]:
    """Return the offers as a list shows them, with a sold-out offer beside the similar one."""
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
    """Return how many sold-out offers a list of this direction has in addition to the real ones."""
    return int(_alike(Dials.of(world) or Dials(), network, way) is not None)


def is_gone(world: World, network: Network, way: Way, offer: str) -> bool:
    """Return whether an offer is the sold-out offer of a list, shown now or earlier."""
    alike = _alike(Dials.of(world) or Dials(), network, way)
    return alike is not None and alike.id == offer


def raised(world: World, trip: Trip, direction: str) -> int:
    """Return by how many dollars a fare of a sale went up while it was chosen."""
    dials = Dials.of(world)
    chosen = _first_choice(world) == f"{trip.number}/{direction}"
    return dials.raised if dials and chosen else 0


def _with_fares(offer: Offer, lower: int, *, soldout: bool) -> Offer:
    """Return an offer with lower fares, or without seats."""
    fares = [replace(fare, price=fare.price - lower) for fare in offer.fares]
    return replace(offer, fares=tuple(replace(f, seats=0) if soldout else f for f in fares))


def _alike(dials: Dials, network: Network, way: Way) -> Offer | None:
    """Return the sold-out offer if it belongs to this direction, else None."""
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
    """Return the next flight number that no flight of these offers has."""
    taken = {each.number for offer in network.offers(*way) for each in offer.flights}
    numbers = (f"{own[:2]}{1000 + (int(own[2:]) + step) % 9000}" for step in range(1, 9000))
    return next(each for each in numbers if each not in taken)


def _first_choice(world: World) -> str:
    """Return the sale and direction of the first choice of an offer, "" before it."""
    rows = world.read(
        "SELECT subject FROM log_commits WHERE control = 'confirm-flights' ORDER BY id LIMIT 1"
    )
    return str(rows[0]["subject"]) if rows else ""
