"""What the outlet's pages read of a request."""

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
    """The visitor's world, where it knows the outlet."""
    world = enter(session)
    if OUTLET not in shops_of(world):
        raise Refusal(404, "Nobody has opened this visit. Please follow the link of a scenario.")
    return world


def outlet_stock(world: World) -> OutletStock:
    """What this world's visitor can buy here."""
    return stock_of(site_data().market, world)


def listed_stock(world: World) -> OutletStock:
    """The same as lists and items show it."""
    return outdated.listed(world, outlet_stock(world), OUTLET)


def read_choice() -> dict[str, str]:
    """The options that the address names."""
    names = {*NAMES, *NAMES.values(), SIZE}
    return {name: value for name, value in request.args.items() if name in names}
