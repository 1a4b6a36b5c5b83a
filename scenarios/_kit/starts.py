"""Start worlds and plans of scenarios on declared sites, kept for the many calls that need them."""

from __future__ import annotations

import atexit
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from threading import RLock

from scenarios import registry
from scenarios._kit.drawing import put
from scenarios._kit.gold import Gold
from scenarios._kit.plan import Plan, stations
from scenarios._kit.visit import done
from scenarios.scenario import Scenario
from sites.kit import Map, Site
from sites.world import World

MOST_KEPT = 16
"""The most plans that a process keeps."""


class Starts:
    """The plans that were used last. They own their start worlds and right end worlds.

    A plan that is dropped releases its worlds, but never while somebody uses it.
    """

    def __init__(self, most: int = MOST_KEPT) -> None:
        self._most = most
        self._plans: dict[str, Plan] = {}
        self._users: Counter[str] = Counter()
        self._lock = RLock()

    @contextmanager
    def open(self, scenario: Scenario) -> Iterator[Plan]:
        """Lend the plan of a scenario for the duration of a `with` block."""
        with self.lend(scenario.digest(), partial(_kept_plan, scenario)) as plan:
            yield plan

    @contextmanager
    def lend(self, key: str, make: Callable[[], Plan]) -> Iterator[Plan]:
        """Lend a plan for the duration of a `with` block.

        Args:
            key: The text that tells the plan apart.
            make: Makes the plan with worlds of its own.
        """
        with self._lock:
            plan = self._plans.pop(key, None) or make()
            self._plans[key] = plan
            self._users[key] += 1
        try:
            yield plan
        finally:
            with self._lock:
                self._users[key] -= 1
                self._drop(len(self._plans) - self._most)

    def release(self) -> None:
        """Release the worlds of all plans that nobody uses."""
        with self._lock:
            self._drop(len(self._plans))

    def _drop(self, many: int) -> None:
        """Drop some plans that nobody uses, the longest unused plan first."""
        idle = [key for key in self._plans if not self._users[key]]
        for key in idle[: max(0, many)]:
            plan = self._plans.pop(key)
            del self._users[key]
            plan.map.world.release()
            plan.ended.world.release()


def start_world(scenario: Scenario) -> World:
    """Return a new start world of a scenario; the caller must release it."""
    details = scenario.details
    world: World = registry.site_data(scenario.site).base(details["size"], details["base"]).fork()
    world.session = world.name = scenario.id
    world.about = {"me": details["me"], "skin": details["skin"]}
    for table, row in details["plants"]:
        put(world, table, row)
    world.write("DELETE FROM log_change")
    world.writes = 0
    return world


def _kept_plan(scenario: Scenario) -> Plan:
    """Return the plan of a scenario with worlds of its own."""
    site: Site = registry.site_data(scenario.site).site
    gold, start = Gold.from_json(scenario.gold), start_world(scenario)
    ended, shown = start.fork(), Map(site, start)
    try:
        done(site, ended, gold.ends[0].do)
    except BaseException:
        ended.release()
        start.release()
        raise
    return Plan(
        shown,
        Map(site, ended),
        stations(gold),
        gold.text,
        tuple(scenario.details["named"]),
        gold.search,
        gold.end,
        shown.place(scenario.start),
    )


STARTS = Starts()
"""The plans of this process."""
atexit.register(STARTS.release)
