"""How a model writes its next move: WebShop's `search[..]` and `click[..]`, or our grammar.

`read` raises ValueError, in words for the model, for a reply in no such form. `resolve` gives the
action with a target that the page knows.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from agent import actions
from agent.interface import Action, Click, Observation, Reply, Stop, Type

SEARCH_ROLES = ("searchbox", "textbox", "combobox")


@dataclass(frozen=True)
class ParsedReply:
    """One turn as it was written; `action` is None for a thought alone."""

    text: str
    thought: str = ""
    action: Action | None = None


class WebShopFormat:
    """`think[...]`, `search[keywords]`, `click[label]`, `type[field][text]`, `stop[answer]`: one a
    turn."""

    _move = re.compile(r"(?:action:\s*)?(think|search|click|type|stop)\[(.*)\]\s*", re.IGNORECASE)

    def read(self, reply: Reply) -> ParsedReply:
        text = reply.text.strip()
        line = next((line for line in text.splitlines() if line.strip()), "")
        found = self._move.fullmatch(line.strip())
        if found is None:
            raise ValueError(
                f"{line[:80]!r} is none of think[...], search[...], click[...], type[...][...],"
                " stop[...]; answer with exactly one of them"
            )
        verb, argument = found.group(1).lower(), found.group(2).strip()
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
        }
        return ParsedReply(text, action=made[verb])

    def resolve(self, action: Action, observation: Observation) -> Action:
        if not isinstance(action, Type) or action.target:
            return action
        for element in observation.elements:
            if element.role in SEARCH_ROLES:
                return replace(action, target=element.id)
        return replace(action, target="search box")


class WebArenaFormat:
    """`Thought: ...` and `Action: click [12]`, both in one turn."""

    _turn = re.compile(
        r"(?:thought:\s*(?P<thought>.*?)\s*)?^\s*action:\s*(?P<action>.+)",
        re.IGNORECASE | re.DOTALL | re.MULTILINE,
    )

    def read(self, reply: Reply) -> ParsedReply:
        text = reply.text.strip()
        found = self._turn.search(text)
        if found is None:
            raise ValueError("there is no line that begins with `Action:`; write one")
        return ParsedReply(text, found["thought"] or "", actions.parse(found["action"]))

    def resolve(self, action: Action, observation: Observation) -> Action:
        return action


ActionFormat = WebShopFormat | WebArenaFormat
FORMATS: dict[str, ActionFormat] = {"webshop": WebShopFormat(), "webarena": WebArenaFormat()}
