"""Buy a few things of which any that fit will do, so that the final amount is the least there is.

Prices, codes, postage and three for two interact: the cheapest of each with the best code is never
the answer, nor what comes of it by exchanging one good at a time, each time for the better. The
right order is found by pricing every basket with every allowed set of codes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import partial
from itertools import combinations, islice, product
from operator import ne
from random import Random
from typing import Any

from agent.interface import AnswerSchema
from scenarios.scenario import Contender, NearMiss, Scenario
from scenarios.store.baskets import _baskets, _lines
from scenarios.store.baskets._lines import Sought
from scenarios.store.market import ordering, task, wishes
from scenarios.store.market.wishes import Constraint
from scenarios.store.pages import visits
from sites.store import StoreData
from sites.store.catalogue.clock import TODAY
from sites.store.market import pricing
from sites.store.market.account.account import STORE
from sites.store.market.goods.goods import Good
from sites.store.market.goods.stock import Market
from sites.store.market.offers import Offer
from sites.store.market.pricing import PLAN, WRAP, Code, PricedLine, ShopRules

SITE = "store"
TAG = "transaction"
SCORING = "order"
MEMORY = True
STEPS = _baskets.STEPS
ANSWER: AnswerSchema | None = AnswerSchema("text", "NOT_ACHIEVABLE where it costs too much")

FITTING = (3, 3, 4)
"""So many goods of a line fit: the screw of this family, the number of baskets grows with it."""
UNFIT = (1, 1, 2)
"""So many cheaper ones have to be looked at and do not."""
LEAD = 100
"""Cents by which the best order is ahead of every other one."""
MOST_SAVED = 4000
"""Cents that codes and free postage together can save; what costs so much more is out of play."""
SPREAD = (1.0, 1.45)
"""The prices of what fits, as shares of the lowest."""
CHEAPER = (0.78, 0.95)
"""The price of what does not fit, as a share of the lowest of what does."""
TRIES = 12
"""So many prices and codes are drawn for the same lines."""
FOUR_LINES = 0.5
HIDDEN = {3: (2, 2, 3), 4: (1, 2)}
"""By the number of lines: so many candidates of a line have to be opened to see their measure."""
QUANTITIES = {
    "camping chairs": (2, 3),
    "charging cables": (2, 3, 4),
    "coffee makers": (1,),
    "coolers": (1,),
    "desk lamps": (1, 2),
    "food storage containers": (1, 2),
    "water bottles": (2, 3, 4),
}
DEPARTMENTS = (
    ("camping chairs", "coolers"),
    ("coffee makers", "food storage containers"),
    ("coffee makers", "water bottles"),
    ("food storage containers", "water bottles"),
)
"""Pairs that one code of a department is good for."""
READ = (_baskets.WALLET, "delivery", "offers")
"""The pages of rules that decide: the codes, and topics of the help; the taxes' where there are."""
STEMS = ("FERN", "MOSS", "REED", "CLAY", "DUSK", "TIDE", "WREN", "PINE", "SNOW", "LARK", "OATS")

