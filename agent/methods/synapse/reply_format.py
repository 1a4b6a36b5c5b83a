"""The form of the model's replies: programs, run in the sandbox, or single actions.

`rounds` is the most replies of an episode, `described` what the system prompt needs to describe the
form. `read` gives the text of a reply that the trajectory shows; it raises ValueError, in words for
the model. `answer` is that of a reply that ends the task, None where it goes on. `run` carries a
reply out on the page that was seen, of which the prompt showed `shown`: the new page, and what went
wrong.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace

from agent import actions
from agent.interface import Action, Observation, Reply, Stop
from agent.methods.synapse.action_programs import Act, ProgramAgent
from agent.sandbox import CodeRunner, ProgramError
from agent.sandbox.monty import MontyRunner

_BLOCK = re.compile(r"^```[^\n]*\n(.*?)^```", re.DOTALL | re.MULTILINE)
_WORD = re.compile(r"[A-Za-z_]+")


@dataclass(frozen=True)
class Programs:
    """Programs of all actions up to the next look (MiniWoB++); an empty one ends the task."""

    rounds: int
    calls: int
    record: Callable[..., None]
    runner: CodeRunner = field(default_factory=MontyRunner)

    @property
    def described(self) -> Mapping[str, str]:
        return {}

    def read(self, reply: Reply) -> str:
        return read_program(reply)

    def answer(self, text: str) -> str | None:
        return None if text.strip() else ""

    async def run(
        self, text: str, seen: Observation, act: Act, shown: str = ""
    ) -> tuple[Observation, str]:
        agent = ProgramAgent(act, seen, shown)
        try:
            await self.runner.act(text, agent, calls=self.calls)
        except ProgramError as problem:
            self.record("program", str(problem), program=text, failure=problem.kind)
            return agent.now, str(problem)
        return agent.now, ""


@dataclass(frozen=True)
class SingleActions:
    """One action on one element, `CLICK [8]` (Mind2Web); STOP ends the task, with its answer."""

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

    async def run(
        self, text: str, seen: Observation, act: Act, shown: str = ""
    ) -> tuple[Observation, str]:
        now = await act(actions.parse(text))
        return replace(now, error=None), now.error or ""


ReplyFormat = Programs | SingleActions


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
