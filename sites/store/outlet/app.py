"""The outlet's pages: each parses its address, calls one operation and renders one template."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from flask import Blueprint, Flask, current_app, redirect, render_template, request
from werkzeug.wrappers import Response

from sites import careless, dials
from sites.site_app import Refusal, check_csrf, create_site, csrf_token
from sites.store.catalogue import pictures
from sites.store.market import outdated
from sites.store.market.account.account import OUTLET
from sites.store.market.goods import wording
from sites.store.market.goods.charts import SIZE, Chart, chart, is_worn
from sites.store.market.goods.goods import Good
from sites.store.market.goods.reviews import rating
from sites.store.market.goods.stock import CARD_ROWS, Market
from sites.store.market.goods.units import METRIC
from sites.store.market.service.help import dollars
from sites.store.market.visit import has_cart
from sites.store.outlet import basket_pages, goods, operations
from sites.store.outlet.address import Shop, named
from sites.store.outlet.operations import KIND, MAKER, REVIEWS, SORT, SORTS, STEP
from sites.store.outlet.requests import (
    enter_outlet,
    listed_stock,
    outlet_stock,
    read_choice,
)
from sites.store.outlet.visit import other_shop
from sites.store.outlet.words import day, label
from sites.store.shop import formats
from sites.store.shop.requests import read_count, read_number, refusals_lead_to, site_data
from sites.world import World, Worlds

pages = Blueprint("outlet", __name__)
SCRIPTED = frozenset({"basket.open_basket"})
"""Names of the Flask endpoints whose pages may run scripts; the basket opens over the page by a
script.
"""


def create_outlet(data: Any, worlds: Worlds) -> Flask:
    """Return the Flask application of the outlet, for visits that may use it.

    Args:
        data: The site data of the store.
        worlds: The worlds, which the outlet shares with the store.
    """
    app = create_site(OUTLET, Path(__file__).parent, worlds, scripted=SCRIPTED)
    app.extensions["store"] = data
    app.jinja_env.globals.update(
        card_rows=lambda good: wording.table(good)[:CARD_ROWS],
        chart=_chart,
        csrf_token=csrf_token,
        day=day,
        goods=goods,
        is_behind=outdated.is_behind,
        kinds=_kinds,
        label=label,
        money=dollars,
        other_shop=other_shop,
        rating=rating,
        shop=lambda world: Shop(world.session),
        swatch=pictures.swatch,
        wording=wording,
    )
    app.register_blueprint(pages)
    dials.install(app)
    careless.install(app)
    formats.install(app)
    app.register_blueprint(basket_pages.pages)
    return app


@pages.get("/")
def start() -> Response:
    """Redirect the visitor of a scenario's start link to the home page."""
    return redirect(Shop(enter_outlet(request.args.get("scenario")).session).home)


@pages.get("/<session>")
def home(session: str) -> str:
    """Return the outlet's home page."""
    operations.open_home(enter_outlet(session))
    return render_template("home.html")


@pages.get("/<session>/search")
def search(session: str) -> str:
    """Return the page with the results of a search."""
    world = enter_outlet(session)
    narrowing = {
        name: value for name, value in request.args.items() if name in (KIND, MAKER, SORT) and value
    }
    usual = careless.default_sort(world, [*SORTS])
    narrowing = {SORT: usual, **narrowing} if usual else narrowing
    shown = _shown("shown", STEP)
    with refusals_lead_to(Shop(session).home, "Back to the outlet"):
        query = request.args.get("q", "")
        stock = listed_stock(world)
        found = operations.search(world, stock, query, narrowing, shown)
    visited = operations.visited(world)
    return render_template(
        "results.html",
        found=found,
        narrowing=narrowing,
        shown=shown,
        step=STEP,
        visited=visited,
        sorts=SORTS,
        unsold=stock.unsold,
    )


