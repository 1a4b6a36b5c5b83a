"""What Synapse's model replies with: a program, or in Mind2Web's form one action on one element.

The prompts of a site that lists `operations` ask for an action, the others for a program.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass, field, replace
from typing import Protocol

from agent import actions
from agent.interface import Action, Observation, Reply, Stop
from agent.methods.synapse.action_programs import Hands
from agent.sandbox import CodeRunner, ProgramError
from agent.sandbox.monty import MontyRunner

Act = Callable[[Action], Awaitable[Observation]]

_BLOCK = re.compile(r"^```[^\n]*\n(.*?)^```", re.DOTALL | re.MULTILINE)
_WORD = re.compile(r"[A-Za-z_]+")


class ReplyFormat(Protocol):
    """How a reply is read and carried out."""

    @property
    def rounds(self) -> int:
        """At most so many replies an episode."""
        ...

    def read(self, reply: Reply) -> str:
        """What the trajectory keeps of it. Raises ValueError, in words for the model."""
        ...

    def answer(self, said: str) -> str | None:
        """The answer of a reply that ends the task; None where it goes on."""
        ...

    async def run(self, said: str, seen: Observation, act: Act) -> tuple[Observation, str]:
        """Do it on the page that was seen: what is shown then, and what went wrong."""
        ...


@dataclass(frozen=True)
class Programs:
    """Everything up to the next look, as a program; one without a statement ends the task."""

    rounds: int
    calls: int
    record: Callable[..., None]
    runner: CodeRunner = field(default_factory=MontyRunner)

    def read(self, reply: Reply) -> str:
        return read_program(reply)

    def answer(self, said: str) -> str | None:
        return None if said.strip() else ""

    async def run(self, said: str, seen: Observation, act: Act) -> tuple[Observation, str]:
        hands = Hands(act, seen)
        try:
            await self.runner.act(said, hands, calls=self.calls)
        except ProgramError as problem:
            self.record("program", str(problem), program=said, failure=problem.kind)
            return hands.now, str(problem)
        return hands.now, ""


@dataclass(frozen=True)
class SingleActions:
    """One action on one element, `CLICK [8]`; STOP ends the task, with its answer."""

    rounds: int
    offered: Collection[str]

    def read(self, reply: Reply) -> str:
        return show_action(read_action(reply, self.offered))

    def answer(self, said: str) -> str | None:
        action = actions.parse(said)
        return action.answer if isinstance(action, Stop) else None

    async def run(self, said: str, seen: Observation, act: Act) -> tuple[Observation, str]:
        now = await act(actions.parse(said))
        return replace(now, error=None), now.error or ""


def read_program(reply: Reply) -> str:
    """The first block between three backticks. Raises ValueError, in words for the model."""
    found = _BLOCK.search(reply.text + "\n```")
    if found is None:
        raise ValueError("there is no program; write one between lines of three backticks")
    return found[1].strip("\n")


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
