"""Functions that read the requests of the outlet's pages."""

from __future__ import annotations

from flask import request

from sites.site_app import Refusal, enter
from sites.store.market import outdated
from sites.store.market.account.account import OUTLET
from sites.store.market.goods.charts import SIZE
from sites.store.outlet.operations import NAMES
from sites.store.outlet.stock import OutletStock, stock_of
from sites.store.outlet.visit import shops_of
from sites.store.shop.requests import site_data
from sites.world import World


def enter_outlet(session: str | None) -> World:
    """Return the visit's database (its world). Raises `Refusal` (404) if the visit may not use the
    outlet.
    """
    world = enter(session)
    if OUTLET not in shops_of(world):
        raise Refusal(404, "Nobody has opened this visit. Please follow the link of a scenario.")
    return world


def outlet_stock(world: World) -> OutletStock:
    """Return the outlet's stock at the prices that this visitor is offered."""
    return stock_of(site_data().market, world)


def listed_stock(world: World) -> OutletStock:
    """Return the visitor's stock as lists and items show it, perhaps with outdated prices."""
    return outdated.listed(world, outlet_stock(world), OUTLET)


def read_choice() -> dict[str, str]:
    """Return the product options that the request's address names."""
    names = {*NAMES, *NAMES.values(), SIZE}
    return {name: value for name, value in request.args.items() if name in names}
