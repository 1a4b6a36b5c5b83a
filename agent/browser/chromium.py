"""Find a Chromium, start it behind the wall, and end it without leaving a process."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agent.browser.faults import BrowserFault, NoBrowser
from agent.browser.wall import Wall, wall

if TYPE_CHECKING:
    from playwright.async_api import Browser as Chromium
    from playwright.async_api import CDPSession, Playwright

INSTALL = "run: rehearse doctor --fix"
CLOSE_SECONDS = 5.0
ANSWER_SECONDS = 30.0  # a browser that does not answer for so long counts as dead
_OFF = (
    "DeferRendererTasksAfterInput",  # it holds a page's timers back for a frame after each input
    "RenderDocument",  # it builds every page a window of its own, which nothing here needs
    # Of two such flags Chromium heeds the last, so what Playwright turns off is repeated here.
    "AimEnabled",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "LensOverlay",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "ThirdPartyStoragePartitioning",
)
FLAGS = (
    f"--disable-features={','.join(_OFF)}",
    "--disable-quic",
    "--dns-prefetch-disable",
    "--no-pings",
    "--disable-domain-reliability",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-blink-features=WebTransport",
    "--font-render-hinting=none",
    "--force-color-profile=srgb",
)
_SHELL = ("chromium_headless_shell-*/chrome-*/*headless*shell*",)
_FULL = ("chromium-*/chrome-*/chrome", "chromium-*/chrome-*/*.app/Contents/MacOS/*")


def find_chromium(*, headed: bool = False) -> Path | None:
    """The browser to use, or None.

    In order: `REHEARSE_CHROMIUM`, Playwright's own headless shell, `chromium-headless-shell`,
    `chromium`, `google-chrome`; with `headed`, Playwright's Chromium, `chromium`,
    `google-chrome`. Raises NoBrowser where `REHEARSE_CHROMIUM` names no program.
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
    """The newest browser in Playwright's download folder that is a program."""
    home = os.environ.get("PLAYWRIGHT_BROWSERS_PATH")
    cache = "Library/Caches" if sys.platform == "darwin" else ".cache"
    folder = Path(home) if home and home != "0" else Path.home() / cache / "ms-playwright"
    files = [path for pattern in patterns for path in folder.glob(pattern)]
    programs = [path for path in files if path.is_file() and os.access(path, os.X_OK)]
    return max(programs, key=lambda path: (_revision(folder, path), path.name), default=None)


def _revision(folder: Path, program: Path) -> int:
    number = program.relative_to(folder).parts[0].rpartition("-")[2]
    return int(number) if number.isdigit() else 0


@dataclass
class Browser:
    """A running Chromium that can reach the given sites and nothing else."""

    chromium: Chromium
    wall: Wall
    hosts: Mapping[str, int]
    pid: int
    session: CDPSession
    slow_ms: float = 0

    @property
    def version(self) -> str:
        return self.chromium.version

    async def send(self, command: str, **parameters: Any) -> dict[str, Any]:
        """One command of the DevTools protocol to the browser itself. Raises BrowserFault."""
        from playwright.async_api import Error

        try:
            return await self.session.send(command, parameters)
        except Error as problem:
            raise BrowserFault(f"the browser failed: {problem.message}") from problem

    async def answers(self) -> bool:
        """Whether the browser and its driver are alive."""
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                await self.send("Browser.getVersion")
        except (BrowserFault, TimeoutError):
            return False
        return True

    async def close(self) -> None:
        """End the browser; one that does not end within five seconds is killed."""
        try:
            async with asyncio.timeout(CLOSE_SECONDS):
                await self.chromium.close()
        except Exception:  # a browser that fails to close is killed like one that hangs
            self.kill()

    def kill(self) -> None:
        """End the browser process at once; its children end with it."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)


@asynccontextmanager
async def launch(
    hosts: Mapping[str, int], *, headed: bool = False, slow_ms: float = 0
) -> AsyncIterator[Browser]:
    """A browser in which `http://<name>/` is the site on that loopback port.

    `hosts` maps names such as `store.localhost` to ports that listen already. `slow_ms` is a
    pause after each action, for people who watch. Raises NoBrowser.
    """
    async with _driver() as playwright, wall() as ours:
        browser = await _start(playwright, ours, hosts, headed)
        browser.slow_ms = slow_ms
        try:
            yield browser
        finally:
            await browser.close()


@asynccontextmanager
async def _driver() -> AsyncIterator[Playwright]:
    """Playwright's driver. If it does not stop (a signal may have hit it too), the end of this
    process closes its pipe."""
    from playwright.async_api import async_playwright

    playwright = await async_playwright().start()
    try:
        yield playwright
    finally:
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_SECONDS):
                await playwright.stop()


async def _start(
    playwright: Playwright, ours: Wall, hosts: Mapping[str, int], headed: bool
) -> Browser:
    from playwright.async_api import Error

    program = find_chromium(headed=headed)
    if program is None:
        raise NoBrowser("no Chromium was found", INSTALL)
    try:
        chromium = await playwright.chromium.launch(
            executable_path=program,
            headless=not headed,
            chromium_sandbox=os.geteuid() != 0,
            args=[*FLAGS, f"--host-resolver-rules={ours.resolver_rules(hosts)}"],
        )
    except Error as problem:
        reason = str(problem).strip().splitlines()[0]
        raise NoBrowser(f"{program} does not start ({reason})", INSTALL) from None
    session = await chromium.new_browser_cdp_session()
    processes = (await session.send("SystemInfo.getProcessInfo"))["processInfo"]
    pid = next(process["id"] for process in processes if process["type"] == "browser")
    return Browser(chromium, ours, dict(hosts), pid, session)
