"""Synapse's exemplars: what the expert does on a task, as programs that were run in the sandbox.

What of a page is kept for the clean observations stands in `exemplars.toml`, by task; it selects
and never decides.
"""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from agent import renderings
from agent.browser.lane import Lane
from agent.interface import Action, Observation
from agent.methods._exemplars import Exemplar, Exemplars, Round
from agent.methods._programs import Hands, write
from agent.sandbox import ProgramError
from agent.sandbox.monty import MontyRunner
from evaluators import casting, exemplars
from evaluators.stage import Stage, StagedSite
from scenarios.widgets._scene import over
from scenarios.widgets._widget import Widget
from sites.gate import COOKIE

SEEDS = range(2000, 2100)
"""Where the exemplars' seeds are drawn from: none that a suite or a key of the memory has."""
MOST_ROUNDS = 12
MOST_CALLS = 50
_STYLE = re.compile(r' style="[^"]*"')


@dataclass(frozen=True)
class Rule:
    """How states of a task are abstracted: `explicit` drops the lines that a pattern of `drop`
    begins, and colours unless `colours`; `implicit` runs `program`; without both there is no
    abstraction."""

    drop: tuple[str, ...] = ()
    colours: bool = False
    program: str = ""

    @property
    def kind(self) -> str:
        if self.program:
            return "implicit"
        return "explicit" if self.drop else "none"

    async def apply(self, state: str) -> str:
        if self.kind == "none":
            return ""
        if self.program:
            return await MontyRunner().abstract(self.program, state)
        lines = [line for line in state.split("\n") if not self._dropped(line)]
        return "\n".join(line if self.colours else _STYLE.sub("", line) for line in lines)

    def _dropped(self, line: str) -> bool:
        return any(re.match(pattern, line.lstrip()) for pattern in self.drop)


def rule(task: str) -> Rule:
    """The abstraction of a task, by `exemplars.toml`."""
    data: Mapping[str, Any] = exemplars.abstractions().get(task, {})
    return Rule(
        tuple(data.get("drop", ())), data.get("colours", False), data.get("program", "").strip()
    )


class NotPlayed(RuntimeError):
    """The expert could not play a task as programs."""


async def compose(
    stage: Stage, task: str, many: int = 3, seeds: Iterable[int] = SEEDS
) -> Exemplars:
    """So many exemplars of a widget's task, of the first seeds that the expert wins."""
    how, found = rule(task), []
    family = casting.family(task)
    assert isinstance(family, Widget), f"{task} is no widget"
    async with stage.lane(family.SITE) as lane:
        for seed in seeds:
            made = await _played(stage.sites[family.SITE], lane, family, seed, how)
            if made is not None:
                found.append(made)
            if len(found) == many:
                return Exemplars(task, how.kind, how.program, tuple(found))
    raise NotPlayed(f"{task}: the expert won {len(found)} of the seeds")


async def _played(
    site: StagedSite, lane: Lane, family: Widget, seed: int, how: Rule
) -> Exemplar | None:
    """The expert's episode, where it was won."""
    scenario = family.generate(seed, site.data)
    world = family.world(scenario)
    token = site.worlds.admit(world)
    try:
        seen = await lane.open(site.origin + scenario.start, cookie=(COOKIE, token))
        told = replace(scenario, instruction=family.instruction(seen))
        rounds: list[Round] = []
        while not over(seen) and len(rounds) < MOST_ROUNDS:
            state, before = renderings.get("state").render(seen), seen
            actions, seen = await _run(lane, seen, family.advise(told, seen).actions)
            rounds.append(Round(state, await how.apply(state), write(actions, before)))
    finally:
        site.worlds.dismiss(token)
    verdicts = world.snapshot()["verdicts"]
    won = bool(verdicts) and verdicts[0]["raw"] == 1
    return Exemplar(told.instruction, tuple(rounds)) if won else None


async def _run(
    lane: Lane, seen: Observation, actions: Sequence[Action]
) -> tuple[Sequence[Action], Observation]:
    """Do the actions, each by its program; those that were done, up to where one could not be.

    There the page has become another one, and has to be looked at again.
    """
    hands = Hands(lane.act, seen)
    for done, action in enumerate(actions):
        try:
            await MontyRunner().act(write([action], seen), hands, calls=MOST_CALLS)
        except ProgramError as problem:
            if problem.kind != "failed" or not done:
                raise
            return actions[:done], hands.now
    return actions, hands.now


# The file ---------------------------------------------------------------------------------------


def text(made: Exemplars) -> str:
    """The exemplar file, as `agent.methods._exemplars` reads it."""
    return "\n".join(_lines(made)) + "\n"


def _lines(made: Exemplars) -> Iterator[str]:
    yield f"abstraction = {json.dumps(made.abstraction)}"
    if made.program:
        yield f"program = {_literal(made.program)}"
    for each in made.exemplars:
        yield from ("", "[[exemplar]]", f"instruction = {_literal(each.instruction)}")
        for turn in each.rounds:
            yield from ("[[exemplar.round]]", f"state = {_literal(turn.state)}")
            if turn.observation:
                yield f"observation = {_literal(turn.observation)}"
            yield f"actions = {_literal(turn.actions)}"


def _literal(value: str) -> str:
    """A TOML string, over several lines where it has some."""
    if "'''" in value or "\n" not in value or (not value.isprintable() and not _plain(value)):
        return json.dumps(value, ensure_ascii=False)
    return f"'''\n{value}'''"


def _plain(value: str) -> bool:
    return all(line.isprintable() for line in value.split("\n"))


async def build(stage: Stage, tasks: Sequence[str]) -> AsyncIterator[tuple[str, str]]:
    """Each task with its exemplar file's text; five exemplars of book-flight, else three."""
    for task in tasks:
        yield task, text(await compose(stage, task, 5 if task == "book-flight" else 3))
