"""Buy a product, given by its maker's number, in the shop that charges less for it in the end.

The store states prices with tax or adds it, and the outlet always adds it; each has its own
postage. More often than not the shop with the lower price on the page is the wrong one. In one seed
of eight neither shop has enough pieces. Seeds 0-499 are the test split, 500-1499 the dev split, and
from 1500 on the train split; each split has its own wordings.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from random import Random
from typing import Any

from agent.interface import Advice, AnswerSchema, Click, Note, Observation
from scenarios.phrasings import Speaker
from scenarios.scenario import Contender, NearMiss, Scenario
from scenarios.store.market import ordering, task
from scenarios.store.pages import following, site_map, visits
from scenarios.store.pages.screen import Needs, click, find, page_of, search_for, unvisited
from scenarios.store.two_shops import _outlet_checkout, _two_shops
from scenarios.store.two_shops._two_shops import Deal
from sites.store import StoreData
from sites.store.market.account.account import OUTLET, STORE, MarketAccount
from sites.store.market.goods.goods import Good
from sites.store.market.goods.stock import Market
from sites.store.market.offers import Offer, offers_to_json
from sites.store.market.pricing import Code, ShopRules
from sites.store.market.service.help import dollars
from sites.store.outlet import goods
from sites.store.outlet import operations as outlet

SITE = "store"
TAG = "transaction"
SCORING = "order"
HOSTS = _two_shops.HOSTS
FROM_ACCOUNT = _two_shops.FROM_ACCOUNT
STEPS = _two_shops.STEPS
ANSWER: AnswerSchema | None = AnswerSchema("text", "NOT_ACHIEVABLE where neither shop has enough")

UPSETS = 0.6
"""The share of seeds in which the shop with the lower price on the page is dearer in the end.

A higher share makes the family harder.
"""
AHEAD, AHEAD_SHARE = 100, 0.02
"""The right shop's least lead: in cents, and as a share of the other shop's total."""
MOST_BEFORE = 2
"""The most products of the same design that may stand before the product in the store's list."""
PIECES = (2, 2, 3, 4)
FACTOR = (0.85, 1.12)
"""The range of the outlet's price for a piece, as a share of the store's."""
CENTS = range(900, 16_000)
Gold = Mapping[str, Any]
Row = dict[str, Any]

world = _two_shops.world


# Drawing -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Drawn:
    """A drawn task.

    By shop, `cents` is the price of a piece, `rules` are the rules for charges, and `deals` the
    cheapest orders. `before` are the products of the same design that the store lists before the
    product.
    """

    account: MarketAccount
    good: Good
    before: tuple[str, ...]
    quantity: int
    cents: Mapping[str, int]
    rules: Mapping[str, ShopRules]
    deals: Mapping[str, Deal]
    possible: bool

    @property
    def winner(self) -> str:
        """Return the name of the shop that charges less in the end."""
        return min(self.deals, key=lambda shop: self.deals[shop].total)


def generate(seed: int, data: StoreData) -> Scenario:
    """Generate the scenario of a seed: a product, prices and rules of both shops, and the text."""
    rng = visits.rng("two_shops_cheapest", seed)
    split = visits.split_of(seed)
    rare = visits.is_rare("two_shops_cheapest", seed, task.IMPOSSIBLE_ONE_IN)
    drawn = _draw(data.market, rng, possible=not rare)
    gold = _gold(drawn)
    stock = drawn.quantity - 1 if rare else None
    offers = {shop: {drawn.good.asin: Offer(cents=cents, stock=stock)}
              for shop, cents in drawn.cents.items()}  # fmt: skip
    return task.scenario(
        "two_shops_cheapest",
        seed,
        _instruction(drawn, split, rng),
        gold,
        data,
        account=drawn.account,
        offered=offers[STORE],
        rules=drawn.rules,
        outlet_offers=offers_to_json(offers[OUTLET]),
        level={"name": "L2", "P": len(gold["decides"]) + len(drawn.before), "M": 8, "C": 6, "R": 2,
               "W": 0, "K": 2},
    )  # fmt: skip


def _draw(market: Market, rng: Random, *, possible: bool) -> _Drawn:
    """Draw until a drawn shop is clearly cheaper and has, as drawn, the lower or the higher
    price.
    """
    account = _two_shops.account(market, rng)
    winner, is_upset = rng.choice(HOSTS), rng.random() < UPSETS
    while True:
        asin, before = rng.choice(_two_shops.listed(market, MOST_BEFORE))
        tried = _tried(market.good(asin), before, account, rng, possible=possible)
        if tried and tried.winner == winner and _is_upset(tried) == is_upset:
            return tried


