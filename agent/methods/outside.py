"""A method whose actions an external client decides, which sees the pages (`rehearse mcp`)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from agent import actions
from agent.actions import BadAction
from agent.interface import (
    LLM,
    Action,
    AnswerSchema,
    FormatError,
    Observation,
    Page,
    Stop,
    Task,
)
from agent.methods import check_least
from agent.renderings import painted, tree
from agent.renderings.markers import fence

NEEDS_CLIENT = True
ACTIONS = tuple(verb for verb in actions.USUAL if verb != "stop")
"""The actions that a client may write. `stop` is left out because a client has another way to end a
task.
"""
COLOURED = ("widgets",)
"""The sites with tasks that ask for a colour."""
AGAIN = ""
"""The line by which a client asks to see the task and the newest page again."""


@dataclass(frozen=True)
class Options:
    """Options of the method for external clients.

    Attributes:
        client: Name of the client in records.
        reasks: Number of invalid lines in a row that are answered with an error; the next invalid
            line ends the episode.
        exchange: Shows the client a text and returns its next line; the engine fills it in.
    """

    client: str = ""
    reasks: int = 10
    exchange: Callable[[str], Awaitable[str]] | None = None

    def __post_init__(self) -> None:
        check_least(self, reasks=0)


async def solve(task: Task, page: Page, llm: LLM, options: Options) -> str:
    """Carry out the client's actions until it gives an answer, and return the answer."""
    if options.exchange is None:
        raise ValueError("a client decides what is done; run it through `rehearse mcp`")
    observation = await page.observe()
    text = beginning(task, observation)
    while True:
        action = await next_action(text, task, observation, options)
        if isinstance(action, Stop):
            return action.answer
        observation = await page.act(action)
        text = shown(observation, task.site)


async def next_action(text: str, task: Task, observation: Observation, options: Options) -> Action:
    """Show the client a text and return its next line that is a valid action.

    Raises:
        FormatError: The client has written more invalid lines in a row than `reasks` allows.
    """
    assert options.exchange is not None
    reasks = 0
    while True:
        line = await options.exchange(text)
        if line == AGAIN:
            text = beginning(task, observation)
            continue
        try:
            return actions.parse(line)
        except BadAction as error:
            text = str(error)
        if reasks == options.reasks:
            raise FormatError(text)
        reasks += 1
        task.record("reask", error=text)


def beginning(task: Task, observation: Observation) -> str:
    """Return the first text for a client: the task, how to write actions, and the page."""
    parts = (
        f"Task: {task.instruction}",
        asked(task.answer),
        f"Actions, one at a time:\n{actions.describe(ACTIONS)}",
        shown(observation, task.site),
    )
    return "\n\n".join(parts)


def asked(answer: AnswerSchema | None) -> str:
    """Return a sentence that says which kind of answer the task asks for."""
    impossible = "NOT_ACHIEVABLE where it cannot be done"
    if answer is None:
        return f"It wants no answer, only what is to be done; answer {impossible}."
    kind = answer.kind.replace("_", " or ")
    about = f" ({answer.description})" if answer.description else ""
    return f"Answer with {kind}{about} alone; NOT_FOUND where there is no such thing, {impossible}."


def shown(observation: Observation, site: str) -> str:
    """Return the page as text between two marker lines, which separate it from the engine's own
    text.

    Colours are included on sites whose tasks ask for them.
    """
    rendering = painted if site in COLOURED else tree
    return fence(rendering.render(observation))
