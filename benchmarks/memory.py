"""The exemplar memory: `python -m benchmarks.memory [--quick]`.

Retrieval with and without making the query's vector, opening the shipped memory, and MiniLM in
numpy, which has to be installed. Nothing is asserted of speed.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import statistics
import sys
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from agent import embedders
from agent.methods.synapse.memory import load, shipped
from benchmarks.foundation import Benchmark, run
from benchmarks.measuring import Effort, Row, alternate, compared

if TYPE_CHECKING:
    from agent.embedders import Vectors

RETRIEVAL_MS, START_MS, RESIDENT_MB = 1, 600, 180
"""The bars: one look-up by a vector; MiniLM from nothing to its first vector, and its memory."""
SENTENCE = (
    "Find the mail from Ida, forward it to Bo, and then go back to the first page of the mails."
)


async def retrieval(quick: bool) -> list[Row]:
    """Look-ups in the shipped memory: the vote by a vector, and the vector."""
    memory = load(shipped("widgets"))
    await memory.prepare()
    texts = [key.text for key in memory.keys]
    hashed = embedders.get("hashed", texts)
    vectors = await hashed.embed(texts, None)
    asked, asked_naively = (itertools.cycle(vectors[:, None]) for _ in range(2))

    def ours() -> None:
        memory.nearest(next(asked))

    def naive() -> None:
        _nearest(vectors, next(asked_naively))

    effort = Effort(3 if quick else 10, 200)
    voted = compared(
        f"retrieval, {len(texts)} keys", await alternate(effort, ours, naive), RETRIEVAL_MS,
        "faiss, one thread, and the vote; naive: every distance in numpy, sorted",
    )  # fmt: skip
    texts_in_turn = itertools.cycle(texts)

    async def embed() -> None:
        await hashed.embed([next(texts_in_turn)], None)

    [made] = await alternate(effort, embed)
    size = sum(map(len, texts)) // len(texts)
    note = f"{size} characters on average; 95 of 100 in {made.percentile(95):.2f} ms"
    return [voted, Row("hashed, a text", "ms", made.median, cpu_ms=made.cpu_each, note=note)]


def _nearest(vectors: Vectors, asked: Any) -> Any:
    import numpy as np

    return np.linalg.norm(vectors - asked, axis=1).argsort()[:3]


async def opening(quick: bool) -> list[Row]:
    """The shipped memory from its file to the first answer."""

    async def ours() -> None:
        load.cache_clear()
        await load(shipped("widgets")).prepare()

    [timing] = await alternate(Effort(2 if quick else 5, 3), ours)
    size = shipped("widgets").stat().st_size // 1000
    note = f"once a process; a file of {size} kB, its vectors made again"
    return [Row("opening the memory", "ms", timing.median, cpu_ms=timing.cpu_each, note=note)]


START = """
import time
start = time.perf_counter()
import asyncio, json
from agent import embedders
asyncio.run(embedders.get("minilm").embed(["a"], None))
spent = time.perf_counter() - start, time.process_time()
asyncio.run(embedders.get("minilm").embed(["long " * 300], None))
resident = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(json.dumps([*(1000 * each for each in spent), int(resident.split()[1]) / 1000]))
"""


async def minilm(quick: bool) -> list[Row]:
    """A process with MiniLM: to its first vector (its CPU time is Python's too), and its size."""
    embedder = embedders.get("minilm")
    starts = [await _started() for _ in range(3 if quick else 7)]
    wall, cpu, megabytes = map(statistics.median, zip(*starts, strict=True))
    page = load(shipped("widgets")).keys[-1].text
    rows = [
        Row("minilm, start and first text", "ms", wall, bar=START_MS, cpu_ms=cpu),
        Row("minilm, resident at most", "MB", megabytes, bar=RESIDENT_MB),
    ]
    for what, text in (("a sentence of 20 words", SENTENCE), ("a page, 256 tokens", page * 3)):
        way = partial(embedder.embed, [text], None)
        [timing] = await alternate(Effort(2 if quick else 5, 5), way)
        rows.append(Row(f"minilm, {what}", "ms", timing.median, cpu_ms=timing.cpu_each))
    return rows


async def _started() -> Sequence[float]:
    """Wall and CPU milliseconds to the first vector, and the most resident megabytes."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", START, stdout=asyncio.subprocess.PIPE
    )
    out, _ = await process.communicate()
    found: list[float] = json.loads(out)
    return found


BENCHMARKS: dict[str, Benchmark] = {
    "retrieval": retrieval,
    "opening": opening,
    "minilm": minilm,
}


if __name__ == "__main__":
    run("benchmarks.memory", str(__doc__), BENCHMARKS)
