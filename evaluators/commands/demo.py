"""The demo: several agents on store, CRM and widgets, offline; a table and a report."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import click

from evaluators import report
from evaluators.report import console_table
from evaluators.run import api, prepare
from evaluators.run.config import ExecutorConfig, RunConfig
from evaluators.run.progress import progress
from scenarios import registry

AGENTS = ("expert", "react", "react@scripted-0.7", "random", "nothing")
SUITE = "smoke"


def show(*, headed: bool = False, slow_ms: float = 0, out: Path | None = None) -> int:
    """Run the demo, print its table and write its report.

    Args:
        headed: Show the browser, with one episode at a time.
        slow_ms: Milliseconds to wait at each action.
        out: The folder of the run, or None for a new one.

    Returns:
        The exit code: 1 if an infrastructure error ended an episode, otherwise 0.
    """
    folder = out or prepare.fresh_folder(["demo"])
    tasks = registry.from_suite(SUITE)
    executor = ExecutorConfig(concurrency=1 if headed else 2, headed=headed, slow_ms=slow_ms)
    prepare.check_display(executor)
    config = RunConfig(executor=executor, out=folder)
    click.echo("Nothing here is live: the sites are on this machine, the model is scripted.")
    with progress([*product(AGENTS, tasks.names, [0])], folder, quiet=False) as on_record:
        summary = api.run(AGENTS, tasks, config, on_record=on_record)
    console_table.table(summary, folder)
    click.echo(f"open {report.write(folder).resolve()}")
    return 1 if any(row.infra for row in summary.rows) else 0
