"""The addresses of the outlet's pages, which name products in words instead of codes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sites.store.market.goods.goods import Good
from sites.store.outlet import goods
from sites.store.outlet.operations import NAMES, REVIEWS, STEP
from sites.store.shop.address import query_of, quoted


@dataclass(frozen=True)
class Shop:
    """A builder of the addresses of the outlet's pages for one visit."""

    session: str

    @property
    def home(self) -> str:
        return f"/{quoted(self.session)}"

    @property
    def find(self) -> str:
        """The address to which the search form leads."""
        return f"{self.home}/search"

    def search(self, query: str, narrowing: Mapping[str, str], shown: int = STEP) -> str:
        """Return the address of a page of search results.

        Args:
            query: The words searched for.
            narrowing: The chosen value of each facet, and of `sort`.
            shown: How many results are shown.
        """
        more = {"shown": shown} if shown > STEP else {}
        chosen = {name: value for name, value in narrowing.items() if value}
        return f"{self.find}{query_of({'q': query, **chosen, **more})}"

    def item(self, good: Good, options: Mapping[str, str], shown: int = REVIEWS) -> str:
        """Return the address of an item's page with these options chosen and this number of
        reviews.
        """
        more = {"reviews": str(shown)} if shown > REVIEWS else {}
        return f"{self.home}/goods/{goods.slug(good)}{query_of({**named(options), **more})}"

    def order(self, good: Good, options: Mapping[str, str]) -> str:
        return f"{self.home}/order/{goods.slug(good)}{query_of(named(options))}"

    @property
    def help(self) -> str:
        return f"{self.home}/help"

    @property
    def basket(self) -> str:
        return f"{self.home}/basket"

    def into_basket(self, good: Good, options: Mapping[str, str]) -> str:
        """Return the address to which an item's page posts to put the item into the basket."""
        return f"{self.basket}/{goods.slug(good)}{query_of(named(options))}"

    @property
    def checkout(self) -> str:
        return f"{self.home}/checkout"

    def bought(self, number: str) -> str:
        """Return the address of the receipt of an order from the basket."""
        return f"{self.home}/receipts/{quoted(number)}"

    def receipt(self, number: int) -> str:
        """Return the address of the receipt of an order without a basket."""
        return f"{self.home}/orders/{number}"


def named(options: Mapping[str, str]) -> dict[str, str]:
    """Return chosen options under the outlet's names for them, such as "colour"."""
    return {NAMES.get(kind, kind): value for kind, value in options.items()}
