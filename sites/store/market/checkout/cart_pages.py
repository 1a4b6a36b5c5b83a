"""The pages of the market's cart and checkout, and the summary of the cart on every page."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from flask import Blueprint, redirect, render_template, request
from werkzeug.wrappers import Response

from sites.site_app import Refusal, add_globals, check_csrf, enter
from sites.store.account.customer import codes_of, notes_of
from sites.store.account.operations import Invalid, raise_wrong
from sites.store.catalogue.clock import TODAY, long_day
from sites.store.catalogue.product import Product
from sites.store.market import outdated, pricing
from sites.store.market.account.account import STORE
from sites.store.market.checkout import cart, checkout, trimmed
from sites.store.market.checkout.cart_view import (
    Shown,
    arrives,
    in_checkout,
    method_of,
    ordered,
    shown,
)
from sites.store.market.goods.stock import Market
from sites.store.market.offers import rules_of
from sites.store.market.pricing import PLAN, ROUND_UP, WRAP, Code, Quote
from sites.store.market.service.help import EXTRAS, dollars
from sites.store.market.visit import has_cart
from sites.store.shop import operations
from sites.store.shop.address import Visit
from sites.store.shop.requests import (
    read_count,
    read_id,
    read_number,
    read_options,
    read_quantities,
    refusals_lead_to,
    stock_of,
)
from sites.store.shop.world import signed_in
from sites.world import World

ABOUT = {
    PLAN: "Repairs for two years.",
    WRAP: "All items in one box, in paper and ribbon.",
    ROUND_UP: "To the next whole dollar; the difference goes to a food bank.",
    checkout.SUBSCRIPTION: "The same order again every month, until you cancel it.",
}
TITLES = {name: name.capitalize() for name in checkout.STEPS}
_QUANTITY = re.compile(r"\s*(-?[0-9]{1,9})\s*")

pages = Blueprint("cart", __name__)


# The cart ----------------------------------------------------------------------------------------


@pages.get("/cart/<session>")
def open_cart(session: str) -> str:
    world = enter(session)
    with _back_to_search(world):
        cart.open_cart(world)
    return _cart(world, {}, {})


@pages.post("/cart/<session>/<asin>/<options>")
def add(session: str, asin: str, options: str) -> Response:
    world, stock = _enter(session)
    wanted = read_options(options)
    with refusals_lead_to(Visit(session).item(asin, {}), "Back to the item"):
        typed = request.form.get("quantity", "1")
        number = _QUANTITY.fullmatch(typed)
        if number is None:
            raise Refusal(400, f"Put 1 to {cart.MOST} pieces into the cart.")
        outdated.check(world, stock, asin)
        cart.add(world, stock, asin, wanted, int(number[1]))
        outdated.put(world, stock, asin)
    return redirect(Visit(session).cart, 303)


@pages.post("/cart/<session>")
def change(session: str) -> Any:
    """Handle any button of the cart's form, and change the quantities that were typed."""
    world, stock = _enter(session)
    form = request.form
    typed = read_quantities()
    try:
        with refusals_lead_to(Visit(session).cart, "See the cart"):
            _change(world, stock, typed)
    except Invalid as wrong:
        return _cart(world, typed, wrong.errors), 400
    to_checkout = form.get("do") == "checkout"
    return redirect(_first_step(world) if to_checkout else Visit(session).cart, 303)


def _first_step(world: World) -> str:
    return Visit(world.session).checkout(checkout.STEPS[0])


def _change(world: World, stock: Market, typed: Mapping[str, str]) -> None:
    form = request.form
    acted = [form[name] for name in ("remove", "save", "back") if name in form]
    cart.update(world, stock, _quantities({k: v for k, v in typed.items() if k not in acted}))
    if "remove" in form:
        cart.change(world, stock, read_number(form["remove"]), 0)
    for name in ("save", "back"):
        if name in form:
            cart.save(world, read_number(form[name]), name == "save")


