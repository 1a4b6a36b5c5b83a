"""WebShop's text environment with Gymnasium's five values, `rehearsal/webshop-text-v1`.

An action is `search[words]` or `click[what is offered]`; an observation is a text, as
`observation_mode` has it. The seed of `reset` is the goal. The reward is WebShop's, told by the
purchase, which ends the episode; `info` has the wish and what the page offers, at the end also
whether all of it is right, and the checks.
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
    """One visit to the store after the other, without a browser."""

    def __init__(self, observation_mode: str = "text_rich") -> None:
        self.text = TextEnv(observation_mode)
        self.action_space, self.observation_space = TextSpace(SAMPLES), TextSpace(SAMPLES)

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[str, dict[str, Any]]:
        """Open the goal of this seed; without one, draw it."""
        super().reset(seed=seed)
        goals = webshop_goals.goals()
        drawn = goals[int(self.np_random.integers(len(goals)))] if seed is None else seed
        return self.text.reset(drawn)[0], self._info()

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Do an action; what the page does not offer changes nothing."""
        observation, reward, done, _ = self.text.step(action)
        return observation, reward, done, False, self._info()

    def close(self) -> None:
        """Release the world of the visit."""
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
