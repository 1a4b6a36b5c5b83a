"""Lines of a basket: so many pieces of one good of a kind, found by facets and by price.

The visitor is offered prices that make a short way to what has to be looked at: of all goods that
have the wished values of the facets, the `candidates` are the cheapest, so that they stand on the
first page when the results are sorted by price, and all others cost so much more that nothing
which an order can save makes up for it. A list shows facets and prices, so nothing else has to be
opened.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from random import Random
from typing import Any

from agent.interface import Action, Advice, Click, Observation
from scenarios.store import _market, _pages, _visit, _wish
from scenarios.store._wish import Constraint
from sites.store import operations
from sites.store.market import facets, wording
from sites.store.market.bank import Kind, MeasuredFact, kinds
from sites.store.market.goods import Good
from sites.store.market.offers import Offer
from sites.store.market.stock import CARD_ROWS
from sites.store.market.units import IMPERIAL
from sites.store.stock import Stock
from sites.world import World

PRICE_STEP = 5
"""Prices that are planted are multiples of so many cents."""
Path = list[_visit.PathStep]


@dataclass(frozen=True)
class Sought:
    """A line of the wish: `wished` are values of facets and bounds of measures; `candidates` are
    the asins of the goods to look at, the cheapest first."""

    kind: str
    quantity: int
    wished: tuple[Constraint, ...]
    candidates: tuple[str, ...]

    @property
    def narrowing(self) -> dict[str, str]:
        """How the results are narrowed and sorted, in the order of the links."""
        own = {each.fact: str(each.value) for each in self.wished if each.form == _wish.IS}
        return {facets.KIND: self.kind, **own, facets.SORT: "price-up"}

    @property
    def bounds(self) -> list[Constraint]:
        return [each for each in self.wished if each.form != _wish.IS]

    def good_ones(self) -> list[Good]:
        """The candidates that meet all that was wished for."""
        return _wish.fitting([_market.by_asin(each) for each in self.candidates], self.wished)

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> Sought:
        wished = tuple(Constraint(**each) for each in fields["wished"])
        return cls(fields["kind"], fields["quantity"], wished, tuple(fields["candidates"]))


# Drawing -----------------------------------------------------------------------------------------


@cache
def kind_of(name: str) -> Kind:
    return next(each for each in kinds().values() if each.name == name)


def cell(kind: str, wished: Sequence[Constraint]) -> Sequence[Good]:
    """All goods of a kind that have the wished values of its facets."""
    own = tuple((each.fact, str(each.value)) for each in wished if each.form == _wish.IS)
    return _cell(kind, own)


@cache
def _cell(kind: str, own: tuple[tuple[str, str], ...]) -> Sequence[Good]:
    of_kind = _market.of_kind(kind)
    return tuple(good for good in of_kind if all(good.facts[name] == value for name, value in own))


def values(good: Good, number: int, split: str, rng: Random) -> tuple[Constraint, ...]:
    """Wishes for what a good has of so many of its kind's facets."""
    chosen = rng.sample(facets.fact_facets(good.kind), number)
    return tuple(
        Constraint(
            fact.name,
            _wish.IS,
            str(good.facts[fact.name]),
            rng.choice(fact.values[str(good.facts[fact.name])].wish[split]),
        )
        for fact in chosen
    )


def measures(kind: Kind) -> list[MeasuredFact]:
    """Those that the two conventions tell differently, in figures that people say."""
    found = (each for each in kind.facts.values() if isinstance(each, MeasuredFact))
    return [each for each in found if each.unit.other and each.unit.symbol != "mm"]


@cache
def effort(good: Good, names: tuple[str, ...]) -> int:
    """The actions that it takes to see these facts of a good, from a list and back to it."""
    return 2 * len(places(good, names))


def places(good: Good, names: Sequence[str]) -> list[str]:
    """The pages to open to see these facts of a good, its own first; none where its card in a list
    shows them all."""
    hidden = [name for name in names if name not in on_card(good)]
    if not hidden:
        return []
    tabs = dict.fromkeys(_tab(good, name) for name in hidden)
    return list(dict.fromkeys(("item", *tabs)))


def _tab(good: Good, name: str) -> str:
    return _market.PAGE_OF[good.places[name][0]]


@cache
def on_card(good: Good) -> frozenset[str]:
    """The facts that a list shows of a good."""
    style = int(good.convention == IMPERIAL)
    shown = {label for label, _ in wording.table(good)[:CARD_ROWS]}
    named = (fact for name, fact in good.kind.facts.items() if "table" in good.places[name])
    return frozenset(fact.name for fact in named if fact.labels[style] in shown)


