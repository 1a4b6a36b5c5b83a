"""Buy a list of things, given by makers' numbers, from one shop or two, for the lowest total cost.

Each shop has its own postage, tax, minimum order and packs, so neither a single shop nor the lower
price of each thing need be right. Neither shop sells one of the things any more, and the agent
reports its number. In one seed of eight neither shop sells any of the things, and the agent orders
nothing. Seeds 0-499 are the test split, 500-1499 the dev split, and from 1500 on the train split;
each split has its own wordings.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from random import Random
from typing import Any

from agent.interface import Action, Advice, AnswerSchema, Click, Note, Observation
from scenarios.phrasings import Speaker
from scenarios.scenario import Contender, NearMiss, Scenario
from scenarios.store.market import ordering, task
from scenarios.store.pages import following, site_map, visits
from scenarios.store.pages.screen import Needs, click, click_starting, find, page_of, search_for
from scenarios.store.two_shops import _outlet_checkout, _two_shops
from scenarios.store.two_shops._two_shops import Deal
from sites.store import StoreData
from sites.store.market import pricing
from sites.store.market.account.account import OUTLET, STORE, MarketAccount
from sites.store.market.goods.goods import Good
from sites.store.market.goods.stock import Market
from sites.store.market.offers import Offer, offers_to_json
from sites.store.market.pricing import Code, ShopRules
from sites.store.market.service.help import dollars
from sites.store.outlet import goods
from sites.store.outlet import operations as outlet
from sites.world import World

SITE = "store"
TAG = "transaction"
SCORING = "order"
MEMORY = True
HOSTS = _two_shops.HOSTS
FROM_ACCOUNT = _two_shops.FROM_ACCOUNT
STEPS = _two_shops.STEPS
ANSWER: AnswerSchema | None = AnswerSchema(
    "text", "the number that neither shop has, or NOT_ACHIEVABLE where they have none of them"
)

SOLD = 3
"""How many things of the list are sold; this sets the difficulty. One further thing is not sold."""
AHEAD = 100
"""The least lead of the right choice of shops over any other choice, in cents."""
SPLITS = 0.6
"""The share of seeds in which the cheapest purchase needs both shops."""
PIECES = (1, 2, 2, 4)
PACK = 2
"""How many pieces the outlet's pack of one of the things holds."""
CENTS = range(600, 9_000)
FACTOR = (0.75, 1.15)
Gold = Mapping[str, Any]

world = _two_shops.world


# Drawing -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Item:
    """A thing of the customer's list.

    The products of the same design before it in the store's list are `before`. `cents` is its price
    in each shop, and the outlet sells `pack` pieces together.
    """

    good: Good
    before: tuple[str, ...]
    pieces: int
    cents: Mapping[str, int]
    pack: int = 1

    @property
    def number(self) -> str:
        return goods.maker_number(self.good.asin)

    def quantity(self, shop: str) -> int:
        """Return the units to order in a shop: packs in the outlet, pieces in the store."""
        return self.pieces // self.pack if shop == OUTLET else self.pieces

    def line(self, shop: str) -> pricing.PricedLine:
        return _two_shops.line(self.good, self.cents[shop], self.quantity(shop))

    @property
    def lower(self) -> str:
        """Return the shop with the lower price of one piece."""
        return OUTLET if self.cents[OUTLET] < self.cents[STORE] * self.pack else STORE


Split = tuple[str, ...]
"""The name of the shop to order from, for each thing of the list."""


@dataclass(frozen=True)
class _Drawn:
    account: MarketAccount
    items: tuple[_Item, ...]
    missing: _Item
    rules: Mapping[str, ShopRules]
    split: Split
    deals: Mapping[str, Deal]
    possible: bool

    @property
    def every(self) -> tuple[_Item, ...]:
        """Return all things of the list; the last is the thing that is not sold."""
        return (*self.items, self.missing)


