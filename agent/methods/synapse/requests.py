"""The options of Synapse; requests with as many exemplars as fit the model's context."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

from agent import prompting
from agent.interface import LLM, ContextOverflow, Message, Reply, Task
from agent.llm import tokens
from agent.llm.asking import ask_for, temperature
from agent.methods import check_least
from agent.methods.synapse import exemplar_files, memory

T = TypeVar("T")


@dataclass(frozen=True)
class Options:
    """Defaults are the paper's, but for `context`, which is the model's.

    `rounds`: of one program each. `calls`: of one program. `moves`: of one action each. `top`: the
    elements that the ranker keeps of the page (0: as many as the site's prompts say). `past`: of
    pages before, and in exemplars. `abstraction`: off, show outer HTML where the exemplars hold
    it, else the whole state. `trajectory`: off, single steps and no history. `memory`: off, look
    the exemplars up by the task's name. `embedder`: of the memory. `threshold`: the distance beyond
    which nothing is retrieved (0: none). `context`: the tokens that fit a prompt (0: as many as the
    model takes). `temperature`: the released code's; -1 leaves it to the model. `reasks`: for
    replies that cannot be read. `release`: rounds and history by task, as in the released code.
    `vision`: show the newest page as a picture, too, where the next program or action is asked for.
    `prompts`, `exemplars`: the folders of the files. `memory_file`: the memory where it is not the
    one among the exemplars.
    """

    rounds: int = 10
    calls: int = 50
    moves: int = 60
    top: int = 0
    past: int = 3
    abstraction: bool = True
    trajectory: bool = True
    memory: bool = True
    embedder: str = "hashed"
    threshold: float = 0.0
    context: int = 0
    temperature: float = 0.0
    reasks: int = 2
    release: bool = False
    vision: bool = False
    prompts: Path = prompting.FOLDER
    exemplars: Path = exemplar_files.FOLDER
    memory_file: str = ""

    def __post_init__(self) -> None:
        check_least(self, rounds=1, calls=1, moves=1, past=1)
        check_least(self, threshold=0, context=0, reasks=0, top=0)

    def keys(self, site: str) -> Path:
        """The file of the memory."""
        return Path(self.memory_file) if self.memory_file else self.exemplars / site / memory.KEYS


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
        size, limit = tokens.of_request({"messages": messages}), self.options.context
        if 0 < limit < size:
            raise ContextOverflow(f"the request takes about {size} of {limit} tokens")
        return messages
