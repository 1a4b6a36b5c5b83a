"""Tasks at the market: draw a request that exactly one product meets, and find that product.

The gold of these families holds, in addition to the family's own keys:

- `asin`, `name`, `design`: the right product; if nothing fits, the product that is only too dear;
- `constraints`: the request, as constraints (`wishes.Constraint`) with their sentences;
- `options`: the options that must be chosen;
- `route`: a query in the shop's words, and the page of its results that lists the product;
- `decides`: everything that must be seen before the choice is justified. Each entry lists journal
  rows, and any of these rows proves it. The entries cover each constraint of the request for the
  right product, and a broken constraint of each product of the same design on the same page of
  results; if nothing fits, they cover the product that is too dear;
- `path`: the pages that show all that, in order (`site_map.walk`);
- `possible`: whether any product fits. If none does, the named product breaks one limit only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

from agent.interface import Action, Advice, Click, Observation, Type
from scenarios.scenario import Scenario
from scenarios.store.market import look_alikes, wishes
from scenarios.store.market.wishes import Constraint
from scenarios.store.pages import site_map, visits
from scenarios.store.pages.screen import Needs, cards, click, find, next_card, page_of, unchosen
from sites.store import StoreData, new_world
from sites.store.market.account.account import MarketAccount
from sites.store.market.goods import facets, supplies
from sites.store.market.goods.bank import Kind
from sites.store.market.goods.goods import Good, goods, texts
from sites.store.market.offers import (
    Offers,
    offers_from_json,
    offers_to_json,
    rules_from_json,
    rules_to_json,
)
from sites.store.market.pricing import ShopRules
from sites.store.market.visit import new_market_world
from sites.store.shop import operations
from sites.store.shop.data import MARKET
from sites.world import World

IMPOSSIBLE_ONE_IN = 8
PAGE_OF = {"table": "item", "description": "Description", "features": "Features",
           "answers": "Features", "reviews": "Reviews"}  # fmt: skip
"""The page or tab of a product that shows a fact, by the place that states it."""
IN_ORDER = ("item", "Description", "Features", "Reviews")
"""The page of a product and its tabs, in the order in which a shopper reads them."""
MOST_LOOKALIKES = 5
STEPS = ("search", "narrow", "open item", "read on", "choose options", "buy")
Gold = Mapping[str, Any]
Row = dict[str, Any]
Drawn = tuple[Good, list[Constraint]]


@cache
def every() -> Sequence[Good]:
    """Return all products of the market."""
    return tuple(goods().values())


@cache
def of_kind(name: str) -> Sequence[Good]:
    """Return all products of a kind; a request is for one kind, so no other product can meet it."""
    return tuple(good for good in every() if good.kind.name == name)


@cache
def by_name() -> Mapping[str, Good]:
    """Return a dict from the name of each product of the market to the product."""
    return {good.name: good for good in every()}


def by_asin(asin: str) -> Good:
    """Return the product, or the pack of supplies, with this asin."""
    return supplies.good(asin)


def scenario(
    family: str,
    seed: int,
    instruction: str,
    gold: Gold,
    data: StoreData,
    *,
    account: MarketAccount | None = None,
    offered: Offers | None = None,
    rules: Mapping[str, ShopRules] | None = None,
    **details: Any,
) -> Scenario:
    """Return the scenario of a visitor to the market.

    Args:
        family: The name of the family.
        seed: The seed of the scenario.
        instruction: The text of the task.
        gold: The gold of the scenario.
        data: The site data of the store.
        account: The customer's account; None for a guest.
        offered: Prices, stock and packs that differ from the catalogue's for this customer.
        rules: Each shop's rules for this customer, by the shop's name.
        details: Further details of the scenario, such as its level.
    """
    if offered:
        details["offers"] = offers_to_json(offered)
    if rules:
        details["rules"] = rules_to_json(rules)
    split = visits.split_of(seed)
    return visits.scenario(
        family, seed, instruction, gold, account, data.market, **details, split=split
    )


def world(scenario: Scenario, *, cart: bool = False) -> World:
    """Return the visit's database (its world) at the start, which also holds the instruction.

    Args:
        scenario: A scenario made by this module.
        cart: Whether the customer has a cart, and not only *Buy Now*.
    """
    own = scenario.details.get("account")
    if own is None:
        return new_world(scenario.id, scenario.instruction, stock=MARKET)
    return new_market_world(
        scenario.id,
        scenario.instruction,
        MarketAccount.from_json(own),
        offered(scenario),
        rules(scenario),
        cart=cart,
    )


def offered(scenario: Scenario) -> Offers:
    """Return the prices, stocks and packs that differ from the catalogue for a customer, by
    asin.
    """
    return offers_from_json(scenario.details.get("offers", {}))


def rules(scenario: Scenario) -> Mapping[str, ShopRules]:
    """Return the rules of shops for the visitor of a scenario, by the shop's name.

    A shop that is not named has its usual rules.
    """
    return rules_from_json(scenario.details.get("rules", {}))


# Drawing and proving -----------------------------------------------------------------------------


def draw(family: str, seed: int, shape: wishes.Shape, rng: Random) -> Drawn:
    """Draw a product and a request that only this product meets.

    In one of `IMPOSSIBLE_ONE_IN` seeds the request allows a lower price only, so that nothing meets
    it.
    """
    return proved(family, seed, lambda: attempt(every(), seed, shape, rng), rng)


def attempt(goods: Sequence[Good], seed: int, shape: wishes.Shape, rng: Random) -> Drawn:
    """Draw one of these products and a request that it meets."""
    good = rng.choice(goods)
    return good, wishes.draw(good, visits.split_of(seed), shape, rng)


@dataclass(frozen=True)
class Shelf:
    """A shop's products, as requests see them.

    Attributes:
        of_kind: Returns the products of a kind; a request is for one kind.
        is_fair: Returns whether the same products meet a request in spite of rounding.
        lowest: Returns the lowest price, in dollars, that a page shows for a product.
    """

    of_kind: Callable[[str], Sequence[Good]]
    is_fair: Callable[[str, Sequence[Constraint]], bool]
    lowest: Callable[[Good], float]

    def fitting(self, good: Good, wished: Sequence[Constraint]) -> list[Good]:
        """Return the products of the same kind that meet a request."""
        return wishes.fitting(self.of_kind(good.kind.name), wished)

    def is_proved(self, good: Good, wished: Sequence[Constraint]) -> bool:
        """Return whether clearly only this product meets the request, and few of its design look
        like it.
        """
        return (
            self.fitting(good, wished) == [good]
            and self.is_fair(good.kind.name, wished)
            and len(self.lookalikes(good, wished)) < MOST_LOOKALIKES
        )

    def lookalikes(self, good: Good, wished: Sequence[Constraint]) -> list[Good]:
        """Return the products of the same design that a list of results does not rule out by
        their price.
        """
        alike = [each for each in self.of_kind(good.kind.name) if each.design == good.design]
        return [each for each in alike if each is not good and not _is_too_dear(each, wished)]

    def too_cheap(
        self, good: Good, wished: Sequence[Constraint], rng: Random
    ) -> list[Constraint]:  # fmt: skip
        """Return the request with a price limit below the product's price.

        Returns:
            [] if some product meets that request too, or if rounding could decide.
        """
        others = [each for each in wished if each.form != wishes.PRICE]
        lower = self.lowest(good) * (1 - rng.uniform(*wishes.SLACK))
        tried = [*others, wishes.price_bound(lower, rng)]
        fits = self.fitting(good, others) == [good] and not self.fitting(good, tried)
        return tried if fits and self.is_fair(good.kind.name, tried) else []


def _is_too_dear(good: Good, wished: Sequence[Constraint]) -> bool:
    return any(each.form == wishes.PRICE for each in wishes.violated(good, wished))


SHELF = Shelf(
    of_kind, lambda kind, wished: wishes.is_fair(of_kind(kind), wished), lambda good: good.price
)
"""The products of the store."""


def proved(
    family: str, seed: int, attempt: Callable[[], Drawn], rng: Random, shelf: Shelf = SHELF
) -> Drawn:
    """Repeat a draw until it is proved that exactly one product meets the request, and return it.

    In one of `IMPOSSIBLE_ONE_IN` seeds the request gets a price limit that nothing meets.
    """
    impossible = visits.is_rare(family, seed, IMPOSSIBLE_ONE_IN)
    while True:
        good, wished = attempt()
        if shelf.is_proved(good, wished):
            tried = shelf.too_cheap(good, wished, rng) if impossible else wished
            if tried:
                return good, tried


def gold_of(good: Good, wished: Sequence[Constraint], data: StoreData) -> dict[str, Any]:
    """Return the part of the gold that all families with one right product share."""
    query, page = route(good, data)
    shown = data.market.hits(query)[(page - 1) * operations.PER_PAGE : page * operations.PER_PAGE]
    rivals = [each for each in SHELF.lookalikes(good, wished) if each.asin in shown]
    rivals.sort(key=lambda each: shown.index(each.asin))
    possible = bool(SHELF.fitting(good, wished))
    rows = decides(good, rivals, wished)
    return {
        "asin": good.asin,
        "name": good.name,
        "design": good.design,
        "kind": good.kind.name,
        "constraints": [each.to_json() for each in wished],
        "options": {each.fact: each.value for each in wished if each.form == wishes.OPTION},
        "route": {"query": query, "page": page},
        "decides": rows if possible else [_too_dear(good)],
        "path": [
            *(_results(query, number) for number in range(1, page + 1)),
            *looked_at([*rivals, good], rows),
        ],
        "told": visits.spellings(*(each.text for each in wished)),
        "possible": possible,
    }


def route(good: Good, data: StoreData) -> tuple[str, int]:
    """Return a query in the shop's words, and the number, from 1, of the page of results with the
    product.
    """
    described = (
        each for each in good.kind.facts.values() if "description" in good.places[each.name]
    )
    query = " ".join([good.kind.name, *(texts(good, fact)[1] for fact in described)])
    query = query[: operations.LONGEST_QUERY].rpartition(" ")[0]
    hits = data.market.hits(query)
    if good.asin not in hits:
        query = good.design
        hits = data.market.hits(query)
    return query, hits.index(good.asin) // operations.PER_PAGE + 1


def is_hard(good: Good, instruction: str, data: StoreData) -> bool:
    """Return whether the right product is absent from the first page of two obvious searches.

    These are the search for the kind's name, and the search for the whole instruction.
    """
    tries = (good.kind.name, instruction)
    return not any(good.asin in data.market.hits(query)[: operations.PER_PAGE] for query in tries)


def pages(good: Good, constraint: Constraint) -> list[str]:
    """Return the pages that show whether a product meets a constraint, in reading order."""
    if constraint.form in (wishes.OPTION, wishes.PRICE):
        return ["item"]
    if constraint.form == wishes.SIZE:
        return ["Description"]
    found = dict.fromkeys(PAGE_OF[place] for place in good.places[constraint.fact])
    return list(found)


def decides(good: Good, rivals: Sequence[Good], wished: Sequence[Constraint]) -> list[list[Row]]:
    """Return the journal rows that justify the choice: a list of proofs for each thing to see.

    The rivals come first, in the order of the list; each needs one page that shows a broken
    constraint. Then come the pages that show each constraint of the right product.
    """
    others = [
        [page for each in wishes.violated(rival, wished) for page in pages(rival, each)]
        for rival in rivals
    ]
    found = [rows_of(rival, names) for rival, names in zip(rivals, others, strict=True)]
    return [*found, *proofs(good, [pages(good, each) for each in wished])]


def proofs(good: Good, pages: Sequence[Sequence[str]]) -> Iterator[list[Row]]:
    """Yield the journal rows of each list of a product's pages, once; one page is enough."""
    for place, names in enumerate(pages):
        if names not in pages[:place]:
            yield rows_of(good, names)


