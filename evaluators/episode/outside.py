"""Record an episode that an agent acted outside, in a browser that Rehearsal does not control.

The site knows the requests that it answered, the rows that the visit left, and the answer. It does
not know what the agent saw, thought and cost.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agent.agent_spec import Agent
from evaluators.episode import runner
from evaluators.episode.budget import Meter, of_a_guest
from evaluators.episode.environment import RunningSite
from evaluators.episode.result import episode_record
from evaluators.episode.spec import EpisodeSpec, EpisodeState, RunContext
from evaluators.episode.termination import (
    ClientLeft,
    SiteFault,
    Termination,
    infra_error,
    of_client,
)
from evaluators.episode.trace import Trace
from evaluators.records import run_folder
from evaluators.records.models import EpisodeRecord
from evaluators.scoring.score import Score
from scenarios import registry
from scenarios.scenario import Scenario
from sites.world import Snapshot

REQUEST = "request"
"""The word of the trace's events that hold a request to the site."""


@dataclass(frozen=True)
class PageRequest:
    """A request that the site answered: `line` has its method and address."""

    line: str
    status: int

    @property
    def is_step(self) -> bool:
        """Whether the request is more than the second half of a redirect."""
        return not 300 <= self.status < 400


@dataclass(frozen=True)
class Visit:
    """A visit that has ended.

    Attributes:
        scenario: The scenario.
        left: The rows that the visit left.
        answer: The answer, or None if the client left without finishing.
        requests: The requests that the site answered, in order.
        begun: When the first page was shown, in seconds of the monotonic clock.
        fault: The site's own failure, or "".
    """

    scenario: Scenario
    left: Snapshot
    answer: str | None
    requests: Sequence[PageRequest]
    begun: float
    fault: str = ""

    @property
    def termination(self) -> Termination:
        """How the episode ended."""
        if self.fault:
            return infra_error(SiteFault(f"the site failed: {self.fault}"))
        if self.answer is None:
            return of_client(ClientLeft("the client left the task unfinished"))
        return Termination("answered", answer=self.answer)


def record(
    agent: Agent, trial: int, visit: Visit, site: RunningSite, run_context: RunContext
) -> EpisodeRecord:
    """Score a visit, write its episode's folder and return its record.

    Steps are the site's answers after the first page, redirects not counted.

    Raises:
        NotWritten: A file could not be written.
    """
    scenario, family = visit.scenario, registry.family(visit.scenario.family)
    spec, trace = EpisodeSpec(agent, scenario.name, trial), _trace(visit)
    steps = max(0, sum(each.is_step for each in visit.requests) - 1)
    meter = Meter(of_a_guest(family, scenario), steps=steps, started=visit.begun)
    home = run_folder.folder(
        run_context.folder, agent.name, scenario.family, scenario.seed, spec.trial
    )
    with family.world(scenario) as start:
        state = EpisodeState(
            *(spec, scenario, family, site, start, trace, meter, run_context, scenario.instruction)
        )
        scores, termination = _scored(state, visit)
        termination = runner.naming_report(termination, run_context.folder, home)
        connection = runner.connect(state, home / "llm.jsonl")
        made = episode_record(state, termination, scores, None, connection, None)
        runner.save(home, state, termination, made, [start.snapshot(), visit.left])
    return made


def _trace(visit: Visit) -> Trace:
    trace = Trace()
    for each in visit.requests:
        trace.record(REQUEST, each.line, status=each.status)
    return trace


def _scored(state: EpisodeState, visit: Visit) -> tuple[list[Score], Termination]:
    termination = visit.termination
    if visit.fault:
        return [], termination
    try:
        return [state.scoring_context.score(visit.left, visit.answer or "")], termination
    except Exception as error:
        return [], runner.scorer_failed(error)
