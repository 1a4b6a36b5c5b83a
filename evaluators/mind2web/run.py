"""Run agents on a split of Mind2Web: check the request, write `run.json`, run the episodes."""

from __future__ import annotations

import hashlib
import shlex
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice, product
from pathlib import Path

from agent import prompting
from agent.agent_spec import Agent
from agent.llm.faults import RunStopped
from agent.llm.recording.replay import WHO_ANSWERS
from agent.mind2web import agents as spec
from agent.mind2web import exemplars, files, ranks
from agent.mind2web.exemplars import Exemplar
from agent.mind2web.page_text import UnreadablePage
from agent.mind2web.task import RecordedTask
from agent.plugins import digest
from evaluators.analysis.offline import SITE
from evaluators.episode.spec import EpisodeSpec, RunContext, prompt_folders
from evaluators.mind2web.episode import Mind2WebTasks
from evaluators.mind2web.source import TRAIN, TaskSource, exemplar_file, shows_exemplars
from evaluators.records.files import write
from evaluators.records.run_plan import Key
from evaluators.run import answering, api, manifest, scheduler
from evaluators.run.config import RunConfig
from evaluators.run.cost_limit import CostLimitReached
from evaluators.run.prepare import part_of, source_of
from evaluators.run.worker import OnRecord
from rehearsal_errors import RehearsalError


class NotRunnable(RehearsalError, ValueError):
    """A run on recorded tasks cannot be carried out as asked; the message says what to do."""


@dataclass(frozen=True)
class OfflineRequest:
    """A run on recorded tasks, as the command line describes it.

    Attributes:
        data: The folder of the data set.
        split: The split.
        ranks: The file of ranks.
        names: Names of agents.
        config: The run's configuration; its `out` is the run's folder.
        skills: Skills of the scripted model; each agent runs once per skill.
        tasks: The tasks by their place in the split; None for all.
    """

    data: Path
    split: str
    ranks: Path
    names: Sequence[str]
    config: RunConfig
    skills: Sequence[float] = ()
    tasks: range | None = None

    @property
    def out(self) -> Path:
        """The run's folder."""
        assert self.config.out is not None
        return self.config.out


@dataclass(frozen=True)
class Prepared:
    """A run that has been checked: its episodes, and the context that they share."""

    specs: Sequence[EpisodeSpec]
    run_context: RunContext
    config: RunConfig

    @property
    def episodes(self) -> list[Key]:
        """The episodes by agent, scenario and trial."""
        return [(each.agent.name, each.scenario, each.trial) for each in self.specs]

    def carry_out(self, on_record: OnRecord) -> None:
        """Run the episodes that the run's folder does not hold yet, and write `summary.json`.

        Raises:
            CostLimitReached: The run's cost limit is spent; finished episodes are kept.
            RunStopped: The run was stopped; finished episodes are kept.
        """
        config = self.config
        try:
            scheduler.run_episodes(
                self.specs, self.run_context, config.executor, on_record, config.run_dollars
            )
        except (CostLimitReached, RunStopped):
            api.summarize(self.run_context.folder)
            raise
        api.summarize(self.run_context.folder)


def prepare(request: OfflineRequest, say: Callable[[str], None] = lambda line: None) -> Prepared:
    """Check a request, write `run.json` and the trajectories that agents show, list the episodes.

    Args:
        request: The request.
        say: Called with a line about each part of the work that takes long.

    Raises:
        RehearsalError: The run cannot be carried out as asked.
    """
    config, out = request.config, request.out
    agents = spec.read_all(request.names, request.skills)
    model_source = source_of(agents, config, out, _record_command(request))
    names = _scenarios(request)
    source = TaskSource(request.data, request.split, request.ranks, out, _digest(request))
    context = RunContext(
        out,
        model_source,
        config.prompts,
        config.strict,
        config.dollars,
        config.limits,
        offline=Mind2WebTasks(source),
    )
    specs = part_of(
        [EpisodeSpec(*each) for each in product(agents, names, range(config.trials))],
        config.shard,
    )
    answering.check(specs, model_source, config.prompts)
    settings = manifest.settings(
        agents,
        names,
        config,
        prompts={each.name: {SITE: _prompts_digest(each, config.prompts)} for each in agents},
        tasks={request.split: source.digest},
        lane="text",
        kind="offline",
    )
    manifest.write_settings(out, settings, f"Mind2Web, {request.split}")
    _write_exemplars(agents, source, say)
    return Prepared(specs, context, config)


