"""`openenv validate` without Docker: the server is a process with a network namespace of its own.

`python openenv_validation.py FOLDER [--network]` prints OpenEnv's report as JSON. OpenEnv's own
provider builds an image and needs a Docker daemon; everything else here is OpenEnv's validator as
it is installed. With `--network` the check of the network runs too: it needs the ports 8080 and
8081 and an address beyond loopback.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from threading import Thread
from typing import Any

from openenv.validation import Level, run_validation
from openenv.validation.providers import ExecResult, StartupError
from openenv.validation.providers._netns import PROBE_SCRIPT, SINK_SCRIPT
from openenv.validation.runner import source_digest
from openenv.validation.types import ProviderCapability

ALONE = ("unshare", "--map-root-user", "--net", "--mount")
HANG = 600
"""Seconds after which the server hangs. OpenEnv's provider gives 30, and its imports may take them
on a busy machine."""
LOOPBACK = """
import fcntl, os, socket, struct, subprocess, sys
subprocess.run(["mount", "-t", "sysfs", "none", "/sys"], check=False)
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as made:
    fcntl.ioctl(made, 0x8914, struct.pack("16sh14x", b"lo", 0x1 | 0x8 | 0x40))
os.execv(sys.executable, [sys.executable, *sys.argv[1:]])
"""
"""Shows only the interfaces of the namespace, brings loopback up, and becomes the program."""


class Subject:
    """The server in its namespace. It listens at a socket in the file system, and a relay on this
    side of the namespace passes connections on."""

    def __init__(self, root: Path, spec: Any, measures: bool) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="openenv-")
        self._socket = str(Path(self._folder.name, "server"))
        self._log = Path(self._folder.name, "log").open("w+")  # noqa: SIM115 (closed by `stop`)
        served = ("-m", "uvicorn", "server.app:app", "--uds", self._socket)
        self._server = subprocess.Popen(
            [*ALONE, sys.executable, "-c", LOOPBACK, *served],
            cwd=root,
            stdout=self._log,
            stderr=self._log,
        )
        self._mode = spec.network.mode
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        if measures:
            self.measure_network = self._measure_network
        self.base_url = ""
        self._wait()

    def _wait(self) -> None:
        deadline = time.monotonic() + HANG
        relay = asyncio.run_coroutine_threadsafe(self._relay(), self._loop).result()
        url = f"http://127.0.0.1:{relay}"
        while time.monotonic() < deadline and self._server.poll() is None:
            with contextlib.suppress(OSError), urllib.request.urlopen(f"{url}/health", timeout=5):
                self.base_url = url
                return
            time.sleep(0.1)  # as OpenEnv's own provider waits for a server
        logs = self.logs()
        self.stop()
        raise StartupError(logs or "the server did not answer")

    async def _relay(self) -> int:
        async def copy(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
            with contextlib.suppress(OSError):
                while read := await source.read(65536):
                    target.write(read)
                    await target.drain()
            target.close()

        async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            try:
                inside, outside = await asyncio.open_unix_connection(self._socket)
            except OSError:
                writer.close()
                return
            await asyncio.gather(copy(reader, outside), copy(inside, writer))

        made = await asyncio.start_server(connected, "127.0.0.1", 0)
        return int(made.sockets[0].getsockname()[1])

    def _measure_network(self) -> dict[str, Any]:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as made:
            made.connect(("192.0.2.1", 9))  # sends nothing; chooses the interface
            address = made.getsockname()[0]
        inside = ("nsenter", "--target", str(self._server.pid), "--user", "--net", "--mount")
        sink = subprocess.Popen([sys.executable, "-c", SINK_SCRIPT])
        try:
            control = _probed((sys.executable, "-c", PROBE_SCRIPT, address, "15"))
            subject = _probed((*inside, sys.executable, "-c", PROBE_SCRIPT, address))
        finally:
            sink.kill()
            sink.wait()
        probes = [
            {"kind": kind, "control": control["probes"][kind], "subject": subject["probes"][kind]}
            for kind in ("tcp", "udp", "icmp")
        ]
        return {
            "requested_mode": self._mode,
            "subject_network_mode": "none",
            "namespace": subject["namespace"],
            "probes": probes,
        }

    def inspect(self) -> dict[str, Any]:
        return {"running": self._server.poll() is None}

    def logs(self, max_bytes: int = 65536) -> str:
        self._log.seek(0)
        return self._log.read()[-max_bytes:]

    def exec(self, argv: list[str], timeout_s: float) -> ExecResult:
        raise NotImplementedError("no check of this version runs a command")

    def stop(self) -> None:
        self._server.terminate()
        self._server.wait()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._log.close()
        self._folder.cleanup()


def _probed(command: tuple[str, ...]) -> dict[str, Any]:
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


class Processes:
    """A provider of OpenEnv's validation whose subjects are processes."""

    name = "process"
    supported_network_modes = frozenset({"no-network"})

    def __init__(self, measures: bool) -> None:
        self._measures = measures
        network = {ProviderCapability.NETWORK_POLICY} if measures else set()
        self.capabilities = frozenset({ProviderCapability.IMAGE_BUILD, *network})
        self._root = Path()

    def build(self, root: Path, execution: Any) -> str:
        self._root = root
        return f"sha256:{source_digest(root)}"

    def start(self, spec: Any) -> Subject:
        return Subject(self._root, spec, self._measures)


if __name__ == "__main__":
    options = argparse.ArgumentParser()
    options.add_argument("folder", type=Path)
    options.add_argument("--network", action="store_true")
    given = options.parse_args()
    report = run_validation(
        given.folder, max_level=Level.SEMANTIC, provider=Processes(given.network)
    )
    print(report.model_dump_json())
