"""Lines of a basket: a number of pieces of one product, found by the facets and prices of its type.

A scenario sets prices for its visitor, which shorten the search. Of all products with the wished
facet values, the `candidates` are the cheapest, so that they stand on the first page when the
results are sorted by price. All other products cost more by an amount that no order can save. A
list shows facets and prices, so the agent does not have to open any other product.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from random import Random
from typing import Any

from agent.interface import Advice, Click, Observation, Text
from scenarios.store.market import ordering, task, wishes
from scenarios.store.market.wishes import Constraint
from scenarios.store.pages import screen, site_map
from scenarios.store.pages.screen import Needs
from sites.store.catalogue.stock import Stock
from sites.store.market.goods import facets, wording
from sites.store.market.goods.bank import Kind, MeasuredFact, kinds
from sites.store.market.goods.goods import Good
from sites.store.market.goods.stock import CARD_ROWS, Market
from sites.store.market.goods.units import IMPERIAL
from sites.store.market.offers import Offer

PRICE_STEP = 5
"""Prices set by a scenario are multiples of this number of cents."""
Path = list[site_map.PathStep]
Look = Mapping[str, Sequence[str]]
"""The pages to open of each product, by asin."""


@dataclass(frozen=True)
class Sought:
    """A line of the customer's request: a number of pieces of a product that is described by its
    facts.

    The description consists of facet values and limits of measures (`wished`). The asins of the
    products to look at are `candidates`, the cheapest first. `mixed` says whether a search for the
    kind (the product type) also finds others, so that the agent has to choose the kind as a facet.
    """

    kind: str
    quantity: int
    wished: tuple[Constraint, ...]
    candidates: tuple[str, ...]
    mixed: bool = True

    @property
    def narrowing(self) -> dict[str, str]:
        """Return the value to choose for each facet of the results and for sorting, in the links'
        order.
        """
        own = {each.fact: str(each.value) for each in self.wished if each.form == wishes.IS}
        kind = {facets.KIND: self.kind} if self.mixed else {}
        return {**kind, **own, facets.SORT: "price-up"}

    @property
    def bounds(self) -> list[Constraint]:
        """Return the limits that the request sets for measures, such as a highest width."""
        return [each for each in self.wished if each.form != wishes.IS]

    def good_ones(self) -> list[Good]:
        """Return the candidates that meet everything that the customer asks of this line."""
        return wishes.fitting([task.by_asin(each) for each in self.candidates], self.wished)

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> Sought:
        wished = tuple(Constraint(**each) for each in fields["wished"])
        asins = tuple(fields["candidates"])
        return cls(fields["kind"], fields["quantity"], wished, asins, fields["mixed"])


# Drawing -----------------------------------------------------------------------------------------


@cache
def kind_of(name: str) -> Kind:
    """Return the kind of product with this name."""
    return next(each for each in kinds().values() if each.name == name)


def cell(kind: str, wished: Sequence[Constraint]) -> Sequence[Good]:
    """Return all products of a kind that have the wished values of its facets."""
    own = tuple((each.fact, str(each.value)) for each in wished if each.form == wishes.IS)
    return _cell(kind, own)


@cache
def _cell(kind: str, own: tuple[tuple[str, str], ...]) -> Sequence[Good]:
    of_kind = task.of_kind(kind)
    return tuple(good for good in of_kind if all(good.facts[name] == value for name, value in own))


def values(good: Good, number: int, split: str, rng: Random) -> tuple[Constraint, ...]:
    """Draw some facets of a product and return constraints that ask for the product's values.

    Args:
        good: The product that meets them.
        number: How many facets to draw.
        split: The split of the seed, which has its own wordings.
        rng: The source of randomness.
    """
    chosen = rng.sample(facets.fact_facets(good.kind), number)
    return tuple(
        Constraint(
            fact.name,
            wishes.IS,
            str(good.facts[fact.name]),
            rng.choice(fact.values[str(good.facts[fact.name])].wish[split]),
        )
        for fact in chosen
    )


def measures(kind: Kind) -> list[MeasuredFact]:
    """Return the measured facts that people talk about and that have a metric and an imperial
    unit.
    """
    found = (each for each in kind.facts.values() if isinstance(each, MeasuredFact))
    return [each for each in found if each.unit.other and each.unit.symbol != "mm"]


@cache
def effort(good: Good, names: tuple[str, ...]) -> int:
    """Return the number of actions to see these facts of a product: open its pages and go back."""
    return 2 * len(places(good, names))


def places(good: Good, names: Sequence[str]) -> list[str]:
    """Return the pages to open to see these facts of a product, the item's own page first.

    The list is empty if the product's card in a list shows all of these facts.
    """
    hidden = [name for name in names if name not in on_card(good)]
    if not hidden:
        return []
    tabs = dict.fromkeys(_tab(good, name) for name in hidden)
    return list(dict.fromkeys(("item", *tabs)))


def _tab(good: Good, name: str) -> str:
    return task.PAGE_OF[good.places[name][0]]


@cache
def on_card(good: Good) -> frozenset[str]:
    """Return the names of the facts that a product's card in a list shows."""
    style = int(good.convention == IMPERIAL)
    shown = {label for label, _ in wording.table(good)[:CARD_ROWS]}
    named = (fact for name, fact in good.kind.facts.items() if "table" in good.places[name])
    return frozenset(fact.name for fact in named if fact.labels[style] in shown)


