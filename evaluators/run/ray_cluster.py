"""The Ray cluster of a run: an existing one, or a new one on this machine."""

from __future__ import annotations

import io
import multiprocessing
import os
import re
import shutil
import signal
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stdout, suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, TextIO

from rehearsal_errors import RehearsalError

ADDRESS = "RAY_ADDRESS"
HOME = "REHEARSE_RAY_HOME"
"""The environment variable that holds the folder of the cluster that a process belongs to."""
LOCAL = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",  # named after these systems; it means: loopback only
}
"""Environment variables, with their values, for a Ray cluster on this machine."""
STORE_BYTES = 80 * 2**20
"""The shared memory of a local cluster, in bytes; specs and records are small."""
REACH_SECONDS, CLEAR_SECONDS = 5.0, 10.0


class NoCluster(RehearsalError, ValueError):
    """The cluster that `RAY_ADDRESS` names cannot be reached."""


@contextmanager
def cluster(processes: int) -> Iterator[None]:
    """Connect to the cluster of `RAY_ADDRESS`, or start one on this machine and end it afterwards.

    Raises:
        NoCluster: The cluster cannot be reached or started.
    """
    address = os.environ.get(ADDRESS, "")
    if address not in {"", "local"}:
        _reach(address)
        with _connection(address=address):
            yield
        return
    with (
        _temporary_folder() as folder,
        _environment({**LOCAL, HOME: folder}),
        _connection(
            address="local",
            num_cpus=processes,
            object_store_memory=STORE_BYTES,
            include_dashboard=False,
            _node_ip_address="127.0.0.1",
            _temp_dir=folder,
        ),
    ):
        yield


def _reach(address: str) -> None:
    """Raise `NoCluster` at once if the address does not answer; Ray would try for minutes."""
    place = re.fullmatch(r"(?:ray://)?(.+):(\d+)", address)
    try:
        if place is not None:
            socket.create_connection((place[1], int(place[2])), REACH_SECONDS).close()
    except (OSError, OverflowError) as error:
        raise NoCluster(f"{ADDRESS}={address}: nobody answers ({error})") from None


@contextmanager
def _connection(address: str, **settings: Any) -> Iterator[None]:
    """Connect to the Ray cluster for the block. Raise `NoCluster` if that fails."""
    import ray

    with redirect_stdout(_OwnThreadOutput(sys.stdout)):
        try:
            ray.init(address=address, log_to_driver=False, logging_level="ERROR", **settings)
        except (ConnectionError, ValueError, RuntimeError) as error:
            reason = str(error).strip().partition("\n")[0]
            raise NoCluster(
                f"Ray does not begin at {address} ({reason}); if the cluster asks for a token,"
                " set RAY_AUTH_MODE=token"
            ) from None
        try:
            yield
        finally:
            with redirect_stdout(io.StringIO()):  # it now prints what it held back
                ray.shutdown()


class _OwnThreadOutput(io.TextIOBase):
    """Standard output that prints only the text of the thread that made it.

    Ray reports dead workers from a thread of its own, and standard output is for the result.
    """

    def __init__(self, out: TextIO) -> None:
        self._out, self._thread = out, threading.current_thread()

    def write(self, text: str) -> int:
        if threading.current_thread() is self._thread:
            self._out.write(text)
        return len(text)

    def flush(self) -> None:
        self._out.flush()


@contextmanager
def _environment(settings: Mapping[str, str]) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in settings}
    os.environ.update(settings)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


@contextmanager
def _temporary_folder() -> Iterator[str]:
    """Yield a folder for a cluster. A watching process later ends the cluster and removes the
    folder.

    The watching process outlives this one, because Ray's own agents wait a minute after their
    cluster was killed.
    """
    folder = tempfile.mkdtemp(prefix="rehearse-")
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    watch = context.Process(target=_clear_after, args=(theirs, folder), daemon=True)
    watch.start()
    theirs.close()
    try:
        yield folder
    finally:
        ours.close()
        watch.join(CLEAR_SECONDS)


def _clear_after(pipe: Connection, folder: str) -> None:
    """Wait until the pipe closes, then end the cluster and remove its folder."""
    for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(each, signal.SIG_IGN)
    with suppress(EOFError, OSError):
        pipe.recv()
    end = time.monotonic() + CLEAR_SECONDS
    while (left := _members(folder)) and time.monotonic() < end:
        for number in left:
            with suppress(ProcessLookupError):
                os.kill(number, signal.SIGKILL)
        time.sleep(0.02)
    shutil.rmtree(folder, ignore_errors=True)


def _members(folder: str) -> list[int]:
    """Return the ids of the processes of the cluster in this folder."""
    processes = (int(path.name) for path in Path("/proc").glob("[0-9]*"))
    return [number for number in processes if number != os.getpid() and _belongs(number, folder)]


def _belongs(number: int, folder: str) -> bool:
    """Return whether a process belongs to the cluster in this folder.

    Its environment tells, or its open log files, since Ray's agents overwrite their environment.
    """
    process = Path(f"/proc/{number}")
    with suppress(OSError):  # another user's, or gone
        if f"{HOME}={folder}".encode() in (process / "environ").read_bytes().split(b"\0"):
            return True
        if (process / "cmdline").read_bytes().startswith(b"ray::"):
            return any(_target(file).startswith(f"{folder}/") for file in process.glob("fd/*"))
    return False


def _target(link: Path) -> str:
    with suppress(OSError):  # closed in between
        return os.readlink(link)
    return ""
