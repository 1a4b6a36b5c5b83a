"""The limits of an episode, and a meter of what it has spent."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from typing import Any, TypeVar

from agent.interface import BudgetExceeded
from agent.llm.completion import Usage
from scenarios.scenario import Family, Scenario, budgeted_length

Number = TypeVar("Number", int, float)
Counts = dict[str, int | None]
"""Counts by name; None is unknown."""


@dataclass(frozen=True)
class Budget:
    """Limits of one episode; None is no limit.

    `seconds` are the episode's own, by the monotonic clock: without those in which it waits for the
    model, whose requests have time-outs of their own. `attempts` are those that the method
    declares, the first included.
    """

    steps: int
    calls: int
    tokens: int | None = None
    dollars: float | None = None
    seconds: float | None = 600.0
    attempts: int = 1


@dataclass(frozen=True)
class Limits:
    """What a run sets in place of every method's budget: None leaves it, 0 is no limit."""

    steps: int | None = None
    calls: int | None = None
    seconds: float | None = None

    def over(self, budget: Budget) -> Budget:
        """The budget with these limits."""
        no_limit = {"steps": sys.maxsize, "calls": sys.maxsize, "seconds": None}
        chosen: dict[str, Any] = {
            name: limit or no_limit[name]
            for name, limit in asdict(self).items()
            if limit is not None
        }
        return replace(budget, **chosen)


NO_LIMITS = Limits()


SECONDS_A_STEP = 20.0
"""Of an episode's own time, from level 2 on; at level 1 the time is the same for all."""


def standard(expert_length: int, level: int = 1) -> Budget:
    """Twice the expert's length and ten more steps, eight calls a step."""
    steps = 2 * expert_length + 10
    budget = Budget(steps=steps, calls=8 * steps)
    return budget if level == 1 else replace(budget, seconds=SECONDS_A_STEP * steps)


def standard_of(family: Family, scenario: Scenario) -> Budget:
    """The standard budget of a scenario of the family."""
    return standard(budgeted_length(family, scenario), family.LEVEL)


def of_a_guest(family: Family, scenario: Scenario) -> Budget:
    """The standard budget of an agent that is driven from elsewhere: without a limit of time, for
    nobody knows here how much of it the agent thinks."""
    return replace(standard_of(family, scenario), seconds=None)


def of_all_attempts(budget: Budget) -> Budget:
    """A budget whose seconds are those of one attempt, with those of all."""
    if budget.seconds is None:
        return budget
    return replace(budget, seconds=budget.seconds * budget.attempts)


def unlimited() -> Meter:
    """A meter without limits."""
    most = sys.maxsize
    return Meter(Budget(steps=most, calls=most, seconds=None, attempts=most))


@dataclass
class Meter:
    """Counts what an episode spends and stops it at its budget."""

    budget: Budget
    steps: int = 0
    calls: int = 0
    invalid_actions: int = 0
    repeats: int = 0
    tokens: Counts = field(default_factory=lambda: {"prompt": 0, "completion": 0})
    by_purpose: dict[str, Counts] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    costs: dict[str, float | None] = field(default_factory=dict)
    dollars: float | None = 0.0
    started: float = field(default_factory=time.monotonic)
    fault: Exception | None = None
    """An infra error that reached the method, which may have swallowed it."""
    _asking: int = 0
    """Requests to the model that are not answered yet."""
    _waiting_since: float = 0.0
    _waited: float = 0.0

    def step(self) -> None:
        """Before an action. Raises `BudgetExceeded`."""
        self._check("steps", self.steps, self.budget.steps)
        self.check_deadline()
        self.steps += 1

    def attempt(self, begun: int) -> None:
        """Before an attempt that follows `begun` others; it is a step. Raises `BudgetExceeded`."""
        self._check("attempts", begun, self.budget.attempts)
        self.step()

    def call(self) -> None:
        """Before a request to the model. Raises `BudgetExceeded`."""
        self._check("calls", self.calls, self.budget.calls)
        known = sum(count or 0 for count in self.tokens.values())
        self._check("tokens", known, self.budget.tokens)
        self._check("dollars", self.dollars or 0, self.budget.dollars)
        self.check_deadline()
        self.calls += 1

    def pay(self, purpose: str, usage: Usage, seconds: float, dollars: float | None) -> None:
        """After a reply. Unknown tokens or prices stay unknown and do not count as 0."""
        tokens: Counts = {"prompt": usage.prompt, "completion": usage.completion}
        self.tokens = _sum(self.tokens, tokens)
        spent: Counts = {"calls": 1, **{f"{name}_tokens": count for name, count in tokens.items()}}
        before = self.by_purpose.get(purpose, dict.fromkeys(spent, 0))
        self.by_purpose[purpose] = _sum(before, spent)
        self.seconds[purpose] = self.seconds.get(purpose, 0) + seconds
        self.costs[purpose] = _plus(self.costs.get(purpose, 0.0), dollars)
        self.dollars = _plus(self.dollars, dollars)

    def purposes(self) -> dict[str, dict[str, Any]]:
        """Calls, tokens, seconds and dollars per purpose."""
        return {
            name: {**counts, "model_s": round(self.seconds[name], 6), "cost_usd": self.costs[name]}
            for name, counts in sorted(self.by_purpose.items())
        }

    def elapsed(self) -> float:
        """Seconds since the episode began."""
        return round(time.monotonic() - self.started, 6)

    @contextmanager
    def waiting_for_model(self) -> Iterator[None]:
        """The time in this block is the model's, not the episode's own."""
        if not self._asking:
            self._waiting_since = time.monotonic()
        self._asking += 1
        try:
            yield
        finally:
            self._asking -= 1
            if not self._asking:
                self._waited += time.monotonic() - self._waiting_since

    def own_seconds(self) -> float:
        """Seconds since the episode began in which it did not wait for the model."""
        waiting = time.monotonic() - self._waiting_since if self._asking else 0.0
        return self.elapsed() - self._waited - waiting

    def seconds_left(self) -> float | None:
        """Until the deadline if the model is not asked any more; None where there is none."""
        limit = self.budget.seconds
        return None if limit is None else max(0.0, limit - self.own_seconds())

    def check_deadline(self) -> None:
        """Raises `BudgetExceeded` after the deadline."""
        self._check("seconds", self.own_seconds(), self.budget.seconds)

    @staticmethod
    def _check(what: str, spent: float, limit: float | None) -> None:
        if limit is not None and spent >= limit:
            raise BudgetExceeded(what, limit)


def _sum(one: Counts, other: Counts) -> Counts:
    """Add the counts name by name; a sum with an unknown count is unknown."""
    return {name: _plus(count, other[name]) for name, count in one.items()}


def _plus(one: Number | None, other: Number | None) -> Number | None:
    return None if one is None or other is None else one + other
