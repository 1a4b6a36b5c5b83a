"""Order what a household will have used up by a given day, in the packs that are cheapest per
piece.

A help page explains the rule: the last two orders of a thing and the pieces of their packs say how
long it lasts. Some orders do not count, some things come by subscription, and a product that is no
longer sold has a successor. If something cannot be had any more, nothing may be ordered.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import takewhile
from random import Random
from typing import Any
from urllib.parse import unquote, urlsplit

from agent.interface import Advice, AnswerSchema, Click, Observation
from scenarios.phrasings import Speaker
from scenarios.scenario import Contender, NearMiss, Scenario
from scenarios.store.checkout import _household, _supplies
from scenarios.store.checkout._household import CARELESS, Household, Thing
from scenarios.store.market import ordering, task
from scenarios.store.pages import following, site_map, visits
from scenarios.store.pages.following import needs
from scenarios.store.pages.screen import click, next_card, search_for, unvisited
from sites.store import StoreData
from sites.store.catalogue.clock import TODAY
from sites.store.market.account.account import STORE, MarketOrder
from sites.store.market.pricing import METHODS
from sites.store.market.service import subscriptions
from sites.store.shop.address import read_keywords

SITE = "store"
TAG = "transaction"
SCORING = "order"
MEMORY = True
FROM_ACCOUNT = ("orders", "look", "decides", "path", "wrong", "told")
"""Keys of the gold with values that account pages show; the test for leaked solutions skips them.
"""
STEPS = ("open help", "read help", *site_map.LISTED_STEPS[2:], "open item", "open orders",
         "look through orders", "open order", "search", "compare packs",
         *ordering.STEPS)  # fmt: skip
ANSWER: AnswerSchema | None = AnswerSchema(
    "text", "NOT_ACHIEVABLE where something is not to be had"
)
Row = dict[str, Any]


def generate(seed: int, data: StoreData) -> Scenario:
    """Generate the scenario of a seed: a household's orders and subscriptions, and the customer's
    text.
    """
    rng, split = visits.rng("restock", seed), visits.split_of(seed)
    impossible = visits.is_rare("restock", seed, task.IMPOSSIBLE_ONE_IN)
    household = _household.draw(rng, data.market, impossible=impossible)
    text, given = _instruction(household, split, rng)
    gold = {**_gold(household), "told": visits.spellings(*given)}
    return task.scenario(
        "restock",
        seed,
        text,
        gold,
        data,
        account=household.account,
        offered=_supplies.offers(household.lines),
        rules={STORE: household.rules},
        level=_level(household, gold),
        **subscriptions.to_json(household.subscriptions),
    )


world = _supplies.world
solve = ordering.solve


def _level(household: Household, gold: Mapping[str, Any]) -> dict[str, Any]:
    """Return the figures of the task's difficulty, by the letters of docs/market.md.

    The agent carries two orders of each thing, and each pack that it compares, from page to page.
    """
    things = len(household.things)
    packs = sum(len(each["packs"]) for each in gold["look"])
    return {"name": "L3", "P": len(gold["decides"]), "M": 2 * things + packs, "C": things + packs,
            "R": 4, "W": 0.1, "K": 6}  # fmt: skip


def _instruction(household: Household, split: str, rng: Random) -> tuple[str, list[str]]:
    """Return the customer's text, and the values in it that the agent needs."""
    day = visits.spoken_day(household.until)
    speaker = Speaker("restock", split, rng)
    text = visits.letter(speaker, ("ask", "comes", "pack", "once", "unmet"), day=day)
    return text, [day, "Supplies"]


# Gold --------------------------------------------------------------------------------------------


def _gold(household: Household) -> dict[str, Any]:
    right = _household.basket(household.things)
    possible = "" not in right
    wrong = {
        name: sorted(_household.basket(household.things, each)) for name, each in CARELESS.items()
    }
    return {
        "orders": [_order(sorted(right))] if possible else [],
        "wrong": wrong if possible else {},
        "look": list(_look(household)),
        "decides": list(_decides(household)),
        "path": [*_reading(household), *_comparing(household)],
        "possible": possible,
    }


def _order(packs: Sequence[str]) -> Row:
    return ordering.order([(asin, {}, 1) for asin in packs], [each.name for each in METHODS])


