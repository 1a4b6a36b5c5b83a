"""The declaration of the back office: its pages, with the links, lists and forms on them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sites._kit.declare import Column, Do, Field, Form, Link, Listing, Operation, Page, Show, Site
from sites._kit.skins.drawn import DrawnSkins
from sites.admin import operations as do
from sites.admin import storefront
from sites.admin import tables as of
from sites.admin.reports import PERIODS, REPORTS, SPAN, Report
from sites.admin.skins import SKINS
from sites.admin.synonyms import SYNONYMS
from sites.admin.texts import CARRIERS, GROUPS
from sites.shop.tables import CATEGORY_NAMES, LINES
from sites.shop.texts import COLOURS
from sites.world import Row, World

# Parts of rows and records


def _words(*names: str) -> Column:
    """Return a column with these words of the skin."""
    return Column(names[0], tuple(Show("word", each) for each in names))


def _link(name: str, label: str) -> Column:
    return Column(name, (Show("link", label),))


def _money(name: str, word: str = "") -> Column:
    """Return a column with an amount, after a word of the skin if there is one."""
    amount = Show("money", name)
    return Column(name, (Show("word", word), amount) if word else (amount,))


def _date(word: str = "") -> Column:
    day = Show("date", "at")
    return Column("at", (Show("word", word), day) if word else (day,))


def _lines(column: str, word: str = "") -> Column:
    text = Show("lines", column)
    return Column(column, (Show("word", word), text) if word else (text,))


# Conditions


def _is(column: str, *values: Any) -> Any:
    """Return the condition that a column has one of these values."""
    return lambda row: row[column] in values


def _is_not(column: str, *values: Any) -> Any:
    return lambda row: row[column] not in values


# Forms

OF_ORDER = {"order_no": "order_no"}
CANCEL = Form("cancel", do.cancel, (), OF_ORDER, shown=_is_not("status", "Canceled"), commits=True)
COMMENT = Form(
    "add_comment",
    do.add_comment,
    (Field("comment", "text", most=2000), Field("notified", "check", required=False)),
    OF_ORDER,
    commits=True,
)
SHIP = Form(
    "ship",
    do.ship,
    (Field("carrier", "choice", options=CARRIERS), Field("tracking", most=40)),
    OF_ORDER,
    shown=_is("status", *do.OPEN, "Complete"),
    commits=True,
)
ADDRESS = (
    Field("recipient", held="recipient", most=60),
    Field("street", held="street", most=80),
    Field("city", held="city", most=60),
    Field("postcode", held="postcode", most=5),
)
SAVE_SHIPPING = Form(
    "save_shipping", do.save_order_address, ADDRESS, OF_ORDER, {"kind": "shipping"}, follows="order"
)
SAVE_BILLING = replace(SAVE_SHIPPING, name="save_billing", fixed={"kind": "billing"})
PRICE = Field("price", held="amount", most=12)
STOCK = Field("quantity", "number", held="stock", low="0", high=str(do.MOST))
NAME = Field("name", held="name", most=120)
ABOUT = Field("about", "text", held="about", most=2000)
SAVE_PRODUCT = Form(
    "save_product", do.save_product, (NAME, ABOUT), {"product": "product", "version": "version"}
)


def _switch(name: str, operation: Operation, argument: str, column: str, value: str) -> Form:
    """Return the button that gives a column of a product a value which it lacks."""
    shown = _is_not(column, value)
    return Form(name, operation, (), {"product": "product"}, {argument: value}, shown=shown)


SWITCHES = (
    _switch("enable", do.set_status, "status", "status", "enabled"),
    _switch("disable", do.set_status, "status", "status", "disabled"),
    _switch("mark_on_sale", do.set_on_sale, "on_sale", "on_sale", "yes"),
    _switch("end_sale", do.set_on_sale, "on_sale", "on_sale", ""),
)
SAVE_VARIANT = Form("save_variant", do.save_variant, (PRICE, STOCK), {"variant": "variant"})
SAVE_SIMPLE = Form(
    "save_simple",
    do.save_variant,
    (PRICE, STOCK),
    {"variant": "only"},
    shown=lambda row: row["only"] is not None,
)
SAVE_VARIANTS = Form(
    "save_variants",
    do.save_variants,
    (replace(PRICE, held="", required=False), replace(STOCK, held="", required=False)),
    each=("chosen", "variant"),
)
ADD_OPTION = Form(
    "add_option",
    do.add_option,
    (
        Field("option", "radio", options=("colour", "size")),
        Field("value", most=30),
        replace(STOCK, held=""),
    ),
    {"product": "product"},
    follows="variants",
)
ADD_PRODUCT = Form(
    "add_product",
    do.add_product,
    (
        Field("sku", most=20),
        replace(NAME, held=""),
        Field("category", "choice", options=CATEGORY_NAMES),
        Field("brand", "choice", options=of.BRANDS),
        replace(PRICE, held=""),
        replace(STOCK, held=""),
        Field("colour", "choice", required=False, options=COLOURS),
        Field("size", required=False, most=30),
        replace(ABOUT, held="", required=False),
    ),
    follows="product",
)
APPROVE = Form(
    "approve",
    do.decide,
    given={"review": "review"},
    fixed={"status": "approved"},
    shown=_is_not("state", "approved"),
)
REFUSE = replace(
    APPROVE, name="refuse", fixed={"status": "not approved"}, shown=_is_not("state", "not approved")
)
DELETE = Form("delete", do.delete_review, given={"review": "review"}, commits=True)
DECIDE_ALL = Form(
    "decide_all",
    do.decide_all,
    (Field("decision", "choice", options=do.DECISIONS),),
    each=("chosen", "review"),
    commits=True,
)
SAVE_CUSTOMER = Form(
    "save_customer",
    do.save_customer,
    (
        Field("email", held="email", most=80),
        Field("phone", held="phone", most=20),
        Field("customer_group", "choice", options=GROUPS),
    ),
    {"customer": "customer"},
)
ADD_RULE = Form(
    "add_rule",
    do.add_rule,
    (
        Field("rule_name", most=80),
        Field("kind", "radio", options=do.KINDS),
        Field("value", most=12),
        Field("customer_group", "choice", options=("All groups", *GROUPS)),
    ),
    follows="rule",
)
SAVE_CONTENT = Form(
    "save_content",
    do.save_content,
    (Field("title", held="title", most=100), Field("body", "text", held="body", most=4000)),
    {"content": "content", "version": "version"},
)
APPLY = Form(
    "apply_theme", do.apply_theme, (), {"theme": "theme"}, shown=_is("applied", "no"), commits=True
)

# Lists

CUSTOMER = Link("customer")
ORDER = Link("order")
NEW = {"new": "at DESC, {key} DESC", "old": "at, {key}"}


def _by_age(key: str) -> dict[str, str]:
    """Return the orders by time of rows with this key."""
    return {name: sql.format(key=key) for name, sql in NEW.items()}


def _orders(rows: str, **more: Any) -> Listing:
    """Return a list of orders."""
    sorts = {**_by_age("order_no"), "total": "total DESC, order_no", "number": "order_no"}
    columns = (_link("number", "order"), _date(), _link("customer", "customer"), "status",
               _money("total"))  # fmt: skip
    return Listing(rows, sorts, (ORDER, CUSTOMER), columns=columns, **more)


def _reviews(rows: str, **more: Any) -> Listing:
    """Return a list of reviews."""
    return Listing(
        rows,
        {**_by_age("review"), "best": "stars DESC, review", "worst": "stars, review"},
        (Link("review"), Link("product", "of_product")),
        columns=(
            _link("summary", "review"),
            _link("of_product", "of_product"),
            *("nickname", "stars", "state"),
            _date(),
            "body",
        ),
        **more,
    )


ITEMS = Listing(
    LINES,
    {"line": "line"},
    (Link("variant", "line_of"),),
    size=30,
    key=("line",),
    columns=(_link("item", "line_of"), _money("price"), "quantity", _money("sum")),
)
PRODUCTS = Listing(
    of.PRODUCTS,
    {
        "name": "title, product",
        "price": "price, product",
        "price_desc": "price DESC, product",
        "stock": "stock, product",
        "sku": "product",
    },
    (Link("product"),),
    filters={
        "status": "SELECT 'enabled' UNION SELECT 'disabled'",
        "brand": of.BRANDS,
        "category": CATEGORY_NAMES,
        "sale": "SELECT 'yes' UNION SELECT 'no'",
    },
    keyword="title",
    kept=True,
    columns=(_link("title", "product"), Column("sku", (Show("text", "product"),)), "brand",
             _money("price"), "stock", "status"),
)  # fmt: skip
VARIANTS = Listing(
    of.VARIANTS + " WHERE v.product = :product",
    {"price": "price, variant", "name": "title, variant", "stock": "stock, variant"},
    (Link("variant"),),
    size=40,
    mass=SAVE_VARIANTS,
    columns=(_link("title", "variant"), Column("sku", (Show("text", "variant"),)),
             _money("price"), "stock"),
)  # fmt: skip
REVIEWED = Listing(
    of.REVIEWED,
    {"most": "reviews DESC, product", "best": "rating DESC, product", "worst": "rating, product",
     "name": "title, product"},
    (Link("reviews_of"),),
    keyword="title",
    kept=True,
    columns=(_link("title", "reviews_of"), "reviews", "rating", _date()),
)  # fmt: skip
CUSTOMERS = Listing(
    of.CUSTOMERS,
    {"name": "title, customer", **_by_age("customer")},
    (CUSTOMER,),
    filters={"customer_group": "SELECT DISTINCT customer_group FROM accounts ORDER BY 1"},
    keyword="search",
    kept=True,
    columns=(_link("title", "customer"), "email", "phone", "customer_group", _date()),
)
INVOICES = Listing(
    of.INVOICES,
    {**_by_age("invoice"), "total": "total DESC, invoice"},
    (Link("invoice"), ORDER),
    filters={"month": of.MONTHS.format("invoices")},
    keyword="search",
    kept=True,
    columns=(_link("number", "invoice"), _link("of_order", "order"), "customer", _date(),
             _money("total")),
)  # fmt: skip
TERMS = Listing(
    of.TERMS,
    {"name": "title, term", "uses": "uses DESC, term", "results": "results DESC, term"},
    (Link("term"),),
    keyword="title",
    kept=True,
    columns=(_link("title", "term"), "results", "uses"),
)
CONTENTS = Listing(
    of.CONTENTS,
    {"title": "title, content"},
    (Link("content"),),
    keyword="title",
    kept=True,
    columns=(_link("title", "content"), "path"),
)
RULES = Listing(
    of.RULES,
    {"name": "name, rule"},
    (Link("rule"),),
    columns=(_link("title", "rule"), "off", "customer_group"),
)
THEMES = Listing(
    of.THEMES, {"name": "theme"}, (Link("theme"),), columns=(_link("title", "theme"), "applied")
)
# Reports


UNSHOWN = "begins", "ends", "product", "title"
"""Columns of reports that only tell their rows apart, or that are the text of a link."""


def _report(name: str, report: Report) -> Page:
    """Return the page of a report."""
    money = {"total", "discount", "tax", "postage", "refunded", "price"}
    links = (Link("product"),) if report.by == "product" else ()
    shown = [each for each in report.columns if each not in UNSHOWN]
    cells = [_money(each) if each in money else each for each in shown]
    if links:
        cells.insert(1, _link("title", "product"))
    key = ("begins", "ends", *([report.by] if report.by else []))
    return Page(
        f"report_{name}",
        f"/admin/reports/{name}",
        SPAN,
        links=(Link("reports"),),
        listing=Listing(
            report.listed, {"span": report.order}, links, key=key, columns=tuple(cells)
        ),
        asks=(
            Field("since", "date"),
            Field("until", "date"),
            Field("period", "choice", options=tuple(PERIODS)),
        ),
        shows=(_words(f"note_{name}"),),
    )


REPORT_PAGES = tuple(_report(*each) for each in REPORTS.items())

# Pages

DASHBOARD = tuple(map(Link, ("home", "top_terms", "bestsellers")))
PAGES = (
    Page(
        "home",
        "/admin",
        links=(*DASHBOARD[1:], Link("shop_home", "to_shop")),
        listing=replace(_orders(of.LAST_ORDERS), sorts=_by_age("order_no"), size=5),
    ),
    Page(
        "top_terms",
        "/admin/dashboard/terms",
        links=(DASHBOARD[0], DASHBOARD[2]),
        listing=replace(
            TERMS, rows=of.TOP_TERMS, sorts={"uses": "uses DESC, term"}, size=5, keyword="",
 kept=False
        ),
    ),
    Page(
        "bestsellers",
        "/admin/dashboard/bestsellers",
        links=DASHBOARD[:2],
        listing=Listing(
            of.BEST_SELLERS,
            {"sold": "sold DESC, product"},
            (Link("product"),),
            size=5,
            columns=(_link("title", "product"), _money("price"), "sold"),
        ),
    ),
    Page(
        "orders",
        "/admin/sales/orders",
        listing=_orders(
            of.ORDERS,
            filters={"status": of.STATUSES, "month": of.MONTHS.format("orders")},
            keyword="search",
            kept=True,
        ),
    ),
    Page(
        "order",
        "/admin/sales/orders/<order_no>",
        of.ORDERS,
        ("order_no",),
        (Link("orders"), CUSTOMER, Link("shipping_address"), Link("billing_address")),
        (CANCEL, SHIP, COMMENT),
        ITEMS,
        shows=(
            Column(
                "status_of",
                (Show("word", "status_of"), Show("word", "ordered"), Show("date", "at")),
            ),
            *map(_words, ("customer_of", "email_of", "phone_of", "group_of")),
            _lines("sent_to", "sent_to_of"),
            _lines("billed_to", "billed_to_of"),
            *map(_words, ("shipping_of", "coupon_of")),
            _money("subtotal", "subtotal_of"),
            _money("postage", "postage_of"),
            _money("discount", "discount_of"),
            _money("total", "total_of"),
            Column("tax", (Show("word", "tax_of"), Show("money", "tax"))),
            _lines("shipments", "shipments_of"),
            _lines("comments", "comments_of"),
        ),
    ),
    Page(
        "shipping_address",
        "/admin/sales/orders/<order_no>/shipping-address",
        of.SHIPPING_ADDRESSES,
        ("order_no",),
        (ORDER,),
        (SAVE_SHIPPING,),
    ),
    Page(
        "billing_address",
        "/admin/sales/orders/<order_no>/billing-address",
        of.BILLING_ADDRESSES,
        ("order_no",),
        (ORDER,),
        (SAVE_BILLING,),
    ),
    Page("invoices", "/admin/sales/invoices", listing=INVOICES),
    Page(
        "invoice",
        "/admin/sales/invoices/<invoice>",
        of.INVOICES,
        ("invoice",),
        (Link("invoices"), ORDER, CUSTOMER),
        shows=(_date("invoiced"), _words("status_of"), _money("total", "total_of")),
    ),
    Page("products", "/admin/catalog/products", links=(Link("new_product"),), listing=PRODUCTS),
    Page(
        "new_product", "/admin/catalog/new-product", links=(Link("products"),), forms=(ADD_PRODUCT,)
    ),
    Page(
        "product",
        "/admin/catalog/products/<product>",
        of.PRODUCTS,
        ("product",),
        (
            Link("products"),
            Link("variants"),
            Link("reviews_of", shown=lambda row: row["reviews"] > 0),
            Link("shop_product", "in_shop", shown=_is("status", "enabled")),
        ),
        (*SWITCHES, SAVE_PRODUCT, SAVE_SIMPLE),
        shows=(
            _words("sku_of", "brand_of", "category_of"),
            _words("price_of", "stock_of", "variants_of", "choices_of"),
            _words("status_of", "sale_of"),
            _lines("about"),
        ),
    ),
    Page(
        "variants",
        "/admin/catalog/products/<product>/variants",
        of.PRODUCTS,
        ("product",),
        (Link("product", "of_product"), Link("new_option")),
        listing=VARIANTS,
    ),
    Page(
        "new_option",
        "/admin/catalog/products/<product>/new-option",
        of.PRODUCTS,
        ("product",),
        (Link("variants"),),
        (ADD_OPTION,),
        shows=(_words("choices_of"),),
    ),
    Page(
        "variant",
        "/admin/catalog/variants/<variant>",
        of.VARIANTS,
        ("variant",),
        (Link("variants", "siblings"), Link("product", "of_product")),
        (SAVE_VARIANT,),
        shows=(_words("sku_of_variant"), _words("price_of", "stock_of")),
    ),
    Page("customers", "/admin/customers", listing=CUSTOMERS),
    Page(
        "customer",
        "/admin/customers/<customer>",
        of.CUSTOMERS,
        ("customer",),
        (Link("customers"),),
        (SAVE_CUSTOMER,),
        replace(_orders(of.ORDERS + " WHERE o.customer = :customer"), links=(ORDER,), columns=(
            _link("number", "order"), _date(), "status", _money("total"))),
        shows=(_words("email_of", "phone_of", "group_of"), _date("joined")),
    ),
    Page(
        "reviews",
        "/admin/reviews",
        links=(Link("reviewed"),),
        listing=_reviews(
            of.REVIEWS,
            filters={
                "state": "SELECT DISTINCT status FROM reviews ORDER BY status",
                "stars": "SELECT DISTINCT stars FROM reviews ORDER BY stars",
                "month": of.MONTHS.format("reviews"),
            },
            keyword="search",
            kept=True,
            mass=DECIDE_ALL,
        ),
    ),
    Page(
        "review",
        "/admin/reviews/<review>",
        of.REVIEWS,
        ("review",),
        (Link("reviews"), Link("product", "of_product"), CUSTOMER),
        (APPROVE, REFUSE),
        shows=(_words("stars_of", "state_of", "by"), _date("on"), _lines("body")),
    ),
    Page("reviewed", "/admin/reports/reviews", links=(Link("reviews"),), listing=REVIEWED),
    Page(
        "reviews_of",
        "/admin/reports/reviews/<product>",
        of.PRODUCTS,
        ("product",),
        (Link("reviewed"), Link("product")),
        listing=_reviews(
            of.REVIEWS + " WHERE r.product = :product", forms=(APPROVE, REFUSE, DELETE)
        ),
    ),
    Page("terms", "/admin/search-terms", listing=TERMS),
    Page(
        "term",
        "/admin/search-terms/<term>",
        of.TERMS,
        ("term",),
        (Link("terms"),),
        shows=(_words("results_of", "uses_of"),),
    ),
    Page("rules", "/admin/rules", links=(Link("new_rule"),), listing=RULES),
    Page("new_rule", "/admin/new-rule", links=(Link("rules"),), forms=(ADD_RULE,)),
    Page(
        "rule",
        "/admin/rules/<rule>",
        of.RULES,
        ("rule",),
        (Link("rules"),),
        shows=(_words("off_of", "group_of"),),
    ),
    Page("contents", "/admin/content", listing=CONTENTS),
    Page(
        "content",
        "/admin/content/<content>",
        of.CONTENTS,
        ("content",),
        (Link("contents"),),
        (SAVE_CONTENT,),
        shows=(_words("path_of"), _lines("body")),
    ),
    Page("themes", "/admin/themes", listing=THEMES),
    Page(
        "theme",
        "/admin/themes/<theme>",
        of.THEMES,
        ("theme",),
        (Link("themes"),),
        (APPLY,),
        shows=(_words("applied_of"), _lines("about")),
    ),
    Page(
        "reports", "/admin/reports", links=(Link("reviewed"), *(Link(x.name) for x in REPORT_PAGES))
    ),
    *REPORT_PAGES,
    *storefront.PAGES,
)  # fmt: skip


def stray(world: World) -> Do:
    """Return an operation that nobody asked for: move a customer to another group."""
    rows: list[Row] = world.read(
        of.CUSTOMERS + " WHERE a.customer_group != 'Staff' ORDER BY c.name DESC LIMIT 1"
    )
    return do.save_customer(rows[0]["customer"], rows[0]["email"], rows[0]["phone"], "Staff")


OPERATIONS = (
    *(do.cancel, do.add_comment, do.save_order_address, do.ship, do.save_product),
    *(do.set_status, do.set_on_sale),
    *(do.save_variant, do.save_variants, do.add_product, do.add_option),
    *(do.decide, do.decide_all, do.delete_review, do.save_customer, do.add_rule),
    *(do.save_content, do.apply_theme),
)
SITE = Site(
    "admin",
    of.TABLES,
    OPERATIONS,
    PAGES,
    SKINS,
    "home",
    of.PERSONAS,
    stray,
    drawn=DrawnSkins(SYNONYMS),
)