@pages.get("/<session>/goods/<slug>")
def item(session: str, slug: str) -> str:
    """Return the page of a product."""
    world, good = _open(session, slug)
    shown = _shown("reviews", REVIEWS)
    with refusals_lead_to(Shop(session).item(good, {}), "Back to the item"):
        chosen = operations.open_item(world, good, read_choice(), shown)
    stock = listed_stock(world)
    return render_template(
        "item.html",
        good=stock.good(good.asin),
        chosen=chosen,
        named=named(chosen),
        shown=shown,
        step=REVIEWS,
        size=SIZE,
        back=_back(world, good),
        reviews=operations.reviews_of(_market(), good),
        offer=stock.offer(good.asin),
        unsold=stock.unsold(good.asin),
        is_of_last_night=partial(outdated.is_of_last_night, world, shop=OUTLET),
        last_night=lambda good: outdated.last_night(world, stock, good.asin, OUTLET),
    )


@pages.get("/<session>/order/<slug>")
def order(session: str, slug: str) -> str:
    """Return the last page before an order without a basket is placed."""
    world, good = _at_order(session, slug)
    with refusals_lead_to(Shop(session).item(good, {}), "Back to the item"):
        chosen = operations.open_order(world, good, read_choice())
    count = operations.order_count(world)
    return render_template("order.html", good=good, chosen=chosen, count=count)


@pages.post("/<session>/order/<slug>")
def place(session: str, slug: str) -> Response:
    """Place an order without a basket, and redirect to its receipt."""
    world, good = _at_order(session, slug)
    check_csrf()
    with refusals_lead_to(Shop(session).item(good, {}), "Back to the item"):
        placed = operations.order(world, good, read_choice(), read_count("order"))
    return redirect(Shop(session).receipt(placed.number), 303)


@pages.get("/<session>/orders/<number>")
def receipt(session: str, number: str) -> str:
    """Return the receipt page of an order without a basket."""
    world = enter_outlet(session)
    with refusals_lead_to(Shop(session).home, "Back to the outlet"):
        placed = operations.receipt(world, read_number(number))
    return render_template("receipt.html", order=placed, good=goods.sold()[placed.asin])


@pages.get("/picture/<slug>.svg")
def picture(slug: str) -> Any:
    """Return the picture of a product in the chosen colour, as SVG."""
    good = operations.good_at(slug)
    product = _market().catalogue.get(good.asin)
    assert product is not None
    chosen = operations.choose(good, read_choice())
    colour = {kind: value for kind, value in chosen.items() if kind in product.options}
    response = current_app.response_class(
        pictures.draw(product, {k: v for k, v in colour.items() if v in product.options[k]}),
        mimetype="image/svg+xml",
    )
    response.cache_control.public, response.cache_control.max_age = True, 86_400
    return response


def _open(session: str, slug: str) -> tuple[World, Good]:
    """Return the visit's database, and the product of an address as the outlet offers it to this
    visitor.
    """
    world, good = enter_outlet(session), operations.good_at(slug)
    return world, outlet_stock(world).good(good.asin)


def _at_order(session: str, slug: str) -> tuple[World, Good]:
    """Return the visit's database, and a product that can be ordered without a basket.

    Raises:
        Refusal: If the visit has a basket (404), or if the product is no longer sold (409).
    """
    world, good = _open(session, slug)
    if has_cart(world):
        raise Refusal(404, "Please put it into your basket, then go to the checkout.")
    if not outlet_stock(world).is_sold(good.asin):
        sentence = f"“{goods.title(good)}” is no longer sold. Please search for something else."
        raise Refusal(409, sentence, Shop(session).item(good, {}), "Back to the item")
    return world, good


def _back(world: World, good: Good) -> str:
    """Return the address of the visitor's last search results, or of a search for the product's
    kind.
    """
    shop, last = Shop(world.session), operations.last_search(world)
    return shop.search(*last) if last else shop.search(good.kind.name, {KIND: good.kind.name})


def _market() -> Market:
    return site_data().market


def _shown(name: str, least: int) -> int:
    """Return the number of list entries to show, which the address states, but at least `least`."""
    return max(least, read_number(request.args.get(name, str(least))))


def _kinds() -> dict[str, Good]:
    """Return one product of each kind that the outlet sells, by the kind's name, for the links of
    the home page.
    """
    return {good.kind.name: good for good in reversed([*goods.sold().values()])}


def _chart(good: Good) -> Chart | None:
    """Return the size chart of a product; None if it is not worn."""
    name = good.kind.name
    return chart(name, good.brand, METRIC) if is_worn(name) else None