FRAMES: _baskets.Frames = {
    "test": {
        "openings": (
            "On Friday we drive to the lake with half the family.",
            "My brother opens his cabin again, and I have the list.",
            "We are stocking the rooms of our club.",
        ),
        "firsts": ("We need {what}.", "I am to get {what}."),
        "others": ("Then {what}.", "Also {what}.", "And {what}."),
        "aims": (
            "I don't care which ones; I care what the card is charged in the end. I have codes.",
            "Any that fit will do, if only the final amount is the lowest, my codes counted.",
        ),
        "limits": (
            "Should even the cheapest way cost over {limit} dollars, all in, buy nothing, tell me.",
            "If it cannot be had for {limit} dollars altogether, leave it and say so.",
        ),
    },
    "dev": {
        "openings": ("The scouts go camping and I got the errands.", "We furnish a holiday flat."),
        "firsts": ("Get us {what}.",),
        "others": ("Add {what}.", "Besides, {what}."),
        "aims": (
            "Choose so that I pay the least when everything is counted, with the vouchers I have.",
        ),
        "limits": ("When no choice stays within {limit} dollars in total, order nothing, say so.",),
    },
    "train": {
        "openings": (
            "Aunt May moves into the annex.",
            "Our choir goes on a trip.",
            "The garden house gets its equipment at last.",
        ),
        "firsts": ("Please find {what}.", "To begin with, {what}."),
        "others": ("Next, {what}.", "Furthermore {what}."),
        "aims": (
            "Brands are all one to me, just bring the sum at the very end down; I own vouchers.",
            "Take whichever of them makes the whole bill smallest, my vouchers included.",
        ),
        "limits": (
            "My budget ends at {limit} dollars for the lot; over that, cancel the idea and report.",
            "With more than {limit} dollars on the bill at best, do not order, just let me know.",
        ),
    },
}

world = _baskets.world
length = _baskets.length
solve = _baskets.solve
advise = _baskets.advise


# Drawing -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Plan:
    """What one visitor wants and is offered."""

    sought: tuple[Sought, ...]
    offers: Mapping[str, Offer]
    rules: ShopRules
    codes: tuple[Code, ...]


@dataclass(frozen=True, order=True)
class Outcome:
    """An order that would do: what it costs in the end, its goods and its codes."""

    total: int
    asins: tuple[str, ...]
    codes: tuple[str, ...]


def generate(seed: int, data: StoreData) -> Scenario:
    rng = visits.rng("best_basket", seed)
    split = visits.split_of(seed)
    plan, found = _proved(split, data.market, rng)
    plan = replace(plan, sought=_baskets.routed(plan.sought, data.market))
    possible = not visits.is_rare("best_basket", seed, task.IMPOSSIBLE_ONE_IN)
    limit = _baskets.limit(found[0].total, rng, possible=possible)
    customer = _baskets.customer("best_basket", seed, data.market, plan.codes)
    wish = _baskets.Wish(plan.sought, limit, _baskets.delivery(customer, split, rng))
    order = _baskets.order(wish, found[0].asins, plan.rules, found[0].codes)
    gold = _baskets.gold(
        wish, order, _look(plan, found[0]), possible=possible, read=_read(plan.rules)
    )
    text = _baskets.instruction(FRAMES, wish, split, rng)
    return task.scenario(
        "best_basket", seed, text, gold, data,
        account=customer, offered=plan.offers, rules={STORE: plan.rules}, level=_level(plan, gold),
    )  # fmt: skip


def _read(rules: ShopRules) -> list[str]:
    return [*READ, *(["taxes"] if rules.tax else [])]


def _level(plan: Plan, gold: Mapping[str, Any]) -> dict[str, Any]:
    """How hard it is (docs/levels.md)."""
    goods = sum(len(line.candidates) for line in plan.sought)
    wished = [each for line in plan.sought for each in line.wished]
    worded = [each for each in wished if each.form == wishes.IS]
    return {"name": "L3", "P": len(gold["decides"]), "M": goods + len(plan.codes), "C": 20,
            "R": 4, "W": round(len(worded) / len(wished), 2), "K": 4}  # fmt: skip


def _proved(split: str, stock: Market, rng: Random) -> tuple[Plan, list[Outcome]]:
    """A plan whose best order leads, and all its orders, the best first."""
    while True:
        kinds = _kinds(rng)
        shapes = [_shape(kind, rng.choice(HIDDEN[len(kinds)]), split, rng) for kind in kinds]
        for _ in range(TRIES):
            plan = _planted(shapes, rng)
            found = outcomes(plan, stock) if plan.codes else []
            if found and _is_proved(plan, found, stock):
                return plan, found


