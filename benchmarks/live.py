"""Live episodes in flight: `python -m benchmarks.live [--quick]`.

A model on loopback takes half a second to three seconds for each call. The floor is what the calls
take in all, shared by fifty; beside it stand the memory of the whole process tree at its highest
and what a run one after the other leaves, which must be the same worlds. Tasks at the desk
are nine calls each; purchases of whatever comes first are three, each with a page to load.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from agent.llm.model_source import answer
from agent.llm.simulated.model import SimulatedModel
from agent.llm.simulated.reading import Knowledge
from evaluators.run.api import run
from evaluators.run.config import ExecutorConfig, RunConfig
from scenarios import registry
from scenarios.registry import TaskSet
from tests.loopback import Body, Server, serve, shopper, slowly

IN_FLIGHT, GIB = 50, 2**30
Completer = Callable[[Body], str]


@dataclass(frozen=True)
class Load:
    """What ReAct runs on, and what answers."""

    what: str
    task_set: TaskSet
    trials: int
    complete: Completer


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a quarter of the episodes")
    parser.add_argument("-n", type=int, default=1, help="processes")
    given = parser.parse_args()
    part = 4 if given.quick else 1
    desk = registry.from_suite("crm-100", range(20 // part))
    shop = registry.from_family("buy_item", range(200 // part))
    for load in (
        Load("tasks at the desk", desk, 2, competent(desk)),
        Load("purchases of what comes first", shop, 1, shopper),
    ):
        _measure(load, ExecutorConfig(given.n, IN_FLIGHT // given.n))


def competent(task_set: TaskSet) -> Completer:
    """Answers ReAct's requests as the scripted model does that knows the tasks of a task set."""
    tasks = {}
    for name in task_set.names:
        scenario = registry.scenario(name)
        family = registry.family(scenario.family)
        advise = partial(family.advise, scenario)
        tasks[scenario.instruction] = Knowledge(
            scenario.instruction, scenario.name, scenario.site, 0, advise
        )
    simulated = SimulatedModel(tasks)

    def complete(body: Body) -> str:
        reply: str = answer(simulated, "react/act", body)["choices"][0]["message"]["content"]
        return reply

    return complete


def _measure(load: Load, executor: ExecutorConfig) -> None:
    with tempfile.TemporaryDirectory() as folder:
        many, one = Path(folder) / "many", Path(folder) / "one"
        with serve(slowly(load.complete, 0.5, 3)) as model, _Memory() as memory:
            begun = time.monotonic()
            _run(load, model, many, executor)
            seconds, waited = time.monotonic() - begun, model.latency
        floor, worlds = waited / IN_FLIGHT, _worlds(many)
        print(f"{load.what}: {len(worlds)} episodes, {len(model.requests)} calls")
        print(f"  wall {seconds:.1f} s; latency {waited:.0f} s / {IN_FLIGHT} = {floor:.1f} s")
        print(f"  ratio {seconds / floor:.2f} (bar 2); memory {memory.most / GIB:.2f} GiB (bar 8)")
        with serve(slowly(load.complete, 0, 0)) as model:
            _run(load, model, one, ExecutorConfig(1, 1))
        print(f"  worlds equal to one by one: {worlds == _worlds(one)}")


def _run(load: Load, model: Server, out: Path, executor: ExecutorConfig) -> None:
    os.environ.update(model.environment)
    run(["react"], load.task_set, RunConfig("live", trials=load.trials, out=out, executor=executor))


def _worlds(folder: Path) -> dict[str, object]:
    paths = folder.rglob("final_world.json")
    return {str(path.relative_to(folder)): json.loads(path.read_text()) for path in paths}


class _Memory:
    """The highest proportional set size of this process and its descendants, in bytes."""

    def __init__(self) -> None:
        self.most = 0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch)

    def __enter__(self) -> _Memory:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._over.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._over.wait(1):
            self.most = max(self.most, sum(map(_pss, _tree(os.getpid()))))


def _tree(root: int) -> list[int]:
    children: dict[int, list[int]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(path.read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        children.setdefault(parent, []).append(int(path.parent.name))
    found = [root]
    for each in found:
        found.extend(children.get(each, []))
    return found


def _pss(process: int) -> int:
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))


if __name__ == "__main__":
    main()
