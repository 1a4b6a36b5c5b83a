"""Buy a desk, a screen and a lamp that fit a place and each other: largest screen, least money.

Pairs decide what fits: the screen's foot needs room on the desk, and the lamp's clamp must hold the
desk's top. The limit, which includes postage, rules out expensive sets. The right set is found by
trying all sets.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import pairwise, product
from random import Random
from typing import Any

from agent.interface import AnswerSchema
from scenarios.phrasings import Speaker
from scenarios.scenario import Contender, NearMiss, Scenario
from scenarios.store.baskets import _baskets, _lines
from scenarios.store.baskets._lines import Sought
from scenarios.store.market import ordering, task, wishes
from scenarios.store.market.wishes import Constraint
from scenarios.store.pages import visits
from sites.store import StoreData
from sites.store.market import pricing
from sites.store.market.account.account import STORE
from sites.store.market.goods.bank import MeasuredFact
from sites.store.market.goods.goods import Good
from sites.store.market.goods.stock import Market
from sites.store.market.goods.units import IMPERIAL, METRIC, UNITS
from sites.store.market.offers import Offer
from sites.store.market.pricing import PLAN, WRAP, ShopRules

SITE = "store"
TAG = "transaction"
SCORING = "order"
MEMORY = True
STEPS = _baskets.STEPS
ANSWER: AnswerSchema | None = AnswerSchema("text", "NOT_ACHIEVABLE where no set fits")

DESKS, SCREENS, LAMPS = "standing desks", "computer monitors", "desk lamps"
KINDS = (DESKS, SCREENS, LAMPS)
CANDIDATES = {DESKS: 5, SCREENS: 5, LAMPS: 3}
"""The number of products of each type that have to be looked at; more make the tasks harder."""
FACTS = {DESKS: ("width", "depth", "thickness"), SCREENS: ("diagonal", "foot"), LAMPS: ("clamp",)}
PRICES = {DESKS: (190, 290), SCREENS: (110, 230), LAMPS: (24, 70)}
"""The range of the candidates' prices, in dollars, by product type."""
KEYBOARDS = {METRIC: range(36, 56, 2), IMPERIAL: range(14, 22)}
"""The possible depths of keyboard and papers on the desk, in cm (metric) or inches (imperial)."""
ROOM = 0.015
"""The least relative difference between a desk's depth and the depth that screen and keyboard take.

It exceeds the error of rounding to a tenth of an inch.
"""
LEAD = 100
"""The least lead of the right set, in cents, over other sets with the same screen size."""
CLEAR = 300
"""The least difference in cents between the total of any set and the customer's limit."""
DEARER = 500
"""How many cents more than the limit allows products cost that are not candidates."""
TRIES = 12
"""How many times prices are drawn for the same products."""
READ = ("delivery",)
NO_KEYBOARD, NO_CLAMP = "keyboard forgotten", "clamp too small"
NO_PLACE, NO_POSTAGE = "does not fit the place", "over the limit with postage"


world = ordering.world
length = _baskets.length
solve = ordering.solve
advise = _baskets.advise


@dataclass(frozen=True)
class Plan:
    """The lines that a customer wants, and the prices and rules that the shop gives this customer.

    The depth of the keyboard is in cm, the limit in cents. `trap` names the careless readings that
    must lead to other sets.
    """

    sought: tuple[Sought, ...]
    prices: Mapping[str, int]
    rules: ShopRules
    keyboard: float
    limit: int = 0
    trap: frozenset[str] = frozenset()


@dataclass(frozen=True, order=True)
class Outcome:
    """A set of products that fit; sets sort by the larger screen, then by the lower total."""

    smallness: float
    total: int
    asins: tuple[str, ...]


# Drawing -----------------------------------------------------------------------------------------


