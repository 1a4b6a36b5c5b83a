"""The rules of the handbook, a function each; their numbers are those of the articles.

A rule gets the edition (with the bulletins that count), the facts, and what other rules find. It
returns None where it does not say anything about them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta
from itertools import pairwise

from scenarios.crm.policy.facts import (
    DEATH,
    NOW,
    TODAY,
    Alternative,
    Booking,
    Brand,
    Event,
    Facts,
    Passenger,
    Segment,
    Voucher,
)
from scenarios.crm.policy.findings import Find, Finding, Rule
from sites.crm.airports import load_airports, plain
from sites.crm.reservations.countries import countries
from sites.crm.reservations.handbook.edition import Edition
from sites.crm.reservations.handbook.zones import zone
from sites.crm.reservations.network import BRANDS

FLOWN, MISSED, OPEN = "flown", "missed", "open"
HOUR = timedelta(hours=1)
DISTURBED = ("delay", "reroute")
"""What customers of an agency may ask for themselves."""
INFANT_YEARS, ASSISTED = 2, "W"
CABINS: tuple[tuple[Brand, ...], ...] = (("light", "classic", "flex"), ("business",))
AT_ONCE = ("times", "email", "delay", "name", "lost-bag")
"""What waits for nothing else."""
SAME_DAY: tuple[Brand, ...] = ("light", "classic")
"""The fares in which somebody may be moved on the same day."""

# Money back --------------------------------------------------------------------------------------


def second_thoughts(edition: Edition, facts: Facts, find: Find) -> Finding | None:
    booking = facts.booking
    first = min(each.day for each in booking.segments)
    is_new = NOW - booking.bought <= timedelta(hours=edition.second_thoughts_hours)
    is_early = (first - TODAY).days >= edition.second_thoughts_days
    if not is_new or not is_early or any(each.state == FLOWN for each in booking.segments):
        return None
    return Finding(booking.paid)


def fare_gives_back(edition: Edition, facts: Facts, find: Find) -> Finding | None:
    parts = []
    for number, fare, one, way in _unbegun(facts.booking):
        brand = _brand(way, find)
        if brand == "light":
            back = min(fare, edition.tax * len(way)) if one.kind != "infant" else 0
        elif brand == "classic":
            back = max(0, fare - (edition.classic_kept if one.kind != "infant" else 0))
        else:
            back = fare
        parts.append((number, back))
    return Finding(sum(back for _, back in parts), tuple(parts), applies=_lowered(find))


def part_used(edition: Edition, facts: Facts, find: Find) -> Finding | None:
    booking, total = facts.booking, 0
    begun = [way for way in _ways(booking) if _is_begun(way)]
    if not begun:
        return None
    for way in begun:
        brand = _brand(way, find)
        for one in booking.passengers:
            part = _unflown_part(edition, way, one.fares[way[0].direction])
            if brand == "classic" and one.kind != "infant":
                part = max(0, part - edition.classic_kept)
            total += 0 if brand == "light" else part
    return Finding(total, applies=("2", *_lowered(find)))


def back_to_the_source(edition: Edition, facts: Facts, find: Find) -> Finding | None:
    """The payments in their turn, with what can be given back to each."""
    latest = sorted(facts.booking.payments, key=lambda each: -each.number)
    if edition.refund_order == "card-first":
        latest.sort(key=lambda each: each.method != "card")
    return Finding(parts=tuple((str(each.number), each.left) for each in latest))


def cover(edition: Edition, facts: Facts, find: Find) -> Finding | None:
    kept = find("2")
    unbegun = [each for way in _ways(facts.booking) if not _is_begun(way) for each in way]
    if not facts.booking.cover or kept is None or not unbegun:
        return None
    leaves = min(each.departs for each in unbegun)
    causes = {each.cause for each in facts.documents if each.sent < leaves}
    if not causes & set(edition.covered):
        return None
    back = dict.fromkeys((each.number for each in facts.booking.passengers), 0)
    for (_, fare, one, _way), (_, given) in zip(_unbegun(facts.booking), kept.parts, strict=True):
        if one.kind != "infant":
            back[one.number] += fare - given
    paid = [min(edition.cover_most, each * edition.cover_percent // 100) for each in back.values()]
    return Finding(sum(paid), applies=("2",))


def we_changed_it(edition: Edition, facts: Facts, find: Find) -> Finding | None:
    booking = facts.booking
    unflown = [each for each in booking.segments if each.state != FLOWN]
    ours = [event for each in unflown if (event := facts.event(each)) and not event.accepted]
    if not any(_counts(edition, each) for each in ours):
        return None
    if len(unflown) == len(booking.segments):
        return Finding(booking.paid)
    total = sum(
        _unflown_part(edition, way, one.fares[way[0].direction])
        for way in _ways(booking)
        for one in booking.passengers
    )
    return Finding(total, applies=("3",))


def _counts(edition: Edition, event: Event) -> bool:
    return event.kind == "cancelled" or event.minutes >= edition.moved_minutes


def missed(edition: Edition, facts: Facts, find: Find) -> Finding | None:
    left = [each for each in facts.booking.segments if each.state == MISSED]
    if all(facts.request.wrote < each.departs for each in left):
        return None
    taxes = 0
    for way in _ways(facts.booking):
        unflown = sum(each.state != FLOWN for each in way)
        fares = [one.fares[way[0].direction] for one in _seated(facts.booking)]
        taxes += sum(min(fare, edition.tax * unflown) for fare in fares)
    return Finding(taxes, applies=("2",))


# Changes -----------------------------------------------------------------------------------------


def death_in_the_family(edition: Edition, facts: Facts, find: Find) -> Finding | None:
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
    change = facts.request.change
    if change is None:
        return None
    brand = _brand(facts.booking.way(change.direction), find)
    if brand == "light":
        return Finding(allowed=False, applies=_lowered(find))
    each = edition.change_fee if brand == "classic" else 0
    if facts.customer.tier == "gold":
        less = each - edition.gold_less
        each = -(-each // 2) if edition.gold_pays == "half" else max(0, less)
    return Finding(each * len(_seated(facts.booking)), applies=_lowered(find))


def same_day(edition: Edition, facts: Facts, find: Find) -> Finding | None:
    change = facts.request.change
    if change is None:
        return None
    old, new = facts.booking.way(change.direction), change.segments
    same = (old[0].origin, old[-1].destination, old[0].day)
    if _brand(old, find) != "light" or same != (new[0].origin, new[-1].destination, new[0].day):
        return None
    before = old[0].departs - NOW
    in_time = edition.same_day_until * HOUR <= before <= edition.same_day_from * HOUR
    brand = next((each for each in SAME_DAY if each in change.fares), None)
    if not in_time or brand is None:
        return None
    return Finding(edition.same_day_fee * len(_seated(facts.booking)), brand=brand)


def fare_difference(edition: Edition, facts: Facts, find: Find) -> Finding | None:
    """The difference that is paid (a voucher for it where it is below 0), and the brand."""
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
    return Finding(difference, brand=brand)  # type: ignore[arg-type]


def connections(edition: Edition, facts: Facts, find: Find) -> Finding | None:
    change = facts.request.change
    if change is None:
        return None
    short = [
        each
        for each in pairwise(change.segments)
        if each[1].departs - each[0].arrives < timedelta(minutes=_least(edition, *each))
    ]
    others = [
        each for way in _ways(facts.booking) if way[0].direction != change.direction for each in way
    ]
    ends = change.segments[0].departs, change.segments[-1].arrives
    before = change.direction == "outward"
    crossed = [
        each for each in others if (each.departs < ends[1] if before else each.arrives > ends[0])
    ]
    return Finding(allowed=False) if short or crossed else None


def _least(edition: Edition, one: Segment, other: Segment) -> int:
    home = {countries()[each] for each in (one.origin, one.destination, other.destination)}
    least = edition.connection_home if len(home) == 1 else edition.connection_abroad
    return least + (edition.two_terminals if one.destination in edition.terminals else 0)


def no_way_round(edition: Edition, facts: Facts, find: Find) -> Finding | None:
    """What is proposed is not done; who had the fare raised is treated as in the old one."""
    raised = facts.booking.raised
    if raised and NOW - raised.at <= timedelta(hours=edition.way_round_hours):
        return Finding(brand=raised.brand)
    return Finding() if facts.request.way_round else None


# Late flights, children, names and bags -----------------------------------------------------------


def rerouting(edition: Edition, facts: Facts, find: Find) -> Finding | None:
    """The flights of the request that are taken, by their place, and the brand."""
    if find("6") is None:
        return None
    options = facts.request.alternatives
    brands = [_open_brand(edition, facts, each) for each in options]
    able = sorted((at for at, brand in enumerate(brands) if brand), key=_arrival(options))
    own = next((at for at in able if not options[at].partner), None)
    other = next((at for at in able if options[at].partner), None)
    taken = other if own is None else own
    if own is not None and other is not None:
        earlier = options[own].segments[-1].arrives - options[other].segments[-1].arrives
        taken = other if earlier >= edition.partner_hours * HOUR else own
    if taken is None:
        return Finding(allowed=False, applies=("6",))
    return Finding(parts=((str(taken), 0),), brand=brands[taken], applies=("6",))


def _arrival(options: tuple[Alternative, ...]) -> Callable[[int], tuple[datetime, float]]:
    """The order in which flights are taken: those that arrive first, of them the latest."""

    def order(at: int) -> tuple[datetime, float]:
        segments = options[at].segments
        return segments[-1].arrives, -segments[0].departs.timestamp()

    return order


def _open_brand(edition: Edition, facts: Facts, option: Alternative) -> Brand | None:
    """The lowest fare of the cabin, or the booked one, with seats for all."""
    way = facts.booking.way(option.segments[0].direction)
    if not way:
        return None
    booked, needed = way[0].brand, len(_seated(facts.booking))
    cabin = next(each for each in CABINS if booked in each)
    brands = cabin if edition.reroute_in == "cabin" else (booked,)
    return next((each for each in brands if option.seats.get(each, 0) >= needed), None)


def children(edition: Edition, facts: Facts, find: Find) -> Finding | None:
    """The flights with an escort, or with a seat for an infant, and what they cost."""
    if facts.request.wish == "lap":
        return _too_old_for_laps(facts)
    return _escorted(edition, facts)


def _escorted(edition: Edition, facts: Facts) -> Finding | None:
    alone = facts.request.alone
    child = _passenger(facts, alone.passenger) if alone else None
    if alone is None or child is None:
        return None
    way = facts.booking.way(alone.direction)
    needing = [each for each in way if _needs_escort(edition, facts, child, each)]
    least = timedelta(minutes=edition.escort_connection)
    for one, two in pairwise(way):
        if two.departs - one.arrives < least and {one, two} & set(needing):
            return Finding(allowed=False)
    full = {flight for flight, number in alone.escorts.items() if number >= edition.escorts_most}
    if any(each.flight in full | alone.last for each in needing):
        return Finding(allowed=False)
    fees = tuple((each.flight, edition.escort_fee) for each in needing)
    return Finding(sum(fee for _, fee in fees), fees)


def _needs_escort(edition: Edition, facts: Facts, child: Passenger, flight: Segment) -> bool:
    alone = facts.request.alone
    with_child = alone.companions.get(flight.flight, ()) if alone else ()
    is_watched = any(
        each.number in with_child and each.age(flight.day) >= edition.adult_age
        for each in facts.booking.passengers
    )
    return child.age(flight.day) < edition.alone_age and not is_watched


def _too_old_for_laps(facts: Facts) -> Finding | None:
    """The flights on which an infant is two."""
    parts = tuple(
        (flight.flight, facts.request.lap_fares.get(flight.flight, 0))
        for one in facts.booking.passengers
        for flight in facts.booking.segments
        if one.kind == "infant" and flight.state == OPEN and one.age(flight.day) >= INFANT_YEARS
    )
    return Finding(sum(fare for _, fare in parts), parts) if parts else None


def seats(edition: Edition, facts: Facts, find: Find) -> Finding | None:
    wanted = facts.request.seats
    flown = [each for each in facts.booking.segments if wanted and each.flight == wanted.flight]
    if wanted is None or not flown:
        return None
    with_lap = {each.adult for each in facts.booking.passengers if each.kind == "infant"}
    for number, place in wanted.places.items():
        one = _passenger(facts, number)
        if one is None:
            continue
        is_able = one.age(flown[0].day) >= edition.exit_age and number not in with_lap
        wrong_exit = place.is_exit and (not is_able or bool(one.code))
        in_front = place.is_aisle and place.row <= edition.assisted_rows
        if wrong_exit or (one.code == ASSISTED and not in_front):
            return Finding(allowed=False)
    return Finding(sum(each.price for each in wanted.places.values()))


def _passenger(facts: Facts, number: int) -> Passenger | None:
    return next((each for each in facts.booking.passengers if each.number == number), None)


def compensation(edition: Edition, facts: Facts, find: Find) -> Finding | None:
    delay = facts.delay
    way = facts.booking.way(delay.direction) if delay else ()
    if delay is None or not way or delay.minutes < edition.late_hours * 60:
        return None
    miles = edition.miles[zone(way[0].origin)][zone(way[-1].destination)]
    each = edition.paid_middle if miles <= edition.far_miles else edition.paid_far
    each = edition.paid_near if miles <= edition.near_miles else each
    each = each // 2 if delay.minutes < edition.half_hours * 60 else each
    return Finding(each * len(_seated(facts.booking)))


def no_compensation(edition: Edition, facts: Facts, find: Find) -> Finding | None:
    delay = facts.delay
    way = facts.booking.way(delay.direction) if delay else ()
    if delay is None or not way:
        return None
    early = (way[0].day - delay.warned).days >= edition.warned_days
    return Finding(allowed=False) if early or delay.cause in edition.exempt else None


def care(edition: Edition, facts: Facts, find: Find) -> Finding | None:
    """Meals, and hotel and taxi, in `parts`."""
    delay = facts.delay
    if delay is None:
        return None
    meals = (
        delay.waiting // (edition.meal_hours * 60) * edition.meal * len(facts.booking.passengers)
    )
    here, home = (_city(code) for code in (delay.airport, facts.customer.home))
    away = delay.later_day and here != home
    hotel = edition.hotel * len(_seated(facts.booking)) if away else 0
    if not meals + hotel:
        return None
    return Finding(meals + hotel, (("meals", meals), ("hotel", hotel)))


def names(edition: Edition, facts: Facts, find: Find) -> Finding | None:
    name = facts.request.name
    if name is None:
        return None
    before, after = ([_letters(each) for each in names] for names in (name.before, name.after))
    letters = sum(map(_apart, before, after))
    if letters <= edition.name_letters or before == after[::-1]:
        return Finding()
    if before[0] == after[0] and name.document:
        return Finding(edition.surname_fee)
    return Finding(allowed=False)


def bags(edition: Edition, facts: Facts, find: Find) -> Finding | None:
    return (
        _lost_bag(edition, facts) if facts.request.wish == "lost-bag" else _new_bags(edition, facts)
    )


def _lost_bag(edition: Edition, facts: Facts) -> Finding | None:
    if facts.bag_lost is None:
        return None
    spent = dict.fromkeys((each.number for each in facts.booking.passengers), 0)
    for each in facts.request.receipts:
        if (
            each.passenger in spent
            and 0 <= (each.day - facts.bag_lost).days <= edition.receipt_days
        ):
            spent[each.passenger] += each.amount
    return Finding(sum(min(edition.receipt_most, each) for each in spent.values()))


def _new_bags(edition: Edition, facts: Facts) -> Finding | None:
    wanted = facts.request.bags
    way = facts.booking.way(wanted.direction) if wanted else ()
    if wanted is None or not way:
        return None
    free = {
        "light": edition.bags_light,
        "classic": edition.bags_classic,
        "flex": edition.bags_flex,
        "business": edition.bags_business,
    }[way[0].brand]
    free += edition.bags_gold if facts.customer.tier == "gold" else 0
    numbers = [each.number for each in _seated(facts.booking)]
    over = [
        wanted.pieces.get(each, 0) + wanted.sports.get(each, 0) * edition.sports_pieces - free
        for each in numbers
    ]
    beyond = [sum(over)] if edition.bags_count == "together" else over
    price = sum(edition.bag_first + edition.bag_further * (each - 1) for each in beyond if each > 0)
    if way[0].departs - NOW >= timedelta(hours=edition.early_hours):
        price = -(-price * (100 - edition.early_percent) // 100)
    return Finding(max(0, price - wanted.paid))


def _city(code: str) -> str:
    found = load_airports().get(code)
    return found.city if found else code


def _letters(name: str) -> str:
    return plain(name).replace("-", "").replace(" ", "")


def _apart(one: str, other: str) -> int:
    """How many letters have to be changed, added or taken away."""
    row = list(range(len(other) + 1))
    for at, letter in enumerate(one, start=1):
        before, row = row, [at]
        for place, another in enumerate(other, start=1):
            kept = before[place - 1] + (letter != another)
            row.append(min(kept, before[place] + 1, row[-1] + 1))
    return row[-1]


# Before, and who ---------------------------------------------------------------------------------


def first_things_first(edition: Edition, facts: Facts, find: Find) -> Finding | None:
    if facts.request.wish in AT_ONCE:
        return None
    if facts.booking.claim:
        return Finding(allowed=False)
    return Finding(facts.booking.balance) if facts.booking.balance else None


def vouchers(edition: Edition, facts: Facts, find: Find) -> Finding | None:
    """The vouchers that pay in their turn, with what each has; `amount` is left to the card."""
    if not facts.request.vouchers:
        return None
    own = [each for each in facts.request.vouchers if each.holder == facts.customer.number]
    extended = [each for each in own if _can_be_extended(edition, facts, each)]
    valid = [each for each in own if each.expires >= TODAY or each in extended]
    valid.sort(key=lambda each: (each.expires, each.code))
    used = valid[: edition.voucher_most]
    return Finding(
        edition.card_least,
        tuple((each.code, each.balance) for each in used),
        extended=tuple(
            f"{each.code} {each.expires + timedelta(edition.extension_days)}"
            for each in used
            if each in extended
        ),
    )


def _can_be_extended(edition: Edition, facts: Facts, one: Voucher) -> bool:
    since = (TODAY - one.expires).days
    return facts.customer.tier in ("silver", "gold") and 1 <= since <= edition.grace_days


def who_may_ask(edition: Edition, facts: Facts, find: Find) -> Finding | None:
    sender, agency = facts.request.sender, facts.booking.agency
    if agency and find("6") is None and facts.request.wish not in DISTURBED:
        is_right = sender.who == "agency" and sender.agency == agency
        return None if is_right else Finding(allowed=False)
    if agency and sender.who == "agency" and sender.agency == agency:
        return None
    needed = 3 if facts.request.wish in ("email", "other-source") else 2
    known = len(sender.given) >= needed
    if sender.who != "customer":
        permission = sender.permission
        age = (TODAY - permission.day).days if permission else -1
        known = known and 0 <= age <= edition.permission_days
    return None if known else Finding(allowed=False)


def limits(edition: Edition, facts: Facts, find: Find) -> Finding | None:
    """The most that is given back or charged on one ticket."""
    return Finding(edition.limit)


# The booking -------------------------------------------------------------------------------------

Way = tuple[Segment, ...]


def _ways(booking: Booking) -> Iterator[Way]:
    return (booking.way(direction) for direction in booking.directions())


def _is_begun(way: Way) -> bool:
    return any(each.state == FLOWN for each in way)


def _unbegun(booking: Booking) -> Iterator[tuple[str, int, Passenger, Way]]:
    """Each passenger's fare of each direction of which nothing was flown."""
    for way in _ways(booking):
        if not _is_begun(way):
            for one in booking.passengers:
                yield str(one.number), one.fares[way[0].direction], one, way


