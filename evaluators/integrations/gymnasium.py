"""Every task family as a Gymnasium environment, `rehearsal/store.buy_item-v1`; needs the extra
`gym`.

`gymnasium.make("evaluators.integrations.gymnasium:rehearsal/store.buy_item-v1")` imports
this module; once it is imported, the name alone is enough. An action is a line of
`agent.actions`, such as `click [12]`, `type [3] [a lamp] [1]` or `stop [answer]`. An
observation is a dict of texts: `goal`, `url`, `title`, `text` (the page as a tree, with the ids
that actions name) and `last_action_error`. The seed of `reset` is the scenario's. The reward is 0
until `stop` or the end of the budget, and then 1 for a success or 0 for a failure. `info` has the
progress at each step, and the checks at the end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from typing import Any

import gymnasium
from gymnasium import spaces

from agent import actions
from agent.actions import BadAction
from agent.interface import BudgetExceeded, Observation, Stop
from agent.renderings import tree
from evaluators.episode import budget
from evaluators.episode.budget import Meter
from evaluators.episode.environment import open_environments
from evaluators.run.event_loop import Runner
from evaluators.scoring.context import ScoringContext
from evaluators.scoring.score import Score
from scenarios import registry
from scenarios.scenario import sites_of

VERSION = 1
"""The version number of the environments; it increases with each change that can affect a score."""
SEEDS = 1_000_000
"""The upper bound of the seed that `reset` draws if none is given."""
Texts = dict[str, str]


def register() -> None:
    """Register every family with Gymnasium, and WebShop's text environment."""
    for name, family in registry.family_modules().items():
        gymnasium.register(
            f"rehearsal/{family.SITE}.{name}-v{VERSION}",
            entry_point="evaluators.integrations.gymnasium:Environment",
            kwargs={"family": name},
        )
    gymnasium.register(
        f"rehearsal/webshop-text-v{VERSION}",
        entry_point="evaluators.integrations.webshop_gymnasium:Environment",
    )


class TextSpace(spaces.Space[str]):
    """The Gymnasium space of all texts; it samples from a few actions, by default actions that
    every page takes.
    """

    SAMPLES = ("scroll [down]", "scroll [up]", "go_back", "stop []")

    def __init__(self, samples: Sequence[str] = SAMPLES) -> None:
        super().__init__((), str)
        self.samples = tuple(samples)

    def sample(self, mask: Any = None, probability: Any = None) -> str:
        return self.samples[int(self.np_random.integers(len(self.samples)))]

    def contains(self, x: Any) -> bool:
        return isinstance(x, str)

    @property
    def is_np_flattenable(self) -> bool:
        return False

    def __repr__(self) -> str:
        return "TextSpace()"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TextSpace)

    def __hash__(self) -> int:
        return hash(TextSpace)


class Environment(gymnasium.Env[Texts, str]):
    """A task family as a Gymnasium environment.

    The first `reset` starts its browser, and `close` ends it.
    """

    def __init__(self, family: str) -> None:
        self.family = registry.family(family)
        self.action_space = TextSpace()
        keys = ("goal", "url", "title", "text", "last_action_error")
        self.observation_space = spaces.Dict({key: TextSpace() for key in keys})  # type: ignore[assignment]
        self._runner: Runner | None = None
        self._browser, self._page = AsyncExitStack(), AsyncExitStack()

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Texts, dict[str, Any]]:
        """Open the scenario with this seed; without a seed, draw one.

        Args:
            seed: The scenario's seed, or None.
            options: Ignored.

        Returns:
            The observation, and `info`.
        """
        super().reset(seed=seed)
        number = int(self.np_random.integers(SEEDS)) if seed is None else seed
        observation = self._run(self._open(number))
        return self._texts(observation), self._info()

    def step(self, action: str) -> tuple[Texts, float, bool, bool, dict[str, Any]]:
        """Do an action; an unreadable action returns the old observation with an error.

        Args:
            action: A line of `agent.actions`.

        Returns:
            The observation, the reward, terminated, truncated (the budget is spent), and `info`.
        """
        try:
            parsed = actions.parse(action)
        except BadAction as error:
            return self._texts(self._last, str(error)), 0.0, False, False, self._info()
        if isinstance(parsed, Stop):
            return self._ended(parsed.answer, truncated=False)
        try:
            observation = self._run(self._episode.page.act(parsed))
        except BudgetExceeded:
            return self._ended("", truncated=True)
        return self._texts(observation), 0.0, False, False, self._info()

    def close(self) -> None:
        """Close the browser and the sites."""
        if self._runner is not None:
            self._runner.run(self._page.aclose())
            self._runner.run(self._browser.aclose())
            self._runner.close()
            self._runner = None

    async def _open(self, seed: int) -> Observation:
        await self._page.aclose()
        scenario = self.family.generate(seed, self._pool.sites[self.family.SITE].data)
        meter = Meter(budget.of_a_guest(self.family, scenario))
        opened = self._pool.open_episode(ScoringContext.of(scenario, self.family), meter=meter)
        self._episode = await self._page.enter_async_context(opened)
        self._last = await self._episode.start()
        return self._last

    def _run(self, coroutine: Any) -> Any:
        if self._runner is None:
            self._runner = Runner()
            opened = open_environments(sites_of(self.family))
            self._pool = self._runner.run(self._browser.enter_async_context(opened))
        return self._runner.run(coroutine)

    def _texts(self, observation: Observation, error: str = "") -> Texts:
        self._last = observation
        return {
            "goal": self._episode.scenario.instruction,
            "url": observation.url,
            "title": observation.title,
            "text": tree.render(observation),
            "last_action_error": error or observation.error or "",
        }

    def _info(self, score: Score | None = None) -> dict[str, Any]:
        reached = score or self._episode.score()
        return {"scenario": self._episode.scenario.name, "progress": reached.progress}

    def _ended(
        self, answer: str, *, truncated: bool
    ) -> tuple[Texts, float, bool, bool, dict[str, Any]]:
        score = self._episode.score(answer)
        checks = {check.name: check.held for check in score.checks}
        info = {**self._info(score), "success": score.success, "checks": checks}
        info["unverified"] = score.unverified
        return self._texts(self._last), float(score.success), not truncated, truncated, info


register()  # a module that `gymnasium.make` names registers its environments when it is imported
