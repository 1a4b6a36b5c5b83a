"""The first requests of `published-code` on the wire, beside those of the released code.

`RELEASED` holds the fields of each request as the released code sends it; a comment names its file.
`DIFFERS` holds the fields that differ here, and docs/methods.md explains them. Not compared are
fields that have the API's default value in the released code and are not sent here: n and
penalties.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterable, Mapping
from contextlib import aclosing, suppress
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from agent import agent_spec
from agent.interface import Element, Message, Reply, Task, Text, ToolCall
from agent.llm.client import Client, Endpoint
from agent.llm.model_source import adapted
from agent.llm.transport.live import Live
from tests.agent.methods.paper_site import HOME, Site, screen
from tests.loopback import Answer, Server, serve

DOCS = Path(__file__).parents[3] / "docs" / "methods.md"
PAGE = "All that is open now"
RESULTS = "search_results/socks/1"
SEARCH = "type [Search products] [socks] [press_enter_after=1]"


class Over(Exception):
    """No reply is left."""


class Wire:
    """A client as the model of a method, for so many requests."""

    def __init__(self, client: Client, left: int) -> None:
        self.client, self.left = client, left

    async def ask(self, purpose: str, messages: Iterable[Message], **given: Any) -> Reply:
        if not self.left:
            raise Over
        self.left -= 1
        return (await self.client.ask(purpose, messages, **given)).reply


def shop() -> Site:
    bar, back = (
        Element(1, "searchbox", "Search products", ""),
        Element(1, "button", "Back to Search"),
    )
    pages = {"home": [screen("home", content=(Text(PAGE), bar))]}
    pages[RESULTS] = [screen(RESULTS, content=(Text(PAGE), back))]
    return Site(pages, {("home", SEARCH): RESULTS, (RESULTS, "click [Back to Search]"): "home"})


def form() -> Site:
    field = Element(1, "textbox", "Username", "", tag="input")
    return Site({"home": [screen("home", content=(Text(PAGE), field))]}, {})


def called(name: str, **arguments: str) -> Answer:
    return Server.says("", calls=(ToolCall(name, json.dumps(arguments)),))


def sent(agent: str, task: Task, replies: Iterable[str | Answer], model: str) -> list[Any]:
    """Play until the replies are used up; the requests that the server received."""
    made = agent_spec.read(agent)
    answers = [Server.says(each) if isinstance(each, str) else each for each in replies]

    async def episode(server: Server) -> None:
        async with aclosing(Live(server.url)) as network:
            client = Client(adapted(network), Endpoint(model, server.url, "key-of-loopback"))
            site = shop() if task.site == "store" else form()
            with suppress(Over):
                await made.module().solve(task, site, Wire(client, len(answers)), made.build())

    with serve() as server:
        server.will(*answers)
        asyncio.run(episode(server))
        return server.requests


SOCKS = Task("store", "find green socks", HOME, "buy_item")
FLIGHT = Task("widgets", "book the flight", HOME, "book-flight")
LOGIN = 'Enter the username "juan" and the password "q" into the text fields and press login.'
WRITTEN = "```\ndef solution(agent, start_from=1):\n    agent.act('{}')\n```"
SEARCHED, SEARCH_FORM = called("Search", keywords="socks"), ["keywords", "max_price"]
PLAYS: dict[str, tuple[str, Task, dict[str, str | Answer], tuple[str, ...]]] = {
    "laser": (
        "laser:published-code",
        SOCKS,
        {
            "think": "one wish",
            "search": SEARCHED,
            "think of results": "two wishes",
            "go back": called("Back_to_Search"),
            "think again": "three wishes",
            "search again": SEARCHED,
        },
        (),
    ),
    "react": (
        "react:published-code",
        SOCKS,
        {"act": "think[one wish]", "act again": "think[two]"},
        ("Here is an example",),
    ),
    "step": (
        "step:published-code",
        FLIGHT,
        {"act": "REASON: so\nACTION: type [1] [plum]", "act again": "ACTION: stop []"},
        ("### Input",),
    ),
    "synapse": (
        "synapse:paper:published-code",
        Task("widgets", LOGIN, HOME, "login-user"),
        {"abstract": "a form", "act": "```\nagent.type('plum')\n```"}
        | {"abstract again": "the form as it is", "act again": "```\npass\n```"},
        ("casey", "edwin", "yvette", "brad", *(f'data-id="{number}"' for number in (1, 2, 5))),
    ),
    "rci": (
        "rci:published-code",
        FLIGHT,
        {"plan": "List\n1. enter plum\n2. stop", "task": "type a plum", "state": "stop []"},
        ("This plan is for another task",),
    ),
    "adaplanner": (
        "adaplanner:published-code",
        FLIGHT,
        {"plan": WRITTEN.format("type [1] [plum]"), "revise": WRITTEN.format("stop []")}
        | {"resume": "1"},
        ("This function is for another task",),
    ),
}
RULES = ("You shop in a web store for somebody",)
CHAT, TEXT = "/v1/chat/completions", "/v1/completions"
MODELS = {"react": "completions/davinci-002"}

# laser_agent.py: OpenAIModel and the instance in indiv_prompt_agent
_LASER = {"path": CHAT, "temperature": 0, "top_p": 1, "max_tokens": 200, "stop": ["\n\n"]}
# laser_agent.py, auxilary_get_action: functions, function_call "auto" unless it is forced
_SEARCH = {**_LASER, "functions": {"Search": SEARCH_FORM}, "function_call": "auto"}
_RESULTS = {"select_item": ["item_id"], "Next": [], "Back_to_Search": []}
# ReAct's WebShop.ipynb, llm and webshop_run
_REACT = {"path": TEXT, "temperature": 0, "top_p": 1, "max_tokens": 100, "stop": ["\n"]}
# src/webagents_step/utils/llm.py, call_openai_llm; construct_llm_message_openai
_STEP = {"path": CHAT, "temperature": 0.3, "top_p": 1}
# synapse/utils/llm.py, generate_response; run_miniwob.py; synapse/agents/miniwob.py, filter and act
_ABSTRACT = {"path": CHAT, "temperature": 0, "stop": ["Action:", "Output:", "State:"]}
_SYNAPSE = {"path": CHAT, "temperature": 0, "stop": ["Observation:"]}
# llm_agent.py, get_response
_RCI = {"path": CHAT, "temperature": 0, "top_p": 1, "max_tokens": 256}
# miniwob++.ipynb, ask
_ADAPLANNER = {"path": CHAT, "temperature": 0, "top_p": 1, "max_tokens": 1400}
RELEASED: dict[str, dict[str, Any]] = {
    # laser_agent.py, indiv_prompt_agent; prompt_library.py
    "laser think": {**_LASER, "layout": "system | user: task page"},
    "laser search": {**_SEARCH, "layout": "system | user: task page last"},
    "laser think of results": {**_LASER, "layout": "system | user: task page"},
    "laser go back": {**_SEARCH, "functions": _RESULTS, "layout": "system | user: task page last"},
    "laser think again": {**_LASER, "layout": "system | user: task page history last"},
    "laser search again": {**_SEARCH, "layout": "system | user: task page history last"},
    # WebShop.ipynb, webshop_run
    "react act": {**_REACT, "layout": "text: example task page"},
    "react act again": {**_REACT, "layout": "text: example task page last"},
    # llm.py, construct_llm_message_openai; prompt_agent.py, previous_history
    "step act": {**_STEP, "layout": "system | examples by system | user: task page"},
    "step act again": {**_STEP, "layout": "system | examples by system | user: task page last"},
    # synapse/agents/miniwob.py, filter and act
    "synapse abstract": {**_ABSTRACT, "layout": "user: example task page"},
    "synapse act": {
        **_SYNAPSE,
        "layout": "system | examples by assistant, user | user: task | user: last",
    },
    "synapse abstract again": {**_ABSTRACT, "layout": "user: example task page"},
    "synapse act again": {
        **_SYNAPSE,
        "layout": "system | examples by assistant, user | user: task | user: history"
        " | assistant: history | user: last",
    },
    # llm_agent.py, initialize_plan, generate_action, update_action
    "rci plan": {**_RCI, "layout": "system | user: page example task"},
    "rci task": {**_RCI, "layout": "system | user: page task last"},
    "rci state": {**_RCI, "layout": "system | user: page task history last"},
    # miniwob++.ipynb and prompt.py: the prompts of the closed loop
    "adaplanner plan": {**_ADAPLANNER, "layout": "user: example page task"},
    "adaplanner revise": {**_ADAPLANNER, "layout": "user: task last"},
    "adaplanner resume": {**_ADAPLANNER, "layout": "user: history last"},
}
_ENDS = ["\n", "\nUser:"]
DIFFERS: dict[str, dict[str, Any]] = {
    "laser think again": {"layout": "system | user: task history last page"},
    "laser search again": {"layout": "system | user: task page last"},
    "react act": {"stop": _ENDS, "layout": "text: rules example task page"},
    "react act again": {"stop": _ENDS, "layout": "text: rules example task page last"},
    "step act": {"top_p": None},
    "step act again": {"top_p": None},
    "synapse abstract": {"stop": ["Task:", "Action:", "Output:", "State:"]},
    "synapse abstract again": {"stop": ["Task:", "Action:", "Output:", "State:"]},
    "rci plan": {"top_p": None, "layout": "system | user: task page example"},
    "rci task": {"top_p": None, "layout": "system | user: task page last"},
    "rci state": {
        "top_p": None,
        "layout": "system | user: task page history | assistant: last | user",
    },
    "adaplanner plan": {"top_p": None, "layout": "system | user: task page example"},
    "adaplanner revise": {"top_p": None, "layout": "system | user: task page last"},
    "adaplanner resume": {"top_p": None, "layout": "user: task history last"},
}
"""The fields that differ here, with our values; docs/methods.md gives the reasons."""
NAMES = {
    "max_completion_tokens": "max_tokens",
    "tools": "functions",
    "tool_choice": "function_call",
}
"""The present names of fields that the released code sends under older names."""


def fields(request: Any, marks: dict[str, tuple[str, ...]]) -> dict[str, Any]:
    body = {NAMES.get(name, name): value for name, value in request.body.items()}
    body.pop("model")
    talk = body.pop("messages", None) or [{"role": "text", "content": body.pop("prompt")}]
    if "functions" in body:
        offered = [each["function"] for each in body["functions"]]
        body["functions"] = {each["name"]: [*each["parameters"]["properties"]] for each in offered}
    return {**body, "path": request.path, "layout": layout(talk, marks)}


def layout(talk: Iterable[Mapping[str, Any]], marks: Mapping[str, tuple[str, ...]]) -> str:
    """The roles of the messages, with what stands in each, in its order."""
    shown = [(str(each["role"]), _found(str(each["content"]), marks)) for each in talk]
    parts = []
    for only, group in groupby(shown, lambda each: each[1] == ["example"]):
        run = [*group]
        by = ", ".join(sorted({role for role, _ in run}))
        lines = [f"{role}: {' '.join(found)}".removesuffix(": ") for role, found in run]
        parts += [f"examples by {by}"] if only else [line for line, _ in groupby(lines)]
    return " | ".join(parts)


def _found(text: str, marks: Mapping[str, tuple[str, ...]]) -> list[str]:
    places = {name: [text.find(w) for w in words if w in text] for name, words in marks.items()}
    return sorted((name for name in places if places[name]), key=lambda name: min(places[name]))


def requests_of(method: str) -> dict[str, dict[str, Any]]:
    agent, task, replies, examples = PLAYS[method]
    received = sent(agent, task, replies.values(), MODELS.get(method, "gpt-x"))
    kept = [_kept(each) for each in replies.values()]
    found = {}
    for at, (name, request) in enumerate(zip(replies, received, strict=True)):
        past = [each for each in kept[:at] if each]
        marks = {"rules": RULES, "task": (task.instruction,), "page": (PAGE,), "example": examples}
        marks |= {"last": tuple(past[-1:]), "history": tuple(past[:-1])}
        found[f"{method} {name}"] = fields(request, marks)
    return found


def _kept(reply: str | Answer) -> str:
    """What later requests show of a reply."""
    text = reply if isinstance(reply, str) else ""
    return next((each for each in ("'plum'", "[plum]", "enter plum") if each in text), text)


@pytest.mark.parametrize("method", PLAYS)
def test_requests_have_the_fields_of_the_released_code_or_a_named_difference(method: str) -> None:
    for name, ours in requests_of(method).items():
        released = RELEASED[name]
        found = {each: ours.get(each) for each in {*ours, *released}}
        assert found == released | DIFFERS.get(name, {}), name


def test_each_difference_is_one_and_stands_in_the_table() -> None:
    page = DOCS.read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+:\S+)` \| `(\w+)` \| .+ \| .+ \|$", page, re.MULTILINE)
    named = {(PLAYS[name.split()[0]][0], field) for name in DIFFERS for field in DIFFERS[name]}
    assert {*rows} == named
    for name, ours in DIFFERS.items():
        assert all(RELEASED[name].get(each) != value for each, value in ours.items()), name