def _look(household: Household) -> Iterator[Row]:
    """Yield, for each thing to order, the packs to compare, the right pack last.

    If a thing cannot be had, only this thing is yielded.
    """
    due = [each for each in household.things if _household.is_due(each)]
    gone = [each for each in due if not _household.pack(each)]
    for thing in gone or due:
        best = _household.pack(thing)
        packs = [each for each in thing.line.every if each != best] + [best] * bool(best)
        name = thing.line.good(packs[-1])
        yield {
            "query": name.design,
            "order": "" if thing.old else _last_two(household, thing)[0].number,
            "right": best,
            "packs": [[asin, thing.line.good(asin).name] for asin in packs],
        }


def _decides(household: Household) -> Iterator[list[Row]]:
    """Yield the journal rows that prove that each page that matters was opened.

    These are the rule, the subscriptions, the last two orders of each thing, and pages of packs:
    all packs of things that must be ordered, packs of subscriptions, and the packs of two orders
    that differ. If something cannot be had, only its own orders and packs count.
    """
    yield [{"page": "help", "options": {"topic": "reordering"}}]
    yield [{"page": "subscriptions"}]
    orders = dict.fromkeys(
        each.number for thing in _asked(household) for each in _last_two(household, thing)
    )
    yield from ([{"page": "order", "number": int(number)}] for number in orders)
    yield from ([{"page": "item", "asin": asin}] for asin in dict.fromkeys(_seen(household)))


def _asked(household: Household) -> list[Thing]:
    """Return the things that the agent must look at: those that cannot be had, or else all."""
    gone = [each for each in household.things if not _household.pack(each)]
    return gone or [*household.things]


def _seen(household: Household) -> Iterator[str]:
    """Yield the asins of the packs whose pages the agent must open."""
    for thing in _asked(household):
        yield from _read(thing)
        if _household.is_due(thing):
            yield from thing.line.every


def _read(thing: Thing) -> list[str]:
    """Return the packs of a thing to open, by asin, before the packs on sale are compared."""
    last, before = thing.last_two
    own = [] if thing.old is None else [last.asin]
    if last.asin != before.asin and not _household.is_due(thing):
        own = [last.asin, before.asin]
    return own + ([thing.subscribed] if thing.months and thing.subscribed else [])


def _last_two(household: Household, thing: Thing) -> list[MarketOrder]:
    """Return the last two orders of a thing, the newest first."""
    ages = [each.age for each in thing.last_two]
    placed = {(TODAY - each.placed).days: each for each in household.account.orders}
    return [placed[age] for age in ages]


def _comparing(household: Household) -> Iterator[site_map.PathStep]:
    """Yield the steps that search for each thing to order and open its packs, the right pack
    last.
    """
    for each in _look(household):
        yield site_map.path_step("results", "search", query=each["query"], number=1)
        for asin, name in each["packs"]:
            yield {**site_map.item_step(asin, name), "step": "compare packs"}


def _read_only(gold: Mapping[str, Any]) -> list[site_map.PathStep]:
    """Return the steps of the path before the first search."""
    return [*takewhile(lambda each: each["page"] != "results", gold["path"])]


def _reading(household: Household) -> Iterator[site_map.PathStep]:
    """Yield the steps to the rule, the subscriptions and the orders, and to items that these link
    to.
    """
    yield from site_map.help_steps("reordering")
    yield from _subscribed_steps(household)
    every = household.account.orders
    asked = {each.number for thing in household.things for each in _last_two(household, thing)}
    pages = max(visits.orders_page(at) for at, each in enumerate(every) if each.number in asked)
    for page in range(1, pages + 1):
        yield site_map.orders_step(page)
        for order in every[(page - 1) * 10 : page * 10]:
            if order.number in asked:
                yield site_map.order_step(order, ", ".join(_noted(household, order)))
                yield from _item_steps(household, order)


def _noted(household: Household, order: MarketOrder) -> list[str]:
    """Return the queries that the agent writes down on an order's page, to search for later.

    Each is noted from the newest order of its thing; a successor is noted on the old product's
    page.
    """
    newest = {each["query"]: each["order"] for each in _look(household)}
    return [query for query, number in newest.items() if number == order.number]


