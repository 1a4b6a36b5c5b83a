"""A task of the airline desk as a family, on a fixed airline or on an airline drawn by the seed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
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
    """A kind of task at the airline desk, which is a family on each airline.

    The fields in capitals, and those after them, are members of every family.

    Attributes:
        task: The name of the task.
        about: The description that `rehearse list` prints.
        STEPS: The steps of the task.
        draw: Draws the task of a seed at an airline.
        airline: The key of a fixed airline, or "" to draw it by the seed.
    """

    SITE: ClassVar[str] = desk.SITE
    HOSTS: ClassVar[Sequence[str]] = desk.HOSTS

    task: str
    about: str
    STEPS: tuple[str, ...]
    draw: Callable[[int, Airline, CrmData], Drawn]
    solve: Callable[[Scenario, World, CrmData], str]
    near_misses: Callable[[Scenario, CrmData], Mapping[str, NearMiss]]
    advise: Callable[[Scenario, Observation], Advice]
    length: Callable[[Scenario], int]
    TAG: str = "transaction"
    SCORING: str = desk.SCORING
    ANSWER: AnswerSchema | None = None
    answer: Callable[[Scenario], AnswerSchema | None] | None = None
    honest_length: Callable[[Scenario], int] | None = None
    other_ends: Callable[[Scenario, CrmData], Mapping[str, Mapping[str, Any]]] | None = None
    MEMORY: bool = False
    LEVEL: Level = desk.LEVEL
    airline: str = ""

    def __post_init__(self) -> None:
        where = f" On {self.airline.capitalize()}, whatever the seed." if self.airline else ""
        object.__setattr__(self, "__doc__", f"{self.about}{where}")

    @property
    def name(self) -> str:
        return f"{self.task}.{self.airline}" if self.airline else self.task

    @property
    def VARIANT_OF(self) -> str:  # noqa: N802 (a member of families)
        return self.task if self.airline else ""

    def generate(self, seed: int, data: CrmData) -> Scenario:
        airline = desk.airline_of(self.name, seed)
        return desk.scenario(self.name, seed, self.draw(seed, airline, data), airline, data)

    def world(self, scenario: Scenario) -> World:
        return desk.world(scenario)

    def published(self, scenario: Scenario) -> Mapping[str, str]:
        return desk.published(scenario)


def on_all(task: Task) -> tuple[Task, ...]:
    """Return the families of a task: one that draws its airline by the seed, and a variant on each
    airline.
    """
    return (task, *(replace(task, airline=key) for key in KEYS))
