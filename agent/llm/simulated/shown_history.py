"""The input of one policy's turn (SteP and its baseline Flat), as the scripted model reads it:
objective, history and page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from agent import actions
from agent.interface import Action, Observation, Reply
from agent.llm.simulated.reading import Lost, Request

_OBJECTIVE = re.compile(r"^OBJECTIVE:\n(.*?)\nOBSERVATION:$", re.DOTALL | re.MULTILINE)
_URL = re.compile(r"^URL:\n(\S+)$", re.MULTILINE)
_PREVIOUS = re.compile(r"^PREVIOUS ACTIONS:\n(.*)\Z", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True)
class Done:
    """A line of a policy's history: an action on the page or a call of a policy, and its returned
    value.
    """

    text: str
    response: str = ""

    @property
    def name(self) -> str:
        return self.text.partition(" ")[0]

    @property
    def arguments(self) -> tuple[str, ...]:
        """The arguments of a call; none for an action on the page."""
        return () if self.name in actions.VERBS else actions.call(self.text)[1]


@dataclass(frozen=True)
class InputMessage(Request):
    """The input message of a policy; its page's address stands in a section outside of the page."""

    def observation(self, rendering: str) -> Observation:
        page = super().observation(rendering)
        found = _URL.search(self.text_without_pages)
        return replace(page, url=found[1]) if found and not page.url else page


@dataclass(frozen=True)
class Input:
    """The newest input of a policy in a request: objective, history and page. Raises `Lost` if the
    request has none.
    """

    request: Request

    @cached_property
    def message(self) -> Request:
        """The message with the newest input, without instruction and examples."""
        for message in reversed(self.request.messages):
            if message["role"] == "user" and _OBJECTIVE.search(str(message["content"])):
                return InputMessage(self.request.purpose, {"messages": [message]})
        raise Lost("there is no input")

    @cached_property
    def objective(self) -> str:
        found = _OBJECTIVE.search(self.message.text_without_pages)
        if found is None:
            raise Lost("there is no objective")
        return found[1].strip()

    @cached_property
    def history(self) -> list[Done]:
        found = _PREVIOUS.search(self.message.text_without_pages)
        lines = found[1].strip().split("\n") if found else []
        return [_done(line) for line in lines if line not in ("", "None")]

    @property
    def operations(self) -> Iterator[Action]:
        """The actions on pages, oldest first."""
        for each in self.history:
            if each.name in actions.VERBS:
                yield actions.parse(each.text)

    def reply(self, text: str, reason: str) -> Reply:
        """Return the action in the form that the request asks for, with a reason if it asks for
        one.
        """
        wanted = "\nREASON: " in str(self.request.messages[0]["content"])
        return Reply((f"REASON: {reason}\nACTION: {text}" if wanted else f"ACTION: {text}",))


def _done(line: str) -> Done:
    if _is_operation(line):
        return Done(line)
    response, equals, text = line.partition(" = ")
    return Done(text, response) if equals else Done(line)


def _is_operation(line: str) -> bool:
    """Return whether a line is an action on a page; the response of a policy may quote one."""
    if line.partition(" ")[0] not in actions.VERBS:
        return False
    try:
        actions.parse(line)
    except actions.BadAction:
        return False
    return True
