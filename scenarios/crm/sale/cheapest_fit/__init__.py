"""A booking of the cheapest offer on two days that meets all of a party's conditions.

Each condition excludes something cheaper. Offers are compared by their total with bags, which cost
a different amount in each fare. In three of twenty seeds no offer is cheap enough. Every fifth seed
uses held-out phrasings.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date
from functools import partial
from random import Random
from typing import Any

from agent.interface import Advice, AnswerSchema, Observation
from scenarios.crm.airline_desk import bookings, dates, desk, fits, parties, value_formats
from scenarios.crm.airline_desk.decoys import decoys
from scenarios.crm.airline_desk.desk import OUTWARD, Drawn, Order
from scenarios.crm.airline_desk.family import Task, on_all
from scenarios.crm.airline_desk.fits import Condition, Option, Wish
from scenarios.crm.airline_desk.flight_choice import clock
from scenarios.crm.airline_desk.parties import ADULT, CHILD, Party
from scenarios.crm.airline_desk.phrasings import kind_of
from scenarios.crm.sale import pages
from scenarios.phrasings import Speaker
from scenarios.scenario import NearMiss, Scenario
from sites.crm import CrmData
from sites.crm.airline_desk.model.airline import Airline
from sites.months import MONTHS
from sites.world import World

COMPOSITIONS = ((ADULT, ADULT), (ADULT, ADULT, CHILD), (ADULT, CHILD), (ADULT,) * 3)
IMPOSSIBLE_IN, IMPOSSIBLE = 20, 3
"""The length of a round of seeds, and the number of seeds in it for which no offer is cheap
enough.
"""
LIMITED = 0.6
"""The share of requests that name a price limit, among those that an offer meets."""
CORRECTED = 0.4
NOT_ACHIEVABLE = "NOT_ACHIEVABLE"


@dataclass(frozen=True)
class Plan:
    """The contents of one seed's request for the cheapest offer; `limit` is in dollars, or 0
    without a price limit.
    """

    route: tuple[str, str]
    days: tuple[str, str]
    day_text: str
    party: Party
    wish: Wish
    found: Sequence[Option]
    limit: int
    possible: bool
    card: Mapping[str, str]


# Drawing -----------------------------------------------------------------------------------------


def draw(seed: int, airline: Airline, data: CrmData) -> Drawn:
    rng = desk.rng("cheapest_fit", seed)
    possible = is_possible(seed)
    plan = next(filter(None, (_plan(rng, data, possible) for _ in range(5000))))
    speaker = Speaker("cheapest_fit", kind_of(seed), rng)
    text, known = _request(plan, airline, data, speaker)
    gold = _gold(plan, known, data)
    return Drawn(text, gold, {"phrasing": speaker.kind})


def is_possible(seed: int) -> bool:
    """Return whether an offer is cheap enough, which is false for three of twenty seeds, the same
    on every airline.
    """
    return not desk.rare("cheapest_fit", seed, IMPOSSIBLE_IN, ("impossible",) * IMPOSSIBLE)


def _plan(rng: Random, data: CrmData, possible: bool) -> Plan | None:
    """Draw the contents of a request, or return None if its parts do not fit together."""
    origin, destination = rng.sample(bookings.plain_airports(data), 2)
    first = dates.outward(rng)
    days = first.iso, dates.moved(first.iso, 1)
    party = parties.draw(rng, data, rng.choice(COMPOSITIONS), days, turning=False)
    kinds = [each.kind for each in party.passengers]
    found = fits.options(data.network, (origin, destination), days, kinds)
    wish = fits.draw(rng, found)
    if wish is None:
        return None
    limit = _limit(rng, wish, possible)
    if limit is None:
        return None
    return Plan(
        route=(origin, destination),
        days=days,
        day_text=_day_text(first.text, days),
        party=party,
        wish=wish,
        found=found,
        limit=limit,
        possible=possible,
        card=parties.card(rng),
    )


def _day_text(text: str, days: Sequence[str]) -> str:
    """Return the request's words for two days, such as "on 14 or 15 April"."""
    one, other = (date.fromisoformat(day) for day in days)
    if text != dates.plain(one):
        return f"{text} or the day after"
    if one.month == other.month:
        return f"on {one.day} or {other.day} {MONTHS[one.month - 1]}"
    return f"{text} or {other.day} {MONTHS[other.month - 1]}"


