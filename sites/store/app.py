"""The store's pages: each reads its address, does one operation and fills one template."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from flask import Blueprint, Flask, Response, current_app, redirect, render_template, request
from werkzeug.wrappers import Response as BaseResponse

from sites.gate import OpenSession, Refusal, check_csrf, create_site, csrf_token, enter
from sites.store import address, operations, pictures
from sites.store.address import Visit
from sites.store.reviews import reviews
from sites.store.world import StoreData
from sites.world import World, Worlds

PICTURE_AGE = 86_400
REVIEWS = 8
NUMBER = re.compile(r"[0-9]{1,9}")

pages = Blueprint("pages", __name__)


def create_app(data: StoreData, worlds: Worlds, open_sessions: OpenSession | None = None) -> Flask:
    """The store over this data, for the visitors of these worlds.

    `open_sessions` makes the world of a session that nobody has opened yet; without it such a
    session is a 404.
    """
    app = create_site("store", Path(__file__).parent, worlds, open_sessions)
    app.extensions["store"] = data
    app.jinja_env.globals.update(
        choose=operations.choose,
        csrf_token=csrf_token,
        home=lambda world: Visit(world.session),
        picture=address.picture,
        swatch=pictures.swatch,
    )
    app.register_blueprint(pages)
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
        return render_template("index.html", problem="")
    keywords = address.split_query(query[: operations.LONGEST_QUERY + 1])
    if not keywords:
        return render_template("index.html", problem=operations.EMPTY_QUERY), 400
    return redirect(Visit(session, keywords).results())


@pages.route("/search_results/<session>/<keywords>/<page>", methods=["GET", "POST"])
def results(session: str, keywords: str, page: str) -> str:
    world, visit = enter(session), _visit(session, keywords, page)
    with _refusals_lead_to(visit.results(1), "First page"):
        found = operations.search(world, _data(), " ".join(visit.keywords), visit.page)
    visited = operations.visited(world)
    return render_template("results.html", visit=visit, found=found, visited=visited)


@pages.route("/item_page/<session>/<asin>/<keywords>/<page>/<options>", methods=["GET", "POST"])
def item(session: str, asin: str, keywords: str, page: str, options: str) -> Any:
    world, visit = enter(session), _visit(session, keywords, page)
    wanted = {**_options(options), **request.args.to_dict()}
    with _refusals_lead_to(visit.item(asin, {}), "Choose again"):
        product = operations.open_item(world, _data(), asin, wanted)
    chosen = operations.choose(product, wanted)
    if request.args:
        return redirect(visit.item(asin, chosen))
    count = operations.purchase_count(world)
    return render_template(
        "item.html", visit=visit, product=product, chosen=chosen, purchases=count
    )


@pages.route(
    "/item_sub_page/<session>/<asin>/<keywords>/<page>/<name>/<options>", methods=["GET", "POST"]
)
def sub_page(session: str, asin: str, keywords: str, page: str, name: str, options: str) -> str:
    world, visit = enter(session), _visit(session, keywords, page)
    wanted = _options(options)
    with _refusals_lead_to(visit.item(asin, {}), "Back to the item"):
        product = operations.open_sub_page(world, _data(), asin, name, wanted)
    return render_template(
        f"{name.lower()}.html",
        visit=visit,
        product=product,
        chosen=operations.choose(product, wanted),
        reviews=reviews(product, REVIEWS) if name == "Reviews" else (),
    )


@pages.get("/done/<session>/<asin>/<options>")
def done(session: str, asin: str, options: str) -> str:
    world, product = enter(session), operations.product(_data(), asin)
    purchase = operations.receipt(world, product, _options(options))
    if purchase is None:
        raise Refusal(405, "You have not bought this. To buy it, press “Buy Now” on its page.")
    operations.open_receipt(world, purchase)
    return render_template("receipt.html", product=product, purchase=purchase)


@pages.post("/done/<session>/<asin>/<options>")
def buy(session: str, asin: str, options: str) -> BaseResponse:
    world = enter(session)
    check_csrf()
    product, after = operations.product(_data(), asin), _order_number()
    with _refusals_lead_to(*_last_receipt(world)):
        purchase = operations.order(world, product, _options(options), after)
    return redirect(Visit(session).done(purchase.asin, purchase.options), 303)


@pages.get("/picture/<asin>.svg")
def picture(asin: str) -> Response:
    product = operations.product(_data(), asin)
    chosen = operations.choose(product, request.args.to_dict())
    response = Response(pictures.draw(product, chosen), mimetype="image/svg+xml")
    response.cache_control.public, response.cache_control.max_age = True, PICTURE_AGE
    response.add_etag()
    response.make_conditional(request)
    return response


def _data() -> StoreData:
    data: StoreData = current_app.extensions["store"]
    return data


def _visit(session: str, keywords: str, page: str) -> Visit:
    try:
        return Visit(session, address.read_keywords(keywords), _number(page))
    except ValueError:
        raise Refusal(
            400, "The keywords in this address cannot be read. Search for them again."
        ) from None


def _options(text: str) -> dict[str, str]:
    try:
        return address.read_options(text)
    except ValueError:
        raise Refusal(
            400, "The options in this address cannot be read. Choose them on the item's page."
        ) from None


def _number(text: str) -> int:
    if not NUMBER.fullmatch(text):
        raise Refusal(404, "This address holds no page number. Search again.")
    return int(text)


def _order_number() -> int:
    """How many purchases there were when the posted form was made."""
    text = request.form.get("order", "")
    if not NUMBER.fullmatch(text):
        raise Refusal(400, "This form is not from our page. Open the item again and buy it there.")
    return int(text)


def _last_receipt(world: World) -> tuple[str, str]:
    purchase = operations.last_purchase(world)
    if purchase is None:
        return "", ""
    return Visit(world.session).done(purchase.asin, purchase.options), "See the receipt"


@contextmanager
def _refusals_lead_to(link: str, label: str) -> Iterator[None]:
    """Give the refusals of an operation a way on."""
    try:
        yield
    except Refusal as refusal:
        refusal.link, refusal.label = link, label
        raise
