"""The booking that a ticket is about, as it was sold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from random import Random

from scenarios.crm.airline_desk import bookings, parties
from scenarios.crm.airline_desk.bookings import Customer, Held
from scenarios.crm.airline_desk.desk import OUTWARD, RETURN
from scenarios.crm.policy.facts import TODAY, Brand
from scenarios.crm.tickets import customers
from scenarios.crm.tickets.customers import CUSTOMER
from scenarios.crm.tickets.editions import bulletin_about
from scenarios.crm.tickets.times import DAY
from sites.crm import CrmData
from sites.crm.airline_desk.handbook.edition import Bulletin, Edition
from sites.crm.base.network import Offer

COMPOSITIONS = (("adult",), ("adult",), ("adult", "adult"), ("adult", "child"), ("adult", "infant"))
FARES: tuple[Brand, ...] = ("light", "classic", "classic", "flex", "business")
_AHEAD = (2, 3, 4, 6, 8, 9, 11, 13, 15, 18, 24, 30, 45)
"""The possible numbers of days from today until the first flight."""
_AFTER = 12
"""The most days by which a drawn journey is postponed so that a bulletin of the handbook applies to
it.
"""
Route = tuple[str, str, str]
"""Origin, destination and ISO date."""
Ways = dict[str, tuple[Offer, Brand]]
"""The offer and its fare brand for each direction."""


@dataclass(frozen=True)
class Base:
    """A booking before the details that make it a ticket's case are drawn.

    Attributes:
        ways: The offer and the fare brand by direction.
        party: The passengers.
        bags: The number of pieces by passenger and direction.
        is_past: Whether the outward journey is over.
    """

    ways: Mapping[str, tuple[Offer, Brand]]
    party: parties.Party
    bags: Mapping[tuple[int, str], int] = field(default_factory=dict)
    is_past: bool = False


def base(rng: Random, data: CrmData, edition: Edition) -> Base | None:
    """Draw a return or one-way journey. Sometimes the outward journey is over, and often a bulletin
    applies. None if a fare has no seats for the party.
    """
    is_past = rng.random() < 0.25
    about = bulletin_about(rng, edition, ("1", "2", "5", "6", "25"), 0.7)
    first = TODAY + timedelta(-rng.randint(1, 4) if is_past else rng.choice(_AHEAD))
    if about:
        first = max(first, min(date.fromisoformat(about.first), TODAY + timedelta(9)))
    days = [first.isoformat(), (first + timedelta(rng.randint(6, 14))).isoformat()]
    party = parties.draw(rng, data, rng.choice(COMPOSITIONS), days, turning=False)
    routes = there_and_back(rng, data, about, days)
    brand = rng.choice(fares(about))
    brands = [brand, brand if rng.random() < 0.75 else rng.choice(FARES)]
    if rng.random() < 0.3:
        del routes[RETURN]
    ways = sold(rng, data, routes, brands, party)
    if ways is None:
        return None
    bags = {(1, way): rng.randint(1, 3) for way in ways} if rng.random() < 0.4 else {}
    return Base(ways, party, bags, is_past)


@dataclass(frozen=True)
class Days:
    """The days from today to the outward journey, and from there to the return; each is drawn from
    its list.
    """

    ahead: Sequence[int]
    apart: Sequence[int]

    def draw(self, rng: Random, about: Bulletin | None) -> tuple[str, str]:
        out = TODAY + timedelta(rng.choice(self.ahead))
        home = out + timedelta(rng.choice(self.apart))
        if about:
            home = max(home, min(date.fromisoformat(about.first), out + timedelta(_AFTER)))
        return out.isoformat(), home.isoformat()


def journey(
    rng: Random,
    data: CrmData,
    edition: Edition,
    articles: Sequence[str],
    days: Days,
    composition: Sequence[str],
) -> Base | None:
    """Draw a future return journey.

    In most cases a bulletin about one of the articles applies to it.

    Args:
        rng: The random numbers of the case.
        data: The site data.
        edition: The version of the handbook.
        articles: The numbers of articles.
        days: The possible days of the journey.
        composition: The kinds of passengers, such as `("adult", "child")`.

    Returns:
        The booking, or None if a fare has no seats for the party.
    """
    about = bulletin_about(rng, edition, articles)
    drawn = days.draw(rng, about)
    party = parties.draw(rng, data, composition, drawn, turning=False)
    routes = there_and_back(rng, data, about, drawn)
    ways = sold(rng, data, routes, rng.choices(fares(about), k=2), party)
    return Base(ways, party) if ways else None


# Its parts ---------------------------------------------------------------------------------------


def there_and_back(
    rng: Random, data: CrmData, about: Bulletin | None, days: Sequence[str]
) -> dict[str, Route]:
    """Draw a route for each direction on these two days; a bulletin determines one of the
    airports.
    """
    here, there = ends(rng, data, about.airport if about else "")
    return {OUTWARD: (here, there, days[0]), RETURN: (there, here, days[1])}


def fares(about: Bulletin | None) -> list[Brand]:
    """Return the fare brands that a bulletin is about, or all without a bulletin."""
    return [each for each in FARES if about is None or each in about.brands]


def sold(
    rng: Random,
    data: CrmData,
    routes: Mapping[str, Route],
    brands: Iterable[Brand],
    party: parties.Party,
) -> Ways | None:
    """Draw an offer for each direction with seats in its fare brand.

    Args:
        rng: The random numbers of the case.
        data: The site data.
        routes: Origin, destination and ISO date by direction.
        brands: The fare brand of each direction, in the order of `routes`.
        party: The passengers; infants need no seat.

    Returns:
        The offer and fare brand by direction, or None if a direction has no such offer.
    """
    ways: Ways = {}
    for (way, route), brand in zip(routes.items(), brands, strict=False):
        try:
            offer = bookings.offer(rng, data, route, brand, len(party.seated))
        except IndexError:
            return None
        ways[way] = offer, brand
    return ways


def ends(rng: Random, data: CrmData, airport: str) -> tuple[str, str]:
    """Draw a route that starts or ends at an airport; between any two if no airport is given."""
    plain = bookings.plain_airports(data)
    here = airport or rng.choice(plain)
    city = data.airports[here].city
    there = rng.choice([each for each in plain if data.airports[each].city != city])
    return (here, there) if rng.random() < 0.5 else (there, here)


# The booking -------------------------------------------------------------------------------------


def held(
    rng: Random, base: Base, bought: str, *, reference: str = "", customer: int = CUSTOMER
) -> Held:
    """Return the booking as it was bought, paid by card.

    Args:
        rng: The random numbers of the case.
        base: The drawn journey and its passengers.
        bought: The time of purchase, as "YYYY-MM-DD HH:MM".
        reference: The booking reference; drawn if "".
        customer: The number of the customer.
    """
    return Held(
        reference=reference or bookings.reference(rng, set()),
        customer=customer,
        bought=bought,
        ways=base.ways,
        passengers=base.party.passengers,
        card=digits(rng),
        bags=base.bags,
    )


def digits(rng: Random) -> str:
    """Draw the last four digits of a card."""
    return f"{rng.randrange(10_000):04}"


def bought_before(rng: Random, latest: datetime) -> datetime:
    """Draw a booking's time of purchase, 6 to 40 days before the latest possible time."""
    return latest - rng.randint(6, 40) * DAY - rng.randint(0, 600) * timedelta(minutes=1)


def bought_in_december(rng: Random) -> str:
    return f"2025-12-{rng.randint(1, 28):02} {rng.randint(8, 18):02}:{rng.randint(10, 59)}"


def customer(rng: Random, held: Held) -> Customer:
    """Return the first passenger as the customer, with a random tier."""
    who = held.passengers[0].person
    tier = rng.choice(("", "Blue", "Silver", "Gold"))
    return Customer(CUSTOMER, who, customers.email(who), held.origin, tier)
