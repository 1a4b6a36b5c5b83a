"""The checkout at the market: the choices at each step, the cost, and placing the order.

Every operation raises `Refusal`, or `Invalid` with a sentence per field, for something that the
shop does not accept, and then changes nothing.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import astuple, dataclass, replace
from datetime import date
from typing import Any

from sites.site_app import Refusal
from sites.store.account.account import Address
from sites.store.account.customer import cards_of, codes_of, order_of
from sites.store.account.operations import Invalid, raise_wrong
from sites.store.account.orders import SIGN_IN
from sites.store.catalogue.clock import TODAY, spoken
from sites.store.market import pricing
from sites.store.market.account.account import STORE, MarketLine, MarketOrder
from sites.store.market.checkout import cart
from sites.store.market.goods.stock import Market
from sites.store.market.offers import rules_of
from sites.store.market.pricing import Code, Method, Quote, ShopRules
from sites.store.market.service.help import dollars
from sites.store.market.shops import journal_options
from sites.store.shop.address import split_query
from sites.store.shop.journal import log_page
from sites.store.shop.world import addresses_of, signed_in, write_order
from sites.world import World

STEPS = ("address", "delivery", "extras", "payment", "review")
SUBSCRIPTION = pricing.SUBSCRIPTION
"""The name of the extra that repeats an order monthly, in a shop's `preset` and in the `chosen`
extras of an order.
"""
LONGEST_GIFT_TEXT = 200
FIRST_NUMBER = 300_000_001
STATUS = "Processing"
EMPTY = "Your cart is empty. Put something into it, then check out."


@dataclass(frozen=True)
class State:
    """The choices made in a checkout.

    The ids `address` and `card` are None if the customer has none.
    """

    address: int | None = None
    method: str = ""
    gift_text: str = ""
    extras: tuple[str, ...] = ()
    codes: tuple[str, ...] = ()
    card: int | None = None
    subscribed: bool = False


# Choices ------------------------------------------------------------------------------------------


def open_step(world: World, shop: str, step: str) -> State:
    """Return the choices made so far, and record that a step of the checkout was opened. Raises
    `Refusal` (404, or 409 if the cart is empty).
    """
    if step not in STEPS:
        raise Refusal(404, "Checkout has no such step. Go on from your cart.")
    found = state(world, shop)
    if not cart.lines(world, shop):
        raise Refusal(409, EMPTY)
    log_page(world, "checkout", options=journal_options(shop, step=step))
    return found


def state(world: World, shop: str = STORE) -> State:
    """Return the choices in this shop's checkout; the preset choices if none were made."""
    _check(world)
    rows = world.read("SELECT * FROM checkouts WHERE shop = ?", (shop,))
    if not rows:
        return _preset(world, shop)
    row = rows[0]
    return State(
        row["address"],
        row["method"],
        row["gift_text"],
        tuple(json.loads(row["extras"])),
        tuple(json.loads(row["codes"])),
        row["card"],
        bool(row["subscribed"]),
    )


def _preset(world: World, shop: str) -> State:
    rules, book = rules_of(world, shop), addresses_of(world)
    country = next(iter(book.values())).country if book else pricing.HOME
    going = [each.name for each in rules.methods if pricing.goes_to(each, country)]
    named = [name for name in going if name in rules.preset]
    return State(
        address=next(iter(book), None),
        method=next(iter([*named, *going]), ""),
        extras=tuple(sorted(name for name in rules.extras if name in rules.preset)),
        card=next(iter(cards_of(world)), None),
        subscribed=SUBSCRIPTION in rules.preset,
    )


