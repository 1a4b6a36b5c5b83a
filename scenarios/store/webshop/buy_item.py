"""Buy an item that fits a request: WebShop's task on the bundled store.

Seeds 0-499 are the test split, 500-1499 the dev split, and from 1500 on the train split, as in
WebShop's published code.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from random import Random
from typing import Any
from urllib.parse import unquote, urlsplit

from agent.interface import Action, Advice, Click, Observation
from scenarios import registry
from scenarios.phrasings import Speaker
from scenarios.scenario import NearMiss, Scenario
from scenarios.store.pages import visits
from scenarios.store.pages.screen import Card, advise_shopping, cards, click, find, unopened
from scenarios.store.webshop import _products
from sites.store import StoreData
from sites.store.account.draw import draw_product
from sites.store.catalogue.product import Product
from sites.store.catalogue.tables import kinds
from sites.store.catalogue.webshop_files import NO_BOUND, price_bound
from sites.store.shop import operations
from sites.world import World

SITE = "store"
TAG = "transaction"
STEPS = ("search", "open item", "choose options", "buy")


_FAILS = {
    "wrong option": "options",
    "look-alike": "attributes",
    "distractor brand": "attributes",
    "over the price": "price",
}


# The goal ----------------------------------------------------------------------------------------


def generate(seed: int, data: StoreData) -> Scenario:
    """Generate the scenario of a seed: a product, a request that it fulfils, and its sentence.

    A draw is repeated if the search for the request does not find the product: so every scenario
    can be solved through the search box. A catalogue of WebShop's files has its own goals instead.
    """
    if data.goals is not None:
        return _products.scenario(seed, visits.split_of(seed), data)
    rng = visits.rng("buy_item", seed)
    while True:
        product = draw_product(rng, data)
        goal = _goal(product, rng)
        rank = _rank(data, goal, product)
        if rank is not None and product.attributes:
            break
    wish = _wish(goal, rng)
    gold = {**goal, "results_page": rank // operations.PER_PAGE + 1}
    return visits.scenario("buy_item", seed, wish, gold, None, data, split=visits.split_of(seed))


def _goal(product: Product, rng: Random) -> dict[str, Any]:
    """Draw what the request asks for, as entries of the gold: attributes, options, brand, price
    limit.
    """
    count = min(len(product.attributes), rng.choice((1, 2, 2, 3)))
    attributes = rng.sample(sorted(product.attributes), count)
    options = {kind: rng.choice(values) for kind, values in sorted(product.options.items())}
    brand = product.brand if rng.random() < 0.4 else ""
    return {
        "asin": product.asin,
        "name": product.name,
        "query": product.kind,
        "category": product.category,
        "product_category": product.product_category,
        "attributes": [*attributes, *([brand.lower()] if brand else [])],
        "brand": brand,
        "goal_options": options,
        "price_upper": price_bound(product.price, rng),
        "nouns": list(product.nouns),
    }


def _rank(data: StoreData, goal: Mapping[str, Any], product: Product) -> int | None:
    """Return the product's place in the results of the request's query, from 0; None if not
    found.
    """
    hits = data.search.search(_query(goal))
    return hits.index(product.asin) if product.asin in hits else None


def _query(goal: Mapping[str, Any]) -> str:
    own = goal.get("search")
    return str(own or " ".join([_named(goal["query"]), *goal["attributes"]]))


# The sentence ------------------------------------------------------------------------------------


def _wish(goal: Mapping[str, Any], rng: Random) -> str:
    """Return the sentence of the instruction.

    No product costs exactly as much as a limit, so "less than" and "at most" mean the same.
    """
    bounded = goal["price_upper"] < NO_BOUND
    price = f"{goal['price_upper']:.2f} dollars"
    options = goal["goal_options"]
    speaker = Speaker("buy_item", "", rng)
    return speaker.choose("limited" if bounded else "unlimited").format(
        item=_item(goal, rng),
        extras="".join(f", {each}" for each in _options(options)),
        choice=_choice(options, rng),
        bound=rng.choice((", and price lower than ", ", for less than ", ", under ")) + price,
        plain_bound=rng.choice(("less than ", "below ", "lower than ")) + price,
        price=price,
    )


def _item(goal: Mapping[str, Any], rng: Random) -> str:
    attributes = goal["attributes"][: -1 if goal["brand"] else None]
    maker = f" by {goal['brand']}" if goal["brand"] else ""
    shape = rng.choice(("{one}{maker} ({listed})", "{one}{maker}, {listed}"))
    return shape.format(one=one_of(goal["query"]), maker=maker, listed=_listed(attributes))


@cache
def one_of(query: str) -> str:
    """Return the words of a request for a product of a type, such as "a pair of jeans".

    A type that the tables do not know is named by an article and its name.
    """
    named = {kind.name: kind.one for kind in kinds()}
    article = "" if query.endswith("s") else "an " if query[:1] in "aeiou" else "a "
    return named.get(query, f"{article}{query}")


def _named(query: str) -> str:
    """Return the type as the request names it, without article or "pair of": "desk lamp",
    "jeans".
    """
    one = one_of(query)
    return query if query in one else one.partition(" ")[2]


def _choice(options: Mapping[str, str], rng: Random) -> str:
    if not options:
        return ""
    start = rng.choice(("Please choose", "I'd like", "The options are"))
    return f" {start} {_listed(list(_options(options)))}."


def _options(options: Mapping[str, str]) -> Iterator[str]:
    return (f"{kind} {value}" for kind, value in options.items())


def _listed(words: Sequence[str]) -> str:
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last


# The world ---------------------------------------------------------------------------------------

world = visits.world


def length(scenario: Scenario) -> int:
    """Return the number of actions of the expert, who opens the right product at once.

    These are to search, to turn pages, to open the product, one click per option, and to buy.
    """
    gold = scenario.gold
    return 3 + int(gold["results_page"]) - 1 + len(gold["goal_options"])


def solve(scenario: Scenario, world: World, data: StoreData) -> str:
    """Search, open the product, choose its options and buy it, by the site's operations."""
    gold = scenario.gold
    operations.search(world, data, _query(gold), gold["results_page"])
    product = operations.open_item(world, data, gold["asin"], gold["goal_options"])
    operations.buy(world, product, gold["goal_options"])
    return ""