def _seated(booking: Booking) -> list[Passenger]:
    return [each for each in booking.passengers if each.kind != "infant"]


def _brand(way: Way, find: Find) -> Brand:
    """The one that counts."""
    lowered = find("13")
    return lowered.brand if lowered and lowered.brand else way[0].brand


def _lowered(find: Find) -> tuple[str, ...]:
    found = find("13")
    return ("13",) if found and found.brand else ()


def _unflown_part(edition: Edition, way: Way, fare: int) -> int:
    """The part of a fare that was not flown, rounded down."""
    if edition.share_by == "miles":
        size = [edition.miles[zone(each.origin)][zone(each.destination)] for each in way]
    else:
        size = [1] * len(way)
    unflown = [one for one, each in zip(size, way, strict=True) if each.state != FLOWN]
    return fare * sum(unflown) // sum(size)


RULES: Mapping[str, Rule] = {
    "1": second_thoughts,
    "2": fare_gives_back,
    "3": part_used,
    "4": back_to_the_source,
    "5": cover,
    "6": we_changed_it,
    "7": missed,
    "8": death_in_the_family,
    "9": change_fee,
    "10": same_day,
    "11": fare_difference,
    "12": connections,
    "13": no_way_round,
    "14": first_things_first,
    "15": rerouting,
    "16": compensation,
    "17": no_compensation,
    "18": care,
    "19": names,
    "20": children,
    "21": seats,
    "22": bags,
    "23": vouchers,
    "24": who_may_ask,
    "25": limits,
}
"""By the numbers of their articles."""
