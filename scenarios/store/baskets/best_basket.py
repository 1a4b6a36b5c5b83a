"""Buy a few things, choosing among the products that fit so that the final amount is lowest.

Prices, codes, postage and three-for-two offers interact. The cheapest product for each line with
the best code is never the answer, nor is the result of exchanging single products as long as that
lowers the amount. The right order is found by pricing every basket with every allowed set of codes.
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
from scenarios.phrasings import Speaker
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
"""The possible numbers of suitable products of a line, drawn evenly; more make the task harder."""
UNFIT = (1, 1, 2)
"""The possible numbers of unsuitable, cheaper products of a line that have to be looked at."""
LEAD = 100
"""The cents by which the best order is cheaper than any other order, at least."""
MOST_SAVED = 4000
"""The cents that codes and free postage together can save, at most.

A product that is dearer by more can never be part of the best order.
"""
SPREAD = (1.0, 1.45)
"""The range of the prices of suitable products, as shares of the line's lowest price."""
CHEAPER = (0.78, 0.95)
"""The range of the prices of unsuitable products, as shares of the line's lowest suitable price."""
TRIES = 12
"""How many times prices and codes are drawn for the same lines."""
FOUR_LINES = 0.5
HIDDEN = {3: (2, 2, 3), 4: (1, 2)}
"""The possible numbers of candidates whose measure only their own page shows, by number of lines.
"""
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
"""Pairs of product types of one department, for which a single discount code holds."""
READ = (_baskets.WALLET, "delivery", "offers")
"""The help topics and the wallet (with the discount codes) that must be read before buying.

If there is a tax, the topic about taxes is added.
"""
STEMS = ("FERN", "MOSS", "REED", "CLAY", "DUSK", "TIDE", "WREN", "PINE", "SNOW", "LARK", "OATS")


world = ordering.world
length = _baskets.length
solve = ordering.solve
advise = _baskets.advise


# Drawing -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Plan:
    """The lines that a customer wants, and the prices, rules and codes that the shop gives this
    customer.
    """

    sought: tuple[Sought, ...]
    offers: Mapping[str, Offer]
    rules: ShopRules
    codes: tuple[Code, ...]


@dataclass(frozen=True, order=True)
class Outcome:
    """An order that meets the customer's request: its final cost in cents, its asins and its
    codes.
    """

    total: int
    asins: tuple[str, ...]
    codes: tuple[str, ...]


def generate(seed: int, data: StoreData) -> Scenario:
    """Generate the scenario of a seed: draw a plan whose best order is clearly cheapest, and its
    text.
    """
    rng = visits.rng("best_basket", seed)
    split = visits.split_of(seed)
    plan, found = _proved(split, data.market, rng)
    plan = replace(plan, sought=_baskets.routed(plan.sought, data.market))
    possible = not visits.is_rare("best_basket", seed, task.IMPOSSIBLE_ONE_IN)
    limit = _baskets.limit(found[0].total, rng, possible=possible)
    customer = _baskets.customer("best_basket", seed, data.market, plan.codes)
    speaker = Speaker("best_basket", split, rng)
    wish = _baskets.Wish(plan.sought, limit, _baskets.delivery(customer, speaker))
    order = _baskets.order(wish, found[0].asins, plan.rules, found[0].codes)
    gold = _baskets.gold(
        wish, order, _look(plan, found[0]), possible=possible, read=_read(plan.rules)
    )
    text = _baskets.instruction(wish, speaker)
    return task.scenario(
        "best_basket", seed, text, gold, data,
        account=customer, offered=plan.offers, rules={STORE: plan.rules}, level=_level(plan, gold),
    )  # fmt: skip


def _read(rules: ShopRules) -> list[str]:
    """Return the names of the pages of rules that must be read before buying."""
    return [*READ, *(["taxes"] if rules.tax else [])]


def _level(plan: Plan, gold: Mapping[str, Any]) -> dict[str, Any]:
    """Return the figures of the task's difficulty, by the letters of docs/levels.md."""
    goods = sum(len(line.candidates) for line in plan.sought)
    wished = [each for line in plan.sought for each in line.wished]
    worded = [each for each in wished if each.form == wishes.IS]
    return {"name": "L3", "P": len(gold["decides"]), "M": goods + len(plan.codes), "C": 20,
            "R": 4, "W": round(len(worded) / len(wished), 2), "K": 4}  # fmt: skip