def _too_dear(good: Good) -> list[Row]:
    """Return the journal rows that prove that the agent could see that nothing fits.

    These are the page of the product that is too dear, or results narrowed or sorted by price.
    """
    by_price = [{"page": "results", "narrowed": name} for name in ("price", "sort")]
    return [*rows_of(good, ["item"]), *by_price]


def _results(query: str, number: int) -> site_map.PathStep:
    return site_map.path_step("results", "search", query=query, number=number)


def looked_at(shown: Sequence[Good], rows: Sequence[Sequence[Row]]) -> Iterator[site_map.PathStep]:
    """Yield the steps that open each product's page and those of its tabs that matter."""
    for good in shown:
        yield site_map.path_step("item", "open item", asin=good.asin, name=good.name)
        first = [each[0] for each in rows if each[0]["asin"] == good.asin]
        tabs = dict.fromkeys(row["page"] for row in first if row["page"] != "item")
        for page in tabs:
            yield site_map.path_step(page, "read on", asin=good.asin, number=1)


def rows_of(good: Good, names: Sequence[str]) -> list[Row]:
    """Return the rows of the journal for opened pages of a product."""
    return [
        {"page": page, "asin": good.asin, **({"number": 1} if page == "Reviews" else {})}
        for page in dict.fromkeys(names)
    ]


