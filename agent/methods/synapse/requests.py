"""Ask with as many exemplars as fit the model's context."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from agent.interface import LLM, ContextOverflow, Message, Reply, Task
from agent.llm import tokens
from agent.llm.asking import ask_for, temperature
from agent.methods.synapse.options import Options

T = TypeVar("T")


@dataclass(frozen=True)
class Requests:
    """Asks for one episode."""

    task: Task
    llm: LLM
    options: Options

    async def ask(
        self,
        purpose: str,
        exemplars: Sequence[T],
        request: Callable[[Sequence[T]], Iterable[Message]],
        read: Callable[[Reply], str],
        stop: Sequence[str] = (),
        least: int = 0,
    ) -> str:
        """The reply; drops exemplars that do not fit, the last one first, down to the `least`.

        Raises `ContextOverflow` where that many do not fit.
        """
        shown = list(exemplars)
        while True:
            try:
                messages = self._checked(list(request(shown)))
                reply = await ask_for(
                    self.llm,
                    f"synapse/{purpose}",
                    messages,
                    read,
                    reasks=self.options.reasks,
                    on_reask=partial(self.task.record, "reask"),
                    stop=stop,
                    temperature=temperature(self.options.temperature),
                )
                self.task.record("shown", purpose, exemplars=len(shown))
                return reply
            except ContextOverflow:
                if len(shown) <= least:
                    raise
                shown.pop()
                self.task.record("drop", purpose, left=len(shown))

    def _checked(self, messages: list[Message]) -> list[Message]:
        size = tokens.of_request({"messages": messages})
        if 0 < self.options.context < size:
            limit = self.options.context
            raise ContextOverflow(f"the request takes about {size} of {limit} tokens")
        return messages


def user(text: str) -> Message:
    return {"role": "user", "content": text}
