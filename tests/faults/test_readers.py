"""A model that reads everything meets the limits of its method, not those of the episode."""

from __future__ import annotations

import re
from typing import Any

import pytest

from agent.interface import ToolCall
from tests.faults.test_model_server import deep
from tests.loopback import Answer, Body, Server

TABS = ("Description", "Features", "Reviews")


def reads_everything(opened: list[str]) -> Any:
    """Opens one item after the other, reads all their tabs, and buys none of them."""

    def answer(body: Body) -> Answer:
        tools = {tool["function"]["name"]: tool["function"] for tool in body.get("tools", ())}
        if not tools:
            return Server.says("None")
        name = next(name for name in (*TABS, "select_item", "Prev", *tools) if name in tools)
        return Server.says("", calls=(_call(name, body, opened),))

    return answer


def writes_prose_about_items(opened: list[str]) -> Any:
    """Calls functions everywhere but on an item's page, where it only says what it would do."""

    def answer(body: Body) -> Answer:
        tools = [tool["function"]["name"] for tool in body.get("tools", ())]
        if not tools or "Features" in tools:
            return Server.says("The action is to buy it. YES")
        return Server.says("", calls=(_call(tools[0], body, opened),))

    return answer


def _call(name: str, body: Body, opened: list[str]) -> ToolCall:
    """A call with an item that was not opened yet, or with empty values."""
    if name == "Search":
        return ToolCall(name, {"keywords": "lamp"})
    if name != "select_item":
        tools = {tool["function"]["name"]: tool["function"] for tool in body["tools"]}
        return ToolCall(name, dict.fromkeys(tools[name]["parameters"].get("required", ()), ""))
    shown = re.findall(r"\bB0[A-Z0-9]{8}\b", str(body["messages"][-1]["content"]))
    fresh = [code for code in shown if code not in opened] or shown
    opened.append(fresh[0])
    return ToolCall(name, {"item_id": fresh[0]})


@pytest.mark.wide
@pytest.mark.parametrize("seed", [0, *map(deep, range(1, 20))])
def test_laser_comes_to_its_forced_choice_and_buys_from_memory(run_one, model, seed):
    opened: list[str] = []
    model.answering = reads_everything(opened)
    record = run_one("laser", seed)
    assert record["ended"] == "answered", record["error"]
    assert record["events"]["forced"] == 1 and record["events"]["backup"] == 1
    assert len(set(opened)) == 6, "13 transitions: a search, then six items and the way back"
    assert record["events"]["detail"] == 3 * 6
    assert record["steps"] > 30, "more than the standard budget"


def test_laser_buys_from_memory_where_replies_cannot_be_read(run_one, model):
    opened: list[str] = []
    model.answering = writes_prose_about_items(opened)
    record = run_one("laser", 0)
    assert record["ended"] == "answered", record["error"]
    assert record["events"]["unreadable"] == record["events"]["forced"] == 1
    assert record["events"]["reask"] == 2 and record["events"]["backup"] == 1
    assert len(set(opened)) == 1 and record["events"]["transition"] == 4, "opened again, bought"
