"""The pages of a signed-in customer: each calls one operation and renders one template."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from flask import Blueprint, redirect, render_template, request
from werkzeug.wrappers import Response

from sites.site_app import Refusal, check_csrf, enter
from sites.store.account import operations as account_operations
from sites.store.account import orders
from sites.store.account.account import COUNTRIES, Address
from sites.store.account.look import look_of
from sites.store.account.operations import CONTACT_FIELDS, Invalid
from sites.store.shop import address, operations
from sites.store.shop.address import Listing, Visit
from sites.store.shop.requests import (
    listed_stock,
    read_count,
    read_number,
    read_options,
    read_page,
    read_visit,
    refusals_lead_to,
    site_data,
    stock_of,
)
from sites.world import World

ADDRESS_FIELDS = ("name", "street", "city", "postcode", "country", "phone")
SORTS = (
    ("position", "asc", "Position"),
    ("name", "asc", "Name: A to Z"),
    ("name", "desc", "Name: Z to A"),
    ("price", "asc", "Price: low to high"),
    ("price", "desc", "Price: high to low"),
    ("rating", "asc", "Rating: low to high"),
    ("rating", "desc", "Rating: high to low"),
)
"""The sort orders of a category, each as (key, direction, label of the link)."""

WAYS: Mapping[str, tuple[str, Callable[[Visit], str]]] = {
    "account": ("My Account", lambda here: here.account),
    "orders": ("My Orders", lambda here: here.orders()),
    "addresses": ("Address Book", lambda here: here.addresses),
    "wallet": ("Wallet", lambda here: here.wallet),
    "lists": ("Shared Lists", lambda here: here.lists),
    "wishlist": ("My Wish List", lambda here: here.wishlist),
    "contact": ("Contact Us", lambda here: here.contact),
    "help": ("Help", lambda here: here.help()),
}
"""The label and address of each link in the page header, by the page's name in the journal."""

pages = Blueprint("account", __name__)
pages.add_app_template_global(look_of)


@pages.get("/account/<session>")
def dashboard(session: str) -> str:
    world = enter(session)
    return _show(world, "account.html", found=orders.dashboard(world))


@pages.get("/account/<session>/orders")
def all_orders(session: str) -> str:
    world = enter(session)
    with refusals_lead_to(Visit(session).orders(), "My Orders"):
        found = orders.orders(world, read_page())
    return _show(world, "orders.html", found=found)


@pages.get("/account/<session>/orders/<number>")
def order(session: str, number: str) -> str:
    world = enter(session)
    stock, remembers = stock_of(world), look_of(world).remembers
    with refusals_lead_to(Visit(session).orders(), "My Orders"):
        found = orders.order(world, number)
    return _show(
        world,
        "order.html",
        order=found,
        products={line.asin: operations.product(stock, line.asin) for line in found.lines},
        elsewhere=account_operations.destinations(world, found),
        visited=operations.visited(world) if remembers else (),
        back=orders.last_page(world) if remembers else 1,
    )


@pages.post("/account/<session>/orders/<number>")
def redirect_order(session: str, number: str) -> Response:
    world = enter(session)
    check_csrf()
    with refusals_lead_to(Visit(session).orders(), "My Orders"):
        to = read_number(request.form.get("address", ""))
        account_operations.redirect_order(world, number, to)
    return redirect(Visit(session).order(number), 303)


@pages.get("/account/<session>/addresses")
def addresses(session: str) -> str:
    world = enter(session)
    return _show(world, "addresses.html", book=orders.addresses(world))


@pages.get("/account/<session>/addresses/<number>")
def address_form(session: str, number: str) -> str:
    world = enter(session)
    with refusals_lead_to(Visit(session).addresses, "Address book"):
        found = account_operations.open_address(world, read_number(number))
    return _address_form(int(number), found, {})


@pages.post("/account/<session>/addresses/<number>")
def save_address(session: str, number: str) -> Any:
    world = enter(session)
    check_csrf()
    sent = Address(**{field: request.form.get(field, "") for field in ADDRESS_FIELDS})
    try:
        with refusals_lead_to(Visit(session).addresses, "Address book"):
            account_operations.change_address(world, read_number(number), sent)
    except Invalid as wrong:
        return _address_form(int(number), sent, wrong.errors), 400
    return redirect(Visit(session).addresses, 303)


