"""The foundation's figures beside the naive way: `python -m benchmarks.foundation [--quick]`.

Every row is measured in one run, ours and the naive way in turns. Nothing is asserted of speed.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence

from benchmarks import asking, browsing, listing, serving
from benchmarks.measuring import Row, document, load, table

Benchmark = Callable[[bool], Awaitable[list[Row]]]
"""A few rows; the argument says whether to be quick."""

BENCHMARKS: Mapping[str, Benchmark] = {
    "step": browsing.step,
    "observation": browsing.observation,
    "reset": browsing.reset,
    "search": serving.search,
    "fork": serving.fork,
    "page": serving.page_served,
    "cassette": asking.cassette,
    "episodes": browsing.episodes,
    "lists": listing.lists,
}


async def measured(
    benchmarks: Mapping[str, Benchmark], names: Sequence[str], quick: bool
) -> tuple[list[Row], dict[str, str]]:
    """The rows, and by name why a benchmark could not be measured."""
    rows: list[Row] = []
    failed: dict[str, str] = {}
    for name in names:
        print(f"{name} ...", file=sys.stderr)
        try:
            rows += await benchmarks[name](quick)
        except Exception as problem:  # the other figures are worth having all the same
            failed[name] = f"{type(problem).__name__}: {problem}"
    return rows, failed


def run(module: str, about: str, benchmarks: Mapping[str, Benchmark]) -> None:
    """Measure what the command line asks for, and print it."""
    parser = argparse.ArgumentParser(prog=f"python -m {module}", description=about)
    parser.add_argument("--quick", action="store_true", help="fewer rounds, a smaller catalogue")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument("--only", metavar="NAME,...", help=f"some of {', '.join(benchmarks)}")
    chosen = parser.parse_args()
    names = chosen.only.split(",") if chosen.only else list(benchmarks)
    if unknown := [name for name in names if name not in benchmarks]:
        parser.error(f"there is no benchmark {unknown[0]!r}; choose from {', '.join(benchmarks)}")
    before = load()
    rows, failed = asyncio.run(measured(benchmarks, names, chosen.quick))
    loads = before, load()
    if chosen.json:
        print(document(chosen.quick, rows, loads, failed))
        return
    print(f"{table(rows)}\n\nload average before {loads[0]}, after {loads[1]}")
    for name, reason in failed.items():
        print(f"not measured: {name}: {reason}")


if __name__ == "__main__":
    run("benchmarks.foundation", str(__doc__), BENCHMARKS)
