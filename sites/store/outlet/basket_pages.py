"""The outlet's basket, its checkout on a single page, and the page of its terms."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from flask import Blueprint, redirect, render_template, request
from werkzeug.wrappers import Response

from sites.site_app import Refusal, add_globals, check_csrf
from sites.store.account.customer import codes_of
from sites.store.account.operations import Invalid, raise_wrong
from sites.store.market import outdated
from sites.store.market.account.account import OUTLET
from sites.store.market.checkout import cart, checkout
from sites.store.market.checkout.cart_view import arrives, in_checkout, ordered, shown
from sites.store.market.offers import rules_of
from sites.store.market.service.help import EXTRAS
from sites.store.market.visit import has_cart
from sites.store.outlet import goods, operations, words
from sites.store.outlet.address import Shop
from sites.store.outlet.requests import enter_outlet, outlet_stock, read_choice
from sites.store.outlet.stock import OutletStock
from sites.store.outlet.visit import was_there
from sites.store.shop.requests import NUMBER, read_count, read_id, read_quantities, refusals_lead_to
from sites.store.shop.world import signed_in
from sites.world import World

_NUMBER = re.compile(r"\s*([0-9]{1,4})\s*")

pages = Blueprint("basket", __name__)


# The basket --------------------------------------------------------------------------------------


@pages.get("/<session>/basket")
def open_basket(session: str) -> str:
    """Return the page of the basket."""
    world = enter_outlet(session)
    with _back_home(world):
        cart.open_cart(world, OUTLET)
    return _basket(world, {}, {})


@pages.post("/<session>/basket/<slug>")
def add(session: str, slug: str) -> Response:
    """Put a product into the basket, and redirect to the basket."""
    world, stock = _enter(session)
    good = operations.good_at(slug)
    with _leads_to(Shop(session).item(good, {}), "Back to the item"):
        chosen = operations.choose(good, read_choice())
        number = _NUMBER.fullmatch(request.form.get("quantity", "1"))
        if number is None:
            raise Refusal(400, f"Put 1 to {cart.MOST} pieces into the basket.")
        outdated.check(world, stock, good.asin, OUTLET)
        cart.add(world, stock, good.asin, chosen, int(number[1]), OUTLET)
        outdated.put(world, stock, good.asin, OUTLET)
    return redirect(Shop(session).basket, 303)


@pages.post("/<session>/basket")
def change(session: str) -> Any:
    """Set the typed numbers of pieces of the basket's lines; the button of a line removes it."""
    world, stock = _enter(session)
    typed, gone = read_quantities(), request.form.get("remove", "")
    try:
        with _leads_to(Shop(session).basket, "See the basket"):
            cart.update(world, stock, _pieces({**typed, **({gone: "0"} if gone else {})}), OUTLET)
    except Invalid as wrong:
        return _basket(world, typed, _british(wrong.errors)), 400
    to_checkout = request.form.get("do") == "checkout"
    return redirect(Shop(session).checkout if to_checkout else Shop(session).basket, 303)


def _pieces(typed: Mapping[str, str]) -> dict[int, int]:
    """Return the typed numbers of pieces by the ids of the basket's lines; entries that name no
    line are left out.

    Raises:
        Invalid: With a sentence for each entry that is not a number.
    """
    found = {
        line: _NUMBER.fullmatch(text) for line, text in typed.items() if NUMBER.fullmatch(line)
    }
    raise_wrong({line: "" if number else cart.NO_NUMBER for line, number in found.items()})
    return {int(line): int(number[1]) for line, number in found.items() if number}


def _basket(world: World, typed: Mapping[str, str], errors: Mapping[str, str]) -> str:
    stock = outlet_stock(world)
    lines = cart.lines(world, OUTLET)
    return render_template(
        "basket.html",
        lines=shown(stock, lines),
        total=sum(each.total for each in cart.priced(stock, lines)),
        rules=rules_of(world, OUTLET),
        was=lambda asin: outdated.when_put(world, stock, asin, OUTLET),
        typed=typed,
        errors=errors,
        problem=_problems(world, stock).get("cart", "") if lines else "",
    )


# Checkout ----------------------------------------------------------------------------------------


@pages.get("/<session>/checkout")
def open_checkout(session: str) -> str:
    """Return the page of the checkout."""
    world = enter_outlet(session)
    with _leads_to(Shop(session).basket, "See the basket"):
        checkout.open_step(world, OUTLET, checkout.STEPS[-1])
    return _checkout(world, {})