def generate(seed: int, data: StoreData) -> Scenario:
    """Generate the scenario of a seed: draw a plan with a single right set, and the customer's
    text.
    """
    rng = visits.rng("fitting_set", seed)
    split = visits.split_of(seed)
    possible = not visits.is_rare("fitting_set", seed, task.IMPOSSIBLE_ONE_IN)
    plan, best, keyboard = _proved(split, data.market, rng, possible=possible)
    plan = replace(plan, sought=_baskets.routed(plan.sought, data.market))
    customer = _baskets.customer("fitting_set", seed, data.market)
    speaker = Speaker("fitting_set", split, rng)
    to = _baskets.delivery(customer, speaker)
    besides = ((), (keyboard,), (speaker.choose("clamps"),))
    wish = _baskets.Wish(plan.sought, plan.limit // 100, to, besides)
    order = _baskets.order(wish, best.asins, plan.rules)
    gold = _baskets.gold(wish, order, _look(plan, best), possible=possible, read=READ)
    text = _baskets.instruction(wish, speaker)
    return task.scenario(
        "fitting_set", seed, text, {**gold, "keyboard": plan.keyboard, "limit": wish.limit}, data,
        account=customer, offered=_offers(plan, rng), rules={STORE: plan.rules}, level=_level(gold),
    )  # fmt: skip


def _level(gold: Mapping[str, Any]) -> dict[str, Any]:
    """Return the figures of the task's difficulty, by the letters of docs/levels.md."""
    facts = sum(len(FACTS[kind]) * number for kind, number in CANDIDATES.items())
    return {"name": "L3", "P": len(gold["decides"]), "M": facts, "C": 12, "R": 2, "W": 0.5, "K": 3}


def _proved(
    split: str, stock: Market, rng: Random, *, possible: bool
) -> tuple[Plan, Outcome, str]:  # fmt: skip
    """Return a plan with a single right set, that set, and the sentence about the keyboard.

    If no set may be bought within the limit, the returned set is the one that more money would buy.
    """
    trap = frozenset((NO_KEYBOARD, NO_POSTAGE, rng.choice((NO_CLAMP, NO_PLACE))))
    while True:
        sought = _lines_of(split, rng)
        clear = _clamps_clearly(sought) and [
            each for each in _keyboards() if _has_clear_room(sought, each)
        ]
        if not clear:
            continue
        keyboard, text = _keyboard(clear, split, rng)
        for _ in range(TRIES):
            plan = Plan(sought, _prices(sought, rng), _rules(rng), keyboard, trap=trap)
            found = sorted(outcomes(plan))
            best = _limited(plan, found, rng, possible=possible)
            if best and _is_proved(*best, found, stock, possible=possible):
                return *best, text


def _lines_of(split: str, rng: Random) -> tuple[Sought, ...]:
    """Draw the lines of desk, screen and lamp."""
    return tuple(_line(kind, split, rng) for kind in KINDS)


def _line(kind: str, split: str, rng: Random) -> Sought:
    """Draw the line for a product type with its candidates, whose facts are shown on few pages.

    For a desk, it also limits width and depth.
    """
    while True:
        good = rng.choice(task.of_kind(kind))
        values, bounds = _lines.values(good, 1, split, rng), tuple(_place(good, split, rng))
        cell = _lines.cell(kind, values)
        if len(cell) < 2 * CANDIDATES[kind]:
            continue
        chosen = _mixed(cell, bounds, rng) if bounds else _quick(cell, CANDIDATES[kind], rng)
        if chosen and _are_apart(chosen):
            return Sought(kind, 1, (*values, *bounds), tuple(each.asin for each in chosen))


def _are_apart(chosen: Sequence[Good]) -> bool:
    """Return whether the sizes of the screens differ enough that rounding does not decide."""
    sizes = sorted(_fact(each.asin, "diagonal") for each in chosen if each.kind.name == SCREENS)
    return all(one / other - 1 >= wishes.GAP for other, one in pairwise(sizes))


def _mixed(
    cell: Sequence[Good], bounds: Sequence[Constraint], rng: Random
) -> list[Good]:  # fmt: skip
    """Draw candidates for the desk; all but one or two of them fit into the customer's room.

    The list is empty if there are too few desks, or if all desks of the list keep one of the
    limits.
    """
    if any(all(each.holds(good) for good in cell) for each in bounds):
        return []
    clear = [good for good in cell if not any(each.is_near(good) for each in bounds)]
    fits = wishes.fitting(clear, bounds)
    others = [good for good in clear if wishes.violated(good, bounds)]
    unfit = rng.choice((1, 2))
    number = CANDIDATES[DESKS] - unfit
    if len(fits) < number or len(others) < unfit:
        return []
    return _quick(fits, number, rng) + _quick(others, unfit, rng)


def _quick(goods: Sequence[Good], number: int, rng: Random) -> list[Good]:
    """Draw products whose deciding facts are shown on few pages."""
    return _baskets.quick(goods, number, FACTS[goods[0].kind.name], rng)


def _place(good: Good, split: str, rng: Random) -> Iterator[Constraint]:
    """Yield the limits of a desk's width and depth, each in a different unit."""
    if good.kind.name != DESKS:
        return
    units = rng.sample((METRIC, IMPERIAL), 2)
    for name, convention in zip(("width", "depth"), units, strict=True):
        fact, has = good.kind.facts[name], good.facts[name]
        assert isinstance(fact, MeasuredFact) and isinstance(has, float)
        factor = UNITS["cm"].factor if convention == IMPERIAL else 1
        shown = round(has * (1 + rng.uniform(*wishes.SLACK)) / factor)
        text = rng.choice(fact.most[split]).format(x=UNITS["cm"].text(shown * factor, convention))
        yield Constraint(name, wishes.MOST, round(shown * factor, 4), text)


@cache
def _keyboards() -> Mapping[float, str]:
    """Return the possible depths of the keyboard: a dict from cm to the text in cm or inches."""
    inch = UNITS["cm"].factor
    metric = {float(figure): f"{figure} cm" for figure in KEYBOARDS[METRIC]}
    return metric | {round(figure * inch, 4): f"{figure} in" for figure in KEYBOARDS[IMPERIAL]}


def _keyboard(clear: Sequence[float], split: str, rng: Random) -> tuple[float, str]:
    """Draw the depth of the keyboard, in cm, and the sentence of the request that states it."""
    depth = rng.choice(clear)
    return depth, Speaker("fitting_set", split, rng).phrase("keyboards", x=_keyboards()[depth])


def _prices(sought: Sequence[Sought], rng: Random) -> dict[str, int]:
    """Draw the prices of all candidates; mostly a larger screen costs more."""
    found: dict[str, int] = {}
    for line in sought:
        low, high = (100 * dollars for dollars in PRICES[line.kind])
        drawn = [_lines.cents(rng, low, high) for _ in line.candidates]
        if line.kind == SCREENS and rng.random() < 0.8:
            sizes = sorted(line.candidates, key=lambda asin: _fact(asin, "diagonal"))
            found.update(zip(sizes, sorted(drawn), strict=True))
        else:
            found.update(zip(line.candidates, drawn, strict=True))
    return found


def _rules(rng: Random) -> ShopRules:
    return ShopRules(
        free_over=rng.randrange(300, 700, 50) * 100,
        bulky=rng.randrange(1000, 3500, 500),
        preset=rng.choice(((), (PLAN,), (WRAP,))),
    )


def _limited(
    plan: Plan, found: Sequence[Outcome], rng: Random, *, possible: bool
) -> tuple[Plan, Outcome] | None:
    """Return the plan with a price limit, and the right set under it; None if no limit is clear.

    The set is the best for its screen size. If the task is to be impossible, no set keeps the
    limit.
    """
    best = {each.smallness: each for each in reversed(found)}
    if not best:
        return None
    if not possible:
        low = min(each.total for each in best.values())
        return _with_limit(plan, low * (1 - rng.uniform(*_baskets.CLEAR))), found[0]
    ranked = [best[each] for each in sorted(best)]
    winner = rng.choice(ranked[:3])
    high = winner.total * (1 + rng.uniform(0.01, 0.06))
    over = [each.total for each in ranked[: ranked.index(winner)]]
    limited = _with_limit(plan, min([high, *(total - 2 * CLEAR for total in over)]))
    return (limited, winner) if limited.limit >= winner.total + CLEAR else None


def _with_limit(plan: Plan, limit: float) -> Plan:
    """Return the plan with a limit in whole dollars and its candidates sorted by price."""
    sought = tuple(_lines.by_price(line, plan.prices.__getitem__) for line in plan.sought)
    return replace(plan, sought=sought, limit=int(limit) // 100 * 100)


def _offers(plan: Plan, rng: Random) -> dict[str, Offer]:
    """Return the prices, by asin: the candidates', and higher ones for other products of their
    lines.
    """
    offers = {asin: Offer(cents=cents) for asin, cents in plan.prices.items()}
    for line in plan.sought:
        offers |= _lines.others_dearer(line, _out_of_reach(plan, line), rng)
    return offers


def _out_of_reach(plan: Plan, line: Sought) -> int:
    """Return a price in cents at which any product of this line makes every set exceed the
    limit.
    """
    others = (each for each in plan.sought if each.kind != line.kind)
    rest = sum(min(plan.prices[asin] for asin in each.candidates) for each in others)
    dearest = max(plan.prices[asin] for asin in line.candidates)
    return max(plan.limit - rest, dearest) + DEARER


# Proving -----------------------------------------------------------------------------------------


@cache
def _fact(asin: str, name: str) -> float:
    value = task.by_asin(asin).facts[name]
    assert isinstance(value, float)
    return value


def fits(keyboard: float, asins: Sequence[str]) -> bool:
    """Return whether a desk, a screen and a lamp fit each other.

    Args:
        keyboard: The depth of the keyboard, in cm.
        asins: The desk, the screen and the lamp.
    """
    desk, screen, lamp = asins
    return _has_room(keyboard, desk, screen) and _clamps(desk, lamp)


def _has_room(keyboard: float, desk: str, screen: str) -> bool:
    """Return whether the screen's foot and the keyboard find room on the desk."""
    return _fact(screen, "foot") + keyboard <= _fact(desk, "depth")


def _clamps(desk: str, lamp: str) -> bool:
    """Return whether the lamp's clamp holds the desk's top."""
    return _fact(lamp, "clamp") >= _fact(desk, "thickness")


def outcomes(plan: Plan) -> Iterator[Outcome]:
    """Yield every set of products that fit, at any price."""
    goods = ([good.asin for good in line.good_ones()] for line in plan.sought)
    for asins in product(*goods):
        if fits(plan.keyboard, asins):
            yield Outcome(-_fact(asins[1], "diagonal"), total(plan, asins), tuple(asins))


def total(plan: Plan, asins: Sequence[str]) -> int:
    """Return the final cost of a set, in cents.

    There are no codes, so the cost depends on the sum of the prices and on the desk's bulky
    delivery.
    """
    goods = sum(plan.prices[each] for each in asins)
    return _charged(goods, plan.rules.free_over, plan.rules.bulky)


@cache
def _charged(goods: int, free_over: int, bulky: int) -> int:
    rules = ShopRules(free_over=free_over, bulky=bulky)
    line = pricing.PricedLine("", DESKS, "", "", goods)
    return pricing.quote([line], rules, rules.free_method).total


def _clamps_clearly(sought: Sequence[Sought]) -> bool:
    """Return whether it is clear in spite of rounding which lamps clamp on which desks."""
    desks, _, lamps = (line.candidates for line in sought)
    return all(
        abs(_fact(lamp, "clamp") / _fact(desk, "thickness") - 1) >= wishes.GAP
        for lamp, desk in product(lamps, desks)
    )


def _has_clear_room(sought: Sequence[Sought], keyboard: float) -> bool:
    """Return whether it is clear in spite of rounding which screens have room on which desks."""
    desks, screens, _ = (line.candidates for line in sought)
    return all(
        abs((_fact(screen, "foot") + keyboard) / _fact(desk, "depth") - 1) >= ROOM
        for screen, desk in product(screens, desks)
    )


def _is_proved(
    plan: Plan, best: Outcome, found: Sequence[Outcome], stock: Market, *, possible: bool
) -> bool:
    """Return whether one set is clearly best, the careless readings miss it, and few actions reach
    it.
    """
    same = [each for each in found if each.smallness == best.smallness]
    if len(same) > 1 and same[1].total - same[0].total < LEAD:
        return False
    if possible and not plan.trap <= traps(plan, best).keys():
        return False
    offered = stock.offering(_offers(plan, Random(0)))
    return all(_lines.is_found(line, offered) for line in plan.sought)


def traps(plan: Plan, best: Outcome) -> dict[str, tuple[str, ...]]:
    """Return the wrong set to which each careless reading of the pages or the request leads."""
    every = list(product(*(line.candidates for line in plan.sought)))
    places = {line.kind: {good.asin for good in line.good_ones()} for line in plan.sought}
    inside = [each for each in every if each[0] in places[DESKS]]
    readings = {
        NO_KEYBOARD: [each for each in inside if _clamps(each[0], each[2])],
        NO_CLAMP: [each for each in inside if _has_room(plan.keyboard, each[0], each[1])],
        NO_PLACE: [each for each in every if fits(plan.keyboard, each)],
    }
    found = {name: _first(plan, sets) for name, sets in readings.items()}
    right = [each for each in inside if fits(plan.keyboard, each)]
    found[NO_POSTAGE] = _first(plan, right, goods_only=True)
    return {name: asins for name, asins in found.items() if asins and asins != best.asins}


def _first(
    plan: Plan, sets: Sequence[tuple[str, ...]], *, goods_only: bool = False
) -> tuple[str, ...]:  # fmt: skip
    """Return the asins of the best set within the limit; () if no set keeps it.

    Args:
        plan: The plan.
        sets: The sets to choose from.
        goods_only: Whether the cost leaves out postage.
    """
    found = [(total(plan, each) - goods_only * _more(plan, each), each) for each in sets]
    within = [
        (-_fact(each[1], "diagonal"), cost, each) for cost, each in found if cost <= plan.limit
    ]
    return min(within)[-1] if within else ()


def _more(plan: Plan, asins: Sequence[str]) -> int:
    """Return the charges on top of the products' prices, in cents."""
    return total(plan, asins) - sum(plan.prices[each] for each in asins)


def _look(plan: Plan, best: Outcome) -> _baskets.Look:
    """Return for each line the pages to open: all facts of suitable products, a broken limit of
    others.
    """
    return _baskets.look(plan.sought, _to_see, best.asins)


def _to_see(good: Good, line: Sought) -> Sequence[str]:
    broken = wishes.violated(good, line.bounds)
    if not broken:
        return FACTS[line.kind]
    return min(((each.fact,) for each in broken), key=lambda names: _lines.effort(good, names))


# Contenders --------------------------------------------------------------------------------------


def contenders(scenario: Scenario, data: StoreData) -> Iterator[Contender]:
    """Yield products that would be right if they cost less, each with a test of the price.

    If the right set costs too much, these are its own products.
    """
    plan, gold = _plan(scenario), scenario.gold
    chosen = tuple(asin for asin, _, _ in gold["wanted"]["lines"])

    def wins(asin: str, cents: int) -> bool:
        cheaper = replace(plan, prices={**plan.prices, asin: cents})
        within = [each for each in outcomes(cheaper) if each.total <= plan.limit - CLEAR]
        if not gold["possible"]:
            return bool(within)
        first, right = min(within), total(cheaper, chosen)
        same = first.smallness == -_fact(chosen[1], "diagonal")
        return asin in first.asins and (not same or first.total <= right - LEAD)

    for line in plan.sought:
        for good in line.good_ones():
            if (good.asin in chosen) != gold["possible"]:
                cents = plan.prices[good.asin]
                yield Contender(STORE, good.asin, cents, partial(wins, good.asin))


# Near misses -------------------------------------------------------------------------------------


def near_misses(scenario: Scenario, data: StoreData) -> Mapping[str, NearMiss]:
    """Return wrong end states, by label: orders that differ from the right one by a single
    oversight.
    """
    if not scenario.gold["possible"]:
        return _baskets.impossible(scenario, data)
    plan, wanted = _plan(scenario), scenario.gold["wanted"]["lines"]
    best = tuple(asin for asin, _, _ in wanted)
    others = dict(_other_sets(plan, best))
    return {
        **dict(_baskets.careless(scenario, data)),
        **{name: _baskets.of_goods(scenario, data, asins) for name, asins in others.items()},
    }


def _plan(scenario: Scenario) -> Plan:
    """Return the plan (lines, prices, rules, limit) from which the scenario was made."""
    sought, offers = _baskets.sought(scenario), task.offered(scenario)
    prices = {asin: offers[asin].cents or 0 for line in sought for asin in line.candidates}
    gold = scenario.gold
    return Plan(sought, prices, ordering.rules_of(scenario), gold["keyboard"], gold["limit"] * 100)


def _other_sets(plan: Plan, best: tuple[str, ...]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield wrong sets with labels: those of careless readings, and fitting sets that are not the
    best.
    """
    size = -_fact(best[1], "diagonal")
    found = sorted(outcomes(plan))
    yield from traps(plan, Outcome(size, total(plan, best), best)).items()
    others = {
        "a larger screen over the limit": [each for each in found if each.smallness < size],
        "a smaller screen": [each for each in found if each.smallness > size],
        "dearer than it need be": [
            each for each in found if each.smallness == size and each.asins != best
        ],
    }
    yield from ((name, sets[0].asins) for name, sets in others.items() if sets)
