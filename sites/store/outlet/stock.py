"""The outlet's products as a stock, with which its basket and checkout calculate."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from sites.store.catalogue.product import Product
from sites.store.market.account.account import OUTLET
from sites.store.market.goods.goods import Good
from sites.store.market.goods.stock import Market
from sites.store.market.offers import offers_of
from sites.store.outlet import goods
from sites.world import World


@dataclass(frozen=True, eq=False)
class OutletStock(Market):
    """The market's products that the outlet sells, at its prices, in its sizes, with its titles."""

    name: ClassVar[str] = OUTLET

    def good(self, asin: str) -> Good:
        """Return the outlet's product with this asin (product code) at this visitor's price."""
        return self.offered(goods.sold()[asin])

    def product(self, asin: str) -> Product | None:
        product = self.catalogue.get(asin)
        if product is None or asin not in goods.sold():
            return None
        good = self.good(asin)
        options = {kind: tuple(values) for kind, values in good.options.items()}
        named = replace(product, name=goods.title(good), options=options)
        return replace(named, price=good.price, pricing=(good.price,))


def stock_of(market: Market, world: World) -> OutletStock:
    """Return the outlet's stock at the prices that this visitor is offered."""
    return OutletStock(market.catalogue, market.search, offers_of(world, OUTLET))
