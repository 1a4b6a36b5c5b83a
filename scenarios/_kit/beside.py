"""The other sites in episodes of a declared site: their pages are read, and nothing may change
there.

A site that is not declared says in `scenarios/<site>/pages/beside.py` how it is visited (`Beside`).
A declared site is visited by its map (`beside_declared.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, replace
from functools import partial
from importlib import import_module
from typing import Any, Protocol, cast

from agent.interface import Advice, Click, Element, Note, Observation
from scenarios import registry
from scenarios._kit.beside_declared import DeclaredBeside
from scenarios._kit.reading import Reading
from scenarios.scenario import NearMiss, Scenario
from sites.joint import JointWorld
from sites.kit import Site
from sites.world import World

Solve = Callable[[World], str | None]
"""Solves a task at its own site and returns the answer."""
READ = "read the {site}"
"""The step of an advice that leads to another site and through its pages."""


class Beside(Protocol):
    """How another site is visited: the members of its module `beside`."""

    def new_world(self, scenario: Scenario) -> World:
        """Return the database of a new visit (its world) to this site."""
        ...

    def walk(self, path: Sequence[Mapping[str, Any]], world: World) -> None:
        """Open the pages of a path by the site's operations, without a browser."""
        ...

    def advise(
        self, scenario: Scenario, path: Sequence[Mapping[str, Any]], observation: Observation
    ) -> Advice | None:
        """Return the next actions along a path, or None on its last page."""
        ...

    def length(self, scenario: Scenario, path: Sequence[Mapping[str, Any]]) -> int:
        """Return the number of actions along a path."""
        ...

    def stray(self, world: World) -> None:
        """Change something that no task asks for, for near misses."""
        ...


def of(site: str) -> Beside:
    """Return how a site is visited."""
    if isinstance(getattr(registry.site_data(site), "site", None), Site):
        return DeclaredBeside(site)
    return cast("Beside", import_module(f"scenarios.{site}.pages.beside"))


def to_gold(readings: Sequence[Reading]) -> list[dict[str, Any]]:
    """Return readings as JSON values."""
    return [asdict(each) for each in readings]


def read(gold: Mapping[str, Any]) -> list[Reading]:
    """Return the readings of a gold."""
    return [Reading(**each) for each in gold.get("beside", ())]


def steps(sites: Sequence[str]) -> tuple[str, ...]:
    """Return the names of the steps that belong to other sites."""
    return tuple(READ.format(site=site) for site in sites[1:])


def joint_world(world: World, scenario: Scenario, sites: Sequence[str]) -> World:
    """Return the world of a visit to several sites; it owns the given world of the first site."""
    if len(sites) < 2:
        return world
    home, *others = sites
    with ExitStack() as made:
        parts = {home: made.enter_context(world)}
        for site in others:
            parts[site] = made.enter_context(of(site).new_world(scenario))
        made.pop_all()
    return JointWorld(parts)


def walk(gold: Mapping[str, Any], world: World) -> None:
    """Open the pages of all other sites that tell something."""
    for each in read(gold):
        of(each.site).walk(each.path, world.of(each.site))


def length(scenario: Scenario) -> int:
    """Return the number of actions at the other sites: to each of them, its pages, and back."""
    readings = read(scenario.gold)
    return sum(1 + of(each.site).length(scenario, each.path) + 1 for each in readings)


# The advice --------------------------------------------------------------------------------------


def advise(scenario: Scenario, observation: Observation) -> Advice | None:
    """Return the advice that leads to another site, through its pages and back.

    A page does not tell which pages of another site were opened, only whether any was.

    Returns:
        The advice, or None if the task goes on at its own site.
    """
    links = {each.name: each for each in observation.elements if each.role == "link"}
    readings = read(scenario.gold)
    here = next((each for each in readings if _to(each.site) not in links), None)
    if here is not None and _to(scenario.site) in links:
        return _at(scenario, here, links[_to(scenario.site)], observation)
    for each in readings:
        link = links.get(_to(each.site))
        if link is not None and "visited" not in link.states:
            return Advice(READ.format(site=each.site), (Click(link.id),))
    return None


def _to(site: str) -> str:
    """Return the name of the link to a site."""
    return f"To the {site}"


def _at(scenario: Scenario, reading: Reading, back: Element, observation: Observation) -> Advice:
    """Return the advice on a page of another site; on the last page: take a note and go back."""
    step = READ.format(site=reading.site)
    found = of(reading.site).advise(scenario, reading.path, observation)
    if found is not None:
        return replace(found, step=step)
    return Advice(step, (*map(Note, reading.values), Click(back.id)))


def remembered(scenario: Scenario, advice: Advice) -> Advice:
    """Return an advice for the task's own site, which needs what other sites told."""
    values = [value for each in read(scenario.gold) for value in each.values]
    return replace(advice, needs=(*advice.needs, *((value,) for value in values)))


# Near misses -------------------------------------------------------------------------------------


def near_misses(
    scenario: Scenario, misses: Mapping[str, NearMiss], solve: Solve
) -> dict[str, NearMiss]:
    """Return the near misses of a task that also reads other sites.

    Args:
        scenario: The scenario.
        misses: The near misses at its own site; before each, all pages of other sites are read.
        solve: Solves the task at its own site and returns the answer, given a world.
    """
    walked = {label: _after_walk(scenario, miss) for label, miss in misses.items()}
    return walked | dict(_careless(scenario, solve))


def _after_walk(scenario: Scenario, miss: NearMiss) -> NearMiss:
    def apply(world: World) -> str | None:
        walk(scenario.gold, world)
        return miss.apply(world)

    return NearMiss(apply, miss.fails)


def _careless(scenario: Scenario, solve: Solve) -> Iterator[tuple[str, NearMiss]]:
    """Yield the right end without a look at another site, and with a change there."""
    for site in dict.fromkeys(each.site for each in read(scenario.gold)):
        yield f"the {site} unread", NearMiss(solve, pages_of(site))
        meddled = partial(_meddled, scenario, site, solve)
        yield f"changed something in the {site}", NearMiss(meddled, "nothing else")


def _meddled(scenario: Scenario, site: str, solve: Solve, world: World) -> str | None:
    walk(scenario.gold, world)
    of(site).stray(world.of(site))
    return solve(world)


def pages_of(site: str) -> str:
    """Return the name of the check that the pages of a site were opened."""
    return f"pages of the {site}"
