"""A state graph as data: the kinds of pages, and the functions that are legal on each (LASER,
section 2).

A prompt file with `[[states]]` and `[functions]` is a graph. A state is recognised by the path of
the page's address. If several screens share an address, a line of the page or its fields and
buttons tell them apart. Its functions have a JSON schema for the model and actions of our grammar
in which `{name}` stands for an argument. An argument that is a whole number is the number of an
element; the argument's name is the element's role. `<field 2>` stands for the second field of the
page, and `<button 2>` for the first button after this field. So a function can act on a page whose
labels the graph does not know. Three behaviours can be switched on for a function:
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
_SPOT = re.compile(r"<(field|button) ([1-9]\d*)>")
_CHOICE_ROLES = ("radio", "option", "checkbox")
_MENU_STATES = {"collapsed", "expanded"}
LINK, BUTTON = "link", "button"


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
        next: The name of the state that it leads to; "" if the state stays the same.
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

    def read(self, steps: Iterable[Action], observation: Observation) -> dict[str, Any] | None:
        """Return the arguments with which this function would perform the steps, as a dict; None if
        its actions do not include the first step.

        Later steps that fit no action are ignored. The way back from a detail page is not
        considered.

        Args:
            steps: Actions with element ids or names.
            observation: The page, which gives the names of elements.
        """
        left = list(self.actions[:1] if self.detail_page else self.actions)
        found: dict[str, Any] = {}
        for number, step in enumerate(steps):
            known = self._read_one(step, observation, left)
            if known is None and number == 0:
                return None
            found |= known or {}
        return found

    def _read_one(
        self, step: Action, observation: Observation, left: list[Action]
    ) -> dict[str, Any] | None:
        """Return the arguments from the first action template that fits the action, and remove that
        template from `left`; None if none fits.
        """
        named = _by_name(step, observation)
        for template in left:
            numbered = self._numbered(template)
            here = placed(template, observation)
            found = _matched(here, step if numbered or here is not template else named)
            if found is not None and numbered:
                found = _with_number(found, numbered, observation)
            if found is not None and self._fits(found):
                left.remove(template)
                return found
        return None

    def _numbered(self, action: Action) -> str:
        """Return the argument that is the number of the action's element; "" if there is none."""
        place = _PLACE.fullmatch(str(getattr(action, "target", "")))
        known = self.schema["properties"].get(place[1], {}) if place else {}
        return place[1] if place and known.get("type") == "integer" else ""

    def _fits(self, arguments: Mapping[str, Any]) -> bool:
        known = self.schema["properties"]
        return all(
            re.search(known[name].get("pattern", ""), str(arguments[name])) for name in arguments
        )


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
        outline: A pattern that the page's outline contains (see `outline_of`).
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
    outline: str = ""
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
        """Return whether the page belongs to this state, by the path of its address, its text, and
        its outline.
        """
        return bool(
            re.search(self.path, urlsplit(observation.url).path)
            and re.search(self.shows, observation.text, re.MULTILINE)
            and re.search(self.outline, outline_of(observation))
        )

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
    for pattern in (table["path"], table.get("shows", ""), table.get("outline", "")):
        re.compile(pattern)
    functions = tuple(known[name] for name in table.get("functions", ()))
    return State(**{**table, "functions": functions})


def _check(prompts: Prompts, states: Sequence[State], known: Mapping[str, Function]) -> None:
    names = {state.name for state in states}
    for function in known.values():
        if function.next and function.next not in names:
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
    return _replaced(
        action, **{name: _filled_text(text, arguments) for name, text in _texts(action).items()}
    )


def _filled_text(text: str, arguments: Mapping[str, Any]) -> str | int:
    """Return a text with the arguments filled in; the number of an element stays a number."""
    whole = _PLACE.fullmatch(text)
    if whole and isinstance(arguments[whole[1]], int):
        return int(arguments[whole[1]])
    return _PLACE.sub(lambda place: str(arguments[place[1]]), text)


def _replaced(action: Any, **changed: str | int) -> Action:
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
    target = getattr(template, "target", None)
    if isinstance(target, int) and target != getattr(action, "target", None):
        return None
    found: dict[str, str] = {}
    for name, text in _texts(template).items():
        written = str(getattr(action, name))
        match = re.fullmatch(_pattern(text), written, re.IGNORECASE | re.DOTALL)
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


# Elements of a page by their place ----------------------------------------------------------------


def outline_of(observation: Observation) -> str:
    """Return the roles of the page's fields and buttons in reading order, each with a blank after
    it. Links and the buttons of menus are left out.
    """
    shown = (each for each in observation.elements if each.role != LINK)
    return "".join(f"{each.role} " for each in shown if not _MENU_STATES & {*each.states})


def placed(action: Action, observation: Observation) -> Action:
    """Return the action with an element's id in place of `<field 2>` or `<button 2>`; the same
    action if it has no such target, or if the page has no such element.
    """
    spot = _SPOT.fullmatch(str(getattr(action, "target", "")))
    element = _element_at(spot[1], int(spot[2]), observation) if spot else None
    return _replaced(action, target=element.id) if element else action


def _element_at(kind: str, number: int, observation: Observation) -> Element | None:
    found = [each for each in observation.elements if each.role not in (LINK, BUTTON)]
    if number > len(found):
        return None
    field = found[number - 1]
    if kind == "field":
        return field
    after = (each for each in observation.elements if each.id > field.id)
    return next((each for each in after if each.role == BUTTON), None)


def is_shown(target: object, observation: Observation) -> bool:
    """Return whether the page shows the target of an action: an id, a name, or `<field 2>`."""
    if isinstance(target, int):
        return any(each.id == target for each in observation.elements)
    if spot := _SPOT.fullmatch(str(target)):
        return _element_at(spot[1], int(spot[2]), observation) is not None
    return str(target).casefold() in {each.name.casefold() for each in observation.elements}


def _with_number(
    found: Mapping[str, str], argument: str, observation: Observation
) -> dict[str, Any] | None:
    """Return the arguments with the number of an element as a number; None if the page has no
    element with this number and with the role that the argument is named after.
    """
    number = found[argument]
    return {**found, argument: int(number)} if _has(argument, number, observation) else None


def _has(role: str, number: str, observation: Observation) -> bool:
    """Return whether the page has an element of a role with this number."""
    return any(str(each.id) == number and each.role == role for each in observation.elements)


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
    """Raise ValueError if an argument names an element that the page does not show, or if the page
    lacks a field that the function fills in.
    """
    for action in (each for each in function.actions if _given(each, arguments)):
        target = str(getattr(action, "target", ""))
        if _SPOT.fullmatch(target):
            if not is_shown(target, observation):
                raise ValueError(f"{function.name} does not fit this page, which has no {target}")
        elif _PLACE.search(target):
            _check_target(target, _filled(action, arguments), observation)


def _check_target(place: str, action: Action, observation: Observation) -> None:
    target = getattr(action, "target", "")
    if isinstance(target, int):
        role = place.strip("{}")
        if not _has(role, str(target), observation):
            raise ValueError(f"[{target}] is no {role} of this page; give the number of one")
    elif not is_shown(target, observation):
        raise ValueError(f"there is no {target!r} on this page; name something that it shows")


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
