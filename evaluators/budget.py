"""What an episode may spend, and what it has spent."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from agent.interface import BudgetExceeded
from agent.llm.completion import Usage


@dataclass(frozen=True)
class Budget:
    """Limits of one episode; None is no limit. `seconds` is a deadline by the monotonic clock."""

    steps: int
    calls: int
    tokens: int | None = None
    dollars: float | None = None
    seconds: float | None = 600.0


def standard(expert_length: int, attempts: int = 1) -> Budget:
    """Twice the expert's length and ten more steps, eight calls a step; times the attempts."""
    steps = (2 * expert_length + 10) * attempts
    return Budget(steps=steps, calls=8 * steps)


@dataclass
class Meter:
    """Counts what an episode spends and stops it at its budget."""

    budget: Budget
    steps: int = 0
    calls: int = 0
    invalid_actions: int = 0
    repeats: int = 0
    tokens: Counter[str] = field(default_factory=Counter)
    by_purpose: dict[str, Counter[str]] = field(default_factory=dict)
    seconds_by_purpose: Counter[str] = field(default_factory=Counter)
    dollars: float | None = 0.0
    started: float = field(default_factory=time.monotonic)

    def step(self) -> None:
        """Before an action. Raises `BudgetExceeded`."""
        self._within("steps", self.steps, self.budget.steps)
        self._in_time()
        self.steps += 1

    def call(self) -> None:
        """Before a request to the model. Raises `BudgetExceeded`."""
        self._within("calls", self.calls, self.budget.calls)
        self._within("tokens", self.tokens.total(), self.budget.tokens)
        self._within("dollars", self.dollars or 0, self.budget.dollars)
        self._in_time()
        self.calls += 1

    def pay(self, purpose: str, usage: Usage, seconds: float, dollars: float | None) -> None:
        """After a reply. Unknown tokens or prices stay unknown, they are not 0."""
        counts = Counter(
            calls=1, prompt_tokens=usage.prompt or 0, completion_tokens=usage.completion or 0
        )
        self.by_purpose.setdefault(purpose, Counter()).update(counts)
        self.tokens.update(prompt=usage.prompt or 0, completion=usage.completion or 0)
        self.seconds_by_purpose[purpose] += seconds  # type: ignore[assignment]  # seconds, not a count
        known = self.dollars is not None and dollars is not None
        self.dollars = self.dollars + dollars if known else None  # type: ignore[operator]

    def purposes(self) -> dict[str, dict[str, Any]]:
        """Calls, tokens and seconds per purpose."""
        return {
            purpose: {**counts, "model_s": round(self.seconds_by_purpose[purpose], 6)}
            for purpose, counts in sorted(self.by_purpose.items())
        }

    def elapsed(self) -> float:
        """Seconds since the episode began."""
        return round(time.monotonic() - self.started, 6)

    def _in_time(self) -> None:
        self._within("seconds", self.elapsed(), self.budget.seconds)

    @staticmethod
    def _within(what: str, spent: float, limit: float | None) -> None:
        if limit is not None and spent >= limit:
            raise BudgetExceeded(what, limit)
