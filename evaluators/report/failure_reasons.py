"""Why episodes ended by an error of the agent: the first reason of each agent, for a terminal."""

from __future__ import annotations

import sys
from pathlib import Path

from evaluators.analysis.grouping import grouped
from evaluators.records import run_folder

OWN_ERRORS = ("agent_error", "format_error")


def failure_reasons(folder: Path) -> list[str]:
    """A line for each agent of a run that has such episodes: how many, the first, its error."""
    failed = [each for each in run_folder.episodes(folder) if each.ended in OWN_ERRORS]
    lines = []
    for agent, records in grouped(failed, lambda record: record.agent).items():
        first = records[0]
        error = " ".join(first.error.split())
        where = run_folder.home(folder, first) / "trace.jsonl"
        count = f"{len(records)} episode{'s' if len(records) > 1 else ''}"
        lines.append(f"{agent}: {count} ended by an error of the agent; the first is")
        lines.append(f"  {first.scenario}: {first.ended}: {error}; see {where}")
    return lines


def show(folder: Path) -> bool:
    """Print the reasons on stderr; whether there are any."""
    lines = failure_reasons(folder)
    for line in lines:
        print(line, file=sys.stderr)  # noqa: T201
    return bool(lines)
