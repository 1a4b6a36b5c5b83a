"""Lists of offers that are behind: what they show until somebody has chosen from one.

The dials `raised` and `sold` say what has changed since. An operation goes by what is so now, and
from the first choice of a visit on, accepted or not, lists show that, too.
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
"""Minutes and dollars by which an offer that is sold out differs from the one that it is like."""
GONE = "This flight was sold out while you were choosing. Choose another one."
Way = tuple[str, str, str]
"""Origin, destination and date."""


def sold(way: Way, offer: str, minutes: int = LATER) -> str:
    """The dial `sold`: an offer like this one leaves so many minutes later, or earlier."""
    return " ".join((*way, offer, str(minutes)))


def is_behind(world: World) -> bool:
    """Whether nobody has chosen an offer yet in a visit whose lists are behind."""
    dials = Dials.of(world)
    return bool(dials and (dials.raised or dials.sold)) and not _first_choice(world)


def listed(world: World, network: Network, way: Way, offers: Sequence[Offer]) -> list[Offer]:
    """These offers of a way as a list shows them, with the one that is sold out beside the one
    that it is like."""
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
    """How many offers a list of this way has besides those that there are."""
    return int(_alike(Dials.of(world) or Dials(), network, way) is not None)


def is_gone(world: World, network: Network, way: Way, offer: str) -> bool:
    """Whether a list shows or has shown this offer, and it cannot be had."""
    alike = _alike(Dials.of(world) or Dials(), network, way)
    return alike is not None and alike.id == offer


def raised(world: World, trip: Trip, direction: str) -> int:
    """By how many dollars a fare of a sale went up while it was chosen."""
    dials = Dials.of(world)
    chosen = _first_choice(world) == f"{trip.number}/{direction}"
    return dials.raised if dials and chosen else 0


def _with_fares(offer: Offer, lower: int, *, soldout: bool) -> Offer:
    fares = [replace(fare, price=fare.price - lower) for fare in offer.fares]
    return replace(offer, fares=tuple(replace(f, seats=0) if soldout else f for f in fares))


def _alike(dials: Dials, network: Network, way: Way) -> Offer | None:
    """The offer that is sold out, where it is one of this way."""
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
    """The next number that no flight of these offers has."""
    taken = {each.number for offer in network.offers(*way) for each in offer.flights}
    numbers = (f"{own[:2]}{1000 + (int(own[2:]) + step) % 9000}" for step in range(1, 9000))
    return next(each for each in numbers if each not in taken)


def _first_choice(world: World) -> str:
    """The sale and direction for which an offer was chosen first; "" before."""
    rows = world.read(
        "SELECT subject FROM log_commits WHERE control = 'confirm-flights' ORDER BY id LIMIT 1"
    )
    return str(rows[0]["subject"]) if rows else ""
