"""Ours beside the drivers of Farama and BrowserGym, on our pages and on theirs:
`python -m benchmarks.miniwob_peers [--quick]`.

The same moves on every side, in turns. The peers are measured where their packages are installed:
`miniwob` with `selenium` and a chromedriver, and `browsergym-miniwob`.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import importlib.util
import itertools
import os
import re
import shutil
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial, partialmethod
from pathlib import Path
from typing import Any

from agent.browser.chromium import find_chromium
from benchmarks.foundation import Benchmark, run
from benchmarks.measuring import Effort, Row, Timing, Way, alternate
from benchmarks.widgets import open_driver
from evaluators.episode.environment import RunningSite, bind_site

TASKS = ("login-user", "choose-date")
CALLS = {"login-user": 5, "choose-date": 3}


@dataclass(frozen=True)
class Side:
    """A way to run the tasks: whose driver, on whose pages."""

    name: str
    way: Way


async def _compared(task: str, quick: bool) -> list[Row]:
    thread = _peers_thread()
    with _pages() as site, contextlib.ExitStack() as open_ones:
        base = f"http://127.0.0.1:{site.server.port}/miniwob/"
        async with open_driver(task) as ours:
            sides = [Side("ours", ours.episode)]
            for name, each in _peers(task, base):
                peer = await _in(thread, each)
                open_ones.callback(_closed, thread, peer)
                sides.append(Side(name, partial(_in, thread, peer.episode)))
            effort = Effort(1 if quick else 3, CALLS[task], warm=1, settling=0)
            timings = await alternate(effort, *(side.way for side in sides))
    return [
        _row(task, side, timing, timings[0]) for side, timing in zip(sides, timings, strict=True)
    ]


def _row(task: str, side: Side, timing: Timing, ours: Timing) -> Row:
    rate = f"{1000 / timing.median:.2f} episodes a second"
    if timing is ours:
        return Row(f"{task}, ours", "ms", ours.median, cpu_ms=ours.cpu_each, note=rate)
    return Row(
        f"{task}, {side.name}", "ms", ours.median, timing.median, None,
        ours.cpu_each, timing.cpu_each, rate,
    )  # fmt: skip


@contextlib.contextmanager
def _pages() -> Iterator[RunningSite]:
    """Our pages for browsers that are not ours."""
    site = bind_site("widgets")
    with site.server:
        yield site


@functools.cache
def _peers_thread() -> ThreadPoolExecutor:
    """One for all tasks: BrowserGym's Playwright, of which it has one, lives where it began."""
    return ThreadPoolExecutor(1)


async def _in(thread: ThreadPoolExecutor, work: Any) -> Any:
    """The peers' drivers wait in the thread that they live in, as their interfaces do."""
    return await asyncio.get_running_loop().run_in_executor(thread, work)


def _closed(thread: ThreadPoolExecutor, peer: Any) -> None:
    thread.submit(peer.close).result()


def _peers(task: str, base: str) -> Iterator[tuple[str, Any]]:
    """What can be measured here; it prints what is missing."""
    wanting = _wanting("miniwob", "selenium")
    if not wanting:
        theirs = _their_pages()
        yield "Farama on our pages", partial(Farama, task, base)
        yield "Farama on its pages", partial(Farama, task, None)
        if not (wanting := _wanting("browsergym.miniwob")):
            yield "BrowserGym on our pages", partial(BrowserGym, task, base)
            yield "BrowserGym on Farama's pages", partial(BrowserGym, task, theirs)
    if wanting:
        print(f"not measured: {task}: {', '.join(wanting)} is not installed", file=sys.stderr)


def _wanting(*packages: str) -> list[str]:
    missing = [name for name in packages if not _installed(name)]
    return missing + ([] if shutil.which("chromedriver") else ["chromedriver"])


def _installed(package: str) -> bool:
    try:
        return importlib.util.find_spec(package) is not None
    except ModuleNotFoundError:
        return False


def _their_pages() -> str:
    spec = importlib.util.find_spec("miniwob")
    assert spec is not None and spec.origin is not None
    return (Path(spec.origin).parent / "html" / "miniwob").as_uri() + "/"