def generate(seed: int, data: StoreData) -> Scenario:
    """Generate the scenario of a seed: things whose cheapest shops are clear, and the customer's
    text.
    """
    rng = visits.rng("two_shop_split", seed)
    split = visits.split_of(seed)
    rare = visits.is_rare("two_shop_split", seed, task.IMPOSSIBLE_ONE_IN)
    drawn = _draw(data.market, rng, possible=not rare)
    gold = _gold(drawn)
    offers = {shop: dict(_offers(drawn, shop)) for shop in HOSTS}
    return task.scenario(
        "two_shop_split",
        seed,
        _instruction(drawn, split, rng),
        gold,
        data,
        account=drawn.account,
        offered=offers[STORE],
        rules=drawn.rules,
        outlet_offers=offers_to_json(offers[OUTLET]),
        level={"name": "L3", "P": len(gold["decides"]), "M": 4 * len(drawn.every), "C": 24, "R": 4,
               "W": 0, "K": 3},
    )  # fmt: skip


def _offers(drawn: _Drawn, shop: str) -> Iterator[tuple[str, Offer]]:
    """Yield the price, stock and pack of each thing in a shop, with its asin."""
    for item in drawn.every:
        gone = item is drawn.missing or not drawn.possible
        pack = item.pack if shop == OUTLET and item.pack > 1 else 0
        piece = "pieces" if pack else ""
        offer = Offer(cents=item.cents[shop], gone=gone, pieces=pack, piece=piece)
        yield item.good.asin, offer


def _draw(market: Market, rng: Random, *, possible: bool) -> _Drawn:
    """Draw things and rules until one choice of shops is clearly cheapest and not by lower price
    alone.

    The number of shops that the split needs is drawn first.
    """
    account, both = _two_shops.account(market, rng), rng.random() < SPLITS
    while True:
        items = [*_items(market, rng)]
        rules = {STORE: _two_shops.store_terms(rng), OUTLET: _two_shops.outlet_terms(rng)}
        wallet = _wallet(rng)
        ranked = sorted(_splits(items[:-1], rules, wallet), key=lambda each: each[0])
        if len(ranked) < 2 or ranked[1][0] - ranked[0][0] < AHEAD:
            continue
        _, split, deals = ranked[0]
        if split != tuple(each.lower for each in items[:-1]) and (len(deals) > 1) == both:
            known = replace(account, codes=wallet)
            return _Drawn(known, tuple(items[:-1]), items[-1], rules, split, deals, possible)


def _items(market: Market, rng: Random) -> Iterator[_Item]:
    """Yield things of different kinds for the list.

    In the store's list of results, at most one of them has a product of its design before it.
    """
    listed, kinds, neighbours = _two_shops.listed(market, 1), set[str](), 0
    packed = rng.randrange(SOLD)
    place = 0
    while place <= SOLD:
        asin, before = rng.choice(listed)
        good = market.good(asin)
        usual = round(good.price * 100)
        if good.kind.name in kinds or usual not in CENTS or neighbours + len(before) > 1:
            continue
        pieces, pack = (rng.choice((2, 4)), PACK) if place == packed else (rng.choice(PIECES), 1)
        own = round(usual * pack * rng.uniform(*FACTOR) / 10) * 10
        kinds.add(good.kind.name)
        neighbours += len(before)
        place += 1
        yield _Item(good, before, pieces, {STORE: usual, OUTLET: own}, pack)


def _wallet(rng: Random) -> tuple[Code, ...]:
    """Draw the customer's discount codes: none or a single code."""
    if rng.random() < 0.4:
        return ()
    percent, over = rng.choice((5, 8, 10)), rng.choice((0, 6_000, 9_000, 12_000))
    return (Code(f"{rng.choice(ordering.CODE_STEMS)}{percent}", percent=percent, over=over),)


def _splits(
    items: Sequence[_Item], rules: Mapping[str, ShopRules], wallet: Sequence[Code]
) -> Iterator[tuple[int, Split, Mapping[str, Deal]]]:
    """Yield every choice of shops that the shops accept, with its total in cents and each shop's
    order.
    """
    for split in product(HOSTS, repeat=len(items)):
        deals = {}
        for shop in dict.fromkeys(split):
            lines = [each.line(shop) for each, own in zip(items, split, strict=True) if own == shop]
            deals[shop] = _two_shops.deal(lines, rules[shop], wallet)
        found = {shop: deal for shop, deal in deals.items() if deal}
        if len(found) == len(deals):
            yield sum(deal.total for deal in found.values()), split, found


