"""Replies that are programs, run in the sandbox (MiniWoB++)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from agent.interface import Observation, Reply
from agent.methods.synapse.action_programs import ProgramAgent
from agent.methods.synapse.reply_format import Act
from agent.sandbox import CodeRunner, ProgramError
from agent.sandbox.monty import MontyRunner

_BLOCK = re.compile(r"^```[^\n]*\n(.*?)^```", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True)
class Programs:
    """Programs of all actions up to the next look; one without a statement ends the task."""

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

    async def run(self, text: str, seen: Observation, act: Act) -> tuple[Observation, str]:
        agent = ProgramAgent(act, seen)
        try:
            await self.runner.act(text, agent, calls=self.calls)
        except ProgramError as problem:
            self.record("program", str(problem), program=text, failure=problem.kind)
            return agent.now, str(problem)
        return agent.now, ""


def read_program(reply: Reply) -> str:
    """The first block between three backticks. Raises ValueError, in words for the model."""
    found = _BLOCK.search(reply.text + "\n```")
    if found is None:
        raise ValueError("there is no program; write one between lines of three backticks")
    return found[1].strip("\n")
