"""Draw the supplies that a household uses up: products in a few pack sizes, and their prices."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from scenarios.scenario import Scenario
from scenarios.store.market import task
from sites.store.market.goods import supplies
from sites.store.market.goods.bank import Kind
from sites.store.market.goods.goods import Good
from sites.store.market.offers import Offer
from sites.store.market.service import subscriptions
from sites.world import World


@dataclass(frozen=True)
class SupplyLine:
    """A range of supplies: the packs of a product, and packs of its other variant (`others`).

    By asin, `pieces` is the number of pieces in a pack and `cents` the price of a pack today. Packs
    in `gone` are no longer sold; then there may be a `successor`.
    """

    packs: tuple[str, ...]
    others: tuple[str, ...]
    pieces: Mapping[str, int]
    cents: Mapping[str, int]
    gone: frozenset[str] = field(default_factory=frozenset)
    successor: str = ""

    @property
    def kind(self) -> Kind:
        """Return the kind of product, such as coffee."""
        return self.good(self.packs[0]).kind

    @property
    def every(self) -> tuple[str, ...]:
        """Return the asins of the packs of both variants."""
        return (*self.packs, *self.others)

    @property
    def sold(self) -> list[str]:
        """Return the asins of the product's packs that the shop still sells."""
        return [each for each in self.packs if each not in self.gone]

    def good(self, asin: str) -> Good:
        """Return the product with this asin."""
        return task.by_asin(asin)

    def apiece(self, asin: str) -> float:
        """Return the price of a single piece of a pack, in cents."""
        return self.cents[asin] / self.pieces[asin]


def lines_of(kind: Kind, but: Iterable[str] = ()) -> list[tuple[tuple[Good, ...], ...]]:
    """Return the ranges of a kind: for each range, the packs of its two variants.

    Args:
        kind: The kind of supplies.
        but: Designs whose ranges are left out.
    """
    taken = set(but)
    return [
        each
        for each in supplies.lines()
        if each[0][0].kind == kind and each[0][0].design not in taken
    ]


def variant_of(kind: Kind, text: str) -> int:
    """Return which of a kind's two variants (0 or 1) is for somebody, for example for cats."""
    values = [*kind.facts[supplies.VARIANT].values]  # type: ignore[union-attr]
    return next(at for at, value in enumerate(values) if value.casefold().startswith(text))


def offers(lines: Sequence[SupplyLine]) -> dict[str, Offer]:
    """Return a visitor's own prices and pack sizes, by asin, and which packs are no longer sold."""
    return {asin: offer for line in lines for asin, offer in _offers(line)}


def _offers(line: SupplyLine) -> Iterator[tuple[str, Offer]]:
    every = sorted(line.every, key=lambda asin: line.good(asin).model)
    for asin in every:
        is_gone = asin in line.gone
        yield (
            asin,
            Offer(
                cents=line.cents[asin],
                pieces=line.pieces[asin],
                piece=supplies.piece(line.kind),
                gone=is_gone,
                others=tuple(each for each in every if each != asin),
                successor=line.successor if is_gone else "",
            ),
        )


def drawn_pieces(kind: Kind, number: int, rng: Random) -> list[int]:
    """Draw different pack sizes, as numbers of pieces."""
    return rng.sample(supplies.pack_sizes(kind), number)


def price(cents: float) -> int:
    """Return an amount in cents rounded to end in 5 or 9, as shops write prices."""
    whole = max(99, round(cents))
    return whole - whole % 10 + (9 if whole % 10 >= 5 else 5)


def world(scenario: Scenario) -> World:
    """Return the visit's database (its world) at the start, with an empty cart and
    subscriptions.
    """
    made = task.world(scenario, cart=True)
    subscriptions.begin(made, *subscriptions.from_json(scenario.details))
    return made