# Gold --------------------------------------------------------------------------------------------


def _gold(drawn: _Drawn) -> dict[str, Any]:
    orders = {shop: _order(drawn, shop) for shop in drawn.deals}
    city = drawn.account.addresses[0].city
    given = [text for each in drawn.every for text in (each.good.design, each.number)]
    answer = drawn.missing.number if drawn.possible else visits.NOT_ACHIEVABLE
    return {
        "possible": drawn.possible,
        "orders": [*orders.values()] if drawn.possible else [],
        "wanted": orders,
        "answer": {"kind": "text", "text": answer},
        "items": [_given(each, drawn) for each in drawn.every],
        "decides": list(_decides(drawn)),
        "path": list(_path(drawn)),
        "told": visits.spellings(*given, city),
    }


def _order(drawn: _Drawn, shop: str) -> dict[str, Any]:
    """Return the right order in a shop: the things that are bought there, as the gold holds it."""
    own = [each for each, place in zip(drawn.items, drawn.split, strict=True) if place == shop]
    lines = [(each.good.asin, each.quantity(shop)) for each in own]
    return _two_shops.order(lines, shop, drawn.deals[shop])


def _given(item: _Item, drawn: _Drawn) -> dict[str, Any]:
    """Return the gold's entry for a thing of the list."""
    return {
        "asin": item.good.asin,
        "name": item.good.name,
        "design": item.good.design,
        "number": item.number,
        "before": [*item.before],
        "sold": drawn.possible and item is not drawn.missing,
        "pack": item.pack,
        "quantity": {shop: item.quantity(shop) for shop in HOSTS},
        "cents": dict(item.cents),
        "lower": item.lower,
    }


def _decides(drawn: _Drawn) -> Iterator[list[dict[str, Any]]]:
    """Yield the journal rows that prove that the agent saw each thing and the charges of both
    shops.
    """
    for item in drawn.every:
        yield [{"page": "item", "asin": item.good.asin}]
        yield [{"page": "outlet item", "asin": item.good.asin}]
    if drawn.possible:
        yield from _two_shops.charges()


def _path(drawn: _Drawn) -> Iterator[site_map.PathStep]:
    """Yield the steps to the pages that an agent must open to find the answer."""
    yield from site_map.help_steps("delivery", "taxes")
    for item in drawn.every:
        yield site_map.path_step("results", "search", query=item.good.design, number=1)
        for each in (*item.before, item.good.asin):
            yield site_map.path_step("item", "open item", asin=each)
    for item in drawn.every:
        found = site_map.path_step("outlet results", "search", query=item.number, narrowing={})
        yield {**found, "number": outlet.STEP}
        yield site_map.path_step("outlet item", "open item", asin=item.good.asin)
    if drawn.possible:
        yield site_map.path_step("outlet help", "read help")


def _instruction(drawn: _Drawn, split: str, rng: Random) -> str:
    speaker = Speaker("two_shop_split", split, rng)
    given = [_counted(each) for each in drawn.every]
    rng.shuffle(given)
    return " ".join(map(speaker.choose, ("what", "where", "aim", "how", "else"))).format(
        items=f"{', '.join(given[:-1])} and {given[-1]}", city=drawn.account.addresses[0].city
    )


def _counted(item: _Item) -> str:
    """Return the words of the request for a thing.

    For example "two pieces of VM-5187-F (Fjordline Hillside 2 Herbal Infusion)".
    """
    pieces = f"{visits.NUMBERS[item.pieces]} piece{'s' * (item.pieces > 1)}"
    return f"{pieces} of {item.number} ({item.good.design})"


# The way -----------------------------------------------------------------------------------------


def length(scenario: Scenario) -> int:
    """Return the number of actions of the expert.

    The expert puts each thing into both carts, compares, and then removes from each cart what the
    other shop gets.
    """
    items = scenario.gold["items"]
    seen = 4 + sum(3 + 2 * len(each["before"]) for each in items) + 1 + 2 * len(items)
    if not scenario.gold["possible"]:
        return int(seen)
    put = sum((each["quantity"][shop] != 1) + 1 for each in items for shop in HOSTS if each["sold"])
    return int(seen + put + 1 + sum(_to_order(scenario, shop) for shop in HOSTS) + 1)


