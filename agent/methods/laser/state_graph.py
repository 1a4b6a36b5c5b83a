"""A state graph as data: the kinds of pages, and the functions that are legal on each (LASER,
section 2).

A prompt file with `[[states]]` and `[functions]` is a graph. A state is recognised by the path of
the page's address. If several screens share an address, a line of the page tells them apart. Its
functions have a JSON schema for the model and actions of our grammar in which `{name}` stands for
an argument. Three behaviours can be switched on for a function:
- `remember` puts the item that the function opens into the memory buffer,
- `detail_page` looks at a page and comes back,
- `options_at_commit` chooses the options of the page before the function's last action.
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
    """Rules for storing an item in the memory buffer when a function opens it.

    Attributes:
        key: The function's argument that is the item's key in the buffer.
        title: A pattern for the page's title; its first group is the item's title.
        price: A pattern for a line of the page; its first group is the item's price.
    """

    key: str
    title: str = "(.*)"
    price: str = "(?!)"

    def read(self, observation: Observation) -> tuple[str, str]:
        """Return title and price of the open item as texts; "" if the page does not show them."""
        lines = observation.text.split("\n")
        return _first(self.title, [observation.title]), _first(self.price, lines)


def _first(pattern: str, lines: Iterable[str]) -> str:
    found = (re.fullmatch(pattern, line) for line in lines)
    return next((match[1] for match in found if match), "")


@dataclass(frozen=True)
class Function:
    """A function that the model may call in a state.

    Attributes:
        name: The name that the model calls.
        description: The description for the model.
        actions: The actions with `{name}` for arguments.
        next: The name of the state that it leads to.
        parameters: Its JSON schema.
        target: Whether its arguments are kept as the target item details.
        remember: How to store the item that it opens, if it opens one.
        detail_page: The section name under which the text of the page is kept; "" for no detail
            page.
        options_at_commit: Whether the page's options are chosen first.
        with_options: The description if the values of options are its arguments.
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
        """The JSON schema of the arguments; without parameters, an empty object."""
        empty = {"type": "object", "properties": {}, "additionalProperties": False}
        return {**empty, **self.parameters}

    @property
    def tool(self) -> dict[str, Any]:
        """The function as the API's tool definition."""
        schema = {"name": self.name, "description": self.description, "parameters": self.schema}
        return {"type": "function", "function": schema}

    def fill(self, arguments: Mapping[str, Any]) -> list[Action]:
        """Return the function's actions with these arguments filled in; an action is left out if
        its argument is missing.
        """
        return [_filled(action, arguments) for action in self.actions if _given(action, arguments)]

    def read(self, steps: Iterable[Action], observation: Observation) -> dict[str, str] | None:
        """Return the arguments with which this function would perform the steps, as a dict; None if
        its actions do not include the first step.

        Later steps that fit no action are ignored. The way back from a detail page is not
        considered.

        Args:
            steps: Actions with element ids or names.
            observation: The page, which gives the names of elements.
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
        """Return the arguments from the first action template that fits the action, and remove that
        template from `left`; None if none fits.
        """
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
"""The function that takes a note. It is legal in every state of an episode that keeps notes, and
does not count as a transition.
"""


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
    """A kind of page; a state without functions ends the task.

    Attributes:
        name: The name of the state.
        path: A pattern that the path of the page's address contains.
        shows: A pattern that the page's text contains; `^` and `$` match at its lines.
        layout: A description of the page for the model.
        advice: A text for the thought.
        functions: The legal functions.
        hides: Names of elements that no function uses; they are not shown.
        leave: The name of the function that leads away if nothing else can be done.
        spent: The functions whose detail pages were read.
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
        """Return whether the page belongs to this state, by the path of its address and
        its text.
        """
        placed = re.search(self.path, urlsplit(observation.url).path)
        return bool(placed and re.search(self.shows, observation.text, re.MULTILINE))

    def shown(self, observation: Observation) -> Observation:
        """Return the page without the elements that no function of this state uses."""
        content = tuple(
            node
            for node in observation.content
            if not (isinstance(node, Element) and node.name in self.hides)
        )
        return replace(observation, content=content)

    def without(self, sections: Iterable[str]) -> State:
        """Return the state without the functions that open detail pages in `sections`, which were
        read already.
        """
        read = set(sections)
        spent = tuple(each for each in self.functions if each.detail_page in read)
        left = tuple(each for each in self.functions if each not in spent)
        return replace(self, functions=left, spent=spent)

    def taking(self, notes: Sequence[str] | None) -> State:
        """Return the state with the function for notes if the episode keeps notes (`notes` is not
        None).
        """
        if notes is None or self.final:
            return self
        return replace(self, functions=(*self.functions, NOTING))

    def named(self, name: str) -> Function | None:
        """Return the function of this state with that name, or None."""
        return next((each for each in self.functions if each.name == name), None)

    def behaving(self, behaviour: str) -> Function | None:
        """Return the first function of this state for which the attribute `behaviour` (such as
        `remember`) is set, or None.
        """
        return next((each for each in self.functions if getattr(each, behaviour)), None)