def _quantities(typed: Mapping[str, str]) -> dict[int, int]:
    """Return the typed quantities as numbers, by the ids of the cart's lines.

    Raises `Invalid`, with a sentence for each text that is no number.
    """
    found = {line: _QUANTITY.fullmatch(text) for line, text in typed.items()}
    raise_wrong({line: "" if number else cart.NO_NUMBER for line, number in found.items()})
    return {read_number(line): int(number[1]) for line, number in found.items() if number}


def _cart(world: World, typed: Mapping[str, str], errors: Mapping[str, str]) -> str:
    stock = _market(world)
    lines = cart.lines(world)
    goods = cart.priced(stock, lines)
    return render_template(
        "market/cart.html",
        lines=shown(stock, lines),
        saved=shown(stock, cart.saved(world)),
        stock=stock,
        was=partial(outdated.when_put, world, stock),
        total=sum(line.total for line in goods),
        free=pricing.threes(goods, rules_of(world, STORE).threes),
        typed=typed,
        errors=errors,
        problem=checkout.problems(world, stock).get("cart", "") if signed_in(world) else "",
    )


# Checkout ----------------------------------------------------------------------------------------


@pages.get("/checkout/<session>")
def begin(session: str) -> Response:
    return redirect(_first_step(enter(session)))


@pages.get("/checkout/<session>/<step>")
def open_step(session: str, step: str) -> str:
    world = enter(session)
    with refusals_lead_to(Visit(session).cart, "See the cart"):
        checkout.open_step(world, STORE, step)
    return _step(world, step)


@pages.post("/checkout/<session>/<step>")
def choose(session: str, step: str) -> Any:
    world, stock = _enter(session)
    if step not in _TAKES:
        raise Refusal(404, "Checkout has no such step. Go on from your cart.")
    try:
        with refusals_lead_to(Visit(session).cart, "See the cart"):
            _TAKES[step](world, stock)
    except Invalid as wrong:
        return _step(world, step, wrong.errors), 400
    stay = request.form.get("do") == "stay" or "drop" in request.form
    following = step if stay else checkout.STEPS[checkout.STEPS.index(step) + 1]
    return redirect(Visit(session).checkout(following), 303)


def _take_address(world: World, stock: Market) -> None:
    checkout.choose(world, stock, address=read_id("address") or 0)


def _take_method(world: World, stock: Market) -> None:
    checkout.choose(world, stock, method=request.form.get("method", ""))


def _take_extras(world: World, stock: Market) -> None:
    ticked = request.form.getlist("extra")
    checkout.choose(
        world,
        stock,
        gift_text=request.form.get("gift_text", ""),
        extras=[name for name in ticked if name != checkout.SUBSCRIPTION],
        subscribed=checkout.SUBSCRIPTION in ticked,
    )


def _take_payment(world: World, stock: Market) -> None:
    """Store the choices of the checkout's payment form: the card, the discount codes to drop, and
    the code that was typed.
    """
    if "card" in request.form:
        checkout.choose(world, stock, card=read_id("card"))
    for name in request.form.getlist("drop"):
        checkout.drop_code(world, stock, STORE, name)
    typed = request.form.get("code", "")
    if typed.strip() or request.form.get("do") == "stay":
        checkout.add_code(world, stock, STORE, typed)


_TAKES = {
    "address": _take_address,
    "delivery": _take_method,
    "extras": _take_extras,
    "payment": _take_payment,
}


@pages.post("/checkout/<session>/review/without")
def leave_out(session: str) -> Response:
    """Remove an extra (such as gift wrapping) from the order and show the order's review page
    again.
    """
    world, stock = _enter(session)
    name, chosen = request.form.get("extra", ""), checkout.state(world)
    kept = [each for each in chosen.extras if each != name]
    subscribed = chosen.subscribed and name != checkout.SUBSCRIPTION
    checkout.choose(world, stock, extras=kept, subscribed=subscribed)
    return redirect(Visit(session).checkout("review"), 303)


@pages.post("/checkout/<session>/review/order")
def place(session: str) -> Response:
    world, stock = _enter(session)
    after, visit = read_count("orders"), Visit(session)
    with refusals_lead_to(*_onward(world, after)):
        order = checkout.place(world, stock, STORE, after, request.form.get("seen", ""))
    return redirect(visit.receipt(order.number), 303)


