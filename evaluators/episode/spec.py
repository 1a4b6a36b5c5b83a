"""Types that describe an episode: its specification, the context of its run, and its state."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

from httpx2 import AsyncBaseTransport

from agent import prompting
from agent.agent_spec import Agent
from agent.browsergym.process import THIS_PYTHON, GymPython
from agent.interface import Advice, AnswerSchema, Observation
from agent.llm.model_source import ModelSource
from agent.llm.simulated.reading import Knowledge
from evaluators.episode import guesses
from evaluators.episode.approval import ApprovalPolicy
from evaluators.episode.budget import NO_LIMITS, Limits, Meter
from evaluators.episode.channel import Channel
from evaluators.episode.environment import RunningSite
from evaluators.episode.isolated import Isolation
from evaluators.episode.metered import MeteredPage
from evaluators.episode.notebook import Notebook
from evaluators.episode.trace import Trace
from evaluators.records import run_folder
from evaluators.records.models import EpisodeRecord
from evaluators.scoring.context import ScoringContext
from scenarios import registry
from scenarios.scenario import Family, Scenario, answer_schema, planned_steps, start_host
from sites.world import World


@dataclass(frozen=True)
class EpisodeSpec:
    """One agent on one scenario.

    Attributes:
        agent: The agent.
        scenario: The scenario's name.
        trial: The number of the repetition, from 0.
        digest: The scenario's hash in its suite, "" if it has none.
        expert_length: The number of actions that the suite recorded for the expert, 0 if it has
            none.
        family_file: The file of a family of the user's own, or "".
        worker_deaths: The number of workers that died while they ran the episode.
    """

    agent: Agent
    scenario: str
    trial: int = 0
    digest: str = ""
    expert_length: int = 0
    family_file: str = ""
    worker_deaths: int = 0

    @property
    def name(self) -> str:
        """The episode's name in its record: agent, scenario and trial, separated by slashes."""
        return f"{self.agent.name}/{self.scenario}/{self.trial}"

    def folder(self, run: Path) -> Path:
        """Return the episode's folder in a run's folder."""
        _, family, seed = self.scenario.split("/")
        return run_folder.folder(run, self.agent.name, family, int(seed), self.trial)

    @property
    def recording(self) -> Path:
        """The place of the episode's recording in a folder of recordings."""
        _, family, seed = self.scenario.split("/")
        names = map(run_folder.slug, (self.agent.name, family))
        return Path(*names, f"{seed}.{self.trial}.jsonl")


class OfflineTasks(Protocol):
    """Tasks that were recorded beforehand: their episodes need no site and no browser."""

    async def run(self, spec: EpisodeSpec, run_context: RunContext) -> EpisodeRecord:
        """Run one episode, write its folder and return its record, as `runner.run_episode`
        does.
        """


@dataclass(frozen=True)
class RunContext:
    """The settings and connections that all episodes of a run share.

    Attributes:
        folder: The run's folder.
        model_source: Where replies of the model come from.
        prompts: The folder of prompts.
        strict: Stop at the first exception of a method.
        dollars: The most US dollars that an episode may cost, or None.
        limits: Limits of an episode's steps, calls and seconds.
        live: This process's connection to a live model, or None.
        approve: The approval policy for irreversible actions, or None.
        isolate: Run each agent in a process of its own.
        isolation: The processes of isolated agents, or None.
        catalogue: The folder of the catalogue that the store sells; None for its own products.
        client: The channel to a client outside that decides, or None.
        gym_python: The Python that runs environments of BrowserGym.
        family_steps: The steps of each family of the run, by the site at which the family begins.
        offline: The recorded tasks of an offline run; None if agents act on living pages.
    """

    folder: Path
    model_source: ModelSource = field(default_factory=ModelSource)
    prompts: Path = prompting.FOLDER
    strict: bool = False
    dollars: float | None = None
    limits: Limits = NO_LIMITS
    live: AsyncBaseTransport | None = None
    approve: ApprovalPolicy | None = None
    isolate: bool = False
    isolation: Isolation | None = None
    catalogue: Path | None = None
    client: Channel | None = None
    gym_python: GymPython = THIS_PYTHON
    family_steps: Mapping[str, tuple[tuple[str, ...], ...]] = field(default_factory=dict)
    offline: OfflineTasks | None = None


