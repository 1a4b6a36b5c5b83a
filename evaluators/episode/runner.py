"""Run one agent on one scenario: open the episode, run the method, score the databases that it
left.
"""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Awaitable, Callable, Sequence
from contextlib import ExitStack
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from agent import plugins
from agent.interface import LLM, Page, Task
from agent.llm.faults import RunStopped
from agent.llm.model_source import ModelConnection
from agent.llm.simulated.model import SimulatedModel
from agent.storage_errors import writing
from evaluators.episode import bug_report, confidence
from evaluators.episode.approval import commitment
from evaluators.episode.budget import Budget, Limits, Meter, of_all_attempts, standard
from evaluators.episode.environment import EnvironmentPool
from evaluators.episode.metered import Approve, MeteredLLM, MeteredPage, metered_exchange
from evaluators.episode.notebook import Notebook, NotingPage
from evaluators.episode.result import episode_record
from evaluators.episode.several import InTurn
from evaluators.episode.spec import EpisodeSpec, EpisodeState, RunContext, prompt_folders
from evaluators.episode.termination import FAULTS, Termination, infra_error, run_to_end
from evaluators.episode.trace import CONFIDENCE, Trace
from evaluators.records import files, run_folder
from evaluators.records.models import INFRA, EpisodeRecord, ProgressCurve
from evaluators.scoring.progress_curve import progress_curve
from evaluators.scoring.score import Score
from rehearsal_errors import RehearsalError
from scenarios import registry
from scenarios.scenario import Family, Scenario, budgeted_length, known_as, start_host
from sites.world import Snapshot


class ScenarioChanged(RehearsalError, ValueError):
    """A scenario differs from its state when its suite (a fixed list of scenarios) was made."""


async def run_episode(
    spec: EpisodeSpec, environments: EnvironmentPool, run_context: RunContext
) -> EpisodeRecord:
    """Run one episode, write its folder and return its record.

    Args:
        spec: The agent, the scenario and the trial.
        environments: The sites and the browser of this process.
        run_context: The settings and connections that all episodes of the run share.

    Raises:
        RunStopped: The run was stopped; no other episode can run.
        NotWritten: A file could not be written; no other episode can run.
    """
    with ExitStack() as worlds:
        return await _run(spec, environments, run_context, worlds)


async def _run(
    spec: EpisodeSpec, environments: EnvironmentPool, run_context: RunContext, worlds: ExitStack
) -> EpisodeRecord:
    """Run, score and write the episode; closing the stack `worlds` releases its databases."""
    state = _prepare(spec, environments, run_context, worlds)
    folder = _clean_folder(state)
    connection = connect(state, folder / "llm.jsonl")
    state, termination = await _run_method(state, environments, connection, worlds)
    scores, curve, termination = _scored(state, termination)
    termination = naming_report(termination, run_context.folder, folder)
    before = previous_try(folder)
    record = episode_record(state, termination, scores, curve, connection, before)
    rows = [world.snapshot() for world in (state.start, *state.worlds)]
    await asyncio.to_thread(save, folder, state, termination, record, rows)  # a disk may be slow
    if run_context.client:
        run_context.client.end(termination)
    return record


# Before ------------------------------------------------------------------------------------------


def _prepare(
    spec: EpisodeSpec, environments: EnvironmentPool, run_context: RunContext, worlds: ExitStack
) -> EpisodeState:
    scenario = _scenario(spec)
    family = registry.family(spec.family_file or scenario.family)
    meter = Meter(_budget(spec, family, scenario, run_context))
    site, start = environments.sites[scenario.site], worlds.enter_context(family.world(scenario))
    shown = scenario.instruction
    notebook = Notebook() if family.MEMORY and spec.agent.takes_notes else None
    return EpisodeState(
        *(spec, scenario, family, site, start, Trace(), meter, run_context, shown),
        notebook=notebook,
    )


def _scenario(spec: EpisodeSpec) -> Scenario:
    """Return the scenario. Raise `ScenarioChanged` if its hash differs from the suite's."""
    scenario = registry.scenario(spec.scenario, spec.family_file)
    if spec.digest and scenario.digest() != spec.digest:
        raise ScenarioChanged(
            f"{spec.scenario} is not what its suite froze: the site's data or the family has"
            " changed; check out the version that made the suite, or freeze it again"
        )
    return scenario