def _to_order(scenario: Scenario, shop: str) -> int:
    """Return the number of actions to open a shop's cart, remove what is not ordered here, and
    order.
    """
    wanted = scenario.gold["wanted"].get(shop)
    if wanted is None:
        return 1 + SOLD
    return 1 + SOLD - len(wanted["lines"]) + ordering.length(scenario, wanted)


def solve(scenario: Scenario, world: World, data: StoreData) -> str:
    """Open all pages that the gold lists, empty both carts, place the orders, and return the
    answer.
    """
    for shop in HOSTS:
        stock = ordering.stock_in(world, data, shop)
        ordering.fill(world, stock, {"shop": shop, "lines": []})
    ordering.solve(scenario, world, data)
    return str(scenario.gold["answer"]["text"])


# Advice ------------------------------------------------------------------------------------------


def advise(scenario: Scenario, observation: Observation) -> Advice:
    """Advise to put each thing into both carts, to remove what the other shop gets, and to order.

    The outlet's order comes first, then the store's.
    """
    gold = scenario.gold
    if _outlet_checkout.is_here(observation):
        return _at_outlet(gold, observation)
    if "/receipt" in observation.url:
        return Advice("place order", answer=gold["answer"]["text"], needs=_needs(gold))
    if observation.url.split("/")[3] == "help":
        return _two_shops.at_help(observation, _needs(gold))
    page = page_of(observation)
    if page == "item":
        return _at_item(gold, observation)
    if page == "results":
        return _at_results(gold, observation)
    return _at_store(gold, observation)


def _needs(gold: Gold, *seen: str) -> Needs:
    """Return the values that the instruction gives, and the prices that were noted in these
    shops.
    """
    given = following.needs(gold)
    sold = [each for each in gold["items"] if each["sold"]]
    return (*given, *((dollars(each["cents"][shop]),) for each in sold for shop in seen))


def _at_store(gold: Gold, observation: Observation) -> Advice:
    """Advise on the store's home, cart and checkout: read the help, see all things, order last."""
    to_help = _two_shops.to_help(observation, _needs(gold))
    if to_help is not None:
        return to_help
    if not _two_shops.is_marked("To the outlet", observation):
        return _onward(gold, observation)
    if "/cart/" in observation.url or "/checkout/" in observation.url:
        return _order_here(gold, observation)
    return Advice("change cart", ordering.to_cart(observation), needs=_needs(gold))


def _order_here(gold: Gold, observation: Observation) -> Advice:
    wanted, needs = gold["wanted"].get(STORE), _needs(gold, *HOSTS)
    advice = ordering.advise(wanted, observation, needs) if wanted else None
    if advice is not None:
        return advice
    remove = click_starting(observation, "Remove ")
    if remove:
        return Advice("change cart", remove, needs=needs)
    return Advice("place order", answer=gold["answer"]["text"], needs=_needs(gold))


def _onward(gold: Gold, observation: Observation) -> Advice:
    """Advise to go to a thing that was not looked at in the store yet, else to the outlet."""
    left = _left(gold, "name", observation)
    if left is None:
        away = click(observation, "To the outlet")
        return Advice("go to the other shop", away, needs=_needs(gold))
    if find(observation, "Search products") is None:
        return Advice("search", click(observation, "Back to Search"), needs=_needs(gold))
    return replace(search_for(observation, left["design"]), needs=_needs(gold))


def _left(gold: Gold, key: str, observation: Observation) -> Mapping[str, Any] | None:
    """Return the first thing of the list that is not among the viewed items; None if all are."""
    seen = {each.name for each in _two_shops.viewed(observation)}
    names = {each["number"]: _called(each, key) for each in gold["items"]}
    return next((each for each in gold["items"] if names[each["number"]] not in seen), None)


def _called(item: Mapping[str, Any], key: str) -> str:
    """Return a thing's name in the store, or its title in the outlet."""
    return str(item[key]) if key == "name" else goods.title(goods.sold()[item["asin"]])


