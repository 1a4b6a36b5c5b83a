"""browser-use, as docs/doors.md runs it, does a task in its own browser; its model is a script."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from typing import Any

import pytest

from agent.browser.chromium import find_chromium
from agent.llm.messages import text_of
from evaluators.server.serve import serve
from scenarios import registry
from tests import loopback
from tests.doors import foreign_python, printed_by
from tests.loopback import Answer, Body, Server
from tests.measuring import HANG
from tests.test_docs import blocks

pytestmark = pytest.mark.usefixtures("unmeasured")
LIMIT = HANG
SCENARIO = "store/buy_item/7"
OFFLINE = {
    "ANONYMIZED_TELEMETRY": "false",
    "BROWSER_USE_CLOUD_SYNC": "false",
    "BROWSER_USE_VERSION_CHECK": "false",
    "TIMEOUT_BrowserStartEvent": "150",
    "TIMEOUT_BrowserLaunchEvent": "120",
}
USAGE = {"prompt_tokens": 90, "completion_tokens": 9, "total_tokens": 99}
Json = dict[str, Any]


def index(page: str, pattern: str) -> int:
    """The number of the first element that the pattern is found in, or in the line below it."""
    lines = page.splitlines()
    for at, line in enumerate(lines):
        found = re.search(r"\[(\d+)\]<", line)
        if found and re.search(pattern, " ".join(lines[at : at + 2])):
            return int(found[1])
    raise LookupError(f"{pattern} in:\n{page}")


def click(pattern: str) -> Callable[[str], list[Json]]:
    return lambda page: [{"click": {"index": index(page, pattern)}}]


def buying() -> Callable[[Body], Answer]:
    """A model that buys what the scenario's solution is, an action a request."""
    gold = registry.scenario(SCENARIO).gold
    searched = {"text": gold["name"]}
    steps = iter(
        [
            lambda page: [
                {"input": {"index": index(page, "Search products|search_input"), **searched}},
                {"send_keys": {"keys": "Enter"}},
            ],
            click(gold["asin"]),
            *(click(rf"type=radio.*{re.escape(each)}") for each in gold["goal_options"].values()),
            click("Buy Now"),
            lambda page: [{"done": {"text": "bought", "success": True}}],
        ]
    )
    """Afterwards it asks whether it has done well, which nobody needs to know."""

    def answer(body: Body) -> Answer:
        step = next(steps, None)
        if step is None:
            return Server.says("{}", usage=USAGE)
        pages = [text for each in body["messages"] if "<browser_state>" in (text := text_of(each))]
        thought = dict.fromkeys(("thinking", "evaluation_previous_goal", "memory", "next_goal"), "")
        written = json.dumps({**thought, "action": step(pages[-1])})
        return Server.says(written, usage=USAGE)

    return answer


def test_it_buys_an_item(tmp_path):
    python = foreign_python("browser_use")
    [block] = [each for each in blocks("doors.md") if each.file == "browser_use_agent.py"]
    (tmp_path / block.file).write_text(block.text, encoding="utf-8")
    with serve(["store"], jailed=True) as served, loopback.serve(buying()) as model:
        assert served.jail is not None
        opened = served.sessions.draw(family="buy_item", seed=7)
        given = {
            "URL": opened.url,
            "INSTRUCTION": opened.scenario.instruction,
            "CHROMIUM": str(find_chromium()),
            "FLAGS": json.dumps(served.jail.flags),
            "HOME": str(tmp_path),
            **model.environment,
            **OFFLINE,
        }
        env = {"PATH": os.environ["PATH"], **given}
        printed = printed_by(python, block.file, env=env, seconds=LIMIT, cwd=tmp_path)
        assert printed.splitlines()[-1:] == ["done bought"], printed
        opened.finish("bought")
        verdict = opened.evaluated()
    assert (verdict["success"], verdict["progress"]) == (True, 1.0)