def _is_upset(drawn: _Drawn) -> bool:
    """Return whether the cheaper shop shows the higher price."""
    return drawn.cents[drawn.winner] > min(drawn.cents.values())


def _tried(
    good: Good, before: tuple[str, ...], account: MarketAccount, rng: Random, *, possible: bool
) -> _Drawn | None:
    """Draw prices and rules of both shops; None if the cheaper shop is not clear."""
    quantity = rng.choice(PIECES)
    usual = round(good.price * 100)
    own = round(usual * rng.uniform(*FACTOR) / 10) * 10
    cents = {STORE: usual, OUTLET: own}
    rules = {STORE: _two_shops.store_terms(rng), OUTLET: _two_shops.outlet_terms(rng)}
    code = _code(good, [each * quantity for each in cents.values()], rng)
    lines = {shop: [_two_shops.line(good, cents[shop], quantity)] for shop in HOSTS}
    deals = {shop: _two_shops.deal(lines[shop], rules[shop], code) for shop in HOSTS}
    if own == usual or not {usual, own} <= {*CENTS} or None in deals.values():
        return None
    found = {shop: deal for shop, deal in deals.items() if deal}
    less, more = sorted(deal.total for deal in found.values())
    if more - less < max(AHEAD, AHEAD_SHARE * more):
        return None
    account = replace(account, codes=code)
    return _Drawn(account, good, before, quantity, cents, rules, found, possible)


