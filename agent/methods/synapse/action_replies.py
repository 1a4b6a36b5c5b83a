"""Replies of one action on one element, such as `CLICK [8]` (Mind2Web)."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from agent import actions
from agent.interface import Action, Observation, Reply, Stop
from agent.methods.synapse.reply_format import Act

_WORD = re.compile(r"[A-Za-z_]+")


@dataclass(frozen=True)
class SingleActions:
    """One action on one element, `CLICK [8]`; STOP ends the task, with its answer."""

    rounds: int
    offered: Collection[str]

    @property
    def described(self) -> Mapping[str, str]:
        return {"operations": describe(self.offered)}

    def read(self, reply: Reply) -> str:
        return show_action(read_action(reply, self.offered))

    def answer(self, text: str) -> str | None:
        action = actions.parse(text)
        return action.answer if isinstance(action, Stop) else None

    async def run(self, text: str, seen: Observation, act: Act) -> tuple[Observation, str]:
        now = await act(actions.parse(text))
        return replace(now, error=None), now.error or ""


def read_action(reply: Reply, offered: Collection[str]) -> Action:
    """The first line that begins with one of the words that are offered.

    Raises ValueError, in words for the model.
    """
    for line in reply.text.splitlines():
        written = line.strip().removeprefix("Action:").strip()
        found = _WORD.match(written.lstrip("` "))
        if found and found[0].lower() in offered:
            return actions.parse(written)
    known = ", ".join(word.upper() for word in offered)
    raise ValueError(f"there is no action; write one line that begins with one of {known}")


def show_action(action: Action) -> str:
    """The action as a line, its word in capitals; `actions.parse` reads it back."""
    word, _, rest = actions.show(action).partition(" ")
    return f"{word.upper()} {rest}".strip()


def describe(offered: Collection[str]) -> str:
    """The actions for a prompt, a line each."""
    lines = actions.describe(offered).split("\n")
    words = [line.partition(" ")[0] for line in lines]
    return "\n".join(
        line.replace(word, word.upper(), 1)
        for word, line in zip(words, lines, strict=True)
        if word in offered
    )