# The way -----------------------------------------------------------------------------------------


def length(scenario: Scenario) -> int:
    """Return the number of actions that the expert takes.

    There is an action for each page of the path, and for coming back from each tab and from each
    product but the right one; then one for each option, and one to buy.
    """
    gold = scenario.gold
    path = gold["path"]
    items = sum(each["page"] == "item" for each in path)
    tabs = sum(each["page"] not in ("item", "results") for each in path)
    back: int = items - 1 if gold["possible"] else items
    deal = len(gold["options"]) + 1 if gold["possible"] else 0
    return int(len(path) + tabs + back + deal)


def honest_length(scenario: Scenario) -> int:
    """Return the number of actions of a shopper who does not know the right product in advance.

    The shopper searches for the kind, narrows the results by the request, and opens what is left
    until one product fits.
    """
    gold, wished = scenario.gold, wishes.constraints(scenario.gold)
    good, goods_of_kind = by_asin(gold["asin"]), of_kind(gold["kind"])
    links = look_alikes.facts_of_links(good.kind)
    listed = look_alikes.left(goods_of_kind, wished, links)
    narrowing = 1 + len(links & {each.fact for each in wished})
    rivals = look_alikes.opening([each for each in listed if each is not good], wished, _tabs_until)
    turned = len(listed) // operations.PER_PAGE
    if not gold["possible"]:
        return 1 + narrowing + turned + rivals
    own = 1 + 2 * max(_tabs_until(good, [each]) for each in wished) + len(gold["options"]) + 1
    return 1 + narrowing + (turned + rivals) // 2 + own


