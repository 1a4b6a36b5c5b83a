"""A client outside and episodes: what each gets, in whatever order they come."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from threading import Thread

import pytest

from agent.methods.outside import AGAIN
from evaluators.episode.budget import Budget, Meter
from evaluators.episode.channel import BUSY, DONE, NO_TASK, Channel, ending
from evaluators.episode.metered import metered_exchange
from evaluators.episode.termination import ClientGone, ClientLeft, Termination

NOTED = "Noted. Call next_task."
ANSWERED = Termination("answered")


def together(*works):
    """The results of coroutine functions that get one channel and run at once."""
    channel = Channel()

    async def run():
        return await asyncio.wait_for(asyncio.gather(*(work(channel) for work in works)), 30)

    return asyncio.run(run())


async def until(condition: Callable[[], object]) -> None:
    """Let others run until this holds."""
    while not condition():  # noqa: ASYNC110 (what we wait for sets no event)
        await asyncio.sleep(0)


async def until_waiting(channel: Channel) -> None:
    """Let others run until the episode waits for a line."""
    await until(lambda: channel._line)


def is_wanted(channel: Channel) -> bool:
    return channel._wanted.done()


async def two_tasks(channel: Channel) -> list[str]:
    """Two episodes of one line each."""
    lines = []
    for number in (1, 2):
        assert await channel.wants_task()
        lines.append(await channel.exchange(f"task {number}"))
        channel.end(ANSWERED)
    channel.close()
    return lines


async def client_of_two(channel: Channel) -> list[str]:
    texts = [await channel.act("click [1]")]
    for answer in ("a [b]", ""):
        texts += [await channel.next_task(), await channel.finish(answer)]
    return [*texts, await channel.next_task(), await channel.finish()]


def test_a_client_does_one_task_after_the_other():
    lines, texts = together(two_tasks, client_of_two)
    assert lines == ["stop [a [b]]", "stop []"]
    assert texts == [NO_TASK, "task 1", NOTED, "task 2", NOTED, DONE, DONE]


def test_client_and_engine_may_have_loops_of_their_own():
    channel, found = Channel(), []
    engine = Thread(target=lambda: found.append(asyncio.run(two_tasks(channel))))
    engine.start()
    texts = asyncio.run(client_of_two(channel))
    engine.join(30)
    assert texts[1:5] == ["task 1", NOTED, "task 2", NOTED]
    assert found == [["stop [a [b]]", "stop []"]]


def test_no_task_begins_before_it_is_wanted():
    async def engine(channel: Channel) -> None:
        pending = asyncio.ensure_future(channel.wants_task())
        await asyncio.sleep(0)
        assert not is_wanted(channel)
        asked = asyncio.ensure_future(channel.next_task())
        assert await pending and is_wanted(channel)
        asked.cancel()

    together(engine)


def test_next_task_in_the_middle_asks_the_episode_to_say_it_again():
    async def engine(channel: Channel) -> list[str]:
        await channel.wants_task()
        return [await channel.exchange("task"), await channel.exchange("task again")]

    async def client(channel: Channel) -> list[str]:
        texts = [await channel.next_task(), await channel.next_task()]
        pending = asyncio.ensure_future(channel.act("click [1]"))
        await asyncio.sleep(0)
        texts.append(await channel.act("click [2]"))
        pending.cancel()
        return texts

    lines, texts = together(engine, client)
    assert lines == [AGAIN, "click [1]"]
    assert texts == ["task", "task again", BUSY]


def test_whoever_stopped_waiting_for_a_task_may_ask_again():
    async def client(channel: Channel) -> str:
        first = asyncio.ensure_future(channel.next_task())
        await asyncio.sleep(0)
        assert await channel.next_task() == BUSY
        first.cancel()
        await asyncio.wait([first])
        return await channel.next_task()

    async def engine(channel: Channel) -> str:
        assert await channel.wants_task()
        return await channel.exchange("task")

    async def ended(channel: Channel) -> None:
        await until_waiting(channel)
        channel.hang_up()

    with pytest.raises(ClientGone):
        together(client, engine, ended)


def test_who_stopped_waiting_before_the_first_page_has_seen_none():
    async def client(channel: Channel) -> None:
        first = asyncio.ensure_future(channel.next_task())
        await asyncio.sleep(0)
        first.cancel()
        await asyncio.wait([first])

    async def engine(channel: Channel) -> None:
        await channel.wants_task()
        await until(lambda: channel._text is not None and channel._text.cancelled())
        await channel.exchange("task")

    async def ended(channel: Channel) -> None:
        await until_waiting(channel)
        channel.hang_up()

    with pytest.raises(ClientGone):
        together(client, engine, ended)


def test_a_client_that_hangs_up_after_a_page_has_left_and_nothing_else_begins():
    async def engine(channel: Channel) -> list[bool]:
        wanted = [await channel.wants_task()]
        with pytest.raises(ClientLeft, match="as it was left"):
            await channel.exchange("task")
        with pytest.raises(ClientLeft):
            await channel.exchange("its next page")
        channel.end(Termination("truncated", "client"))
        with pytest.raises(ClientGone, match="resumed"):
            await channel.exchange("another task")
        return [*wanted, await channel.wants_task()]

    async def client(channel: Channel) -> None:
        await channel.next_task()
        channel.hang_up()

    assert together(engine, client)[0] == [True, False]


def test_a_client_that_leaves_between_tasks_wants_no_other():
    async def engine(channel: Channel) -> bool:
        return await channel.wants_task()

    async def client(channel: Channel) -> None:
        channel.hang_up()

    assert together(engine, client)[0] is False


@pytest.mark.parametrize("asks_first", [True, False])
def test_an_episode_that_runs_again_is_given_to_whoever_asks_or_has_asked(asks_first):
    async def engine(channel: Channel) -> str:
        await channel.wants_task()
        channel.end(Termination("infra_error", "browser"))
        await until(lambda: not asks_first or channel._text)
        line = await channel.exchange("once more")
        if not asks_first:
            assert line == AGAIN
            line = await channel.exchange("once more")
        channel.end(ANSWERED)
        assert not is_wanted(channel), "the task that was asked for has been given"
        return line

    async def client(channel: Channel) -> list[str]:
        return [await channel.next_task(), await channel.next_task(), await channel.finish()]

    line, texts = together(engine, client)
    assert line == "stop []"
    assert "not yours. Call next_task." in texts[0] and texts[1:] == ["once more", NOTED]


@pytest.mark.parametrize(
    ("termination", "words"),
    [
        (Termination("answered", answer="7"), "Noted."),
        (Termination("answered", "stopped"), "Noted."),
        (Termination("truncated", "budget", error="the budget of 3 steps is spent"), "3 steps"),
        (Termination("format_error", error="'x' is no action"), "no action"),
        (Termination("infra_error", "evaluator", error="KeyError: 'gold'"), "not yours"),
    ],
)
def test_the_end_of_a_task_is_told_and_nothing_of_its_score(termination, words):
    assert words in ending(termination) and "gold" not in ending(termination)


def test_the_time_of_the_client_is_not_the_episodes_own():
    meter = Meter(Budget(9, 9, seconds=60))

    async def engine(channel: Channel) -> None:
        await metered_exchange(channel, meter)("task")
        with pytest.raises(ClientLeft):
            await metered_exchange(channel, meter)("page")

    async def client(channel: Channel) -> None:
        await until_waiting(channel)
        begun = meter.elapsed()
        await until(lambda: meter.elapsed() > begun + 0.05)
        pending = asyncio.ensure_future(channel.act("click [1]"))
        await asyncio.sleep(0)
        await until_waiting(channel)
        channel.hang_up()
        assert await pending == "page"

    together(engine, client)
    own = meter.own_seconds()  # first: its time goes on, too
    assert meter.elapsed() - own > 0.05
    assert isinstance(meter.fault, ClientLeft)
