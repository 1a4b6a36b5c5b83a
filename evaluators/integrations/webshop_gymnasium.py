"""WebShop's text environment for Gymnasium, whose `step` returns five values:
`rehearsal/webshop-text-v1`.

An action is `search[words]` or `click[text on the page]`; an observation is a text in the form of
`observation_mode`. The seed of `reset` is the goal. The reward is WebShop's, given at the purchase,
which ends the episode. `info` has the instruction and what the page offers; at the end also the
success and the checks.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium

from evaluators.integrations import webshop_goals
from evaluators.integrations.gymnasium import TextSpace
from evaluators.integrations.webshop_text import TextEnv

SAMPLES = ("search[desk lamp]", "click[next >]", "click[< prev]", "click[back to search]")


class Environment(gymnasium.Env[str, str]):
    """A Gymnasium environment of visits to the store, one after the other, without a browser."""

    def __init__(self, observation_mode: str = "text_rich") -> None:
        self.text = TextEnv(observation_mode)
        self.action_space, self.observation_space = TextSpace(SAMPLES), TextSpace(SAMPLES)

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[str, dict[str, Any]]:
        """Open the goal whose number is the seed, and return the first observation and `info`.

        Without a seed, a goal is drawn.
        """
        super().reset(seed=seed)
        goals = webshop_goals.goals()
        drawn = goals[int(self.np_random.integers(len(goals)))] if seed is None else seed
        return self.text.reset(drawn)[0], self._info()

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Do an action and return observation, reward, terminated, truncated (never) and `info`.

        An action that the page does not offer changes nothing.
        """
        observation, reward, done, _ = self.text.step(action)
        return observation, reward, done, False, self._info()

    def close(self) -> None:
        """Release the visit's database."""
        self.text.close()

    def _info(self) -> dict[str, Any]:
        info = {
            "scenario": self.text.scenario.name,
            "instruction": self.text.instruction_text,
            **self.text.get_available_actions(),
        }
        if not self.text.done:
            return info
        score = self.text.score()
        checks = {check.name: check.held for check in score.checks}
        return {**info, "success": score.success, "checks": checks}
