"""Read the arguments of `rehearse mind2web run`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from agent.prompting import FOLDER
from evaluators.episode.environment_lanes import TEXT
from evaluators.mind2web.run import OfflineRequest
from evaluators.run.arguments import agents_of, skills_of
from evaluators.run.config import ExecutorConfig, RunConfig, default_concurrency
from evaluators.run.prepare import fresh_folder, read_shard
from scenarios.registry import BadTaskSet, read_seeds


def parse(
    data: Path,
    split: str,
    ranks: Path,
    names: Sequence[str],
    tasks: str | None = None,
    skill: Sequence[str] = (),
    **options: Any,
) -> OfflineRequest:
    """Read the arguments of `rehearse mind2web run` into an `OfflineRequest`.

    Args:
        data: The folder of the data set.
        split: The split.
        ranks: The file of ranks.
        names: Agents, as `several` gives them: cut at each comma.
        tasks: A range such as "0:50", or None for all.
        skill: Skills of the scripted model.
        **options: The other options by name.

    Raises:
        RehearsalError: An argument is wrong.
    """
    agents = agents_of(names)
    if options.get("shard"):
        read_shard(options["shard"])
    processes = options.pop("processes", 1)
    kind = str(options.get("llm", RunConfig.llm)).partition(":")[0]
    concurrency = options.pop("concurrency", None) or default_concurrency(kind, processes)
    config = RunConfig(
        prompts=options.pop("prompts", None) or FOLDER,
        dollars=options.pop("max_cost", None),
        run_dollars=options.pop("max_run_cost", None),
        executor=ExecutorConfig(processes, concurrency, lane=TEXT),
        out=options.pop("out", None) or fresh_folder(agents),
        **options,
    )
    return OfflineRequest(data, split, ranks, agents, config, skills_of(skill), _range(tasks))


def _range(text: str | None) -> range | None:
    if text is None:
        return None
    try:
        return read_seeds(text)
    except BadTaskSet as error:
        raise BadTaskSet(f"--tasks {error.problem}", error.remedy) from None
