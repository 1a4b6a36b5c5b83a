"""How a model writes its next move: WebShop's `search[..]` and `click[..]`, or our grammar.

`read` raises ValueError, in words for the model, for a reply in no such form; it names only what
is offered. `resolve` gives the action with a target that the page knows; `explained` is the page
that follows from it, with what to do where it was refused.
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
    """One turn as it was written; `action` is None for a thought alone."""

    text: str
    thought: str = ""
    action: Action | None = None


class WebShopFormat:
    """`think[...]`, `search[keywords]`, `click[label]`, `type[field][text]`, `stop[answer]`: one a
    turn; and `note[text]` where notes are kept."""

    _move = re.compile(r"(?:action:\s*)?(think|search|click|type|stop)\[(.*)\]\s*", re.IGNORECASE)

    def read(self, reply: Reply, offered: Collection[str] = _USUAL) -> ParsedReply:
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
        """Verb and argument of a reply that writes its move in another way."""
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
        """A move as a JSON object."""
        moves = [a_call(name, **dict.fromkeys(_ARGUMENTS[name], TEXT)) for name in offered]
        return ReplyForm(an_object(action=one_of(moves)), self._written)

    @staticmethod
    def _written(value: Mapping[str, Any]) -> str:
        verb, *texts = value["action"].values()
        return f"{verb}[{']['.join(' '.join(each.split()) for each in texts)}]"

    def resolve(self, action: Action, observation: Observation) -> Action:
        if not isinstance(action, Type) or action.target:
            return action
        for element in observation.elements:
            if element.role in SEARCH_ROLES:
                return replace(action, target=element.id)
        return replace(action, target=SEARCH_BAR)

    def explained(self, action: Action, observation: Observation) -> Observation:
        if observation.error is None or getattr(action, "target", None) != SEARCH_BAR:
            return observation
        shown = any(element.name == WAY_BACK for element in observation.elements)
        way = f"; click[{WAY_BACK}] first" if shown else ""
        return replace(observation, error=f"There is no search bar on this page{way}.")


class WebArenaFormat:
    """`Thought: ...` and `Action: click [12]`, both in one turn."""

    _thought = re.compile(
        r"thought:\s*(.*?)\s*(?:^\W*action\b|\Z)", re.I | re.DOTALL | re.MULTILINE
    )

    def read(self, reply: Reply, offered: Collection[str] = actions.VERBS) -> ParsedReply:
        text = reply.text.strip()
        thought = self._thought.search(text)
        return ParsedReply(text, thought[1] if thought else "", action_text.read(text, offered))

    def schema(self, offered: Collection[str]) -> ReplyForm:
        """A turn as a JSON object."""
        chosen = one_of(action_schema.operations(offered))
        return ReplyForm(an_object(thought=TEXT, action=chosen), self._written)

    @staticmethod
    def _written(value: Mapping[str, Any]) -> str:
        return f"Thought: {value['thought']}\nAction: {action_schema.text(value['action'])}"

    def resolve(self, action: Action, observation: Observation) -> Action:
        return action

    def explained(self, action: Action, observation: Observation) -> Observation:
        return observation


ActionFormat = WebShopFormat | WebArenaFormat
FORMATS: dict[str, ActionFormat] = {"webshop": WebShopFormat(), "webarena": WebArenaFormat()}
