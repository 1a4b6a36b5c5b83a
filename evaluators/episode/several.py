"""Several actions in one reply, for an agent with the option `several=true`.

A small model often writes the whole way at once, one action a line. By default a method reads one
action of a reply, and refuses a reply whose action is not clear. With the option the engine gives
the method the lines one after another, each as if the model had just answered with it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol

from agent.actions import GRAMMAR
from agent.interface import LLM, Message, Observation, Reply

ACTING = "/act"
"""The end of the purposes whose replies are actions."""
EVENT = "several"
_LINE = re.compile(r"(\W*(?:action(?:\s+\d+)?\W*:)?[\s*`]*)(?:\d+[.)]\s*)?([a-z_]+)\s*[\[(]", re.I)


class Screen(Protocol):
    """A page that knows what the agent saw last."""

    @property
    def screen(self) -> Observation:
        """The last observation."""


class InTurn:
    """An `agent.interface.LLM` that keeps the further actions of a reply for the next requests.

    They are forgotten when an action fails or leads to another address, because the model did not
    see that page.

    Args:
        llm: The episode's model.
        page: The episode's page.
        record: A function that writes an event into the trace.
    """

    def __init__(self, llm: LLM, page: Screen, record: Callable[[str, str], None]) -> None:
        self._llm, self._page, self._record = llm, page, record
        self._purpose, self._url, self._waiting = "", "", list[str]()

    async def ask(
        self,
        purpose: str,
        messages: Iterable[Message],
        *,
        tools: Sequence[Any] = (),
        n: int = 1,
        **options: Any,
    ) -> Reply:
        """Return the next action that waits, or send the request as `LLM.ask` does."""
        screen = self._page.screen
        known = purpose == self._purpose and screen.url == self._url and not screen.error
        if known and self._waiting:
            line = self._waiting.pop(0)
            self._record(EVENT, line)
            return Reply((line,))
        reply = await self._llm.ask(purpose, messages, tools=tools, n=n, **options)
        self._purpose, self._url, self._waiting = purpose, screen.url, []
        if purpose.endswith(ACTING) and n == 1 and not reply.calls:
            first, self._waiting = parted(reply.text)
            return Reply((first,), reply.calls, reply.finish_reason)
        return reply

    async def embed(
        self, purpose: str, texts: Sequence[str], *, model: str
    ) -> Sequence[Sequence[float]]:
        """Return embeddings of texts, as `LLM.embed` does."""
        return await self._llm.embed(purpose, texts, model=model)


def parted(text: str) -> tuple[str, list[str]]:
    """Return a reply up to its first action, and the actions in the lines below it.

    Each line begins with an action, with or without the label of the first. A reply with one action
    is returned as it is.

    Example:
        >>> parted("Thought: two boxes.\\nAction: click [1]\\nclick [2]")
        ('Thought: two boxes.\\nAction: click [1]', ['Action: click [2]'])
    """
    lines = text.rstrip().split("\n")
    found = [_action(line) for line in lines]
    begin = next((place for place, each in enumerate(found) if each), len(lines))
    first, *others = found[begin:] or [None]
    if first is None or not others or None in others:
        return text, []
    label = first[1]
    rest = [f"{label}{each.string[each.start(2) :].strip()}" for each in others if each]
    return "\n".join(lines[: begin + 1]), rest


def _action(line: str) -> re.Match[str] | None:
    """Return the match of a line that begins with an action, or None."""
    found = _LINE.match(line)
    return found if found and found[2].lower() in GRAMMAR else None
