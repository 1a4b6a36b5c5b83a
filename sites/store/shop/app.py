"""The store's pages: each parses its address, calls one operation and renders one template."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from flask import Blueprint, Flask, Response, current_app, redirect, render_template, request
from werkzeug.wrappers import Response as BaseResponse

from sites import careless, dials
from sites.site_app import (
    OpenSession,
    Refusal,
    by_host,
    check_csrf,
    create_site,
    csrf_token,
    enter,
)
from sites.store.account import operations as account_operations
from sites.store.account import pages as account_pages
from sites.store.catalogue import pictures
from sites.store.catalogue.clock import spoken
from sites.store.catalogue.stock import Stock
from sites.store.market import outdated
from sites.store.market.account import pages as market_pages
from sites.store.market.account.account import OUTLET
from sites.store.market.checkout import cart_pages
from sites.store.market.goods.facets import SORT
from sites.store.market.goods.stock import Market
from sites.store.market.service import pages as service_pages
from sites.store.market.service import subscription_pages
from sites.store.outlet.app import create_outlet
from sites.store.outlet.goods import maker_number
from sites.store.outlet.visit import other_shop, was_there
from sites.store.shop import address, formats, operations
from sites.store.shop.address import Listing, Visit
from sites.store.shop.data import StoreData
from sites.store.shop.requests import (
    listed_stock,
    read_count,
    read_narrowing,
    read_options,
    read_page,
    read_visit,
    refusals_lead_to,
    site_data,
    stock_of,
)
from sites.store.shop.world import signed_in
from sites.world import World, Worlds

PICTURE_AGE = 86_400
STALE = "This form is not from our page. Open the item again and buy it there."

pages = Blueprint("pages", __name__)


def create_app(
    data: StoreData,
    worlds: Worlds,
    open_sessions: OpenSession | None = None,
    *,
    attributes: bool = False,
) -> Flask:
    """Return the store's Flask application over this product data, for the visits whose databases
    are in `worlds`.

    Args:
        worlds: The open worlds by session.
        open_sessions: Makes the world of a session that is opened for the first time.
            Without it such a session is a 404.
        attributes: Whether items have a tab that lists their attributes, as with WebShop's
            `--attrs`. It is off by default because it reveals the words of the instruction;
            the page is then a 404.
    """
    app = create_site("store", Path(__file__).parent, worlds, open_sessions, frozenset())
    app.extensions["store"] = data
    app.config["TABS"] = operations.SUB_PAGES + (operations.ATTRIBUTES,) * attributes
    app.jinja_env.globals.update(
        categories=lambda: site_data().shelves.categories,
        choose=operations.choose,
        csrf_token=csrf_token,
        home=lambda world: Visit(world.session),
        is_behind=outdated.is_behind,
        is_of_last_night=outdated.is_of_last_night,
        last_night=outdated.last_night,
        listing=Listing,
        not_bought_at=outdated.not_bought_at,
        picture=address.picture,
        signed_in=signed_in,
        spoken=spoken,
        swatch=pictures.swatch,
        tabs=app.config["TABS"],
        maker_number=maker_number,
        other_shop=other_shop,
        was_there=was_there,
    )
    app.register_blueprint(pages)
    dials.install(app)
    careless.install(app)
    formats.install(app)
    app.register_blueprint(account_pages.pages)
    app.register_blueprint(cart_pages.pages)
    app.register_blueprint(market_pages.pages)
    app.register_blueprint(subscription_pages.pages)
    app.register_blueprint(service_pages.pages)
    outlet = create_outlet(data, worlds)
    answer = by_host(app.wsgi_app, {OUTLET: outlet.wsgi_app})
    app.wsgi_app = answer  # type: ignore[method-assign, assignment]  # Flask's own way
    return app


@pages.get("/")
def home() -> BaseResponse:
    return redirect(Visit(enter(request.args.get("scenario")).session).index)


@pages.route("/<session>", methods=["GET", "POST"])
def index(session: str) -> Any:
    world = enter(session)
    query = request.values.get("search_query")
    if query is None:
        operations.open_index(world)
        return _index(world, "")
    keywords = address.split_query(query[: operations.LONGEST_QUERY + 1])
    if not keywords:
        return _index(world, operations.EMPTY_QUERY), 400
    return redirect(Visit(session, keywords).results())


def _index(world: World, problem: str) -> str:
    recent = operations.recently(world) if signed_in(world) else []
    return _show(stock_of(world), "index.html", problem=problem, recent=recent)


@pages.route("/search_results/<session>/<keywords>/<page>", methods=["GET", "POST"])
def results(session: str, keywords: str, page: str) -> str:
    world, visit = enter(session), read_visit(session, keywords, page)
    stock = listed_stock(world)
    visit = replace(visit, narrowing=_narrowing(world, stock, visit))
    with refusals_lead_to(Visit(session, visit.keywords).results(1), "First page"):
        found = operations.search(
            world, stock, " ".join(visit.keywords), visit.page, dict(visit.narrowing)
        )
    visited = operations.visited(world)
    return _show(stock, "results.html", visit=visit, found=found, visited=visited)


def _narrowing(world: World, stock: Stock, visit: Visit) -> tuple[tuple[str, str], ...]:
    """Return the filters and the sort order of the search results, as (name, value) pairs.

    If the difficulty setting (dial) of careless shops sets a default sort order, it applies until
    the visitor picks an order, but not to a list that leaves products out: that list shows the best
    match first.
    """
    named = read_narrowing(stock)
    usual = careless.default_sort(world, stock.sort_names)
    if usual and SORT not in named and not stock.is_cut(" ".join(visit.keywords), named):
        named[SORT] = usual
    return tuple(named.items())


@pages.route("/item_page/<session>/<asin>/<keywords>/<page>/<options>", methods=["GET", "POST"])
def item(session: str, asin: str, keywords: str, page: str, options: str) -> Any:
    world, visit = enter(session), read_visit(session, keywords, page)
    stock, wanted = stock_of(world), {**read_options(options), **request.args.to_dict()}
    with refusals_lead_to(visit.item(asin, {}), "Choose again"):
        operations.open_item(world, stock, asin, wanted)
    stock = listed_stock(world)
    product = operations.product(stock, asin)
    chosen = operations.choose(product, wanted)
    if request.args:
        return redirect(visit.item(asin, chosen))
    narrowing = tuple(operations.last_narrowing(world).items())
    return _show(
        stock,
        "item.html",
        visit=replace(visit, narrowing=narrowing),
        product=product,
        chosen=chosen,
        seen=operations.read_tabs(world, asin) if stock.marks_tabs else (),
        purchases=operations.purchase_count(world),
        wished=product.asin in account_operations.wished(world),
        back=account_operations.last_listing(world) or Listing(product.kind),
    )


@pages.route(
    "/item_sub_page/<session>/<asin>/<keywords>/<page>/<name>/<options>", methods=["GET", "POST"]
)
def sub_page(session: str, asin: str, keywords: str, page: str, name: str, options: str) -> str:
    world, visit = enter(session), read_visit(session, keywords, page)
    stock, wanted = stock_of(world), read_options(options)
    if name == "Reviews":
        return _reviews(world, visit, asin, wanted)
    with refusals_lead_to(visit.item(asin, {}), "Back to the item"):
        names = current_app.config["TABS"]
        product = operations.open_sub_page(world, stock, asin, name, wanted, names=names)
    chosen = operations.choose(product, wanted)
    return _show(stock, f"{name.lower()}.html", visit=visit, product=product, chosen=chosen)


def _reviews(world: World, visit: Visit, asin: str, wanted: dict[str, str]) -> str:
    with refusals_lead_to(visit.item(asin, {}), "Back to the item"):
        found = account_operations.reviews_page(world, stock_of(world), asin, read_page(), wanted)
    chosen = operations.choose(found.product, wanted)
    return _show(
        stock_of(world),
        "reviews.html",
        visit=visit,
        product=found.product,
        chosen=chosen,
        found=found,
        reviews_at=partial(visit.sub_page, asin, "Reviews", chosen),
    )


@pages.get("/done/<session>/<asin>/<options>")
def done(session: str, asin: str, options: str) -> str:
    world = enter(session)
    product = operations.product(stock_of(world), asin)
    purchase = operations.receipt(world, product, read_options(options))
    if purchase is None:
        raise Refusal(405, "You have not bought this. To buy it, press “Buy Now” on its page.")
    operations.open_receipt(world, purchase)
    return render_template("receipt.html", product=product, purchase=purchase)


@pages.post("/done/<session>/<asin>/<options>")
def buy(session: str, asin: str, options: str) -> BaseResponse:
    world = enter(session)
    check_csrf()
    with refusals_lead_to(Visit(session).index, "Back to Search"):
        stock = stock_of(world)
        product = operations.sold(stock, asin)
    after = read_count("order", STALE)
    if isinstance(stock, Market) and outdated.keeps_from_buying(world, stock, asin):
        return redirect(Visit(session).item(asin, read_options(options)), 303)
    with refusals_lead_to(*_last_receipt(world)):
        purchase = operations.order(world, product, read_options(options), after)
    return redirect(Visit(session).done(purchase.asin, purchase.options), 303)


@pages.get("/picture/<asin>.svg")
def picture(asin: str) -> Response:
    product = operations.product(site_data().with_product(asin), asin)
    chosen = operations.choose(product, request.args.to_dict())
    response = Response(pictures.draw(product, chosen), mimetype="image/svg+xml")
    response.cache_control.public, response.cache_control.max_age = True, PICTURE_AGE
    response.add_etag()
    response.make_conditional(request)
    return response


def _show(stock: Stock, template: str, **values: Any) -> str:
    """Render a page with the stock's own template if it has one, else with the shared template."""
    own = [f"{stock.name}/{template}"] if stock.name else []
    return render_template([*own, template], stock=stock, **values)


def _last_receipt(world: World) -> tuple[str, str]:
    purchase = operations.last_purchase(world)
    if purchase is None:
        return "", ""
    return Visit(world.session).done(purchase.asin, purchase.options), "See the receipt"
