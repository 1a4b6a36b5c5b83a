"""Random accounts of customers who have bought at the market for two and a half years."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from sites.store.account.account import Address
from sites.store.catalogue.clock import TODAY
from sites.store.catalogue.tables import words
from sites.store.market import pricing
from sites.store.market.account.account import (
    Card,
    MarketAccount,
    MarketLine,
    MarketOrder,
    Refund,
    SharedList,
)
from sites.store.market.goods.bank import kinds
from sites.store.market.goods.goods import Good, goods
from sites.store.market.goods.stock import Market
from sites.store.market.pricing import HOME, PLAN, WRAP, Code, Method, Quote, ShopRules

WORDS = Path(__file__).with_name("accounts.toml")
COMPLETE, SHIPPED, PROCESSING = "Complete", "Shipped", "Processing"
CANCELED, RETURNED = "Canceled", "Returned"
"""Statuses of orders: a canceled one was not charged, a returned one was paid back completely."""

ORDERS = range(60, 91)
DAYS = 913
"""The largest age of randomly drawn orders in days (two and a half years)."""
LINES = (1, 1, 1, 2, 2, 3)
QUANTITIES = (1, 1, 1, 1, 2, 3)
SHARES = (100, 100, 100, 95, 90, 110)
"""Possible prices at the time of the order, in percent of today's price."""
AGAIN = 0.25
"""The share of order lines that repeat a product bought before."""
FIRST_NUMBER, MOST_BETWEEN = 100_000_000, 4_000
REVISIONS = ("1", "2", "2S", "3", "4")
"""Possible revisions of a bought product, such as "2S", for products with a plug."""
REVISED = ("charging cables", "coffee makers", "computer monitors", "desk lamps", "standing desks")


@dataclass(frozen=True)
class _Place:
    """An address with the customer's note; `is_gift` is True if somebody else lives there, so
    orders to it are gifts.
    """

    address: Address
    note: str
    is_gift: bool


@dataclass(frozen=True)
class _Shop:
    """The stock, the shop's rules and the random generator with which all orders of an account are
    drawn.
    """

    stock: Market
    rules: ShopRules
    rng: Random


def draw_account(
    rng: Random, stock: Market, orders: range = ORDERS, rules: ShopRules | None = None
) -> MarketAccount:
    """Draw a customer's account; the same random state gives the same account.

    Not every account has an order of every status, a code, or an address at work.

    Args:
        orders: The possible numbers of orders.
        rules: The shop's rules by which orders are priced; the usual rules if None.
    """
    name, family = _name(rng)
    places = _places(name, family, rng)
    return MarketAccount(
        name=name,
        email=f"{name.replace(' ', '.')}@example.com".lower(),
        addresses=tuple(each.address for each in places),
        notes=tuple(each.note for each in places),
        cards=tuple(_cards(rng)),
        codes=tuple(draw_codes(rng)),
        orders=tuple(_orders(rng.choice(orders), places, _Shop(stock, rules or ShopRules(), rng))),
        lists=tuple(_lists(places, rng)),
    )


@cache
def _bank() -> Mapping[str, Any]:
    """Return the word lists for accounts: those of this module's own file, and those that the
    accounts of all stocks share.
    """
    own = tomllib.loads(WORDS.read_text(encoding="utf-8"))
    return {**words("accounts"), "towns": words("people")["towns"], "first": _first_names(), **own}


def _first_names() -> list[str]:
    return [each.split()[0] for each in words("people")["people"]]


@cache
def _every() -> Sequence[Good]:
    return tuple(goods().values())


# People ------------------------------------------------------------------------------------------


def _name(rng: Random) -> tuple[str, str]:
    family = rng.choice(_bank()["family_names"])
    return f"{rng.choice(_bank()['first'])} {family}", family


def _places(name: str, family: str, rng: Random) -> list[_Place]:
    """Draw two to four addresses of the address book: home, perhaps work, and one to three of other
    people.
    """
    notes = _bank()["notes"]
    home = _Place(_address(name, rng), rng.choice(notes["home"]), False)
    work = _Place(_address(name, rng), rng.choice(notes["work"]), False)
    own = [home, work] if rng.random() < 0.4 else [home]
    people = rng.sample(_bank()["people"], rng.randint(1, 4 - len(own)))
    return [*own, *(_person(each, family, rng) for each in people)]


