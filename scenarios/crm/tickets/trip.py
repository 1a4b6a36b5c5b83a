"""A journey there and back for a ticket, often one that a bulletin is about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from random import Random

from scenarios.crm.airline_desk import bookings, parties
from scenarios.crm.airline_desk.bookings import Customer, Held
from scenarios.crm.airline_desk.desk import OUTWARD, RETURN
from scenarios.crm.policy.facts import (
    TODAY,
    Brand,
)
from scenarios.crm.tickets import customers
from scenarios.crm.tickets.base_booking import FARES, ends
from scenarios.crm.tickets.customers import CUSTOMER
from scenarios.crm.tickets.editions import bulletin_about
from scenarios.crm.tickets.times import DAY, TIMES
from sites.crm import CrmData
from sites.crm.airline_desk.handbook.edition import Bulletin, Edition
from sites.crm.base.network import Offer

Ways = Mapping[str, tuple[Offer, Brand]]
AFTER = 12
"""No journey is put off by more days for a bulletin."""


@dataclass(frozen=True)
class Days:
    """Days from today to the way out, and from there to the way home."""

    ahead: Sequence[int]
    apart: Sequence[int]

    def draw(self, rng: Random, about: Bulletin | None) -> tuple[date, date]:
        out = TODAY + timedelta(rng.choice(self.ahead))
        home = out + timedelta(rng.choice(self.apart))
        if about:
            home = max(home, min(date.fromisoformat(about.first), out + timedelta(AFTER)))
        return out, home


def draw(
    rng: Random,
    data: CrmData,
    edition: Edition,
    articles: Sequence[str],
    days: Days,
    composition: Sequence[str],
) -> tuple[Ways, parties.Party] | None:
    """Offers and brands by direction, and who flies; None where a fare has no seats for them.
    `articles` are those whose bulletins the journey is about, most of the time."""
    about = bulletin_about(rng, edition, articles)
    out, home = (each.isoformat() for each in days.draw(rng, about))
    party = parties.draw(rng, data, composition, (out, home), turning=False)
    here, there = ends(rng, data, about.airport if about else "")
    brands = rng.choices([each for each in FARES if not about or each in about.brands], k=2)
    routes = {OUTWARD: (here, there, out), RETURN: (there, here, home)}
    ways: dict[str, tuple[Offer, Brand]] = {}
    for (way, route), brand in zip(routes.items(), brands, strict=True):
        try:
            offer = bookings.offer(rng, data, route, brand, len(party.seated))
        except IndexError:
            return None
        ways[way] = offer, brand
    return ways, party


def held(rng: Random, ways: Ways, party: parties.Party, wrote: datetime) -> Held:
    """The booking, bought days before the mail."""
    bought = wrote - rng.randint(6, 40) * DAY - rng.randint(0, 600) * timedelta(minutes=1)
    return Held(
        reference=bookings.reference(rng, set()),
        customer=CUSTOMER,
        bought=bought.strftime(TIMES),
        ways=ways,
        passengers=party.passengers,
        card=f"{rng.randrange(10_000):04}",
    )


def customer(rng: Random, held: Held) -> Customer:
    """The first of those who fly."""
    who = held.passengers[0].person
    tier = rng.choice(("", "Blue", "Silver", "Gold"))
    return Customer(CUSTOMER, who, customers.email(who), held.origin, tier)
