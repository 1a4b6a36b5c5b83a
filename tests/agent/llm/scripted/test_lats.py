"""The scripted LATS, asked with the shipped prompts: values and lessons."""

from __future__ import annotations

import asyncio
from functools import partial

import pytest

from agent import prompting
from agent.interface import Action, Advice, Click, FormatError, Observation, Task
from agent.llm.simulated.model import SimulatedModel
from agent.llm.simulated.reading import Knowledge
from agent.methods.anticipatory_reflection import parsing
from agent.methods.anticipatory_reflection.introspection import Introspection
from agent.methods.anticipatory_reflection.parsing import Appraisal
from agent.methods.lats import Options
from tests.agent.llm.scripted.test_anticipatory_reflection import (
    OPEN,
    PAGE,
    STEPS,
    WISH,
    ScriptedLLM,
)


def introspection(advice: Advice = OPEN, instruction: str = WISH) -> Introspection:
    known = Knowledge(WISH, "s", "store", 0, lambda _: advice, STEPS)
    llm, prompts = ScriptedLLM(SimulatedModel({WISH: known})), prompting.load("lats", "store")
    task = Task("store", instruction, "http://s/", "socks")
    return Introspection("lats", task, llm, prompts, Options(reasks=9), plan=[*STEPS])


def valued(by: Introspection, action: Action, after: Observation = PAGE) -> Appraisal:
    say = partial(asyncio.run(by.transition("value", 2, PAGE, action)), batched=True)
    return asyncio.run(by.questioner.between("value", say, PAGE, after, parsing.appraisal))


def test_a_state_is_worth_more_the_nearer_it_is_to_the_end():
    by = introspection()
    wrong, right = valued(by, Click(3)), valued(by, Click(2))
    late = valued(introspection(advice=Advice("buy", (Click(2),))), Click(2))
    end = valued(introspection(advice=Advice("buy", (Click(2),), answer="blue")), Click(2))
    assert wrong.value < right.value < late.value < end.value
    assert not right.task_done and end.task_done and end.step_done
    assert right.description == "The action is to click on link 'Socks'."


def test_a_lesson_tells_what_was_tried_last():
    by = introspection()
    by.did(Click(3), PAGE, "The action is to try.")
    assert "click 3" in asyncio.run(by.reflect(2, PAGE))


@pytest.mark.parametrize("instruction", ["", "please order the nylon socks"])
def test_a_request_without_its_task_gets_nothing_that_can_be_used(instruction):
    with pytest.raises(FormatError):
        valued(introspection(instruction=instruction), Click(2))
