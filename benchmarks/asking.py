"""The model's client: answered by a script, recorded, and replayed."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from agent.llm.client import Client, Endpoint
from agent.llm.completion import completion
from agent.llm.recording.cassette import Cassette, CassetteWriter
from agent.llm.recording.replay import Replay
from agent.llm.transport.offline import Recording, Scripted
from benchmarks.measuring import Effort, Row, alternate

CALLS = 15
TURN = 1500
"""Characters of a page as ReAct is shown it."""


async def cassette(quick: bool) -> list[Row]:
    """A dialogue of 15 calls that grows, as ReAct's does: answered, recorded, replayed."""
    with tempfile.TemporaryDirectory() as folder:
        recorded, plain = Path(folder, "recorded.jsonl"), Path(folder, "plain.jsonl")
        effort = Effort(3 if quick else 8, 3)
        timings = await alternate(
            effort,
            partial(_dialogue, Scripted(_say)),
            partial(_recorded, recorded),
            partial(_replayed, recorded),
            partial(_plainly_recorded, plain),
        )
        bare, kept, replayed, naive = (each.median / CALLS for each in timings)
        size = f"file {_kilobytes(recorded)} kB against {_kilobytes(plain)} kB"
    cpu = [each.cpu_each / CALLS for each in timings]
    return [
        Row("scripted call, bare client", "ms", bare, cpu_ms=cpu[0]),
        Row("recorder on top, a call", "ms", kept - bare, naive - bare, 1, cpu[1] - cpu[0],
            cpu[3] - cpu[0], f"naive: every request whole, as a line; {size}"),
        Row("replay on top, a call", "ms", replayed - bare, None, 1, cpu[2] - cpu[0],
            note=f"reading the file included; {replayed:.2f} ms in all"),
    ]  # fmt: skip


async def _dialogue(transport: Any) -> None:
    rng, client = Random("dialogue"), Client(transport, Endpoint("scripted"))
    messages = [{"role": "system", "content": _text(rng, 450)}]
    for _ in range(CALLS):
        messages.append({"role": "user", "content": _text(rng, TURN)})
        exchange = await client.ask("react/act", messages)
        messages.append({"role": "assistant", "content": exchange.reply.text})


def _text(rng: Random, length: int) -> str:
    """Lines like those of a page, different each time."""
    lines = (f"[{number}] button 'Buy {rng.random()}'" for number in range(10, 10 + length // 36))
    return "\n".join(lines)


def _say(purpose: str, body: Mapping[str, Any]) -> dict[str, Any]:
    return completion((f"click[{len(body['messages'])}]",))


async def _recorded(path: Path) -> None:
    writer = CassetteWriter(path, "scripted", {})
    await _dialogue(Recording(Scripted(_say), writer))
    writer.close()


async def _replayed(path: Path) -> None:
    replay = Replay(Cassette.read(path), "again")
    await _dialogue(replay)
    replay.finish()


async def _plainly_recorded(path: Path) -> None:
    with path.open("w", encoding="utf-8") as file:

        def say(purpose: str, body: Mapping[str, Any]) -> dict[str, Any]:
            reply = _say(purpose, body)
            file.write(json.dumps({"request": body, "reply": reply}) + "\n")
            file.flush()
            return reply

        await _dialogue(Scripted(say))


def _kilobytes(path: Path) -> int:
    return path.stat().st_size // 1000
