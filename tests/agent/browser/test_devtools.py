"""The pipe to the browser, with a browser of the test's own at its other end."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from agent.browser.devtools import LONGEST, Connection, Disconnected, ProtocolError


class Peer:
    """The browser's end of the pipe."""

    def __init__(self, reads: int, writes: int) -> None:
        self.reads, self.writes = reads, writes
        self.rest = b""

    async def command(self) -> dict[str, Any]:
        """The next command."""
        while b"\0" not in self.rest:
            self.rest += await asyncio.to_thread(os.read, self.reads, 1 << 16)
        text, _, self.rest = self.rest.partition(b"\0")
        return json.loads(text)

    async def send(self, data: bytes) -> None:
        def write() -> None:
            left = memoryview(data)
            while left:
                left = left[os.write(self.writes, left) :]

        await asyncio.to_thread(write)

    async def answer(self, command: dict[str, Any], **more: Any) -> None:
        await self.send(json.dumps({"id": command["id"], **more}).encode() + b"\0")

    def close(self) -> None:
        for descriptor in {self.reads, self.writes} - {-1}:
            os.close(descriptor)
        self.reads = self.writes = -1


@pytest.fixture
def talk(runner):
    """`talk(work)`: what the coroutine function `work` makes of a connection and its peer."""

    async def run(work: Callable[[Connection, Peer], Awaitable[Any]]) -> Any:
        (theirs_in, ours_out), (ours_in, theirs_out) = os.pipe(), os.pipe()
        connection, peer = await Connection.connect(ours_in, ours_out), Peer(theirs_in, theirs_out)
        try:
            async with asyncio.timeout(20):
                return await work(connection, peer)
        finally:
            connection.close()
            peer.close()

    return lambda work: runner.run(run(work))


def test_a_command_and_its_reply(talk):
    async def run(connection, peer):
        asked = connection.root.send("Browser.getVersion", detail="ü")
        command = await peer.command()
        await peer.answer(command, result={"product": "x"})
        return command, await asked

    command, reply = talk(run)
    assert command == {"id": 1, "method": "Browser.getVersion", "params": {"detail": "ü"}}
    assert reply == {"product": "x"}


def test_replies_come_in_any_order_and_messages_in_any_pieces(talk):
    async def run(connection, peer):
        asked = [connection.root.send(f"A.{number}") for number in range(4)]
        ids = [(await peer.command())["id"] for _ in asked]
        texts = [json.dumps({"id": number, "result": {"n": number}}) for number in reversed(ids)]
        whole = "\0".join(texts).encode() + b"\0"
        for at in range(0, len(whole), 7):
            await peer.send(whole[at : at + 7])
        return [each["n"] for each in await asyncio.gather(*asked)] == ids

    assert talk(run)


def test_a_refusal_says_why(talk):
    async def run(connection, peer):
        asked = connection.root.send("A.b")
        await peer.answer(await peer.command(), error={"code": -1, "message": "No such thing"})
        with pytest.raises(ProtocolError, match="No such thing"):
            await asked

    talk(run)


def test_events_go_to_the_handlers_of_their_session(talk):
    async def run(connection, peer):
        found = []
        one, two = connection.session("1"), connection.session("2")
        one.on("A.b", lambda event: found.append(("one", event["n"])))
        two.on("A.b", lambda event: found.append(("two", event["n"])))
        connection.root.on("A.b", lambda event: found.append(("root", event["n"])))
        for number, session in enumerate(["2", "1", "unknown", None]):
            event = {"method": "A.b", "params": {"n": number}}
            await peer.send(
                json.dumps(event | ({"sessionId": session} if session else {})).encode()
            )
            await peer.send(b"\0")
        last = one.send("A.c")
        command = await peer.command()
        await peer.answer(command, result={})
        await last
        return found, command["sessionId"]

    assert talk(run) == ([("two", 0), ("one", 1), ("root", 3)], "1")


def test_what_waits_for_a_session_that_goes_away_fails(talk):
    async def run(connection, peer):
        one, closed = connection.session("1"), []
        one.on("closed", closed.append)
        waiting, other = one.send("A.b"), connection.root.send("A.c")
        commands = [await peer.command() for _ in range(2)]
        gone = {"method": "Target.detachedFromTarget", "params": {"sessionId": "1"}}
        await peer.send(json.dumps(gone).encode() + b"\0")
        for late in (waiting, one.send("A.d")):
            with pytest.raises(ProtocolError, match="closed"):
                await late
        await peer.answer(commands[1], result={"still": "there"})
        return one.closed, len(closed), await other

    assert talk(run) == (True, 1, {"still": "there"})


@pytest.mark.parametrize(
    ("data", "reason"),
    [(None, "the browser has ended"), (b"{]\0", "what is no message"), (b"\xff\0", "no message")],
)
def test_the_end_of_the_browser_is_the_end_of_all_that_waits(data, reason, talk):
    async def run(connection, peer):
        waiting = [connection.root.send("A.b"), connection.session("1").send("A.c")]
        if data is None:
            peer.close()
        else:
            await peer.send(data)
        for each in [*waiting, connection.root.send("A.d")]:
            with pytest.raises(Disconnected, match=reason):
                await each

    talk(run)


def test_a_message_that_does_not_end_is_not_kept(talk):
    async def run(connection, peer):
        waiting = connection.root.send("A.b")
        sending = asyncio.create_task(peer.send(b"x" * (LONGEST + 2**18)))
        with pytest.raises(Disconnected, match="more than 104,857,600 bytes"):
            await waiting
        with pytest.raises(BrokenPipeError):
            await sending

    talk(run)


def test_a_long_message_is_read(talk):
    async def run(connection, peer):
        asked = connection.root.send("A.b")
        await peer.answer(await peer.command(), result={"data": "x" * 20_000_000})
        return len((await asked)["data"])

    assert talk(run) == 20_000_000


def test_a_browser_that_does_not_read_blocks_nobody(talk):
    async def run(connection, peer):
        asked = [connection.root.send("A.b", text="x" * 100_000) for _ in range(50)]
        await asyncio.sleep(0)
        for _ in asked:
            await peer.answer(await peer.command(), result={})
        return len(await asyncio.gather(*asked))

    assert talk(run) == 50


def test_a_reply_that_nobody_waits_for_any_more_is_dropped(talk):
    async def run(connection, peer):
        asked = connection.root.send("A.b")
        asked.cancel()
        await peer.answer(await peer.command(), result={})
        await peer.answer({"id": 999}, result={})
        after = connection.root.send("A.c")
        await peer.answer(await peer.command(), result={"fine": True})
        return await after

    assert talk(run) == {"fine": True}
