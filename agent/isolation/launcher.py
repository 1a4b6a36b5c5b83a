"""Starts the processes of agents, and communicates with them."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agent.isolation import protocol
from agent.isolation.protocol import AgentFailed, Json, Nonsense
from rehearsal_errors import RunFailed

ROOT = Path(__file__).parents[2]
CODE = (ROOT / "agent", *sorted(ROOT.glob("rehearsal_*.py")))
"""Our code that agents see: the package `agent`, and the modules that every package may import."""
OURS = ("evaluators", "scenarios", "sites", "tests", "tools")
"""Names of folders next to the package `agent` that agents must not see."""
SYSTEM = (
    *("/usr", "/lib", "/lib32", "/lib64", "/bin", "/etc/ld.so.cache", "/etc/localtime"),
    *("/dev/null", "/dev/urandom", "/dev/zero"),
)
BOOT = """import sys
sys.path += sys.argv.pop(1).split(":")
from agent.isolation.fork_server import main
main()
"""
START_SECONDS, END_SECONDS = 60.0, 10.0


class NotIsolated(RunFailed):
    """The process for an agent could not be started."""


@dataclass(frozen=True)
class Limits:
    """Limits on the messages that the child process of an episode sends.

    Attributes:
        message: Bytes of a message.
        messages: Messages of an episode, without requests to the model.
        total: Bytes of an episode, without requests to the model.
        checkpoints: Checkpoints that are kept.
        silence: Seconds without a message while the child waits for no answer.
    """

    message: int = 16 * 2**20
    messages: int = 50_000
    total: int = 64 * 2**20
    checkpoints: int = 1_000
    silence: float = 120.0


@dataclass(frozen=True)
class Sandboxed:
    """The resources of an agent's processes.

    Attributes:
        agent: The agent of the tree to prepare; None for a file.
        prompts: Folder of its prompts.
        files: Files that it may read, in addition to those of Python.
        hidden: Folders that it may not read.
        caged: Whether to use namespaces.
    """

    agent: Json | None = None
    prompts: str = ""
    files: Sequence[Path] = ()
    hidden: Sequence[Path] = ()
    caged: bool = sys.platform == "linux"


class Launcher:
    """The engine's side of a fork server, which starts agents' processes; `refused` is the reason
    why the system gave no namespaces, or "".
    """

    def __init__(self, sandboxed: Sandboxed) -> None:
        """Start the fork server. Raises `NotIsolated`."""
        self._folder = Path(tempfile.mkdtemp(prefix="rehearse-isolate-"))
        self._control, theirs = socket.socketpair()
        with theirs:
            self._process = _start(sandboxed, self._folder, theirs)
        self._control.settimeout(START_SECONDS)
        self._lock = threading.Lock()
        try:
            self.refused: str = json.loads(_line(self._control))
        except (OSError, ValueError):
            self.close()
            raise NotIsolated(
                "the process that runs agents does not start", "leave out --isolate"
            ) from None

    def spawn(self) -> tuple[socket.socket, socket.socket]:
        """Start a process for an agent.

        Returns:
            The socket for messages, and the socket whose closing ends the process.
        """
        link, its_link = socket.socketpair()
        life, its_life = socket.socketpair()
        with its_link, its_life, self._lock:
            try:
                socket.send_fds(self._control, [b"."], [its_link.fileno(), its_life.fileno()])
            except OSError as error:
                link.close()
                life.close()
                raise NotIsolated(f"the process that runs agents has ended ({error})") from None
        return link, life

    def close(self) -> None:
        """End the fork server and all processes that it has started."""
        self._control.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(END_SECONDS)
        self._process.kill()
        self._process.wait()
        shutil.rmtree(self._folder, ignore_errors=True)

    @asynccontextmanager
    async def child(self, limits: Limits) -> AsyncIterator[Child]:
        """Start a process for one episode; at the end of this context manager, it and its children
        are killed.
        """
        link, life = self.spawn()
        life.setblocking(False)
        loop = asyncio.get_running_loop()
        try:
            _check_started(await asyncio.wait_for(loop.sock_recv(life, 1_000), START_SECONDS))
            reader, writer = await asyncio.open_connection(sock=link, limit=limits.message)
            try:
                yield Child(reader, writer, limits)
            finally:
                writer.transport.abort()
        finally:
            link.close()
            with suppress(OSError, TimeoutError):
                life.shutdown(socket.SHUT_WR)
                await asyncio.wait_for(
                    loop.sock_recv(life, 1), END_SECONDS
                )  # until all processes have ended
            life.close()

    @contextmanager
    def talk(self, seconds: float) -> Iterator[socket.socket]:
        """Start a process and yield the socket for exchanging a few lines with it. Raises
        `NotIsolated`.
        """
        link, life = self.spawn()
        with link, life:
            life.settimeout(START_SECONDS)
            _check_started(life.recv(1_000))
            link.settimeout(seconds)
            try:
                yield link
            finally:
                life.shutdown(socket.SHUT_WR)
                life.recv(1)


@dataclass
class Child:
    """The engine's side of the pipe to a child."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    limits: Limits
    messages: int = 0
    received: int = 0

    async def receive(self) -> list[Any]:
        """Return the next message. Raises `AgentFailed`."""
        try:
            async with asyncio.timeout(self.limits.silence):
                line = await self.reader.readline()
        except TimeoutError:
            raise AgentFailed(
                f"the agent's process said nothing for {self.limits.silence:g} s"
            ) from None
        except ValueError:
            raise AgentFailed(
                f"the agent's process sent more than {self.limits.message:,} bytes at once"
            ) from None
        except OSError:
            line = b""
        if not line.endswith(b"\n"):
            raise AgentFailed("the agent's process ended without an answer")
        return self._message(line)

    def _message(self, line: bytes) -> list[Any]:
        try:
            message = protocol.read(line)
            if type(message) is not list or not message or type(message[0]) is not str:
                raise Nonsense("no request")
        except Nonsense as error:
            raise meaningless(error) from None
        if message[0] != "ask":  # requests to the model have a budget
            self.messages += 1
            self.received += len(line)
        if self.messages > self.limits.messages or self.received > self.limits.total:
            raise AgentFailed("the agent's process floods: it sent more than an episode may hold")
        return message

    async def send(self, *message: Any) -> None:
        """Send a message. Raises `AgentFailed` if the child does not read it."""
        self.writer.write(protocol.write(message))
        try:
            async with asyncio.timeout(self.limits.silence):
                await self.writer.drain()
        except TimeoutError:
            raise AgentFailed("the agent's process does not read its answers") from None
        except OSError:
            raise AgentFailed("the agent's process ended without an answer") from None


