"""A booking for a party with relative dates, fares, bags and seats together.

The passengers have several ages, and one city has two airports. A birthday before travel can turn a
child into an adult, or an infant into a child. Only one row of the plane meets the party's wish.
Every fifth seed uses held-out phrasings.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from random import Random
from typing import Any

from scenarios.crm.airline_desk import dates, desk, flight_choice, parties, value_formats
from scenarios.crm.airline_desk.dates import NamedDay
from scenarios.crm.airline_desk.decoys import decoys
from scenarios.crm.airline_desk.desk import OUTWARD, RETURN, Drawn, Order
from scenarios.crm.airline_desk.family import Task, on_all
from scenarios.crm.airline_desk.parties import Party
from scenarios.crm.airline_desk.phrasings import kind_of
from scenarios.crm.airline_desk.reference_solution import other_card
from scenarios.crm.sale import pages
from scenarios.crm.sale.book_party import _seating
from scenarios.crm.sale.book_party._seating import Wish
from scenarios.crm.sale.routes import Route, route
from scenarios.phrasings import Speaker
from scenarios.scenario import NearMiss, Scenario
from sites.crm import CrmData
from sites.crm.airline_desk.model.airline import Airline
from sites.crm.airline_desk.model.cabin import cabin
from sites.crm.base.network import BRANDS, Offer
from sites.world import World

STEPS = ("find flight", "choose offer", "fill party", "choose seats", "choose bags", "settle money")
WAYS = {OUTWARD: "on the way out", RETURN: "on the way home"}
BOTH = "both ways"
ONE_FARE = 0.6
"""The share of parties that book the same fare in both directions."""
CORRECTED = 0.5


@dataclass(frozen=True)
class Way:
    """A direction of the journey to book: the flight, its description in the request, and its fare.

    Attributes:
        instead: The flight with a stop that would be right if stops did not matter, or None.
    """

    offer: Offer
    described: str
    brand: str
    instead: Offer | None


@dataclass(frozen=True)
class Plan:
    """The contents of one seed's request for a party's booking.

    Attributes:
        seats: The seating wish and the passengers' numbers in seat order, by direction.
        bags: Numbers of bags by (passenger number, direction).
    """

    route: Route
    days: tuple[NamedDay, NamedDay]
    party: Party
    ways: Mapping[str, Way]
    seats: Mapping[str, tuple[Wish, tuple[int, ...]]]
    bags: Mapping[tuple[int, str], int]
    card: Mapping[str, str]


# Drawing -----------------------------------------------------------------------------------------


def draw(seed: int, airline: Airline, data: CrmData) -> Drawn:
    rng = desk.rng("book_party", seed)
    plan = next(filter(None, (_plan(rng, data) for _ in range(5000))))
    order = _order(plan, data)
    speaker = Speaker("book_party", kind_of(seed), rng)
    text, known, before = _request(plan, airline, data, speaker)
    changes = desk.changes(order, data.network)
    gold = {
        "order": order.to_json(),
        "changes": changes,
        "steps": desk.steps(changes),
        "known": known,
        "rivals": {name: way.instead.id for name, way in plan.ways.items() if way.instead},
        "before": before,
        "offers": pages.shown_offers(order, data),
    }
    return Drawn(text, gold, {"phrasing": speaker.kind})


def _plan(rng: Random, data: CrmData) -> Plan | None:
    """Draw the contents of a request, or return None if its parts do not fit together."""
    way = route(rng, data)
    if not data.network.flies(way.origin, way.destination):
        return None
    out = dates.outward(rng)
    days = out, dates.homeward(rng, out.iso)
    isos = [day.iso for day in days]
    party = parties.draw(rng, data, rng.choice(parties.COMPOSITIONS), isos)
    if not 3 <= len(party.seated) <= 4 or len(party.adults) < party.counts()["infants"]:
        return None
    ways = _ways(rng, data, way, isos, len(party.seated))
    seats = _seats(rng, ways, party) if ways else None
    if not ways or not seats:
        return None
    return Plan(way, days, party, ways, seats, _bags(rng, party), parties.card(rng))


def _ways(
    rng: Random, data: CrmData, way: Route, days: Sequence[str], number: int
) -> dict[str, Way]:
    """Draw a flight for each direction, or return {} if a direction has no flight that a
    description identifies.
    """
    brands = rng.sample(BRANDS[:3], 2)
    if rng.random() < ONE_FARE:
        brands = [brands[0]] * 2
    ends = (way.origin, way.destination)
    found = {}
    for direction, brand, here, there, day in zip(
        WAYS, brands, ends, reversed(ends), days, strict=True
    ):
        offers = data.network.offers(here, there, day)
        able = [each for each in offers if each.fare(brand).seats >= number]
        chosen = flight_choice.draw(rng, able, offers)
        if chosen is None:
            return {}
        choice, right = chosen
        other = choice.pick(able, direct=False)
        found[direction] = Way(right, choice.text(rng), brand, other if other != right else None)
    return found


def _seats(
    rng: Random, ways: Mapping[str, Way], party: Party
) -> dict[str, tuple[Wish, tuple[int, ...]]]:
    """Draw a wish for adjacent seats on one flight, with the passengers in seat order; return {} if
    no wish fits.
    """
    direction = rng.choice(tuple(WAYS))
    wish = _seating.draw(rng, cabin(ways[direction].offer.flights[0]), len(party.seated))
    if wish is None:
        return {}
    numbers = [each.number for each in party.seated]
    rng.shuffle(numbers)
    return {direction: (wish, tuple(numbers))}


def _bags(rng: Random, party: Party) -> dict[tuple[int, str], int]:
    """Draw bags for one or two adults, in one direction or both."""
    adults = [each.number for each in party.adults if not party.roles[each.number]]
    owners = sorted(rng.sample(adults, min(len(adults), rng.randint(1, 2))))
    found = {}
    for number in owners:
        pieces = rng.choice((1, 1, 2))
        for direction in rng.choice((tuple(WAYS), tuple(WAYS), (OUTWARD,), (RETURN,))):
            found[number, direction] = pieces
    return found


def _order(plan: Plan, data: CrmData) -> Order:
    order = Order(
        search={
            "from": plan.route.origin,
            "to": plan.route.destination,
            "trip-type": "return",
            "departure": plan.days[0].iso,
            "return": plan.days[1].iso,
            **{field: str(count) for field, count in plan.party.counts().items()},
        },
        offers={name: f"{way.offer.id}/{way.brand}" for name, way in plan.ways.items()},
        party=plan.party.values(),
        seats={
            {OUTWARD: "1", RETURN: "2"}[direction]: {
                f"seat.{number}": code for number, code in zip(numbers, wish.codes, strict=True)
            }
            for direction, (wish, numbers) in plan.seats.items()
        },
        bags=_bag_fields(plan.bags),
        card=plan.card,
    )
    return replace(order, total=desk.total(order, data.network))


# The request -------------------------------------------------------------------------------------


def _request(
    plan: Plan, airline: Airline, data: CrmData, speaker: Speaker
) -> tuple[str, dict[str, Any], dict[str, Any]]:
    """Return the wording of the request, sometimes with a mistake that its last sentence corrects.

    Returns:
        The text, its facts by placeholder, and the parts of the order that a mistake changed.
    """
    rng = speaker.rng
    words = _words(plan, airline, rng)
    stated, now = dict(words), ""
    before: dict[str, Any] = {}
    if rng.random() < CORRECTED:
        slot, wrong, before = _mistaken(plan, airline, rng)
        stated[slot], now = wrong, NOW[slot].format_map(words)
    parts = [
        speaker.say("ask", **stated),
        *_about_people(plan, speaker),
        speaker.say("flights", **stated),
        speaker.say("fares", **stated),
        *_about_seats(plan, speaker),
        speaker.say("add", **stated),
    ]
    if rng.random() < 0.5:
        parts.insert(rng.randint(1, len(parts)), speaker.say("digress", **decoys(rng, data)))
    parts.append(speaker.say("pay", **stated))
    parts += [speaker.say("correct", now=now)] if now else []
    known = {**words, "names": [each.person.name for each in plan.party.passengers]}
    if now:
        known["corrected"] = now
    return " ".join(parts), known, before


def _words(plan: Plan, airline: Airline, rng: Random) -> dict[str, str]:
    """Return the request's wording of each value, by placeholder of the phrasings."""
    out, back = plan.days
    return {
        "origin": plan.route.names[plan.route.origin],
        "destination": plan.route.names[plan.route.destination],
        "out": out.text,
        "back": back.text,
        "first": plan.ways[OUTWARD].described,
        "second": plan.ways[RETURN].described,
        "fares": _fares([way.brand for way in plan.ways.values()], airline),
        "bags": _luggage(plan.party, plan.bags),
        **value_formats.card_words(rng, plan.card),
    }