def _proved(split: str, stock: Market, rng: Random) -> tuple[Plan, list[Outcome]]:
    """Draw a plan whose best order is clearly ahead; return it with all orders, best first."""
    while True:
        kinds = _kinds(rng)
        shapes = [_shape(kind, rng.choice(HIDDEN[len(kinds)]), split, rng) for kind in kinds]
        for _ in range(TRIES):
            plan = _planted(shapes, rng)
            found = outcomes(plan, stock) if plan.codes else []
            if found and _is_proved(plan, found, stock):
                return plan, found


def _kinds(rng: Random) -> list[str]:
    """Draw three or four kinds of products; two of them belong to one department."""
    pair = rng.choice(DEPARTMENTS)
    others = [each for each in QUANTITIES if each not in pair]
    found = [*pair, *rng.sample(others, 2 if rng.random() < FOUR_LINES else 1)]
    rng.shuffle(found)
    return found


def _shape(kind: str, hidden: int, split: str, rng: Random) -> Sought:
    """Draw a line with about this number of candidates whose cards do not show the measure."""
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
    """Draw candidates for a line: some products that keep a limit and some that do not.

    The list is empty if rounding could decide, or if there are too few of either.
    """
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
    """Yield products; some must be opened to see a fact, as far as there are such products.

    Args:
        goods: The products to choose from.
        number: How many products to yield.
        hidden: How many of these do not show the fact on their card.
        name: The fact.
        rng: The source of randomness.
    """
    drawn = rng.sample(goods, len(goods))
    drawn.sort(key=lambda good: _lines.effort(good, (name,)) == 0)
    shown = sum(_lines.effort(good, (name,)) == 0 for good in drawn)
    opened = max(hidden, number - shown)
    yield from drawn[:opened]
    yield from drawn[len(drawn) - (number - opened) :]


def _planted(shapes: Sequence[Sought], rng: Random) -> Plan:
    """Draw the offers of a basket task: the prices of all products that fit, discount rules and
    codes.

    Args:
        shapes: For each line of the basket, the kind of product, its wanted properties and the
            quantity.
        rng: The random numbers.
    """
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
    """Return a code of a department that pays only if two dearer products are chosen together.

    A single dearer product does not reach the sum that the code asks for, and the code takes off
    more than the two dearer products add. The result is None if the prices do not allow such a
    code.
    """
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
    """Return the amounts to pay for a line with each product that fits, the lowest first."""
    return sorted(_paid(line, threes) * (offers[each.asin].cents or 0) for each in line.good_ones())


def _steps(sums: Sequence[int]) -> list[int]:
    """Return by how much each amount exceeds the first of them."""
    return [each - sums[0] for each in sums]


def _sums(line: Sought, offers: Mapping[str, Offer]) -> list[int]:
    """Return the cost of all pieces of a line with each candidate, the cheapest first."""
    return [line.quantity * (offers[asin].cents or 0) for asin in line.candidates]


