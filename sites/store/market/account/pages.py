"""The account pages that only the market has: wallet, shared lists and help."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, render_template

from sites.site_app import Refusal, enter
from sites.store.account import orders as account
from sites.store.market.service import help as rules
from sites.store.market.visit import is_market
from sites.store.shop import operations
from sites.store.shop.address import Visit
from sites.store.shop.requests import listed_stock, refusals_lead_to, stock_of
from sites.world import World

NO_PAGE = "There is no such page. Check the address, or start again from the first page."

pages = Blueprint("market", __name__)
pages.add_app_template_global(rules.dollars, "dollars")


@pages.app_template_global()
def came_from(world: World) -> str:
    """Return the address of the account page that last led to an item, or the start page."""
    here, before = Visit(world.session), account.last_list(world)
    addresses = {
        "account": here.account,
        "orders": here.orders(int(before.get("number", 1))),
        "order": here.order(before.get("number", "")),
        "shared": here.shared(before.get("person", "")),
        "wishlist": here.wishlist,
        "subscription": here.subscription(int(before.get("number", 0))),
    }
    return addresses.get(before.get("page", ""), here.index)


@pages.get("/account/<session>/wallet")
def wallet(session: str) -> str:
    world = _enter(session)
    return _show(world, "wallet", found=account.wallet(world), rule=rules.rule)


@pages.get("/account/<session>/lists")
def lists(session: str) -> str:
    world = _enter(session)
    opened = account.opened_lists(world)
    return _show(world, "lists", lists=account.shared_lists(world), opened=opened)


@pages.get("/account/<session>/lists/<person>")
def shared(session: str, person: str) -> str:
    world = _enter(session)
    with refusals_lead_to(Visit(session).lists, "Shared Lists"):
        found = account.shared_list(world, person)
    visited = operations.visited(world)
    return _show(world, "shared", found=found, visited=visited, stock=listed_stock(world))


@pages.get("/help/<session>")
def all_help(session: str) -> str:
    world = _enter(session)
    opened = rules.opened_topics(world)
    return _show(world, "helps", topics=rules.open_help(world), opened=opened)


@pages.get("/help/<session>/<topic>")
def one_help(session: str, topic: str) -> str:
    world = _enter(session)
    with refusals_lead_to(Visit(session).help(), "Help"):
        title, sections = rules.open_topic(world, topic)
    return _show(world, "help", title=title, sections=sections)


def _enter(session: str) -> World:
    """Return the database (world) of a visit to the market. Raises `Refusal` (404) for another
    visit.
    """
    world = enter(session)
    if not is_market(world):
        raise Refusal(404, NO_PAGE)
    return world


def _show(world: World, page: str, **values: Any) -> str:
    return render_template(f"market/{page}.html", **{"stock": stock_of(world), **values})