@pages.post("/<session>/checkout")
def choose(session: str) -> Any:
    """Store the choices of the checkout, and use or drop a discount code."""
    world, stock = _enter(session)
    try:
        with _leads_to(Shop(session).basket, "See the basket"):
            _choose(world, stock)
    except Invalid as wrong:
        return _checkout(world, _british(wrong.errors)), 400
    return redirect(Shop(session).checkout, 303)


def _choose(world: World, stock: OutletStock) -> None:
    form = request.form
    if not cart.lines(world, OUTLET):
        raise Refusal(409, checkout.EMPTY)
    extras = form.getlist("extra") if rules_of(world, OUTLET).extras else None
    address, card = read_id("address"), read_id("card")
    checkout.choose(world, stock, OUTLET, address=address, extras=extras, card=card)
    if form.get("method") not in (None, checkout.state(world, OUTLET).method):
        checkout.choose(world, stock, OUTLET, method=form["method"])
    for name in form.getlist("drop"):
        checkout.drop_code(world, stock, OUTLET, name)
    if form.get("code", "").strip() or form.get("do") == "code":
        checkout.add_code(world, stock, OUTLET, form.get("code", ""))


@pages.post("/<session>/checkout/order")
def place(session: str) -> Response:
    """Place the order of the basket, and redirect to its receipt."""
    world, stock = _enter(session)
    after = read_count("orders")
    with _leads_to(*_onward(world, after)):
        order = checkout.place(world, stock, OUTLET, after, request.form.get("seen", ""))
    return redirect(Shop(session).bought(order.number), 303)


def _onward(world: World, after: int) -> tuple[str, str]:
    """Return the address and the label of the link that a refused order shows.

    The link leads to the receipt of an order placed since the page was made, or else to the
    checkout.
    """
    here, last = Shop(world.session), checkout.last_order(world, OUTLET, after)
    return (
        (here.bought(last), "See the receipt")
        if last
        else (here.checkout, "Look at the order again")
    )


def _checkout(world: World, errors: Mapping[str, str]) -> str:
    stock = outlet_stock(world)
    return render_template(
        "checkout.html",
        **in_checkout(world, stock, OUTLET),
        codes=codes_of(world),
        extra_names=EXTRAS,
        problems=_problems(world, stock),
        errors=errors,
        typed=request.form,
    )


def _problems(world: World, stock: OutletStock) -> dict[str, str]:
    if not signed_in(world):
        return {}
    return _british(checkout.problems(world, stock, OUTLET))


def _british(sentences: Mapping[str, str]) -> dict[str, str]:
    return {name: words.british(sentence) for name, sentence in sentences.items()}


@pages.get("/<session>/receipts/<number>")
def receipt(session: str, number: str) -> str:
    """Return the receipt page of an order from the basket."""
    world = enter_outlet(session)
    with _back_home(world):
        found = checkout.open_receipt(world, number, OUTLET)
    return render_template(
        "bought.html",
        found=found,
        order=found.order,
        lines=ordered(outlet_stock(world), found.order),
        arrives=arrives(world, found.order),
    )


# Terms -------------------------------------------------------------------------------------------


@pages.get("/<session>/help")
def open_help(session: str) -> str:
    """Return the page of the outlet's terms."""
    world = enter_outlet(session)
    with _back_home(world):
        operations.open_help(world)
    return render_template("help.html", rules=rules_of(world, OUTLET))


# What every page shows ---------------------------------------------------------------------------

add_globals(
    pages,
    british=words.british,
    code_rule=words.rule,
    has_cart=has_cart,
    knows_terms=operations.knows_terms,
    pieces=lambda world: cart.pieces(world, OUTLET),
    recently=operations.recently,
    sold_good=lambda asin: goods.sold()[asin],
    rules_of=lambda world: rules_of(world, OUTLET),
    was_there=was_there,
    words=lambda: words,
)


def _enter(session: str) -> tuple[World, OutletStock]:
    """Return the visit's database and the outlet's stock for a request that changes something."""
    world = enter_outlet(session)
    check_csrf()
    with _back_home(world):
        cart.check_cart(world)
    return world, outlet_stock(world)


def _back_home(world: World) -> Any:
    return _leads_to(Shop(world.session).home, "Back to the outlet")


@contextmanager
def _leads_to(link: str, label: str) -> Iterator[None]:
    """Add a link to refusals that are raised in this context manager, and word them as the outlet
    does.
    """
    try:
        with refusals_lead_to(link, label):
            yield
    except Refusal as refusal:
        refusal.sentence = words.british(refusal.sentence)
        raise
