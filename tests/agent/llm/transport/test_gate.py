"""Episodes wait for a model's server as one: by a clock that a test moves, and on loopback."""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import time
from dataclasses import dataclass, field

import pytest

from agent.llm.client import Client, Endpoint, Limits
from agent.llm.faults import (
    AccessRefused,
    ModelUnavailable,
    MustWait,
    NobodyListens,
    RunStopped,
    ServerPaused,
)
from agent.llm.transport.gate import Clock, Gates, Patience
from tests.each import for_each
from tests.loopback import Answer

HELLO = [{"role": "user", "content": "hello"}]
LOADING = {"status": 503, "message": "Loading model"}


@dataclass
class FakeClock:
    """A clock that goes on by what is waited for."""

    time: float = 100.0
    waits: list[float] = field(default_factory=list)

    async def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.time += seconds
        await asyncio.sleep(0)

    @property
    def clock(self) -> Clock:
        return Clock(lambda: self.time, self.sleep)


def asking(clock: FakeClock, faults: list[Exception], tries: int = 4, seconds: float = 300):
    """A request that meets the faults, and then gets a reply."""
    left = iter(faults)

    async def send() -> str:
        await asyncio.sleep(0)
        if fault := next(left, None):
            raise fault
        return "reply"

    return Gates(clock.clock).of("m").ask(send, Patience(tries, clock.time + seconds))


@for_each("wanted", [0.001, 1.0, 60.0, 150.0, 299.0])
def test_a_wanted_wait_is_kept_to_the_second(runner, wanted):
    clock = FakeClock()
    assert runner.run(asking(clock, [MustWait("429", wanted)])) == "reply"
    assert sum(clock.waits) == pytest.approx(wanted) and clock.time == pytest.approx(100 + wanted)


@for_each("wanted", [301.0, 86400.0, 1e9])
def test_a_wait_beyond_the_deadline_pauses_the_run_at_once(runner, wanted):
    clock = FakeClock()
    with pytest.raises(ServerPaused, match=r"429; it asks for \S+ s, .* 300 s left; resume"):
        runner.run(asking(clock, [MustWait("429", wanted)]))
    assert clock.waits == []


def test_a_call_without_a_deadline_does_not_wait_for_years(runner):
    clock = FakeClock()
    with pytest.raises(ServerPaused):
        runner.run(asking(clock, [MustWait("429", 1e9)], seconds=float("inf")))
    assert runner.run(asking(clock, [MustWait("429", 3000)], seconds=float("inf"))) == "reply"


def test_a_model_that_loads_for_minutes_spends_no_try(runner):
    clock = FakeClock()
    assert runner.run(asking(clock, [MustWait("503", None, loads=True)] * 30)) == "reply"
    assert clock.time > 200


def test_a_model_that_never_loads_pauses_the_run(runner):
    clock = FakeClock()
    with pytest.raises(ServerPaused, match="503; it is not ready in time"):
        runner.run(asking(clock, [MustWait("503", None, loads=True)] * 999))
    assert 380 < clock.time <= 400


def test_a_server_that_died_is_waited_for_as_one_that_loads(runner):
    clock = FakeClock()
    sent = iter([None, *[NobodyListens("cannot reach it")] * 30, None])

    async def send() -> str:
        if fault := next(sent):
            raise fault
        return "reply"

    async def twice() -> list[str]:
        gate = Gates(clock.clock).of("m")
        return [await gate.ask(send, Patience(4, 400.0)) for _ in range(2)]

    assert runner.run(twice()) == ["reply"] * 2
    assert clock.time > 200, "thirty refusals are more than the tries of a request"


def test_a_server_that_was_never_there_stops_the_run_after_a_few_tries(runner):
    clock = FakeClock()
    with pytest.raises(NobodyListens) as error:
        runner.run(asking(clock, [NobodyListens("cannot reach it")] * 99))
    assert isinstance(error.value, RunStopped) and clock.time < 120


def test_a_port_at_which_nobody_listens_is_told_from_other_faults(runner, live, server):
    server.will(Answer(dies=True))
    client = Client(live, Endpoint("m", server.url, "k"), Limits(deadline_s=30, max_retries=1))
    with pytest.raises(NobodyListens, match=r"cannot reach http://127.0.0.1:\d+/v1: \w+"):
        runner.run(client.ask("p", HELLO))


def test_a_rate_limit_for_ever_ends_after_its_tries(runner):
    clock, fault = FakeClock(), MustWait("429", 1)
    with pytest.raises(MustWait):
        runner.run(asking(clock, [fault] * 5))
    assert 4 <= clock.time - 100 < 9


