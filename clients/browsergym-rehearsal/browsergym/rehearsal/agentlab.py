"""For AgentLab: a suite of Rehearsal as a benchmark for `make_study`."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import bgym
from agentlab.experiments.loop import EnvArgs
from browsergym.rehearsal import control, register

ACTIONS = bgym.HighLevelActionSetArgs(
    subsets=("chat", "infeas", "bid", "nav"), multiaction=False, strict=False, retry_with_force=True
)


@dataclass
class RehearsalEnvArgs(EnvArgs):
    """AgentLab imports only the benchmarks that it knows; where a worker unpickles this, ours is
    imported, and registers the task."""

    def make_env(self, *args: Any, **kwargs: Any) -> Any:
        register(self.task_name.removeprefix("rehearsal."))
        return super().make_env(*args, **kwargs)


def benchmark(suite: str) -> bgym.Benchmark:
    """A suite of `rehearse list suites`; its budget of steps is the suite's."""
    listed = json.loads(control.output("list", "suites", suite, "--json"))
    tasks = [(row["family"], seed, row["steps"]) for row in listed for seed in row["seeds"]]
    return benchmark_of(f"rehearsal_{suite}", tasks)


def benchmark_of(name: str, tasks: Iterable[tuple[str, int, int]]) -> bgym.Benchmark:
    """Families, seeds and the most steps of each."""
    return bgym.Benchmark(
        name=name,
        high_level_action_set_args=ACTIONS,
        is_multi_tab=False,
        supports_parallel_seeds=True,
        env_args_list=[
            RehearsalEnvArgs(register(family), task_seed=seed, max_steps=steps, headless=True)
            for family, seed, steps in tasks
        ],
        backends=[],
    )