def _kinds(rng: Random) -> list[str]:
    """Three or four, two of them of one department."""
    pair = rng.choice(DEPARTMENTS)
    others = [each for each in QUANTITIES if each not in pair]
    found = [*pair, *rng.sample(others, 2 if rng.random() < FOUR_LINES else 1)]
    rng.shuffle(found)
    return found


def _shape(kind: str, hidden: int, split: str, rng: Random) -> Sought:
    """A line with so many candidates whose measure their cards do not show."""
    while True:
        good = rng.choice(task.of_kind(kind))
        wished = _lines.values(good, 1, split, rng)
        measure = rng.choice(_lines.measures(good.kind))
        bound = wishes.bound(good, measure, split, rng)
        chosen = _chosen(_lines.cell(kind, wished), bound, hidden, rng)
        if chosen:
            quantity = rng.choice(QUANTITIES[kind])
            return Sought(kind, quantity, (*wished, bound), tuple(each.asin for each in chosen))


def _chosen(
    cell: Sequence[Good], bound: Constraint, hidden: int, rng: Random
) -> list[Good]:  # fmt: skip
    """Some that keep the bound and some that do not; [] where rounding decides, or for want of
    either."""
    if any(bound.is_near(each) for each in cell):
        return []
    fits = [each for each in cell if bound.holds(each)]
    others = [each for each in cell if not bound.holds(each)]
    able, unfit = rng.choice(FITTING), rng.choice(UNFIT)
    if len(fits) < able or len(others) < unfit:
        return []
    apart = rng.randint(0, min(hidden, unfit))
    return [
        *_some(fits, able, hidden - apart, bound.fact, rng),
        *_some(others, unfit, apart, bound.fact, rng),
    ]


def _some(
    goods: Sequence[Good], number: int, hidden: int, name: str, rng: Random
) -> Iterator[Good]:  # fmt: skip
    """So many goods, of which so many have to be opened to see the fact, where there are any."""
    drawn = rng.sample(goods, len(goods))
    drawn.sort(key=lambda good: _lines.effort(good, (name,)) == 0)
    shown = sum(_lines.effort(good, (name,)) == 0 for good in drawn)
    opened = max(hidden, number - shown)
    yield from drawn[:opened]
    yield from drawn[len(drawn) - (number - opened) :]


def _planted(shapes: Sequence[Sought], rng: Random) -> Plan:
    """Prices for all that the wished facets let through, rules and codes."""
    threes = tuple(line.kind for line in shapes if line.quantity > 2 and rng.random() < 0.5)
    planted = [_prices(line, threes, rng) for line in shapes]
    offers = {asin: offer for each in planted for asin, offer in each.items()}
    sought = tuple(_lines.by_price(line, lambda asin: offers[asin].cents or 0) for line in shapes)
    sums = [_sums(line, offers) for line in sought]
    low, dear = sum(each[0] for each in sums), sum(each[-1] for each in sums)
    both = _worth_two(sought, offers, threes, rng)
    codes = tuple(_codes(sought, sums, both, rng)) if both else ()
    return Plan(sought, offers, _rules(threes, low, dear, rng), codes)