def near_misses(scenario: Scenario, data: StoreData) -> Mapping[str, NearMiss]:
    """Return wrong end states that a careless shopper reaches, by the kind of mistake."""
    gold = scenario.gold
    right = operations.product(data, gold["asin"])
    twice = partial(_buy_all, data, [(right, gold["goal_options"])] * 2)
    wrongs = {"second purchase": NearMiss(twice, fails="one purchase")}
    for label, product, options in _mistakes(gold, right, data):
        apply = partial(_buy_all, data, [(product, options)])
        wrongs.setdefault(label, NearMiss(apply, fails=_FAILS[label]))
    return wrongs


def _mistakes(
    gold: Mapping[str, Any], right: Product, data: StoreData
) -> Iterator[tuple[str, Product, Mapping[str, str]]]:
    """Yield wrong purchases: the name of the mistake, the product, and the options chosen."""
    for kind, value in gold["goal_options"].items():
        others = [other for other in right.options[kind] if other != value]
        if others:
            yield "wrong option", right, {**gold["goal_options"], kind: others[0]}
    for other in data.catalogue:
        if other.kind != right.kind or other.asin == right.asin:
            continue
        if not set(gold["attributes"]) <= {*other.attributes, other.brand.lower()}:
            brand_only = set(gold["attributes"]) - set(other.attributes) == {gold["brand"].lower()}
            yield "distractor brand" if brand_only else "look-alike", other, _closest(gold, other)
        elif other.price > gold["price_upper"]:
            yield "over the price", other, _closest(gold, other)


def _closest(gold: Mapping[str, Any], other: Product) -> dict[str, str]:
    """Return those options of the gold, or else first values, that another product offers."""
    return {
        kind: gold["goal_options"].get(kind, values[0])
        for kind, values in other.options.items()
        if gold["goal_options"].get(kind, values[0]) in values
    }