def _at_results(gold: Gold, observation: Observation) -> Advice:
    left = _left(gold, "name", observation)
    if left is None:
        return Advice("search", click(observation, "Back to Search"), needs=_needs(gold))
    return _two_shops.at_results(left["design"], observation, _needs(gold))


def _at_item(gold: Gold, observation: Observation) -> Advice:
    here = (each for each in gold["items"]
            if f"Maker's number: {each['number']}" in observation.text)  # fmt: skip
    item = next(here, None)
    if item is None:
        return Advice("open item", click(observation, "< Prev"), needs=_needs(gold))
    line = {"lines": [[item["asin"], {}, item["quantity"][STORE]]]}
    if item["sold"] and ordering.missing(line, observation):
        into = ordering.add(line, observation, _needs(gold))
        if into is not None and find(observation, "Add to Cart"):
            return _noted(into, item, STORE)
    return _onward(gold, observation)


def _noted(advice: Advice, item: Mapping[str, Any], shop: str) -> Advice:
    """Return the advice with a note of the thing's price in this shop."""
    actions: tuple[Action, ...] = (Note(dollars(item["cents"][shop])), *advice.actions)
    return replace(advice, actions=actions)


def _at_outlet(gold: Gold, observation: Observation) -> Advice:
    page, needs = _outlet_checkout.page_of(observation), _needs(gold)
    if page == "receipts":
        away = click(observation, "To the store")
        return Advice("go to the other shop", away, needs=_needs(gold, *HOSTS))
    is_open = page != "basket" and find(observation, "Keep looking") is not None
    if page == "checkout" or is_open:
        return _order_there(gold, observation)
    if page == "help":
        return Advice("change cart", click_starting(observation, "Basket ("), needs=needs)
    if page == "goods":
        here = (each for each in gold["items"]
                if goods.slug(goods.sold()[each["asin"]]) in observation.url)  # fmt: skip
        item = next(here, None)
        if item is not None and item["sold"] and find(observation, "Add to basket"):
            line = [item["asin"], {}, item["quantity"][OUTLET]]
            return _noted(_outlet_checkout.add(line, observation, needs), item, OUTLET)
    return _next_there(gold, observation)


def _next_there(gold: Gold, observation: Observation) -> Advice:
    """Advise in the outlet: to a thing not looked at yet, then to its help, then to the basket."""
    needs = _needs(gold)
    left = _left(gold, "title", observation)
    if left is not None:
        link = find(observation, _called(left, "title"))
        if link is not None:
            return Advice("open item", (Click(link.id),), needs=needs)
        return replace(search_for(observation, left["number"]), needs=needs)
    if not gold["possible"]:
        return Advice("open item", answer=visits.NOT_ACHIEVABLE, needs=needs)
    if not _two_shops.is_marked("Delivery and tax", observation):
        return Advice(_two_shops.READ_RULES, click(observation, "Delivery and tax"), needs=needs)
    return _order_there(gold, observation)


def _order_there(gold: Gold, observation: Observation) -> Advice:
    """Advise on ordering in the outlet: in the basket, which may cover a page, and at the
    checkout.
    """
    wanted, needs = gold["wanted"].get(OUTLET), _needs(gold, *HOSTS)
    own = _outlet_checkout.advise(wanted, observation, needs) if wanted else None
    if own is not None:
        return own
    out = click_starting(observation, "Take out ")
    if out:
        return Advice("change cart", out, needs=needs)
    away = click(observation, "To the store") or click_starting(observation, "Basket (")
    return Advice("go to the other shop", away, needs=needs)


# Contenders --------------------------------------------------------------------------------------