def _fares(brands: Sequence[str], airline: Airline) -> str:
    """Return the request's words for the fares, such as "Classic both ways"."""
    names = [airline.word(f"brand-{brand}") for brand in brands]
    if names[0] == names[1]:
        return f"{names[0]} {BOTH}"
    return " and ".join(f"{name} {way}" for name, way in zip(names, WAYS.values(), strict=True))


def _luggage(party: Party, bags: Mapping[tuple[int, str], int]) -> str:
    """Return the request's words for the bags, such as "one bag for Ann both ways and two bags for
    Bob on the way home".
    """
    parts = []
    for number in sorted({number for number, _ in bags}):
        ways = [way for way in WAYS if (number, way) in bags]
        pieces = bags[number, ways[0]]
        counted = "one bag" if pieces == 1 else f"{dates.NUMBERS[pieces]} bags"
        where = BOTH if len(ways) > 1 else WAYS[ways[0]]
        parts.append(f"{counted} for {_first(party, number)} {where}")
    return parties.enumerated(parts)


def _first(party: Party, number: int) -> str:
    return party.passengers[number - 1].person.first_name


def _about_people(plan: Plan, speaker: Speaker) -> Iterator[str]:
    yield speaker.say("party", people=parties.listed(speaker.rng, plan.party))
    for each in plan.party.passengers:
        if each.adult:
            adult = _first(plan.party, each.adult)
            yield speaker.say("lap", infant=each.person.first_name, adult=adult)


