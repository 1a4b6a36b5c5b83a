"""The benchmark `rehearsal-cube`: the suites and training splits that need no browser."""

from __future__ import annotations

from importlib.metadata import version
from typing import ClassVar

from cube.benchmark import Benchmark, BenchmarkConfig, BenchmarkMetadata, ResetIsolation
from cube.task import TaskConfig, TaskMetadata

from evaluators.integrations.ground_thread import shared
from rehearsal_cube import catalogue
from rehearsal_cube.catalogue import RehearsalTaskMetadata
from rehearsal_cube.task import RehearsalTaskConfig


class RehearsalBenchmark(Benchmark["RehearsalBenchmarkConfig"]):
    """Opens the sites of this process, which the end of the process closes.

    Its runtime context is empty, so tasks can be made in any process.
    """

    def _setup(self) -> None:
        shared()

    def close(self) -> None:
        """Do nothing: other benchmarks of this process may use the sites."""


class RehearsalBenchmarkConfig(BenchmarkConfig[RehearsalTaskMetadata]):
    """Configures the benchmark; each suite is a named subset, and so is `train`."""

    benchmark_metadata: ClassVar[BenchmarkMetadata] = BenchmarkMetadata(
        name="rehearsal-cube",
        version=version("rehearsal-web"),
        description="Seeded tasks on web sites, without a browser; end states decide success.",
        license="MIT",
        num_tasks=len(catalogue.tasks()),
        tags=["web", "text", "seeded", "training"],
        reset_isolation=ResetIsolation.NEW_INSTANCE,
        named_subsets=catalogue.subsets(),
    )
    task_metadata: ClassVar[dict[str, TaskMetadata]] = dict(catalogue.tasks())
    task_config_class: ClassVar[type[TaskConfig]] = RehearsalTaskConfig
    benchmark_class: ClassVar[type[Benchmark]] = RehearsalBenchmark