def _worth_two(
    sought: Sequence[Sought], offers: Mapping[str, Offer], threes: Sequence[str], rng: Random
) -> Code | None:
    """A code of a department over a sum that takes two dearer goods, and that is worth them; no one
    dearer good reaches it. None where prices lie otherwise."""
    kinds = {line.kind: _lines.kind_of(line.kind).department for line in sought}
    department = next(each for each in kinds.values() if [*kinds.values()].count(each) > 1)
    own = [line for line in sought if kinds[line.kind] == department]
    paid = [_fitting_sums(line, offers, threes) for line in own]
    base, steps = sum(each[0] for each in paid), [_steps(each) for each in paid]
    farthest = max(each[-1] for each in steps)
    found = [
        up for one, other in combinations(steps, 2) for up in map(sum, product(one[1:], other[1:]))
        if (base + up) // 100 * 100 > base + farthest
    ]  # fmt: skip
    if not found:
        return None
    up = min(found)
    worth = -(-(up + LEAD + rng.randrange(100, 300)) // 100) * 100
    return Code("", cents=worth, department=department, over=(base + up) // 100 * 100)


def _fitting_sums(
    line: Sought, offers: Mapping[str, Offer], threes: Sequence[str]
) -> list[int]:  # fmt: skip
    """What is paid for a line with each good that fits, the cheapest first."""
    return sorted(_paid(line, threes) * (offers[each.asin].cents or 0) for each in line.good_ones())


def _steps(sums: Sequence[int]) -> list[int]:
    return [each - sums[0] for each in sums]


def _sums(line: Sought, offers: Mapping[str, Offer]) -> list[int]:
    """What the pieces of a line cost, the cheapest candidate first."""
    return [line.quantity * (offers[asin].cents or 0) for asin in line.candidates]


def _prices(line: Sought, threes: Sequence[str], rng: Random) -> dict[str, Offer]:
    """The candidates are cheap, and everything else is out of play."""
    kind = _lines.kind_of(line.kind)
    lowest = 100 * kind.lowest * rng.uniform(1.0, 1.4)
    fits = {good.asin for good in line.good_ones()}
    found = {
        asin: _offer(lowest, SPREAD if asin in fits else CHEAPER, rng) for asin in line.candidates
    }
    least = min(found[asin].cents or 0 for asin in fits) + MOST_SAVED // _paid(line, threes) + LEAD
    return found | _lines.others_dearer(line, least, rng)


def _offer(lowest: float, shares: tuple[float, float], rng: Random) -> Offer:
    return Offer(cents=_lines.cents(rng, lowest * shares[0], lowest * shares[1]))


def _paid(line: Sought, threes: Sequence[str]) -> int:
    """The pieces of a line that are not free."""
    return line.quantity - (line.quantity // 3 if line.kind in threes else 0)


def _rules(threes: tuple[str, ...], low: int, dear: int, rng: Random) -> ShopRules:
    """The limit of free postage lies where some baskets reach it and others do not."""
    free_over = int(rng.uniform(0.8 * low, dear)) // 500 * 500
    return ShopRules(
        free_over=free_over,
        bulky=rng.choice((600, 800, 1000, 1200)),
        threes=threes,
        tax=rng.choice((0, 0, 60)),
        preset=rng.choice(((), (PLAN,), (WRAP,))),
    )


def _codes(
    sought: Sequence[Sought], sums: Sequence[Sequence[int]], both: Code, rng: Random
) -> Iterator[Code]:  # fmt: skip
    """Four to six: of brands, of a department, of the whole order; one of them has expired."""
    stems = rng.sample(STEMS, 6)
    goods = [good for line in sought for good in line.good_ones()]
    middle = [each[len(each) // 2] for each in sums]
    drawn = [
        _brand(rng.choice(goods).brand, rng),
        both,
        _whole(sum(middle), rng),
        _brand(rng.choice(goods).brand, rng),
        Code("", percent=rng.choice((25, 30, 35)), until=_past(rng)),
        Code("", cents=rng.randrange(800, 1500, 100), over=_about(2 * sum(middle), rng)),
    ]
    together = (1, rng.choice((0, 2, 3)))
    for number, code in enumerate(drawn[: rng.randint(4, 6)]):
        face = code.percent or code.cents // 100
        yield replace(code, name=f"{stems[number]}{face:02}", together=number in together)


def _past(rng: Random) -> date:
    return TODAY - timedelta(days=rng.randint(3, 40))


def _brand(brand: str, rng: Random) -> Code:
    return Code(
        "", percent=rng.choice((15, 20, 25, 30)), brand=brand, cap=rng.randrange(600, 1300, 100)
    )


def _whole(middle: int, rng: Random) -> Code:
    """A code for the whole order over a sum that not every basket reaches."""
    over = _about(middle, rng)
    if rng.random() < 0.5:
        return Code(
            "", percent=rng.choice((8, 10, 12)), over=over, cap=rng.randrange(800, 1300, 100)
        )
    return Code("", cents=rng.randrange(500, 1100, 100), over=over)


def _about(amount: int, rng: Random) -> int:
    """Whole dollars near an amount."""
    return int(amount * rng.uniform(0.85, 1.15)) // 100 * 100


# Proving -----------------------------------------------------------------------------------------


def outcomes(plan: Plan, stock: Market) -> list[Outcome]:
    """Every basket of what fits with every set of codes that can be used in it, the best first."""
    offered = stock.offering(plan.offers)
    choices = [
        [offered.line(good.asin, line.quantity) for good in line.good_ones()]
        for line in plan.sought
    ]
    sets = list(_allowed(plan.codes))
    return sorted(each for basket in product(*choices) for each in _priced(basket, plan, sets))


def _priced(
    basket: Sequence[PricedLine], plan: Plan, sets: Sequence[Sequence[Code]]
) -> Iterator[Outcome]:  # fmt: skip
    """With each set of codes that take something off, each by itself."""
    asins, due = tuple(line.asin for line in basket), set[str]()
    for codes in sets:
        names = tuple(sorted(code.name for code in codes))
        if len(codes) > 1 and not due.issuperset(names):
            continue
        quote = pricing.quote(basket, plan.rules, plan.rules.free_method, codes)
        if len(codes) == 1 and not quote.off - quote.threes:
            continue
        due.update(names)
        yield Outcome(quote.total, asins, names)


def _allowed(codes: Sequence[Code]) -> Iterator[tuple[Code, ...]]:
    """None, then each one, then those that stand together, of those that have not expired."""
    usable = [code for code in codes if code.until is None or code.until >= TODAY]
    for size in range(3):
        yield from (each for each in combinations(usable, size) if not pricing.clashes(each))


def greedy(found: Sequence[Outcome], plan: Plan) -> Outcome:
    """The cheapest of each line, then the best codes."""
    asins = tuple(line.good_ones()[0].asin for line in plan.sought)
    return next(each for each in found if each.asins == asins)


def one_by_one(found: Sequence[Outcome], plan: Plan) -> Outcome:
    """What comes of the greedy order by exchanging the one good that lowers it most, with the best
    codes, until none does."""
    best_of: dict[tuple[str, ...], Outcome] = {}
    for each in found:
        best_of.setdefault(each.asins, each)
    now, nearer = best_of[greedy(found, plan).asins], True
    while nearer:
        near = min(each for each in best_of.values() if _exchanged(each, now) <= 1)
        now, nearer = near, near.total < now.total
    return now


def _exchanged(one: Outcome, other: Outcome) -> int:
    return sum(map(ne, one.asins, other.asins))


def _is_proved(plan: Plan, found: Sequence[Outcome], stock: Market) -> bool:
    """Whether the best order leads every other one, does not come of exchanging one by one, and the
    way is short."""
    best, second = found[:2]
    if second.total - best.total < LEAD or one_by_one(found, plan).asins == best.asins:
        return False
    saved = max(sum(_worth(code) for code in each) for each in _allowed(plan.codes))
    offered = stock.offering(plan.offers)
    return (
        bool(best.codes)
        and saved + plan.rules.method(plan.rules.free_method).cents <= MOST_SAVED
        and all(_lines.is_found(line, offered) for line in plan.sought)
    )


def _worth(code: Code) -> int:
    """The most that a code takes off."""
    return code.cap or code.cents


def _look(plan: Plan, best: Outcome) -> _baskets.Look:
    """Of each line the measure of each candidate."""
    return _baskets.look(
        plan.sought, lambda good, line: [each.fact for each in line.bounds], best.asins
    )


# Contenders --------------------------------------------------------------------------------------


def contenders(scenario: Scenario, data: StoreData) -> Iterator[Contender]:
    """What fits and is not in the best order, where another one is then clearly ahead."""
    plan, gold = _plan(scenario), scenario.gold
    chosen = tuple(asin for asin, _, _ in gold["wanted"]["lines"])

    def wins(asin: str, cents: int) -> bool:
        offer = replace(plan.offers[asin], cents=cents)
        found = outcomes(replace(plan, offers={**plan.offers, asin: offer}), data.market)
        right = next(each.total for each in found if each.asins == chosen)
        return asin in found[0].asins and found[0].total <= right - LEAD

    for line in plan.sought if gold["possible"] else ():
        for good in line.good_ones():
            if good.asin not in chosen:
                cents = plan.offers[good.asin].cents or 0
                yield Contender(STORE, good.asin, cents, partial(wins, good.asin))


# Near misses -------------------------------------------------------------------------------------


def near_misses(scenario: Scenario, data: StoreData) -> Mapping[str, NearMiss]:
    """Orders that somebody places who has overlooked one thing."""
    if not scenario.gold["possible"]:
        return _baskets.impossible(scenario, data)
    plan = _plan(scenario)
    found = outcomes(plan, data.market)
    misses = dict(_baskets.careless(scenario, data))
    for name, other in _other_baskets(plan, found, data.market):
        misses[name] = _baskets.of_goods(scenario, data, other.asins, other.codes)
    for name, codes in _other_codes(found):
        misses[name] = _baskets.ordered(scenario, data, "codes", codes=list(codes))
    return misses | dict(_fewer(scenario, data))


def _fewer(scenario: Scenario, data: StoreData) -> Iterator[tuple[str, NearMiss]]:
    """One piece less of what is wanted more than once."""
    lines = scenario.gold["wanted"]["lines"]
    if any(number > 1 for _, _, number in lines):
        fewer = [[asin, options, max(1, number - 1)] for asin, options, number in lines]
        yield "a piece too few", _baskets.ordered(scenario, data, "pieces", lines=fewer, codes=[])


def _plan(scenario: Scenario) -> Plan:
    return Plan(
        _baskets.sought(scenario),
        task.offered(scenario),
        ordering.rules_of(scenario),
        ordering.account_of(scenario).codes,
    )


def _other_baskets(
    plan: Plan, found: Sequence[Outcome], stock: Market
) -> Iterator[tuple[str, Outcome]]:  # fmt: skip
    best = found[0]
    yield "the cheapest of each", greedy(found, plan)
    yield "exchanged one by one", one_by_one(found, plan)
    offered = stock.offering(plan.offers)
    free = [each for each in found[1:] if _postage(each, plan, offered) == 0]
    if free and _postage(best, plan, offered) and free[0].asins != best.asins:
        yield "free postage bought too dear", free[0]
    for place, line in enumerate(plan.sought):
        fits = {good.asin for good in line.good_ones()}
        cheap = [asin for asin in line.candidates if asin not in fits]
        asins = (*best.asins[:place], cheap[0], *best.asins[place + 1 :])
        yield f"breaks {line.bounds[0].form}", Outcome(0, asins, ())


def _postage(order: Outcome, plan: Plan, offered: Market) -> int:
    lines = [
        offered.line(asin, line.quantity)
        for asin, line in zip(order.asins, plan.sought, strict=True)
    ]
    codes = [code for code in plan.codes if code.name in order.codes]
    return pricing.quote(lines, plan.rules, plan.rules.free_method, codes).postage


def _other_codes(found: Sequence[Outcome]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Other codes for the right goods: none, and those that take less off."""
    best = found[0]
    yield "no code", ()
    same = (each.codes for each in found[1:] if each.asins == best.asins and each.codes)
    yield from (("a code that takes less off", codes) for codes in islice(same, 1))
