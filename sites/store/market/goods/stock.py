"""The market's stock: its products, found by the search engine of WebShop's stock."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import ClassVar

from sites.store.catalogue.cache import cache_folder, digest_of
from sites.store.catalogue.catalogue import Catalogue, build
from sites.store.catalogue.product import Product
from sites.store.catalogue.search import search_of
from sites.store.catalogue.stock import Stock
from sites.store.catalogue.tables import WORDS as SHOP_WORDS
from sites.store.market.goods import charts, facets, reviews, supplies, wording
from sites.store.market.goods.bank import WORDS
from sites.store.market.goods.charts import Chart
from sites.store.market.goods.facets import Facet, Narrowing
from sites.store.market.goods.goods import PREFIX, Good, goods
from sites.store.market.goods.reviews import MarketReview
from sites.store.market.goods.wording import Answered
from sites.store.market.offers import Offer, Offers
from sites.store.market.pricing import PricedLine

MADE_OF = ("bank", "charts", "goods", "reviews", "units", "wording")
EVERY = 100_000
CARD_ROWS = 3
ELSEWHERE = "What it leaves out stands under Description or Features, or buyers say it in Reviews."
"""The sentence on an item's page about facts that its table lacks; each fact is stated in one or
two places.
"""
MOST = 200
"""The largest number of results that a search lists, which is the number of products of a kind."""


@dataclass(frozen=True, eq=False)
class Market(Stock):
    """The market's stock for one visitor; templates and tasks ask it about a product by asin
    (product code).

    The attribute `offers` holds the products that this visitor is offered on other terms than the
    catalogue's, and `sold_out` the products that have sold out during the visit.
    """

    offers: Offers = field(default_factory=dict)
    sold_out: frozenset[str] = frozenset()

    PREFIX: ClassVar[str] = PREFIX
    name: ClassVar[str] = "market"
    marks_tabs: ClassVar[bool] = True
    stated: ClassVar[str] = wording.STATED
    elsewhere: ClassVar[str] = ELSEWHERE
    most: ClassVar[int] = MOST

    @property
    def facet_names(self) -> frozenset[str]:
        return facets.names()

    @property
    def sort_names(self) -> Sequence[str]:
        return [*facets.SORTS]

    def offering(self, offers: Offers) -> Market:
        """Return a copy of this stock for a visitor with these offers (special terms)."""
        return replace(self, offers=offers) if offers else self

    def offer(self, asin: str) -> Offer:
        """Return this visitor's offer for a product; the empty offer if there is none."""
        return self.offers.get(asin, Offer())

    def good(self, asin: str) -> Good:
        """Return the market's product with this asin (product code) at this visitor's price. Raises
        `KeyError`.
        """
        return self.offered(supplies.good(asin))

    def offered(self, good: Good) -> Good:
        """Return a product of the market with the price at which this visitor is offered it."""
        cents = self.offer(good.asin).cents
        return good if cents is None else replace(good, price=cents / 100)

    def product(self, asin: str) -> Product | None:
        product, cents = self._product(asin), self.offer(asin).cents
        if product is None or cents is None:
            return product
        return replace(product, price=cents / 100, pricing=(cents / 100,))

    def _product(self, asin: str) -> Product | None:
        """Return a product at its usual price, or None; household supplies are made here, as they
        are not in the catalogue.
        """
        return _used_up(asin) if supplies.is_supply(asin) else self.catalogue.get(asin)

    def is_sold(self, asin: str) -> bool:
        return not self.unsold(asin)

    def unsold(self, asin: str) -> str:
        """Return the reason why a product cannot be bought, in a few words; "" if it can."""
        if self.offer(asin).gone:
            return "No longer sold"
        return "Sold out" if asin in self.sold_out else ""

    def line(self, asin: str, quantity: int = 1) -> PricedLine:
        """Return pieces of a product as a line for the calculations of `pricing`."""
        good = self.good(asin)
        cents = round(good.price * 100)
        kind = good.kind
        return PricedLine(asin, kind.name, good.brand, kind.department, cents, quantity)

    def hits(self, query: str, narrowing: Narrowing | None = None) -> list[str]:
        """Return the asins (product codes) of the best search results. Raises `LookupError` for an
        unknown sort order.
        """
        return [good.asin for good in self.found(query, narrowing or {})[:MOST]]

    def is_cut(self, query: str, narrowing: Narrowing) -> bool:
        """Return whether more products match a search than its list of results shows."""
        return len(self.found(query, narrowing)) > MOST

    def found(self, query: str, narrowing: Narrowing) -> Sequence[Good]:
        """Return all products that match a word of the query and every chosen filter.

        Raises `LookupError` for an unknown sort order.
        """
        return self._remembered(query, tuple(narrowing.items()))

    @cached_property
    def _remembered(self) -> Callable[[str, tuple[tuple[str, str], ...]], Sequence[Good]]:
        """The search function with a cache, because a page needs the same results for its list and
        for its facets.
        """
        return lru_cache(maxsize=64)(self._find)

    def _find(self, query: str, narrowing: tuple[tuple[str, str], ...]) -> Sequence[Good]:
        used_up, is_named = supplies.found(query, [*filter(supplies.is_supply, self.offers)])
        others = [] if is_named else self.search.search(query, EVERY)
        known, offers = goods(), self.offers
        every = [
            *map(self.offered, used_up),
            *(self.offered(known[asin]) if asin in offers else known[asin] for asin in others),
        ]
        return tuple(facets.narrowed(every, dict(narrowing), self.rating))

    def facets(self, query: str, narrowing: Narrowing) -> list[Facet]:
        return facets.facets(self.found(query, narrowing), narrowing, self.rating)

    def rating(self, good: Good) -> float:
        """Return a product's mean number of stars, read from the catalogue without drawing its
        reviews.
        """
        if supplies.is_supply(good.asin):
            return reviews.rating(supplies.good(good.asin))
        return _ratings(self.catalogue)[good.asin]

    @property
    def sorts(self) -> list[tuple[str, str]]:
        """Return the sort orders of results, each as (key, label)."""
        return [(value, label) for value, (label, _) in facets.SORTS.items()]

    def table(self, product: Product) -> list[tuple[str, str]]:
        """Return labels and values of a product's specification table."""
        return wording.table(self.good(product.asin))

    def card_rows(self, product: Product) -> list[tuple[str, str]]:
        """Return the rows (label, value) that a product has in a list of results: part of its
        specification, and first that it is not sold, if so.
        """
        why = self.unsold(product.asin)
        gone = [("Stock", why)] if why else []
        return [*gone, *self.table(product)[:CARD_ROWS]]

    def chart(self, product: Product) -> Chart | None:
        """Return the brand's size chart for a product that is worn, else None."""
        good = self.good(product.asin)
        if not charts.is_worn(good.kind.name):
            return None
        return charts.chart(good.kind.name, good.brand, good.convention)

    def answers(self, product: Product) -> list[Answered]:
        return wording.answers(self.good(product.asin))

    def reviews(self, product: Product, first: int, last: int) -> Sequence[MarketReview]:
        return reviews.reviews(self.good(product.asin))[first:last]


