"""`@playwright/mcp`, as docs/doors.md configures it, does a task in its own browser."""

from __future__ import annotations

import asyncio
import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from agent.browser.chromium import find_chromium
from evaluators.server.serve import RunningServer, serve
from scenarios import registry
from tests.doors import foreign_command
from tests.measuring import HANG
from tests.test_docs import blocks

pytest.importorskip("mcp", reason="the extra mcp is not installed; run: tox -e doors")

from mcp import ClientSession, StdioServerParameters, stdio_client

pytestmark = pytest.mark.usefixtures("unmeasured")
LIMIT = HANG
SCENARIO = "store/buy_item/7"


def configuration(served: RunningServer, folder: Path) -> Path:
    """The block of the page, filled in, at its place."""
    [block] = [each for each in blocks("doors.md") if each.file == "playwright-mcp.json"]
    values: dict[str, Any] = json.loads(block.text)
    assert served.jail is not None
    values["browser"]["launchOptions"] |= {
        "executablePath": str(find_chromium()),
        "args": served.jail.flags,
        "chromiumSandbox": os.getuid() != 0,
    }
    path = folder / block.file
    path.write_text(json.dumps(values), encoding="utf-8")
    return path


def place(snapshot: str, role: str, words: str) -> str:
    """The reference of the first element of this role whose line has the words."""
    lines = [line for line in snapshot.splitlines() if f"- {role} " in line and words in line]
    found = re.search(r"\[ref=(\w+)\]", lines[0]) if lines else None
    assert found, (role, words, snapshot)
    return found[1]


class Browser:
    """The tools of the server."""

    def __init__(self, session: ClientSession) -> None:
        self.session = session

    async def use(self, tool: str, **arguments: object) -> str:
        result = await self.session.call_tool(tool, arguments)
        text = "\n".join(each.text for each in result.content if each.type == "text")
        assert not result.is_error, text
        return text

    async def click(self, role: str, words: str) -> None:
        target = place(await self.use("browser_snapshot"), role, words)
        await self.use("browser_click", element=words, target=target)


async def buy(browser: Browser, url: str, elsewhere: str) -> None:
    """Buy what the scenario's solution is."""
    gold = registry.scenario(SCENARIO).gold
    await browser.use("browser_navigate", url=url)
    box = place(await browser.use("browser_snapshot"), "searchbox", "")
    await browser.use("browser_type", element="search", target=box, text=gold["name"], submit=True)
    await browser.click("link", gold["asin"])
    for value in gold["goal_options"].values():
        await browser.click("radio", value)
    await browser.click("button", "Buy Now")
    await browser.use("browser_navigate", url=elsewhere)
    assert "Outside" in await browser.use("browser_snapshot"), "the jail leads to sites only"


def test_it_buys_an_item_and_reaches_nothing_else(tmp_path):
    command = foreign_command("playwright_mcp", "playwright-mcp")
    with serve(["store"], jailed=True) as served:
        opened = served.sessions.draw(family="buy_item", seed=7)
        arguments = ["--config", str(configuration(served, tmp_path))]
        server = StdioServerParameters(command=str(command), args=arguments, cwd=tmp_path)

        async def session() -> None:
            async with stdio_client(server) as streams, ClientSession(*streams) as session:
                await session.initialize()
                await buy(Browser(session), opened.url, served.control.url)

        asyncio.run(asyncio.wait_for(session(), LIMIT))
        opened.finish("")
        verdict = opened.evaluated()
    assert (verdict["success"], verdict["progress"]) == (True, 1.0)