def _tabs_until(good: Good, sought: Iterable[Constraint]) -> int:
    """Return how many tabs a shopper reads in order until one shows one of these constraints."""
    return min(IN_ORDER.index(page) for each in sought for page in pages(good, each))


# Advice ------------------------------------------------------------------------------------------


def advise(scenario: Scenario, observation: Observation) -> Advice:
    """Advise to search for the kind, narrow the results, open similar products, and buy what fits.

    The advice reads the tabs that decide on each product, and answers NOT_ACHIEVABLE if nothing
    fits.
    """
    gold, page = scenario.gold, page_of(observation)
    needs = wished_needs(gold)
    if page == "done":
        return Advice("buy", answer="")
    if page == "sub":
        return Advice("read on", click(observation, "< Prev"), needs=needs)
    if page == "results":
        names = _to_open(gold, observation)
        choices = _shared([by_name()[each] for each in names])
        return at_results(gold, names, choices, observation, needs)
    if page == "item":
        return _at_item(gold, observation, needs)
    return search(scenario, observation)


def wished_needs(gold: Gold) -> Needs:
    """Return the sentences of the request on which the choice depends; of an option only its
    value.
    """
    return tuple(
        (str(each.value) if each.form == wishes.OPTION else each.text,)
        for each in wishes.constraints(gold)
    )


def search(scenario: Scenario, observation: Observation) -> Advice:
    """Advise to search for the kind of product by its name.

    The customer either names the kind or says what it is for; the advice depends on these words.
    """
    box = find(observation, roles=("searchbox", "textbox", "combobox"))
    if box is None:
        return Advice("search", (), answer="")
    kind, split = of_kind(scenario.gold["kind"])[0].kind, visits.split_of(scenario.seed)
    needs = [each for each in kind.needs[split] if each in scenario.instruction]
    about = (needs[0] if needs else kind.one,)
    return Advice("search", (Type(box.id, kind.name, enter=True),), needs=(about,))