def choose(
    world: World,
    stock: Market,
    shop: str = STORE,
    *,
    address: int | None = None,
    method: str | None = None,
    gift_text: str | None = None,
    extras: Iterable[str] | None = None,
    card: int | None = None,
    subscribed: bool | None = None,
) -> State:
    """Change the choices of the checkout that are given, keep the others, and return all.

    Args:
        extras: All extras that the order shall have. The previous extras are replaced.

    Raises:
        Invalid: A choice is not possible.
    """
    with world.lock:
        old = state(world, shop)
        given: dict[str, Any] = {
            "address": address,
            "method": method,
            "gift_text": None if gift_text is None else " ".join(split_query(gift_text)),
            "extras": None if extras is None else tuple(sorted(set(extras))),
            "card": card,
            "subscribed": subscribed,
        }
        changed = {name: value for name, value in given.items() if value is not None}
        new = replace(old, **changed)
        wrong = _wrong(world, shop, new)
        raise_wrong({name: wrong[name] for name in changed if name in wrong})
        _keep(world, shop, new)
        return new


def _wrong(world: World, shop: str, new: State) -> dict[str, str]:
    """Return an error message for each field of the checkout whose choice is not possible."""
    rules, book = rules_of(world, shop), addresses_of(world)
    wrong = {
        "address": _wrong_address(rules, book, new),
        "method": _wrong_method(rules, book, new),
        "gift_text": "",
        "extras": "",
        "card": "" if new.card in cards_of(world) else "Choose one of your cards.",
    }
    if len(new.gift_text) > LONGEST_GIFT_TEXT:
        most = f"at most {LONGEST_GIFT_TEXT} characters, not {len(new.gift_text)}"
        wrong["gift_text"] = f"Write {most}."
    if not set(new.extras) <= set(rules.extras):
        wrong["extras"] = f"Choose from {', '.join(rules.extras) or 'nothing'}."
    return {name: sentence for name, sentence in wrong.items() if sentence}


def _wrong_address(rules: ShopRules, book: Mapping[int, Address], new: State) -> str:
    if new.address is None or new.address not in book:
        return "Choose one of your addresses."
    country = book[new.address].country
    if not any(pricing.goes_to(each, country) for each in rules.methods):
        return f"Nothing can be delivered to {country}. Choose another address."
    return ""


def _wrong_method(rules: ShopRules, book: Mapping[int, Address], new: State) -> str:
    named = {each.name: each for each in rules.methods}
    if new.method not in named:
        return "Choose how it is delivered."
    country = _country(book, new)
    if not pricing.goes_to(named[new.method], country):
        return f"{new.method} does not deliver to {country}. Choose another way."
    return ""


def _country(book: Mapping[int, Address], chosen: State) -> str:
    """Return the country of the chosen address; without an address, the shop's own country."""
    address = None if chosen.address is None else book.get(chosen.address)
    return pricing.HOME if address is None else address.country


def deliveries(world: World, shop: str = STORE) -> list[tuple[Method, date]]:
    """Return the delivery methods that serve the chosen address, each with the last day
    of arrival.
    """
    country = _country(addresses_of(world), state(world, shop))
    going = [each for each in rules_of(world, shop).methods if pricing.goes_to(each, country)]
    return [(each, pricing.arrives(TODAY, each)) for each in going]


# Codes -------------------------------------------------------------------------------------------


def add_code(world: World, stock: Market, shop: str, name: str) -> State:
    """Use a discount code of the wallet for the order; letter case is ignored. Raises `Invalid`."""
    with world.lock:
        old = state(world, shop)
        known = {each.casefold(): code for each, code in codes_of(world).items()}
        asked = " ".join(split_query(name))
        code = known.get(asked.casefold())
        sentence = _wrong_code(world, stock, shop, asked, code)
        if sentence or code is None:
            raise Invalid({"code": sentence})
        new = replace(old, codes=(*old.codes, code.name))
        _keep(world, shop, new)
        return new


