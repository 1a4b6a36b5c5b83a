"""An episode that is to be played: what it is, on which terms, and what is known of it so far."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from pathlib import Path

from httpx2 import AsyncBaseTransport

from agent.agent_spec import Agent
from agent.interface import Advice, Observation
from agent.llm.model_source import ModelSource
from agent.llm.simulated.reading import Knowledge
from agent.prompting import FOLDER
from evaluators.episode.approval import ApprovalPolicy
from evaluators.episode.budget import Meter
from evaluators.episode.environment import RunningSite
from evaluators.episode.trace import Trace
from evaluators.scoring.context import ScoringContext
from scenarios import registry
from scenarios.scenario import Family, Scenario
from sites.world import World


@dataclass(frozen=True)
class EpisodeSpec:
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
class RunContext:
    """What holds for every episode of a run."""

    run: Path
    model_source: ModelSource = field(default_factory=ModelSource)
    prompts: Path = FOLDER
    strict: bool = False
    dollars: float | None = None
    live: AsyncBaseTransport | None = None
    confirm: ApprovalPolicy | None = None


@dataclass(frozen=True)
class EpisodeState:
    """One episode while it is played."""

    spec: EpisodeSpec
    scenario: Scenario
    family: Family
    site: RunningSite
    start: World
    trace: Trace
    meter: Meter
    run_context: RunContext
    told: Scenario
    """The scenario with the instruction that its opened page gave."""
    tasks: dict[str, Knowledge] = field(default_factory=dict)
    """What the scripted model knows, by instruction."""

    @property
    def context(self) -> ScoringContext:
        """What its worlds are scored against."""
        return ScoringContext(self.scenario, self.family, self.start.snapshot(), self.site.data)

    def opened(self, told: Scenario) -> EpisodeState:
        """The state once its page is open; `told` has the instruction that the page gave."""
        play = replace(self, told=told)
        play.tasks[told.instruction] = Knowledge(
            told.instruction,
            told.name,
            told.site,
            self.spec.trial,
            play.advise,
            self.family.STEPS,
        )
        return play

    def advise(self, observation: Observation) -> Advice:
        return self.family.advise(self.told, observation)

    @property
    def mistakes(self) -> str:
        """Those of the agent, or of the run."""
        return self.spec.agent.mistakes or self.run_context.model_source.mistakes

    @property
    def prompts(self) -> list[Path]:
        """The folders whose prompts the method uses: its own, or those that it names."""
        return prompt_folders(self.spec.agent, self.run_context.prompts)


def prompt_folders(agent: Agent, root: Path) -> list[Path]:
    """The folders whose prompts a method uses: its own, or those that it names."""
    named = getattr(agent.module(), "PROMPTS", (agent.prompts,))
    return [folder for name in named if (folder := root / name).exists()]


def prompt_files(agent: Agent, root: Path, sites: Collection[str]) -> list[Path]:
    """The files and folders of these prompts; of those named by a site only the given sites'."""
    other = {*registry.site_names()} - {*sites}
    found = (path for folder in prompt_folders(agent, root) for path in sorted(folder.iterdir()))
    return [path for path in found if path.stem not in other]