def _prices(line: Sought, threes: Sequence[str], rng: Random) -> dict[str, Offer]:
    """Return prices, by asin: low for the candidates, too high for all other products of the
    line.
    """
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
    """Return how many pieces of a line must be paid for; `threes` are the kinds with every third
    free.
    """
    return line.quantity - (line.quantity // 3 if line.kind in threes else 0)


def _rules(threes: tuple[str, ...], low: int, dear: int, rng: Random) -> ShopRules:
    """Draw the shop's rules so that only some baskets reach the sum for free postage."""
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
    """Yield four to six discount codes: for brands, a department or the whole order; the fifth is
    expired.
    """
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
    """Draw a discount code for the whole order; it asks for a sum that not every basket reaches."""
    over = _about(middle, rng)
    if rng.random() < 0.5:
        return Code(
            "", percent=rng.choice((8, 10, 12)), over=over, cap=rng.randrange(800, 1300, 100)
        )
    return Code("", cents=rng.randrange(500, 1100, 100), over=over)


def _about(amount: int, rng: Random) -> int:
    """Draw an amount within 15% of another, rounded down to whole dollars; both are in cents."""
    return int(amount * rng.uniform(0.85, 1.15)) // 100 * 100


# Proving -----------------------------------------------------------------------------------------


def outcomes(plan: Plan, stock: Market) -> list[Outcome]:
    """Return every basket of fitting products with every usable set of codes, cheapest first."""
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
    """Yield a basket's orders: without codes, and with each set of codes that all take something
    off.
    """
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
    """Yield the usable sets of codes: none, single codes, and pairs that may be combined.

    Codes that have expired are left out.
    """
    usable = [code for code in codes if code.until is None or code.until >= TODAY]
    for size in range(3):
        yield from (each for each in combinations(usable, size) if not pricing.clashes(each))


def greedy(found: Sequence[Outcome], plan: Plan) -> Outcome:
    """Return the order of the cheapest product of each line, with the best codes for it."""
    asins = tuple(line.good_ones()[0].asin for line in plan.sought)
    return next(each for each in found if each.asins == asins)


def one_by_one(found: Sequence[Outcome], plan: Plan) -> Outcome:
    """Return the result of a local search that exchanges one product at a time.

    The search starts with the greedy order. Each step exchanges the product that lowers the cost
    most, with the best codes, until no exchange lowers it.
    """
    best_of: dict[tuple[str, ...], Outcome] = {}
    for each in found:
        best_of.setdefault(each.asins, each)
    now, nearer = best_of[greedy(found, plan).asins], True
    while nearer:
        near = min(each for each in best_of.values() if _exchanged(each, now) <= 1)
        now, nearer = near, near.total < now.total
    return now


def _exchanged(one: Outcome, other: Outcome) -> int:
    """Return the number of lines in which two orders differ."""
    return sum(map(ne, one.asins, other.asins))


def _is_proved(plan: Plan, found: Sequence[Outcome], stock: Market) -> bool:
    """Return whether the best order is clearly cheapest, missed by local search, and found in few
    actions.
    """
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
    """Return the most that a code takes off, in cents."""
    return code.cap or code.cents


def _look(plan: Plan, best: Outcome) -> _baskets.Look:
    """Return for each line the pages that show the limited measures of its candidates, by asin."""
    return _baskets.look(
        plan.sought, lambda good, line: [each.fact for each in line.bounds], best.asins
    )


# Contenders --------------------------------------------------------------------------------------


def contenders(scenario: Scenario, data: StoreData) -> Iterator[Contender]:
    """Yield the suitable products outside the best order, each of which would be right if cheaper.

    Each has a function that says whether the product wins clearly at a given price.
    """
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
    """Return wrong end states, by label: orders that differ from the right one by a single
    oversight.
    """
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
    """Yield a wrong end state, with its label: one piece less of each line that has several."""
    lines = scenario.gold["wanted"]["lines"]
    if any(number > 1 for _, _, number in lines):
        fewer = [[asin, options, max(1, number - 1)] for asin, options, number in lines]
        yield "a piece too few", _baskets.ordered(scenario, data, "pieces", lines=fewer, codes=[])


def _plan(scenario: Scenario) -> Plan:
    """Return the plan (lines, prices, rules, codes) from which the scenario was made."""
    return Plan(
        _baskets.sought(scenario),
        task.offered(scenario),
        ordering.rules_of(scenario),
        ordering.account_of(scenario).codes,
    )


def _other_baskets(
    plan: Plan, found: Sequence[Outcome], stock: Market
) -> Iterator[tuple[str, Outcome]]:  # fmt: skip
    """Yield baskets that a naive strategy finds or that break a limit, each with its label."""
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
    """Return the postage of an order, in cents."""
    lines = [
        offered.line(asin, line.quantity)
        for asin, line in zip(order.asins, plan.sought, strict=True)
    ]
    codes = [code for code in plan.codes if code.name in order.codes]
    return pricing.quote(lines, plan.rules, plan.rules.free_method, codes).postage


def _other_codes(found: Sequence[Outcome]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield other codes for the right products: none, and codes that take off less."""
    best = found[0]
    yield "no code", ()
    same = (each.codes for each in found[1:] if each.asins == best.asins and each.codes)
    yield from (("a code that takes less off", codes) for codes in islice(same, 1))