def test_one_asks_and_the_others_wait(runner):
    """Ten that begin together while a model loads: one request at a time, and all get a reply."""
    clock, sent = FakeClock(), []

    async def send() -> str:
        sent.append(clock.time)
        await asyncio.sleep(0)
        if clock.time < 160:
            raise MustWait("503", 20.0, loads=True)
        return "reply"

    async def all_of_them() -> list[str]:
        gate = Gates(clock.clock).of("m")
        asked = (gate.ask(send, Patience(0 if n else 4, 400.0)) for n in range(10))
        return await asyncio.gather(*asked)

    assert runner.run(all_of_them()) == ["reply"] * 10
    assert [sent.count(second) for second in (100, 120, 140)] == [10, 1, 1]


def test_one_that_is_cancelled_while_it_waits_lets_another_ask(runner):
    async def scenario() -> str:
        gate, slow = Gates().of("m"), asyncio.Event()

        async def first() -> str:
            slow.set()
            raise MustWait("503", 0.01, loads=True)

        asked = asyncio.create_task(gate.ask(first, Patience(4, time.monotonic() + 60)))
        await slow.wait()
        asked.cancel()

        async def reply() -> str:
            return "reply"

        return await gate.ask(reply, Patience(4, time.monotonic() + 60))

    assert runner.run(asyncio.wait_for(scenario(), 60)) == "reply"


def test_models_wait_apart(runner):
    async def scenario() -> str:
        wanted = asyncio.Event()
        hanging = Gates(Clock(lambda: 0.0, lambda seconds: asyncio.Event().wait()))

        async def busy() -> str:
            wanted.set()
            raise MustWait("429", 9.0)

        async def reply() -> str:
            return "reply"

        waiting = asyncio.create_task(hanging.of("a").ask(busy, Patience(4, 99.0)))
        await wanted.wait()
        try:
            return await hanging.of("b").ask(reply, Patience(4, 99.0))
        finally:
            waiting.cancel()

    assert runner.run(asyncio.wait_for(scenario(), 60)) == "reply"


def _meet_a_wait(gates: Gates) -> None:
    async def send() -> str:
        raise MustWait("503", 1000.0, loads=True)

    async def no_wait(seconds: float) -> None:
        raise TimeoutError

    gates._clock = Clock(sleep=no_wait)
    with contextlib.suppress(TimeoutError):
        asyncio.run(gates.of("m").ask(send, Patience(4, time.monotonic() + 2000)))


def test_another_process_waits_too(runner):
    gates, clock = Gates(processes=True), FakeClock()
    worker = multiprocessing.get_context("spawn").Process(target=_meet_a_wait, args=(gates,))
    worker.start()
    worker.join(120)
    clock.time = time.monotonic()
    gates._clock = clock.clock

    async def reply() -> str:
        return "reply"

    assert runner.run(gates.of("m").ask(reply, Patience(4, clock.time + 2000))) == "reply"
    assert sum(clock.waits) > 500


# On loopback -------------------------------------------------------------------------------------


@pytest.mark.wide
def test_four_episodes_outlast_a_model_that_loads(runner, server, live):
    """Thirty times 503 are more than the tries of four; each client counts what it met."""
    gates, answers = Gates(), iter(range(30))
    server.answering = lambda body: (
        server.fails(retry_after_ms="5", **LOADING)
        if next(answers, None) is not None
        else server.says("hi")
    )
    endpoint = Endpoint("m", server.url, "k")
    clients = [Client(live, endpoint, Limits(deadline_s=120), gates) for _ in range(4)]

    async def ask() -> list[str]:
        return [
            each.reply.text for each in await asyncio.gather(*(c.ask("p", HELLO) for c in clients))
        ]

    assert runner.run(ask()) == ["hi"] * 4
    assert sum(client.setbacks.met["server error"] for client in clients) == 30
    assert len(server.requests) <= 34


def test_a_long_retry_after_is_asked_once_and_pauses(runner, server, live):
    server.will(server.fails(429, "slow down", retry_after="150"))
    client = Client(live, Endpoint("m", server.url, "k"), Limits(deadline_s=100))
    with pytest.raises(ServerPaused, match="429: slow down; it asks for 150 s") as error:
        runner.run(client.ask("p", HELLO))
    assert len(server.requests) == 1 and "\n" not in str(error.value)
    assert isinstance(error.value, RunStopped) and isinstance(error.value, ModelUnavailable)


@for_each("status", [301, 302, 303, 307, 308])
def test_a_redirect_names_its_target_and_is_not_followed(runner, server, live, status):
    server.requests.clear()
    target = f"{server.url.replace('127.0.0.1', 'me:secret@127.0.0.2')}/chat/completions?key=secret"
    server.will(Answer(status=status, headers={"location": target}))
    client = Client(live, Endpoint("m", server.url, "k"))
    with pytest.raises(
        AccessRefused, match=rf"{status}: it redirects to http://127\.0\.0\.2"
    ) as error:
        runner.run(client.ask("p", HELLO))
    assert len(server.requests) == 1 and "secret" not in str(error.value)
    assert "OPENAI_BASE_URL" in str(error.value)
