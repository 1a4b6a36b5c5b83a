"""The worker processes: many at once, killed, cancelled, and gone when this process is."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from random import Random

import pytest

from agent.sandbox import Limits, ProgramError
from agent.sandbox.monty import MontyRunner
from tests.measuring import HANG

ROOT = Path(__file__).parents[3]
BOMB = "while True: pass"


def stat(pid: int) -> list[str]:
    """State, parent and so on of a process; nothing where there is none."""
    try:
        return (Path("/proc") / str(pid) / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def workers() -> list[int]:
    """The processes of the sandbox below this one."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        state = stat(int(folder.name))
        if state and state[0] != "Z" and state[1] == str(os.getpid()):
            command = (folder / "comm").read_text().strip()
            found += [int(folder.name)] if command == "monty" else []
    return found


async def no_host(method: str, argument: str) -> None:
    raise AssertionError


def test_a_time_bomb_does_not_hold_up_the_others(runner):
    """Thirty programs that began after it are done while it still runs."""
    ended = []

    async def bomb() -> None:
        with pytest.raises(ProgramError, match="longer than"):
            await MontyRunner(Limits(seconds=1.2)).act(BOMB, no_host, calls=0)
        ended.append("bomb")

    async def honest(number: int) -> None:
        async def host(method: str, argument: str) -> None:
            await asyncio.to_thread(str, argument)

        await MontyRunner().act(f"agent.type('{number}')\nagent.press('a')", host, calls=2)
        ended.append(number)

    async def everybody() -> None:
        await asyncio.gather(bomb(), *map(honest, range(30)))

    runner.run(everybody())
    assert ended[-1] == "bomb" and len(ended) == 31


def test_more_programs_than_threads_wait_for_one_another(runner):
    """Each of forty programs goes on only when all forty are under way."""
    arrived = []

    async def everybody() -> None:
        all_there = asyncio.Event()

        async def host(method: str, argument: str) -> None:
            arrived.append(argument)
            if len(arrived) == 40:
                all_there.set()
            await all_there.wait()

        programs = [f"agent.type('{n}')\nx = {n}\nassert x == {n}" for n in range(40)]
        await asyncio.gather(*(MontyRunner().act(p, host, calls=1) for p in programs))

    runner.run(everybody())
    assert sorted(arrived, key=int) == [str(n) for n in range(40)]


def test_a_killed_worker_is_an_error_of_the_program_and_is_replaced(sandbox):
    async def kill(argument: str) -> None:
        for pid in workers():
            os.kill(pid, signal.SIGKILL)

    with pytest.raises(ProgramError) as caught:
        sandbox.act("agent.press('a')\nagent.press('b')", then=kill)
    assert (caught.value.kind, str(caught.value)) == ("limit", "the program broke the sandbox")
    assert sandbox.act("agent.type('again')") == [("type", "again")]
    assert sandbox.abstract("obs = state", "again") == "again"


def test_a_worker_that_was_killed_while_it_waited_is_replaced(sandbox):
    program = 'import random\nagent.type(f\'{random.random()} {hash("a")} {set("abc")}\')'
    before = list(sandbox.act(program))
    for pid in workers():
        os.kill(pid, signal.SIGKILL)
    assert sandbox.act(program) == before


@pytest.mark.parametrize("program", [BOMB, "agent.type('x')"], ids=["running", "waiting"])
def test_a_cancelled_program_leaves_its_worker_fit_for_use(sandbox, program):
    async def cancelled() -> None:
        begun = asyncio.Event()

        async def host(method: str, argument: str) -> None:
            begun.set()
            await asyncio.Event().wait()

        task = asyncio.ensure_future(sandbox.runner.act(program, host, calls=1))
        if program != BOMB:
            await begun.wait()
        else:
            await asyncio.to_thread(str)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    sandbox.loop.run(cancelled())
    before = workers()
    for _ in range(20):
        assert sandbox.act("agent.type('on')") == [("type", "on")]
    assert len(workers()) <= len(before) + 1


def test_runs_in_other_event_loops_and_threads_share_the_workers():
    seen = []

    def other() -> None:
        seen.append(asyncio.run(MontyRunner().abstract("obs = state * 2", "x")))

    threads = [threading.Thread(target=other) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == ["xx"] * 4


ENDING = """
import asyncio, os, signal, sys
from agent.sandbox import Limits, ProgramError
from agent.sandbox.monty import MontyRunner
from tests.agent.sandbox.test_workers import BOMB, no_host, workers

async def main():
    await MontyRunner().abstract("obs = state", "x")
    runner = MontyRunner(Limits(seconds=0.2))
    for program in ("agent.goto('x')", "1 / 0", "x = (", BOMB):
        try:
            await runner.act(program, no_host, calls=1)
        except ProgramError:
            pass
    bombs = [asyncio.ensure_future(runner.act(BOMB, no_host, calls=1)) for _ in range(3)]
    while len(workers()) < 3:
        await asyncio.to_thread(str)
    print(*workers(), flush=True)
    if sys.argv[1] == "cancelled":
        return
    if sys.argv[1] == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    raise SystemExit(7)

asyncio.run(main())
"""


@pytest.mark.parametrize(("how", "code"), [("cancelled", 0), ("exit", 7), ("killed", -9)])
def test_no_worker_outlives_the_process(how, code):
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", ENDING, how],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=HANG,
        check=False,
    )
    assert (done.returncode, done.stderr) == (code, "")
    pids = [int(pid) for pid in done.stdout.split()]
    assert len(pids) >= 3
    deadline = time.monotonic() + 20  # they see that their parent is gone, and then they go
    while any(stat(pid)[:1] not in ([], ["Z"]) for pid in pids):
        assert time.monotonic() < deadline
        os.sched_yield()


def test_the_workers_know_nothing_of_this_process(runner):
    """Their environment is empty: no key or path could be read there."""
    runner.run(MontyRunner().abstract("obs = ''", ""))
    for pid in workers():
        assert (Path("/proc") / str(pid) / "environ").read_bytes() == b""


TEMPLATES = (
    "for n in range(3):\n    agent.type(f'{n}')\n",
    "x = [w for w in 'a b c'.split() if w != 'b']\nagent.press(x[0])\n",
    "def f(a, b='//a'):\n    return a + b\nagent.click_xpath(f('x'))\n",
    "try:\n    agent.type(str(int('7')))\nexcept ValueError as e:\n    agent.press('b')\n",
    "import re\nfrom bs4 import BeautifulSoup\nobs = BeautifulSoup(state).find('b')['id']\n",
)


def mutated(random: Random) -> str:
    """A program that was spliced, cut and sprinkled with signs."""
    text = "".join(random.choices(TEMPLATES, k=2))
    for _ in range(random.randrange(3)):
        start = random.randrange(len(text) + 1)
        end = min(len(text), start + random.choice([0, 1, 1, 2, 5, 20]))
        signs = ["", "(", ")", "[", "*", "**", "'", "\n", "\t", ":", "\0", "é", "@", "=", "~", "\\"]
        words = ["not ", "await ", "lambda: ", "{}", "agent", ".x", "9" * 30, "yield ", "del "]
        text = text[:start] + random.choice(signs + words) + text[end:]
    return text


def test_mutated_programs_end_well_or_with_a_typed_error(sandbox):
    random, ended = Random("mutated programs"), {"well": 0, "badly": 0}
    for _ in range(300):
        try:
            sandbox.act(mutated(random))
            ended["well"] += 1
        except ProgramError:
            ended["badly"] += 1
    assert min(ended.values()) > 10
