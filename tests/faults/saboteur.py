"""An agent that breaks what carries it in its first try, and then does its task."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
from dataclasses import dataclass
from pathlib import Path

from agent.browser.lane import Lane
from agent.interface import LLM, Back, Goto, Page, Task
from sites.server import Server


@dataclass(frozen=True)
class Options:
    """What to break before which of its steps, and the folder where that is noted."""

    deed: str = ""
    step: int = 1
    steps: int = 3
    notes: str = ""


async def solve(task: Task, page: Page, llm: LLM, options: Options) -> str:
    note = Path(options.notes) / f"{options.deed}-{options.step}"
    for step in range(options.steps):
        if options.deed and step == options.step and not note.exists():
            note.touch()
            await DEEDS[options.deed](page)
        await page.act(Back())
        await page.observe()
    return "done"


def _lane(page: Page) -> Lane:
    return page.lane


async def crash_renderer(page: Page) -> None:
    dying = asyncio.create_task(_lane(page)._tab.send("Page.crash"))  # it is never answered
    try:
        await page.observe()
    finally:
        dying.cancel()


async def kill_browser(page: Page) -> None:
    os.kill(_lane(page).browser.pid, signal.SIGKILL)


async def break_pipe(page: Page) -> None:
    """The connection to a browser that is well ends."""
    _lane(page).browser.targets.connection.close("the pipe broke")


async def close_site(page: Page) -> None:
    """The site's threads end and nobody listens at its port."""
    ports = _lane(page).browser.hosts.values()
    for each in gc.get_objects():
        if isinstance(each, Server) and each.port in ports:
            each.close()
    await page.act(Goto("/"))


async def break_site(page: Page) -> None:
    """The site answers 500: a table that it reads is gone."""
    for table in page.world.snapshot():
        page.world.write(f"DROP TABLE {table}")
    await page.act(Goto("/"))


DEEDS = {
    each.__name__: each
    for each in (crash_renderer, kill_browser, break_pipe, close_site, break_site)
}


def descendants(process: int) -> set[int]:
    """Processes that this one has started, and those that these have, as long as they live."""
    parents = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, above = path.read_text(encoding="utf-8").rpartition(")")[2].split()[:2]
        except OSError:
            continue
        if state != "Z":
            parents[int(path.parent.name)] = int(above)
    found, new = set(), {process}
    while new:
        new = {each for each, above in parents.items() if above in new} - found
        found |= new
    return found