def _onward(world: World, after: int) -> tuple[str, str]:
    """Return the address and the label of the link that a refused order shows.

    It is the receipt of an order that was placed since, else the review or the cart.
    """
    visit, last = Visit(world.session), checkout.last_order(world, STORE, after)
    if last:
        return visit.receipt(last), "See the receipt"
    if cart.lines(world):
        return visit.checkout("review"), "Look at the order again"
    return visit.cart, "See the cart"


@pages.get("/receipt/<session>/<number>")
def receipt(session: str, number: str) -> str:
    world = enter(session)
    with _back_to_search(world):
        found = checkout.open_receipt(world, number)
    return render_template(
        "market/receipt.html",
        found=found,
        order=found.order,
        lines=ordered(_market(world), found.order),
        arrives=long_day(arrives(world, found.order)),
        names=_extra_names(),
    )


def _step(world: World, step: str, errors: Mapping[str, str] | None = None) -> str:
    stock, address = _market(world), Visit(world.session).checkout(step)
    values = in_checkout(world, stock, STORE)
    return render_template(
        f"market/checkout_{step}.html",
        step=step,
        titles=TITLES,
        errors=errors or {},
        typed=request.form,
        problems=checkout.problems(world, stock),
        notes=notes_of(world),
        method=method_of(world, STORE, values["chosen"].method),
        extras=_extras(world, stock, values["quote"]),
        names=_extra_names(),
        about=ABOUT,
        today=TODAY,
        most=trimmed.most(world),
        sent_to=trimmed.kept(address),
        longer=(trimmed.LONGER, trimmed.longer(address)),
        **values,
    )


def _extras(world: World, stock: Market, quote: Quote) -> dict[str, int]:
    """Return the price of each extra (such as gift wrapping) for this order, in cents."""
    prices = dict(rules_of(world, STORE).extras)
    if ROUND_UP in prices:
        before = quote.total - quote.rounding
        prices[ROUND_UP] = -before % pricing.WHOLE_DOLLAR
    return {**prices, checkout.SUBSCRIPTION: 0}


def _extra_names() -> dict[str, str]:
    return {**EXTRAS, checkout.SUBSCRIPTION: "Subscription"}


# On every page ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Strip:
    """The summary strip on every page: the cart, the discount codes of the wallet, and the products
    that were opened last.
    """

    pieces: int
    lines: tuple[Shown, ...]
    codes: tuple[Code, ...]
    recent: tuple[Product, ...]


def strip(world: World) -> Strip:
    stock = _market(world)
    asins = [code for page, code in operations.recently(world) if page == "item"]
    return Strip(
        cart.pieces(world),
        tuple(shown(stock, cart.lines(world))),
        tuple(codes_of(world).values()),
        tuple(operations.product(stock, asin) for asin in asins),
    )


def in_short(code: Code) -> str:
    """Return a few words about a discount code, such as "10% off, $50.00 or more"."""
    off = f"{code.percent}%" if code.percent else dollars(code.cents)
    named = [each for each in (code.kind, code.brand, code.department) if each]
    over = [f"{dollars(code.over)} or more"] if code.over else []
    expired = ["expired"] if code.until is not None and code.until < TODAY else []
    return ", ".join([f"{off} off", *named, *over, *expired])


add_globals(pages, has_cart=has_cart, strip=strip, in_short=in_short, long_day=long_day)


def _enter(session: str) -> tuple[World, Market]:
    """Return the visit's database and stock for a request that changes the cart. Raises `Refusal`
    if the visit has no cart.
    """
    world = enter(session)
    check_csrf()
    with _back_to_search(world):
        cart.check_cart(world)
    return world, _market(world)


def _back_to_search(world: World) -> Any:
    return refusals_lead_to(Visit(world.session).index, "Back to Search")


def _market(world: World) -> Market:
    """Return the market's stock for this visit. Raises `Refusal` if the visit has no cart."""
    stock = stock_of(world)
    if not isinstance(stock, Market):
        cart.check_cart(world)
    assert isinstance(stock, Market)  # only worlds of the market have carts
    return stock
