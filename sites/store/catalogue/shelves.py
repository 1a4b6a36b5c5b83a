"""The products grouped by category and by product type, in the sort orders that a listing
offers.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Sequence

from sites.store.catalogue.catalogue import Catalogue


class Shelves:
    """The positions of products in the catalogue by shelf; each category and each product type is a
    shelf.

    `categories` maps each category to its product types, both in alphabetical order.
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
        """Return the catalogue positions of all products of a shelf (category or product type),
        sorted; products that are equal in this order stay in the catalogue's order.

        Args:
            name: The name of the shelf.
            sort: "position", "name", "price" (the lower of two prices) or "rating".
            direction: "asc" or "desc".
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
    """Return the rank of each name in the alphabet; equal names have equal ranks."""
    places = {name: place for place, name in enumerate(sorted(set(names)))}
    return array("l", (places[name] for name in names))
