"""A walk through a state graph: where it is, what it remembers, and how it asks the model."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from agent import renderings
from agent.interface import (
    LLM,
    Action,
    Element,
    Message,
    Observation,
    Page,
    Reply,
    Task,
    Text,
    ToolCall,
)
from agent.llm.asking import ask_for, only_call, temperature
from agent.methods.laser import state_graph
from agent.methods.laser.state_graph import Function, Graph, State
from agent.prompting import Prompts
from agent.renderings.markers import guard

if TYPE_CHECKING:
    from agent.methods.laser import Options

T = TypeVar("T")


@dataclass
class MemoryItem:
    """An item of the memory buffer."""

    title: str
    price: str
    address: str
    rationale: str = ""


@dataclass(frozen=True)
class FunctionCall:
    """A function with its arguments, checked against its schema and the page."""

    function: Function
    arguments: Mapping[str, Any]

    @property
    def actions(self) -> list[Action]:
        return self.function.fill(self.arguments)

    def __str__(self) -> str:
        return f"{self.function.name}({json.dumps(self.arguments, ensure_ascii=False)})"


Check = Callable[[Function, Mapping[str, Any], Observation], None]
"""Raises ValueError, in words for the model, for what cannot be carried out on the page."""


@dataclass
class AgentState:
    """`at` is the key of the item that is open and `sections` is what its detail pages say;
    `target` are the target item details."""

    task: Task
    page: Page
    llm: LLM
    options: Options
    prompts: Prompts
    graph: Graph
    transitions: int = 0
    history: list[str] = field(default_factory=list)
    memory: dict[str, MemoryItem] = field(default_factory=dict)
    at: str = ""
    sections: dict[str, str] = field(default_factory=dict)
    target: Mapping[str, Any] = field(default_factory=dict)

    async def think(self, state: State, observation: Observation, advice: str) -> str:
        """The thought call: free text, no functions."""
        system = self.prompts.say("thought", layout=state.layout, advice=advice)
        situation = self._situation(observation, history=self._shown_history(state))
        messages = [_message("system", system), *self._example(state, "rationale"), situation]
        reply = await self.llm.ask(
            "laser/thought", messages, temperature=temperature(self.options.temperature)
        )
        thought = re.sub(r"(?i)^(rationale|feedback)\s*\d*\s*:\s*", "", reply.text.strip())
        self.task.record("think", thought)
        self.history.append(f"Rationale{len(self.history) // 2}: {thought}")
        if self.at:
            self.memory[self.at].rationale = thought
        return thought

    def done(self, move: FunctionCall) -> None:
        self.history.append(f"Action{len(self.history) // 2}: {move}")

    def _shown_history(self, state: State) -> str:
        """All thoughts and actions; the published code shows them on the first page, once."""
        if self.options.history == "all":
            return "\n".join(self.history)
        if state.name != self.graph.states[0].name:
            return ""
        shown = "\n".join(self.history)
        self.history.clear()
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
        given: dict[str, Any] = {}
        if self.options.functions:
            given = {"tools": tools, "tool": _only(state.functions)}
        described = "" if self.options.functions else _described(state.functions)
        system = self.prompts.say("act", layout=state.layout, functions=described)
        situation = self._situation(observation, rationale=thought)
        example = self._example(state, purpose.partition("/")[2])

        def parse(reply: Reply) -> FunctionCall:
            spoken = reply if self.options.functions else _from_json(reply)
            name, arguments = only_call(spoken, tools)
            function = next(each for each in state.functions if each.name == name)
            check(function, arguments, observation)
            return FunctionCall(function, arguments)

        return await self.ask(
            purpose, [_message("system", system), *example, situation], parse, **given
        )

    async def names(
        self, state: State, observation: Observation, parse: Callable[[Reply], list[str]]
    ) -> list[str]:
        """The customisation call: which options the page has, as text."""
        system = self.prompts.say("option_types", layout=state.layout)
        example = self._example(state, "option-types")
        messages = [_message("system", system), *example, self._situation(observation)]
        return await self.ask("laser/option-types", messages, parse)

    async def ask(
        self, purpose: str, messages: Sequence[Message], parse: Callable[[Reply], T], **given: Any
    ) -> T:
        """What `parse` makes of the reply; asked again as often as the options say."""
        heard = partial(self.task.record, "reask")
        return await ask_for(
            self.llm,
            purpose,
            messages,
            parse,
            reasks=self.options.reasks,
            on_reask=heard,
            temperature=temperature(self.options.temperature),
            **given,
        )

    def _situation(
        self, observation: Observation, *, history: str = "", rationale: str = ""
    ) -> Message:
        shown = renderings.get(self.prompts.rendering).render(self._extended(observation))
        target = self.target if self.at else {}
        return _message(
            "user",
            self.prompts.say(
                "situation",
                instruction=self.task.instruction,
                history=history,
                observation=guard(shown),
                error=observation.error or "",
                target="\n".join(f"{name}: {value}" for name, value in target.items()),
                rationale=rationale,
            ),
        )

    def _extended(self, observation: Observation) -> Observation:
        """The page with what its detail pages said beneath it."""
        lines = [
            Text(line)
            for name, text in self.sections.items()
            for line in (f"{name}:", *text.split("\n"))
        ]
        content: tuple[Element | Text, ...] = (*observation.content, *lines)
        return Observation(observation.url, observation.title, content, observation.dialog)

    def _example(self, state: State, what: str) -> list[Message]:
        """The pair of input and output that the one-shot ablation puts into every prompt."""
        told = self.prompts.data.get("examples", {}).get(state.name)
        if not self.options.one_shot or told is None:
            return []
        asked, answer = told["situation"], told.get(what)
        if answer is None:
            return []
        if isinstance(answer, str):
            return [_message("user", asked), _message("assistant", answer)]
        asked = f"{asked}\nRationale: {told['rationale']}"
        return [_message("user", asked), *self._called(answer)]

    def _called(self, answer: Mapping[str, Any]) -> list[Message]:
        if not self.options.functions:
            return [_message("assistant", json.dumps(answer, ensure_ascii=False))]
        call = {"name": answer["action"], "arguments": json.dumps(answer["arguments"])}
        calls = [{"id": "example", "type": "function", "function": call}]
        return [
            {"role": "assistant", "content": None, "tool_calls": calls},
            {"role": "tool", "tool_call_id": "example", "content": "Done."},
        ]


def _message(role: str, text: str) -> Message:
    return {"role": role, "content": text.strip()}


def _only(functions: Sequence[Function]) -> str | None:
    """The function that must be called, where there is only one."""
    return functions[0].name if len(functions) == 1 else None


def _described(functions: Sequence[Function]) -> str:
    """The functions as text, for models that cannot call any."""
    return "\n".join(json.dumps(_told(each), ensure_ascii=False) for each in functions)


def _told(function: Function) -> dict[str, Any]:
    about = function.schema["properties"].items()
    arguments = {name: told.get("description", "") for name, told in about}
    return {"name": function.name, "purpose": function.description, "arguments": arguments}


def _from_json(reply: Reply) -> Reply:
    """A reply in JSON as the function call that it stands for."""
    text = re.sub(r"^```(?:json)?\s*|\s*```$", "", reply.text.strip())
    try:
        value = json.loads(text)
        name, arguments = value["action"], value.get("arguments", {})
    except (ValueError, KeyError, TypeError, RecursionError, AttributeError):
        raise ValueError(
            'answer with nothing but JSON such as {"action": "name", "arguments": {}}'
        ) from None
    return Reply((reply.text,), (ToolCall(str(name), json.dumps(arguments)),))
