"""Every function for programs inside an event loop, as in a notebook or an asynchronous test."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import gymnasium
import pytest

from evaluators.commands import replay
from evaluators.integrations import gymnasium as door
from evaluators.integrations.webshop_text import TextEnv
from evaluators.records import run_folder
from evaluators.run import api, event_loop
from evaluators.run.config import ExecutorConfig, RunConfig
from scenarios import registry
from tests.measuring import HANG

pytestmark = [
    pytest.mark.usefixtures("unmeasured"),
    pytest.mark.filterwarnings("ignore:.*:UserWarning:gymnasium"),
]

ROOT = Path(__file__).parents[3]


def in_a_loop(call):
    """What a call returns inside a running loop, which stays the thread's, and usable."""

    async def cell():
        loop, threads = asyncio.get_running_loop(), set(threading.enumerate())
        try:
            return call()
        finally:
            assert asyncio.get_running_loop() is asyncio.get_event_loop() is loop
            await asyncio.sleep(0)
            left = set(threading.enumerate()) - threads
            assert not [each for each in left if each.name.startswith("rehearsal")]
            gc.collect()

    return asyncio.run(cell())


@pytest.mark.wide
@pytest.mark.parametrize("processes", [1, 2])
def test_a_run_a_score_and_a_replay(tmp_path, processes):
    tasks = registry.from_suite("store-20", range(2))
    runs = {}
    for name, call in (("a", lambda made: made()), ("b", in_a_loop)):
        executor = ExecutorConfig(processes=processes)
        config = RunConfig(out=tmp_path / name / "run", executor=executor)
        runs[name] = call(lambda config=config: api.run(["expert", "nothing"], tasks, config))
        assert runs[name] == call(lambda config=config: api.score(config.out))
    assert runs["a"] == runs["b"]
    folder = tmp_path / "b" / "run"
    episode = run_folder.home(folder, next(iter(run_folder.episodes(folder))))
    replayed = in_a_loop(lambda: replay.run(folder, "1", ExecutorConfig()))
    assert episode.is_dir() and replayed.replay.is_same


@pytest.mark.wide
def test_a_scenario_and_the_doors(tmp_path):
    assert in_a_loop(lambda: api.generate("buy_item", 3)) == api.generate("buy_item", 3)

    def play():
        made = gymnasium.make(f"rehearsal/store.buy_item-v{door.VERSION}", disable_env_checker=True)
        first, _ = made.reset(seed=3)
        made.step("scroll [down]")
        *_, info = made.step("stop []")
        made.close()
        return first, info

    assert in_a_loop(play) == play()

    def read():
        made = TextEnv("text_rich")
        text = made.reset(3)[0]
        made.close()
        return text

    assert in_a_loop(read) == read()


@pytest.mark.wide
def test_an_environment_may_be_opened_outside_stepped_inside_and_closed_outside():
    made = door.Environment("buy_item")
    made.reset(seed=3)
    assert in_a_loop_with_threads(lambda: made.step("scroll [down]"))[1] == 0.0
    made.step("scroll [up]")
    made.close()
    made = door.Environment("buy_item")
    in_a_loop_with_threads(lambda: made.reset(seed=3))
    made.step("scroll [down]")
    made.close()
    assert not [each for each in threading.enumerate() if each.name.startswith("rehearsal")]


def in_a_loop_with_threads(call):
    async def cell():
        return call()

    return asyncio.run(cell())


def test_an_exception_keeps_its_traceback_and_leaves_no_thread():
    async def deep_inside():
        raise LookupError("here")

    with pytest.raises(LookupError, match="here") as caught:
        in_a_loop(lambda: event_loop.run(deep_inside()))
    assert "deep_inside" in [each.name for each in caught.traceback]
    with pytest.raises(SystemExit):
        in_a_loop(lambda: event_loop.run(leaving()))


async def leaving():
    raise SystemExit(3)


def test_a_coroutine_test_may_use_the_runner(runner):
    async def two():
        return 2

    async def test():
        return runner.run(two())

    assert asyncio.run(test()) == 2


NOTEBOOK = """
import asyncio, sys, threading
from pathlib import Path
from evaluators.run import api
from evaluators.run.config import ExecutorConfig, RunConfig
from scenarios import registry

def started(record):
    print("one is done", flush=True)

async def cell():
    config = RunConfig(out=Path(sys.argv[1]), executor=ExecutorConfig(processes=int(sys.argv[2])))
    tasks = registry.from_families(["buy_item"], range(500))
    try:
        api.run(["expert"], tasks, config, on_record=started)
    except KeyboardInterrupt:
        left = [each.name for each in threading.enumerate() if each.name.startswith("rehearsal")]
        print("interrupted", left, flush=True)

asyncio.run(cell())
print("the next cell", flush=True)
"""


@pytest.mark.wide
@pytest.mark.parametrize("processes", ["1", "2"])
def test_an_interrupt_stops_a_run_in_a_loop_and_only_it(tmp_path, processes):
    notebook = subprocess.Popen(
        (sys.executable, "-W", "error", "-c", NOTEBOOK, tmp_path / "run", processes),
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert notebook.stdout is not None
    assert notebook.stdout.readline() == "one is done\n"
    notebook.send_signal(signal.SIGINT)
    output, errors = notebook.communicate(timeout=HANG)
    assert output.endswith("interrupted []\nthe next cell\n"), output + errors
    assert "Traceback" not in errors and "Warning" not in errors
    done = len(list(run_folder.episodes(tmp_path / "run")))
    assert 1 <= done < 500
