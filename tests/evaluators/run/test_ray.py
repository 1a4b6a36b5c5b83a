"""A run on a Ray cluster: the same result, dead actors replaced, nothing left behind."""

from __future__ import annotations

import importlib.util
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from evaluators.episode.spec import RunContext
from evaluators.run import ray_cluster, ray_executor
from evaluators.run.config import ExecutorConfig
from evaluators.run.ray_executor import NotShared
from evaluators.run.worker import WorkerSetup
from tests.evaluators.run.test_scheduler import (
    MARK,
    ROOT,
    contents,
    dying_once,
    gone,
    here,
    marked,
    own,
    ran,
    started,
    untimed,
)
from tests.measuring import HANG

INSTALLED = importlib.util.find_spec("ray") is not None
needs_ray = pytest.mark.skipif(not INSTALLED, reason="Ray is not installed (tox -e ray)")
ON_RAY = ("--engine", "ray", "--json")
LINGER = 2.0
"""Seconds that the processes of a run may outlive it."""
LOOPBACK = {"0100007F", "0000000000000000FFFF00000100007F", "0" * 24 + "01000000"}
"""127.0.0.1, the same within IPv6, and ::1, as Linux lists them."""


def arguments(agents: str, seeds: str) -> tuple[str, ...]:
    return ("run", "--agent", agents, "--family", "buy_item", "--seeds", seeds)


def waiting(begun: Path) -> str:
    return f"open({str(begun)!r}, 'w').close()\nawait asyncio.Event().wait()"


def listening(mark: str) -> set[str]:
    """Where the processes with a mark listen, as Linux writes addresses."""
    sockets, found = set(), set()
    for number in marked(mark):
        for file in Path(f"/proc/{number}/fd").iterdir():
            try:
                sockets.add(os.readlink(file).removeprefix("socket:[").removesuffix("]"))
            except OSError:  # closed in between
                continue
    for table in ("tcp", "tcp6"):
        for line in Path(f"/proc/net/{table}").read_text().splitlines()[1:]:
            _, local, _, state, *_, inode = line.split()[:10]
            if state == "0A" and inode in sockets:
                found.add(local.partition(":")[0])
    return found


# Without Ray -------------------------------------------------------------------------------------


@pytest.mark.skipif(INSTALLED, reason="Ray is installed")
def test_without_ray_one_line_names_the_extra(tmp_path):
    done = here(*arguments("expert", "0:1"), *ON_RAY, "-o", str(tmp_path / "run"))
    assert done.exit_code == 2 and done.stdout == ""
    assert "pip install 'rehearsal-web[ray]'" in done.stderr
    assert len(done.stderr.splitlines()) == 1 and not (tmp_path / "run").exists()


def test_a_machine_that_does_not_see_the_run_says_so(tmp_path):
    worker = WorkerSetup(["store"], RunContext(tmp_path / "run"), ExecutorConfig())
    for folder in (tmp_path, tmp_path / "elsewhere"):
        setup = ray_executor.replace(ray_executor._actor_setup(worker, "mark"), folder=folder)
        with pytest.raises(NotShared, match="share, under the same path"):
            ray_executor._enter_run_folder(setup)


# With Ray ----------------------------------------------------------------------------------------


@needs_ray
def test_the_same_run_as_by_processes_though_an_actor_is_killed(tmp_path):
    """The first episode of an agent of our own ends its process."""
    what = arguments(f"react@scripted-0.8,{dying_once(tmp_path)}", "0:2")
    mark = {MARK: tmp_path.name}
    first, second = (tmp_path / name / "run" for name in "ab")
    on_ray = ran(*what, *ON_RAY, "-n", "2", "-o", str(first), **mark)
    assert (on_ray.returncode, on_ray.stderr) == (0, "")
    assert (tmp_path / "died").exists() and gone(tmp_path.name, LINGER)
    ordinary = ran(*what, "--json", "-o", str(second))
    assert untimed(json.loads(on_ray.stdout)) == untimed(json.loads(ordinary.stdout))
    assert contents(first) == contents(second)


