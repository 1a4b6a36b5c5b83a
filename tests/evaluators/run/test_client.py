"""A run in which a client outside decides: the engine does the rest as ever."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from evaluators.episode.budget import Limits
from evaluators.episode.channel import DONE, Channel
from evaluators.records import files, run_folder
from evaluators.records.models import EpisodeRecord
from evaluators.records.trace_events import read_trace
from evaluators.run import api
from evaluators.run.config import ExecutorConfig, RunConfig
from evaluators.run.prepare import NoClient
from scenarios import registry
from tests.evaluators.run.client import advised, page_of

pytestmark = pytest.mark.usefixtures("unmeasured")
ONE = ExecutorConfig(concurrency=1)
Work = Callable[[Channel], Awaitable[list[str]]]


@dataclass(frozen=True)
class Ran:
    """What the client was told, and what is on record."""

    texts: list[str]
    records: list[EpisodeRecord]


def ran(out: Path, seeds: range, work: Work, **config) -> Ran:
    """Run `outside` in another thread while `work(channel)` is the client, which then hangs up."""
    channel = Channel()
    chosen = replace(RunConfig(out=out, executor=ONE, client=channel), **config)

    def engine() -> None:
        api.run(["outside"], registry.from_families(["buy_item"], seeds), chosen)
        channel.close()

    async def both() -> list[str]:
        running = asyncio.create_task(asyncio.to_thread(engine))
        texts = await work(channel)
        channel.hang_up()
        await running
        return texts

    texts = asyncio.run(both())
    return Ran(texts, list(run_folder.episodes(out)))


def expert(scenario: str, most: int = 99) -> Work:
    """A client that does one task, or so many of its actions."""

    async def work(channel: Channel) -> list[str]:
        texts = [await channel.next_task()]
        while page_of(texts[-1]) and len(texts) <= most:
            texts.append(await channel.act(advised(texts[-1], scenario)))
        return texts

    return work


@pytest.mark.wide
def test_two_tasks_are_scored_and_the_client_learns_nothing_of_it(tmp_path):
    async def work(channel: Channel) -> list[str]:
        texts = await expert("store/buy_item/0")(channel)
        texts += [await channel.next_task(), await channel.act("buy it!"), await channel.finish()]
        return [*texts, await channel.next_task()]

    found = ran(tmp_path / "run", range(2), work)
    won, left = found.records
    assert (won.success, won.ended, won.wasted, won.invalid_actions) == (True, "answered", 0, 0)
    assert (left.success, left.steps, left.events["reask"]) == (False, 0, 1)
    assert [record.instruction in found.texts[at] for at, record in ((0, won), (-4, left))] == [
        True
    ] * 2
    assert found.texts[-1] == DONE
    ends = [text for text in found.texts if not page_of(text) and "no action" not in text]
    assert ends == ["Noted. Call next_task."] * 2 + [DONE]
    home = run_folder.home(tmp_path / "run", won)
    files.check(home)
    events, _ = read_trace(home / "trace.jsonl")
    assert [each.step for each in events if each.kind == "action"] == [*range(1, won.steps + 1)]
    assert api.score(tmp_path / "run").rows[0].success == 0.5


@pytest.mark.wide
def test_the_budget_ends_a_task_and_the_client_is_told(tmp_path):
    one = expert("store/buy_item/0")
    found = ran(tmp_path / "run", range(1), one, limits=Limits(steps=1))
    [record] = found.records
    assert (record.ended, record.cause, record.steps) == ("truncated", "budget", 1)
    assert found.texts[-1] == "The task has ended: the budget of 1 steps is spent. Call next_task."


async def nothing(channel: Channel) -> list[str]:
    return []


async def shy(channel: Channel) -> list[str]:
    """A client that asks for a task and does not wait for it."""
    asked = asyncio.ensure_future(channel.next_task())
    await asyncio.sleep(0)
    asked.cancel()
    await asyncio.wait([asked])
    while channel._line is None:  # noqa: ASYNC110 (the task is shown, and nobody waits for it)
        await asyncio.sleep(0.01)
    return []


@pytest.mark.wide
def test_a_client_that_hangs_up_before_the_first_page_goes_on_where_the_run_is_resumed(tmp_path):
    out = tmp_path / "run"
    for tries in range(1, 5):  # more than the tries of any other fault
        [record] = ran(out, range(2), shy).records
        assert (record.ended, record.cause, record.tries) == ("infra_error", "client", tries)
        assert record.success is None and "resumed" in record.error
    assert ran(out, range(2), nothing).records == [record], "who asks for no task harms none"
    resumed = ran(out, range(2), expert("store/buy_item/0")).records
    assert [(each.success, each.tries) for each in resumed] == [(True, 5)]
    assert resumed[0].faults.mended == {"client": 4}
    last = ran(out, range(2), expert("store/buy_item/1"))
    assert [each.success for each in last.records] == [True, True]


@pytest.mark.wide
def test_a_client_that_leaves_what_it_would_fail_has_failed_it(tmp_path):
    out, one = tmp_path / "run", expert("store/buy_item/0")
    assert [each.success for each in ran(out, range(3), one).records] == [True]
    for seed in (1, 2):  # it looks, and hangs up
        ran(out, range(3), expert(f"store/buy_item/{seed}", most=seed - 1))
    left = list(run_folder.episodes(out))[1:]
    assert [(each.ended, each.cause, each.success) for each in left] == [
        ("truncated", "client", False)
    ] * 2
    assert [(each.steps, each.tries) for each in left] == [(0, 1), (1, 1)]
    resumed = ran(out, range(3), one)
    assert len(resumed.records) == 3 and resumed.texts == [DONE], "no task is given out again"
    assert api.score(out).rows[0].success == pytest.approx(1 / 3)


def test_a_client_that_leaves_after_the_deed_is_scored_for_it(tmp_path):
    async def buys_and_leaves(channel: Channel) -> list[str]:
        texts = [await channel.next_task()]
        while "stop [" not in (line := advised(texts[-1], "store/buy_item/0")):
            texts.append(await channel.act(line))
        return texts

    [record] = ran(tmp_path / "run", range(1), buys_and_leaves).records
    assert (record.ended, record.cause, record.success) == ("truncated", "client", True)


def test_without_a_client_no_run_begins(tmp_path):
    tasks = registry.from_families(["buy_item"], range(1))
    with pytest.raises(NoClient, match="rehearse mcp"):
        api.run(["outside"], tasks, RunConfig(out=tmp_path / "run"))
    many = RunConfig(out=tmp_path / "run", client=Channel())
    with pytest.raises(NoClient, match="one task at a time"):
        api.run(["outside"], tasks, many)
    assert not (tmp_path / "run").exists()
