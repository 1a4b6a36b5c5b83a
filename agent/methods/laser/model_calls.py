"""LASER's model calls: for a thought, for a function call, and for the options of a page.

This module also holds the method's options and its memory: the history, the memory buffer and the
open item.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from agent import prompting, renderings
from agent.interface import LLM, Element, Message, Observation, Reply, Task, Text, ToolCall
from agent.llm import written_calls
from agent.llm.asking import ask_for, message, only_call, sampling, tool_call
from agent.methods import check_among, check_least
from agent.methods.laser import state_graph
from agent.methods.laser.state_graph import Function, FunctionCall, State
from agent.prompting import Prompts
from agent.renderings import buttons
from agent.renderings.markers import guard

T = TypeVar("T")
Check = Callable[[Function, Mapping[str, Any], Observation], None]
"""A check of a function call against the page. Raises ValueError, with a message for the model, if
the call cannot be executed.
"""


@dataclass(frozen=True)
class Options:
    """Options of LASER. Defaults follow the paper; the forced choice takes two more transitions, 15
    in total.

    Args:
        force_after: The number of transitions before a choice is forced.
        backup: Choose from memory when the choice is forced; otherwise give up.
        functions: Offer the legal functions as the API's function calls; otherwise describe them in
            the prompt and ask for JSON.
        one_shot: Put one example pair into every prompt.
        published: Do what the released code does if it differs from the paper; the docstrings say
            how, and docs/laser.md lists all differences.
        target: The target item details of a request about an open item: the arguments of the last
            search (`search`, table 6), or the instruction, which then is not shown above the page.
        calculator: Offer a calculator in every state.
        verify: Before a purchase ask for feedback on it, and act by the feedback (appendix C).
        reasks: How often to ask again after a reply that cannot be executed.
        temperature, top_p, max_tokens: Sent with every request; -1 leaves `top_p` to the model, 0
            sets no limit of tokens.
        graph: The site whose graph is used, through a map of pages; "" means the task's own site.
        prompts: The folder of the prompt files.

    Raises:
        ValueError: A number is too low, `target` names no such details, or `graph` names no graph
            that can be used elsewhere.
    """

    force_after: int = 13
    backup: bool = True
    functions: bool = True
    one_shot: bool = False
    published: bool = False
    target: str = "search"
    calculator: bool = False
    verify: bool = False
    reasks: int = 2
    temperature: float = 0.0
    top_p: float = -1.0
    max_tokens: int = 0
    graph: str = ""
    prompts: Path = prompting.FOLDER

    def __post_init__(self) -> None:
        check_among(self, graph=("", "store"), target=("search", "instruction"))
        check_least(self, force_after=0, reasks=0, temperature=-1, top_p=-1, max_tokens=0)

    @property
    def sampling(self) -> dict[str, Any]:
        """The sampling parameters of every request, as a dict; the published code ends a reply at a
        blank line.
        """
        stop = "\n\n" if self.published else ""
        return sampling(self.temperature, top_p=self.top_p, max_tokens=self.max_tokens, stop=stop)


@dataclass
class MemoryItem:
    """An examined item.

    Attributes:
        title: The title of the item.
        price: The price as the page shows it; "" if it shows none.
        address: The URL of the item's page.
        options: One line for each option, with its values.
        sections: The texts of the detail pages that were read, by name.
        rationale: The last thought that the model wrote on the item's page.
    """

    title: str
    price: str
    address: str
    options: Sequence[str] = ()
    sections: Mapping[str, str] = field(default_factory=dict)
    rationale: str = ""

    @property
    def kept(self) -> list[str]:
        """The lines of text that are kept of the item: title, price, options, detail pages and the
        last thought.
        """
        read = [f"{name}: {' '.join(text.split())}" for name, text in self.sections.items()]
        last = f"examined: {' '.join(self.rationale.split())}" if self.rationale else ""
        return [self.title, self.price, *self.options, *read, *([last] if last else [])]


@dataclass
class Memory:
    """The memory of an attempt.

    Attributes:
        history: All thoughts and calls, oldest first.
        buffer: The examined items by their key.
        item: The key of the open item; "" if no item is open.
        sections: The texts of the open item's detail pages that were read, by name.
        target: The arguments of the last search (the target item details).
    """

    history: list[str] = field(default_factory=list)
    buffer: dict[str, MemoryItem] = field(default_factory=dict)
    item: str = ""
    sections: dict[str, str] = field(default_factory=dict)
    target: Mapping[str, Any] = field(default_factory=dict)

    def open(self, item: str) -> None:
        """Set the key of the open item ("" for none) and forget which detail pages were read."""
        self.item, self.sections = item, {}

    def note(self, rationale: str) -> None:
        """Store the last rationale about the open item with that item."""
        if self.item in self.buffer:
            self.buffer[self.item].rationale = rationale

    def add(self, kind: str, what: object) -> None:
        """Add a numbered line to the history: a thought ("Rationale") or a function call
        ("Action").
        """
        self.history.append(f"{kind}{len(self.history) // 2}: {what}")

    def tell(self, result: str) -> None:
        """Add the result of the last function call to its line in the history."""
        self.history[-1] += f" = {result}"

    def extended(self, observation: Observation) -> Observation:
        """Return the page of the open item with the texts of its detail pages that were read
        appended.
        """
        lines = [
            Text(line)
            for name, text in self.sections.items()
            for line in (f"{name}:", *text.split("\n"))
        ]
        content: tuple[Element | Text, ...] = (*observation.content, *lines)
        url, title, dialog = observation.url, observation.title, observation.dialog
        return Observation(url, title, content, dialog, notes=observation.notes)


@dataclass(frozen=True)
class ModelCalls:
    """The model calls of one episode. Requests show the memory; `first_state` is the name of the
    graph's first state.
    """

    task: Task
    llm: LLM
    options: Options
    prompts: Prompts
    first_state: str
    memory: Memory

    async def think(self, state: State, observation: Observation, advice: str) -> str:
        """Ask for a thought: free text, without functions. Adds it to the history and returns it.

        Args:
            state: The state of the page.
            observation: The page.
            advice: A text of the prompt file that says what to think about.
        """
        system = self.prompts.say("thought", layout=state.layout, advice=advice)
        situation = self._situation(state, observation, history=self._history(state))
        messages = [message("system", system), *self._example(state, "rationale"), situation]
        reply = await self.llm.ask("laser/thought", messages, **self.options.sampling)
        thought = _without_label(reply.text)
        self.task.record("think", thought)
        self.memory.add("Rationale", thought)
        self.memory.note(thought)
        return thought

    def _history(self, state: State) -> str:
        """Return the history of thoughts and function calls as text. The published code shows it in
        the graph's first state only, and then clears it.
        """
        if self.options.published and state.name != self.first_state:
            return ""
        shown = "\n".join(self.memory.history)
        if self.options.published:
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
        """Ask for a call of one of the state's functions that can be executed on this page.

        Args:
            purpose: The purpose of the request, such as `laser/act`.
            state: The state of the page; its functions are offered.
            observation: The page.
            thought: The rationale that the request shows.
            check: A check of the call against the page.

        Raises:
            FormatError: No reply was such a call.
        """
        tools = [each.tool for each in state.functions]
        settings: dict[str, Any] = {"tools": tools, "tool": self._forced(state)}
        described = ""
        if not self.options.functions:
            settings, described = {}, "\n".join(map(_as_json, state.functions))
        system = self.prompts.say("act", layout=state.layout, functions=described)
        situation = self._situation(state, observation, rationale=thought)
        example = self._example(state, purpose.partition("/")[2])

        def parse(reply: Reply) -> FunctionCall:
            called = _written_call(reply) if self.options.functions else _from_json(reply)
            if way := self._way_out(state, called):
                return FunctionCall(way, {})
            name, arguments = only_call(called, tools)
            function = next(each for each in state.functions if each.name == name)
            check(function, arguments, observation)
            return FunctionCall(function, arguments)

        messages = [message("system", system), *example, situation]
        return await self._ask(purpose, messages, parse, **settings)

    def _forced(self, state: State) -> str | None:
        """Return the name of the function that must be called: a state's only one. The published
        code forces none in the graph's first state.
        """
        names = [each.name for each in state.functions]
        free = self.options.published and state.name == self.first_state
        return names[0] if len(names) == 1 and not free else None

    def _way_out(self, state: State, called: Reply) -> Function | None:
        """Return the function that leaves the item if the model calls a detail page that it has
        read already, as the published code does; otherwise None.
        """
        names = [each.name for each in called.calls]
        repeated = names in [[each.name] for each in state.spent]
        return state.named(state.leave) if repeated and self.options.published else None

    async def feedback(self, state: State, observation: Observation, proposed: str) -> str:
        """Ask for feedback on a proposed action: free text, without functions. Returns it, and
        keeps it of the open item.

        Args:
            state: The state of the page.
            observation: The page.
            proposed: The rationale and the action.
        """
        system = self.prompts.say("feedback", layout=state.layout)
        situation = self._situation(state, observation, rationale=proposed)
        messages = [message("system", system), situation]
        reply = await self.llm.ask("laser/feedback", messages, **self.options.sampling)
        feedback = _without_label(reply.text)
        self.task.record("feedback", feedback)
        self.memory.note(feedback)
        return feedback

    async def option_types(
        self, state: State, observation: Observation, parse: Callable[[Reply], list[str]]
    ) -> list[str]:
        """Ask the model for the names of the page's product options, and return the reply as parsed
        by `parse`.
        """
        system = self.prompts.say("option_types", layout=state.layout)
        example = self._example(state, "option-types")
        messages = [message("system", system), *example, self._situation(state, observation)]
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
            **self.options.sampling,
            **settings,
        )

    def _situation(
        self, state: State, observation: Observation, *, history: str = "", rationale: str = ""
    ) -> Message:
        shown = self.memory.extended(state.shown(observation))
        if self.prompts.data.get("without_frame"):
            shown = buttons.without_frame(shown, self.task.instruction)
        target = self._target()
        text = self.prompts.say(
            "situation",
            instruction="" if target == self.task.instruction else self.task.instruction,
            history=history,
            observation=guard(renderings.get(self.prompts.rendering).render(shown)),
            error=observation.error or "",
            target=target,
            rationale=rationale,
        )
        return message("user", text)

    def _target(self) -> str:
        """Return the target item details, for requests about an open item (table 6): the arguments
        of the last search, or the instruction; "" if no item is open.
        """
        if not self.memory.item:
            return ""
        if self.options.target == "instruction":
            return self.task.instruction
        return "\n".join(f"{name}: {value}" for name, value in self.memory.target.items())

    def _example(self, state: State, what: str) -> list[Message]:
        """Return the two example messages, input and output, of the one-shot ablation; empty if the
        state has no example or the option is off.
        """
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


def _without_label(text: str) -> str:
    """Return a text without the label that the model wrote before it, such as `Rationale 2:`."""
    return re.sub(r"(?i)^(rationale|feedback)\s*\d*\s*:\s*", "", text.strip())


def _as_json(function: Function) -> str:
    """Return a function's description as JSON text, for models without function calls."""
    properties = function.schema["properties"].items()
    arguments = {name: schema.get("description", "") for name, schema in properties}
    shown = {"name": function.name, "purpose": function.description, "arguments": arguments}
    return json.dumps(shown, ensure_ascii=False)


def _written_call(reply: Reply) -> Reply:
    """Return the reply with a function call that it wrote as JSON text, which the released code
    accepts; the reply itself if it has none.
    """
    try:
        return reply if reply.calls else _from_json(reply)
    except ValueError:
        return reply


def _from_json(reply: Reply) -> Reply:
    """Return a JSON reply as the function call that it describes. Raises ValueError if it describes
    none.
    """
    calls = written_calls.read(reply.text)
    if not calls:
        raise ValueError('answer with nothing but JSON such as {"action": "name", "arguments": {}}')
    return Reply((reply.text,), calls)
