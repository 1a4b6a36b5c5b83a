"""Several actions in one reply: an option of every method."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any

import pytest

from agent import agent_spec
from agent.interface import Observation, Reply, ToolCall
from evaluators.episode.several import InTurn, parted


@pytest.mark.parametrize(
    ("text", "first", "rest"),
    [
        ("click [1]", "click [1]", []),
        ("click [1]\nclick [2]", "click [1]", ["click [2]"]),
        ("click [1]\nclick [2]\n\n", "click [1]", ["click [2]"]),
        (
            "Thought: two.\nAction: click [1]\nAction: type [2] [red]",
            "Thought: two.\nAction: click [1]",
            ["Action: type [2] [red]"],
        ),
        (
            "Thought: two.\nAction: click [1]\nselect [2] [b]\nstop []",
            "Thought: two.\nAction: click [1]",
            ["Action: select [2] [b]", "Action: stop []"],
        ),
        ("1. click [1]\n2. click [2]", "1. click [1]", ["click [2]"]),
        ("click [1]\nThen I look.\nclick [2]", "click [1]\nThen I look.\nclick [2]", []),
        ("click [1]\nbuy [2]", "click [1]\nbuy [2]", []),
        ("What now?", "What now?", []),
        ("", "", []),
    ],
)
def test_a_reply_is_parted_only_if_actions_follow_one_another(text, first, rest):
    assert parted(text) == (first, rest)


@dataclass
class Model:
    """A model that gives these replies, and keeps the purposes of its requests."""

    replies: list[Reply]
    asked: list[str] = field(default_factory=list)

    async def ask(self, purpose: str, messages: Any, **options: Any) -> Reply:
        self.asked.append(purpose)
        return self.replies.pop(0)


@dataclass
class Page:
    screen: Observation = field(default_factory=lambda: Observation("http://a/", ""))


def asked(page: Page, model: Model, events: list[str]) -> InTurn:
    return InTurn(model, page, lambda word, text: events.append(f"{word} {text}"))


def test_the_actions_come_one_after_another_without_a_request():
    page, model, events = Page(), Model([Reply(("click [1]\nclick [2]",)), Reply(("stop []",))]), []
    llm = asked(page, model, events)
    replies = [asyncio.run(llm.ask("react/act", [])).text for _ in range(3)]
    assert replies == ["click [1]", "click [2]", "stop []"]
    assert model.asked == ["react/act"] * 2 and events == ["several click [2]"]


@pytest.mark.parametrize(
    "now", [Observation("http://a/", "", error="no such element"), Observation("http://b/", "")]
)
def test_a_failure_or_another_page_is_shown_to_the_model_first(now):
    page, model = Page(), Model([Reply(("click [1]\nclick [2]",)), Reply(("stop []",))])
    llm = asked(page, model, [])
    asyncio.run(llm.ask("react/act", []))
    page.screen = now
    assert asyncio.run(llm.ask("react/act", [])).text == "stop []"


@pytest.mark.parametrize(
    ("purpose", "reply", "options"),
    [
        ("rci/plan", Reply(("click [1]\nclick [2]",)), {}),
        ("react/act", Reply(("click [1]\nclick [2]", "click [3]")), {"n": 2}),
        ("laser/act", Reply(("",), (ToolCall("click", "{}"),)), {}),
    ],
)
def test_other_replies_are_left_as_they_are(purpose, reply, options):
    llm = asked(Page(), Model([reply]), [])
    assert asyncio.run(llm.ask(purpose, [], **options)) == reply


def test_the_option_is_the_engines_for_every_method():
    assert agent_spec.read("react:several=true").takes_several
    assert not agent_spec.read("react").takes_several


def test_an_episode_goes_on_with_the_actions_of_one_reply(quick_harness, tmp_path):
    """A script writes one action a reply, so that with the option nothing changes."""
    one = quick_harness.run("react", "store/buy_item/3", tmp_path / "a", strict=True).record
    other = quick_harness.run(
        "react:several=true", "store/buy_item/3", tmp_path / "b", strict=True
    ).record
    assert (one["llm_calls"], one["success"]) == (other["llm_calls"], other["success"])