def at_results(
    gold: Gold,
    names: Sequence[str],
    choices: Iterable[tuple[str, str]],
    observation: Observation,
    needs: Needs,
) -> Advice:
    """Advise on the results: narrow them until one page lists all products to look at, and open
    these.

    Args:
        gold: The gold of the scenario.
        names: The names of the products to look at, the right one last.
        choices: The facets by which the results can be narrowed, as links (`screen.unchosen`).
        observation: The page of results.
        needs: The values on which the choice depends, as in `Advice.needs`.
    """
    are_listed = {*names} <= {each.title for each in cards(observation)}
    narrower = None if are_listed else unchosen(choices, observation)
    if narrower is not None:
        return Advice("narrow", (Click(narrower.id),), needs=needs)
    card = next_card(names, observation)
    if card is None:
        page = click(observation, "Next >")
        return Advice("search", page or click(observation, "Back to Search"), needs=needs)
    if card.is_opened and not gold["possible"]:
        return Advice("open item", answer=visits.NOT_ACHIEVABLE, needs=needs)
    return Advice("open item", (Click(card.link.id),), needs=needs)


def _to_open(gold: Gold, observation: Observation) -> list[str]:
    """Return the names of the products to look at: the look-alikes in the list's order, then the
    right product.
    """
    named = dict.fromkeys(by_asin(rows[0]["asin"]).name for rows in gold["decides"])
    listed = [each.title for each in cards(observation)]
    others = sorted(
        (each for each in named if each != gold["name"]),
        key=lambda each: (*listed, each).index(each),
    )
    return [*others, gold["name"]]


def _shared(every: Sequence[Good]) -> Iterator[tuple[str, str]]:
    """Yield the facets that all these products share, as links (`screen.unchosen`)."""
    first = every[0]
    yield from (("Any kind", first.kind.name), ("Any brand", first.brand))
    for fact in facets.fact_facets(first.kind):
        if len({good.facts[fact.name] for good in every}) == 1:
            yield facet(first.kind, fact.name, str(first.facts[fact.name]))


def facet(kind: Kind, name: str, value: str) -> tuple[str, str]:
    """Return the links of a facet's value (`screen.unchosen`)."""
    if name in (facets.KIND, facets.SORT):
        return f"Any {name}", value if name == facets.KIND else facets.SORTS[value][0]
    [fact] = [each for each in facets.fact_facets(kind) if each.name == name]
    return f"Any {fact.labels[0].lower()}", fact.values[value].table


def _at_item(gold: Gold, observation: Observation, needs: Needs) -> Advice:
    good = next((each for each in _of_design(gold) if each.name in observation.text), None)
    back = Advice("open item", click(observation, "< Prev"), needs=needs)
    if good is None:
        return back
    tab = next((each for each in unread(gold, good, observation)), None)
    if tab is not None:
        return Advice("read on", (Click(tab),), needs=needs)
    if good.name != gold["name"] or not gold["possible"]:
        return back
    return buy(gold, observation)


def _of_design(gold: Gold) -> list[Good]:
    return [good for good in of_kind(gold["kind"]) if good.design == gold["design"]]


def unread(gold: Gold, good: Good, observation: Observation) -> Iterator[int]:
    """Yield the ids of those tabs on the path that the page does not mark as visited."""
    for step in gold["path"]:
        if step.get("asin") == good.asin and step["page"] != "item":
            tab = find(observation, step["page"])
            if tab is not None and "visited" not in tab.states:
                yield tab.id


def buy(gold: Gold, observation: Observation) -> Advice:
    """Advise to choose the options and to buy; it depends only on the values of the options."""
    clicks: list[Action] = []
    for value in gold["options"].values():
        option = find(observation, value, roles=("radio",))
        if option is not None and "checked" not in option.states:
            clicks.append(Click(option.id))
    step = "choose options" if clicks else "buy"
    needs = tuple((str(value),) for value in gold["options"].values())
    return Advice(step, (*clicks, *click(observation, "Buy Now")), needs=needs)