def _person(about: Mapping[str, Any], family: str, rng: Random) -> _Place:
    kin = about["who"].startswith("My") and rng.random() < 0.7
    last = family if kin else rng.choice(_bank()["family_names"])
    remark = rng.choice(_bank()["notes"]["person"])
    note = f"{about['who']}. {remark}".strip()
    address = _address(f"{rng.choice(about['names'])} {last}", rng, abroad=rng.random() < 0.12)
    return _Place(address, note, True)


def _address(name: str, rng: Random, *, abroad: bool = False) -> Address:
    country, town, postcode = HOME, rng.choice(_bank()["towns"]), f"{rng.randint(10_000, 99_999)}"
    if abroad:
        country = rng.choice(sorted(_bank()["abroad"]))
        there = _bank()["abroad"][country]
        town, postcode = rng.choice(list(zip(there["towns"], there["postcodes"], strict=True)))
    return Address(
        name=name,
        street=f"{rng.randint(1, 999)} {rng.choice(_bank()['streets'])}",
        city=town,
        postcode=postcode,
        country=country,
        phone=f"{rng.randint(201, 989)}-555-01{rng.randint(0, 99):02}",
    )


def _cards(rng: Random) -> Iterator[Card]:
    """Draw two or three payment cards, all with different last digits."""
    for last in rng.sample(range(1000, 10_000), rng.randint(2, 3)):
        yield Card(rng.choice(_bank()["cards"]["brands"]), str(last))


def _lists(places: Sequence[_Place], rng: Random) -> Iterator[SharedList]:
    """Draw wish lists that most of the other people in the address book share."""
    for each in places:
        if each.is_gift and rng.random() < 0.7:
            found = rng.sample(_every(), rng.randint(5, 8))
            yield SharedList(each.address.name, tuple(good.asin for good in found))


def draw_codes(rng: Random) -> Iterator[Code]:
    """Draw up to four discount codes with different names."""
    drawn = (_code(rng) for _ in range(rng.randint(0, 4)))
    yield from {code.name: code for code in drawn}.values()


def _code(rng: Random) -> Code:
    amount = rng.choice((5, 8, 10, 12, 15, 20))
    kind = rng.choice(list(kinds().values()))
    good_for = rng.choice(({}, {"department": kind.department}, {"kind": kind.name}))
    stem = next(iter(good_for.values()), rng.choice(_bank()["codes"]["all"]))
    is_percent = rng.random() < 0.6
    return Code(
        name=f"{stem.split()[-1].upper()}{amount}",
        percent=amount if is_percent else 0,
        cents=0 if is_percent else amount * 100,
        over=rng.choice((0, 2500, 4000, 6000)) if is_percent else amount * rng.choice((400, 600)),
        cap=rng.choice((0, 0, 1000, 2000)) if is_percent else 0,
        together=rng.random() < 0.3,
        until=rng.choice((None, TODAY + timedelta(days=rng.randint(5, 60)))),
        **good_for,
    )


# Orders ------------------------------------------------------------------------------------------


def _orders(so_many: int, places: Sequence[_Place], shop: _Shop) -> list[MarketOrder]:
    """Draw this number of orders in the order of their days, and return them with the
    newest first.
    """
    rng = shop.rng
    number, bought, found = FIRST_NUMBER + rng.randrange(MOST_BETWEEN), list[Good](), []
    for age in sorted(rng.sample(range(1, DAYS), so_many), reverse=True):
        number += rng.randint(1, MOST_BETWEEN)
        day, place = TODAY - timedelta(days=age), _place(places, rng)
        lines = tuple(_lines(bought, shop.stock, rng))
        found.append(_order(str(number), day, lines, place, shop))
    return found[::-1]


def _place(places: Sequence[_Place], rng: Random) -> _Place:
    return places[0] if rng.random() < 0.6 else rng.choice(places[1:])