def _wrong_code(world: World, stock: Market, shop: str, asked: str, code: Code | None) -> str:
    used = [codes_of(world)[name] for name in state(world, shop).codes]
    if not asked:
        return "Enter a code."
    if code is None:
        return "We know no such code. Your codes are in your wallet."
    if code in used:
        return f"{code.name} is used in this order already."
    if code.until is not None and code.until < TODAY:
        return f"{code.name} was good until {spoken(code.until)} only."
    if pricing.clashes([*used, code]):
        return f"{code.name} and {used[0].name} cannot be used in one order. Remove one of them."
    found = cart.priced(stock, cart.lines(world, shop))
    if not pricing.is_due(code, found, rules_of(world, shop).threes):
        return f"{code.name} takes nothing off what is in your cart. See its rules in your wallet."
    return ""


def drop_code(world: World, stock: Market, shop: str, name: str) -> State:
    """Remove a discount code from the order, if the order uses it."""
    with world.lock:
        old = state(world, shop)
        kept = tuple(each for each in old.codes if each.casefold() != name.strip().casefold())
        new = replace(old, codes=kept)
        if new != old:
            _keep(world, shop, new)
        return new


# The order ---------------------------------------------------------------------------------------


def quoted(world: World, stock: Market, shop: str = STORE, *, method: str = "") -> Quote:
    """Return the cost of the cart with the current choices, or with another delivery method."""
    chosen, rules = state(world, shop), rules_of(world, shop)
    usable = [code for name, code in codes_of(world).items() if name in chosen.codes]
    way = method or chosen.method or rules.methods[0].name
    found = cart.priced(stock, cart.lines(world, shop))
    return pricing.quote(found, rules, way, usable, chosen.extras)


def problems(world: World, stock: Market, shop: str = STORE) -> dict[str, str]:
    """Return the reasons why the order cannot be placed.

    Returns:
        A sentence for each step with a problem, by the step's name or "cart".
    """
    wrong = _wrong(world, shop, state(world, shop))
    found = {
        "cart": " ".join(_wrong_cart(world, stock, shop)),
        "address": wrong.get("address", ""),
        "delivery": "" if "address" in wrong else wrong.get("method", ""),
        "payment": wrong.get("card", ""),
    }
    return {step: sentence for step, sentence in found.items() if sentence}


def _wrong_cart(world: World, stock: Market, shop: str) -> Iterator[str]:
    found, least = cart.lines(world, shop), rules_of(world, shop).minimum
    if not found:
        yield EMPTY
    for asin in dict.fromkeys(line.asin for line in found):
        pieces = sum(line.quantity for line in found if line.asin == asin)
        short = cart.shortage(stock, asin, pieces)
        if short:
            yield f"{short} Change your cart."
    goods = sum(line.total for line in cart.priced(stock, found))
    if found and goods < least:
        yield f"An order must come to {dollars(least)} in goods; your cart holds {dollars(goods)}."


def order_count(world: World) -> int:
    """Return the number of orders in the visit's database; a form holds the number at the time when
    it was rendered, to prevent double orders.
    """
    return int(world.read("SELECT count(*) AS number FROM market_orders")[0]["number"])


def last_order(world: World, shop: str, after: int) -> str:
    """Return the number of the last order that was placed in this shop since a form was rendered.

    Args:
        after: The `order_count` in the form.

    Returns:
        The number, or "" if no order was placed since.
    """
    rows = world.read(
        "SELECT number FROM market_orders WHERE shop = ? AND card <> '' AND rowid > ?"
        " ORDER BY rowid DESC LIMIT 1",
        (shop, after),
    )
    return str(rows[0]["number"]) if rows else ""


def as_seen(world: World, stock: Market, shop: str = STORE) -> str:
    """Return a digest of everything that the review page of an order shows: the cart, the choices
    and the cost.
    """
    shown = [
        [(line.asin, sorted(line.options.items()), line.quantity)
         for line in cart.lines(world, shop)],
        astuple(state(world, shop)),
        vars(quoted(world, stock, shop)),
    ]  # fmt: skip
    return hashlib.sha256(json.dumps(shown, default=str).encode()).hexdigest()[:16]


