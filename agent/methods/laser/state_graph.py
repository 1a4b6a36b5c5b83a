"""A state graph as data: which pages there are, and what may be done on each (LASER, section 2).

A prompt file with `[[states]]` and `[functions]` is a graph. A state is recognised by the path of
the page's address and, where one address has several screens, by a line that it shows; its
functions have a JSON schema for the model and actions of our grammar in which `{name}` stands for
an argument. Three behaviours can be switched on for a function:
`remember` (what it opens goes into the memory buffer), `detail_page` (look and come back) and
`options_at_commit` (choose the options of the page before its last action).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any
from urllib.parse import urlsplit

from agent import actions
from agent.interface import Action, Element, Note, Observation, Stop, Text
from agent.offered import NOTE, NOTES
from agent.prompting import BadPrompt, Prompts

_PLACE = re.compile(r"\{(\w+)\}")
_CHOICE_ROLES = ("radio", "option", "checkbox")


@dataclass(frozen=True)
class Remember:
    """How what a function opens is remembered: under which argument, and what of the page.

    `title` is matched with the page's title and `price` with its lines; the first group counts.
    """

    key: str
    title: str = "(.*)"
    price: str = "(?!)"

    def read(self, observation: Observation) -> tuple[str, str]:
        """Title and price, "" for what the page does not show."""
        lines = observation.text.split("\n")
        return _first(self.title, [observation.title]), _first(self.price, lines)


def _first(pattern: str, lines: Iterable[str]) -> str:
    found = (re.fullmatch(pattern, line) for line in lines)
    return next((match[1] for match in found if match), "")


@dataclass(frozen=True)
class Function:
    """Something that may be done in a state.

    `parameters` is its JSON schema. `target`: its arguments are the target item details.
    `detail_page` names the section under which the page that it shows is kept. `with_options` is
    its description where the values of options are its arguments.
    """

    name: str
    description: str
    actions: tuple[Action, ...]
    next: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    target: bool = False
    remember: Remember | None = None
    detail_page: str = ""
    options_at_commit: bool = False
    with_options: str = ""

    @property
    def schema(self) -> dict[str, Any]:
        empty = {"type": "object", "properties": {}, "additionalProperties": False}
        return {**empty, **self.parameters}

    @property
    def tool(self) -> dict[str, Any]:
        """As the API takes it."""
        schema = {"name": self.name, "description": self.description, "parameters": self.schema}
        return {"type": "function", "function": schema}

    def fill(self, arguments: Mapping[str, Any]) -> list[Action]:
        """Its actions with these arguments; an action for which none was given is left out."""
        return [_filled(action, arguments) for action in self.actions if _given(action, arguments)]

    def read(self, steps: Iterable[Action], observation: Observation) -> dict[str, str] | None:
        """The arguments with which its actions are these; None where the first is none of them.

        Steps that are no action of it are passed over. The way back from a detail page is
        nothing that the function is for.
        """
        left = list(self.actions[:1] if self.detail_page else self.actions)
        found: dict[str, str] = {}
        for number, step in enumerate(steps):
            known = self._read_one(_by_name(step, observation), left)
            if known is None and number == 0:
                return None
            found |= known or {}
        return found

    def _read_one(self, named: Action, left: list[Action]) -> dict[str, str] | None:
        """The arguments of the first of the templates that fits, which is then used up."""
        for template in left:
            found = _matched(template, named)
            if found is not None and self._fits(found):
                left.remove(template)
                return found
        return None

    def _fits(self, arguments: Mapping[str, str]) -> bool:
        known = self.schema["properties"]
        return all(re.search(known[name].get("pattern", ""), arguments[name]) for name in arguments)


NOTING = Function(
    NOTE,
    NOTES.meaning,
    (Note("{text}"),),
    next="",
    parameters={"properties": {"text": {"type": "string"}}, "required": ["text"]},
)
"""What may be done in every state where notes are kept; it is no transition."""


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


@dataclass(frozen=True)
class State:
    """A kind of page. One without functions ends the task.

    `path` is a pattern in the address, `shows` one in the page's text, `^` and `$` at its lines.
    `hides` are elements that no function of it uses, which are not shown. `leave` names the
    function that leads away where nothing else can be done, `spent` are the functions whose detail
    pages were read.
    """

    name: str
    path: str
    shows: str = ""
    layout: str = ""
    advice: str = ""
    functions: tuple[Function, ...] = ()
    hides: Sequence[str] = ()
    leave: str = ""
    spent: tuple[Function, ...] = ()

    @property
    def final(self) -> bool:
        return not self.functions

    def fits(self, observation: Observation) -> bool:
        """Whether this is the state of a page."""
        placed = re.search(self.path, urlsplit(observation.url).path)
        return bool(placed and re.search(self.shows, observation.text, re.MULTILINE))

    def shown(self, observation: Observation) -> Observation:
        """The page without what no function of this state uses."""
        content = tuple(
            node
            for node in observation.content
            if not (isinstance(node, Element) and node.name in self.hides)
        )
        return replace(observation, content=content)

    def without(self, sections: Iterable[str]) -> State:
        """The state without the detail pages that were read."""
        read = set(sections)
        spent = tuple(each for each in self.functions if each.detail_page in read)
        left = tuple(each for each in self.functions if each not in spent)
        return replace(self, functions=left, spent=spent)

    def taking(self, notes: Sequence[str] | None) -> State:
        """The state with the function for notes, where these are kept."""
        if notes is None or self.final:
            return self
        return replace(self, functions=(*self.functions, NOTING))

    def named(self, name: str) -> Function | None:
        """The function of this state with that name."""
        return next((each for each in self.functions if each.name == name), None)

    def behaving(self, behaviour: str) -> Function | None:
        """The first function of this state with this behaviour."""
        return next((each for each in self.functions if getattr(each, behaviour)), None)


@dataclass(frozen=True)
class Graph:
    """States in the order in which they are tried; the first is where a task begins."""

    states: tuple[State, ...]

    def at(self, observation: Observation) -> State | None:
        """The state of a page, None where the graph knows none."""
        return next((each for each in self.states if each.fits(observation)), None)

    @cached_property
    def functions(self) -> dict[str, Function]:
        return {each.name: each for state in self.states for each in state.functions}

    def behaving(self, behaviour: str) -> Function | None:
        """The first function with this behaviour."""
        return next((each for each in self.functions.values() if getattr(each, behaviour)), None)


def read(prompts: Prompts) -> Graph:
    """The graph of a prompt file. Raises `BadPrompt`."""
    try:
        known = {name: _function(name, table) for name, table in prompts.data["functions"].items()}
        states = tuple(_state(table, known) for table in prompts.data["states"])
    except (KeyError, TypeError, ValueError, re.error) as error:
        raise BadPrompt(f"{prompts.path}: the graph cannot be read ({error!r})") from None
    _check(prompts, states, known)
    _check_ways(prompts, states)
    return Graph(states)


def _function(name: str, table: Mapping[str, Any]) -> Function:
    steps = tuple(actions.parse(line) for line in table["actions"])
    remember = Remember(**table["remember"]) if "remember" in table else None
    rest = {key: table[key] for key in table.keys() - {"actions", "remember"}}
    return Function(name, actions=steps, remember=remember, **rest)


def _state(table: Mapping[str, Any], known: Mapping[str, Function]) -> State:
    for pattern in (table["path"], table.get("shows", "")):
        re.compile(pattern)
    functions = tuple(known[name] for name in table.get("functions", ()))
    return State(**{**table, "functions": functions})


def _check(prompts: Prompts, states: Sequence[State], known: Mapping[str, Function]) -> None:
    names = {state.name for state in states}
    for function in known.values():
        if function.next not in names:
            raise BadPrompt(
                f"{prompts.path}: [functions.{function.name}] leads to {function.next!r},"
                f" which is none of {', '.join(sorted(names))}"
            )


def _check_ways(prompts: Prompts, states: Iterable[State]) -> None:
    for state in states:
        if state.leave and state.named(state.leave) is None:
            raise BadPrompt(
                f"{prompts.path}: {state.name} has no function {state.leave!r} to leave by",
                "name one of its functions",
            )


# Actions with places for arguments ----------------------------------------------------------------


def _texts(action: Action) -> dict[str, str]:
    values = {each.name: getattr(action, each.name) for each in fields(action)}
    return {name: value for name, value in values.items() if isinstance(value, str)}


def _given(action: Action, arguments: Mapping[str, Any]) -> bool:
    wanted = (name for text in _texts(action).values() for name in _PLACE.findall(text))
    return all(arguments.get(name, "") != "" for name in wanted)


def _filled(action: Action, arguments: Mapping[str, Any]) -> Action:
    changed = {
        name: _PLACE.sub(lambda place: str(arguments[place[1]]), text)
        for name, text in _texts(action).items()
    }
    return _replaced(action, **changed)


def _replaced(action: Any, **changed: str) -> Action:
    made: Action = replace(action, **changed)
    return made


def _by_name(action: Action, observation: Observation) -> Action:
    """The action with the name of its element instead of the id."""
    target = getattr(action, "target", None)
    for element in observation.elements:
        if element.id == target:
            return _replaced(action, target=element.name)
    return action


def _matched(template: Action, action: Action) -> dict[str, str] | None:
    if type(template) is not type(action):
        return None
    found: dict[str, str] = {}
    for name, text in _texts(template).items():
        match = re.fullmatch(_pattern(text), str(getattr(action, name)), re.IGNORECASE)
        if match is None:
            return None
        found |= match.groupdict()
    return found


def _pattern(text: str) -> str:
    parts = enumerate(_PLACE.split(text))
    return "".join(f"(?P<{part}>.*)" if place % 2 else re.escape(part) for place, part in parts)


def ends(steps: Sequence[Action]) -> Stop | None:
    """The stop among the actions of a function, if there is one."""
    return next((each for each in steps if isinstance(each, Stop)), None)


# Choices on a page --------------------------------------------------------------------------------


def choices(observation: Observation) -> dict[str, list[Element]]:
    """The options that a page offers, under the label that stands above each group."""
    groups: dict[str, list[Element]] = {}
    label = ""
    for node in observation.content:
        if isinstance(node, Text):
            label = node.text
        elif node.role in _CHOICE_ROLES:
            groups.setdefault(label, []).append(node)
    return groups


def argument_names(observation: Observation) -> dict[str, str]:
    """For each option of a page the argument that its value is given by: `power_source`."""
    names: dict[str, str] = {}
    for number, kind in enumerate(choices(observation), start=1):
        name = re.sub(r"\W+", "_", kind, flags=re.ASCII).strip("_")
        usable = name.isidentifier() and not name.startswith("option_")
        names[kind] = name if usable and name not in names.values() else f"option_{number}"
    return names


def check_targets(
    function: Function, arguments: Mapping[str, Any], observation: Observation
) -> None:
    """Raise ValueError where an argument names an element that the page does not show."""
    shown = {element.name.casefold() for element in observation.elements}
    placed = [each for each in function.actions if _PLACE.search(str(getattr(each, "target", "")))]
    for action in (each for each in placed if _given(each, arguments)):
        name = str(_filled(action, arguments).target)  # type: ignore[union-attr]
        if name.casefold() not in shown:
            raise ValueError(f"there is no {name!r} on this page; name something that it shows")


def check_choices(
    function: Function, arguments: Mapping[str, Any], observation: Observation
) -> None:
    """Raise ValueError where a value is none that the page offers; "" chooses nothing."""
    offered, named = choices(observation), argument_names(observation)
    for kind in (each for each in offered if arguments.get(named[each])):
        names, value = [element.name for element in offered[kind]], arguments[named[kind]]
        if value.casefold() not in map(str.casefold, names):
            raise ValueError(f"{kind} has no value {value!r}; it has {', '.join(names)}")