def contenders(scenario: Scenario, data: StoreData) -> Iterator[Contender]:
    """Yield each thing in the shop from which it is not ordered, each with a test of its price.

    At a price that passes, another choice of shops would be the cheapest.
    """
    gold = scenario.gold
    if not gold["possible"]:
        return
    rules, wallet = task.rules(scenario), ordering.account_of(scenario).codes
    items = [_item(each) for each in gold["items"] if each["sold"]]
    own = tuple(_shop_of(each, gold["orders"]) for each in items)

    def wins(place: int, shop: str, cents: int) -> bool:
        changed = [*items]
        changed[place] = replace(items[place], cents={**items[place].cents, shop: cents})
        ranked = sorted(_splits(changed, rules, wallet), key=lambda each: each[0])
        best, right = ranked[0], next((each[0] for each in ranked if each[1] == own), 0)
        return best[1][place] == shop and best[0] <= right - AHEAD

    for place, (item, shop) in enumerate(zip(items, own, strict=True)):
        other = STORE if shop == OUTLET else OUTLET
        yield Contender(other, item.good.asin, item.cents[other], partial(wins, place, other))


def _item(given: Mapping[str, Any]) -> _Item:
    good, before = task.by_asin(given["asin"]), tuple(given["before"])
    return _Item(good, before, given["quantity"][STORE], given["cents"], given["pack"])


def _shop_of(item: _Item, orders: Sequence[Mapping[str, Any]]) -> str:
    asin = item.good.asin
    return next(str(o["shop"]) for o in orders if asin in [line[0] for line in o["lines"]])


# Near misses -------------------------------------------------------------------------------------


def near_misses(scenario: Scenario, data: StoreData) -> Mapping[str, NearMiss]:
    """Return wrong end states, by label: wrong orders and wrong answers."""
    gold, stocks = scenario.gold, _two_shops.stocks_of(scenario, data)
    placing = partial(ordering.placing, data, path=gold["path"])
    if not gold["possible"]:
        return {
            "did not say so": placing([], "said so"),
            "gave up unseen": visits.gave_up("pages opened"),
        }
    right = gold["orders"]
    mistakes = {label: (orders, _fails(right, orders))
                for label, orders in _otherwise(scenario, stocks)}  # fmt: skip
    packed = [_unpacked(each, gold["items"]) for each in right]
    if packed != right:
        mistakes["packs taken for pieces"] = packed, "pieces"
    mistakes["ordered one part only"] = right[1:], "orders"
    return {
        **{label: placing(orders, fails, answer=gold["answer"]["text"])
           for label, (orders, fails) in mistakes.items()},
        "number not told": placing(right, "answer"),
        "gave up": visits.gave_up("orders"),
    }  # fmt: skip


def _otherwise(
    scenario: Scenario, stocks: Mapping[str, Market]
) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Yield wrong but possible choices of shops, as label and orders, such as all from one shop."""
    sold = [each for each in scenario.gold["items"] if each["sold"]]
    splits = {
        "all from the store": [STORE] * len(sold),
        "all from the outlet": [OUTLET] * len(sold),
        "each where its price is lower": [each["lower"] for each in sold],
    }
    for label, split in splits.items():
        orders = _orders(scenario, stocks, sold, split)
        if orders and orders != scenario.gold["orders"]:
            yield label, orders


def _orders(
    scenario: Scenario,
    stocks: Mapping[str, Market],
    sold: Sequence[Mapping[str, Any]],
    split: Sequence[str],
) -> list[dict[str, Any]]:
    """Return the cheapest orders for a choice of shops; [] if a shop does not accept its part."""
    rules, wallet = task.rules(scenario), ordering.account_of(scenario).codes
    orders = []
    for shop in dict.fromkeys(split):
        own = [(each["asin"], each["quantity"][shop])
               for each, place in zip(sold, split, strict=True) if place == shop]  # fmt: skip
        lines = [stocks[shop].line(asin, quantity) for asin, quantity in own]
        deal = _two_shops.deal(lines, rules[shop], wallet)
        if deal is None:
            return []
        orders.append(_two_shops.order(own, shop, deal))
    return orders


def _fails(right: Sequence[Mapping[str, Any]], orders: Sequence[Mapping[str, Any]]) -> str:
    """Return the name of the check that must fail for wrong orders."""
    if len(right) != len(orders):
        return "orders"
    return "shop" if len(right) == 1 else "items"


def _unpacked(order: Mapping[str, Any], items: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return a wrong order: as many packs as pieces are wanted."""
    pieces = {each["asin"]: each["quantity"][STORE] for each in items}
    lines = [[asin, options, pieces[asin]] for asin, options, _ in order["lines"]]
    return {**order, "lines": lines}
