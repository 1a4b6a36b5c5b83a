"""What agents without a model reach, as the table of docs/levels.md.

    python -m benchmarks.rules buy_wish buy_measured review_evidence --seeds 0:20
    python -m benchmarks.rules store-100            # a suite has seeds of its own

Beside `rules`, `rules:webshop`, `rules:vectors` and `rules:bank` stand the expert and the best of
the null agents. A figure above the bar of its level is printed as missed. A second call with the
same `--out` goes on where the first one stopped, and runs nothing again.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path

from agent import embedders
from agent.embedders import EmbedderUnusable
from evaluators.analysis.floor import NULL_AGENTS
from evaluators.records.models import Summary, SummaryRow
from evaluators.run.api import run
from evaluators.run.config import ExecutorConfig, RunConfig
from rehearsal_errors import RehearsalError
from scenarios import registry, suites
from scenarios.registry import TaskSet

BANK = str(Path(__file__).with_name("rules_bank.py"))
RULES = {
    "rules": "rules",
    "rules:webshop": "rules:webshop",
    "rules:vectors": "rules:vectors",
    "rules:bank": BANK,
}
"""What to run, by the name in the table."""
BARS = {
    "L2": {"rules": 0.10, "rules:vectors": 0.20},
    "L3": {"rules": 0.03, "rules:vectors": 0.05, "rules:bank": 0.15},
}
"""By level and agent: the most success that it may reach on a family of that level."""


def main(words: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.rules", description=__doc__)
    parser.add_argument("names", nargs="+", metavar="FAMILY", help="families of tasks, or suites")
    parser.add_argument("--seeds", default="0:20", help="of families (default 0:20)")
    parser.add_argument("--only", default=",".join(RULES), help="some of %(default)s")
    parser.add_argument("-n", type=int, default=1, help="processes")
    parser.add_argument("--out", type=Path, default=Path("runs/rules"), help="(default runs/rules)")
    given = parser.parse_args(words)
    if unknown := {*given.only.split(",")} - {*RULES}:
        parser.error(
            f"--only {given.only}: {', '.join(sorted(unknown))} is none of {', '.join(RULES)}"
        )
    if given.n < 1:
        parser.error(f"-n {given.n}: run at least one process")
    chosen = [name for name in RULES if name in given.only.split(",")]
    if "rules:vectors" in chosen and not _has_vectors():
        chosen.remove("rules:vectors")
    print(f"{datetime.now().astimezone():%-d %B %Y}\n")
    print("\n".join(heading(chosen)), flush=True)
    for name in given.names:
        try:
            print(_row(name, given.seeds, chosen, given.n, given.out), flush=True)
        except RehearsalError as error:
            sys.exit(f"{name}: {error}")


def _has_vectors() -> bool:
    try:
        embedders.get("minilm", [])
    except EmbedderUnusable as error:
        print(f"rules:vectors is left out: {error}", file=sys.stderr)
        return False
    return True


def _row(name: str, seeds: str, chosen: Sequence[str], processes: int, out: Path) -> str:
    tasks = _tasks(name, seeds)
    agents = ["expert", *NULL_AGENTS, *(RULES[each] for each in chosen)]
    config = RunConfig(out=out / name, executor=ExecutorConfig(processes))
    return line(name, _level(tasks), run(agents, tasks, config), chosen)


def _tasks(name: str, seeds: str) -> TaskSet:
    if name in suites.names():
        return registry.from_suite(name)
    return registry.from_families([name], registry.read_seeds(seeds))


def _level(tasks: TaskSet) -> str:
    """The level that the family writes into its scenarios; L1 names none."""
    level = registry.scenario(tasks.names[0]).details.get("level")
    return str(level["name"]) if level else "L1"


# The table ---------------------------------------------------------------------------------------


def heading(chosen: Sequence[str]) -> Iterator[str]:
    cells = ["family", "level", "episodes", "`expert`", "null agents", *(f"`{x}`" for x in chosen)]
    yield f"| {' | '.join(cells)} |"
    yield f"|{'---|' * len(cells)}"


def line(name: str, level: str, summary: Summary, chosen: Sequence[str]) -> str:
    """A family's row: success of each agent; of rules with its interval and, where it is above the
    bar of the level, with that."""
    rows = {row.agent: row for row in summary.rows}
    expert, ruled = rows["expert"], [rows[Path(RULES[each]).stem] for each in chosen]
    bars = BARS.get(level, {})
    shown = [_cell(row, bars.get(each)) for row, each in zip(ruled, chosen, strict=True)]
    cells = [
        f"`{name}`",
        level,
        str(expert.episodes),
        f"{expert.success:.2f}",
        _floor(expert),
        *shown,
    ]
    return f"| {' | '.join(cells)} |"


def _floor(row: SummaryRow) -> str:
    """The best of the null agents, by name where it reaches anything."""
    if row.floor is None:
        return "-"
    return f"{row.floor.success:.2f}{f' (`{row.floor.agent}`)' if row.floor.success else ''}"


def _cell(row: SummaryRow, bar: float | None) -> str:
    if row.success is None:
        return "-"
    low, high = row.success_ci
    missed = bar is not None and row.success > bar
    figure = f"{row.success:.2f} ({low:.2f}-{high:.2f})"
    return f"**{figure}: misses {bar:.2f}**" if missed else figure


if __name__ == "__main__":
    main()
