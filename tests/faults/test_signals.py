"""A run that is told to stop: the first signal ends it in order, the second one at once."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from evaluators.records import run_folder
from tests.evaluators.run.test_scheduler import MARK, ROOT, contents, gone, own, ran, untimed

STUBBORN = """
open({begun!r}, 'w').close()
while True:
    try:
        await asyncio.Event().wait()
    except asyncio.CancelledError:
        open({refused!r}, 'w').close()
"""
"""It does not let itself be cancelled."""


@pytest.fixture(autouse=True)
def hangups_are_heard() -> Iterator[None]:
    """Also where these tests were started by `nohup`, whose children ignore them."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)


def begin(run: Path, mark: str, *said: str) -> subprocess.Popen[str]:
    """A run in a process group of its own, as a terminal has it."""
    return subprocess.Popen(
        [sys.executable, "-m", "rehearse", "run", *said, "-o", str(run)],
        cwd=ROOT,
        env={**os.environ, MARK: mark},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def until(path: Path, process: subprocess.Popen[str]) -> None:
    while not path.exists() and process.poll() is None:
        time.sleep(0.02)


@pytest.mark.parametrize(
    ("by", "processes", "everybody"),
    [
        (signal.SIGTERM, "1", False),
        (signal.SIGHUP, "1", False),
        pytest.param(signal.SIGHUP, "1", True, marks=pytest.mark.deep),
        pytest.param(signal.SIGHUP, "2", True, marks=pytest.mark.deep),
        pytest.param(signal.SIGTERM, "2", False, marks=pytest.mark.deep),
        pytest.param(signal.SIGINT, "1", True, marks=pytest.mark.deep),
        pytest.param(signal.SIGINT, "2", True, marks=pytest.mark.deep),
    ],
)
def test_one_signal_ends_a_run_in_order_and_it_can_be_resumed(tmp_path, by, processes, everybody):
    """`everybody` in the group gets it, as from a terminal. One episode is done, one under way."""
    begun, go_on = tmp_path / "begun", tmp_path / "go-on"
    body = f"""
if os.path.exists({str(go_on)!r}):
    return 'done'
open({str(begun)!r}, 'w').close()
await asyncio.Event().wait()
"""
    said = ("--agent", f"expert,{own(tmp_path, body)}", "--family", "buy_item", "--seeds", "0:1",
            "--concurrency", "1", "-n", processes)  # fmt: skip
    run, mark = tmp_path / "run", f"{tmp_path.name}-{by.name}"
    process = begin(run, mark, *said)
    until(begun, process)
    done = run / "episodes/expert/buy_item-0/0/episode.json"
    until(done, process)
    (os.killpg if everybody else os.kill)(process.pid, by)
    _, told = process.communicate(timeout=300)
    assert process.returncode == 130 and "resume with -o" in told, told
    assert "Traceback" not in told
    assert gone(mark), "processes were left"
    assert [each.agent for each in run_folder.episodes(run)] == ["expert"]
    go_on.touch()
    again = ran("run", *said, "-o", str(run), "--json")
    assert again.returncode == 0, again.stderr
    assert "broken off when the run ended; it is played again" in again.stderr
    rows = json.loads(again.stdout)["rows"]
    assert [(row["episodes"], row["infra"]) for row in rows] == [(1, 0), (1, 0)]


def test_a_second_signal_ends_it_at_once(tmp_path):
    begun, refused = tmp_path / "begun", tmp_path / "refused"
    name = own(tmp_path, STUBBORN.format(begun=str(begun), refused=str(refused)))
    said = ("--agent", name, "--family", "buy_item", "--seeds", "0:1")
    process = begin(tmp_path / "run", tmp_path.name, *said)
    until(begun, process)
    process.send_signal(signal.SIGINT)
    until(refused, process)
    assert process.poll() is None, "the method goes on"
    start = time.monotonic()
    process.send_signal(signal.SIGTERM)
    _, told = process.communicate(timeout=120)
    assert (process.returncode, time.monotonic() - start < 2) == (130, True)
    assert "stopped at once" in told and "Traceback" not in told
    assert gone(tmp_path.name), "processes were left"


@pytest.mark.deep
@pytest.mark.parametrize("series", range(20))
def test_signals_at_random_moments_lose_and_double_nothing(tmp_path, series):
    rng = Random(f"signals/{series}")
    said = ("--agent", "react@scripted-0.8,expert", "--family", "buy_item", "--seeds", "0:4")
    run = tmp_path / "a" / "run"
    for number in range(3):
        process = begin(run, f"{tmp_path.name}-{number}", *said, "-n", rng.choice("12"), "--json")
        try:
            process.communicate(timeout=rng.uniform(0.5, 6))
        except subprocess.TimeoutExpired:
            by = rng.choice([signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
            for _ in range(rng.choice([1, 2])):
                os.killpg(process.pid, by)
            _, told = process.communicate(timeout=300)
            assert process.returncode in (0, 130, -by), told
        assert gone(f"{tmp_path.name}-{number}")
    last = ran("run", *said, "--json", "-o", str(run))
    whole = ran("run", *said, "--json", "-o", str(tmp_path / "b" / "run"))
    assert untimed(json.loads(last.stdout)) == untimed(json.loads(whole.stdout))
    assert sorted(contents(run)) == sorted(contents(tmp_path / "b" / "run"))