def _scenarios(request: OfflineRequest) -> list[str]:
    """Return the names of the tasks. Raises `NotRunnable` if there are none."""
    chosen = request.tasks
    tasks = files.tasks(request.data, request.split)
    read = islice(tasks, chosen.stop if chosen else None)
    first = next(read, None)
    if first is None:
        raise NotRunnable(f"{request.data}: {request.split} has no task", "give another folder")
    _check_ranks(request.ranks, request.split, first)
    count = 1 + sum(1 for _ in read)
    numbers = [each for each in range(count) if chosen is None or each in chosen]
    if not numbers:
        raise NotRunnable(f"{request.split} has {count} tasks", "choose others with --tasks")
    return [f"{SITE}/{request.split}/{number}" for number in numbers]


def _check_ranks(path: Path, split: str, task: RecordedTask) -> None:
    """Raise `NotRunnable` if the ranks have no step of a split's first task."""
    if not any(ranks.orders(path, [task]).values()):
        raise NotRunnable(
            f"{path} has no ranks of {split} (looked for the steps of {task.id})",
            "make them with `rehearse mind2web rank`",
        )


def _digest(request: OfflineRequest) -> str:
    """Return a SHA-256 of the split's files, of those of `train`, and of the ranks."""
    total = hashlib.sha256()
    shown = {request.split, TRAIN} & {*files.splits(request.data)}
    paths = [each for split in sorted(shown) for each in files.files(request.data, split)]
    for path in [*paths, request.ranks]:
        total.update(f"{path.name}\0".encode())
        with path.open("rb") as file:
            total.update(hashlib.file_digest(file, "sha256").digest())
    return total.hexdigest()


def _prompts_digest(agent: Agent, root: Path) -> str:
    return digest(*prompt_folders(agent, root))


def _record_command(request: OfflineRequest) -> str:
    """Return the command that records the replies that a replay of this run lacks."""
    config = request.config
    given = {
        "--split": request.split,
        "--ranks": str(request.ranks),
        "--method": ",".join(request.names),
        "--tasks": _range(request.tasks),
        "--skill": ",".join(f"{skill:g}" for skill in request.skills),
        "--trials": str(config.trials) if config.trials > 1 else "",
        "--context": str(config.context or ""),
        "--prompts": str(config.prompts) if config.prompts != prompting.FOLDER else "",
    }
    options = [word for name, value in given.items() if value for word in (name, value)]
    words = shlex.join([str(request.data), *options])
    return f"rehearse mind2web run {words} {WHO_ANSWERS} --record DIR"


def _range(tasks: range | None) -> str:
    return f"{tasks.start}:{tasks.stop}:{tasks.step}" if tasks else ""


# The trajectories --------------------------------------------------------------------------------


def _write_exemplars(
    agents: Iterable[Agent], source: TaskSource, say: Callable[[str], None]
) -> None:
    """Write the trajectories of `train` that agents show, unless the run's folder has them."""
    sizes = {each.build().past for each in agents if shows_exemplars(each)}
    for past in sorted(sizes):
        path = exemplar_file(source.folder, past)
        if not path.exists():
            say(f"writing the trajectories of train with {past} elements a page to {path}")
            made = trajectories_of_train(source.data, source.ranks, past)
            write(path, "".join(exemplars.lines(made)).encode("utf-8", "replace"))


def trajectories_of_train(data: Path, ranked: Path, past: int) -> list[Exemplar]:
    """Return the trajectories of `train`; a task with a page that cannot be read is left out.

    Args:
        data: The folder of the data set.
        ranked: The file of ranks.
        past: Elements a page.

    Raises:
        NotRunnable: There is no task of `train`, or no ranks of it.
    """
    made = []
    for at, task in enumerate(files.tasks(data, TRAIN)):
        if at == 0:
            _check_ranks(ranked, TRAIN, task)
        try:
            made.append(exemplars.exemplar(task, ranks.orders(ranked, [task]), past))
        except UnreadablePage:
            continue
    if not made:
        raise NotRunnable(f"{data} has no task of {TRAIN}", "choose synapse:no-trajectory")
    return made
