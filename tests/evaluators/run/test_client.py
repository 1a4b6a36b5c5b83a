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


def test_the_budget_ends_a_task_and_the_client_is_told(tmp_path):
    one = expert("store/buy_item/0")
    found = ran(tmp_path / "run", range(1), one, limits=Limits(steps=1))
    [record] = found.records
    assert (record.ended, record.cause, record.steps) == ("truncated", "budget", 1)
    assert found.texts[-1] == "The task has ended: the budget of 1 steps is spent. Call next_task."


def test_a_client_that_hangs_up_goes_on_where_the_run_is_resumed(tmp_path):
    out = tmp_path / "run"
    [record] = ran(out, range(2), expert("store/buy_item/0", most=2)).records
    assert (record.ended, record.cause, record.tries) == ("infra_error", "client", 1)
    assert record.success is None and "resumed" in record.error

    async def nothing(channel: Channel) -> list[str]:
        return []

    assert ran(out, range(2), nothing).records == [record], "who asks for no task harms none"
    resumed = ran(out, range(2), expert("store/buy_item/0")).records
    assert [(each.success, each.tries) for each in resumed] == [(True, 2)]
    assert resumed[0].faults.mended == {"client": 1}
    last = ran(out, range(2), expert("store/buy_item/1"))
    assert [each.success for each in last.records] == [True, True]


def test_without_a_client_no_run_begins(tmp_path):
    tasks = registry.from_families(["buy_item"], range(1))
    with pytest.raises(NoClient, match="rehearse mcp"):
        api.run(["outside"], tasks, RunConfig(out=tmp_path / "run"))
    many = RunConfig(out=tmp_path / "run", client=Channel())
    with pytest.raises(NoClient, match="one task at a time"):
        api.run(["outside"], tasks, many)
    assert not (tmp_path / "run").exists()