def _limit(rng: Random, wish: Wish, possible: bool) -> int | None:
    """Draw the price limit of a request in dollars.

    Returns:
        For a possible task, a limit that the right offer meets, or 0 for no limit. For an
            impossible task, a limit that only offers breaking a condition meet, or None if no such
            limit exists.
    """
    if possible:
        return wish.target.total + rng.randint(3, 60) if rng.random() < LIMITED else 0
    lowest = min(other.total for other in wish.instead.values())
    limits = range(lowest, wish.target.total - fits.CLEAR_DOLLARS + 1)
    return rng.choice(limits) if limits else None


def _gold(plan: Plan, known: Mapping[str, Any], data: CrmData) -> dict[str, Any]:
    order = _order(plan, plan.wish.target)
    changes = desk.changes(order, data.network) if plan.possible else []
    conditions = [asdict(each) for each in plan.wish.conditions]
    gold = {
        "possible": plan.possible,
        "order": order.to_json(),
        "offers": pages.shown_offers(order, data),
        "days": list(plan.days),
        "conditions": conditions,
        "limit": plan.limit,
        "rivals": {label: _value(each) for label, each in _instead(plan).items()},
        "known": known,
        "path": [_search(plan.route, day, plan.party) for day in plan.days],
        "told": [[text] for text in known.values()],
        "changes": changes,
    }
    if plan.possible:
        return {**gold, "steps": desk.steps(changes)}
    evidence = [*_evidence(plan, data)]
    return {
        **gold,
        "answer": {"kind": "text", "text": NOT_ACHIEVABLE},
        "evidence": evidence,
        "steps": {pages.CHOOSE: [*range(len(evidence) + 1)]},
    }


def _evidence(plan: Plan, data: CrmData) -> Iterator[list[str]]:
    for day in plan.days:
        count = desk.page_count(data, *plan.route, day)
        for page in range(1, count + 1):
            yield ["results", desk.results_page(*plan.route, day, page, count)]


def _order(plan: Plan, option: Option) -> Order:
    seated = [each.number for each in plan.party.seated]
    return Order(
        search=_search(plan.route, option.day, plan.party),
        offers={OUTWARD: f"{option.offer.id}/{option.brand}"},
        party=plan.party.values(),
        bags={f"bags-{OUTWARD}.{number}": "1" for number in seated},
        card=plan.card,
        total=option.total,
    )


def _search(route: Sequence[str], day: str, party: Party) -> dict[str, str]:
    return {
        "from": route[0],
        "to": route[1],
        "trip-type": "one-way",
        "departure": day,
        "return": "",
        **{field: str(count) for field, count in party.counts().items()},
    }


def _instead(plan: Plan) -> dict[str, Option]:
    """Return the offers that would be right if a condition were forgotten, by the label of that
    mistake.
    """
    found = {f"breaks {kind}": option for kind, option in plan.wish.instead.items()}
    fitting = fits.fitting(plan.found, plan.wish.conditions)
    target = plan.wish.target
    others = {
        "only one day looked at": next(
            (each for each in fitting if each.day != target.day), target
        ),
        "the next one": next((each for each in fitting if each != target), target),
    }
    return found | {label: each for label, each in others.items() if each != target}


def _value(option: Option) -> list[str]:
    return [option.day, f"{option.offer.id}/{option.brand}"]


# The request -------------------------------------------------------------------------------------


