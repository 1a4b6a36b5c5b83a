"""Families of environments of BrowserGym: page, task and reward are theirs.

`browsergym/miniwob.click-button` names one, and `browsergym/webarena.310@store` says whose prompts
it is to be played with.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from agent.interface import Advice, AnswerSchema, Observation
from scenarios.scenario import (
    Family,
    ForeignPages,
    Level,
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
LENGTH = 10
"""So long is the way to the end where nobody knows it; a budget of thirty steps is made of that."""
TASK = "Do what the environment asks for."
ASKED = AnswerSchema("text", "what the task asks for; empty where it asks for no answer")


@dataclass(frozen=True)
class Known:
    """A family of ours with the same task, and its scenario of a seed."""

    family: Family
    scenario: Callable[[int], Scenario]

    def advise(self, instruction: str, seed: int, observation: Observation) -> Advice:
        return self.family.advise(
            replace(self.scenario(seed), instruction=instruction), observation
        )


@dataclass(frozen=True)
class Environment:
    """`name` is what BrowserGym calls it, without the namespace. Its prompts are those of the host
    in `HOSTS`, which know it as `KNOWN_AS`. `known` is None where nobody advises."""

    SITE: ClassVar[str] = SITE
    TAG: ClassVar[str] = ""
    SCORING: ClassVar[str] = ""
    VARIANT_OF: ClassVar[str] = ""
    FOREIGN: ClassVar[ForeignPages | None] = None
    MEMORY: ClassVar[bool] = False
    seeds: ClassVar[None] = None
    instruction: ClassVar[None] = None
    published: ClassVar[None] = None
    LEVEL: ClassVar[Level] = 1

    name: str
    HOSTS: Sequence[str]
    KNOWN_AS: str
    ANSWER: AnswerSchema | None
    STEPS: Sequence[str] = ()
    known: Known | None = None

    def answer(self, scenario: Scenario) -> AnswerSchema | None:
        known = self.known
        return answer_schema(known.family, known.scenario(scenario.seed)) if known else self.ANSWER

    def generate(self, seed: int, data: Any) -> Scenario:
        """The seed is that of the environment's reset, which tells the task."""
        return Scenario(self.SITE, self.name, seed, TASK, f"/{self.name}?seed={seed}")

    def world(self, scenario: Scenario) -> World:
        return browsergym.new_world(public_id(scenario.name))

    def advise(self, scenario: Scenario, observation: Observation) -> Advice:
        """As the family of ours would that has this task; else to give up."""
        if self.known is None:
            return Advice("", answer="")
        return self.known.advise(scenario.instruction, scenario.seed, observation)

    def length(self, scenario: Scenario) -> int:
        known = self.known
        return known.family.length(known.scenario(scenario.seed)) if known else LENGTH

    def honest_length(self, scenario: Scenario) -> int:
        known = self.known
        ours = budgeted_length(known.family, known.scenario(scenario.seed)) if known else 0
        return max(LENGTH, ours)


def is_environment(name: str) -> bool:
    """Whether this names an environment, and not a family or its file."""
    return name.startswith(PREFIX)


def label(name: str) -> str:
    """`webarena.310` of `browsergym/webarena.310@store`."""
    return name.removeprefix(PREFIX).partition(PROMPTS)[0]


def identifier(name: str) -> str:
    """What BrowserGym calls it, in full."""
    return PREFIX + label(name)


def family(
    name: str,
    families: Mapping[str, Any],
    find: Callable[[str], Family],
    data: Callable[[str], Any],
) -> Environment:
    """The environment of that name. `families` are ours by name, `find` also gives their variants,
    `data` those of a site."""
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
    """The family of ours whose adviser knows the task."""
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
    """The host whose prompts are nearest."""
    if known is not None:
        return start_host(known.family)
    return WIDGETS if called.startswith(f"{MINIWOB}.") else SITE
