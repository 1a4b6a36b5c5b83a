"""The products by category and by product type, in the orders in which a listing shows them."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Sequence

from sites.store.catalogue.catalogue import Catalogue


class Shelves:
    """Positions in the catalogue, by shelf: each category is one, and each product type.

    `categories` maps each category to its product types, both by the alphabet.
    """

    def __init__(self, catalogue: Catalogue) -> None:
        self._shelves: defaultdict[str, array[int]] = defaultdict(lambda: array("l"))
        self._prices, self._ratings = array("d"), array("d")
        kinds: defaultdict[str, set[str]] = defaultdict(set)
        names: list[str] = []
        for position, product in enumerate(catalogue):
            kinds[product.category].add(product.kind)
            for shelf in {product.category, product.kind}:
                self._shelves[shelf].append(position)
            self._prices.append(product.pricing[0])
            self._ratings.append(product.rating)
            names.append(product.name.casefold())
        self._names = _ranks(names)
        self.categories = {name: tuple(sorted(kinds[name])) for name in sorted(kinds)}

    def __contains__(self, name: object) -> bool:
        return name in self._shelves

    def listing(self, name: str, sort: str, direction: str) -> list[int]:
        """All positions on a shelf in this order; equal ones stay in the catalogue's.

        By price a product with two prices counts with the lower one.
        """
        keys: dict[str, Sequence[float]] = {
            "name": self._names,
            "price": self._prices,
            "rating": self._ratings,
        }
        positions, down = list(self._shelves[name]), direction == "desc"
        if sort == "position":
            return positions[::-1] if down else positions
        return sorted(positions, key=keys[sort].__getitem__, reverse=down)


def _ranks(names: Sequence[str]) -> array[int]:
    """The place of each name in the alphabet; equal names have equal places."""
    places = {name: place for place, name in enumerate(sorted(set(names)))}
    return array("l", (places[name] for name in names))