def _about_seats(plan: Plan, speaker: Speaker) -> Iterator[str]:
    for direction, (wish, numbers) in plan.seats.items():
        where = WAYS[direction]
        names = [_first(plan.party, number) for number in numbers]
        slots = {
            "where": where,
            "where_first": where.capitalize(),
            "which": WHICH[wish.which],
            "rules": ", not an exit row and no seat that costs extra"
            if wish.free
            else ", not an exit row, whether it costs extra or not",
            "names": parties.enumerated(names),
        }
        if wish.shape == _seating.SIDE:
            order = names if wish.codes[0][-1] == "A" else names[::-1]
            slots |= dict(zip(("window", "middle", "aisle"), order, strict=True))
        yield speaker.say(wish.shape, **slots)
    other = next((way for name, way in WAYS.items() if name not in plan.seats), "")
    yield f"No seats need to be chosen {other}."


WHICH = {
    _seating.ONLY: "wherever that is possible",
    _seating.FRONT: "the one nearest the front that is possible",
    _seating.BACK: "the one nearest the back that is possible",
}


NOW = {
    "fares": "the fare is {fares}",
    "back": "we fly home {back}",
    "card": "the number of the card is {card}",
    "bags": "the bags are {bags}",
}
"""The sentences that correct an earlier statement of the request, by the placeholder whose value
they correct.
"""


def _mistaken(plan: Plan, airline: Airline, rng: Random) -> tuple[str, str, dict[str, Any]]:
    """Draw a wrong statement that the request later corrects.

    Returns:
        The placeholder, its wrong wording, and the parts of the order that the mistake changes.
    """
    slot = rng.choice([*NOW])
    if slot == "fares":
        own = [way.brand for way in plan.ways.values()]
        wrong = [rng.choice([each for each in BRANDS[:3] if each != own[0]]), own[1]]
        return slot, _fares(wrong, airline), {"brands": wrong}
    if slot == "back":
        out, back = (day.iso for day in plan.days)
        ahead = [days for days in (-2, -1, 1, 2) if dates.moved(back, days) > out]
        day = dates.moved(back, rng.choice(ahead))
        return slot, dates.plain(date.fromisoformat(day)), {"return": day}
    if slot == "card":
        number = other_card(plan.card["card-number"])
        return slot, rng.choice(value_formats.of_card(number)), {"card-number": number}
    fewer = {key: 3 - pieces for key, pieces in plan.bags.items()}
    return slot, _luggage(plan.party, fewer), {"bags": _bag_fields(fewer)}


