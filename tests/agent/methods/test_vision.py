"""A live model that sees: it finds in the picture what no word of the request tells."""

from __future__ import annotations

import base64
import io
import re
from typing import Any

import pytest

from agent import agent_spec
from agent.llm import messages, model_source
from agent.llm.recording.cassette import Cassette
from evaluators.episode.runner import run_episode
from evaluators.episode.spec import EpisodeSpec, RunContext
from tests.loopback import Body, reply, serve

images = pytest.importorskip("PIL.Image", reason="the extra film is not installed")

COLORS = {"aqua": (0, 255, 255), "blue": (0, 0, 255)}
FRAME = (213, 218, 225)
"""The line around a picture in which places count."""
PAGE = (160, 210)
SEEDS = (1, 2)
"""On which the colour alone tells what is meant."""


def sighted(body: Body) -> str:
    """Clicks on the colour that the instruction names, where the picture shows it."""
    newest = body["messages"][-1]
    words = messages.text_of(newest)
    if "START" in words:
        return "Thought: It is over.\nAction: stop []"
    [wanted] = re.findall(rf"Click on a .*?\b({'|'.join(COLORS)})\b", words)
    [number] = re.findall(r"\[(\d+)\] img 'picture'", words)
    [url] = filter(None, map(messages.url_of, messages.parts(newest)))
    left, top = min(places(url, FRAME))
    x, y = places(url, COLORS[wanted])[0]
    action = f"click_at [{number}] [{x - left - 1},{y - top - 1}]"
    return f"Thought: I see something {wanted}.\nAction: {action}"


def places(url: str, color: tuple[int, int, int]) -> list[tuple[int, int]]:
    """Where the picture has this colour, from its left to its right edge."""
    shot = images.open(io.BytesIO(base64.b64decode(url.partition(",")[2]))).convert("RGB")
    across, down = PAGE
    return [(x, y) for x in range(across) for y in range(down) if shot.getpixel((x, y)) == color]


def play(harness: Any, agent: str, seed: int, folder: Any) -> Any:
    source = model_source.read("live", record=folder / "cassettes")

    async def once():
        async with model_source.connections(source) as live:
            context = RunContext(folder / "run", source, live=live)
            spec = EpisodeSpec(agent_spec.read(agent), f"widgets/click-shape.pixels/{seed}")
            return await run_episode(spec, harness.environments, context)

    return harness.runner.run(once())


@pytest.mark.parametrize("seed", SEEDS)
def test_it_clicks_on_what_is_only_in_the_picture(harness, monkeypatch, tmp_path, seed):
    with serve(lambda body: reply(sighted(body))) as server:
        for name, value in server.environment.items():
            monkeypatch.setenv(name, value)
        record = play(harness, "react:vision=true", seed, tmp_path)
    assert (record.ended, record.success) == ("answered", True), record.error
    first, second = (request.body["messages"] for request in server.requests)
    assert [bool(each) for each in map(picture_of, first)] == [*[False] * (len(first) - 1), True]
    assert messages.text_of(second[len(first) - 1]) == messages.text_of(first[-1])
    assert [place for place, each in enumerate(second) if picture_of(each)] == [len(second) - 1]
    [path] = (tmp_path / "cassettes").rglob("*.jsonl")
    assert [call.request["messages"] for call in Cassette.read(path).calls] == [first, second]


def picture_of(message: Any) -> str | None:
    return next(filter(None, map(messages.url_of, messages.parts(message))), None)
