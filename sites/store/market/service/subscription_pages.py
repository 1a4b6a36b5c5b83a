"""The pages of a customer's subscriptions and of the shop's messages."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, redirect, render_template, request
from werkzeug.wrappers import Response

from sites.site_app import Refusal, check_csrf, enter
from sites.store.market.service import subscriptions
from sites.store.market.service.subscriptions import RHYTHMS, has_subscriptions
from sites.store.shop import operations
from sites.store.shop.address import Visit
from sites.store.shop.requests import read_number, refusals_lead_to, stock_of
from sites.world import World

pages = Blueprint("subscriptions", __name__)
pages.add_app_template_global(has_subscriptions, "has_subscriptions")


@pages.app_template_global()
def has_messages(world: World) -> bool:
    return has_subscriptions(world) and bool(world.read("SELECT id FROM inbox LIMIT 1"))


@pages.app_template_global()
def was_opened(world: World, asin: str) -> bool:
    """Return whether the page of an item was opened in this visit."""
    return asin in operations.visited(world)


@pages.get("/account/<session>/subscriptions")
def listed(session: str) -> str:
    world = enter(session)
    with refusals_lead_to(Visit(session).index, "Back to Search"):
        found = subscriptions.listed(world)
    opened = subscriptions.opened(world, "subscription")
    return _show(world, "subscriptions", every=found, rhythms=RHYTHMS, opened=opened)


@pages.get("/account/<session>/subscriptions/<number>")
def one(session: str, number: str) -> str:
    world = enter(session)
    with refusals_lead_to(Visit(session).subscriptions, "Subscriptions"):
        found = subscriptions.open_one(world, read_number(number))
    return _show(world, "subscription", own=found, visited=operations.visited(world))


@pages.post("/account/<session>/subscriptions/<number>")
def change(session: str, number: str) -> Response:
    world = enter(session)
    check_csrf()
    with refusals_lead_to(Visit(session).subscriptions, "Subscriptions"):
        months = request.form.get("months", "")
        if months not in map(str, RHYTHMS):
            raise Refusal(400, "Choose every month, every two months, or cancel.")
        subscriptions.change(world, read_number(number), int(months))
    return redirect(Visit(session).subscriptions, 303)


@pages.get("/account/<session>/messages")
def messages(session: str) -> str:
    world = enter(session)
    with refusals_lead_to(Visit(session).index, "Back to Search"):
        found = subscriptions.messages(world)
    opened = subscriptions.opened(world, "message")
    return _show(world, "messages", messages=found, opened=opened)


@pages.get("/account/<session>/messages/<number>")
def message(session: str, number: str) -> str:
    world = enter(session)
    with refusals_lead_to(Visit(session).messages, "Messages"):
        found = subscriptions.open_message(world, read_number(number))
    return _show(world, "message", message=found)


def _show(world: World, page: str, **values: Any) -> str:
    return render_template(f"market/{page}.html", stock=stock_of(world), **values)