def _bag_fields(bags: Mapping[tuple[int, str], int]) -> dict[str, str]:
    """Return the numbers of bags by field name of the bag form."""
    return {f"bags-{way}.{number}": str(count) for (number, way), count in bags.items()}


# Solution and near misses ------------------------------------------------------------------------


def solve(scenario: Scenario, world: World, data: CrmData) -> str:
    if not desk.is_sold(world):
        desk.buy(world, data, desk.order_of(scenario))
    return ""


def near_misses(scenario: Scenario, data: CrmData) -> Mapping[str, NearMiss]:
    order = desk.order_of(scenario)
    late = _rebooked(replace(order, search=_week_late(order)), data)
    misses = {"not paid": NearMiss(partial(desk.prepare, data=data, order=order), "booking")}
    if late:
        both = [order, _priced(late, data)]
        misses["booked twice"] = NearMiss(partial(_all, data, both), "nothing else")
    mistakes = [*_mistakes(order, data), *_slips(scenario, order, data)]
    for label, fails, changed in mistakes:
        misses[label] = NearMiss(partial(_all, data, [_priced(changed, data)]), fails)
    return misses


def _priced(order: Order, data: CrmData) -> Order:
    return replace(order, total=desk.total(order, data.network))


def _all(data: CrmData, orders: Sequence[Order], world: World) -> None:
    for order in orders:
        desk.buy(world, data, order)


Mistake = tuple[str, str, Order]


def _mistakes(order: Order, data: CrmData) -> Iterator[Mistake]:
    """Yield near misses, each a label, the check that must fail, and an order with one mistake."""
    yield from _other_flights(order, data)
    yield from _other_seats(order, data)
    yield from _other_bags(order)
    yield "another card", "money", replace(order, card={**order.card, **_other_card(order)})
    laps = {key: value for key, value in order.party.items() if key.startswith("lap.")}
    adults = int(order.search["adults"])
    for key, value in laps.items():
        other = next(str(n) for n in range(1, adults + 1) if str(n) != value) if adults > 1 else ""
        if other:
            party = {**order.party, key: other}
            yield "on another lap", "passengers", replace(order, party=party)
    born = dates.moved(order.party["born.1"], -1)
    yield (
        "a birthday off by a day",
        "passengers",
        replace(order, party={**order.party, "born.1": born}),
    )


def _slips(scenario: Scenario, order: Order, data: CrmData) -> Iterator[Mistake]:
    """Yield near misses of a careless reader: orders with a change of planes, or with the values
    before the correction.
    """
    for direction, offer in scenario.gold["rivals"].items():
        brand = order.offers[direction].partition("/")[2]
        offers = {**order.offers, direction: f"{offer}/{brand}"}
        yield "with a change", "flights", replace(order, offers=offers, seats={})
    before, label = scenario.gold["before"], "as before the correction"
    if "bags" in before:
        yield label, "bags", replace(order, bags=before["bags"])
    if "card-number" in before:
        yield label, "money", replace(order, card={**order.card, **before})
    if "return" in before:
        made = _rebooked(replace(order, search={**order.search, **before}), data)
        if made:
            yield label, "flights", made
    if "brands" in before:
        offers = {
            way: f"{each.partition('/')[0]}/{brand}"
            for (way, each), brand in zip(order.offers.items(), before["brands"], strict=True)
        }
        changed = replace(order, offers=offers)
        if _is_open(changed, data):
            yield label, "flights", changed


def _other_card(order: Order) -> dict[str, str]:
    return {"card-number": other_card(order.card["card-number"])}


