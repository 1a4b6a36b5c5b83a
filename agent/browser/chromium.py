"""Finds a Chromium, starts it without access to the network, and ends all of its processes."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from agent.browser import process, shortage
from agent.browser.context import Targets
from agent.browser.devtools import ProtocolError
from agent.browser.faults import BrowserFault, NoBrowser
from agent.browser.process import Process
from agent.browser.wall import Wall, wall

INSTALL = "run: rehearse doctor --fix"
CLOSE_SECONDS = 5.0
ANSWER_SECONDS = 30.0  # a browser that does not answer within this time counts as dead
_SHELL = ("chromium_headless_shell-*/chrome-*/*headless*shell*",)
_FULL = ("chromium-*/chrome-*/chrome", "chromium-*/chrome-*/*.app/Contents/MacOS/*")


def find_chromium(*, headed: bool = False) -> Path | None:
    """Return the browser to use, or None.

    The order is `REHEARSE_CHROMIUM`, Playwright's headless shell, `chromium-headless-shell`,
    `chromium`, `google-chrome`. With `headed` it is `REHEARSE_CHROMIUM`, Playwright's Chromium,
    `chromium`, `google-chrome`.

    Raises:
        NoBrowser: `REHEARSE_CHROMIUM` names no program.
    """
    chosen = os.environ.get("REHEARSE_CHROMIUM")
    if chosen:
        return _named(chosen)
    names = ["chromium-headless-shell", "chromium", "google-chrome"]
    found = filter(None, map(shutil.which, names[1:] if headed else names))
    return _downloaded(_FULL if headed else _SHELL) or next(map(Path, found), None)


def _named(chosen: str) -> Path:
    path = shutil.which(chosen)
    if path is None:
        raise NoBrowser(
            f"REHEARSE_CHROMIUM is {chosen!r}, which is not a program",
            "unset it or let it name a Chromium",
        )
    return Path(path)


def _downloaded(patterns: tuple[str, ...]) -> Path | None:
    """Return the newest executable browser in Playwright's download folder that one of the path
    patterns matches, or None.
    """
    home = os.environ.get("PLAYWRIGHT_BROWSERS_PATH")
    cache = "Library/Caches" if sys.platform == "darwin" else ".cache"
    try:
        folder = Path(home) if home and home != "0" else Path.home() / cache / "ms-playwright"
    except RuntimeError:  # the home folder is unknown: no HOME, and no such user
        return None
    files = [path for pattern in patterns for path in folder.glob(pattern)]
    programs = [path for path in files if path.is_file() and os.access(path, os.X_OK)]
    return max(programs, key=lambda path: (_revision(folder, path), path.name), default=None)


def _revision(folder: Path, program: Path) -> int:
    number = program.relative_to(folder).parts[0].rpartition("-")[2]
    return int(number) if number.isdigit() else 0


@dataclass
class Browser:
    """A running Chromium that can reach the given sites and no other address."""

    targets: Targets
    wall: Wall
    hosts: Mapping[str, int]
    pid: int
    headed: bool = False
    slow_ms: float = 0

    async def send(self, command: str, **parameters: Any) -> dict[str, Any]:
        """Send one command of the DevTools protocol to the browser itself.

        Raises `BrowserFault`.
        """
        try:
            return await self.targets.root.send(command, **parameters)
        except ProtocolError as problem:
            raise BrowserFault(f"the browser failed: {problem}") from problem

    async def answers(self) -> bool:
        """Return whether the browser is alive and responds."""
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                await self.send("Browser.getVersion")
        except (BrowserFault, TimeoutError):
            return False
        return True


@asynccontextmanager
async def launch(
    hosts: Mapping[str, int], *, headed: bool = False, slow_ms: float = 0
) -> AsyncIterator[Browser]:
    """Start a browser in which `http://<name>/` is the test site that listens on a loopback port.

    At the end no process remains: a process that does not end within five seconds is killed.

    Args:
        hosts: Ports, which must be listening already, by names such as `store.localhost`.
        headed: Whether to show a window.
        slow_ms: Pause after each action in milliseconds, for people who watch.

    Raises:
        NoBrowser: No browser was found, or it does not start.
    """
    shortage.check()
    program = find_chromium(headed=headed)
    if program is None:
        raise NoBrowser("no Chromium was found", INSTALL)
    async with wall() as ours:
        rules = f"--host-resolver-rules={ours.resolver_rules(hosts)}"
        try:
            started = await process.start(program, [rules], headed=headed)
        except OSError as error:
            raise NoBrowser(f"{program} does not start ({error.strerror})", INSTALL) from None
        try:
            browser = await _browser(program, started, ours, hosts)
            yield replace(browser, headed=headed, slow_ms=slow_ms)
        finally:
            await started.ended(CLOSE_SECONDS)


async def _browser(
    program: Path, started: Process, ours: Wall, hosts: Mapping[str, int]
) -> Browser:
    """Return the running browser of a started process, once it responds. Raises `NoBrowser`."""
    targets = Targets(started.connection)
    try:
        async with asyncio.timeout(ANSWER_SECONDS):
            await targets.follow()
            found = (await targets.root.send("SystemInfo.getProcessInfo"))["processInfo"]
    except (ProtocolError, TimeoutError) as problem:
        reason = started.last_words() or str(problem) or f"no answer in {ANSWER_SECONDS:g} s"
        raise NoBrowser(f"{program} does not start ({reason})", INSTALL) from None
    pid = next(each["id"] for each in found if each["type"] == "browser")
    return Browser(targets, ours, dict(hosts), pid)