@dataclass(frozen=True)
class EpisodeState:
    """A running episode.

    `instruction` is the scenario's, until the opened page gives another instruction.
    """

    spec: EpisodeSpec
    scenario: Scenario
    family: Family
    site: RunningSite
    start: World
    trace: Trace
    meter: Meter
    run_context: RunContext
    instruction: str
    tasks: dict[str, Knowledge] = field(default_factory=dict)
    """The scripted model's knowledge of each task, by the task's instruction."""
    page: MeteredPage | None = None
    """The page, or None until the episode is open."""
    notebook: Notebook | None = None
    """The agent's notes, or None if it takes none."""

    @property
    def worlds(self) -> list[World]:
        """The visit's database (its world) of each attempt."""
        return self.page.attempts if self.page else []

    @property
    def scoring_context(self) -> ScoringContext:
        """The context of the score: the scenario, its family, the start database and the site's
        data.
        """
        return ScoringContext(self.scenario, self.family, self.start.snapshot(), self.site.data)

    def opened(self, instruction: str) -> EpisodeState:
        """Return the state after the page has opened, with the instruction that the page gave."""
        state = replace(self, instruction=instruction)
        scenario = self.scenario
        state.tasks[instruction] = Knowledge(
            instruction,
            scenario.name,
            start_host(self.family),
            self.spec.trial,
            state.advise,
            planned_steps(self.family, scenario),
        )
        return state

    @property
    def answer_schema(self) -> AnswerSchema | None:
        """The kind of answer that the task asks for, or None if it asks for none."""
        return answer_schema(self.family, self.scenario)

    def look(self, observation: Observation) -> Advice:
        """Return advice for a null agent: the family's if the known solution changes nothing,
        otherwise to stop.
        """
        if not self.only_looks:
            return Advice("", answer="")
        return self.advise(observation)

    @cached_property
    def only_looks(self) -> bool:
        """Whether the known solution only opens pages and changes nothing in the database."""
        return guesses.only_looks(self.family, self.scenario, self.start)

    def instead(self, what: str, observation: Observation) -> Advice:
        """Return the family's advice for this page on the way to a wrong result, which `what`
        names.
        """
        other = self.other_ends.get(what)
        return guesses.advise_instead(other, self.family, self.scenario, observation)

    @cached_property
    def other_ends(self) -> Mapping[str, Mapping[str, Any]]:
        return guesses.other_ends(self.family, self.scenario)

    async def frequent_answer(self) -> str:
        """Return the answer that is most often right in the family, or "" if the task asks for
        none.
        """
        family = self.spec.family_file or self.scenario.family
        return await asyncio.to_thread(guesses.frequent_answer, family, self.scenario)

    def advise(self, observation: Observation) -> Advice:
        """Return the family's advice on this page, for the instruction that the page gave."""
        scenario = replace(self.scenario, instruction=self.instruction)
        return self.family.advise(scenario, observation)

    @property
    def mistakes(self) -> str:
        """The kind of mistakes that the scripted model makes: the agent's, otherwise the run's."""
        return self.spec.agent.mistakes or self.run_context.model_source.mistakes


def prompt_folders(agent: Agent, root: Path) -> list[Path]:
    """Return the folders of prompts that an agent's method uses."""
    named = agent.module().PROMPTS or (agent.prompts,)
    return [folder for name in named if (folder := root / name).exists()]


def asks_model(agent: Agent, root: Path) -> bool:
    """Return whether an agent asks a model: its method has prompts, or it is the user's own."""
    return bool(agent.path or prompt_folders(agent, root))


def prompt_files(agent: Agent, root: Path, sites: Collection[str]) -> list[Path]:
    """Return the files and folders of an agent's prompts.

    Args:
        agent: The agent.
        root: The folder of prompts.
        sites: Sites; prompt files named by any other site are left out, and so are those for any
            website if each of the sites has its own.
    """
    other = registry.host_names() - {*sites}
    found = (path for folder in prompt_folders(agent, root) for path in sorted(folder.iterdir()))
    return [path for path in found if path.stem not in other and _is_used(path, sites)]


def _is_used(path: Path, sites: Collection[str]) -> bool:
    if path.stem != prompting.WEBSITE:
        return True
    return any(prompting.of_site(path.parent, each, path.suffix) == path for each in sites)
