"""Ask an agent's model, after its last action, how sure it is that the task is done.

An agent with the option `confidence=true` is asked once, whatever its method is. The request shows
the task, the actions, the answer and the page as it is then. The number says nothing to the scorer.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent import renderings
from agent.interface import (
    LLM,
    BudgetExceeded,
    ContextOverflow,
    FormatError,
    Observation,
    Reply,
)
from agent.llm.asking import ask_for, message
from agent.renderings.markers import guard

PURPOSE = "confidence/ask"
RENDERING = "tree"
MOST = 100
SYSTEM = (
    "You check work that was done in a browser. An agent was asked to do a task on a website, and"
    " it has stopped. The task may be done, done in part, or done wrongly. Say how sure you are"
    " that it was done exactly as asked, without any other change. You see the actions and the last"
    " page, and no earlier page."
)
QUESTION = """The task: {task}

The actions, oldest first:
{actions}

The answer that was given: {answer}

This is the page now.
<<<observation
{page}
observation>>>

How sure are you, from 0 to 100, that the task was done exactly as asked? With 100 you are certain \
that it was, with 0 that it was not, and 50 is a coin toss. Answer with the number alone."""
_NUMBER = re.compile(r"(?<![\d.-])(\d{1,3})(?:\.0+)?\s*%?(?![\d.])")


async def ask(
    llm: LLM, task: str, actions: Sequence[str], answer: str, screen: Observation
) -> int | None:
    """Ask how sure the model is, and return its number.

    Args:
        llm: The episode's model.
        task: The instruction.
        actions: The actions of the episode, in words.
        answer: The answer that the method returned.
        screen: The page at the end.

    Returns:
        A number from 0 to 100; None if no reply had one, or if the budget or the model's context
        was too small for the request.
    """
    text = QUESTION.format(
        task=task,
        actions="\n".join(actions) or "none",
        answer=answer or "none",
        page=guard(renderings.get(RENDERING).render(renderings.without_instruction(screen, task))),
    )
    try:
        return await ask_for(
            llm, PURPOSE, [message("system", SYSTEM), message("user", text)], read, temperature=None
        )
    except (BudgetExceeded, ContextOverflow, FormatError):
        return None


def read(reply: Reply) -> int:
    """Return the number of a reply. Raises ValueError if it has none, or several."""
    found = {int(each) for each in _NUMBER.findall(reply.text)}
    if len(found) != 1 or max(found) > MOST:
        raise ValueError("answer with one number from 0 to 100, and nothing else")
    return found.pop()