def open_market(cache: Path | None = None) -> Market:
    """Return the market's stock, built on first use. The caller must close it.

    Raises:
        CacheError: The cache cannot be written.
        BadBank: A word list has an error.
    """
    folder = (cache or cache_folder()) / "store" / f"market-{digest()[:16]}"
    catalogue = build(folder, _products())
    return Market(catalogue, search_of(catalogue))


def _products() -> Iterator[Product]:
    yield from map(_as_product, goods().values())


def _as_product(good: Good) -> Product:
    return wording.product(good, reviews.rating(good), len(reviews.reviews(good)))


@cache
def _used_up(asin: str) -> Product:
    return _as_product(supplies.supplies()[asin])


@cache
def _ratings(catalogue: Catalogue) -> Mapping[str, float]:
    """Return the mean number of stars by asin (product code): one mapping for all visitors, as
    offers do not change it.
    """
    return {product.asin: product.rating for product in catalogue}


@cache
def digest() -> str:
    """Return the SHA-256 of everything that determines the market's products: word lists, names and
    code.
    """
    code = Path(__file__).parent
    files = [code / f"{name}.py" for name in MADE_OF]
    files += [SHOP_WORDS.with_name(f"{name}.py") for name in ("nouns", "product")]
    files += [*sorted(WORDS.glob("*.toml")), charts.MEASURES, SHOP_WORDS / "people.toml"]
    return digest_of(files)
