"""An episode that is to be played: what it is, on which terms, and what is known of it so far."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

from httpx2 import AsyncBaseTransport

from agent.interface import Advice, Observation
from agent.llm.scripted._reading import Knowledge
from agent.llm.voices import Voice
from agent.prompting import FOLDER
from evaluators.agents import Agent
from evaluators.budget import Meter
from evaluators.confirmation import Policy
from evaluators.stage import StagedSite
from evaluators.trace import Trace
from scenarios.scenario import Family, Scenario
from sites.world import World


@dataclass(frozen=True)
class Job:
    """One episode to play. `digest` is the frozen hash of the scenario ("" where none is);
    `deaths` counts the workers that have died of or beside it."""

    agent: Agent
    scenario: str
    trial: int = 0
    digest: str = ""
    expert_length: int = 0
    source: str = ""
    deaths: int = 0

    @property
    def name(self) -> str:
        """As the record calls the episode."""
        return f"{self.agent.name}/{self.scenario}/{self.trial}"


@dataclass(frozen=True)
class Terms:
    """What holds for every episode of a run."""

    run: Path
    voice: Voice = field(default_factory=Voice)
    prompts: Path = FOLDER
    strict: bool = False
    dollars: float | None = None
    live: AsyncBaseTransport | None = None
    confirm: Policy | None = None


@dataclass(frozen=True)
class Play:
    """One episode while it is played."""

    job: Job
    scenario: Scenario
    family: Family
    site: StagedSite
    start: World
    trace: Trace
    meter: Meter
    terms: Terms
    told: Scenario
    """The scenario with the instruction that its opened page gave."""
    tasks: dict[str, Knowledge] = field(default_factory=dict)
    """What the scripted model knows, by instruction."""

    def opened(self, observation: Observation) -> Play:
        """The play once its page is open: a family may read the instruction from it."""
        read = getattr(self.family, "instruction", None)
        told = replace(self.scenario, instruction=read(observation)) if read else self.scenario
        play = replace(self, told=told)
        play.tasks[told.instruction] = Knowledge(
            told.instruction,
            told.name,
            told.site,
            self.job.trial,
            play.advise,
            getattr(self.family, "STEPS", ()),
        )
        return play

    def advise(self, observation: Observation) -> Advice:
        return self.family.advise(self.told, observation)

    @property
    def mistakes(self) -> str:
        """Those of the agent, or of the run."""
        return self.job.agent.mistakes or self.terms.voice.mistakes

    @property
    def prompts(self) -> list[Path]:
        """The folders whose prompts the method uses: its own, or those that it names."""
        named = getattr(self.job.agent.module(), "PROMPTS", (self.job.agent.prompts,))
        return [folder for name in named if (folder := self.terms.prompts / name).exists()]
