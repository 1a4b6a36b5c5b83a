"""A client decides, by lines."""

from __future__ import annotations

import asyncio

import pytest

from agent import actions, agent_spec
from agent.interface import AnswerSchema, Click, Element, FormatError, Observation, Task
from agent.methods import outside
from agent.renderings import markers, tree

BUTTON = Observation("http://store.localhost/", "A page", (Element(1, "button", "Buy Now"),))


class Button:
    """A page with one button, which may be pressed once."""

    def __init__(self) -> None:
        self.shown = BUTTON
        self.done = []

    async def observe(self, **_: object) -> Observation:
        return self.shown

    async def act(self, action) -> Observation:
        self.done.append(action)
        self.shown = Observation("http://store.localhost/", "Thank you")
        return self.shown


class Client:
    """Sends lines, and keeps what it is shown."""

    def __init__(self, *lines: str) -> None:
        self.lines, self.texts = list(lines), []

    async def exchange(self, text: str) -> str:
        self.texts.append(text)
        return self.lines.pop(0)


def decided(*lines: str, answer: AnswerSchema | None = None, reasks: int = 10):
    """What came of these lines: the answer, the client, the page and what was reported."""
    client, page, reported = Client(*lines), Button(), []
    task = Task(
        "store",
        "buy it",
        "",
        "buy_item",
        answer,
        record=lambda word, **details: reported.append((word, details["error"])),
    )
    options = outside.Options(reasks=reasks, exchange=client.exchange)
    answered = asyncio.run(outside.solve(task, page, None, options))
    return answered, client, page, reported


def page_of(text: str) -> Observation:
    [page] = markers.unfence(text)
    return tree.parse(page)


def test_a_client_is_shown_task_grammar_and_page_and_then_the_page_that_follows():
    answered, client, page, reported = decided("click [1]", "stop [done]")
    assert (answered, page.done, reported) == ("done", [Click(1)], [])
    first, second = client.texts
    assert first.startswith("Task: buy it\n") and actions.describe(outside.ACTIONS) in first
    assert "It wants no answer" in first
    assert page_of(first).elements[0].name == "Buy Now"
    assert page_of(second).title == "Thank you" and "Task" not in second


def test_what_is_to_be_answered_is_told():
    schema = AnswerSchema("yes_no", "whether it is sold out")
    _, client, _, _ = decided("stop [no]", answer=schema)
    assert "yes or no (whether it is sold out) alone; NOT_FOUND where" in client.texts[0]


def test_whoever_asks_again_gets_the_task_with_the_newest_page():
    _, client, page, _ = decided("click [1]", outside.AGAIN, "stop []")
    text = client.texts[2]
    assert text.startswith("Task: buy it\n") and page_of(text).title == "Thank you"
    assert page.done == [Click(1)]


def test_a_line_that_is_no_action_is_answered_and_touches_nothing():
    answered, client, page, reported = decided("buy it!", "clock [1]", "click [1]", "stop [x]")
    assert (answered, page.done) == ("x", [Click(1)])
    assert "'buy it!' is no action" in client.texts[1] and "click" in client.texts[1]
    assert [word for word, _ in reported] == ["reask", "reask"]
    assert [error for _, error in reported] == client.texts[1:3]


def test_one_such_line_too_many_in_a_row_ends_it():
    with pytest.raises(FormatError, match="'third' is no action"):
        decided("first", "second", "third", reasks=2)
    lines = ("first", "second", "click [1]") * 2
    assert decided(*lines, "stop []", reasks=2)[0] == "", "an action between them begins anew"


def test_it_needs_a_client():
    with pytest.raises(ValueError, match="rehearse mcp"):
        asyncio.run(outside.solve(Task("s", "", "", ""), Button(), None, outside.Options()))
    needing = [name for name in agent_spec.names() if agent_spec.read(name).module().NEEDS_CLIENT]
    assert needing == ["outside"]