def cents(rng: Random, lowest: float, highest: float) -> int:
    """A price between two amounts in cents."""
    return int(rng.uniform(lowest, highest)) // PRICE_STEP * PRICE_STEP


def dearer(good: Good, least: int, rng: Random) -> Offer | None:
    """What makes a good cost so much at least; None where it does by itself."""
    if round(good.price * 100) >= least:
        return None
    return Offer(cents=cents(rng, least + PRICE_STEP, 1.6 * least))


# The way -----------------------------------------------------------------------------------------


def path(line: Sought, look: Mapping[str, Sequence[str]]) -> Path:
    """The results of a line, and of each good to `look` at (by asin) its pages."""
    found = [_visit.path_step("results", "search", query=line.kind, narrowing=line.narrowing,
                              number=1)]  # fmt: skip
    for asin in line.candidates:
        found += _opened(_market.by_asin(asin), look.get(asin, ()))
    return found


def _opened(good: Good, pages: Sequence[str]) -> Iterator[_visit.PathStep]:
    for page in pages:
        step = "open item" if page == "item" else "read on"
        yield _visit.path_step(page, step, asin=good.asin, name=good.name, number=1)


def actions(line: Sought, look: Mapping[str, Sequence[str]]) -> int:
    """What it takes to search, narrow, and look at what has to be seen, back on the list."""
    return 1 + len(line.narrowing) + sum(2 * len(pages) for pages in look.values())


def rows(path: Path) -> list[list[dict[str, Any]]]:
    """For `decides`: the goods' pages of a path."""
    keys = ("page", "asin", "number")
    opened = (each for each in path if "asin" in each)
    return [
        [{key: each[key] for key in keys if key != "number" or each["page"] == "Reviews"}]
        for each in opened
    ]


def open_page(step: _visit.PathStep, world: World, stock: Stock) -> None:
    """Open a page of a path through the site's operations."""
    if "narrowing" in step:
        operations.search(world, stock, step["query"], step["number"], step["narrowing"])
    else:
        _visit.walk([step], world, stock)


# Proof -------------------------------------------------------------------------------------------


def is_found(line: Sought, stock: Stock) -> bool:
    """Whether the candidates stand first in the results, which are narrowed by links; and, where
    something else has the same values, on one page with it."""
    hits = stock.hits(line.kind, line.narrowing)
    return tuple(hits[: len(line.candidates)]) == line.candidates


# Advice ------------------------------------------------------------------------------------------


def next_link(line: Sought, observation: Observation) -> tuple[Action, ...]:
    """The first link of the facets that was not chosen yet; none where the results are narrowed."""
    for name, value in line.narrowing.items():
        label, text = _facet(line.kind, name, value)
        is_chosen = bool(label) and _pages.find(observation, f"Any {label.lower()}") is not None
        link = _pages.find(observation, text)
        if not is_chosen and link is not None:
            return (Click(link.id),)
    return ()


def _facet(kind: str, name: str, value: str) -> tuple[str, str]:
    """The label of a facet and the text of a value's link; sorting has no label."""
    if name == facets.KIND:
        return "Kind", value
    if name == facets.SORT:
        return "", facets.SORTS[value][0]
    [fact] = [each for each in facets.fact_facets(kind_of(kind)) if each.name == name]
    return fact.labels[0], fact.values[value].table


def at_results(
    line: Sought,
    look: Mapping[str, Sequence[str]],
    chosen: str,
    observation: Observation,
    needs: tuple[tuple[str, ...], ...],
) -> Advice:
    """Narrow the results, open what has to be looked at, one after the other, then what was chosen;
    with no actions where nothing is left to do here."""
    narrower = next_link(line, observation)
    if narrower:
        return Advice("narrow", narrower, needs=needs)
    listed = {card.title: card for card in _pages.cards(observation)}
    wanted = [listed.get(_market.by_asin(asin).name) for asin in look]
    unopened = [card for card in wanted if card is not None and not card.is_opened]
    last = listed.get(_market.by_asin(chosen).name) if chosen else None
    card = unopened[0] if unopened else last
    return Advice("open item", (Click(card.link.id),) if card else (), needs=needs)


def unread(pages: Sequence[str], observation: Observation) -> tuple[Action, ...]:
    """Open the first of an item's tabs that was not read, by the marks that the page shows."""
    for page in pages:
        tab = _pages.find(observation, page) if page != "item" else None
        if tab is not None and "visited" not in tab.states:
            return (Click(tab.id),)
    return ()
