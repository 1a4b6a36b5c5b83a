"""A customer of the market with a cart, for tests."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from sites.store.account.account import Address
from sites.store.market.account.account import Card, MarketAccount
from sites.store.market.goods.goods import goods
from sites.store.market.offers import Offer
from sites.store.market.pricing import Code, ShopRules
from sites.store.market.visit import new_market_world
from sites.world import World

ASINS = tuple(goods())
LAMPS = tuple(asin for asin, good in goods().items() if good.kind.name == "desk lamps")
HOME = Address("Ann Lee", "1 Hill Road", "Fordville, SD", "57001", "United States", "605-555-0101")
MOTHER = Address("Rose Lee", "2 Mill Lane", "Ayr, ON", "N0B 1E0", "Canada", "519-555-0101")
FAR = Address("Tom Lee", "3 Bay Street", "Napier", "4110", "New Zealand", "+64 6 555 0101")
CODES = (
    Code("HOME15", percent=15),
    Code("TENOFF", cents=1000, over=5000, together=True),
    Code("LAMPS5", cents=500, kind="desk lamps", together=True),
    Code("OLD20", percent=20, until=date(2026, 1, 14)),
    Code("TODAY1", cents=100, until=date(2026, 1, 15)),
    Code("RICH", cents=100, over=10_000_000),
)
ACCOUNT = MarketAccount(
    name="Ann Lee",
    email="ann@example.com",
    addresses=(HOME, MOTHER, FAR),
    cards=(Card("Visa", "1234"), Card("Mastercard", "4417")),
    codes=CODES,
)


def new_shopper(
    offered: Mapping[str, Offer] | None = None,
    rules: ShopRules | None = None,
    account: MarketAccount | None = ACCOUNT,
    *,
    cart: bool = True,
) -> World:
    shops = {"store": rules} if rules else None
    return new_market_world("s1", "Buy it.", account, offered, shops, cart=cart)
