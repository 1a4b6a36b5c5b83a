"""MindAct's multiple choice (Deng et al. 2023, section 3.2): groups of candidates compete until a
single candidate is left. The method on recorded tasks and the method on living pages share it.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Sequence

from agent.interface import Message
from agent.llm.asking import message
from agent.mind2web.methods import LOST, Prediction
from agent.prompting import Prompts

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""A stands for none of the candidates."""
_ANSWER = re.compile(r"Answer:\s*([A-Z])(?![A-Za-z])")
_OPERATION = re.compile(r"Action:\s*(CLICK|SELECT|TYPE)")
_VALUE = re.compile(r"Value:[ \t]*(.*)")

Choose = Callable[[Sequence[str]], Awaitable[Prediction | None]]
"""Asks which of these candidates the next action is about; returns None for none of them."""


def check_group(group: int) -> None:
    """Raise ValueError if a group has more candidates than there are letters."""
    if group >= len(LETTERS):
        raise ValueError(f"group={group} is above {len(LETTERS) - 1}")


async def compete(
    candidates: Sequence[str], group: int, choose: Choose, *, ask_last: bool = False
) -> Prediction:
    """Let groups of candidates compete until at most one is left.

    The winner of a group goes to the end of the list, and the last answer counts.

    Args:
        candidates: The candidates in the order in which they are asked about.
        group: Candidates of a request.
        choose: Asks about a group. `LOST` stands for a letter that was not offered.
        ask_last: Whether to ask about a candidate that is left and was in no request, as in the
            paper. The released code does not ask about it, so it is lost.

    Returns:
        The action on the candidate that is left; `LOST` if none is left.
    """
    left, prediction = [*candidates], LOST
    while len(left) > 1 or (ask_last and left and left != [prediction.element]):
        asked, left = left[:group], left[group:]
        answer = await choose(asked)
        if answer is not None:
            prediction = answer
            left += [answer.element] if answer.element else []
    return prediction if left else LOST


def question(prompts: Prompts, choices: Sequence[str], **given: object) -> Message:
    """Return the user's message with a lettered list of choices.

    Args:
        prompts: The prompts, with a text `question`.
        choices: The texts of the choices.
        **given: The other values of the text.
    """
    listed = [f"{letter}. {each}" for letter, each in zip(LETTERS[1:], choices, strict=False)]
    return message("user", prompts.say("question", choices=listed, **given))


def read(reply: str, offered: Sequence[str]) -> Prediction | None:
    """Return the action in a reply; None for none of the candidates.

    Args:
        reply: The text of the reply.
        offered: The ids of the candidates that B, C and so on stand for.

    Returns:
        The action; `LOST` if its letter was not offered.

    Source: MindAct's released code (`postprocess_action`): three patterns, A without a letter.
    """
    letter, operation, value = (
        found[1] if (found := pattern.search(reply)) else ""
        for pattern in (_ANSWER, _OPERATION, _VALUE)
    )
    at = LETTERS.index(letter or "A") - 1
    if at < 0:
        return None
    if at >= len(offered):
        return LOST
    return Prediction(operation, offered[at], value.strip(), reply)
