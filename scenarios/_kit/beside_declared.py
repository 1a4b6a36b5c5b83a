"""A declared site in episodes of another declared site: its pages are read by its own map.

Both sites show the base world of the same number, in the skin with the same place in the list of
skins. A site with fewer base worlds or skins counts on from its first.
"""

from __future__ import annotations

import atexit
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from typing import Any

from agent.interface import Advice, Observation
from scenarios import registry
from scenarios._kit import view
from scenarios._kit.drawing import See
from scenarios._kit.plan import Plan
from scenarios._kit.starts import Starts
from scenarios._kit.visit import opened
from scenarios.scenario import Scenario
from sites.kit import Map, Place, Site
from sites.world import World

READ = "read"
"""The answer of a plan that only reads."""


@dataclass(frozen=True)
class DeclaredBeside:
    """How a declared site is visited in a task of another one.

    Attributes:
        name: The name of the site.
    """

    name: str

    @property
    def _site(self) -> Site:
        site: Site = registry.site_data(self.name).site
        return site

    def new_world(self, scenario: Scenario) -> World:
        """Return the database (world) of a new visit."""
        details = scenario.details
        data = registry.site_data(self.name)
        base: World = data.base(details["size"], details["base"] % data.bases)
        world = base.fork()
        world.session = world.name = scenario.id
        names = [row["name"] for row in world.read(f"{self._site.personas} ORDER BY name")]
        me = details["me"] if details["me"] in names else names[0]
        world.about = {"me": me, "skin": self.skin(scenario)}
        world.writes = 0
        return world

    def skin(self, scenario: Scenario) -> str:
        """Return the skin that goes with the skin of the task's own site."""
        own = registry.site_data(scenario.site).site.skins
        at = [each.name for each in own].index(scenario.details["skin"])
        return self._site.skins[at % len(self._site.skins)].name

    def walk(self, path: Sequence[Mapping[str, Any]], world: World) -> None:
        """Open the pages of a path, without a browser."""
        opened(self._site, world, map(place_of, path))

    def advise(
        self, scenario: Scenario, path: Sequence[Mapping[str, Any]], observation: Observation
    ) -> Advice | None:
        """Return the next actions along a path, or None on its last page."""
        with self._lent(scenario, path) as plan:
            if plan.map.place(observation.url) == place_of(path[-1]):
                return None
            return view.advise(plan, observation)

    def length(self, scenario: Scenario, path: Sequence[Mapping[str, Any]]) -> int:
        """Return the number of actions along a path."""
        with self._lent(scenario, path) as plan:
            return plan.walk.length

    def _lent(
        self, scenario: Scenario, path: Sequence[Mapping[str, Any]]
    ) -> AbstractContextManager[Plan]:
        """Lend the plan that reads the pages of a path."""
        key = f"{self.name} {scenario.digest()}"
        return PLANS.lend(key, partial(self._plan, scenario, path))

    def _plan(self, scenario: Scenario, path: Sequence[Mapping[str, Any]]) -> Plan:
        start = self.new_world(scenario)
        shown, ended = Map(self._site, start), Map(self._site, start.fork())
        return Plan(shown, ended, tuple(See(place_of(each)) for each in path), READ)

    def stray(self, world: World) -> None:
        """Change something that no task asks for."""
        self._site.run(world, self._site.stray(world))


def path_step(place: Place) -> dict[str, Any]:
    """Return a page as a step of a path, which can be written as JSON."""
    return {"page": place.page, "args": dict(place.args)}


def place_of(step: Mapping[str, Any]) -> Place:
    """Return the page of a step of a path."""
    return Place.of(step["page"], step["args"])


PLANS = Starts()
"""The plans of this process."""
atexit.register(PLANS.release)