def _other_flights(order: Order, data: CrmData) -> Iterator[Mistake]:
    """Yield near misses: orders with another airport of the city, another week, flight or fare."""
    for label, search in _other_searches(order, data):
        made = _rebooked(replace(order, search=search), data)
        if made:
            yield label, "flights", made
    for direction, label in ((OUTWARD, "another flight out"), (RETURN, "another flight home")):
        made = _rebooked(order, data, direction, another=True)
        if made:
            yield label, "flights", made
    for brand in BRANDS:
        offers = {way: f"{each.partition('/')[0]}/{brand}" for way, each in order.offers.items()}
        changed = replace(order, offers=offers)
        if offers != order.offers and _is_open(changed, data):
            yield "another fare", "flights", changed
            return


def _other_searches(order: Order, data: CrmData) -> Iterator[tuple[str, Mapping[str, str]]]:
    search = order.search
    for end in ("from", "to"):
        own = data.airports[search[end]]
        for other in data.airports.values():
            if other.city == own.city and other != own:
                yield "the city's other airport", {**search, end: other.code}
    late = _week_late(order)
    yield "a week late", late
    yield "home a week late", {**search, "return": late["return"]}


def _week_late(order: Order) -> dict[str, str]:
    days = {key: dates.moved(order.search[key], 7) for key in ("departure", "return")}
    return {**order.search, **days}


def _rebooked(
    order: Order, data: CrmData, direction: str = "", *, another: bool = False
) -> Order | None:
    """Return the order with offers that its search finds, without seats; None if none is available.

    Args:
        direction: The direction that gets a different offer if `another` is set.
    """
    number, offers = desk.search_of(order).seats, {}
    for way, here, there, day in desk.search_of(order).ways():
        own, _, brand = order.offers[way].partition("/")
        able = [
            each.id
            for each in data.network.offers(here, there, day)
            if each.fare(brand).seats >= number
        ]
        others = [each for each in able if each != own] if another and way == direction else able
        if not others:
            return None
        chosen = own if own in others else others[0]
        offers[way] = f"{chosen}/{brand}"
    return replace(order, offers=offers, seats={})


def _is_open(order: Order, data: CrmData) -> bool:
    """Return whether the order's fares have enough seats left."""
    chosen = desk.chosen(order, data.network).values()
    return all(offer.fare(brand).seats >= desk.search_of(order).seats for offer, brand in chosen)


def _other_seats(order: Order, data: CrmData) -> Iterator[Mistake]:
    """Yield near misses: orders without seats, with swapped seats, with seats in another row, or in
    an exit row.
    """
    yield "no seats", "seats", replace(order, seats={})
    [(at, seats)] = order.seats.items()
    keys, codes = [*seats], [*seats.values()]
    swapped = dict(zip(keys, [codes[1], codes[0], *codes[2:]], strict=True))
    yield "two seats swapped", "seats", replace(order, seats={at: swapped})
    flight = desk.flights(order, data.network)[int(at) - 1]
    for block in _seating.blocks(cabin(flight), _seating.ROW, len(codes)):
        label = "in an exit row" if block.exit else "in another row"
        if block.codes[0][:-1] != codes[0][:-1]:
            elsewhere = dict(zip(keys, block.codes, strict=False))
            yield label, "seats", replace(order, seats={at: elsewhere})


def _other_bags(order: Order) -> Iterator[Mistake]:
    yield "no bags", "bags", replace(order, bags={})
    more = f"bags-{OUTWARD}.{desk.search_of(order).seats}"
    if more not in order.bags:
        yield "a bag too many", "bags", replace(order, bags={**order.bags, more: "1"})
    key, pieces = next(iter(order.bags.items()))
    other = {**order.bags, key: str(int(pieces) % 2 + 1)}
    yield "another number of bags", "bags", replace(order, bags=other)


# The families ------------------------------------------------------------------------------------


TASK = Task(
    task="book_party",
    about="Book a party with bags, and seats together.",
    STEPS=STEPS,
    draw=draw,
    solve=solve,
    near_misses=near_misses,
    advise=pages.advise,
    length=pages.length,
)
FAMILIES = on_all(TASK)
