"""LASER (Ma et al. 2023): a web task as the exploration of a small graph of states.

In every state the model first thinks, with the history of all thoughts and actions, and then calls
one of the functions that are legal there. What was examined and not bought is kept in a memory
buffer; when the transitions are spent, the best of it is chosen (the backup). Section 3.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from agent import prompting
from agent.interface import (
    LLM,
    Action,
    Click,
    Element,
    Goto,
    Observation,
    Page,
    Reply,
    Task,
    Text,
)
from agent.methods.laser import state_graph
from agent.methods.laser.memory import AgentState, FunctionCall, MemoryItem
from agent.methods.laser.state_graph import Function, State

HISTORIES, DETAILS, WAYS = ("all", "search"), ("whole", "first line"), ("address", "search")


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
        for name, known in (("history", HISTORIES), ("details", DETAILS), ("reopen", WAYS)):
            if getattr(self, name) not in known:
                raise ValueError(f"{name}={getattr(self, name)} is none of {', '.join(known)}")
        for name in ("force_after", "open_cost", "reasks"):
            if getattr(self, name) < 0:
                raise ValueError(f"{name}={getattr(self, name)} is below 0")


async def solve(task: Task, page: Page, llm: LLM, options: Options) -> str:
    prompts = prompting.load("laser", task.site, options.prompts)
    prompts.check(task.family)
    walk = AgentState(task, page, llm, options, prompts, state_graph.read(prompts))
    observation = await page.observe()
    while True:
        state, observation = await _recognise(walk, observation)
        if state.final:
            return ""
        if walk.transitions >= options.force_after:
            await _force_choice(walk)
            return ""
        thought = await walk.think(state, observation, state.advice)
        move = await _choose(walk, state, observation, thought)
        if stop := state_graph.ends(move.actions):
            return stop.answer
        observation = await _perform(walk, state, move, observation)


async def _recognise(walk: AgentState, observation: Observation) -> tuple[State, Observation]:
    """The state of a page. One that the graph does not know is left for the start page."""
    state = walk.graph.at(observation)
    if state is None:
        walk.task.record("state", "unknown", url=observation.url)
        walk.transitions += 1
        observation = await walk.page.act(Goto(walk.task.start_url))
        state = walk.graph.at(observation) or walk.graph.states[0]
    walk.task.record("state", state.name, transitions=walk.transitions)
    if not any(each.detail_page for each in state.functions):
        walk.at, walk.sections = "", {}
    return state.without(walk.sections), observation


async def _choose(
    walk: AgentState, state: State, observation: Observation, thought: str
) -> FunctionCall:
    """The action call; once more where it opens what was examined before."""
    move = await walk.call("laser/act", state, observation, thought)
    remember = move.function.remember
    if remember and move.arguments[remember.key] in walk.memory:
        walk.task.record("duplicate", str(move))
        thought = walk.prompts.say("examined_before", rationale=thought)
        move = await walk.call("laser/act", state, observation, thought)
    walk.done(move)
    return move


# Carry it out -------------------------------------------------------------------------------------


async def _perform(
    walk: AgentState, state: State, move: FunctionCall, observation: Observation
) -> Observation:
    """Carry a function out and count the transition that it is; a detail page is none."""
    function = move.function
    if function.detail_page:
        return await _read_detail(walk, function, move.actions)
    walk.transitions += walk.options.open_cost if function.remember else 1
    walk.task.record("transition", str(move), state=state.name)
    if function.target:
        walk.target = dict(move.arguments)
    if function.options_at_commit:
        return await _commit(walk, state, move, observation)
    observation = await _acted(walk, move.actions, observation)
    if function.remember and not observation.error:
        _remember(walk, move, observation)
    return observation


async def _acted(
    walk: AgentState, steps: Sequence[Action], observation: Observation
) -> Observation:
    """All actions one after the other, up to the first that fails."""
    for step in steps:
        observation = await walk.page.act(step)
        if observation.error:
            break
    return observation


def _remember(walk: AgentState, move: FunctionCall, observation: Observation) -> None:
    """Put what was opened into the memory buffer, with its address."""
    remember = move.function.remember
    assert remember is not None
    title, price = remember.read(observation)
    walk.at, walk.sections = str(move.arguments[remember.key]), {}
    walk.memory[walk.at] = MemoryItem(title, price, observation.url)
    walk.task.record("browse", walk.at, title=title, price=price)


async def _read_detail(
    walk: AgentState, function: Function, steps: Sequence[Action]
) -> Observation:
    """Look at a detail page, keep what it says, and come back."""
    look, back = steps
    walk.task.record("detail", function.detail_page)
    walk.sections[function.detail_page] = "None"
    observation = await walk.page.act(look)
    if observation.error:
        return observation
    item = walk.memory.get(walk.at)
    headings = {function.detail_page, item.title.casefold() if item else ""}
    text = _text_after(observation, str(getattr(back, "target", "")), headings)
    shown = text[:1] if walk.options.details == "first line" else text
    walk.sections[function.detail_page] = "\n".join(shown) or "None"
    return await walk.page.act(back)


def _text_after(observation: Observation, button: str, headings: set[str]) -> list[str]:
    """The lines below a button, but for headings that repeat where one is."""
    names = [node.name if isinstance(node, Element) else node.text for node in observation.content]
    start = names.index(button) + 1 if button in names else 0
    return [name for name in names[start:] if name and name.casefold() not in headings]


# Buy ----------------------------------------------------------------------------------------------


async def _commit(
    walk: AgentState, state: State, move: FunctionCall, observation: Observation
) -> Observation:
    """Options first: their types, a schema made for them, their values, a click each."""
    kinds = await _option_types(walk, state, observation)
    walk.task.record("options", ", ".join(kinds))
    if kinds:
        thought = await walk.think(state, observation, walk.prompts.say("decide_options"))
        buying = replace(state, functions=(_buying(move.function, kinds),))
        chosen = await walk.call(
            "laser/options", buying, observation, thought, state_graph.check_choices
        )
        walk.done(chosen)
        for kind, value in chosen.arguments.items():
            observation = await _click_option(walk, kind, value, observation)
            if observation.error:
                return observation
    return await _acted(walk, move.actions, observation)


async def _option_types(walk: AgentState, state: State, observation: Observation) -> list[str]:
    offered = {kind.casefold(): kind for kind in state_graph.choices(observation)}

    def parse(reply: Reply) -> list[str]:
        said = [name.strip() for name in reply.text.strip().rstrip(".").split(",")]
        if [name.casefold() for name in said] == ["none"]:
            return []
        unknown = [name for name in said if name.casefold() not in offered]
        if unknown:
            known = ", ".join(offered.values()) or "None"
            raise ValueError(f"{unknown[0][:80]!r} is no option of this page; it has {known}")
        return [offered[name.casefold()] for name in dict.fromkeys(said)]

    return await walk.names(state, observation, parse)


def _buying(function: Function, kinds: Sequence[str]) -> Function:
    """The function with a required argument for each option of this item."""
    properties = {
        kind: {"type": "string", "description": f"the value of {kind}, as its button reads"}
        for kind in kinds
    }
    schema = {"properties": properties, "required": list(kinds)}
    return Function(function.name, function.description, (), function.next, schema)


async def _click_option(
    walk: AgentState, kind: str, value: str, observation: Observation
) -> Observation:
    """Choose a value; an empty one leaves the option alone."""
    for element in state_graph.choices(observation).get(kind, ()):
        if element.name.casefold() == value.casefold() and "checked" not in element.states:
            return await walk.page.act(Click(element.id))
    return observation


# The backup ---------------------------------------------------------------------------------------


async def _force_choice(walk: AgentState) -> None:
    """The transitions are spent: choose from what was examined, open it, buy it."""
    walk.task.record("forced", transitions=walk.transitions)
    opening = walk.graph.behaving("remember")
    if not walk.options.backup or opening is None:
        return
    if not walk.memory:
        walk.task.record("backup", "nothing was examined, so nothing is bought")
        return
    walk.at = ""
    state = next(each for each in walk.graph.states if opening in each.functions)
    state, listing = replace(state, functions=(opening,)), _listing(walk)
    thought = await walk.think(state, listing, walk.prompts.say("decide_best"))
    best = await walk.call("laser/backup", state, listing, thought)
    walk.done(best)
    await _buy_again(walk, opening, best)


async def _buy_again(walk: AgentState, opening: Function, best: FunctionCall) -> None:
    assert opening.remember is not None
    key = str(best.arguments[opening.remember.key])
    walk.task.record("backup", key)
    observation = await _reopen(walk, opening, key)
    state, buy = walk.graph.at(observation), walk.graph.behaving("options_at_commit")
    if state is None or buy not in state.functions or observation.error:
        walk.task.record("backup", f"{key} was not found again, so nothing is bought")
        return
    assert buy is not None
    walk.at, walk.sections = key, {}
    await _perform(walk, state, FunctionCall(buy, {}), observation)


def _listing(walk: AgentState) -> Observation:
    """A made-up page of results: the memory buffer."""
    content: list[Element | Text] = []
    for number, (key, item) in enumerate(walk.memory.items(), start=1):
        content += [Element(number, "link", key), Text(item.title), Text(item.price)]
    return Observation(walk.task.start_url, "Examined", tuple(content))


async def _reopen(walk: AgentState, opening: Function, key: str) -> Observation:
    """Back to an item: by its remembered address, or by a search for its title."""
    item = walk.memory[key]
    walk.transitions += 1
    walk.task.record("transition", f"open {key} again")
    if walk.options.reopen == "address":
        return await walk.page.act(Goto(item.address))
    search = next(each for each in walk.graph.functions.values() if each.target)
    assert opening.remember is not None
    steps = [
        Goto(walk.task.start_url),
        *search.fill({search.schema["required"][0]: item.title}),
        *opening.fill({opening.remember.key: key}),
    ]
    return await _acted(walk, steps, Observation("", ""))