def _lines(bought: list[Good], stock: Market, rng: Random) -> Iterator[MarketLine]:
    """Draw one to three lines of an order, all of different products, and add these products to
    `bought`.
    """
    inside: set[str] = set()
    for _ in range(rng.choice(LINES)):
        good = rng.choice(bought if bought and rng.random() < AGAIN else _every())
        if good.asin in inside:
            continue
        inside.add(good.asin)
        bought.append(good)
        yield MarketLine(
            asin=good.asin,
            cents=stock.line(good.asin).cents * rng.choice(SHARES) // 100,
            quantity=rng.choice(QUANTITIES),
            options={name: rng.choice(values) for name, values in good.options.items()},
            revision=rng.choice(REVISIONS) if good.kind.name in REVISED else "",
        )


def _order(
    number: str,
    placed: date,
    lines: tuple[MarketLine, ...],
    place: _Place,
    shop: _Shop,
) -> MarketOrder:
    rng = shop.rng
    able = [each for each in shop.rules.methods if pricing.goes_to(each, place.address.country)]
    method = rng.choices(able, [6, 3, 2, 1][: len(able)])[0]
    cost = _cost(lines, method, place, shop)
    status, delivered = _delivery(placed, method, rng)
    order = MarketOrder(
        number=number,
        placed=placed,
        status=status,
        lines=lines,
        ship_to=place.address,
        method=method.name,
        delivered=delivered,
        discount=cost.off,
        postage=cost.postage + cost.bulky,
        extras=cost.extras + cost.rounding,
        tax=cost.tax,
        gift_text=rng.choice(_bank()["gifts"]["texts"]) if place.is_gift else "",
    )
    return _paid_back(order, shop.stock, rng)


def _cost(lines: Sequence[MarketLine], method: Method, place: _Place, shop: _Shop) -> Quote:
    """Return the cost of an order by the shop's rules; one order in seven uses a code that was
    valid then.
    """
    stock, rng, rules = shop.stock, shop.rng, shop.rules
    then = [replace(stock.line(each.asin, each.quantity), cents=each.cents) for each in lines]
    codes = [Code("THEN", percent=rng.choice((5, 10)))] if rng.random() < 0.15 else []
    extras = [WRAP] if place.is_gift and rng.random() < 0.4 else []
    extras += [PLAN] if rng.random() < 0.05 else []
    known = [each for each in extras if each in rules.extras]
    return pricing.quote(then, rules, method.name, codes, known)


def _delivery(placed: date, method: Method, rng: Random) -> tuple[str, date | None]:
    """Draw the status of an order and the day of its delivery (None if it was not delivered)."""
    if rng.random() < 0.1:
        return CANCELED, None
    days = method.days + (rng.randint(1, 6) if rng.random() < 0.1 else -rng.randrange(2))
    delivered = pricing.arrives(placed, replace(method, days=max(1, days)))
    if delivered < TODAY:
        return COMPLETE, delivered
    return (PROCESSING if placed >= TODAY - timedelta(days=1) else SHIPPED), None


# Refunds -----------------------------------------------------------------------------------------


def _paid_back(order: MarketOrder, stock: Market, rng: Random) -> MarketOrder:
    """Return the order with randomly drawn refunds; an order with a discount gets none."""
    if order.delivered is None or order.discount:
        return order
    draw, day = rng.random(), order.delivered + timedelta(days=rng.randint(1, 12))
    if day > TODAY:
        return order
    if draw < 0.06:
        refunds = [_sent_back(each, day, stock) for each in order.lines]
        return replace(order, status=RETURNED, refunds=tuple(refunds))
    if draw < 0.2:
        return replace(order, refunds=(_in_part(rng.choice(order.lines), day, stock, rng),))
    if draw < 0.25 and order.postage:
        reason = _bank()["refunds"]["late"]
        return replace(order, refunds=(Refund(day, order.postage, reason),))
    return order


def _sent_back(line: MarketLine, day: date, stock: Market) -> Refund:
    reason = _bank()["refunds"]["back"]
    return Refund(day, line.total, f"{reason}: {stock.good(line.asin).name}")


def _in_part(line: MarketLine, day: date, stock: Market, rng: Random) -> Refund:
    """Draw a partial refund for an order's line: the price of one of several pieces, or a share of
    the price.
    """
    share = line.cents if line.quantity > 1 else line.cents * rng.choice((15, 25, 40, 50)) // 100
    reason = rng.choice(_bank()["refunds"]["line"])
    return Refund(day, share, f"{reason}: {stock.good(line.asin).name}")