def _request(
    plan: Plan, airline: Airline, data: CrmData, speaker: Speaker
) -> tuple[str, dict[str, str]]:
    """Return the wording of the request, and that of its facts by placeholder."""
    rng = speaker.rng
    words = _words(plan, airline, data, rng)
    stated, now = dict(words), ""
    wrong = [*_mistakes(plan)]
    if wrong and rng.random() < CORRECTED:
        mistaken = rng.choice(wrong)
        stated[mistaken.kind] = clock(rng, int(mistaken.value))
        now = NOW[mistaken.kind].format_map(words)
    kinds = [each.kind for each in plan.wish.conditions] + ["limit"] * bool(plan.limit)
    rng.shuffle(kinds)
    wishes = "; ".join(speaker.phrase(kind, **stated) for kind in kinds)
    parts = [
        speaker.say("ask", **stated),
        f"{wishes[:1].upper()}{wishes[1:]}.",
        speaker.say("bags"),
        speaker.say("cheapest"),
        speaker.say("none"),
        speaker.say("party", people=parties.listed(rng, plan.party)),
        speaker.say("pay", **stated),
    ]
    if rng.random() < 0.5:
        parts.insert(rng.randint(1, len(parts)), speaker.say("digress", **decoys(rng, data)))
    if now:
        parts.append(speaker.say("correct", now=now))
    return " ".join(parts), words


NOW = {
    "after": "we cannot leave earlier than {after}",
    "by": "the arrival has to be at {by} there at the latest, still on the day we leave",
}
"""The sentences that correct an earlier statement of the request, by the placeholder whose value
they correct.
"""


def _mistakes(plan: Plan) -> Iterator[Condition]:
    """Yield wrong times for a condition under which another offer, or no offer, would be right."""
    for right in plan.wish.conditions:
        for step in (-4, -3, -2, 2, 3, 4) if right.kind in NOW else ():
            wrong = Condition(right.kind, int(right.value) + step * fits.GRID)
            others = [each for each in plan.wish.conditions if each != right]
            first = next(iter(fits.fitting(plan.found, [*others, wrong])), None)
            if first != plan.wish.target and 0 <= int(wrong.value) < 24 * 60:
                yield wrong


def _words(plan: Plan, airline: Airline, data: CrmData, rng: Random) -> dict[str, str]:
    """Return the request's wording of each value, by placeholder of the phrasings."""
    here, there = (data.airports[code] for code in plan.route)
    words = {
        "origin": here.city,
        "destination": there.city,
        "days": plan.day_text,
        "limit": f"${plan.limit}" if plan.limit else "",
        **value_formats.card_words(rng, plan.card),
    }
    for condition in plan.wish.conditions:
        words[condition.kind] = _spelt(condition, data, rng)
    return {key: text for key, text in words.items() if text}


def _spelt(condition: Condition, data: CrmData, rng: Random) -> str:
    if condition.kind in NOW:
        return clock(rng, int(condition.value))
    if condition.kind == "avoid":
        return data.airports[str(condition.value)].city
    if condition.kind == "hours":
        hours = int(condition.value)
        return dates.NUMBERS[hours] if hours < len(dates.NUMBERS) else str(hours)
    return str(condition.value) if condition.value else ""


# Advice ------------------------------------------------------------------------------------------


def advise(scenario: Scenario, observation: Observation) -> Advice:
    if scenario.gold["possible"]:
        return pages.advise(scenario, observation)
    return pages.advise(scenario, observation, LOOKING)


def _search_day(at: pages.Ladder) -> Advice:
    """Return the advice to search for the first day, and after that for the second day."""
    days = at.scenario.gold["days"]
    return pages.search(_on(at, days[min(pages.searches(at), len(days) - 1)]))


def _on(at: pages.Ladder, day: str) -> pages.Ladder:
    """Return the same page, with an order whose search asks for this day."""
    order = {**at.scenario.gold["order"]}
    order["search"] = {**order["search"], "departure": day}
    return replace(at, scenario=replace(at.scenario, gold={**at.scenario.gold, "order": order}))


