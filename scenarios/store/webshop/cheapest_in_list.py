"""Buy the cheapest product of a page of results that is offered with the wanted options.

Only a product's own page shows its options, so the agent has to open one product after the other,
the cheapest first. The task is that of figure 1 of the SteP paper, as a purchase.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from random import Random
from typing import Any

from agent.interface import Action, Advice, Click, Observation
from scenarios.phrasings import Speaker
from scenarios.scenario import NearMiss, Scenario
from scenarios.store.pages import visits
from scenarios.store.pages.listings import first_page
from scenarios.store.pages.screen import advise_shopping, cards, click, find
from sites.store import StoreData
from sites.store.account.draw import draw_product
from sites.store.catalogue.product import Product
from sites.store.shop import operations
from sites.world import World

SITE = "store"
TAG = "transaction"
SCORING = "cheapest"
STEPS = ("search", "look inside", "go on", "choose options", "buy")
LOOKS = range(3, 5)
"""The possible numbers of products to open, the right product included."""


# The goal ----------------------------------------------------------------------------------------


def generate(seed: int, data: StoreData) -> Scenario:
    """Generate the scenario of a seed: a search and options that rule out a few cheaper
    products.
    """
    rng = visits.rng("cheapest_in_list", seed)
    gold = None
    while gold is None:
        gold = _draw(rng, data)
    form = " and ".join(f"{kind} {value}" for kind, value in gold["options"].items())
    speaker = Speaker("cheapest_in_list", "", rng)
    wish = speaker.phrase("ask", query=gold["query"], form=form) + speaker.choose("reason")
    return visits.scenario("cheapest_in_list", seed, wish, gold, None, data)


def _draw(rng: Random, data: StoreData) -> dict[str, Any] | None:
    """Draw a search and the wanted options; None if it is not clear which product is right."""
    seen = draw_product(rng, data)
    if not seen.options or not seen.attributes:
        return None
    count = min(len(seen.attributes), rng.choice((2, 2, 3)))
    query = " ".join([*rng.sample(sorted(seen.attributes), count), seen.kind])
    kinds = rng.sample(sorted(seen.options), min(len(seen.options), rng.choice((1, 1, 2))))
    options = {kind: rng.choice(seen.options[kind]) for kind in sorted(kinds)}
    listed = first_page(query, data)
    fitting = [each for each in listed if _comes_in(each, options)]
    best = min(fitting, key=_shown_price, default=None)
    clear = len(set(options.values())) == len(options)
    if best is None or not clear or not _is_clear(best, listed, fitting):
        return None
    return {
        "query": query,
        "options": options,
        "asin": best.asin,
        "price": best.price,
        "fitting": [each.asin for each in fitting],
        "looks": _cheaper(best, listed) + 1,
    }


def _comes_in(product: Product, options: Mapping[str, str]) -> bool:
    """Return whether a product offers all these options."""
    return all(value in product.options.get(kind, ()) for kind, value in options.items())


def _shown_price(product: Product) -> float:
    """Return the price that the list shows: the lower if the product has two."""
    return product.pricing[0]


def _cheaper(best: Product, listed: Sequence[Product]) -> int:
    """Return how many listed products show a lower price."""
    return sum(_shown_price(each) < _shown_price(best) for each in listed)


def _is_clear(best: Product, listed: Sequence[Product], fitting: Sequence[Product]) -> bool:
    """Return whether clearly one product is right, and enough products are cheaper.

    Every fitting product has a single price, no other listed product shows the best one's price,
    and the number of products to open lies in `LOOKS`.
    """
    same = [each for each in listed if _shown_price(each) == _shown_price(best)]
    single = all(len(each.pricing) == 1 for each in fitting)
    return single and len(same) == 1 and _cheaper(best, listed) + 1 in LOOKS


# The world ---------------------------------------------------------------------------------------

world = visits.world


def length(scenario: Scenario) -> int:
    """Return the number of actions of the expert.

    These are to search, to open and leave each cheaper product, to open the right product, to
    choose the options, and to buy.
    """
    gold = scenario.gold
    return 1 + 2 * (int(gold["looks"]) - 1) + 1 + len(gold["options"]) + 1


def solve(scenario: Scenario, world: World, data: StoreData) -> str:
    """Search, then open the right product, choose its options and buy it."""
    gold = scenario.gold
    operations.search(world, data, gold["query"])
    _buy(data, [gold["asin"]], gold["options"], world)
    return ""


def _buy(data: StoreData, asins: Sequence[str], options: Mapping[str, str], world: World) -> None:
    for asin in asins:
        product = operations.open_item(world, data, asin, options)
        operations.buy(world, product, options)


def near_misses(scenario: Scenario, data: StoreData) -> Mapping[str, NearMiss]:
    """Return wrong end states, by label: two purchases, no options, a dearer product, other
    options.
    """
    gold = scenario.gold
    right, wanted = gold["asin"], gold["options"]
    misses = {
        "second purchase": NearMiss(partial(_buy, data, [right, right], wanted), "one purchase"),
        "option not chosen": NearMiss(partial(_buy, data, [right], {}), "options"),
    }
    for label, asin, options, fails in _others(gold, data):
        misses.setdefault(label, NearMiss(partial(_buy, data, [asin], options), fails))
    return misses


def _others(
    gold: Mapping[str, Any], data: StoreData
) -> Iterator[tuple[str, str, dict[str, str], str]]:
    """Yield purchases of wrong products: a label, the asin, the options, and the check that
    fails.
    """
    wanted = gold["options"]
    for each in first_page(gold["query"], data):
        offered = {k: v for k, v in wanted.items() if v in each.options.get(k, ())}
        if each.asin in gold["fitting"] and each.asin != gold["asin"]:
            yield "a dearer one", each.asin, wanted, "cheapest"
        elif offered != wanted and each.price < gold["price"]:
            yield "a cheaper one in another form", each.asin, offered, "options"
    right = operations.product(data, gold["asin"])
    for kind, value in wanted.items():
        for other in right.options[kind]:
            if other != value:
                yield "another value", right.asin, {**wanted, kind: other}, "options"


# The advice --------------------------------------------------------------------------------------


def advise(scenario: Scenario, observation: Observation) -> Advice:
    """Advise to search, to open the cheapest unopened product, and to buy it if it has the options.

    Of several products at the same price the first in the list is opened first; no other product
    has the right product's price.
    """
    gold, ways = scenario.gold, {"item": _at_item, "results": _at_results}
    return advise_shopping(gold, observation, gold["query"], "go on", ways)


def _at_results(gold: Mapping[str, Any], observation: Observation) -> Advice:
    listed = cards(observation)
    if gold["price"] not in {card.price for card in listed}:
        return Advice("search", click(observation, "Back to Search"))
    unseen = [card for card in listed if not card.is_opened or card.price == gold["price"]]
    cheapest = min(unseen, key=lambda card: card.price)
    return Advice("look inside", (Click(cheapest.link.id),), needs=_needs(gold))


def _at_item(gold: Mapping[str, Any], observation: Observation) -> Advice:
    wanted = gold["options"].values()
    options = [find(observation, value, roles=("radio",)) for value in wanted]
    if f"Price: ${gold['price']:.2f}" not in observation.text.split("\n") or None in options:
        return Advice("go on", click(observation, "< Prev"), needs=_needs(gold))
    clicks: list[Action] = [
        Click(each.id) for each in options if each and "checked" not in each.states
    ]
    step = "choose options" if clicks else "buy"
    return Advice(step, (*clicks, *click(observation, "Buy Now")), needs=_needs(gold))


def _needs(gold: Mapping[str, Any]) -> tuple[tuple[str, ...], ...]:
    """Return the options that the product must offer, with and without the option's type."""
    return tuple((f"{kind} {value}", value) for kind, value in gold["options"].items())