def _subscribed_steps(household: Household) -> Iterator[site_map.PathStep]:
    """Yield the steps to all subscriptions and to the items of the active ones."""
    name = household.things[0].line.good
    active = [
        (at, name(each.asin).name)
        for at, each in enumerate(household.subscriptions, start=1)
        if each.is_active
    ]
    top, *listed = site_map.listed_steps("subscriptions", *active)
    yield top
    for step in listed:
        yield step
        asin = household.subscriptions[step["number"] - 1].asin
        yield site_map.item_step(asin, step["name"])


def _item_steps(household: Household, order: MarketOrder) -> Iterator[site_map.PathStep]:
    """Yield the steps to the packs that an order's page links to and that have to be opened.

    Each pack is opened once, from the newest order that has it.
    """
    for thing in household.things:
        newest = _last_two(household, thing)
        for asin in _read(thing):
            if asin == thing.subscribed:
                continue
            holds = [each for each in newest if asin in {line.asin for line in each.lines}]
            if holds and holds[0].number == order.number:
                step = site_map.item_step(asin, thing.line.good(asin).name)
                note = {"note": thing.line.good(thing.line.packs[0]).design} if thing.old else {}
                yield {**step, **note}


# The way -----------------------------------------------------------------------------------------


def length(scenario: Scenario) -> int:
    """Return the number of actions of the expert.

    The expert reads all pages; then it searches for each thing to order, opens its packs and puts
    the right pack into the cart; then come the six pages of cart and checkout, and each preset
    extra.
    """
    gold = scenario.gold
    reading = _read_only(gold)
    opened = {step["asin"] for step in reading if step["page"] == "item"}
    found = site_map.actions(reading)
    for each in gold["look"]:
        others = [asin for asin, _ in each["packs"] if asin != each["right"] and asin not in opened]
        found += 2 + 2 * len(others) + 2 * bool(each["right"])
    if not gold["possible"]:
        return found - 1
    return found + ordering.length(scenario, gold["orders"][0])


def honest_length(scenario: Scenario) -> int:
    """Return the number of actions of a shopper who opens every order on the pages of My Orders."""
    path = scenario.gold["path"]
    pages = sum(each["page"] == "orders" for each in path)
    opened = sum(each["page"] == "order" for each in path)
    return int(length(scenario) + 2 * (10 * pages - opened))


# Advice ------------------------------------------------------------------------------------------


def advise(scenario: Scenario, observation: Observation) -> Advice:
    """Advise to read rule, subscriptions and orders, to find the best pack of each thing, and to
    buy.
    """
    gold, given = scenario.gold, needs(scenario.gold)
    parts = urlsplit(observation.url).path.strip("/").split("/")
    if parts[0] == "receipt":
        return Advice("place order", answer="")
    if parts[0] == "search_results":
        return _at_results(gold, observation)
    if parts[0] == "item_page" and _is_found(parts):
        return _at_pack(gold, parts[2], observation)
    if parts[0] == "cart" and _ahead(gold, observation) is None:
        wanted = gold["orders"][0]
        return ordering.advise(wanted, observation, given) or Advice("change cart", needs=given)
    if parts[0] == "checkout":
        return ordering.advise(gold["orders"][0], observation, given) or Advice("pay", needs=given)
    reading = {**gold, "path": _read_only(gold)}
    ahead = None if parts[0] == "cart" else following.follow(reading, observation)
    if ahead is not None:
        return ahead
    return _search(gold, observation)


def _is_found(parts: Sequence[str]) -> bool:
    """Return whether the page of an item was reached by a search."""
    return len(parts) > 3 and bool(read_keywords(unquote(parts[3])))


def _ahead(gold: Mapping[str, Any], observation: Observation) -> Row | None:
    """Return the entry of the gold for the next thing to put into the cart; None if there is none.

    If a thing cannot be had, that thing is returned.
    """
    if not gold["possible"]:
        return gold["look"][0]  # type: ignore[no-any-return]
    lacking = {line[0] for line in ordering.missing(gold["orders"][0], observation)}
    return next((each for each in gold["look"] if each["right"] in lacking), None)


