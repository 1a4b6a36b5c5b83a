"""The operating system's process of a BrowserGym environment: it reads requests and writes replies
as lines of JSON.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections import deque
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agent.browser.faults import EnvironmentFault

PROGRAM = Path(__file__).with_name("program.py")
LONGEST = 1 << 27
"""The largest number of bytes of a reply, which may contain a page or its picture."""
KEPT = 20
"""Number of lines that are kept of the process's standard error."""
CLOSE_SECONDS = 10.0


@dataclass(frozen=True)
class GymPython:
    """The Python interpreter in which BrowserGym is installed.

    Attributes:
        path: The interpreter's program.
        seconds: Seconds that an environment may take to reply.
        variables: Environment variables for its process, unless they are set already.
    """

    path: str = sys.executable
    seconds: float = 180.0
    variables: tuple[tuple[str, str], ...] = ()


THIS_PYTHON = GymPython()
"""The Python interpreter that runs this program, if BrowserGym is installed in it."""


class EnvironmentProcess:
    """The process of an environment. Start it with `start`, and make one request at a time.

    A process that dies, hangs or prints anything other than replies is killed together with its
    children, and the request raises `EnvironmentFault`.
    """

    def __init__(self, python: GymPython) -> None:
        self._python = python
        self._process: asyncio.subprocess.Process | None = None
        self._lines: deque[str] = deque(maxlen=KEPT)
        self._listening: asyncio.Task[None] | None = None

    @property
    def is_running(self) -> bool:
        """Whether the process is running."""
        return self._process is not None and self._process.returncode is None

    async def start(self) -> None:
        """Start the process. Raises `EnvironmentFault`."""
        pipe = asyncio.subprocess.PIPE
        self._lines.clear()
        try:
            self._process = await asyncio.create_subprocess_exec(
                self._python.path,
                str(PROGRAM),
                stdin=pipe,
                stdout=pipe,
                stderr=pipe,
                limit=LONGEST,
                env={**dict(self._python.variables), **os.environ},
                start_new_session=True,  # an interrupt reaches only us, and we end the process
            )
        except OSError as error:
            raise EnvironmentFault(f"its process cannot be run: {error.strerror}") from None
        self._listening = asyncio.create_task(self._listen(self._process))

    async def ask(self, do: str, **given: Any) -> dict[str, Any]:
        """Send a request to the environment's process and return its reply. Raises
        `EnvironmentFault`.
        """
        assert self._process is not None, "it was started"
        try:
            async with asyncio.timeout(self._python.seconds):
                line = await self._exchange(self._process, {"do": do, **given})
        except TimeoutError:
            await self.kill()
            seconds = f"{self._python.seconds:g} s"
            raise EnvironmentFault(
                f"the environment did not reply to {do} in {seconds} (--env-seconds)"
            ) from None
        except asyncio.CancelledError:
            await self.kill()
            raise
        except (OSError, ValueError) as error:  # a closed pipe, or a line that is too long
            await self.kill()
            raise EnvironmentFault(f"the environment's process broke off: {error}") from None
        if not line:
            raise EnvironmentFault(await self._last_words(do))
        return await self._read(do, line)

    async def close(self) -> None:
        """End the process, which closes its environment first."""
        process = self._process
        if process is None:
            return
        assert process.stdin is not None
        process.stdin.close()
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_SECONDS):
                await process.wait()
        await self.kill()

    async def kill(self) -> None:
        """Kill the process together with its children."""
        process, self._process = self._process, None
        if process is None:
            return
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        await process.wait()
        if self._listening is not None:
            self._listening.cancel()
            await asyncio.wait({self._listening})

    async def _exchange(self, process: asyncio.subprocess.Process, request: Any) -> bytes:
        assert process.stdin is not None
        assert process.stdout is not None
        with suppress(ConnectionError):  # then the missing reply is reported
            process.stdin.write(json.dumps(request).encode() + b"\n")
            await process.stdin.drain()
        return await process.stdout.readline()

    async def _read(self, do: str, line: bytes) -> dict[str, Any]:
        try:
            reply = json.loads(line)
        except ValueError:
            reply = None
        if not isinstance(reply, dict):
            await self.kill()
            text = line.decode("utf-8", "replace").strip()[:80]
            raise EnvironmentFault(f"the environment replied to {do} by {text!r}, not by JSON")
        if "fault" in reply:
            raise EnvironmentFault(str(reply["fault"])[:500])
        return reply

    async def _last_words(self, do: str) -> str:
        """Return the reason why a request got no reply, with the last error lines of the process,
        which has ended.
        """
        process, listening = self._process, self._listening
        assert process is not None
        assert listening is not None
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_SECONDS):
                await process.wait()
                await asyncio.wait({listening})
        code = process.returncode
        await self.kill()
        words = f": {self._lines[-1][:300]}" if self._lines else ""
        return f"the environment's process ended at {do} (exit {code}){words}"

    async def _listen(self, process: asyncio.subprocess.Process) -> None:
        """Keep the last lines of the process's standard error, so that it never waits for a
        reader.
        """
        assert process.stderr is not None
        with suppress(ValueError):
            async for line in process.stderr:
                if text := line.decode("utf-8", "replace").strip():
                    self._lines.append(text)
