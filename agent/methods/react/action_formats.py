"""Formats of a model's next action: WebShop's `search[..]` and `click[..]`, or our action grammar.

Each format has the same methods. `read` parses a reply and raises ValueError, in words for the
model, if the reply does not have the format; the error names only the offered actions. `resolve`
gives an action a target that the page knows. `explained` adds a hint to the page's error if the
page refused the action.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

from agent import action_schema, action_text, actions
from agent.action_schema import TEXT, a_call, an_object, one_of
from agent.interface import Action, Click, Note, Observation, Reply, Stop, Type
from agent.llm.structured import ReplyForm
from agent.offered import NOTE

_ARGUMENTS = {
    "think": ("text",),
    "search": ("keywords",),
    "click": ("label",),
    "type": ("field", "text"),
    "stop": ("answer",),
    NOTE: ("text",),
}
_ARITIES = {name: len(arguments) for name, arguments in _ARGUMENTS.items()}
_USUAL = tuple(name for name in _ARGUMENTS if name != NOTE)
SEARCH_ROLES = ("searchbox", "textbox", "combobox")
SEARCH_BAR, WAY_BACK = "search bar", "Back to Search"


@dataclass(frozen=True)
class ParsedReply:
    """A turn as the model wrote it, with the parsed thought and action; `action` is None if the
    turn is only a thought.
    """

    text: str
    thought: str = ""
    action: Action | None = None


class WebShopFormat:
    """WebShop's format with one action per turn: `think[...]`, `search[keywords]`, `click[label]`,
    `type[field][text]` or `stop[answer]`, and `note[text]` if the engine keeps notes.
    """

    _move = re.compile(r"(?:action:\s*)?(think|search|click|type|stop)\[(.*)\]\s*", re.IGNORECASE)

    def read(self, reply: Reply, offered: Collection[str] = _USUAL) -> ParsedReply:
        """Parse the first line of a reply as an action in WebShop's format; failing that, an action
        written in any other form.
        """
        line = next((line for line in reply.text.splitlines() if line.strip()), "")
        found = self._move.fullmatch(line.strip())
        verb, argument = (
            (found[1].lower(), found[2].strip()) if found else self._found(reply, offered)
        )
        text = f"{verb}[{argument}]"
        if verb == "think":
            return ParsedReply(text, thought=argument)
        field, between, typed = argument.partition("][")
        if verb == "type" and not (field and between):
            raise ValueError(f"{line[:80]!r} names no field; write type[field][text]")
        made: dict[str, Action] = {
            "search": Type("", argument, enter=True),
            "click": Click(argument),
            "type": Type(field, typed),
            "stop": Stop(argument),
            NOTE: Note(argument),
        }
        return ParsedReply(text, action=made[verb])

    def _found(self, reply: Reply, offered: Collection[str]) -> tuple[str, str]:
        """Return verb and argument of a reply whose action is not in WebShop's format, such as
        `click("Buy")`.
        """
        forms = [f"{name}[...]{'[...]' * (_ARITIES[name] - 1)}" for name in offered]
        known = {name: _ARITIES[name] for name in {*_USUAL, *offered}}
        try:
            verb, arguments = actions.call(action_text.call(reply.text, forms, known))
        except actions.BadAction:
            verb, arguments = "", ()
        if not arguments:
            text = f"{reply.text.strip()[:80]!r} is none of {', '.join(forms)}"
            raise ValueError(f"{text}; answer with exactly one of them")
        return verb, "][".join(arguments).strip()

    def schema(self, offered: Collection[str]) -> ReplyForm:
        """Return the JSON form of replies, with one action of the offered ones."""
        moves = [a_call(name, **dict.fromkeys(_ARGUMENTS[name], TEXT)) for name in offered]
        return ReplyForm(an_object(action=one_of(moves)), self._written)

    @staticmethod
    def _written(value: Mapping[str, Any]) -> str:
        verb, *texts = value["action"].values()
        return f"{verb}[{']['.join(' '.join(each.split()) for each in texts)}]"

    def resolve(self, action: Action, observation: Observation) -> Action:
        """Return the action with the page's search field as its target if it types a search; other
        actions are unchanged.
        """
        if not isinstance(action, Type) or action.target:
            return action
        for element in observation.elements:
            if element.role in SEARCH_ROLES:
                return replace(action, target=element.id)
        return replace(action, target=SEARCH_BAR)

    def explained(self, action: Action, observation: Observation) -> Observation:
        """Return the page with an error that says how to reach a search bar, if a search failed
        because the page has none.
        """
        if observation.error is None or getattr(action, "target", None) != SEARCH_BAR:
            return observation
        shown = any(element.name == WAY_BACK for element in observation.elements)
        way = f"; click[{WAY_BACK}] first" if shown else ""
        return replace(observation, error=f"There is no search bar on this page{way}.")


class WebArenaFormat:
    """WebArena's format with a thought and an action in one turn: `Thought: ...` and `Action: click
    [12]`.
    """

    _thought = re.compile(
        r"thought:\s*(.*?)\s*(?:^\W*action\b|\Z)", re.I | re.DOTALL | re.MULTILINE
    )

    def read(self, reply: Reply, offered: Collection[str] = actions.VERBS) -> ParsedReply:
        """Parse a reply into its thought and its action."""
        text = reply.text.strip()
        thought = self._thought.search(text)
        return ParsedReply(text, thought[1] if thought else "", action_text.read(text, offered))

    def schema(self, offered: Collection[str]) -> ReplyForm:
        """Return the JSON form of replies, with a thought and one action of the offered ones."""
        chosen = one_of(action_schema.operations(offered))
        return ReplyForm(an_object(thought=TEXT, action=chosen), self._written)

    @staticmethod
    def _written(value: Mapping[str, Any]) -> str:
        return f"Thought: {value['thought']}\nAction: {action_schema.text(value['action'])}"

    def resolve(self, action: Action, observation: Observation) -> Action:
        """Return the action unchanged."""
        return action

    def explained(self, action: Action, observation: Observation) -> Observation:
        """Return the page unchanged."""
        return observation


ActionFormat = WebShopFormat | WebArenaFormat
FORMATS: dict[str, ActionFormat] = {"webshop": WebShopFormat(), "webarena": WebArenaFormat()}