def meaningless(error: Nonsense) -> AgentFailed:
    """Return the error for an agent whose process sent a message without a valid meaning."""
    return AgentFailed(f"the agent's process sent nonsense: {error}")


def line_from(link: socket.socket, most: int) -> bytes:
    """Return a line from the socket, at most `most` bytes long. Raises OSError."""
    return _line(link, most)


def _line(link: socket.socket, most: int = 2**20) -> bytes:
    data = b""
    while not data.endswith(b"\n"):
        piece = link.recv(2**16)
        data += piece
        if not piece or len(data) > most:
            raise OSError("the process ended, or sent too much")
    return data


def _check_started(status: bytes) -> None:
    if status != b".":
        why = status.decode(errors="replace") or "the process that runs agents has ended"
        raise NotIsolated(f"no process for an agent could be started ({why})", "resume with -o")


def warning() -> str:
    """Return a warning about the access that `--isolate` cannot prevent on this system, or ""."""
    launcher = Launcher(Sandboxed())
    launcher.close()
    if not launcher.refused:
        return ""
    return (
        f"--isolate: this system gives no namespaces ({launcher.refused}): an agent has a process"
        " of its own without your environment, but it can read your files and use the network"
    )


# The fork server ---------------------------------------------------------------------------------


def _start(sandboxed: Sandboxed, folder: Path, control: socket.socket) -> subprocess.Popen[bytes]:
    """Start the fork server's process with an empty environment, and return it.

    Of our code its path contains only `CODE`.
    """
    path, root = folder / "path", folder / "root"
    path.mkdir()
    root.mkdir()
    for each in CODE:
        (path / each.name).symlink_to(each)
    setup = {
        "visible": sorted({str(each) for each in (*_python(), path, *_existing(sandboxed.files))}),
        "hidden": [*(str(ROOT / name) for name in OURS), *map(str, _absolute(sandboxed.hidden))],
        "root": str(root),
        "agent": sandboxed.agent,
        "prompts": sandboxed.prompts,
        "caged": sandboxed.caged,
    }
    packages = [each for each in sys.path if Path(each).name in ("site-packages", "dist-packages")]
    words = (":".join([str(path), *packages]), str(control.fileno()), json.dumps(setup))
    return subprocess.Popen(  # noqa: S603 (our own interpreter)
        [sys.executable, *("-I", "-S", "-B", "-X", "utf8", "-c", BOOT), *words],
        env={},
        cwd="/",
        pass_fds=[control.fileno()],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def _python() -> list[Path]:
    """Return the paths that a Python process must see: Python itself, its packages and `CODE`."""
    named = [Path(each) for each in (sys.prefix, sys.base_prefix, sys.exec_prefix, *SYSTEM)]
    packages = [
        Path(each) for each in sys.path if Path(each).name in ("site-packages", "dist-packages")
    ]
    return _existing([*named, *packages, *CODE])


def _absolute(paths: Sequence[Path]) -> list[Path]:
    """Return the absolute paths, both as they are named and with links resolved."""
    return [place for each in paths for place in (Path(os.path.abspath(each)), each.resolve())]


def _existing(paths: Sequence[Path]) -> list[Path]:
    return [each for each in _absolute(paths) if os.path.lexists(each)]
