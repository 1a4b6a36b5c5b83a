"""A run that gets signals: the first signal ends it in order, the second one at once."""

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
from tests.evaluators.run.test_scheduler import MARK, ROOT, contents, gone, here, own, ran, untimed
from tests.measuring import HANG

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
def hangups_not_ignored() -> Iterator[None]:
    """Also where these tests were started by `nohup`, whose children ignore them."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)


def begin(run: Path, mark: str, *arguments: str) -> subprocess.Popen[str]:
    """A run in a process group of its own, as a terminal has it."""
    return subprocess.Popen(
        [sys.executable, "-m", "rehearse", "run", *arguments, "-o", str(run)],
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


@pytest.mark.wide
@pytest.mark.parametrize(
    ("by", "processes", "everybody"),
    [
        (signal.SIGTERM, "1", False),
        pytest.param(signal.SIGHUP, "1", False, marks=pytest.mark.deep),
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
    arguments = ("--agent", f"expert,{own(tmp_path, body)}",
            "--family", "buy_item", "--seeds", "0:1",
            "--concurrency", "1", "-n", processes)  # fmt: skip
    run, mark = tmp_path / "run", f"{tmp_path.name}-{by.name}"
    process = begin(run, mark, *arguments)
    until(begun, process)
    done = run / "episodes/expert/buy_item-0/0/episode.json"
    until(done, process)
    (os.killpg if everybody else os.kill)(process.pid, by)
    _, errors = process.communicate(timeout=HANG)
    assert process.returncode == 130 and "resume with -o" in errors, errors
    assert "Traceback" not in errors
    assert gone(mark), "processes were left"
    assert [each.agent for each in run_folder.episodes(run)] == ["expert"]
    go_on.touch()
    resumed = here("run", *arguments, "-o", str(run), "--json")
    assert resumed.exit_code == 0, resumed.stderr
    assert "interrupted when the run ended; it is run again" in resumed.stderr
    rows = json.loads(resumed.stdout)["rows"]
    assert [(row["episodes"], row["infra"]) for row in rows] == [(1, 0), (1, 0)]


@pytest.mark.wide
def test_a_second_signal_ends_it_at_once(tmp_path):
    begun, refused = tmp_path / "begun", tmp_path / "refused"
    name = own(tmp_path, STUBBORN.format(begun=str(begun), refused=str(refused)))
    arguments = ("--agent", name, "--family", "buy_item", "--seeds", "0:1")
    process = begin(tmp_path / "run", tmp_path.name, *arguments)
    until(begun, process)
    process.send_signal(signal.SIGHUP)
    until(refused, process)
    assert process.poll() is None, "the method goes on"
    process.send_signal(signal.SIGTERM)
    _, errors = process.communicate(timeout=HANG)
    assert process.returncode == 130
    assert "stopped at once" in errors and "Traceback" not in errors
    assert gone(tmp_path.name), "processes were left"


@pytest.mark.deep
@pytest.mark.parametrize("series", range(20))
def test_signals_at_random_moments_lose_and_double_nothing(tmp_path, series):
    rng = Random(f"signals/{series}")
    arguments = ("--agent", "react@scripted-0.8,expert", "--family", "buy_item", "--seeds", "0:4")
    run = tmp_path / "a" / "run"
    for number in range(3):
        process = begin(
            run, f"{tmp_path.name}-{number}", *arguments, "-n", rng.choice("12"), "--json"
        )
        try:
            process.communicate(timeout=rng.uniform(0.5, 6))
        except subprocess.TimeoutExpired:
            by = rng.choice([signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
            for _ in range(rng.choice([1, 2])):
                os.killpg(process.pid, by)
            _, errors = process.communicate(timeout=HANG)
            assert process.returncode in (0, 130, -by), errors
        assert gone(f"{tmp_path.name}-{number}")
    last = ran("run", *arguments, "--json", "-o", str(run))
    whole = ran("run", *arguments, "--json", "-o", str(tmp_path / "b" / "run"))
    assert untimed(json.loads(last.stdout)) == untimed(json.loads(whole.stdout))
    assert sorted(contents(run)) == sorted(contents(tmp_path / "b" / "run"))