class Farama:
    """`miniwob.environment`, which reads the page and clicks elements by its references."""

    def __init__(self, task: str, base: str | None) -> None:
        from miniwob.environment import MiniWoBEnvironment

        os.environ["MINIWOB_CHROME_BINARY"] = str(find_chromium())
        os.environ["MINIWOB_CHROMEDRIVER"] = str(shutil.which("chromedriver"))
        self.task = task
        self.env = MiniWoBEnvironment(task, base_url=base)
        self.seeds = itertools.count(1)

    def episode(self) -> None:
        seen, _ = self.env.reset(seed=next(self.seeds))
        act = self._log_in if self.task == "login-user" else self._choose_date
        assert act(seen) > 0, seen["utterance"]

    def close(self) -> None:
        self.env.close()

    def _log_in(self, seen: Any) -> float:
        texts = re.findall('"([^"]*)"', seen["utterance"])
        for name, text in zip(("username", "password"), texts, strict=True):
            self._do("FOCUS_ELEMENT_AND_TYPE_TEXT", ref=_ref(seen, "id", name), text=text)
        return float(self._do("CLICK_ELEMENT", ref=_ref(seen, "id", "subbtn"))[1])

    def _choose_date(self, seen: Any) -> float:
        month, day = _month_and_day(seen["utterance"])
        submit = _ref(seen, "id", "subbtn")
        seen = self._opened(_ref(seen, "id", "datepicker"))
        for _ in range(12 - month):
            seen = self._do("CLICK_ELEMENT", ref=_ref(seen, "classes", "ui-datepicker-prev"))[0]
        self._do("CLICK_ELEMENT", ref=_ref(seen, "text", str(day), "a"))
        return float(self._do("CLICK_ELEMENT", ref=submit)[1])

    def _opened(self, field: int) -> Any:
        """The page with its calendar.

        Farama's page fades the calendar out for 200 ms after a day was picked, and is not loaded
        again between episodes: one that begins meanwhile has to look until the new one is there.
        """
        seen, _, done, *_ = self._do("CLICK_ELEMENT", ref=field)
        while not _shows_calendar(seen) and not done:
            seen, _, done, *_ = self._do("NONE")
        return seen

    def _do(self, kind: str, **details: Any) -> Any:
        return self.env.step(self.env.create_action(kind, **details))


def _shows_calendar(seen: Any) -> bool:
    return any("ui-datepicker-prev" in each["classes"].split() for each in seen["dom_elements"])


def _month_and_day(instruction: str) -> tuple[int, int]:
    found = re.search(r"(\d+)/(\d+)/\d+", instruction)
    assert found is not None, instruction
    month, day = map(int, found.groups())
    return month, day


def _ref(seen: Any, key: str, value: str, tag: str = "") -> int:
    """The first element with this id, class or text."""
    for element in seen["dom_elements"]:
        held = element[key].split() if key == "classes" else [element[key]]
        if value in held and (not tag or element["tag"] == tag):
            return int(element["ref"])
    raise LookupError(f"nothing has the {key} {value!r}")


class BrowserGym:
    """`browsergym.core` with its task objects, as they are delivered."""

    def __init__(self, task: str, base: str) -> None:
        from browsergym.core.env import BrowserEnv
        from browsergym.miniwob.all import ChooseDateTask, LoginUserTask
        from playwright.sync_api import BrowserType

        _launch_by_default(BrowserType)
        made = {"login-user": LoginUserTask, "choose-date": ChooseDateTask}[task]
        self.task = task
        self.env = BrowserEnv(made, task_kwargs={"base_url": base})
        self.seeds = itertools.count(1)

    def episode(self) -> None:
        seen, _ = self.env.reset(seed=next(self.seeds))
        act = self._log_in if self.task == "login-user" else self._choose_date
        assert act(seen["goal"]) == 1, seen["goal"]

    def close(self) -> None:
        self.env.close()

    def _log_in(self, goal: str) -> float:
        user, password = re.findall('"([^"]*)"', goal)
        self.env.step(f"fill({self._bid('#username')!r}, {user!r})")
        self.env.step(f"fill({self._bid('#password')!r}, {password!r})")
        return self._click("#subbtn")

    def _choose_date(self, goal: str) -> float:
        month, day = _month_and_day(goal)
        self._click("#datepicker")
        for _ in range(12 - month):
            self._click(".ui-datepicker-prev")
        self._click(f"td[data-handler=selectDay] a:text-is('{day}')")
        return self._click("#subbtn")

    def _click(self, selector: str) -> float:
        """The reward after the click, which must not have failed."""
        seen, reward, *_ = self.env.step(f"click({self._bid(selector)!r})")
        assert not seen["last_action_error"], seen["last_action_error"]
        return float(reward)

    def _bid(self, selector: str) -> str:
        return str(self.env.page.locator(selector).get_attribute("bid"))


def _launch_by_default(browser: Any) -> None:
    """It has no option for which Chromium to use for its chat window, so that all launches are."""
    browser.launch = partialmethod(browser.launch, executable_path=find_chromium())


BENCHMARKS: dict[str, Benchmark] = {task: partial(_compared, task) for task in TASKS}


if __name__ == "__main__":
    run("benchmarks.miniwob_peers", str(__doc__), BENCHMARKS)
