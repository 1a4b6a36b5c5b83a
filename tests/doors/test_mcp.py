"""`rehearse mcp`, with a client of the official package on its stdin and stdout."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from evaluators.records import run_folder
from evaluators.records.models import EpisodeRecord
from tests.evaluators.run.client import advised, page_of
from tests.measuring import HANG

pytest.importorskip("mcp", reason="the extra mcp is not installed; run: tox -e doors")

from mcp import ClientSession, StdioServerParameters, stdio_client
from mcp.client import stdio

pytestmark = pytest.mark.usefixtures("unmeasured")
ROOT = Path(__file__).parents[2]
LIMIT = HANG
Call = Callable[..., Awaitable[str]]


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """The client waits for the server's end, on a busy machine too, before it sends a signal."""
    monkeypatch.setattr(stdio, "PROCESS_TERMINATION_TIMEOUT", LIMIT)


@asynccontextmanager
async def connected(run: Path, *arguments: str) -> AsyncIterator[tuple[ClientSession, Call]]:
    """A session with the server of a run, and `call(tool, ...)`, which returns its text."""
    words = ["-m", "rehearse", "mcp", "--family", "buy_item", "-o", str(run), *arguments]
    server = StdioServerParameters(
        command=sys.executable, args=words, cwd=ROOT, env=dict(os.environ)
    )
    with (run.parent / "stderr.txt").open("a") as stderr:
        async with stdio_client(server, stderr) as streams, ClientSession(*streams) as session:
            await session.initialize()

            async def call(tool: str, **arguments: str) -> str:
                result = await session.call_tool(tool, arguments)
                assert not result.is_error and result.structured_content is None
                [content] = result.content
                return content.text

            yield session, call


def carried_out(run: Path, work: Callable[[ClientSession, Call], Awaitable[None]], *arguments: str):
    """The records of a run whose client does `work` and then hangs up."""

    async def session() -> None:
        async with connected(run, *arguments) as (session, call):
            await work(session, call)

    asyncio.run(asyncio.wait_for(session(), LIMIT))
    return list(run_folder.episodes(run))


def children() -> list[int]:
    """The processes that this one has started and that still run."""
    listed = Path("/proc/self/task").glob("*/children")
    return [int(child) for each in listed for child in each.read_text().split()]


async def do_task(call: Call, scenario: str) -> str:
    """Do a task as an expert would; the text at its end."""
    text = await call("next_task")
    while page_of(text):
        text = await call("act", action=advised(text, scenario))
    return text


def test_a_client_does_two_tasks_and_is_told_that_there_are_no_more(tmp_path):
    async def work(session: ClientSession, call: Call) -> None:
        tools = (await session.list_tools()).tools
        assert [tool.name for tool in tools] == ["next_task", "act", "finish"]
        assert all(tool.description for tool in tools)
        assert await call("finish", answer="7") == "There is no open task; call next_task."
        assert await do_task(call, "store/buy_item/0") == "Noted. Call next_task."
        text = await call("next_task")
        assert "is no action" in await call("act", action="buy it!")
        assert page_of(await call("next_task")) == page_of(text)
        assert page_of(await call("act", action=advised(text, "store/buy_item/1"))) != ""
        assert await call("finish") == "Noted. Call next_task."
        for _ in range(2):
            assert "All tasks are done" in await call("next_task")
        assert "All tasks are done" in await call("act", action="click [1]")

    run = tmp_path / "run"
    won, left = carried_out(run, work, "--seeds", "0:2", "--client", "tester")
    assert (won.agent, won.success, won.ended) == ("outside:client=tester", True, "answered")
    assert (left.success, left.steps, left.events["reask"]) == (False, 1, 1)
    lines = (tmp_path / "stderr.txt").read_text().splitlines()
    done = f"all tasks are done: rehearse report {run}"
    assert lines == ["1/2 tasks are done", "2/2 tasks are done", done]


def test_a_client_that_hangs_up_in_the_middle_has_failed_the_task(tmp_path):
    run, seeds = tmp_path / "run", ("--seeds", "0:2")

    async def leaves(session: ClientSession, call: Call) -> None:
        text = await call("next_task")
        await call("act", action=advised(text, "store/buy_item/0"))

    async def does_the_rest(session: ClientSession, call: Call) -> None:
        assert await do_task(call, "store/buy_item/1") == "Noted. Call next_task."
        assert "All tasks are done" in await call("next_task")

    [record] = carried_out(run, leaves, *seeds)
    assert (record.ended, record.cause, record.success) == ("truncated", "client", False)
    assert "1 of 2 tasks are left" in (tmp_path / "stderr.txt").read_text()
    records: list[EpisodeRecord] = carried_out(run, does_the_rest, *seeds)
    assert [each.success for each in records] == [False, True]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_server_that_gets_a_signal_scores_what_was_begun(tmp_path, number):
    run = tmp_path / "run"

    async def kills(session: ClientSession, call: Call) -> None:
        await call("next_task")
        [server] = children()
        os.kill(server, number)
        while not list(run_folder.episodes(run)):  # noqa: ASYNC110 (our end of its stdin is open all the while)
            await asyncio.sleep(0.05)

    [record] = carried_out(run, kills, "--seeds", "0:2")
    assert (record.ended, record.cause, record.success) == ("truncated", "client", False)


def test_steps_are_limited_and_so_is_the_time(tmp_path):
    ends = []

    async def work(session: ClientSession, call: Call) -> None:
        ends.append(await do_task(call, "store/buy_item/0"))

    limits = ("--seeds", "0:1", "--max-steps", "1")
    [record] = carried_out(tmp_path / "steps", work, *limits)
    assert (record.ended, record.cause, record.steps) == ("truncated", "budget", 1)
    limits = ("--seeds", "0:1", "--max-seconds", "0.001")
    [record] = carried_out(tmp_path / "time", work, *limits)
    assert (record.ended, record.cause) == ("truncated", "budget")
    assert ["of 1 steps is spent" in ends[0], "of seconds is spent" in ends[1]] == [True, True]