def place(
    world: World, stock: Market, shop: str, after: int, seen: str | None = None
) -> MarketOrder:
    """Place an order for the cart with the current choices.

    Args:
        after: The `order_count` when the form was rendered.
        seen: The digest `as_seen` of the review that the form belongs to; None skips this
            check.

    Raises:
        Refusal: An order was placed since then, the review has changed, or a choice is
            missing or not possible (409).
    """
    with world.lock:
        if after != order_count(world):
            sentence = "You have ordered since this page was made, so nothing was ordered now."
            raise Refusal(409, f"{sentence} See your orders, or look at the cart again.")
        found = problems(world, stock, shop)
        if found:
            raise Refusal(409, " ".join(found.values()))
        if seen is not None and seen != as_seen(world, stock, shop):
            sentence = "Your order has changed since this page was made, so nothing was ordered."
            raise Refusal(409, f"{sentence} Look at it again, then place it.")
        return _place(world, stock, shop)


def _place(world: World, stock: Market, shop: str) -> MarketOrder:
    chosen, quote = state(world, shop), quoted(world, stock, shop)
    assert chosen.address is not None and chosen.card is not None  # `problems` reports these
    order = MarketOrder(
        number=_next_number(world),
        placed=TODAY,
        status=STATUS,
        lines=tuple(
            MarketLine(line.asin, stock.line(line.asin).cents, line.quantity, line.options)
            for line in cart.lines(world, shop)
        ),
        ship_to=addresses_of(world)[chosen.address],
        shop=shop,
        method=chosen.method,
        discount=quote.off,
        postage=quote.postage + quote.bulky,
        extras=quote.extras + quote.rounding,
        tax=quote.tax,
        gift_text=chosen.gift_text,
    )
    due = tuple(name for name, cents in quote.codes.items() if cents)
    extras = (*chosen.extras, *[SUBSCRIPTION] * chosen.subscribed)
    write_order(world, order, due, extras, cards_of(world)[chosen.card].name)
    world.write("DELETE FROM cart_lines WHERE shop = ? AND saved = 0", (shop,))
    world.write("DELETE FROM checkouts WHERE shop = ?", (shop,))
    return order


def _next_number(world: World) -> str:
    rows = world.read("SELECT number FROM market_orders")
    used = [int(row["number"]) for row in rows if row["number"].isdecimal()]
    return str(max([FIRST_NUMBER - 1, *used]) + 1)


@dataclass(frozen=True)
class Receipt:
    """An order of this visit with data for its receipt: codes, extras and card."""

    order: MarketOrder
    codes: tuple[str, ...]
    extras: tuple[str, ...]
    card: str


def open_receipt(world: World, number: str, shop: str = STORE) -> Receipt:
    """Return the receipt of an order, and record that it was opened. Raises `Refusal` (404) if the
    visit placed no such order.
    """
    _check(world)
    order = order_of(world, number, shop)
    sql = "SELECT codes, chosen, card FROM market_orders WHERE number = ? AND card <> ''"
    rows = world.read(sql, (number,))
    if order is None or not rows:
        raise Refusal(404, "You have no such order. See your orders.")
    log_page(world, "receipt", options=journal_options(shop), number=int(number))
    codes, extras = json.loads(rows[0]["codes"]), json.loads(rows[0]["chosen"])
    return Receipt(order, tuple(codes), tuple(extras), rows[0]["card"])


def _check(world: World) -> None:
    if not signed_in(world):
        raise Refusal(404, SIGN_IN)
    cart.check_cart(world)


def _keep(world: World, shop: str, new: State) -> None:
    values: tuple[Any, ...] = (
        shop,
        new.address,
        new.method,
        new.gift_text,
        json.dumps(new.extras),
        json.dumps(new.codes),
        new.card,
        int(new.subscribed),
    )
    world.write("INSERT OR REPLACE INTO checkouts VALUES (?, ?, ?, ?, ?, ?, ?, ?)", values)
