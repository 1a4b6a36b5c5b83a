"""Rules 15 to 22: rerouting, late flights, names, children, seats and bags."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import cache
from itertools import pairwise

from scenarios.crm.policy.facts import (
    Alternative,
    Brand,
    Facts,
    NewBags,
    Passenger,
    Segment,
)
from scenarios.crm.policy.findings import Find, Finding
from scenarios.crm.policy.ways import (
    OPEN,
    seated,
)
from sites.crm.airline_desk.handbook.edition import Edition
from sites.crm.airline_desk.handbook.zones import zone
from sites.crm.base.airports import Airports, load_airports, plain

HOUR = timedelta(hours=1)
INFANT_YEARS, ASSISTED = 2, "W"
CABINS: tuple[tuple[Brand, ...], ...] = (("light", "classic", "flex"), ("business",))


def rerouting(edition: Edition, facts: Facts, find: Find) -> Finding | None:
    """Apply article 15: return the index of the other flights that are taken, and their fare
    brand.
    """
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
    """Return a sort key for indexes of alternative flights: earliest arrival first, then latest
    departure.
    """

    def order(at: int) -> tuple[datetime, float]:
        segments = options[at].segments
        return segments[-1].arrives, -segments[0].departs.timestamp()

    return order


def _open_brand(edition: Edition, facts: Facts, option: Alternative) -> Brand | None:
    """Return the lowest brand with seats for all that the edition allows, or None.

    Depending on the edition this is any brand of the booked cabin, or only the booked brand.
    """
    way = facts.booking.way(option.segments[0].direction)
    if not way:
        return None
    booked, needed = way[0].brand, len(seated(facts.booking))
    cabin = next(each for each in CABINS if booked in each)
    brands = cabin if edition.reroute_in == "cabin" else (booked,)
    return next((each for each in brands if option.seats.get(each, 0) >= needed), None)


def children(edition: Edition, facts: Facts, find: Find) -> Finding | None:
    """Apply article 20: return the flights that need an escort or an infant's seat, with the price
    in dollars.
    """
    if facts.request.wish == "lap":
        return _too_old_for_laps(facts)
    return _escorted(edition, facts)


def _escorted(edition: Edition, facts: Facts) -> Finding | None:
    """Return the flights on which a child needs an escort, or forbid that the child flies alone."""
    unaccompanied = facts.request.unaccompanied
    child = _passenger(facts, unaccompanied.passenger) if unaccompanied else None
    if unaccompanied is None or child is None:
        return None
    way = facts.booking.way(unaccompanied.direction)
    needing = [each for each in way if _needs_escort(edition, facts, child, each)]
    least = timedelta(minutes=edition.escort_connection)
    for one, two in pairwise(way):
        if two.departs - one.arrives < least and {one, two} & set(needing):
            return Finding(allowed=False)
    full = {
        flight for flight, number in unaccompanied.escorts.items() if number >= edition.escorts_most
    }
    if any(each.flight in full | unaccompanied.last for each in needing):
        return Finding(allowed=False)
    fees = tuple((each.flight, edition.escort_fee) for each in needing)
    return Finding(sum(fee for _, fee in fees), fees)


def _needs_escort(edition: Edition, facts: Facts, child: Passenger, flight: Segment) -> bool:
    """Return whether a child is too young for a flight without an escort or an adult companion."""
    unaccompanied = facts.request.unaccompanied
    with_child = unaccompanied.companions.get(flight.flight, ()) if unaccompanied else ()
    is_watched = any(
        each.number in with_child and each.age(flight.day) >= edition.adult_age
        for each in facts.booking.passengers
    )
    return child.age(flight.day) < edition.alone_age and not is_watched


def _too_old_for_laps(facts: Facts) -> Finding | None:
    """Return the flights on which an infant is two years old and needs a seat."""
    parts = tuple(
        (flight.flight, facts.request.lap_fares.get(flight.flight, 0))
        for one in facts.booking.passengers
        for flight in facts.booking.segments
        if one.kind == "infant" and flight.state == OPEN and one.age(flight.day) >= INFANT_YEARS
    )
    return Finding(sum(fare for _, fare in parts), parts) if parts else None


def seats(edition: Edition, facts: Facts, find: Find) -> Finding | None:
    """Apply article 21: forbid seats that their passengers may not take, or return the price."""
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
    """Apply article 16: return the compensation for a delay in dollars, by distance and length of
    the delay.
    """
    delay = facts.delay
    way = facts.booking.way(delay.direction) if delay else ()
    if delay is None or not way or delay.minutes < edition.late_hours * 60:
        return None
    miles = edition.miles[zone(way[0].origin)][zone(way[-1].destination)]
    each = edition.paid_middle if miles <= edition.far_miles else edition.paid_far
    each = edition.paid_near if miles <= edition.near_miles else each
    each = each // 2 if delay.minutes < edition.half_hours * 60 else each
    return Finding(each * len(seated(facts.booking)))


def no_compensation(edition: Edition, facts: Facts, find: Find) -> Finding | None:
    """Apply article 17: there is no compensation after an early warning or for an exempt cause."""
    delay = facts.delay
    way = facts.booking.way(delay.direction) if delay else ()
    if delay is None or not way:
        return None
    early = (way[0].day - delay.warned).days >= edition.warned_days
    return Finding(allowed=False) if early or delay.cause in edition.exempt else None


def care(edition: Edition, facts: Facts, find: Find) -> Finding | None:
    """Apply article 18: return the money for meals, hotel and taxi during a delay, in dollars."""
    delay = facts.delay
    if delay is None:
        return None
    meals = (
        delay.waiting // (edition.meal_hours * 60) * edition.meal * len(facts.booking.passengers)
    )
    here, home = (_city(code) for code in (delay.airport, facts.customer.home))
    away = delay.later_day and here != home
    hotel = edition.hotel * len(seated(facts.booking)) if away else 0
    if not meals + hotel:
        return None
    return Finding(meals + hotel, (("meals", meals), ("hotel", hotel)))


def names(edition: Edition, facts: Facts, find: Find) -> Finding | None:
    """Apply article 19: allow small corrections free of charge and a new surname for a fee."""
    name = facts.request.name
    if name is None:
        return None
    before, after = ([_letters(each) for each in names] for names in (name.before, name.after))
    if letters_wrong(name.before, name.after) <= edition.name_letters or before == after[::-1]:
        return Finding()
    if before[0] == after[0] and name.document:
        return Finding(edition.surname_fee)
    return Finding(allowed=False)


def bags(edition: Edition, facts: Facts, find: Find) -> Finding | None:
    """Apply article 22: return the price of the bags, the number of pieces, and the money for
    receipts.
    """
    given = _for_receipts(edition, facts)
    if facts.request.wish == "lost-bag":
        return Finding(given=given) if given else None
    wanted = [each for each in facts.request.bags if facts.booking.way(each.direction)]
    if not wanted:
        return None
    price = sum(_price(edition, facts, each) for each in wanted)
    pieces = tuple(
        (each.direction, number, count)
        for each in wanted
        for number, count in sorted(_pieces(edition, facts, each).items())
        if count
    )
    return Finding(price, given=given, pieces=pieces)


def _for_receipts(edition: Edition, facts: Facts) -> tuple[tuple[int, int], ...]:
    """Return the money for a lost bag by the number of the passenger."""
    if facts.bag_lost is None:
        return ()
    spent = dict.fromkeys((each.number for each in facts.booking.passengers), 0)
    for each in facts.request.receipts:
        late = (each.day - facts.bag_lost).days
        if each.passenger in spent and 0 <= late <= edition.receipt_days:
            spent[each.passenger] += each.amount
    paid = {number: min(edition.receipt_most, amount) for number, amount in spent.items()}
    return tuple((number, amount) for number, amount in paid.items() if amount)


def _pieces(edition: Edition, facts: Facts, wanted: NewBags) -> dict[int, int]:
    """Return the number of pieces by passenger with a seat; a sports item counts as several
    pieces.
    """
    return {
        each.number: wanted.pieces.get(each.number, 0)
        + wanted.sports.get(each.number, 0) * edition.sports_pieces
        for each in seated(facts.booking)
    }


def _price(edition: Edition, facts: Facts, wanted: NewBags) -> int:
    """Return the price in dollars of the bags beyond the free ones, less the money already paid."""
    way = facts.booking.way(wanted.direction)
    free = _free_pieces(edition, facts, way)
    over = [count - free for count in _pieces(edition, facts, wanted).values()]
    beyond = [sum(over)] if edition.bags_count == "together" else over
    price = sum(edition.bag_first + edition.bag_further * (each - 1) for each in beyond if each > 0)
    if way[0].departs - facts.now >= timedelta(hours=edition.early_hours):
        price = -(-price * (100 - edition.early_percent) // 100)
    return max(0, price - wanted.paid)


def _free_pieces(edition: Edition, facts: Facts, way: tuple[Segment, ...]) -> int:
    """Return the number of free bags per passenger by brand, distance and tier."""
    free = {
        "light": edition.bags_light,
        "classic": edition.bags_classic,
        "flex": edition.bags_flex,
        "business": edition.bags_business,
    }[way[0].brand]
    miles = edition.miles[zone(way[0].origin)][zone(way[-1].destination)]
    free += edition.bags_far if miles >= edition.bags_miles else 0
    return free + (edition.bags_gold if facts.customer.tier == "gold" else 0)


def _city(code: str) -> str:
    """Return the city of an airport, or the code if it is unknown."""
    found = _airports().get(code)
    return found.city if found else code


@cache
def _airports() -> Airports:
    return load_airports()


def letters_wrong(before: tuple[str, str], after: tuple[str, str]) -> int:
    """Return the edit distance between two names: letters to change, add or remove."""
    pairs = zip(before, after, strict=True)
    return sum(_apart(_letters(one), _letters(other)) for one, other in pairs)


def _letters(name: str) -> str:
    """Return a name in plain letters, without hyphens and blanks."""
    return plain(name).replace("-", "").replace(" ", "")


def _apart(one: str, other: str) -> int:
    """Return the edit distance between two words."""
    row = list(range(len(other) + 1))
    for at, letter in enumerate(one, start=1):
        before, row = row, [at]
        for place, another in enumerate(other, start=1):
            kept = before[place - 1] + (letter != another)
            row.append(min(kept, before[place] + 1, row[-1] + 1))
    return row[-1]
