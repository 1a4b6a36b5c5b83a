"""SIGKILL at random moments, of the runner and of its workers: nothing is lost or doubled.

At known moments each dies in `test_scheduler`.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import time
from pathlib import Path
from random import Random

import pytest

from tests.evaluators.run.test_scheduler import (
    MARK,
    contents,
    gone,
    here,
    marked,
    started,
    untimed,
)
from tests.measuring import HANG

pytestmark = [pytest.mark.deep, pytest.mark.usefixtures("unmeasured")]

AGENTS = "react@scripted-0.8,expert"
ARGUMENTS = ("run", "--agent", AGENTS, "--family", "buy_item", "--seeds", "0:8")
KILLS = 4
FURTHER, LONGEST = 3, 1.0
"""A run is hit when it has run fewer than `FURTHER` more episodes, and up to so many seconds on:
on a machine of any speed some runs are hit at their beginning and some in the middle."""
LINGER = 2.0
"""Seconds that a run's processes may outlive it."""


def workers(mark: str, runner: int) -> list[int]:
    """The worker processes of a run."""
    return [each for each in marked(mark) if each != runner and b"spawn_main" in _command(each)]


def _command(number: int) -> bytes:
    try:
        return Path(f"/proc/{number}/cmdline").read_bytes()
    except OSError:
        return b""


def finished(run: Path) -> int:
    return len(list(run.glob("episodes/*/*/*/episode.json")))


def hit(run: Path, mark: str, rng: Random) -> bool:
    """Start or resume the run, kill one of it at a random moment; whether it came to its end."""
    due, later = finished(run) + rng.randrange(FURTHER), rng.uniform(0, LONGEST)
    process = started(*ARGUMENTS, "-n", "2", "--json", "-o", str(run), **{MARK: mark})
    while process.poll() is None and finished(run) < due:
        time.sleep(0.01)
    end = time.monotonic() + later
    while process.poll() is None and time.monotonic() < end:
        time.sleep(0.01)
    pool = workers(mark, process.pid)
    victim = rng.choice(pool) if pool and rng.random() < 0.5 else process.pid
    with contextlib.suppress(ProcessLookupError):
        os.kill(victim, signal.SIGKILL)
    process.wait(HANG)
    assert gone(mark, LINGER), "processes were left"
    _, errors = process.communicate()
    assert process.returncode in (0, -signal.SIGKILL), errors
    return process.returncode == 0


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory) -> tuple[object, dict[str, object]]:
    """What a run says that nobody kills, and what it leaves."""
    run = tmp_path_factory.mktemp("undisturbed") / "run"
    whole = here(*ARGUMENTS, "-n", "1", "--json", "-o", str(run))
    return untimed(json.loads(whole.stdout)), contents(run)


@pytest.mark.parametrize("series", range(50))
def test_a_run_that_was_killed_again_and_again_ends_as_if_it_had_not_been(
    tmp_path, undisturbed, series
):
    rng, run = Random(f"killed/{series}"), tmp_path / "run"
    for kill in range(KILLS):
        hit(run, f"{tmp_path.name}-{kill}", rng)
    last = here(*ARGUMENTS, "-n", "2", "--json", "-o", str(run))
    assert last.exit_code == 0, last.stderr
    summary, files = undisturbed
    assert untimed(json.loads(last.stdout)) == summary
    left = contents(run)
    assert sorted(left) == sorted(files)
    assert [path for path in left if left[path] != files[path]] == []