@dataclass(frozen=True)
class Graph:
    """A state graph: its states in the order in which a page is compared with them. A task begins
    in the first.
    """

    states: tuple[State, ...]

    def at(self, observation: Observation) -> State | None:
        """Return the state of a page, or None if the graph does not know it."""
        return next((each for each in self.states if each.fits(observation)), None)

    @cached_property
    def functions(self) -> dict[str, Function]:
        """All functions of the graph by name."""
        return {each.name: each for state in self.states for each in state.functions}

    def behaving(self, behaviour: str) -> Function | None:
        """Return the first function of the graph for which the attribute `behaviour` (such as
        `remember`) is set, or None.
        """
        return next((each for each in self.functions.values() if getattr(each, behaviour)), None)


def read(prompts: Prompts) -> Graph:
    """Return the graph of a prompt file.

    Raises:
        BadPrompt: The graph cannot be read, or refers to a state or function that does not exist.
    """
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


# Actions with placeholders for arguments ----------------------------------------------------------


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
    """Return the action with its target element named by its name instead of its id."""
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
    """Return the stop action among the actions of a function, or None."""
    return next((each for each in steps if isinstance(each, Stop)), None)


# Options of a page --------------------------------------------------------------------------------


def choices(observation: Observation) -> dict[str, list[Element]]:
    """Return the product options of a page: a dict from the text above each group to the group's
    elements.
    """
    groups: dict[str, list[Element]] = {}
    label = ""
    for node in observation.content:
        if isinstance(node, Text):
            label = node.text
        elif node.role in _CHOICE_ROLES:
            groups.setdefault(label, []).append(node)
    return groups


def argument_names(observation: Observation) -> dict[str, str]:
    """Return an argument name for each option of a page: `power_source` for the option "Power
    source", say.
    """
    names: dict[str, str] = {}
    for number, kind in enumerate(choices(observation), start=1):
        name = re.sub(r"\W+", "_", kind, flags=re.ASCII).strip("_")
        usable = name.isidentifier() and not name.startswith("option_")
        names[kind] = name if usable and name not in names.values() else f"option_{number}"
    return names


def check_targets(
    function: Function, arguments: Mapping[str, Any], observation: Observation
) -> None:
    """Raise ValueError if an argument names an element that the page does not show."""
    shown = {element.name.casefold() for element in observation.elements}
    placed = [each for each in function.actions if _PLACE.search(str(getattr(each, "target", "")))]
    for action in (each for each in placed if _given(each, arguments)):
        name = str(_filled(action, arguments).target)  # type: ignore[union-attr]
        if name.casefold() not in shown:
            raise ValueError(f"there is no {name!r} on this page; name something that it shows")


def check_choices(
    function: Function, arguments: Mapping[str, Any], observation: Observation
) -> None:
    """Raise ValueError if an argument for a product option is a value that the page does not offer;
    "" means no choice.
    """
    offered, named = choices(observation), argument_names(observation)
    for kind in (each for each in offered if arguments.get(named[each])):
        names, value = [element.name for element in offered[kind]], arguments[named[kind]]
        if value.casefold() not in map(str.casefold, names):
            raise ValueError(f"{kind} has no value {value!r}; it has {', '.join(names)}")