def _code(good: Good, sums: Sequence[int], rng: Random) -> tuple[Code, ...]:
    """Draw the customer's discount codes: none or one, which may be usable in one shop only."""
    if rng.random() < 0.4:
        return ()
    percent = rng.choice((5, 8, 10))
    low, high = sorted(sums)
    over = rng.choice((0, (low + high) // 200 * 100, high // 100 * 100 + 2000))
    kind = rng.choice(("", good.kind.name))
    return (
        Code(f"{rng.choice(ordering.CODE_STEMS)}{percent}", percent=percent, kind=kind, over=over),
    )


# Gold --------------------------------------------------------------------------------------------


def _gold(drawn: _Drawn) -> dict[str, Any]:
    wanted = {shop: _wanted(drawn, shop) for shop in HOSTS}
    number, asin = goods.maker_number(drawn.good.asin), drawn.good.asin
    city, pieces = drawn.account.addresses[0].city, visits.NUMBERS[drawn.quantity]
    return {
        "possible": drawn.possible,
        "shop": drawn.winner,
        "orders": [wanted[drawn.winner]] if drawn.possible else [],
        "wanted": wanted,
        "design": drawn.good.design,
        "number": number,
        "opened": [*drawn.before, asin],
        "path": list(_path(drawn)),
        "notes": {shop: dollars(cents) for shop, cents in drawn.cents.items()},
        "decides": list(_decides(asin, drawn.possible)),
        "told": [*visits.spellings(drawn.good.design, number, city), [pieces, pieces.capitalize()]],
        "neighbour": _neighbour(drawn.good),
    }


def _wanted(drawn: _Drawn, shop: str) -> dict[str, Any]:
    """Return the cheapest order from a shop."""
    return _two_shops.order([(drawn.good.asin, drawn.quantity)], shop, drawn.deals[shop])


def _decides(asin: str, possible: bool) -> Iterator[list[Row]]:
    """Yield the journal rows that prove that the agent saw the item and the charges in both
    shops.
    """
    yield [{"page": "item", "asin": asin}]
    yield [{"page": "outlet item", "asin": asin}]
    if possible:
        yield from _two_shops.charges()


def _path(drawn: _Drawn) -> Iterator[site_map.PathStep]:
    """Yield the steps to the pages that an agent must open to find the answer."""
    asin, number = drawn.good.asin, goods.maker_number(drawn.good.asin)
    yield from site_map.help_steps("delivery", "taxes")
    yield site_map.path_step("results", "search", query=drawn.good.design, number=1)
    for each in (*drawn.before, asin):
        yield site_map.path_step("item", "open item", asin=each)
    yield site_map.path_step(
        "outlet results", "search", query=number, narrowing={}, number=outlet.STEP
    )
    yield site_map.path_step("outlet item", "open item", asin=asin)
    yield site_map.path_step("outlet help", "read help")


def _neighbour(good: Good) -> str:
    """Return the asin of another product of the same design."""
    every = (each for each in goods.sold().values() if each.design == good.design)
    return next(each.asin for each in every if each.asin != good.asin)


def _instruction(drawn: _Drawn, split: str, rng: Random) -> str:
    speaker = Speaker("two_shops_cheapest", split, rng)
    number = visits.NUMBERS[drawn.quantity]
    return " ".join(map(speaker.choose, ("what", "where", "aim", "how", "else"))).format(
        n=number,
        n_first=number.capitalize(),
        number=goods.maker_number(drawn.good.asin),
        design=drawn.good.design,
        city=drawn.account.addresses[0].city,
    )


# The way -----------------------------------------------------------------------------------------


def length(scenario: Scenario) -> int:
    """Return the number of actions of the expert.

    It reads the store's help, opens the products of the design, the outlet's item and the outlet's
    help; then it goes back to the item in the right shop, and orders it.
    """
    gold = scenario.gold
    looked = 4 + 2 + 2 * len(gold["opened"]) - 1 + 1 + 2
    if not gold["possible"]:
        return int(looked)
    to_cart = 5 if gold["shop"] == STORE else 4
    return int(looked + to_cart + ordering.length(scenario, gold["wanted"][gold["shop"]]))


solve = ordering.solve


# Advice ------------------------------------------------------------------------------------------


def advise(scenario: Scenario, observation: Observation) -> Advice:
    """Advise to read the store's help, find the item in both shops, then order it in the cheaper
    shop.
    """
    gold = scenario.gold
    if "/receipt" in observation.url:
        return Advice("place order", answer="")
    if _outlet_checkout.is_here(observation):
        return _at_outlet(gold, observation)
    page = observation.url.split("/")[3]
    if page == "help":
        return _two_shops.at_help(observation, _needs(gold))
    if page_of(observation) == "item":
        return _at_item(gold, observation)
    if page_of(observation) == "results":
        return _two_shops.at_results(gold["design"], observation, _needs(gold))
    wanted, needs = gold["wanted"][STORE], _needs(gold, OUTLET)
    own = ordering.advise(wanted, observation, needs)
    return own or _at_index(gold, observation)


def _needs(gold: Gold, *seen: str) -> Needs:
    """Return the values that the instruction gives, and the prices that were noted in these
    shops.
    """
    given = following.needs(gold)
    return (*given, *((gold["notes"][shop],) for shop in seen))


def _at_index(gold: Gold, observation: Observation) -> Advice:
    """Advise on the store's home: to the help, then to the search; after the outlet to the item."""
    to_help = _two_shops.to_help(observation, _needs(gold))
    if to_help is not None:
        return to_help
    if _two_shops.is_marked("To the outlet", observation):
        last = tuple(Click(each.id) for each in _two_shops.viewed(observation)[:1])
        return Advice("open item", last, needs=_needs(gold, OUTLET))
    return replace(search_for(observation, gold["design"]), needs=_needs(gold))


def _at_item(gold: Gold, observation: Observation) -> Advice:
    if f"Maker's number: {gold['number']}" not in observation.text:
        return Advice("open item", click(observation, "< Prev"), needs=_needs(gold))
    other = unvisited(observation, "To the outlet")
    if other is not None:
        note = Note(gold["notes"][STORE])
        return Advice("go to the other shop", (note, Click(other.id)), needs=_needs(gold))
    own = ordering.add(gold["wanted"][STORE], observation, _needs(gold, OUTLET))
    return own or Advice("change cart", ordering.to_cart(observation), needs=_needs(gold, OUTLET))


def _at_outlet(gold: Gold, observation: Observation) -> Advice:
    wanted, needs = gold["wanted"][OUTLET], _needs(gold, STORE)
    own = _outlet_checkout.advise(wanted, observation, needs)
    if own is not None:
        return own
    page = _outlet_checkout.page_of(observation)
    title = _outlet_checkout.called(wanted["lines"][0])
    if page == "goods" and title in observation.text:
        return _at_outlet_item(gold, observation)
    if page == "help":
        return _decided(gold, title, observation)
    link = find(observation, title)
    if link is not None:
        return Advice("open item", (Click(link.id),), needs=needs)
    return replace(search_for(observation, gold["number"]), needs=needs)


def _at_outlet_item(gold: Gold, observation: Observation) -> Advice:
    needs = _needs(gold, STORE)
    if not gold["possible"]:
        return Advice("open item", answer=visits.NOT_ACHIEVABLE, needs=needs)
    rules = unvisited(observation, "Delivery and tax")
    if rules is not None:
        note = Note(gold["notes"][OUTLET])
        return Advice(_two_shops.READ_RULES, (note, Click(rules.id)), needs=needs)
    return _outlet_checkout.add(gold["wanted"][OUTLET]["lines"][0], observation, needs)


def _decided(gold: Gold, title: str, observation: Observation) -> Advice:
    """Advise to go from the outlet's help to the item in the cheaper shop."""
    needs = _needs(gold, STORE, OUTLET)
    if gold["shop"] == OUTLET:
        return Advice("open item", click(observation, title), needs=needs)
    return Advice("go to the other shop", click(observation, "To the store"), needs=needs)


# Contenders --------------------------------------------------------------------------------------


def contenders(scenario: Scenario, data: StoreData) -> Iterator[Contender]:
    """Yield the product in the dearer shop, with a test of the price that would make that shop
    right.
    """
    gold, stocks = scenario.gold, _two_shops.stocks_of(scenario, data)
    rules, wallet = task.rules(scenario), ordering.account_of(scenario).codes
    if not gold["possible"]:
        return
    [[asin, _, quantity]] = gold["orders"][0]["lines"]
    other = STORE if gold["shop"] == OUTLET else OUTLET
    lines = {shop: stocks[shop].line(asin, quantity) for shop in HOSTS}
    own = _two_shops.deal([lines[gold["shop"]]], rules[gold["shop"]], wallet)

    def wins(cents: int) -> bool:
        deal = _two_shops.deal([replace(lines[other], cents=cents)], rules[other], wallet)
        return bool(own and deal and deal.total <= own.total - AHEAD)

    yield Contender(other, asin, lines[other].cents, wins)


# Near misses -------------------------------------------------------------------------------------


def near_misses(scenario: Scenario, data: StoreData) -> Mapping[str, NearMiss]:
    """Return wrong end states, by label: another shop, product, number of pieces, code or
    delivery.
    """
    gold, stocks = scenario.gold, _two_shops.stocks_of(scenario, data)
    placing = partial(ordering.placing, data, path=gold["path"])
    if not gold["possible"]:
        return {
            "ordered what there was": placing([_fewer(gold)], "nothing ordered"),
            "did not say so": placing([], "said so"),
            "gave up unseen": visits.gave_up("pages opened"),
        }
    own = gold["orders"][0]
    other = gold["wanted"][STORE if gold["shop"] == OUTLET else OUTLET]
    misses = {
        label: placing([changed], fails) for label, fails, changed in _otherwise(scenario, stocks)
    }
    return {
        "the other shop": placing([other], "shop"),
        "both shops": placing([own, other], "orders"),
        **misses,
        "gave up": visits.gave_up("orders"),
    }


def _otherwise(
    scenario: Scenario, stocks: Mapping[str, Market]
) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield wrong orders: the label, the check that must fail, and the order."""
    gold = scenario.gold
    own, shop = gold["orders"][0], gold["shop"]
    rules = task.rules(scenario)[shop]
    [[asin, options, quantity]] = own["lines"]
    bare = {**own, "codes": []}
    neighbour = stocks[shop].line(gold["neighbour"], quantity)
    if neighbour.total >= rules.minimum:
        line = [gold["neighbour"], options, quantity]
        yield "the neighbour", "items", {**bare, "lines": [line]}
    if stocks[shop].line(asin).total >= rules.minimum:
        yield "one piece", "pieces", {**bare, "lines": [[asin, options, 1]]}
    if own["codes"]:
        yield "code not used", "codes", bare
    dearer = next(each.name for each in rules.methods if each.name not in own["methods"])
    yield "dearer post", "delivery", {**own, "methods": [dearer]}


def _fewer(gold: Gold) -> dict[str, Any]:
    """Return a wrong order: a piece fewer than wanted, as many as there may be."""
    wanted = gold["wanted"][STORE]
    [[asin, options, quantity]] = wanted["lines"]
    return {**wanted, "lines": [[asin, options, quantity - 1]], "codes": []}