def _budget(
    spec: EpisodeSpec, family: Family, scenario: Scenario, run_context: RunContext
) -> Budget:
    """Return the budget of an episode. A limit of the run replaces that of the agent's variant,
    which replaces the method's.
    """
    budget = standard(spec.expert_length or budgeted_length(family, scenario), family.LEVEL)
    method = spec.agent.module()
    if method.budget:
        budget = of_all_attempts(method.budget(budget, spec.agent.build()))
    budget = Limits(steps=spec.agent.max_steps(start_host(family))).over(budget)
    return run_context.limits.over(replace(budget, dollars=run_context.dollars))


def _clean_folder(state: EpisodeState) -> Path:
    """Return the episode's folder, and delete the databases that an earlier try left in it."""
    folder = state.spec.folder(state.run_context.folder)
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        for left in folder.glob(files.ATTEMPT.format("*")):
            left.unlink()
    return folder


def connect(state: EpisodeState, path: Path) -> ModelConnection:
    """Return a connection to the model, which writes requests and replies to `path`."""
    simulated = SimulatedModel(state.tasks, state.spec.agent.skill, state.mistakes)
    return model_connection(state.spec, state.run_context, simulated, path)


def model_connection(
    spec: EpisodeSpec, run_context: RunContext, simulated: SimulatedModel, path: Path
) -> ModelConnection:
    """Return an episode's connection to the model, as `connect` does.

    Args:
        spec: The agent, the scenario and the trial.
        run_context: The settings and connections that all episodes of the run share.
        simulated: The scripted model.
        path: The file to which requests and replies are written.
    """
    source, live = run_context.model_source, run_context.live
    made = ModelConnection(source, spec.recording, path, simulated, spec.agent.model, live)
    made.context = spec.agent.context
    made.prompts = {
        file.relative_to(folder).as_posix(): plugins.digest(file)
        for folder in prompt_folders(spec.agent, run_context.prompts)
        for file in sorted(folder.rglob("*.toml"))
    }
    return made


def previous_try(folder: Path) -> EpisodeRecord | None:
    """Return the record of an earlier try that an infrastructure error ended, or None."""
    before = run_folder.load_episode(folder) if run_folder.is_done(folder) else None
    return before if before and before.ended == INFRA else None


# The method --------------------------------------------------------------------------------------


async def _run_method(
    state: EpisodeState,
    environments: EnvironmentPool,
    connection: ModelConnection,
    worlds: ExitStack,
) -> tuple[EpisodeState, Termination]:
    """Open the episode and run the agent's method.

    Return the state of the episode and how it ended; an infrastructure error is an ending, too.
    """
    try:
        with connection:
            async with environments.open_episode(
                *(state.scoring_context, state.start, state.meter, state.trace, _approve(state)),
                keep=worlds,
            ) as episode:
                state = replace(state, page=episode.page)
                await episode.start()
                state = state.opened(episode.scenario.instruction)
                return state, await _solve(state, episode.page, connection)
    except RunStopped:
        raise
    except tuple(FAULTS) as error:
        return state, infra_error(error)


def _noting(state: EpisodeState, page: MeteredPage) -> Page:
    """Return the page for the agent; it shows the agent's notes if the agent takes notes."""
    notebook = state.notebook
    return page if notebook is None else NotingPage(page, notebook, state.trace.record)


async def _solve(
    state: EpisodeState, page: MeteredPage, connection: ModelConnection
) -> Termination:
    task, seen = _task(state, page), _noting(state, page)
    steps = state.run_context.family_steps.get(task.site, ())
    agent = state.spec.agent.given(family_steps=steps)
    llm, isolation = MeteredLLM(connection, state.meter, state.trace), state.run_context.isolation
    asked: LLM = InTurn(llm, page, state.trace.record) if agent.takes_several else llm
    if isolation is not None and isolation.takes(agent):
        method = isolation.solve(agent, task, seen, asked)
    else:
        known = {
            "advise": state.advise,
            "look": state.look,
            "obey": partial(state.instead, "obeyed"),
            "frequent": state.frequent_answer,
            "exchange": _exchange(state),
            "naive": partial(state.instead, "naive"),
            "declined": partial(state.instead, "declined"),
        }
        given = {} if agent.path else known  # for the built-in expert and null agents only
        options = agent.build(prompts=state.run_context.prompts, **given)
        method = agent.module().solve(task, seen, asked, options)
    termination = await run_to_end(method, state.meter, state.run_context.strict, agent.path)
    if termination.ended == "answered":
        if agent.tells_confidence:
            await _ask_confidence(state, page, llm, termination.answer)
        await page.finish(termination.answer)
    return termination