@needs_ray
def test_an_actor_that_dies_thrice_is_one_line(tmp_path):
    name = own(tmp_path, "os.kill(os.getpid(), signal.SIGKILL)")
    run = str(tmp_path / "run")
    done = ran(*arguments(name, "0:1"), *ON_RAY, "-o", run, **{MARK: tmp_path.name})
    assert done.returncode == 1 and done.stdout == ""
    assert "has ended 3 times" in done.stderr and len(done.stderr.splitlines()) == 1
    assert gone(tmp_path.name, LINGER)


@needs_ray
@pytest.mark.parametrize(
    "by", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM, signal.SIGHUP], ids=lambda by: by.name
)
def test_a_run_that_is_ended_leaves_no_process(tmp_path, by):
    """While it runs it listens on loopback only."""
    begun, mark = tmp_path / "begun", tmp_path.name
    name = own(tmp_path, waiting(begun))
    process = started(*arguments(name, "0:1"), *ON_RAY, "-o", str(tmp_path / "run"), **{MARK: mark})
    while not begun.exists() and process.poll() is None:
        time.sleep(0.02)
    assert process.poll() is None, process.communicate()
    found = listening(mark)
    process.send_signal(by)
    process.wait(HANG)
    assert gone(mark, LINGER)
    errors = process.communicate()[1]
    assert found and found <= LOOPBACK
    if by == signal.SIGINT:
        assert process.returncode == 130 and "resume with -o" in errors


@contextmanager
def cluster(folder: Path, mark: str) -> Iterator[dict[str, str]]:
    """A cluster that somebody else has begun; the environment that finds it."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    settings = {**ray_cluster.LOCAL, "RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": "0" * 32}
    process = subprocess.Popen(
        [
            *(sys.executable, "-m", "ray.scripts.scripts", "start", "--head", "--block"),
            *(f"--port={port}", "--node-ip-address=127.0.0.1", "--num-cpus=1"),
            *("--include-dashboard=false", f"--temp-dir={folder}"),
            f"--object-store-memory={ray_cluster.STORE_BYTES}",
        ],
        env={**os.environ, **settings, MARK: mark},
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout is not None
    try:
        while "runtime started" not in (line := process.stdout.readline()):
            assert line, "the cluster did not begin"
        yield {**settings, ray_cluster.ADDRESS: f"127.0.0.1:{port}"}
    finally:
        process.terminate()
        process.communicate(timeout=HANG)


@needs_ray
def test_a_cluster_that_was_there_before_is_used_and_left_as_it_was(tmp_path_factory):
    """Its machines get the working folder, and an actor that finds no room waits."""
    home = tmp_path_factory.mktemp("c")
    mark = f"{home.name}-cluster"
    with cluster(home, mark) as settings:
        before = set(marked(mark))
        run = (*arguments("react@scripted-0.8", "0:3"), *ON_RAY, "-n", "2", "-o")
        process = subprocess.run(
            [sys.executable, "-m", "rehearse", *run, "run"],
            cwd=home,
            env={**os.environ, "PYTHONPATH": str(ROOT), **settings},
            capture_output=True,
            text=True,
            check=False,
            timeout=HANG,
        )
        assert (process.returncode, process.stderr) == (0, "")
        assert json.loads(process.stdout)["rows"][0]["episodes"] == 3
        assert before <= set(marked(mark)), "the cluster still stands"
    assert gone(mark, LINGER)


@needs_ray
def test_a_cluster_that_is_not_there_is_one_line(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound, and nobody listens
        place = f"127.0.0.1:{taken.getsockname()[1]}"
        done = ran(
            *arguments("expert", "0:1"), *ON_RAY, "-o", str(tmp_path / "r"), RAY_ADDRESS=place
        )
    assert done.returncode == 2 and f"RAY_ADDRESS={place}: nobody answers" in done.stderr
    assert len(done.stderr.splitlines()) == 1
