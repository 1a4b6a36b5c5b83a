"""The limits of an episode, and a meter of what the episode has spent."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from typing import Any, TypeVar

from agent.interface import BudgetExceeded
from agent.llm.completion import Usage
from evaluators.episode import minutes
from scenarios.scenario import Family, Scenario, budgeted_length

Number = TypeVar("Number", int, float)
Counts = dict[str, int | None]
"""Counts, such as tokens, by their name; None is an unknown count."""


@dataclass(frozen=True)
class Budget:
    """The limits of one episode; None is no limit.

    `seconds` are wall-clock seconds of the episode itself, without the time that it waits for the
    model, because model requests have time-outs of their own. `attempts` is the number of attempts
    that the method declares, including the first one.
    """

    steps: int
    calls: int
    tokens: int | None = None
    dollars: float | None = None
    seconds: float | None = 600.0
    attempts: int = 1


@dataclass(frozen=True)
class Limits:
    """Limits that a run sets instead of the methods' budgets: None keeps the budget, 0 is no
    limit.
    """

    steps: int | None = None
    calls: int | None = None
    seconds: float | None = None

    def over(self, budget: Budget) -> Budget:
        """Return a copy of the budget in which these limits replace its own."""
        no_limit = {"steps": sys.maxsize, "calls": sys.maxsize, "seconds": None}
        chosen: dict[str, Any] = {
            name: limit or no_limit[name]
            for name, limit in asdict(self).items()
            if limit is not None
        }
        return replace(budget, **chosen)


NO_LIMITS = Limits()


SECONDS_A_STEP = 20.0
"""The seconds per step that an episode gets from level 2 on; at level 1 all episodes get the
same.
"""


def standard(expert_length: int, level: int = 1) -> Budget:
    """Return the standard budget of an episode.

    It has twice as many steps as the expert needs and ten more, and eight model calls per step.

    Args:
        expert_length: The number of actions that the expert needs.
        level: The difficulty level of the family, from 1; from level 2 on, time grows with steps.
    """
    steps = 2 * expert_length + 10
    budget = Budget(steps=steps, calls=8 * steps)
    return budget if level == 1 else replace(budget, seconds=SECONDS_A_STEP * steps)


def standard_of(family: Family, scenario: Scenario) -> Budget:
    """Return the standard budget of a scenario of the family."""
    return standard(budgeted_length(family, scenario), family.LEVEL)


def of_a_guest(family: Family, scenario: Scenario) -> Budget:
    """Return the standard budget without a time limit, for an agent that a program outside
    controls.

    Rehearsal cannot tell how long such an agent thinks.
    """
    return replace(standard_of(family, scenario), seconds=None)


LEAST = replace(standard(0), seconds=None)
"""The budget that no scenario of any level goes below, without a time limit."""


def of_all_attempts(budget: Budget) -> Budget:
    """Return a budget whose seconds are multiplied by its number of attempts."""
    if budget.seconds is None:
        return budget
    return replace(budget, seconds=budget.seconds * budget.attempts)


def unlimited() -> Meter:
    """Return a meter without limits."""
    most = sys.maxsize
    return Meter(Budget(steps=most, calls=most, seconds=None, attempts=most))


@dataclass
class Meter:
    """Counts what an episode spends, and stops the episode at its budget."""

    budget: Budget
    steps: int = 0
    calls: int = 0
    invalid_actions: int = 0
    repeats: int = 0
    characters: int = 0
    """The characters that the model returned; an agent that asks no model gets some per action."""
    tokens: Counts = field(default_factory=lambda: {"prompt": 0, "completion": 0})
    by_purpose: dict[str, Counts] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    costs: dict[str, float | None] = field(default_factory=dict)
    dollars: float | None = 0.0
    started: float = field(default_factory=time.monotonic)
    fault: Exception | None = None
    """An infrastructure error that the method (the agent's code) has met and may have swallowed."""
    _asking: int = 0
    """The number of model requests that wait for a reply."""
    _waiting_since: float = 0.0
    _waited: float = 0.0

    def step(self) -> None:
        """Count a step before an action. Raise `BudgetExceeded` if the budget allows no more."""
        self._check("steps", self.steps, self.budget.steps)
        self.check_deadline()
        self.steps += 1
        self.characters += 0 if self.calls else minutes.OF_AN_ACTION

    def attempt(self, begun: int) -> None:
        """Count a new attempt at the task; it also costs a step.

        Args:
            begun: The number of earlier attempts.

        Raises:
            BudgetExceeded: The budget allows no further attempt or step.
        """
        self._check("attempts", begun, self.budget.attempts)
        self.step()

    def call(self) -> None:
        """Count a request before it goes to the model. Raise `BudgetExceeded` if the budget is
        spent.
        """
        self._check("calls", self.calls, self.budget.calls)
        known = sum(count or 0 for count in self.tokens.values())
        self._check("tokens", known, self.budget.tokens)
        self._check("dollars", self.dollars or 0, self.budget.dollars)
        self.check_deadline()
        self.calls += 1

    def pay(self, purpose: str, usage: Usage, seconds: float, dollars: float | None) -> None:
        """Add the cost of a model's reply to the meter.

        Args:
            purpose: The purpose that the method gave for the request.
            usage: Tokens; an unknown count makes the sum unknown.
            seconds: The duration of the request.
            dollars: US dollars; None (unknown) makes the sum unknown.
        """
        tokens: Counts = {"prompt": usage.prompt, "completion": usage.completion}
        self.tokens = _sum(self.tokens, tokens)
        spent: Counts = {"calls": 1, **{f"{name}_tokens": count for name, count in tokens.items()}}
        before = self.by_purpose.get(purpose, dict.fromkeys(spent, 0))
        self.by_purpose[purpose] = _sum(before, spent)
        self.seconds[purpose] = self.seconds.get(purpose, 0) + seconds
        self.costs[purpose] = _plus(self.costs.get(purpose, 0.0), dollars)
        self.dollars = _plus(self.dollars, dollars)

    @property
    def minutes(self) -> int:
        """The minutes that have passed on the clock of pages that have one."""
        return minutes.passed(self.steps, self.characters)

    def purposes(self) -> dict[str, dict[str, Any]]:
        """Return the model calls, tokens, seconds and US dollars by the purpose of the requests."""
        return {
            name: {**counts, "model_s": round(self.seconds[name], 6), "cost_usd": self.costs[name]}
            for name, counts in sorted(self.by_purpose.items())
        }

    def elapsed(self) -> float:
        """Return the seconds since the episode began."""
        return round(time.monotonic() - self.started, 6)

    @contextmanager
    def waiting_for_model(self) -> Iterator[None]:
        """Exclude the duration of this block, which waits for the model, from the episode's own
        time.
        """
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
        """Return the seconds since the episode began, without the time that it waited for the
        model.
        """
        waiting = time.monotonic() - self._waiting_since if self._asking else 0.0
        return self.elapsed() - self._waited - waiting

    def seconds_left(self) -> float | None:
        """Return the seconds until the deadline, or None if the budget has no time limit."""
        limit = self.budget.seconds
        return None if limit is None else max(0.0, limit - self.own_seconds())

    def check_deadline(self) -> None:
        """Raise `BudgetExceeded` after the deadline."""
        self._check("seconds", self.own_seconds(), self.budget.seconds)

    @staticmethod
    def _check(what: str, spent: float, limit: float | None) -> None:
        if limit is not None and spent >= limit:
            raise BudgetExceeded(what, limit)


def _sum(one: Counts, other: Counts) -> Counts:
    """Add counts name by name; a sum with an unknown count is unknown."""
    return {name: _plus(count, other[name]) for name, count in one.items()}


def _plus(one: Number | None, other: Number | None) -> Number | None:
    return None if one is None or other is None else one + other
