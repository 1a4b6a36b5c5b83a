"""Every family as a Gymnasium environment, `rehearsal/store.buy_item-v1`; needs the extra `gym`.

`gymnasium.make("evaluators.gym:rehearsal/store.buy_item-v1")` imports this module by itself;
after an import of one's own the name alone will do. An action is a line of our
grammar (`agent.actions`), such as `click [12]`, `type [3] [a lamp] [1]` or `stop [answer]`. An
observation is a dict of texts: `goal`, `url`, `title`, `text` (the page as a tree, with the ids
that actions name) and `last_action_error`. The seed of `reset` is the scenario's. The reward is 0
until `stop`, or the end of the budget, and then 1 for a success by our judge and 0 for anything
else; `info` has the progress at each step, and the checks at the end.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import AsyncExitStack
from typing import Any

import gymnasium
from gymnasium import spaces

from agent import actions
from agent.actions import BadAction
from agent.interface import BudgetExceeded, Observation, Stop
from agent.renderings import tree
from evaluators import casting
from evaluators.budget import Meter, standard
from evaluators.doors import PageDoor
from evaluators.score import Score
from evaluators.stage import open_stage
from evaluators.trace import Trace
from scenarios.scenario import Scenario

VERSION = 1
"""Goes up where a change can move a score."""
SEEDS = 1_000_000
"""Without a seed, one of so many is drawn."""
Texts = dict[str, str]


def register() -> None:
    """Tell Gymnasium of every family."""
    for name, family in casting.family_modules().items():
        gymnasium.register(
            f"rehearsal/{family.SITE}.{name}-v{VERSION}",
            entry_point="evaluators.gym:Environment",
            kwargs={"family": name},
        )


class Line(spaces.Space[str]):
    """Any text; samples are among a few actions that every page takes."""

    SAMPLES = ("scroll [down]", "scroll [up]", "go_back", "stop []")

    def __init__(self) -> None:
        super().__init__((), str)

    def sample(self, mask: Any = None, probability: Any = None) -> str:
        return self.SAMPLES[int(self.np_random.integers(len(self.SAMPLES)))]

    def contains(self, x: Any) -> bool:
        return isinstance(x, str)

    @property
    def is_np_flattenable(self) -> bool:
        return False

    def __repr__(self) -> str:
        return "Line()"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Line)

    def __hash__(self) -> int:
        return hash(Line)


class Environment(gymnasium.Env[Texts, str]):
    """One family in a browser of its own, which the first `reset` starts and `close` ends."""

    def __init__(self, family: str) -> None:
        self.family = casting.family(family)
        self.action_space = Line()
        keys = ("goal", "url", "title", "text", "last_action_error")
        self.observation_space = spaces.Dict({key: Line() for key in keys})  # type: ignore[assignment]
        self._runner: asyncio.Runner | None = None
        self._stage = AsyncExitStack()
        self._episode = AsyncExitStack()

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Texts, dict[str, Any]]:
        """Open the scenario of this seed; without one, of a seed that is drawn."""
        super().reset(seed=seed)
        number = int(self.np_random.integers(SEEDS)) if seed is None else seed
        observation = self._run(self._open(number))
        return self._texts(observation), self._info()

    def step(self, action: str) -> tuple[Texts, float, bool, bool, dict[str, Any]]:
        """Do it; a line that is no action is an observation with the error."""
        try:
            done = actions.parse(action)
        except BadAction as error:
            return self._texts(self._last, str(error)), 0.0, False, False, self._info()
        if isinstance(done, Stop):
            return self._ended(done.answer, truncated=False)
        try:
            observation = self._run(self._door.act(done))
        except BudgetExceeded:
            return self._ended("", truncated=True)
        return self._texts(observation), 0.0, False, False, self._info()

    def close(self) -> None:
        """End the browser and the sites."""
        if self._runner is not None:
            self._runner.run(self._episode.aclose())
            self._runner.run(self._stage.aclose())
            self._runner.close()
            self._runner = None

    async def _open(self, seed: int) -> Observation:
        await self._episode.aclose()
        site = self._theatre.sites[self.family.SITE]
        scenario = self.family.generate(seed, site.data)
        lane = await self._episode.enter_async_context(self._theatre.lane(site.name))
        start, meter = self.family.world(scenario), Meter(standard(self.family.length(scenario)))
        url = site.origin + scenario.start
        self._door = PageDoor(lane, site.worlds, start, url, meter, Trace())
        self._episode.callback(self._door.close)
        self._last = await self._door.open()
        read = getattr(self.family, "instruction", None)
        self._goal = read(self._last) if read else scenario.instruction
        self._scenario: Scenario = scenario
        self._before = start.snapshot()
        return self._last

    def _run(self, work: Any) -> Any:
        if self._runner is None:
            self._runner = asyncio.Runner()
            opened = open_stage([self.family.SITE])
            self._theatre = self._runner.run(self._stage.enter_async_context(opened))
        return self._runner.run(work)

    def _texts(self, observation: Observation, error: str = "") -> Texts:
        self._last = observation
        return {
            "goal": self._goal,
            "url": observation.url,
            "title": observation.title,
            "text": tree.render(observation),
            "last_action_error": error or observation.error or "",
        }

    def _score(self, answer: str) -> Score:
        site = self._theatre.sites[self.family.SITE]
        after = self._door.world.snapshot()
        judge = casting.judge(site.name)
        return judge.judge(self._scenario, self._before, after, answer, site.data)

    def _info(self) -> dict[str, Any]:
        return {"scenario": self._scenario.name, "progress": self._score("").progress}

    def _ended(
        self, answer: str, *, truncated: bool
    ) -> tuple[Texts, float, bool, bool, dict[str, Any]]:
        score = self._score(answer)
        checks = {check.name: check.held for check in score.checks}
        info = {**self._info(), "success": score.success, "checks": checks}
        info["progress"] = score.progress
        return self._texts(self._last), float(score.success), not truncated, truncated, info


register()  # a module that `gymnasium.make` names registers its environments when it is imported
