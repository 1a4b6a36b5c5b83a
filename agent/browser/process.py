"""The process of a Chromium that is controlled over a pipe, and the folder of its profile."""

from __future__ import annotations

import asyncio
import fcntl
import os
import shutil
import signal
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from agent.browser.devtools import Connection

_OFF = (
    "DeferRendererTasksAfterInput",  # it delays a page's timers by a frame after each input
    "RenderDocument",  # it builds a separate window for every page, which is not needed
    "IsolateSandboxedIframes",  # a frame in a process of its own may run before it is set up
    # Features that use the network, ask a person, or differ between machines:
    *("AimEnabled", "HttpsFirstBalancedModeAutoEnable", "HttpsUpgrades", "LensOverlay"),
    *("MediaRouter", "NetworkTimeServiceQuerying", "OptimizationHints", "PreconnectToSearch"),
    *("AvoidCorsURLLoaderRestartOnRedirect", "AvoidUnnecessaryBeforeUnloadCheckSync"),
    *("DestroyProfileOnBrowserClose", "PaintHolding", "ThirdPartyStoragePartitioning"),
)
_FLAGS = (
    f"--disable-features={','.join(_OFF)}",
    "--enable-features=CDPScreenshotNewSurface",
    # No activity of the browser itself: updates, experiments, reports, services, welcome pages.
    *("--disable-background-networking", "--disable-breakpad", "--disable-component-update"),
    *("--disable-component-extensions-with-background-pages", "--disable-default-apps"),
    *("--disable-domain-reliability", "--disable-extensions", "--disable-field-trial-config"),
    *("--disable-infobars", "--disable-search-engine-choice-screen", "--disable-sync"),
    *("--metrics-recording-only", "--no-default-browser-check", "--no-first-run"),
    *("--no-service-autorun", "--password-store=basic", "--use-mock-keychain"),
    # Pages run at full speed, visible or not, and are neither throttled nor cached.
    *("--allow-pre-commit-input", "--disable-back-forward-cache", "--disable-hang-monitor"),
    *("--disable-background-timer-throttling", "--disable-backgrounding-occluded-windows"),
    *("--disable-ipc-flooding-protection", "--disable-popup-blocking"),
    *("--disable-prompt-on-repost", "--disable-renderer-backgrounding", "--disable-dev-shm-usage"),
    # No network access other than through the wall (`agent.browser.wall`).
    *("--disable-quic", "--dns-prefetch-disable", "--no-pings"),
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-blink-features=WebTransport",
    # A key scrolls at once: a click would miss what an animation still moves.
    "--disable-smooth-scrolling",
    # The same pixels everywhere.
    *("--enable-unsafe-swiftshader", "--font-render-hinting=none", "--force-color-profile=srgb"),
    *("--lang=en-US", "--mute-audio", "--window-size=1280,820"),
)
_HEADLESS = (
    "--headless",
    "--hide-scrollbars",
    # It has a mouse, like a browser with a window.
    "--blink-settings="
    + ",".join(f"{kind}=2" for kind in ("primaryHoverType", "availableHoverTypes"))
    + ",primaryPointerType=4,availablePointerTypes=4",
)
_PROFILE = "rehearse-chromium-"
_FREE = 10  # least number of a descriptor other than those for the browser


@dataclass
class Process:
    """The operating system's process of a browser, in a process group of its own, and the
    connection to it.
    """

    connection: Connection
    profile: Path
    _pid: int

    def kill(self) -> None:
        """Kill the process and its children."""
        with suppress(ProcessLookupError):
            os.killpg(self._pid, signal.SIGKILL)

    async def ended(self, seconds: float) -> None:
        """Wait up to `seconds` for the end of the process, kill the rest of its group, and remove
        the profile folder.
        """
        self.connection.close()
        wait = asyncio.ensure_future(asyncio.to_thread(os.waitpid, self._pid, 0))
        try:
            await asyncio.wait({wait}, timeout=seconds)
        finally:
            self.kill()
        await wait
        await asyncio.to_thread(shutil.rmtree, self.profile, ignore_errors=True)

    def last_words(self) -> str:
        """Return the last line that the browser wrote to stderr; "" if it wrote none."""
        with suppress(OSError):
            lines = (self.profile / "stderr").read_text("utf-8", "replace").split("\n")
            return next((line.strip() for line in reversed(lines) if line.strip()), "")
        return ""


async def start(program: Path, flags: Sequence[str], *, headed: bool) -> Process:
    """Start a Chromium that opens no page yet. Raises OSError if the program cannot be run."""
    _remove_orphans()
    profile = Path(tempfile.mkdtemp(prefix=f"{_PROFILE}{os.getpid()}-"))
    arguments = [
        *(str(program), *_FLAGS, *(() if headed else _HEADLESS), *flags),
        *(["--no-sandbox"] if os.geteuid() == 0 else []),
        *(f"--user-data-dir={profile}", "--remote-debugging-pipe", "--no-startup-window"),
    ]
    theirs_in, ours_out = map(_moved, os.pipe())
    ours_in, theirs_out = map(_moved, os.pipe())
    try:
        pid = _spawn(arguments, profile / "stderr", theirs_in, theirs_out)
    except OSError:
        os.close(ours_in)
        os.close(ours_out)
        shutil.rmtree(profile, ignore_errors=True)
        raise
    finally:
        os.close(theirs_in)
        os.close(theirs_out)
    return Process(await Connection.connect(ours_in, ours_out), profile, pid)


def _spawn(arguments: list[str], errors: Path, read_from: int, write_to: int) -> int:
    """Start a program that gets the pipes as descriptors 3 and 4, and return its process id.

    Signals of a terminal do not reach its process group.
    """
    actions = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
        (os.POSIX_SPAWN_OPEN, 2, errors, os.O_WRONLY | os.O_CREAT, 0o600),
        (os.POSIX_SPAWN_DUP2, read_from, 3),
        (os.POSIX_SPAWN_DUP2, write_to, 4),
    ]
    return os.posix_spawn(arguments[0], arguments, os.environ, file_actions=actions, setpgroup=0)


def _moved(descriptor: int) -> int:
    """Move a file descriptor to a number that is free in the browser's process, and return it;
    child processes do not inherit it.
    """
    moved = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, _FREE)
    os.close(descriptor)
    return moved


def _remove_orphans() -> None:
    """Remove the browser profiles in the temporary folder whose owner process no longer exists."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_PROFILE}*-*"):
        owner = folder.name.removeprefix(_PROFILE).partition("-")[0]
        if owner.isdigit() and not _alive(int(owner)):
            shutil.rmtree(folder, ignore_errors=True)


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True
