"""Scenarios that people or foreign agents have open, and how far they got."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from evaluators import casting
from evaluators.stage import StagedSite
from scenarios.scenario import Scenario
from sites.world import JOURNAL, Snapshot, World

SEEDS = 1_000_000
"""A scenario without a seed is drawn from so many."""


class NotOpen(LookupError):
    """There is no open scenario with this id."""


@dataclass
class Opened:
    """A scenario with the world that its visitor changes."""

    scenario: Scenario
    before: Snapshot
    world: World
    url: str
    answer: str = ""

    def described(self) -> dict[str, Any]:
        """What `GET /generate-random-scenario` says of it."""
        scenario = self.scenario
        return {
            "scenario": scenario.family,
            "id": scenario.id,
            "url": self.url,
            "site": scenario.site,
            "seed": scenario.seed,
            "instruction": scenario.instruction,
            "details": {**scenario.details, **scenario.gold},
        }

    def evaluated(self) -> dict[str, Any]:
        """What `GET /evaluate` says of it: the state as it is now. Changes nothing."""
        after = self.world.snapshot()
        data = casting.site_data(self.scenario.site)
        judge = casting.judge(self.scenario.site)
        score = judge.judge(self.scenario, self.before, after, self.answer, data)
        return {
            "scenario": self.scenario.family,
            "id": self.scenario.id,
            "closed": self.world.closed,
            "actions": sum(len(rows) for name, rows in after.items() if name.startswith(JOURNAL)),
            **score.to_json(),
        }


class Sessions:
    """The open scenarios of all sites that are served. Evaluating opens and closes nothing."""

    def __init__(self, sites: Mapping[str, StagedSite]) -> None:
        self._sites = sites
        self._opened: dict[str, Opened] = {}

    def families(self) -> list[tuple[str, str]]:
        """(site, family) of everything that can be drawn."""
        known = casting.family_modules().items()
        return sorted((made.SITE, name) for name, made in known if made.SITE in self._sites)

    def draw(self, site: str = "", family: str = "", seed: int | None = None) -> Opened:
        """Open the scenario of a family and seed; what is not said is drawn.

        One that is open already is opened again from its start. Raises `LookupError`.
        """
        names = [name for at, name in self.families() if site in {"", at} and family in {"", name}]
        if not names:
            raise NotOpen(f"there is no family {family!r} on site {site!r}; see the first page")
        made = casting.family(secrets.choice(names))
        number = secrets.randbelow(SEEDS) if seed is None else seed
        scenario = made.generate(number, casting.site_data(made.SITE))
        world = made.world(scenario)
        staged = self._sites[scenario.site]
        url = f"{staged.server.url}/?scenario={scenario.id}"
        opened = Opened(scenario, world.snapshot(), world, url)
        staged.worlds.publish(world)
        self._opened[scenario.id] = opened
        return opened

    def find(self, scenario_id: str) -> Opened:
        """The open scenario with this id. Raises `NotOpen`."""
        if scenario_id not in self._opened:
            raise NotOpen(
                f"no scenario {scenario_id!r} is open; GET /generate-random-scenario opens one"
            )
        return self._opened[scenario_id]

    def finish(self, scenario_id: str, answer: str) -> Opened:
        """Close it: its world is frozen, its score never changes again."""
        opened = self.find(scenario_id)
        if not opened.world.closed:
            opened.answer = answer
            opened.world.close()
        return opened

    def __iter__(self) -> Iterator[Opened]:
        return iter(self._opened.values())