async def _ask_confidence(
    state: EpisodeState, page: MeteredPage, llm: MeteredLLM, answer: str
) -> None:
    """Ask the agent's model how sure it is, and record its number."""
    screen = await page.observe()
    stated = await confidence.ask(llm, state.instruction, state.trace.did, answer, screen)
    if stated is not None:
        state.trace.record(CONFIDENCE, str(stated))


def _task(state: EpisodeState, page: MeteredPage) -> Task:
    spec, scenario = state.spec, state.scenario
    return Task(
        site=start_host(state.family),
        instruction=state.instruction,
        start_url=page.start_url,
        family=known_as(state.family, scenario),
        answer=state.answer_schema,
        rng=Random(f"{spec.agent.name}/{scenario.name}/{spec.trial}"),
        record=state.trace.record,
    )


def _exchange(state: EpisodeState) -> Callable[[str], Awaitable[str]] | None:
    """Return the function that sends a text to the client outside and returns the client's next
    line.

    None if the run has no client.
    """
    client = state.run_context.client
    return metered_exchange(client, state.meter) if client else None


def _approve(state: EpisodeState) -> Approve | None:
    """Return the run's approval policy, with this episode filled in, or None."""
    policy = state.run_context.approve
    if policy is None:
        return None
    about = partial(commitment, state.spec.agent.name, state.instruction)
    return lambda action, element, url: policy(about(action, element, url))


# After -------------------------------------------------------------------------------------------


def naming_report(termination: Termination, run: Path, folder: Path) -> Termination:
    """Return the termination; if the scorer failed, its error names the bug report."""
    if termination.cause != "evaluator":
        return termination
    report = bug_report.place(run, folder).relative_to(run)
    return replace(termination, error=f"{termination.error}; all that is known is in {report}")


def _scored(
    state: EpisodeState, termination: Termination
) -> tuple[list[Score], ProgressCurve | None, Termination]:
    """Return the score of each attempt, the progress curve and the termination.

    The last attempt has the episode's answer, an earlier one the answer that the method recorded.
    If the scorer fails, the result is an infrastructure error without scores.
    """
    if state.page is None or termination.ended == INFRA:
        return [], None, termination
    context = state.scoring_context
    earlier = state.trace.answers(len(state.worlds) - 1)
    answers = [*(each or "" for each in earlier), termination.answer]
    try:
        scores = [
            context.score(world.snapshot(), answer)
            for world, answer in zip(state.worlds, answers, strict=True)
        ]
        return scores, progress_curve(context, state.page.snapshots), termination
    except Exception as error:
        if state.run_context.strict:
            raise
        return [], None, scorer_failed(error)


def scorer_failed(error: Exception) -> Termination:
    """Return the termination of an episode whose scorer raises an error."""
    text = f"{type(error).__name__}: {error}"
    return Termination(INFRA, "evaluator", "", text, "".join(traceback.format_exception(error)))


def save(
    folder: Path,
    state: EpisodeState,
    termination: Termination,
    record: EpisodeRecord,
    rows: Sequence[Snapshot],
) -> None:
    """Write the episode's files; they are on disk when this returns.

    `rows` are the tables of the start database and of each attempt's. They are copies because an
    interrupted run releases the databases while this thread still writes.
    """
    save_trace(folder, state.trace, termination)
    _save_worlds(folder, rows)
    run_folder.commit(folder, record)
    if termination.cause == "evaluator":
        bug_report.write(state.run_context.folder, folder, _bug(state, termination, rows[0]))


def save_trace(folder: Path, trace: Trace, termination: Termination) -> None:
    """Write the trace of an episode, with its end."""
    ended = asdict(termination)
    if text := ended.pop("traceback"):
        trace.write("error", text=text)
    trace.write("end", **ended)
    trace.save(folder / "trace.jsonl")


def _save_worlds(folder: Path, rows: Sequence[Snapshot]) -> None:
    """Write the tables of the database that each attempt left."""
    for number, left in enumerate(rows[1:-1], start=1):
        files.save(run_folder.attempt(folder, number), left, synced=False)
    files.save(folder / "final_world.json", rows[-1], synced=False)


def _bug(state: EpisodeState, termination: Termination, before: Snapshot) -> dict[str, Any]:
    """Return the content of `bug.json` for an episode that failed in Rehearsal itself."""
    return {
        "episode": state.spec.name,
        "error": termination.error,
        "traceback": termination.traceback,
        "scenario": state.scenario.to_json(),
        "world_before": before,
    }
