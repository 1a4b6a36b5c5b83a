"""A task of the airline desk as a family, on a fixed airline or on an airline drawn by the seed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from agent.interface import Advice, AnswerSchema, Observation
from scenarios.crm.airline_desk import desk
from scenarios.crm.airline_desk.desk import Drawn
from scenarios.scenario import Level, NearMiss, Scenario
from sites.crm import CrmData
from sites.crm.airline_desk.model.airline import KEYS, Airline
from sites.world import World


@dataclass(frozen=True)
class Task:
    """A kind of task at the airline desk, independent of the airline.

    Attributes:
        about: The description that `rehearse list` prints.
        answer: The schema of the answer that every scenario asks for, or None.
        answer_of: Gives the answer schema of a scenario if scenarios differ in it.
        memory: Whether the agent has to carry facts from page to page.
    """

    name: str
    about: str
    steps: tuple[str, ...]
    draw: Callable[[int, Airline, CrmData], Drawn]
    solve: Callable[[Scenario, World, CrmData], str]
    near_misses: Callable[[Scenario, CrmData], Mapping[str, NearMiss]]
    advise: Callable[[Scenario, Observation], Advice]
    length: Callable[[Scenario], int]
    tag: str = "transaction"
    scoring: str = desk.SCORING
    answer: AnswerSchema | None = None
    answer_of: Callable[[Scenario], AnswerSchema | None] | None = None
    honest_length: Callable[[Scenario], int] | None = None
    other_ends: Callable[[Scenario, CrmData], Mapping[str, Mapping[str, Any]]] | None = None
    memory: bool = False
    level: Level = desk.LEVEL


@dataclass(frozen=True)
class OnAirline:
    """The family of a task; `airline` is the key of a fixed airline, or "" to draw by the seed."""

    task: Task
    airline: str = ""

    SITE: ClassVar[str] = desk.SITE
    HOSTS: ClassVar[Sequence[str]] = desk.HOSTS
    KNOWN_AS: ClassVar[str] = ""
    FOREIGN: ClassVar[None] = None
    seeds: ClassVar[None] = None
    instruction: ClassVar[None] = None

    def __post_init__(self) -> None:
        where = f" On {self.airline.capitalize()}, whatever the seed." if self.airline else ""
        object.__setattr__(self, "__doc__", f"{self.task.about}{where}")

    @property
    def name(self) -> str:
        return f"{self.task.name}.{self.airline}" if self.airline else self.task.name

    @property
    def VARIANT_OF(self) -> str:  # noqa: N802 (a member of families)
        return self.task.name if self.airline else ""

    @property
    def LEVEL(self) -> Level:  # noqa: N802
        return self.task.level

    @property
    def TAG(self) -> str:  # noqa: N802
        return self.task.tag

    @property
    def STEPS(self) -> tuple[str, ...]:  # noqa: N802
        return self.task.steps

    @property
    def SCORING(self) -> str:  # noqa: N802
        return self.task.scoring

    @property
    def MEMORY(self) -> bool:  # noqa: N802
        return self.task.memory

    @property
    def ANSWER(self) -> AnswerSchema | None:  # noqa: N802
        return self.task.answer

    @property
    def answer(self) -> Callable[[Scenario], AnswerSchema | None] | None:
        return self.task.answer_of

    @property
    def other_ends(self) -> Callable[[Scenario, CrmData], Mapping[str, Mapping[str, Any]]] | None:
        return self.task.other_ends

    def generate(self, seed: int, data: CrmData) -> Scenario:
        airline = desk.airline_of(self.name, seed)
        drawn = self.task.draw(seed, airline, data)
        return desk.scenario(self.name, seed, drawn, airline, data)

    def world(self, scenario: Scenario) -> World:
        return desk.world(scenario)

    def published(self, scenario: Scenario) -> Mapping[str, str]:
        return desk.published(scenario)

    def advise(self, scenario: Scenario, observation: Observation) -> Advice:
        return self.task.advise(scenario, observation)

    def length(self, scenario: Scenario) -> int:
        return self.task.length(scenario)

    def honest_length(self, scenario: Scenario) -> int:
        longer = self.task.honest_length
        return longer(scenario) if longer else self.length(scenario)

    def solve(self, scenario: Scenario, world: World, data: CrmData) -> str:
        return self.task.solve(scenario, world, data)

    def near_misses(self, scenario: Scenario, data: CrmData) -> Mapping[str, NearMiss]:
        return self.task.near_misses(scenario, data)


def on_all(task: Task) -> tuple[OnAirline, ...]:
    """Return the family that draws its airline by the seed, and its variant on each airline."""
    return tuple(OnAirline(task, airline) for airline in ("", *KEYS))
