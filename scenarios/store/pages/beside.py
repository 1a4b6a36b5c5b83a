"""The store in tasks of a declared site: a guest reads its pages and buys nothing."""

from __future__ import annotations

from collections.abc import Sequence

from agent.interface import Advice, Observation
from scenarios import registry
from scenarios.scenario import Scenario
from scenarios.store.pages import following, site_map
from scenarios.store.pages.site_map import PathStep
from scenarios.store.pages.visits import SITE
from sites import store
from sites.store.shop import operations
from sites.world import World


def new_world(scenario: Scenario) -> World:
    """Return the database (world) of a guest's visit; every page shows the instruction."""
    return store.new_world(scenario.id, scenario.instruction)


def walk(path: Sequence[PathStep], world: World) -> None:
    """Open the pages of a path by the store's operations."""
    site_map.walk(path, world, registry.site_data(SITE))


def advise(scenario: Scenario, path: Sequence[PathStep], observation: Observation) -> Advice | None:
    """Return the next actions along a path, or None on its last page."""
    return following.follow({"path": path, "told": []}, observation)


def length(scenario: Scenario, path: Sequence[PathStep]) -> int:
    """Return the number of actions along a path: one a page."""
    return len(path)


def stray(world: World) -> None:
    """Buy a product that no task asks for."""
    data = registry.site_data(SITE)
    operations.buy(world, operations.product(data, next(iter(data.catalogue.asins()))), {})
