"""Families that wrap BrowserGym's environments: BrowserGym provides page, task and reward.

`browsergym/miniwob.click-button` names such a family. `browsergym/webarena.310@store` also says
that agents use the prompts written for the host `store`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from agent import plugins
from agent.interface import Advice, AnswerSchema, Observation
from scenarios.scenario import (
    Family,
    Scenario,
    answer_schema,
    budgeted_length,
    public_id,
    start_host,
)
from sites import browsergym
from sites.world import World

SITE = browsergym.SITE
PREFIX, PROMPTS = f"{SITE}/", "@"
MINIWOB, OURS = "miniwob", "rehearsal"
WIDGETS = "widgets"
WEBARENA = "webarena"
HOSTS = (SITE, WEBARENA)
"""The hosts that stand for pages of environments: any website, and WebArena's six sites."""
BENCHMARK_HOSTS: Mapping[str, str] = {
    MINIWOB: WIDGETS,
    "webarena": WEBARENA,
    "webarenalite": WEBARENA,
    "webarena_verified": WEBARENA,
}
"""The host of a benchmark's prompts, by the part of its environments' names before the first dot.
"""
LENGTH = 10
"""The assumed number of actions of a task that no adviser knows; the budget is then thirty steps.
"""
TASK = "Do what the environment asks for."
ASKED = AnswerSchema("text", "what the task asks for; empty where it asks for no answer")


@dataclass(frozen=True)
class Known:
    """A family of this project that has the same task as an environment.

    Attributes:
        family: The family, whose adviser can advise in the environment.
        scenario: Returns the family's scenario of a seed.
    """

    family: Family
    scenario: Callable[[int], Scenario]

    def advise(self, instruction: str, seed: int, observation: Observation) -> Advice:
        """Return the family's advice for the instruction that the environment gave."""
        return self.family.advise(
            replace(self.scenario(seed), instruction=instruction), observation
        )


@dataclass(frozen=True)
class Environment:
    """A family that wraps one of BrowserGym's environments.

    Attributes:
        name: BrowserGym's name of the environment without the namespace.
        HOSTS: The host whose prompts are used.
        KNOWN_AS: The name that these prompts use for the task.
        ANSWER: The answer that the task asks for, or None.
        STEPS: The steps of the adviser.
        known: The family that can advise, or None if no family has this task.
    """

    SITE: ClassVar[str] = SITE

    name: str
    HOSTS: Sequence[str]
    KNOWN_AS: str
    ANSWER: AnswerSchema | None
    STEPS: Sequence[str] = ()
    known: Known | None = None

    def __post_init__(self) -> None:
        plugins.complete(self, Family)

    def answer(self, scenario: Scenario) -> AnswerSchema | None:
        """Return the answer schema of a scenario, or None if it asks for no answer."""
        known = self.known
        return answer_schema(known.family, known.scenario(scenario.seed)) if known else self.ANSWER

    def generate(self, seed: int, data: Any) -> Scenario:
        """Return the scenario of a seed, with a placeholder for the instruction.

        The seed is passed to the environment's reset; only the reset reveals the real instruction.
        """
        return Scenario(self.SITE, self.name, seed, TASK, f"/{self.name}?seed={seed}")

    def world(self, scenario: Scenario) -> World:
        """Return an empty world that records the environment's rewards."""
        return browsergym.new_world(public_id(scenario.name))

    def advise(self, scenario: Scenario, observation: Observation) -> Advice:
        """Return the advice of the family with the same task, or the advice to give up."""
        if self.known is None:
            return Advice("", answer="")
        return self.known.advise(scenario.instruction, scenario.seed, observation)

    def length(self, scenario: Scenario) -> int:
        """Return the number of actions that the family with the same task needs, or `LENGTH`."""
        known = self.known
        return known.family.length(known.scenario(scenario.seed)) if known else LENGTH

    def honest_length(self, scenario: Scenario) -> int:
        """Return the number of actions from which the budget is computed, at least `LENGTH`."""
        known = self.known
        ours = budgeted_length(known.family, known.scenario(scenario.seed)) if known else 0
        return max(LENGTH, ours)


def is_environment(name: str) -> bool:
    """Return whether a family's name begins with `browsergym/`, so that it means an environment."""
    return name.startswith(PREFIX)


def label(name: str) -> str:
    """Return the name without prefix and host: `webarena.310` for
    `browsergym/webarena.310@store`.
    """
    return name.removeprefix(PREFIX).partition(PROMPTS)[0]


def identifier(name: str) -> str:
    """Return the environment's full BrowserGym id: `browsergym/webarena.310`."""
    return PREFIX + label(name)


def family(
    name: str,
    families: Mapping[str, Any],
    find: Callable[[str], Family],
    data: Callable[[str], Any],
) -> Environment:
    """Return the family that wraps an environment.

    Args:
        name: The name, `browsergym/<task>` or `browsergym/<task>@<host>`.
        families: All families by name.
        find: Returns a family or a variant by name.
        data: Returns a site's read-only data by the site's name.
    """
    called = label(name)
    known = _known(called, families, find, data)
    host = name.partition(PROMPTS)[2] or _host(called, known)
    task = called.partition(".")[2]
    if known is not None:
        return Environment(called, (host,), task, known.family.ANSWER, known.family.STEPS, known)
    is_miniwob = called.startswith(f"{MINIWOB}.")
    return Environment(
        called, (host,), task if is_miniwob else called, None if is_miniwob else ASKED
    )


def _known(
    called: str,
    families: Mapping[str, Any],
    find: Callable[[str], Family],
    data: Callable[[str], Any],
) -> Known | None:
    """Return the family of this project that has the environment's task and can advise, or None."""
    benchmark, _, task = called.partition(".")
    base, _, variant = task.partition(".")
    ours = families.get(base)
    if benchmark == MINIWOB and ours is not None and ours.SITE == WIDGETS and not variant:
        page = ours.on_original_page()
        return Known(page, lambda seed: Scenario(WIDGETS, task, seed, "", ""))
    if benchmark == OURS and ours is not None:
        made = find(task)
        return Known(made, lambda seed: made.generate(seed, data(made.SITE)))
    return None


def _host(called: str, known: Known | None) -> str:
    """Return the host whose prompts fit the environment best: the known family's, or that of its
    benchmark.
    """
    if known is not None:
        return start_host(known.family)
    return BENCHMARK_HOSTS.get(called.partition(".")[0], SITE)
