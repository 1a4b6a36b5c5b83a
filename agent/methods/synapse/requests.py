"""The options of Synapse, and requests with as many exemplars as fit the model's context."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
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
from agent.methods.synapse.memory import NEIGHBOURS

T = TypeVar("T")
R = TypeVar("R")
STATES = ("rendered", "html")


@dataclass(frozen=True)
class Options:
    """Options of Synapse; the defaults are the paper's, except for `context`, which is the model's.

    Attributes:
        rounds: Number of programs at most.
        calls: Calls of one program at most.
        moves: Number of single actions at most.
        top: Elements that the ranker keeps of the current page; 0 for the number in the site's
            prompts.
        past: Elements that the ranker keeps of past pages and in exemplars, in addition to the
            action's own.
        abstraction: Whether to abstract states; otherwise prompts show outer HTML if the exemplars
            have it, else the whole state.
        state: Form of the raw state of a task with an abstraction: `rendered`, our own, or `html`,
            the outer HTML of the task area, as in the paper (section 4.1).
        trajectory: Whether prompts show whole trajectories; otherwise single steps without history.
        memory: Whether to retrieve exemplars from memory; otherwise by the task's name.
        embedder: Embedder of the memory.
        threshold: Distance beyond which nothing is retrieved; 0 for no limit.
        neighbours: Nearest keys that vote on the task; for single actions, trajectories retrieved.
        shots: Exemplars that a prompt shows at most; 0 for all that were retrieved.
        context: Tokens that fit a prompt; 0 for as many as the model accepts.
        temperature: Sampling temperature, as in the released code; -1 for the model's own.
        reasks: How often the model is asked again after an unreadable reply.
        errors: Whether the prompt shows the error that the last program or action caused.
        release: Whether to do as the released code does: rounds and history depend on the task;
            a past page keeps the action's element and the best others, `past` in all; and prompts
            for single actions may have no exemplar.
        vision: Whether requests for the next program or action also show the page as a picture.
        prompts: Folder of the prompt files.
        exemplars: Folder of the exemplars.
        memory_file: File of the memory; "" for the memory among the exemplars.
    """

    rounds: int = 10
    calls: int = 50
    moves: int = 60
    top: int = 0
    past: int = 3
    abstraction: bool = True
    state: str = STATES[0]
    trajectory: bool = True
    memory: bool = True
    embedder: str = "hashed"
    threshold: float = 0.0
    neighbours: int = NEIGHBOURS
    shots: int = 0
    context: int = 0
    temperature: float = 0.0
    reasks: int = 2
    errors: bool = True
    release: bool = False
    vision: bool = False
    prompts: Path = prompting.FOLDER
    exemplars: Path = exemplar_files.FOLDER
    memory_file: str = ""

    def __post_init__(self) -> None:
        check_least(self, rounds=1, calls=1, moves=1, past=1, neighbours=1)
        if self.state not in STATES:
            raise ValueError(f"there is no state={self.state}; write one of {', '.join(STATES)}")
        check_least(self, threshold=0, context=0, reasks=0, top=0, shots=0)

    def keys(self, site: str) -> Path:
        """Return the path of the memory file for a site."""
        return Path(self.memory_file) if self.memory_file else self.exemplars / site / memory.KEYS


async def with_fewer(
    exemplars: Sequence[T],
    ask: Callable[[Sequence[T]], Awaitable[R]],
    on_drop: Callable[[int], None],
    least: int = 0,
) -> R:
    """Ask with these exemplars; while the request does not fit the context, drop the last one.

    Args:
        exemplars: The exemplars to show.
        ask: Sends the request that shows the given exemplars.
        on_drop: Called with the number of exemplars that are left.
        least: Number of exemplars that must remain.

    Raises:
        ContextOverflow: Not even the `least` exemplars fit.
    """
    shown = list(exemplars)
    while True:
        try:
            return await ask(shown)
        except ContextOverflow:
            if len(shown) <= least:
                raise
            shown.pop()
            on_drop(len(shown))


@dataclass(frozen=True)
class Requests:
    """Sends the model requests of one episode, with as many exemplars as fit."""

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
        """Ask the model; while the request does not fit its context, drop the last exemplar.

        Args:
            purpose: Name of the request in the trace.
            exemplars: The exemplars to show.
            request: Returns the messages that show the given exemplars.
            read: Parses a reply; raises ValueError in words for the model.
            stop: Texts at which the reply ends.
            least: Number of exemplars that must remain.

        Returns:
            The parsed reply.

        Raises:
            ContextOverflow: Not even the `least` exemplars fit.
        """

        async def ask(shown: Sequence[T]) -> str:
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

        def drop(left: int) -> None:
            self.task.record("drop", purpose, left=left)

        return await with_fewer(exemplars[: self.options.shots or None], ask, drop, least)

    def _checked(self, messages: list[Message]) -> list[Message]:
        """Return the messages. Raises `ContextOverflow` if they exceed the option `context`."""
        tokens.check_fits({"messages": messages}, self.options.context)
        return messages
