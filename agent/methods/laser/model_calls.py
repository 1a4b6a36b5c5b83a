"""How LASER asks the model: for a thought, for a function call, for the options of a page.

Its options, and what it remembers: the history, the memory buffer, and the item that is open.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from agent import prompting, renderings
from agent.interface import LLM, Element, Message, Observation, Reply, Task, Text, ToolCall
from agent.llm.asking import ask_for, message, only_call, temperature, tool_call
from agent.methods import check_among, check_least
from agent.methods.laser import state_graph
from agent.methods.laser.state_graph import Function, FunctionCall, State
from agent.prompting import Prompts
from agent.renderings.markers import guard

T = TypeVar("T")
Check = Callable[[Function, Mapping[str, Any], Observation], None]
"""Raises ValueError, in words for the model, for what cannot be carried out on the page."""


@dataclass(frozen=True)
class Options:
    """Defaults are the paper's; the forced choice takes two more transitions, 15 in all.

    `force_after`: transitions before a choice is forced. `backup`: choose from memory then
    (otherwise give up). `functions`: legal functions by the API's function calls, else described
    in the prompt and answered in JSON. `one_shot`: one example pair in every prompt. `history`:
    shown at every step, or only on coming back to the first state. `details`: of a detail page.
    `open_cost`: transitions that opening an item counts. `reopen`: how the backup gets to its
    item. `temperature`: the released code's; -1 leaves it to the model. `reasks`: for replies that
    cannot be carried out.
    """

    force_after: int = 13
    backup: bool = True
    functions: bool = True
    one_shot: bool = False
    history: str = "all"
    details: str = "whole"
    open_cost: int = 1
    reopen: str = "address"
    temperature: float = 0.0
    reasks: int = 2
    prompts: Path = prompting.FOLDER

    def __post_init__(self) -> None:
        check_among(self, history=("all", "search"), details=("whole", "first line"))
        check_among(self, reopen=("address", "search"))
        check_least(self, force_after=0, open_cost=0, reasks=0)


@dataclass
class MemoryItem:
    title: str
    price: str
    address: str


@dataclass
class Memory:
    """`history` holds all thoughts and calls, `buffer` the examined items by their key.

    `item` is the key of the item that is open ("" for none), `sections` the texts of its detail
    pages that were read, `target` the target item details.
    """

    history: list[str] = field(default_factory=list)
    buffer: dict[str, MemoryItem] = field(default_factory=dict)
    item: str = ""
    sections: dict[str, str] = field(default_factory=dict)
    target: Mapping[str, Any] = field(default_factory=dict)

    def open(self, item: str) -> None:
        """Another item is open, or none; none of its detail pages was read."""
        self.item, self.sections = item, {}

    def add(self, kind: str, what: object) -> None:
        """Add a "Rationale" or an "Action" to the history; each pair of them has a number."""
        self.history.append(f"{kind}{len(self.history) // 2}: {what}")

    def extended(self, observation: Observation) -> Observation:
        """The page with the texts of its detail pages below it."""
        lines = [
            Text(line)
            for name, text in self.sections.items()
            for line in (f"{name}:", *text.split("\n"))
        ]
        content: tuple[Element | Text, ...] = (*observation.content, *lines)
        return Observation(observation.url, observation.title, content, observation.dialog)


@dataclass(frozen=True)
class ModelCalls:
    """The calls of one episode; requests show the memory. `first_state` is the graph's."""

    task: Task
    llm: LLM
    options: Options
    prompts: Prompts
    first_state: str
    memory: Memory

    async def think(self, state: State, observation: Observation, advice: str) -> str:
        """The thought call: free text, no functions. Adds it to the history."""
        system = self.prompts.say("thought", layout=state.layout, advice=advice)
        situation = self._situation(observation, history=self._history(state))
        messages = [message("system", system), *self._example(state, "rationale"), situation]
        sampling = temperature(self.options.temperature)
        reply = await self.llm.ask("laser/thought", messages, temperature=sampling)
        thought = re.sub(r"(?i)^(rationale|feedback)\s*\d*\s*:\s*", "", reply.text.strip())
        self.task.record("think", thought)
        self.memory.add("Rationale", thought)
        return thought

    def _history(self, state: State) -> str:
        """All thoughts and calls; the published code shows them on the first page, once."""
        if self.options.history != "all" and state.name != self.first_state:
            return ""
        shown = "\n".join(self.memory.history)
        if self.options.history != "all":
            self.memory.history.clear()
        return shown

    async def call(
        self,
        purpose: str,
        state: State,
        observation: Observation,
        thought: str,
        check: Check = state_graph.check_targets,
    ) -> FunctionCall:
        """The action call: one of the state's functions, as it can be carried out on this page.

        Raises FormatError where no reply was one.
        """
        tools = [each.tool for each in state.functions]
        only = state.functions[0].name if len(state.functions) == 1 else None
        settings: dict[str, Any] = {"tools": tools, "tool": only}
        described = ""
        if not self.options.functions:
            settings, described = {}, "\n".join(map(_as_json, state.functions))
        system = self.prompts.say("act", layout=state.layout, functions=described)
        situation = self._situation(observation, rationale=thought)
        example = self._example(state, purpose.partition("/")[2])

        def parse(reply: Reply) -> FunctionCall:
            called = reply if self.options.functions else _from_json(reply)
            name, arguments = only_call(called, tools)
            function = next(each for each in state.functions if each.name == name)
            check(function, arguments, observation)
            return FunctionCall(function, arguments)

        messages = [message("system", system), *example, situation]
        return await self._ask(purpose, messages, parse, **settings)

    async def option_types(
        self, state: State, observation: Observation, parse: Callable[[Reply], list[str]]
    ) -> list[str]:
        """The customisation call: the names of the page's options, as text."""
        system = self.prompts.say("option_types", layout=state.layout)
        example = self._example(state, "option-types")
        messages = [message("system", system), *example, self._situation(observation)]
        return await self._ask("laser/option-types", messages, parse)

    async def _ask(
        self, purpose: str, messages: list[Message], parse: Callable[[Reply], T], **settings: Any
    ) -> T:
        return await ask_for(
            self.llm,
            purpose,
            messages,
            parse,
            reasks=self.options.reasks,
            on_reask=partial(self.task.record, "reask"),
            temperature=temperature(self.options.temperature),
            **settings,
        )

    def _situation(
        self, observation: Observation, *, history: str = "", rationale: str = ""
    ) -> Message:
        shown = renderings.get(self.prompts.rendering).render(self.memory.extended(observation))
        target = self.memory.target if self.memory.item else {}
        text = self.prompts.say(
            "situation",
            instruction=self.task.instruction,
            history=history,
            observation=guard(shown),
            error=observation.error or "",
            target="\n".join(f"{name}: {value}" for name, value in target.items()),
            rationale=rationale,
        )
        return message("user", text)

    def _example(self, state: State, what: str) -> list[Message]:
        """The pair of input and output that the one-shot ablation puts into every prompt."""
        example = self.prompts.data.get("examples", {}).get(state.name)
        if not self.options.one_shot or example is None:
            return []
        asked, answer = example["situation"], example.get(what)
        if answer is None:
            return []
        if isinstance(answer, str):
            return [message("user", asked.strip()), message("assistant", answer.strip())]
        asked = f"{asked}\nRationale: {example['rationale']}"
        return [message("user", asked.strip()), *self._called(answer)]

    def _called(self, answer: Mapping[str, Any]) -> list[Message]:
        if not self.options.functions:
            return [message("assistant", json.dumps(answer, ensure_ascii=False))]
        call = tool_call("example", ToolCall(answer["action"], json.dumps(answer["arguments"])))
        return [
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "example", "content": "Done."},
        ]


def _as_json(function: Function) -> str:
    """The function as text, for models that cannot call any."""
    properties = function.schema["properties"].items()
    arguments = {name: schema.get("description", "") for name, schema in properties}
    shown = {"name": function.name, "purpose": function.description, "arguments": arguments}
    return json.dumps(shown, ensure_ascii=False)


def _from_json(reply: Reply) -> Reply:
    """A reply in JSON as the function call that it stands for."""
    found = re.search(r"\{.*\}", reply.text, re.DOTALL)
    try:
        value = json.loads(found[0] if found else reply.text)
        name, arguments = value["action"], value.get("arguments", {})
    except (ValueError, KeyError, TypeError, RecursionError, AttributeError):
        raise ValueError(
            'answer with nothing but JSON such as {"action": "name", "arguments": {}}'
        ) from None
    return Reply((reply.text,), (ToolCall(str(name), json.dumps(arguments)),))
