"""Rules 8 to 13: changing to other flights because the customer wishes it."""

from __future__ import annotations

from datetime import timedelta
from itertools import pairwise

from scenarios.crm.policy.facts import (
    DEATH,
    Brand,
    Facts,
    Segment,
)
from scenarios.crm.policy.findings import Find, Finding
from scenarios.crm.policy.ways import (
    brand_of,
    lowered,
    seated,
    ways,
)
from sites.crm.airline_desk.handbook.edition import Edition
from sites.crm.airline_desk.pages.countries import countries
from sites.crm.base.network import BRANDS

HOUR = timedelta(hours=1)
SAME_DAY: tuple[Brand, ...] = ("light", "classic")
"""The fare brands to which a light fare may be moved on the same day."""


def death_in_the_family(edition: Edition, facts: Facts, find: Find) -> Finding | None:
    """Apply article 8: the change is free if a near relative died close to the day of travel."""
    change = facts.request.change
    if change is None:
        return None
    day = facts.booking.way(change.direction)[0].day
    for each in facts.documents:
        near = abs((day - each.day).days) <= edition.bereavement_days
        if each.cause == DEATH and each.relative in edition.relatives and near:
            return Finding(applies=("9",))
    return None


def change_fee(edition: Edition, facts: Facts, find: Find) -> Finding | None:
    """Apply article 9: return the party's change fee, or forbid the change for light fares."""
    change = facts.request.change
    if change is None:
        return None
    brand = brand_of(facts.booking.way(change.direction), find)
    if brand == "light":
        return Finding(allowed=False, applies=lowered(find))
    each = edition.change_fee if brand == "classic" else 0
    if facts.customer.tier == "gold":
        less = each - edition.gold_less
        each = -(-each // 2) if edition.gold_pays == "half" else max(0, less)
    return Finding(each * len(seated(facts.booking)), applies=lowered(find))


def same_day(edition: Edition, facts: Facts, find: Find) -> Finding | None:
    """Apply article 10: a light fare may move to another flight of the same day for a fee."""
    change = facts.request.change
    if change is None:
        return None
    old, new = facts.booking.way(change.direction), change.segments
    same = (old[0].origin, old[-1].destination, old[0].day)
    if brand_of(old, find) != "light" or same != (new[0].origin, new[-1].destination, new[0].day):
        return None
    before = old[0].departs - facts.now
    in_time = edition.same_day_until * HOUR <= before <= edition.same_day_from * HOUR
    brand = next((each for each in SAME_DAY if each in change.fares), None)
    if not in_time or brand is None:
        return None
    return Finding(edition.same_day_fee * len(seated(facts.booking)), brand=brand)


def fare_difference(edition: Edition, facts: Facts, find: Find) -> Finding | None:
    """Apply article 11: return the fare difference in dollars and the new brand.

    A negative amount is the value of the voucher that the customer gets.
    """
    change = facts.request.change
    if change is None:
        return None
    own = facts.booking.way(change.direction)[0].brand
    brand = next((each for each in BRANDS[BRANDS.index(own) :] if each in change.fares), None)
    if brand is None:
        return Finding(allowed=False)
    difference = change.fares[brand] - change.old_fare  # type: ignore[index]
    if difference < 0 and own not in edition.cheaper_voucher:
        difference = 0
    until = facts.today + timedelta(edition.voucher_days)
    return Finding(difference, brand=brand, until=until)  # type: ignore[arg-type]


def connections(edition: Edition, facts: Facts, find: Find) -> Finding | None:
    """Apply article 12: forbid connections that are too short and directions that overlap."""
    change = facts.request.change
    if change is None:
        return None
    short = [
        each
        for each in pairwise(change.segments)
        if each[1].departs - each[0].arrives < timedelta(minutes=least_waiting(edition, *each))
    ]
    others = [
        each for way in ways(facts.booking) if way[0].direction != change.direction for each in way
    ]
    ends = change.segments[0].departs, change.segments[-1].arrives
    before = change.direction == "outward"
    crossed = [
        each for each in others if (each.departs < ends[1] if before else each.arrives > ends[0])
    ]
    return Finding(allowed=False) if short or crossed else None


def least_waiting(edition: Edition, one: Segment, other: Segment) -> int:
    """Return the minimum connection time between two flights, in minutes."""
    home = {countries()[each] for each in (one.origin, one.destination, other.destination)}
    least = edition.connection_home if len(home) == 1 else edition.connection_abroad
    return least + (edition.two_terminals if one.destination in edition.terminals else 0)


def no_way_round(edition: Edition, facts: Facts, find: Find) -> Finding | None:
    """Apply article 13: a workaround that the sender proposes is not carried out.

    If the fare was raised shortly before, the finding holds the earlier brand, which then still
    counts.
    """
    raised = facts.booking.raised
    if raised and facts.now - raised.at <= timedelta(hours=edition.way_round_hours):
        return Finding(brand=raised.brand)
    return Finding() if facts.request.way_round else None
