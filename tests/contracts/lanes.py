"""The same actions in both lanes, in Chromium and without a browser, on two equal worlds."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from random import Random

from agent.browser.lane import Lane
from agent.interface import (
    Action,
    Back,
    Click,
    Forward,
    Goto,
    Hover,
    KeyboardType,
    Observation,
    Press,
    Respond,
    Scroll,
    Select,
    Tab,
    Type,
    Wait,
)
from agent.text_lane.lane import TextLane
from evaluators.episode.environment import EnvironmentPool, text_sites
from scenarios import registry
from scenarios.scenario import sites_of
from sites.joint import JointWorlds, lead
from sites.site_app import COOKIE
from sites.world import World

TEXTS = (
    *("chair", "a b", "", "x" * 300, "é~*&=+% <b>\"'", "2026-01-05", "12", "-3.5"),
    *("line one\nline two", "kayaking", " padded  "),
)
KEYS = ("Enter", "Tab", "Shift+Tab", "Space", "ArrowDown", "Escape", "Nonsense", "Control+a")
ADDRESSES = ("/", "/nowhere", "http://example.com/", "not an address", "?page=2", "#top")
TARGETS = (999, 0, "No such name", "//main//a[2]", "//nothing", "//[", "string(//a)")
WEIGHTS = {
    "click": 42, "type": 18, "select": 8, "back": 10, "forward": 2, "press": 3, "keyboard": 2,
    "goto": 3, "target": 3, "into anything": 2, "wrong select": 1, "hover": 2, "scroll": 1,
    "tab": 1, "respond": 1, "wait": 1,
}  # fmt: skip
"""How often a walk takes each kind of action, of a hundred."""


Choose = Callable[[Observation], Action]
"""A function that chooses the next action of a walk."""


@dataclass(frozen=True)
class Both:
    """An episode that is open in both lanes, with the observations of its start."""

    browser: Lane
    text: TextLane
    worlds: tuple[World, World]
    first: tuple[Observation, Observation]

    async def act(self, action: Action) -> tuple[Observation, Observation]:
        """Do an action in both lanes."""
        return await self.browser.act(action), await self.text.act(action)


@asynccontextmanager
async def opened(environments: EnvironmentPool, family: str, seed: int) -> AsyncIterator[Both]:
    """Open a scenario in both lanes, each with a world of its own."""
    made = registry.family(family)
    scenario = made.generate(seed, registry.site_data(made.SITE))
    names, site = sites_of(made), environments.sites[made.SITE]
    worlds = JointWorlds({name: environments.sites[name].worlds for name in names})
    async with AsyncExitStack() as stack:
        one, other = (stack.enter_context(made.world(scenario)) for _ in range(2))
        for name in names:
            environments.sites[name].server.start()
        for world in (one, other):
            lead(world, {name: each.origin for name, each in environments.sites.items()})
        browser = await stack.enter_async_context(environments.lane(site.name, family))
        text = TextLane(text_sites(environments.sites))
        start, also = site.start_url(made, scenario), site.origins(made)[1:]
        tokens = [worlds.admit(world) for world in (one, other)]
        for token in tokens:
            stack.callback(worlds.revoke, token)
        first = await browser.open(start, cookie=(COOKIE, tokens[0]), also=also)
        second = await text.open(start, cookie=(COOKIE, tokens[1]), also=also)
        yield Both(browser, text, (one, other), (first, second))


async def differences_at_random(
    environments: EnvironmentPool, family: str, seed: int, steps: int
) -> list[str]:
    """Walk at random through an episode in both lanes, as `differences` does."""
    rng = Random(f"{family}/{seed}")
    return await differences(environments, family, seed, [partial(choose, rng)] * steps)


async def differences(
    environments: EnvironmentPool, family: str, seed: int, way: Sequence[Choose]
) -> list[str]:
    """Walk through an episode in both lanes, until they differ.

    Returns:
        A line about each difference, or an empty list.
    """
    async with opened(environments, family, seed) as both:
        seen, other = both.first
        found, action = [*_unlike(seen, other)], "the start"
        for step, choice in enumerate(way):
            if found:
                break
            chosen = choice(seen)
            seen, other = await both.act(chosen)
            found = [*_unlike(seen, other)]
            if both.browser.inputs != both.text.inputs:
                found.append(f"inputs: {both.browser.inputs} and {both.text.inputs}")
            action = f"action {step + 1}, {chosen} at {seen.url}"
        rows = [world.snapshot() for world in both.worlds]
        found += [f"table {name}" for name in rows[0] if rows[0][name] != rows[1][name]]
    return [f"after {action}: {line}" for line in found]


def choose(rng: Random, seen: Observation) -> Action:
    """Return an action that somebody might try on this page, sensible or not."""
    if not seen.elements:
        return Back()
    any_one = rng.choice(seen.elements)
    pressed = [one for one in seen.elements if one.role in ("link", "button", "checkbox", "radio")]
    fields = [one for one in seen.elements if one.role in ("textbox", "searchbox", "spinbutton")]
    lists = [one for one in seen.elements if one.options]
    kind = rng.choices([*WEIGHTS], [*WEIGHTS.values()])[0]
    if kind == "type" and fields:
        return Type(rng.choice(fields).id, rng.choice(TEXTS), enter=rng.random() < 0.3)
    if kind == "select" and lists:
        chosen = rng.choice(lists)
        return Select(chosen.id, rng.choice([*chosen.options, "nonsense"]))
    if kind in ("click", "type", "select"):
        return Click(rng.choice(pressed or seen.elements).id)
    return {
        "back": Back(),
        "forward": Forward(),
        "press": Press(rng.choice(KEYS)),
        "keyboard": KeyboardType(rng.choice(TEXTS)),
        "goto": Goto(rng.choice([*ADDRESSES, seen.url])),
        "target": Click(rng.choice([*TARGETS, any_one.name or "x"])),
        "into anything": Type(any_one.id, "into anything"),
        "wrong select": Select(any_one.id, "x"),
        "hover": Hover(any_one.id),
        "scroll": Scroll(rng.choice(["down", "up", "left"])),
        "tab": Tab(rng.choice([0, 1]), close=rng.random() < 0.5),
        "respond": Respond(accept=True),
        "wait": Wait(1.0),
    }[kind]


def _unlike(one: Observation, other: Observation) -> Iterator[str]:
    """Yield a line about each part in which two observations differ."""
    for name in ("url", "title", "error", "dialog", "tabs", "tab", "capped", "more", "inputs"):
        if getattr(one, name) != getattr(other, name):
            yield f"{name}: {getattr(one, name)!r} and {getattr(other, name)!r}"
    if len(one.content) != len(other.content):
        yield f"{len(one.content)} and {len(other.content)} nodes"
    for first, second in zip(one.content, other.content, strict=False):
        if first != second:
            yield f"{first} and {second}"
            return
