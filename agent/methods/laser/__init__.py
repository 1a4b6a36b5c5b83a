"""LASER (Ma et al. 2023, section 2): explore a web task as a small graph of states.

In every state the model first writes a thought, given the history of all thoughts and calls, and
then calls one of the functions that are legal in that state. A memory buffer keeps the items that
the agent examined and did not buy. When the transitions are spent, the model chooses the best item
from the buffer (the backup).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from agent import prompting
from agent.interface import (
    LLM,
    Action,
    Click,
    Element,
    FormatError,
    Goto,
    Observation,
    Page,
    Reply,
    Task,
    Text,
)
from agent.methods.laser import calculator, page_map, state_graph
from agent.methods.laser.model_calls import Memory, MemoryItem, ModelCalls, Options
from agent.methods.laser.state_graph import Function, FunctionCall, Graph, State, choices
from agent.prompting import BadPrompt

TRANSITION_STEPS = 8
"""The highest number of actions within one transition between states: opening an item (1), opening
and leaving each of three detail pages (6), and one for an option of the item to buy.
"""


def budget(standard: Any, options: Options) -> Any:
    """Return the budget of an episode: the standard one, or a larger one if all transitions
    together can take more.

    Args:
        standard: The budget that other methods get.
        options: The options of the method; `force_after` limits the number of transitions.
    """
    steps = max(standard.steps, TRANSITION_STEPS * (options.force_after + 2))
    return replace(standard, steps=steps, calls=max(standard.calls, 8 * steps))


@dataclass
class AgentState:
    """The state of one attempt: its page, graph, memory, model calls and number of transitions."""

    task: Task
    page: Page
    options: Options
    graph: Graph
    memory: Memory
    model: ModelCalls
    transitions: int = 0


def check_prompts(site: str, folder: Path) -> None:
    """Raise `BadPrompt` if the site has no graph of states or its graph cannot be read.

    Args:
        site: The name of the site, such as `store`.
        folder: The folder that holds the prompts of all methods.
    """
    path = folder / "laser" / f"{site}.toml"
    if not path.is_file():
        raise BadPrompt(
            f"laser has no graph of states for {site}, and none fits every site: no {path}",
            "write one (docs/adding.md, Its state graph), or choose another agent",
        )
    prompting.load("laser", site, folder)


async def solve(task: Task, page: Page, llm: LLM, options: Options) -> str:
    """Explore the state graph until the model stops, a state ends the task, or the transitions are
    spent. Returns the answer, "" for a task without an answer.
    """
    prompts = prompting.load("laser", options.graph or task.site, options.prompts)
    page = page_map.of(page, task.site, options.graph or task.site)
    prompts.check(task.family)
    graph, memory = state_graph.read(prompts), Memory()
    model = ModelCalls(task, llm, options, prompts, graph.states[0].name, memory)
    agent = AgentState(task, page, options, graph, memory, model)
    observation = await page.observe()
    while True:
        state, observation = await _recognise(agent, observation)
        if state.final:
            return ""
        if _is_spent(agent):
            await _force_choice(agent)
            return ""
        try:
            thought = await agent.model.think(state, observation, state.advice)
            call = await _choose(agent, state, observation, thought)
            if stop := state_graph.ends(call.actions):
                return stop.answer
            observation = await _perform(agent, state, call, observation, thought)
        except FormatError as error:
            if not _can_choose(agent):
                raise
            task.record("unreadable", str(error))
            await _force_choice(agent)
            return ""


def _is_spent(agent: AgentState) -> bool:
    """Return whether the transitions are used up, so that the agent must choose an item now. The
    published code first lets it decide about an open item.
    """
    waits = agent.options.published and bool(agent.memory.item)
    return agent.transitions >= agent.options.force_after and not waits


def _can_choose(agent: AgentState) -> bool:
    """Return whether the agent may buy an examined item (the backup) if the model's replies cannot
    be read. The published code does not allow this.
    """
    asked = agent.options.backup and not agent.options.published
    return asked and bool(agent.memory.buffer)


async def _recognise(agent: AgentState, observation: Observation) -> tuple[State, Observation]:
    """Return the state in the graph that matches the page, and the page. If the graph does not know
    the page, go back to the start page first.
    """
    state = agent.graph.at(observation)
    if state is None:
        agent.task.record("state", "unknown", url=observation.url)
        agent.transitions += 1
        observation = await agent.page.act(Goto(agent.task.start_url))
        state = agent.graph.at(observation) or agent.graph.states[0]
    agent.task.record("state", state.name, transitions=agent.transitions)
    if not any(each.detail_page for each in state.functions):
        agent.memory.open("")
    state = state.without(agent.memory.sections).taking(observation.notes)
    return calculator.offered(state) if agent.options.calculator else state, observation


async def _choose(
    agent: AgentState, state: State, observation: Observation, thought: str
) -> FunctionCall:
    """Return the model's function call. If the call opens an item that was examined before, ask the
    model a second time.
    """
    call = await _act(agent, state, observation, thought)
    remember = call.function.remember
    if remember and call.arguments[remember.key] in agent.memory.buffer:
        agent.task.record("duplicate", str(call))
        thought = agent.model.prompts.say("examined_before")
        call = await agent.model.call("laser/act", state, observation, thought)
    if agent.options.verify and call.function.options_at_commit:
        call = await _verified(agent, state, observation, thought, call)
    agent.memory.add("Action", call)
    return call


async def _verified(
    agent: AgentState, state: State, observation: Observation, thought: str, call: FunctionCall
) -> FunctionCall:
    """Return the model's function call after feedback on a purchase: does the item match the
    instruction in everything? (Appendix C proposes such a module, and the released code has prompts
    for it that it does not use.)
    """
    prompts = agent.model.prompts
    proposed = prompts.say("proposed", rationale=thought, action=str(call))
    feedback = await agent.model.feedback(state, observation, proposed)
    reasons = prompts.say("reconsidered", proposed=proposed, feedback=feedback)
    return await _act(agent, state, observation, reasons)


async def _act(
    agent: AgentState, state: State, observation: Observation, thought: str
) -> FunctionCall:
    """Return a function call of the model. If no call can be read, the published code buys the open
    item.
    """
    try:
        return await agent.model.call("laser/act", state, observation, thought)
    except FormatError:
        buy = state.behaving("options_at_commit")
        if buy is None or not agent.options.published:
            raise
        return FunctionCall(buy, {})


async def _perform(
    agent: AgentState, state: State, call: FunctionCall, observation: Observation, thought: str = ""
) -> Observation:
    """Execute a function call, count it as a transition between states, and return the new page;
    reading a detail page, taking a note or calculating does not count.
    """
    function = call.function
    if function is calculator.CALCULATE:
        agent.memory.tell(calculator.result(call.arguments["expression"]))
        agent.task.record("calculated", agent.memory.history[-1])
        return observation
    if function is state_graph.NOTING:
        return await _acted(agent, call.actions, observation)
    if function.detail_page:
        return await _read_detail(agent, function, call.actions)
    agent.transitions += 1
    agent.task.record("transition", str(call), state=state.name)
    if function.target:
        agent.memory.target = dict(call.arguments)
    if function.options_at_commit:
        return await _commit(agent, state, call, observation, thought)
    observation = await _acted(agent, call.actions, observation)
    if function.remember and not observation.error:
        _remember(agent, call, observation)
    return observation


async def _acted(
    agent: AgentState, steps: Sequence[Action], observation: Observation
) -> Observation:
    """Execute the actions in order, up to the first that fails, and return the last observation."""
    for step in steps:
        observation = await agent.page.act(state_graph.placed(step, observation))
        if observation.error:
            break
    return observation


def _remember(agent: AgentState, call: FunctionCall, observation: Observation) -> None:
    """Store the item that the call opened in the memory buffer of examined items, with
    its address.
    """
    remember = call.function.remember
    assert remember is not None
    title, price = remember.read(observation)
    key = str(call.arguments[remember.key])
    agent.memory.open(key)
    offered = {kind: [each.name for each in group] for kind, group in choices(observation).items()}
    options = [f"{kind}: {', '.join(names)}" for kind, names in offered.items()]
    item = MemoryItem(title, price, observation.url, options, agent.memory.sections)
    agent.memory.buffer[key] = item
    agent.task.record("browse", key, title=title, price=price)


async def _read_detail(
    agent: AgentState, function: Function, steps: Sequence[Action]
) -> Observation:
    """Open a detail page, keep its text (the published code keeps only the first line) and come
    back.
    """
    look, back = steps
    memory = agent.memory
    agent.task.record("detail", function.detail_page)
    memory.sections[function.detail_page] = "None"
    observation = await agent.page.act(look)
    if observation.error:
        return observation
    item = memory.buffer.get(memory.item)
    headings = {function.detail_page, item.title.casefold() if item else ""}
    text = _text_after(observation, str(getattr(back, "target", "")), headings)
    shown = text[:1] if agent.options.published else text
    memory.sections[function.detail_page] = "\n".join(shown) or "None"
    return await agent.page.act(back)


def _text_after(observation: Observation, button: str, headings: set[str]) -> list[str]:
    """Return the lines of a page below a button, without headings that repeat the name of the page
    or item.
    """
    names = [node.name if isinstance(node, Element) else node.text for node in observation.content]
    start = names.index(button) + 1 if button in names else 0
    return [name for name in names[start:] if name and name.casefold() not in headings]


async def _commit(
    agent: AgentState, state: State, call: FunctionCall, observation: Observation, thought: str
) -> Observation:
    """Click each option value that the model chooses, then execute the function that buys the item.
    If the values cannot be read, the item is bought without them: the model decided to buy it.
    """
    try:
        values = await _values(agent, state, call.function, observation, thought)
    except FormatError as error:
        agent.task.record("unreadable", str(error))
        values = {}
    for kind, value in values.items():
        observation = await _click_option(agent, kind, value, observation)
        if observation.error:
            return observation
    return await _acted(agent, call.actions, observation)


async def _values(
    agent: AgentState, state: State, function: Function, observation: Observation, thought: str
) -> Mapping[str, str]:
    """Return the model's value for each option of the page; a schema made for these options
    constrains it.

    The values follow from the rationale for buying. In the published code, the model first names
    the options and writes a rationale for their values. This rationale is also requested if there
    was no thought.
    """
    published = agent.options.published
    offered = list(choices(observation))
    kinds = await _option_types(agent, state, observation) if published else offered
    agent.task.record("options", ", ".join(kinds))
    if not kinds:
        return {}
    if published or not thought:
        advice = agent.model.prompts.say("decide_options")
        thought = await agent.model.think(state, observation, advice)
    names = state_graph.argument_names(observation)
    named = {kind: names[kind] for kind in kinds}
    buying = replace(state, functions=(_buying(function, named),), spent=())
    check = _anything if published else state_graph.check_choices
    chosen = await agent.model.call("laser/options", buying, observation, thought, check)
    agent.memory.add("Action", chosen)
    return {kind: chosen.arguments[name] for kind, name in named.items()}


def _anything(
    function: Function, arguments: Mapping[str, object], observation: Observation
) -> None:
    """Accept all arguments of a function call. The published code does so, and later ignores a
    value that the page does not offer.
    """


async def _option_types(agent: AgentState, state: State, observation: Observation) -> list[str]:
    offered = {kind.casefold(): kind for kind in choices(observation)}

    def parse(reply: Reply) -> list[str]:
        listed = reply.text.strip().rstrip(".").rpartition(":")[2]
        named = [name.strip() for name in listed.split(",")]
        if [name.casefold() for name in named] == ["none"]:
            return []
        unknown = [name for name in named if name.casefold() not in offered]
        if unknown:
            known = ", ".join(offered.values()) or "None"
            raise ValueError(f"{unknown[0][:80]!r} is no option of this page; it has {known}")
        return [offered[name.casefold()] for name in dict.fromkeys(named)]

    return await agent.model.option_types(state, observation, parse)


def _buying(function: Function, named: Mapping[str, str]) -> Function:
    """Return a copy of the function that buys, with one required argument for each option of the
    item.
    """
    properties = {
        name: {"type": "string", "description": f"the value of {kind}, as its button reads"}
        for kind, name in named.items()
    }
    schema = {"properties": properties, "required": list(properties)}
    description = function.with_options or function.description
    return Function(function.name, description, (), function.next, schema)


async def _click_option(
    agent: AgentState, kind: str, value: str, observation: Observation
) -> Observation:
    """Click a value of a product option (`kind`, such as "color") and return the page; an empty
    value leaves the option unchanged.
    """
    for element in choices(observation).get(kind, ()):
        if element.name.casefold() == value.casefold() and "checked" not in element.states:
            return await agent.page.act(Click(element.id))
    return observation


async def _force_choice(agent: AgentState) -> None:
    """Let the model choose an examined item when the transitions are spent, then open and buy it.
    The model sees everything that was kept of each item; in the published code it sees title and
    price.
    """
    agent.task.record("forced", transitions=agent.transitions)
    opening = agent.graph.behaving("remember")
    if not agent.options.backup or opening is None:
        return
    if not agent.memory.buffer:
        agent.task.record("backup", "nothing was examined, so nothing is bought")
        return
    agent.memory.item = ""
    state = next(each for each in agent.graph.states if opening in each.functions)
    whole = not agent.options.published
    layout = agent.model.prompts.say("examined_layout", details=whole)
    state, listing = replace(state, functions=(opening,), layout=layout), _listing(agent, whole)
    best = await _best(agent, state, listing)
    agent.memory.add("Action", best)
    await _buy_again(agent, opening, best)


async def _best(agent: AgentState, state: State, listing: Observation) -> FunctionCall:
    """Return the model's choice among the listed items; the first of them if no choice can be read,
    as in the released code, because the choice is forced.
    """
    thought = await agent.model.think(state, listing, agent.model.prompts.say("decide_best"))
    try:
        return await agent.model.call("laser/backup", state, listing, thought)
    except FormatError as error:
        agent.task.record("unreadable", str(error))
    [opening] = state.functions
    assert opening.remember is not None
    return FunctionCall(opening, {opening.remember.key: next(iter(agent.memory.buffer))})


async def _buy_again(agent: AgentState, opening: Function, best: FunctionCall) -> None:
    assert opening.remember is not None
    key = str(best.arguments[opening.remember.key])
    agent.task.record("backup", key)
    observation = await _reopen(agent, opening, key)
    state, buy = agent.graph.at(observation), agent.graph.behaving("options_at_commit")
    if state is None or buy not in state.functions or observation.error:
        agent.task.record("backup", f"{key} was not found again, so nothing is bought")
        return
    assert buy is not None
    agent.memory.open(key)
    await _perform(agent, state, FunctionCall(buy, {}), observation)


def _listing(agent: AgentState, whole: bool) -> Observation:
    """Return an artificial page of results that lists the items of the memory buffer with all kept
    lines (`whole`), or with title and price.
    """
    content: list[Element | Text] = []
    for number, (key, item) in enumerate(agent.memory.buffer.items(), start=1):
        lines = item.kept if whole else [item.title, item.price]
        content += [Element(number, "link", key), *map(Text, lines)]
    return Observation(agent.task.start_url, "Examined", tuple(content))


async def _reopen(agent: AgentState, opening: Function, key: str) -> Observation:
    """Open an examined item again: by its address, or, in the published code, by searching for its
    title.
    """
    item = agent.memory.buffer[key]
    agent.transitions += 1
    agent.task.record("transition", f"open {key} again")
    if not agent.options.published:
        return await agent.page.act(Goto(item.address))
    search = next(each for each in agent.graph.functions.values() if each.target)
    assert opening.remember is not None
    steps = [
        Goto(agent.task.start_url),
        *search.fill({search.schema["required"][0]: item.title}),
        *opening.fill({opening.remember.key: key}),
    ]
    return await _acted(agent, steps, Observation("", ""))
