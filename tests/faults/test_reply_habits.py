"""Replies in the habits of real models, from a server: read as they were meant, or re-asked."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from agent.interface import Click, Reply
from agent.llm.asking import ask_for
from agent.llm.client import Client, Endpoint
from agent.llm.transport.live import Live
from agent.methods.anticipatory_reflection import parsing
from agent.methods.anticipatory_reflection.parsing import Assessment
from agent.methods.react.action_formats import FORMATS
from agent.methods.step import turns
from agent.methods.step.policy_library import Policy
from tests.each import for_each
from tests.loopback import Server

HELLO = [{"role": "user", "content": "hello"}]
FILL = Policy("fill_passenger", "fill_passenger [title, names, gender]: fills it in", "1. Look.")
VERBS = ("click", "type", "stop")


def step(reply: Reply) -> object:
    made = turns.read(reply, {FILL.name: FILL}, VERBS)
    return made.text if made.move is FILL else made.move


def react(reply: Reply) -> object:
    return FORMATS["webarena"].read(reply, VERBS).action


READERS: dict[str, Callable[[Reply], Any]] = {
    "step": step,
    "react": react,
    "reflection": partial(parsing.action, offered=VERBS),
    "check": parsing.check,
    "align": parsing.alignment,
    "assess": parsing.assessment,
    "answer": parsing.answer,
    "plan": parsing.plan,
}
CLICKS = (
    "Action: click(12)",
    "Action: click 12",
    "Action: click [12] # the search button",
    "Action: click [12], where the flights are searched",
    "Action: ```click [12]```",
    "Action:\n```\nclick [12]\n```",
    "My next action is ```click [12]```, since the form is filled in.",
    "In summary, the next action I will perform is click [12]",
    "Action: click [id=12]",
    "Action: click [12] [button 'Search']",
    "Action: **click [12]**",
    "<think>click [3]? No.</think>Action: click [12]</s>",
    "I could click [3].\n</think>\n\nAction: click [12]<|im_end|>",
    "click [3]<|end|><|start|>assistant<|channel|>final<|message|>Action: click [12]<|return|>",
    '<tool_call>{"name": "click", "arguments": {"id": 12}}</tool_call>',
    "```\nclick [12]\n```",
)
READ = [
    *((reader, text, Click(12)) for reader in ("step", "react", "reflection") for text in CLICKS),
    (
        "step",
        "REASON: so\nACTION: fill_passenger [Ms] [Gemma] [Female]",
        "fill_passenger [Ms, Gemma, Female]",
    ),
    ("react", "Thought: so\\nAction: click [12]\\n", Click(12)),
    ("check", "Yes, done", True),
    ("check", "No, the step is not done yet.", False),
    ("check", "The search was made, so the step is done: yes.", True),
    ("check", "**Yes**\nThe booking is shown.", True),
    ("check", "Yes, no further action is needed.", True),
    ("align", "The action is to click X. YES", Assessment("The action is to click X.", True)),
    ("align", "The action is to click X: no", Assessment("The action is to click X", False)),
    ("align", "The action is to click X.\nYes.", Assessment("The action is to click X.", True)),
    (
        "assess",
        "The action is to click X.\nServed: Yes, Step done: yes, Task done: no",
        Assessment("The action is to click X.", True, True, False),
    ),
    ("answer", "### Answer\n42", "42"),
    ("answer", "###Answer: 42", "42"),
    ("answer", "So it is this.\n### Answer: 42", "42"),
    ("answer", "**Answer:** 42", "42"),
    ("plan", "Step 1: Open it.\nStep 2: Press Save.", ["Open it.", "Press Save."]),
    ("plan", "List\n**Step 1:** Open it.\n2. Press Save.", ["Open it.", "Press Save."]),
]  # fmt: skip
UNCLEAR = [
    *(
        (reader, text, "is no action")
        for reader in ("step", "react", "reflection")
        for text in (
            "Action: click [12] and click [13]",
            "Either `click [12]` or `click [13]`",
            "Action: click the search button",
            "I would search.",
            "<think>Action: click [3]",
        )
    ),
    ("check", "Yes and no.", "neither YES nor NO"),
    ("check", "No items are left, as they should be", "neither YES nor NO"),
    ("check", "No, wait: YES", "neither YES nor NO"),
    ("answer", "I would answer 42", "there is no ###Answer"),
    ("plan", "First open it, then press Save.", "no numbered list"),
]


@pytest.fixture
def ask(runner, model: Server):
    """`ask(reader)`: what the reader makes of the model's replies, re-asked twice at most."""

    async def once(reader: str) -> Any:
        live = Live(model.url)
        client = Client(live, Endpoint("m", model.url, "k"))

        class Llm:
            async def ask(self, purpose: str, messages: Any, **options: Any) -> Reply:
                return (await client.ask(purpose, messages, **options)).reply

        try:
            return await ask_for(Llm(), "test/act", HELLO, READERS[reader])
        finally:
            await live.aclose()

    return lambda reader: runner.run(once(reader))


@pytest.mark.wide
@for_each(("reader", "text", "meant"), READ)
def test_a_habit_with_one_reading_is_read(ask, model, reader, text, meant):
    model.requests.clear()
    model.will(Server.says(text))
    assert ask(reader) == meant
    assert len(model.requests) == 1


CLEAR = {
    "check": ("YES", True),
    "answer": ("###Answer 42", "42"),
    "plan": ("List\n1. Open it.", ["Open it."]),
}


@for_each(("reader", "text", "why"), UNCLEAR)
def test_a_habit_with_none_or_two_is_asked_again(ask, model, reader, text, why):
    clear, meant = CLEAR.get(reader, ("Action: click [12]", Click(12)))
    model.requests.clear()
    model.will(Server.says(text), Server.says(clear))
    assert ask(reader) == meant
    complaint = model.requests[1].body["messages"][-1]["content"]
    assert why in complaint
    assert "<think>" not in str(model.requests[1].body["messages"])
    assert "hover" not in complaint, "only what was offered"