def cents(rng: Random, lowest: float, highest: float) -> int:
    """Draw a price between two amounts, in cents, as a multiple of `PRICE_STEP`."""
    return int(rng.uniform(lowest, highest)) // PRICE_STEP * PRICE_STEP


def _dearer(good: Good, least: int, rng: Random) -> Offer | None:
    """Return the price change that makes a product cost over `least` cents; None if it does
    already.
    """
    if round(good.price * 100) >= least:
        return None
    return Offer(cents=cents(rng, least + PRICE_STEP, 1.6 * least))


def by_price(line: Sought, cents: Callable[[str], int]) -> Sought:
    """Return the line with its candidates sorted by price, the cheapest first."""
    return replace(line, candidates=tuple(sorted(line.candidates, key=cents)))


def others_dearer(line: Sought, least: int, rng: Random) -> dict[str, Offer]:
    """Return price changes, by asin, that make all other products with the wished facets expensive.

    Args:
        line: The line, whose candidates keep their prices.
        least: The lowest price of the other products, in cents.
        rng: The source of randomness.
    """
    others = (good for good in cell(line.kind, line.wished) if good.asin not in line.candidates)
    found = {good.asin: _dearer(good, least, rng) for good in others}
    return {asin: offer for asin, offer in found.items() if offer is not None}


# The way -----------------------------------------------------------------------------------------


def path(line: Sought, look: Look) -> Path:
    """Return the steps that search for a line, narrow the results, and open its products."""
    found = site_map.path_step(
        "results", "search", query=line.kind, narrowing=line.narrowing, number=1
    )
    return [found, *(step for asin, pages in look.items() for step in _opened(asin, pages))]


def _opened(asin: str, pages: Sequence[str]) -> Iterator[site_map.PathStep]:
    for page in pages:
        step = "open item" if page == "item" else "read on"
        yield site_map.path_step(page, step, asin=asin, name=task.by_asin(asin).name, number=1)


def rows(path: Path) -> list[list[task.Row]]:
    """Return the journal rows, a list for each product page of a path, that prove that it was
    opened.
    """
    opened = ((each["asin"], each["page"]) for each in path if "asin" in each)
    return [task.rows_of(task.by_asin(asin), [page]) for asin, page in opened]


def length(line: Sought, look: Look, chosen: str) -> int:
    """Return the number of actions that a line of the order takes.

    To search, to narrow the results, to look at the products (the chosen one last), and to put the
    chosen product into the cart.
    """
    pages = {chosen: ["item"], **look}
    opened = sum(2 * len(each) for each in pages.values()) - 1
    return 1 + len(line.narrowing) + opened + (line.quantity > 1) + 1


# Proof -------------------------------------------------------------------------------------------


def routed(line: Sought, stock: Market) -> Sought:
    """Return the line, and note in `mixed` whether a search for its kind finds other kinds too."""
    found = stock.found(line.kind, {})
    return replace(line, mixed=any(good.kind.name != line.kind for good in found))


def is_found(line: Sought, stock: Stock) -> bool:
    """Return whether the line's candidates are the first results of its narrowed and sorted
    search.
    """
    return tuple(stock.hits(line.kind, line.narrowing)[: len(line.candidates)]) == line.candidates


# Advice ------------------------------------------------------------------------------------------


def at_results(
    line: Sought, look: Look, chosen: str, observation: Observation, needs: Needs
) -> Advice:
    """Advise on a page of results: narrow them, then open the products to see, the right one
    last.
    """
    kind = kind_of(line.kind)
    chosen_by = (task.facet(kind, name, value) for name, value in line.narrowing.items())
    narrower = screen.unchosen(chosen_by, observation)
    if narrower is not None:
        return Advice("narrow", (Click(narrower.id),), needs=needs)
    names = [task.by_asin(asin).name for asin in look if asin != chosen]
    card = screen.next_card([*names, task.by_asin(chosen).name], observation)
    back = screen.click(observation, "Back to Search")
    return Advice("open item", (Click(card.link.id),) if card else back, needs=needs)


def at_item(
    line: Sought, look: Look, chosen: str, observation: Observation, needs: Needs
) -> Advice:
    """Advise on a product's page: read the unvisited tabs that matter, then add it to the cart or
    go back.
    """
    titles = {task.by_asin(asin).name: asin for asin in (*look, chosen)}
    shown = next((asin for title, asin in titles.items() if is_headed(title, observation)), "")
    for page in look.get(shown, ()):
        tab = screen.unvisited(observation, page) if page != "item" else None
        if tab is not None:
            return Advice("read on", (Click(tab.id),), needs=needs)
    if shown != chosen:
        return Advice("open item", screen.click(observation, "< Prev"), needs=needs)
    typed = ordering.typed_quantity(line.quantity, observation)
    into = screen.click(observation, "Add to Cart")
    return Advice("put into cart", (*typed, *into), needs=needs)


def is_headed(title: str, observation: Observation) -> bool:
    """Return whether the page shows exactly this text as plain text that is no link, such as a
    heading.
    """
    return any(isinstance(node, Text) and node.text == title for node in observation.content)
