"""A large generated catalogue: `python -m benchmarks.million [--quick]`.

A million products (with --quick 50,000) are drawn and indexed in a process of its own, then
another process searches them. On a quiet core this takes some two minutes; the 1.2 GB of disk are
given back. On a busy machine the CPU time counts, for waiting for a core is no work.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.foundation import Benchmark, run
from benchmarks.measuring import Row

PRODUCTS, FEW = 1_000_000, 50_000
INDEX_S, P95_MS = 180, 10
"""The bars: building the index, and the slowest of twenty searches."""

BUILD = """
import json, sys, time
from pathlib import Path
from sites.store.catalogue.catalogue import open_catalogue
from sites.store.catalogue.search import Search
clocks = lambda: (time.perf_counter(), time.process_time())
began = clocks()
catalogue = open_catalogue(int(sys.argv[1]), cache=Path(sys.argv[2]))
drawn = clocks()
Search(catalogue.folder)
made = clocks()
"""
SEARCH = """
import json, sys, time
from pathlib import Path
from benchmarks.serving import _queries
from sites.store import load_data
from sites.store.catalogue.search import document
data = load_data(int(sys.argv[1]), cache=Path(sys.argv[2]))
short = _queries(data, 1000)
asins = data.catalogue.at(range(0, len(data.catalogue), len(data.catalogue) // 200))
long = [" ".join(document(data.catalogue.get(asin)).split()[:40]) for asin in asins]
clocks = (time.perf_counter, time.thread_time)
def timed(queries):
    spent = []
    for query in queries:
        start = [clock() for clock in clocks]
        data.search.search(query)
        spent.append([1000 * (clock() - before) for clock, before in zip(clocks, start)])
    return [sorted(each) for each in zip(*spent)]
timed(short[:100])
found = {"short": timed(short), "long": timed(long)}
"""
RESIDENT = """
lines = dict(line.split(":") for line in open("/proc/self/status"))
kinds = {name: int(lines[name].split()[0]) / 1000 for name in ("VmHWM", "RssAnon")}
"""


async def catalogue(quick: bool) -> list[Row]:
    """Drawing and indexing the products, what they take, and searching them."""
    size = FEW if quick else PRODUCTS
    with tempfile.TemporaryDirectory() as folder:
        built = await _run(
            BUILD + RESIDENT + "print(json.dumps([began, drawn, made, kinds]))", size, folder
        )
        disk = {kind: _megabytes(folder, kind) for kind in ("**/*.sqlite", "**/index-*/*")}
        found = await _run(SEARCH + RESIDENT + "print(json.dumps([found, kinds]))", size, folder)
    return [*_built(size, built, disk), *_searched(size, found)]


def _built(size: int, built: Any, disk: dict[str, float]) -> list[Row]:
    began, drawn, made, kinds = built
    (draw_s, draw_cpu), (index_s, index_cpu) = (
        [after - before for after, before in zip(later, sooner, strict=True)]
        for later, sooner in ((drawn, began), (made, drawn))
    )
    products, index = disk.values()
    return [
        Row(f"draw {size:,} products", "s", draw_s, cpu_ms=1000 * draw_cpu),
        Row("build their index", "s", index_s, bar=INDEX_S, cpu_ms=1000 * index_cpu),
        Row("memory of the build at most", "MB", kinds["VmHWM"]),
        Row("disk, products", "MB", products),
        Row("disk, index", "MB", index),
    ]


def _searched(size: int, searched: Any) -> list[Row]:
    found, kinds = searched
    names = {"short": "4 to 9 words", "long": "40 words"}
    rows = [
        Row(
            f"search, {names[kind]}, p{percent}",
            "ms",
            _percentile(wall, percent),
            bar=bar,
            cpu_ms=_percentile(cpu, percent),
        )
        for kind, (wall, cpu) in found.items()
        for percent, bar in ((50, None), (95, P95_MS if kind == "short" else None))
    ]
    note = f"of it {kinds['RssAnon']:.0f} MB of its own, the rest pages of the files"
    return [*rows, Row("memory of a process that searches", "MB", kinds["VmHWM"], note=note)]


def _percentile(ascending: Sequence[float], percent: int) -> float:
    return ascending[min(len(ascending) - 1, len(ascending) * percent // 100)]


def _megabytes(folder: str, pattern: str) -> float:
    return sum(file.stat().st_size for file in Path(folder).glob(pattern)) / 1e6


async def _run(program: str, size: int, folder: str) -> Any:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", program, str(size), folder), stdout=asyncio.subprocess.PIPE
    )
    out, _ = await process.communicate()
    return json.loads(out)


BENCHMARKS: dict[str, Benchmark] = {"catalogue": catalogue}


if __name__ == "__main__":
    run("benchmarks.million", str(__doc__), BENCHMARKS)