@pages.get("/account/<session>/wishlist")
def wishlist(session: str) -> str:
    world = enter(session)
    asins = account_operations.wishes(world)
    stock = listed_stock(world)
    products = [operations.product(stock, asin) for asin in asins]
    return render_template("wishlist.html", products=products)


@pages.post("/account/<session>/wishlist")
def unwish(session: str) -> Response:
    world = enter(session)
    check_csrf()
    account_operations.unwish(world, request.form.get("asin", ""))
    return redirect(Visit(session).wishlist, 303)


@pages.post("/wish/<session>/<asin>/<keywords>/<page>/<options>")
def wish(session: str, asin: str, keywords: str, page: str, options: str) -> Response:
    world, visit = enter(session), read_visit(session, keywords, page)
    check_csrf()
    product = operations.product(stock_of(world), asin)
    chosen = operations.choose(product, read_options(options))
    account_operations.wish(world, stock_of(world), asin)
    return redirect(visit.item(asin, chosen), 303)


@pages.get("/contact/<session>")
def contact(session: str) -> str:
    world = enter(session)
    return _contact_form(world, account_operations.open_contact(world), {})


@pages.post("/contact/<session>")
def send(session: str) -> Any:
    world = enter(session)
    check_csrf()
    after = read_count("messages")
    sent = {field: request.form.get(field, "") for field in CONTACT_FIELDS}
    try:
        with refusals_lead_to(Visit(session).contact, "Contact Us"):
            account_operations.send_message(world, **sent, after=after)
    except Invalid as wrong:
        return _contact_form(world, sent, wrong.errors), 400
    return redirect(Visit(session).contact, 303)


@pages.post("/contact/<session>/draft")
def draft(session: str) -> tuple[str, int]:
    world = enter(session)
    check_csrf()
    after = read_count("messages")
    field, value = request.form.get("field", ""), request.form.get("value", "")
    account_operations.draft(world, field, value, after)
    return "", 204


@pages.get("/category/<session>/<name>")
def category(session: str, name: str) -> str:
    world, first = enter(session), Visit(session).category(Listing(name))
    if not look_of(world).shelves:
        raise Refusal(404, "The market has no categories. Search, then narrow the results.")
    with refusals_lead_to(first, "First page"):
        wanted = _listing(name)
        found = account_operations.category(
            world, site_data(), name, wanted.page, wanted.sort, wanted.direction
        )
    return render_template(
        "category.html",
        found=found,
        visit=Visit(session),
        visited=operations.visited(world),
        sorts=SORTS,
        at=lambda page: Visit(session).category(replace(wanted, page=page)),
    )


@pages.app_template_global()
def account_ways(world: World) -> list[tuple[str, str, str]]:
    """Return the account's links in the page header, each as (name of the page, address, label)."""
    here, named = Visit(world.session), look_of(world).ways
    return [(name, address(here), label) for name in named for label, address in [WAYS[name]]]


@pages.app_template_global()
def followed(world: World) -> set[str]:
    """Return the names of the header links that are shown as followed before."""
    return orders.opened_pages(world) if look_of(world).remembers else set()


def _show(world: World, page: str, **values: Any) -> str:
    look = look_of(world)
    opened = orders.opened_orders(world) if look.remembers else set()
    return render_template(page, stock=stock_of(world), look=look, opened=opened, **values)


def _address_form(number: int, values: Address, errors: dict[str, str]) -> str:
    return render_template(
        "address.html", number=number, values=values, errors=errors, countries=COUNTRIES
    )


def _contact_form(world: World, values: dict[str, str], errors: dict[str, str]) -> str:
    messages = account_operations.messages(world)
    return render_template("contact.html", values=values, errors=errors, messages=messages)


def _listing(name: str) -> Listing:
    try:
        return address.read_listing(name, request.args)
    except ValueError:
        sentence = "A category cannot be shown like that. Use the links above and below the list."
        raise Refusal(400, sentence) from None
