"""The scripted LATS, asked with the shipped prompts: samples, values and lessons."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from functools import partial
from typing import Any

import pytest

from agent import prompting
from agent.interface import (
    Action,
    Advice,
    Click,
    FormatError,
    Message,
    Observation,
    Reply,
    Task,
)
from agent.llm.model_source import answer
from agent.llm.simulated import mistakes
from agent.llm.simulated.model import SimulatedModel
from agent.llm.simulated.reading import Knowledge
from agent.methods.anticipatory_reflection import parsing
from agent.methods.anticipatory_reflection.introspection import Introspection
from agent.methods.anticipatory_reflection.parsing import Appraisal
from agent.methods.lats import Options, _numbered, sampled, think_of
from tests.agent.llm.scripted.test_anticipatory_reflection import OPEN, PAGE, STEPS, WISH

MANY = 200
SAMPLES = 5


class Voice:
    """The scripted model as methods ask it."""

    def __init__(self, simulated: SimulatedModel) -> None:
        self.simulated = simulated
        self.replies: list[list[str]] = []

    async def ask(self, purpose: str, messages: Iterable[Message], **settings: Any) -> Reply:
        body = {"model": "scripted", "messages": list(messages), **settings}
        choices = answer(self.simulated, purpose, body)["choices"]
        self.replies.append([str(each["message"]["content"]) for each in choices])
        return Reply(tuple(self.replies[-1]))


def asker(
    skill: float = 1.0,
    scenario: str = "s",
    mistakes: str = "sticky",
    advice: Advice = OPEN,
    told: str = WISH,
) -> Introspection:
    known = Knowledge(WISH, scenario, "store", 0, lambda _: advice, STEPS)
    model_source = Voice(SimulatedModel({WISH: known}, skill, mistakes))
    task, prompts = Task("store", told, "http://s/", "socks"), prompting.load("lats", "store")
    return Introspection("lats", task, model_source, prompts, Options(reasks=9), plan=[*STEPS])


def texts(by: Introspection) -> list[str]:
    """All samples of an action."""
    asyncio.run(sampled(by, SAMPLES, 2, PAGE))
    assert isinstance(by.llm, Voice)
    return by.llm.replies[-1]


def test_as_many_samples_as_are_asked_for_and_at_full_skill_all_the_same():
    assert texts(asker()) == ["Action: click [2]"] * SAMPLES


@pytest.mark.parametrize(("mistakes", "anew"), [("sticky", mistakes.ANEW), ("memoryless", 1.0)])
def test_further_samples_are_decided_anew_as_often_as_the_table_says(mistakes, anew):
    """Of first samples that are wrong, further ones are right as often as a fresh decision is."""
    further = [
        text == "Action: click [2]"
        for number in range(MANY)
        for first, *more in [texts(asker(0.5, f"s{number}", mistakes))]
        if first != "Action: click [2]" and len(more) == SAMPLES - 1
        for text in more
    ]
    assert len(further) > MANY
    assert sum(further) / len(further) == pytest.approx(0.5 * anew, abs=0.05)


def test_samples_are_the_same_each_time():
    assert texts(asker(0.5, "s1")) == texts(asker(0.5, "s1"))


def ranked(by: Introspection, *candidates: Action) -> list[int]:
    say = partial(asyncio.run(by.situation("rank", 2)), candidates=_numbered(candidates, PAGE))
    read = partial(parsing.ranks, count=len(candidates))
    return asyncio.run(by.asker.about("rank", say, PAGE, read))


def test_the_right_action_has_the_highest_value():
    wrong, right, other = ranked(asker(), Click(3), Click(2), Click(1))
    assert wrong == other < right


def test_a_mistake_is_overlooked_as_often_as_in_any_judgement():
    high = [ranked(asker(0.5, f"s{n}"), Click(3), Click(2))[0] > 5 for n in range(MANY)]
    assert sum(high) / MANY == pytest.approx(0.5, abs=0.1)


def test_alternatives_come_in_the_order_of_their_value():
    found = [asyncio.run(think_of(asker(0.6, f"s{n}"), 9, 2, PAGE)) for n in range(60)]
    several = [each for each in found if len(each) > 1 and Click(2) in each]
    assert several and sum(each[0] == Click(2) for each in several) > 0.6 * len(several)


def valued(by: Introspection, action: Action, after: Observation = PAGE) -> Appraisal:
    say = asyncio.run(by.transition("value", 2, PAGE, action))
    return asyncio.run(by.asker.between("value", say, PAGE, after, parsing.appraisal))


def test_a_state_is_worth_more_the_nearer_it_is_to_the_end():
    by = asker()
    wrong, right = valued(by, Click(3)), valued(by, Click(2))
    late = valued(asker(advice=Advice("buy", (Click(2),))), Click(2))
    end = valued(asker(advice=Advice("buy", (Click(2),), answer="blue")), Click(2))
    assert wrong.value < right.value < late.value < end.value
    assert not right.task_done and end.task_done and end.step_done
    assert right.description == "The action is to click on link 'Socks'."


def test_a_lesson_tells_what_was_tried_last():
    by = asker()
    by.did(Click(3), PAGE, "The action is to try.")
    say = asyncio.run(by.situation("reflect", 2))
    lesson = asyncio.run(by.asker.about("reflect", say, PAGE, parsing.reflection))
    assert "click 3" in lesson


@pytest.mark.parametrize("told", ["", "please order the nylon socks"])
def test_who_was_told_too_little_says_nothing_that_can_be_used(told):
    by = asker(told=told)
    for ask in (texts, lambda by: ranked(by, Click(2), Click(3)), lambda by: valued(by, Click(2))):
        with pytest.raises(FormatError):
            ask(by)