def _search(gold: Mapping[str, Any], observation: Observation) -> Advice:
    """Advise to search for the next thing, or to go to the cart at the end."""
    ahead, given = _ahead(gold, observation), needs(gold)
    if ahead is None:
        return Advice("change cart", ordering.to_cart(observation), needs=given)
    back = click(observation, "Back to Search")
    if back:
        return Advice("search", back, needs=given)
    found = search_for(observation, ahead["query"])
    return Advice("search", found.actions, needs=(*given, (ahead["query"],)))


def _at_results(gold: Mapping[str, Any], observation: Observation) -> Advice:
    """Advise on a page of results: open the thing's packs that were not opened yet, the right one
    last.
    """
    given, ahead = needs(gold), _ahead(gold, observation)
    card = next_card([name for _, name in ahead["packs"]], observation) if ahead else None
    if ahead is None or card is None:
        return _search(gold, observation)
    if card.is_opened and not ahead["right"]:
        return Advice("compare packs", answer=visits.NOT_ACHIEVABLE, needs=given)
    return Advice("compare packs", (Click(card.link.id),), needs=given)


def _at_pack(gold: Mapping[str, Any], asin: str, observation: Observation) -> Advice:
    """Advise on a pack's page: add the right pack once all packs of its range were seen, else go
    back.
    """
    given = needs(gold)
    own = next((each for each in gold["look"] if each["right"] == asin), None)
    if own is not None:
        names = [name for other, name in own["packs"] if other != asin]
        if not any(unvisited(observation, name) for name in names):
            added = ordering.add(gold["orders"][0], observation, given)
            if added is not None:
                return added
    if not gold["possible"] and not _has_fresh(gold, asin, observation):
        return Advice("compare packs", answer=visits.NOT_ACHIEVABLE, needs=given)
    return Advice("compare packs", click(observation, "< Prev"), needs=given)


def _has_fresh(gold: Mapping[str, Any], asin: str, observation: Observation) -> bool:
    """Return whether a pack that has to be seen was not opened yet."""
    names = [name for other, name in gold["look"][0]["packs"] if other != asin]
    return any(unvisited(observation, name) for name in names)


# Contenders --------------------------------------------------------------------------------------


def contenders(scenario: Scenario, data: StoreData) -> Iterator[Contender]:
    """Yield the other packs of each thing to order, each with a test of the price.

    A pack would be right if its pieces became clearly cheaper than those of the right pack.
    """
    gold, offers = scenario.gold, task.offered(scenario)

    def wins(asin: str, right: str, cents: int) -> bool:
        mine, own = offers[asin], offers[right]
        return cents * own.pieces * _household.BEST <= (own.cents or 0) * mine.pieces

    for each in gold["look"] if gold["possible"] else ():
        right = task.by_asin(each["right"])
        for asin, _ in each["packs"]:
            if asin != right.asin and task.by_asin(asin).facts == right.facts:
                cents = offers[asin].cents or 0
                yield Contender(STORE, asin, cents, partial(wins, asin, right.asin))


# Near misses -------------------------------------------------------------------------------------


def near_misses(scenario: Scenario, data: StoreData) -> Mapping[str, NearMiss]:
    """Return wrong end states, by label: orders with a single mistake, and wrong answers."""
    gold = scenario.gold
    if not gold["possible"]:
        other = _order([gold["look"][0]["packs"][-1][0]])
        sold = next(
            asin
            for asin, offer in task.offered(scenario).items()
            if not offer.gone and offer.pieces
        )
        return {
            "ordered though one is not to be had": ordering.placing(
                data, [{**other, "lines": [[sold, {}, 1]]}], "nothing ordered"
            ),
            "gave up unseen": visits.gave_up("pages opened"),
        }
    [order] = gold["orders"]
    misses = {
        name: ordering.placing(data, [_order(packs)], "items")
        for name, packs in gold["wrong"].items()
    }
    twice = {**order, "lines": [[*order["lines"][0][:2], 2], *order["lines"][1:]]}
    preset = sorted(ordering.rules_of(scenario).preset)
    apart = [_order([line[0]]) for line in order["lines"]]
    return {
        **misses,
        "two packs": ordering.placing(data, [twice], "pieces"),
        "an order for each": ordering.placing(data, apart, "orders"),
        "to another address": ordering.placing(data, [{**order, "ship_to": 2}], "address"),
        "extras left ticked": ordering.placing(data, [{**order, "extras": preset}], "extras"),
        "said that it cannot be": visits.gave_up("did not give up"),
    }
