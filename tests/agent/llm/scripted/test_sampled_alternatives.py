"""The scripted model of sampled alternatives, asked with the shipped prompts."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from itertools import product
from typing import Any

import pytest

from agent import prompting
from agent.interface import (
    Action,
    Advice,
    Click,
    FormatError,
    Message,
    Reply,
    Task,
)
from agent.llm.model_source import answer
from agent.llm.simulated.model import SimulatedModel
from agent.llm.simulated.reading import Knowledge
from agent.methods.anticipatory_reflection.introspection import Introspection
from agent.methods.sampled_alternatives import Options, rank, think_of
from tests.agent.llm.scripted.test_anticipatory_reflection import OPEN, PAGE, STEPS, WISH
from tests.each import for_each
from tests.measuring import DEEP, draws

MANY = 200
RIGHT = "Action: click [2]"
SAMPLES = 5


class ScriptedLLM:
    """The scripted model as methods ask it."""

    def __init__(self, simulated: SimulatedModel) -> None:
        self.simulated = simulated
        self.replies: list[list[str]] = []

    async def ask(self, purpose: str, messages: Iterable[Message], **settings: Any) -> Reply:
        body = {"model": "scripted", "messages": list(messages), **settings}
        choices = answer(self.simulated, purpose, body)["choices"]
        self.replies.append([str(each["message"]["content"]) for each in choices])
        return Reply(tuple(self.replies[-1]))


def introspection(
    skill: float = 1.0,
    scenario: str = "s",
    mistakes: str = "sticky",
    advice: Advice = OPEN,
    instruction: str = WISH,
) -> Introspection:
    known = Knowledge(WISH, scenario, "store", 0, lambda _: advice, STEPS)
    model_source = ScriptedLLM(SimulatedModel({WISH: known}, skill, mistakes))
    task, prompts = (
        Task("store", instruction, "http://s/", "socks"),
        prompting.load("sampled_alternatives", "store"),
    )
    return Introspection(
        "sampled_alternatives", task, model_source, prompts, Options(reasks=9), plan=[*STEPS]
    )


def texts(by: Introspection) -> list[str]:
    """All samples of an action."""
    asyncio.run(by.sample_actions(2, PAGE, SAMPLES))
    assert isinstance(by.llm, ScriptedLLM)
    return by.llm.replies[-1]


def test_as_many_samples_as_are_asked_for_and_at_full_skill_all_the_same():
    assert texts(introspection()) == ["Action: click [2]"] * SAMPLES


KINDS, SKILLS = ("sticky", "memoryless"), (0.0, 0.5, 0.9)
IN_TURN = [("sticky", 0.0), ("memoryless", 0.5), ("sticky", 0.9)]


@pytest.mark.wide
@for_each(("mistakes", "skill"), product(KINDS, SKILLS) if DEEP else IN_TURN)
def test_each_sample_is_a_draw_of_its_own(mistakes, skill):
    """Whatever the first one is: three of four repeated it."""
    further = [
        (first == RIGHT, text == RIGHT)
        for number in draws(MANY)
        for first, *more in [texts(introspection(skill, f"s{number}", mistakes))]
        if len(more) == SAMPLES - 1
        for text in more
    ]
    for before in {True, False} & {first for first, _ in further}:
        right = [text for first, text in further if first == before]
        assert sum(right) / len(right) == pytest.approx(skill, abs=0.1 if before else 0.12)
    assert len(further) > 2 * MANY


def test_samples_are_the_same_each_time():
    assert texts(introspection(0.5, "s1")) == texts(introspection(0.5, "s1"))


def ranked(by: Introspection, *candidates: Action) -> list[int]:
    return asyncio.run(rank(by, candidates, 2, PAGE))


def test_the_right_action_has_the_highest_value():
    wrong, right, other = ranked(introspection(), Click(3), Click(2), Click(1))
    assert wrong == other < right


def test_a_mistake_is_overlooked_as_often_as_in_alignment():
    high = [ranked(introspection(0.5, f"s{n}"), Click(3), Click(2))[0] > 5 for n in draws(MANY)]
    assert sum(high) / MANY == pytest.approx(0.5, abs=0.1)


def test_alternatives_come_in_the_order_of_their_value():
    found = [
        asyncio.run(think_of(introspection(0.6, f"s{n}"), Options(samples=9), 2, PAGE))
        for n in draws(60)
    ]
    several = [each for each in found if len(each) > 1 and Click(2) in each]
    assert several and sum(each[0] == Click(2) for each in several) > 0.6 * len(several)


@pytest.mark.parametrize("instruction", ["", "please order the nylon socks"])
def test_a_request_without_its_task_gets_nothing_that_can_be_used(instruction):
    by = introspection(instruction=instruction)
    for ask in (texts, lambda by: ranked(by, Click(2), Click(3))):
        with pytest.raises(FormatError):
            ask(by)