def _buy_all(
    data: StoreData, purchases: Sequence[tuple[Product, Mapping[str, str]]], world: World
) -> None:
    """Buy each product with its options by the site's operations."""
    for product, options in purchases:
        operations.open_item(world, data, product.asin, options)
        operations.buy(world, product, options)


# The advice --------------------------------------------------------------------------------------


def advise(scenario: Scenario, observation: Observation) -> Advice:
    """Advise to search, to open likely products until one fits, to choose its options and to buy.

    On the results the advice knows the wished product by its title and price, not by its code: it
    opens the first of several look-alikes, and the next if that does not fit. On an item's page it
    knows the contents of the tabs without opening them.
    """
    gold, ways = scenario.gold, {"item": _at_item, "results": _at_results}
    return advise_shopping(gold, observation, _query(gold), "choose options", ways)


def _at_results(gold: Mapping[str, Any], observation: Observation) -> Advice:
    card = _next_card(gold, observation)
    if card is not None:
        return Advice("open item", (Click(card.link.id),), needs=_needs(gold))
    number = re.search(r"Page (\d+) \(Total results: (\d+)", observation.text)
    page, total = (int(part) for part in number.groups()) if number else (1, 0)
    searched = _searched(observation) in ([], _query(gold).split())  # [] if the address is hidden
    if searched and page * operations.PER_PAGE < total:
        return Advice("search", click(observation, "Next >"))
    return Advice("search", click(observation, "Back to Search"))


def _next_card(gold: Mapping[str, Any], observation: Observation) -> Card | None:
    """Return a listed product that was opened and fits, else the first unopened product that may
    fit.
    """
    alike = [each for each in cards(observation) if _looks_right(gold, each)]
    known = (each for each in alike if each.is_opened and _fits(gold, each.link.name))
    return next(known, None) or unopened(alike)


def _looks_right(gold: Mapping[str, Any], card: Card) -> bool:
    """Return whether a listed product shows the title of the right product and a price in the
    limit.
    """
    return bool(card.title == gold["name"] and card.price <= gold["price_upper"])


def _fits(gold: Mapping[str, Any], asin: str) -> bool:
    """Return whether the product with this asin fulfils the request; several products may."""
    product: Product | None = registry.site_data(SITE).catalogue.get(asin)
    if product is None or product.asin == gold["asin"]:
        return product is not None
    return (
        product.kind == gold["query"]
        and {*gold["attributes"]} <= {*product.attributes, product.brand.lower()}
        and product.price <= gold["price_upper"]
        and all(v in product.options.get(kind, ()) for kind, v in gold["goal_options"].items())
    )


def _searched(observation: Observation) -> list[str]:
    """Return the words of the last search, from the page's address."""
    parts = urlsplit(observation.url).path.split("/")
    return re.findall(r"[^\[\]\"',+\s]+", unquote(parts[3])) if len(parts) > 3 else []


def _at_item(gold: Mapping[str, Any], observation: Observation) -> Advice:
    if not _is_fitting(gold, observation):
        return Advice("open item", click(observation, "< Prev"))
    clicks: list[Action] = []
    needs = list(_needs(gold))
    for kind, value in gold["goal_options"].items():
        option = find(observation, value, roles=("radio",))
        if option is None:
            return Advice("choose options", click(observation, "< Prev"))
        if "checked" not in option.states:
            clicks.append(Click(option.id))
            needs.append((f"{kind} {value}", value))
    buy = click(observation, "Buy Now")
    step = "choose options" if clicks else "buy"
    return Advice(step, (*clicks, *buy), needs=tuple(needs))


def _needs(gold: Mapping[str, Any]) -> tuple[tuple[str, ...], ...]:
    """Return the values that the agent must know to recognise the right item: type and
    attributes.
    """
    named = gold.get("told", (_named(gold["query"]), *gold["attributes"]))
    return tuple((value,) for value in named)


def _is_fitting(gold: Mapping[str, Any], observation: Observation) -> bool:
    """Return whether the item on the open page fulfils the request, by its asin or its name."""
    parts = urlsplit(observation.url).path.split("/")
    if len(parts) > 3 and parts[1] == "item_page":
        return _fits(gold, parts[3])
    return str(gold["name"]) in observation.text
