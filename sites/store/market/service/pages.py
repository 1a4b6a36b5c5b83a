"""The pages for returns and claims, for visitors who have a return policy or promises of
the shop.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from flask import Blueprint, redirect, render_template, request
from werkzeug.wrappers import Response

from sites.site_app import Refusal, add_globals, check_csrf, enter
from sites.store.account.operations import Invalid
from sites.store.catalogue.product import Product
from sites.store.market.goods.stock import Market
from sites.store.market.service import claims, returns
from sites.store.market.service.help import dollars
from sites.store.shop import formats
from sites.store.shop.address import Visit
from sites.store.shop.requests import read_number, refusals_lead_to, stock_of
from sites.world import World

pages = Blueprint("service", __name__)


# Returns -----------------------------------------------------------------------------------------


@pages.get("/returns/<session>")
def all_returns(session: str) -> str:
    world = enter(session)
    with refusals_lead_to(Visit(session).index, "Back to Search"):
        found = returns.open_returns(world)
    return render_template("market/returns.html", found=found, stock=_market(world))


@pages.get("/returns/<session>/<number>/<asin>")
def return_form(session: str, number: str, asin: str) -> str:
    world = enter(session)
    with refusals_lead_to(Visit(session).order(number), "Back to the order"):
        returns.open_form(world, number, asin)
    return _return_form(world, number, asin, {})


@pages.post("/returns/<session>/<number>/<asin>")
def send_back(session: str, number: str, asin: str) -> Any:
    world = enter(session)
    check_csrf()
    stock, form = _market(world), request.form
    try:
        with refusals_lead_to(Visit(session).order(number), "Back to the order"):
            returns.send_back(world, stock, number, asin, form)
    except Invalid as wrong:
        return _return_form(world, number, asin, wrong.errors), 400
    return redirect(Visit(session).order(number), 303)


@pages.post("/returns/<session>")
def take_back(session: str) -> Response:
    world = enter(session)
    check_csrf()
    with refusals_lead_to(Visit(session).returns, "Returns"):
        returns.take_back(world, read_number(request.form.get("return", "")))
    return redirect(Visit(session).returns, 303)


def _return_form(world: World, number: str, asin: str, errors: Mapping[str, str]) -> str:
    policy, good = returns.RULES.of(world), _market(world).good(asin)
    line = returns.lines(world)[number, asin]
    return render_template(
        "market/return.html",
        number=number,
        line=line,
        good=good,
        ways=policy.ways(good, line),
        typed=request.form,
        errors=errors,
        fields=returns.FIELDS,
    )


# Claims ------------------------------------------------------------------------------------------


@pages.get("/claim/<session>")
def claim(session: str) -> str:
    world = enter(session)
    with refusals_lead_to(Visit(session).index, "Back to Search"):
        claims.open_claim(world)
    return _claim(world, {})


@pages.post("/claim/<session>")
def change_claim(session: str) -> Any:
    world, form = enter(session), request.form
    check_csrf()
    with refusals_lead_to(Visit(session).claim, "See the claim"):
        if "remove" in form:
            claims.remove_row(world, read_number(form["remove"]))
        elif form.get("do") == "send":
            claims.send(world, [read_number(each) for each in form.getlist("row")])
        else:
            try:
                number, reason = form.get("order_number", ""), form.get("reason", "")
                amount = formats.read_amount(world, form.get("amount", ""))
                claims.add_row(world, number, reason, amount)
            except Invalid as wrong:
                return _claim(world, wrong.errors), 400
    return redirect(Visit(session).claim, 303)


def _claim(world: World, errors: Mapping[str, str]) -> str:
    written = claims.rows(world)
    return render_template(
        "market/claim.html",
        sent=[row for row in written if row.claim is not None],
        rows=[row for row in written if row.claim is None],
        reasons=claims.REASONS,
        typed=request.form if errors else {},
        errors=errors,
    )


# On other pages ----------------------------------------------------------------------------------


def service_ways(world: World) -> list[tuple[str, str, str]]:
    """Return the links to returns and claims that the page header adds, each as (name of the page,
    address, label).
    """
    here = Visit(world.session)
    found = [("returns", here.returns, "Returns")] if returns.RULES.has(world) else []
    found += [("claim", here.claim, "Claim")] if claims.PROMISES.has(world) else []
    return found


def price_history(world: World, product: Product) -> list[tuple[date, str]]:
    if not claims.PROMISES.has(world):
        return []
    found = claims.history(world, product.asin, round(product.price * 100))
    return [(day, dollars(cents)) for day, cents in found]


add_globals(
    pages,
    can_go=returns.can_go,
    final_sale=returns.final_sale,
    has_returns=returns.RULES.has,
    price_history=price_history,
    returned=returns.returned,
    service_ways=service_ways,
)


def _market(world: World) -> Market:
    """Return the market's stock. Raises `Refusal` (404) for a visitor to another stock."""
    stock = stock_of(world)
    if not isinstance(stock, Market):
        raise Refusal(404, returns.NO_RETURNS)
    return stock
