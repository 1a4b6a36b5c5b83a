"""Rules 1 to 7: how much money goes back, and to which payments."""

from __future__ import annotations

from datetime import timedelta

from scenarios.crm.policy.facts import (
    Event,
    Facts,
)
from scenarios.crm.policy.findings import Find, Finding
from scenarios.crm.policy.ways import (
    FLOWN,
    MISSED,
    brand_of,
    is_begun,
    lowered,
    seated,
    unbegun,
    unflown_part,
    ways,
)
from sites.crm.airline_desk.handbook.edition import Edition


def second_thoughts(edition: Edition, facts: Facts, find: Find) -> Finding | None:
    """Apply article 1: all money goes back if the purchase is recent and the departure far away."""
    booking = facts.booking
    first = min(each.day for each in booking.segments)
    is_new = facts.now - booking.bought <= timedelta(hours=edition.second_thoughts_hours)
    is_early = (first - facts.today).days >= edition.second_thoughts_days
    if not is_new or not is_early or any(each.state == FLOWN for each in booking.segments):
        return None
    return Finding(booking.paid)


def fare_gives_back(edition: Edition, facts: Facts, find: Find) -> Finding | None:
    """Apply article 2: the fare brand says how much goes back of directions not yet begun."""
    parts = []
    for number, fare, one, way in unbegun(facts.booking):
        brand = brand_of(way, find)
        if brand == "light":
            back = min(fare, edition.tax * len(way)) if one.kind != "infant" else 0
        elif brand == "classic":
            back = max(0, fare - (edition.classic_kept if one.kind != "infant" else 0))
        else:
            back = fare
        parts.append((number, back))
    return Finding(sum(back for _, back in parts), tuple(parts), applies=lowered(find))


def part_used(edition: Edition, facts: Facts, find: Find) -> Finding | None:
    """Apply article 3: of a direction begun but not completely flown, the unflown part goes back,
    by fare brand.
    """
    booking, total = facts.booking, 0
    begun = [way for way in ways(booking) if is_begun(way)]
    if not begun:
        return None
    for way in begun:
        brand = brand_of(way, find)
        for one in booking.passengers:
            part = unflown_part(edition, way, one.fares[way[0].direction])
            if brand == "classic" and one.kind != "infant":
                part = max(0, part - edition.classic_kept)
            total += 0 if brand == "light" else part
    return Finding(total, applies=("2", *lowered(find)))


def back_to_the_source(edition: Edition, facts: Facts, find: Find) -> Finding | None:
    """Apply article 4: return the payments in the order of refunds, with their dollars."""
    latest = sorted(facts.booking.payments, key=lambda each: -each.number)
    if edition.refund_order == "card-first":
        latest.sort(key=lambda each: each.method != "card")
    return Finding(parts=tuple((str(each.number), each.left) for each in latest))


def cover(edition: Edition, facts: Facts, find: Find) -> Finding | None:
    """Apply article 5: the insurance pays for a covered cause with a document sent in time."""
    kept = find("2")
    ahead = [each for way in ways(facts.booking) if not is_begun(way) for each in way]
    if not facts.booking.cover or kept is None or not ahead:
        return None
    leaves = min(each.departs for each in ahead)
    causes = {each.cause for each in facts.documents if each.sent < leaves}
    if not causes & set(edition.covered):
        return None
    back = dict.fromkeys((each.number for each in facts.booking.passengers), 0)
    for (_, fare, one, _way), (_, given) in zip(unbegun(facts.booking), kept.parts, strict=True):
        if one.kind != "infant":
            back[one.number] += fare - given
    paid = [min(edition.cover_most, each * edition.cover_percent // 100) for each in back.values()]
    return Finding(sum(paid), applies=("2",))


def we_changed_it(edition: Edition, facts: Facts, find: Find) -> Finding | None:
    """Apply article 6: unflown parts go back in full if the airline cancelled or moved a flight."""
    booking = facts.booking
    unflown = [each for each in booking.segments if each.state != FLOWN]
    ours = [event for each in unflown if (event := facts.event(each)) and not event.accepted]
    if not any(_counts(edition, each) for each in ours):
        return None
    if len(unflown) == len(booking.segments):
        return Finding(booking.paid)
    total = sum(
        unflown_part(edition, way, one.fares[way[0].direction])
        for way in ways(booking)
        for one in booking.passengers
    )
    return Finding(total, applies=("3",))


def _counts(edition: Edition, event: Event) -> bool:
    """Return whether a change of the airline is large enough to count."""
    return event.kind == "cancelled" or event.minutes >= edition.moved_minutes


def missed(edition: Edition, facts: Facts, find: Find) -> Finding | None:
    """Apply article 7: taxes go back if the customer wrote after a missed flight had left."""
    left = [each for each in facts.booking.segments if each.state == MISSED]
    if all(facts.request.wrote < each.departs for each in left):
        return None
    taxes = 0
    for way in ways(facts.booking):
        unflown = sum(each.state != FLOWN for each in way)
        fares = [one.fares[way[0].direction] for one in seated(facts.booking)]
        taxes += sum(min(fare, edition.tax * unflown) for fare in fares)
    return Finding(taxes, applies=("2",))
