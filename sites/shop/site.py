"""The declaration of the shop: its pages, with the links, lists and forms that stand on them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from sites._kit.declare import Column, Do, Field, Form, Link, Listing, Page, Show, Site
from sites.shop import operations as do
from sites.shop import tables as of
from sites.shop.skins import SKINS
from sites.world import Row, World

# Parts of rows and records


def _words(*names: str) -> Column:
    """Return a column with these words of the skin."""
    return Column(names[0], tuple(Show("word", each) for each in names))


def _money(name: str, word: str = "") -> Column:
    """Return a column with an amount, after a word of the skin if there is one."""
    amount = Show("money", name)
    return Column(name, (Show("word", word), amount) if word else (amount,))


def _link(name: str, label: str) -> Column:
    return Column(name, (Show("link", label),))


def _date(word: str) -> Column:
    return Column("date", (Show("word", word), Show("date", "at")))


RATING = _words("rating_of", "reviews_of")


# Forms


def _is(column: str, *, held: bool = True) -> Any:
    """Return the condition that a column of a record or row is true, or that it is false."""
    return lambda row: bool(row[column]) is held


def _is_free(row: Row) -> bool:
    """Return whether a variant can be put into the cart."""
    return _is_offered(row) and not row["taken"] and row["stock"] > 0


def _is_offered(row: Row) -> bool:
    """Return whether the shop still offers the product."""
    return bool(row["status"] == "enabled")


ADD = Form("add", do.add, given={"variant": "variant"}, shown=_is_free)
REMOVE = Form("remove", do.remove, given={"variant": "variant"}, shown=_is("taken"))
SET_QUANTITY = Form(
    "set_quantity",
    do.set_quantity,
    (Field("quantity", "number", held="taken", low="1", high=str(do.MOST)),),
    given={"variant": "variant"},
    shown=_is("taken"),
)
REORDER = Form(
    "reorder", do.reorder, given={"order_no": "order_no"}, shown=_is("carted", held=False)
)
PLACE_ORDER = Form(
    "place_order",
    do.place_order,
    (
        Field("address", "choice", options=of.LABELS),
        Field("shipping", "choice", options=tuple(do.SHIPPING)),
    ),
    follows="order",
    shown=_is("things"),
    commits=True,
)
ADD_WISH = Form(
    "add_wish", do.add_wish, given={"product": "product"}, shown=_is("wished", held=False)
)
REMOVE_WISH = Form("remove_wish", do.remove_wish, given={"product": "product"}, shown=_is("wished"))
SUBSCRIBE = Form(
    "subscribe_to", do.subscribe_to, given={"topic": "topic"}, shown=_is("subscribed", held=False)
)
UNSUBSCRIBE = Form(
    "unsubscribe_from", do.unsubscribe_from, given={"topic": "topic"}, shown=_is("subscribed")
)
REVIEW = Form(
    "send_review",
    do.review,
    (
        Field("stars", "radio", options=("1", "2", "3", "4", "5")),
        Field("nickname", most=40),
        Field("title", most=100),
        Field("body", "text", most=2000),
    ),
    given={"product": "product"},
    follows="review",
    commits=True,
)
ADDRESS_TEXTS = (
    Field("recipient", held="recipient", most=60),
    Field("street", held="street", most=80),
    Field("city", held="city", most=60),
    Field("postcode", held="postcode", most=5),
)
SAVE_ADDRESS = Form(
    "save_address",
    do.save_address,
    ADDRESS_TEXTS,
    given={"address_no": "address_no"},
    follows="addresses",
)
ADD_ADDRESS = Form(
    "add_address",
    do.add_address,
    tuple(replace(each, held="") for each in ADDRESS_TEXTS),
    follows="addresses",
)
SEND_MESSAGE = Form(
    "send_message",
    do.send_message,
    (
        Field("reason", "choice", options=do.REASONS),
        Field("order_number", required=False, most=12),
        Field("amount", required=False, most=12),
        Field("text", "text", most=2000),
    ),
    follows="message",
    keeps=True,
    commits=True,
)

# Lists


def _products(
    rows: str, size: int = 10, orders: Mapping[str, str] | None = None, **more: Any
) -> Listing:
    """Return a list of products."""
    columns = (_link("title", "product"), "brand", _money("price"), RATING)
    sorts = of.PRODUCT_ORDERS if orders is None else orders
    return Listing(rows, sorts, (Link("product"),), size=size, columns=columns, **more)


OPTIONS = Listing(
    of.VARIANTS + " WHERE v.product = :product",
    {"price": "price, variant"},
    (Link("variant"),),
    (ADD, REMOVE),
    size=30,
    columns=(_link("choice", "variant"), _money("price"), _words("stock_of"), _words("taken_of")),
)
OF_ORDER = Listing(
    of.LINES,
    {"line": "line"},
    (Link("variant", "line_of"),),
    size=30,
    key=("line",),
    columns=(
        _link("title", "line_of"),
        _money("price"),
        _words("times"),
        _money("sum", "sum_of"),
    ),
)
IN_CART = Listing(
    of.CART,
    {"name": "name, variant"},
    (Link("variant", "line_of"),),
    (REMOVE,),
    size=30,
    columns=(
        _link("title", "line_of"),
        _money("price"),
        _words("taken_of"),
        _money("sum", "sum_of"),
    ),
)
MY_ORDERS = Listing(
    of.ORDERS,
    of.ORDER_ORDERS,
    (Link("order"),),
    size=10,
    columns=(_link("title", "order"), _date("on"), _words("status_of"), _money("total")),
)
OF_PRODUCT = Listing(
    of.REVIEWS + " WHERE r.product = :product AND r.status = 'approved'",
    of.REVIEW_ORDERS,
    size=8,
    key=("review",),
    columns=("title", _words("stars_of", "by"), _date("on"), "body"),
)
MY_REVIEWS = Listing(
    of.REVIEWS + " WHERE r.customer = :me",
    of.REVIEW_ORDERS,
    (Link("review"), Link("product", "of_product", shown=_is_offered)),
    size=10,
    columns=(
        _link("title", "review"),
        _link("name", "of_product"),
        _words("stars_of", "state_of"),
        _date("on"),
    ),
)
MY_ADDRESSES = Listing(
    of.ADDRESSES,
    {"address": "address_no"},
    (Link("address"),),
    columns=(
        _words("recipient_of"),
        _words("street_of"),
        _words("city_of"),
        _link("title", "address"),
    ),
)
MY_MESSAGES = Listing(
    of.MESSAGES,
    {"new": "at DESC, message DESC"},
    (Link("message"),),
    columns=(_link("title", "message"), "reason", _date("on")),
)
NEWSLETTERS = Listing(
    of.DEPARTMENTS,
    {"name": "heading"},
    (Link("department"),),
    (SUBSCRIBE, UNSUBSCRIBE),
    columns=(_link("title", "department"), _words("subscribed_of")),
)

# Pages

ACCOUNT = Link("account")
OF_ACCOUNT = "orders", "addresses", "wishes", "my_reviews", "messages", "newsletter"
PAGES = (
    Page(
        "home",
        "/",
        listing=Listing(
            of.DEPARTMENTS,
            {"name": "heading"},
            (Link("department"),),
            columns=(_link("title", "department"), _words("categories_of")),
        ),
    ),
    Page(
        "department",
        "/department/<department>",
        of.DEPARTMENTS,
        ("department",),
        listing=Listing(
            of.CATEGORIES + " AND c.parent = :department",
            {"name": "heading"},
            (Link("category"),),
            columns=(_link("title", "category"), _words("products_of")),
        ),
    ),
    Page(
        "category",
        "/category/<category>",
        of.CATEGORIES,
        ("category",),
        (Link("department", "up"),),
        listing=_products(of.IN_CATEGORY),
        asks=(Field("price", "range", required=False, most=15),),
    ),
    Page(
        "search",
        "/search",
        listing=_products(of.ON_SALE, filters={"category": of.CATEGORY_NAMES}, keyword="title"),
    ),
    Page(
        "product",
        "/product/<product>",
        of.ON_SALE,
        ("product",),
        (Link("category"), Link("reviews"), Link("write_review")),
        (ADD_WISH, REMOVE_WISH),
        OPTIONS,
        shows=(_words("brand_of"), Column("about", (Show("text", "about"),)), RATING),
    ),
    Page(
        "variant",
        "/product/<product>/<variant>",
        of.VARIANTS,
        ("variant",),
        (Link("product", shown=_is_offered),),
        (ADD, SET_QUANTITY, REMOVE),
        shows=(_money("price", "price_of"), _words("stock_of"), _words("taken_of")),
    ),
    Page(
        "reviews",
        "/reviews/<product>",
        of.ON_SALE,
        ("product",),
        (Link("product"), Link("write_review")),
        listing=OF_PRODUCT,
        shows=(RATING,),
    ),
    Page(
        "write_review",
        "/reviews/<product>/new",
        of.ON_SALE,
        ("product",),
        (Link("product"),),
        (REVIEW,),
    ),
    Page("account", "/account", links=tuple(map(Link, OF_ACCOUNT))),
    Page("orders", "/account/orders", links=(ACCOUNT,), listing=MY_ORDERS),
    Page(
        "order",
        "/account/orders/<order_no>",
        of.ORDERS,
        ("order_no",),
        (Link("orders"),),
        (REORDER,),
        OF_ORDER,
        shows=(
            _date("ordered"),
            _words("status_of"),
            _words("sent_to"),
            _money("subtotal", "subtotal_of"),
            _money("postage", "postage_of"),
            _money("total", "total_of"),
        ),
    ),
    Page(
        "cart",
        "/cart",
        of.TOTALS,
        ("me",),
        (Link("checkout"),),
        listing=IN_CART,
        shows=(_money("subtotal", "subtotal_of"),),
    ),
    Page(
        "checkout",
        "/checkout",
        of.TOTALS,
        ("me",),
        (Link("cart", "back_to_cart"),),
        forms=(PLACE_ORDER,),
        shows=(_words("pieces_of"), _money("subtotal", "subtotal_of"), _words("prices")),
    ),
    Page(
        "addresses",
        "/account/addresses",
        links=(ACCOUNT, Link("new_address")),
        listing=MY_ADDRESSES,
    ),
    Page("new_address", "/account/addresses/new", links=(Link("addresses"),), forms=(ADD_ADDRESS,)),
    Page(
        "address",
        "/account/addresses/<address_no>",
        of.ADDRESSES,
        ("address_no",),
        (Link("addresses"),),
        (SAVE_ADDRESS,),
    ),
    Page(
        "wishes",
        "/account/wishes",
        links=(ACCOUNT,),
        listing=replace(_products(of.WISHES), forms=(REMOVE_WISH,)),
    ),
    Page("my_reviews", "/account/reviews", links=(ACCOUNT,), listing=MY_REVIEWS),
    Page(
        "review",
        "/account/reviews/<review>",
        of.REVIEWS + " WHERE r.customer = :me",
        ("review",),
        (Link("product", "of_product", shown=_is_offered), Link("my_reviews")),
        shows=(
            _words("stars_of", "by", "state_of"),
            _date("on"),
            Column("body", (Show("lines", "body"),)),
        ),
    ),
    Page("contact", "/contact", links=(Link("messages"),), forms=(SEND_MESSAGE,)),
    Page("messages", "/account/messages", links=(ACCOUNT, Link("contact")), listing=MY_MESSAGES),
    Page(
        "message",
        "/account/messages/<message>",
        of.MESSAGES,
        ("message",),
        (Link("messages"),),
        shows=(
            _words("reason_of"),
            _words("about_of"),
            _words("amount_of"),
            _date("on"),
            Column("body", (Show("lines", "body"),)),
        ),
    ),
    Page("newsletter", "/newsletter", listing=NEWSLETTERS),
)


def stray(world: World) -> Do:
    """Return an operation that nobody asked for: put a product on the wish list."""
    rows = world.read(
        "SELECT sku FROM products WHERE status = 'enabled' AND sku NOT IN"
        " (SELECT product FROM wishes WHERE customer = ?) ORDER BY sku DESC LIMIT 1",
        (do.me(world),),
    )
    return do.add_wish(rows[0]["sku"])


OPERATIONS = (
    *(do.add, do.set_quantity, do.remove, do.reorder, do.place_order),
    *(do.add_wish, do.remove_wish, do.subscribe_to, do.unsubscribe_from, do.review),
    *(do.save_address, do.add_address, do.send_message),
)
ORDER_ARGS = "product_list_order", "product_list_dir"
SITE = Site(
    "shop",
    of.TABLES,
    OPERATIONS,
    PAGES,
    SKINS,
    "home",
    of.PERSONAS,
    stray,
    order_args=ORDER_ARGS,
)