def _read_results(at: pages.Ladder) -> Advice:
    """Return the advice to turn all list pages of both days, and then to answer that nothing
    fits.
    """
    first, second = (_on(at, day) for day in at.scenario.gold["days"])
    needs = at.known(*(each["kind"] for each in at.scenario.gold["conditions"]), "limit")
    turn = at.page.turn()
    is_second = pages.shows_way(second, OUTWARD)
    if turn and (is_second or pages.shows_way(first, OUTWARD)):
        return Advice(pages.CHOOSE, turn, needs=needs)
    if is_second and pages.searches(at) > 1:
        return Advice(pages.CHOOSE, answer=NOT_ACHIEVABLE)
    return pages.to_search(at)


LOOKING: Mapping[str, pages.Way] = {"search": _search_day, "results": _read_results}


def length(scenario: Scenario) -> int:
    """Count the expert's actions.

    If an offer fits, this is the length of the sale; otherwise the length of both searches with all
    result pages.
    """
    if scenario.gold["possible"]:
        return pages.length(scenario)
    first, second = (_dated(scenario, day) for day in scenario.gold["days"])
    held = desk.order_of(first).search
    searches = pages.search_length(first) + pages.search_length(second, held)
    return searches + len(scenario.gold["evidence"]) - 2 + 1


def _dated(scenario: Scenario, day: str) -> Scenario:
    order = {**scenario.gold["order"]}
    order["search"] = {**order["search"], "departure": day}
    return replace(scenario, gold={**scenario.gold, "order": order})


def honest_length(scenario: Scenario) -> int:
    """Count the actions of an agent that reads all pages of both days before it chooses."""
    days = [pages.search_length(_dated(scenario, day)) for day in scenario.gold["days"]]
    return length(scenario) + (max(days) + PAGES if scenario.gold["possible"] else 0)


PAGES = 8
"""The highest number of list pages that the offers of both days fill, including the way back to the
right page.
"""


# Solution and near misses ------------------------------------------------------------------------


def solve(scenario: Scenario, world: World, data: CrmData) -> str:
    if not scenario.gold["possible"]:
        desk.walk(scenario.gold["path"], world, data)
        return NOT_ACHIEVABLE
    if not desk.is_sold(world):
        desk.buy(world, data, desk.order_of(scenario))
    return ""


def near_misses(scenario: Scenario, data: CrmData) -> Mapping[str, NearMiss]:
    order, possible = desk.order_of(scenario), scenario.gold["possible"]
    fails = "flights" if possible else "nothing else"
    misses = {
        label: _bought(_changed(order, *other), data, fails)
        for label, other in scenario.gold["rivals"].items()
    }
    if not possible:
        misses["too dear"] = _bought(order, data, "nothing else")
        misses["gave up unseen"] = NearMiss(lambda world: NOT_ACHIEVABLE, "evidence")
        one_day = partial(_given_up, data, scenario.gold["path"][:1])
        misses["gave up after one day"] = NearMiss(one_day, "evidence")
        return misses
    misses["without bags"] = _bought(replace(order, bags={}), data, "bags")
    one_bag = dict([*order.bags.items()][:1])
    misses["a bag for one"] = _bought(replace(order, bags=one_bag), data, "bags")
    given_up = NearMiss(partial(_given_up, data, scenario.gold["path"]), "booking")
    return misses | {"said that nothing fits": given_up}


def _changed(order: Order, day: str, offer: str) -> Order:
    search = {**order.search, "departure": day}
    return replace(order, search=search, offers={OUTWARD: offer})


def _bought(order: Order, data: CrmData, fails: str) -> NearMiss:
    whole = replace(order, total=desk.total(order, data.network))

    def apply(world: World) -> None:
        desk.buy(world, data, whole)

    return NearMiss(apply, fails)


def _given_up(data: CrmData, path: Sequence[Mapping[str, str]], world: World) -> str:
    desk.walk(path, world, data)
    return NOT_ACHIEVABLE


TASK = Task(
    task="cheapest_fit",
    about="Book the cheapest offer that meets all conditions, with bags, for a party.",
    STEPS=pages.STEPS,
    draw=draw,
    solve=solve,
    near_misses=near_misses,
    advise=advise,
    length=length,
    honest_length=honest_length,
    ANSWER=AnswerSchema("text", "NOT_ACHIEVABLE where nothing fits"),
)
FAMILIES = on_all(TASK)
