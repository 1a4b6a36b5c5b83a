"""The scripted Anticipatory Reflection, asked with the shipped prompts."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest

from agent import prompting, renderings
from agent.interface import (
    Action,
    Advice,
    AnswerSchema,
    Click,
    Element,
    FormatError,
    Message,
    Note,
    Observation,
    Reply,
    Scroll,
    Task,
    Type,
)
from agent.llm.model_source import answer
from agent.llm.simulated.mistakes import Situation
from agent.llm.simulated.model import SimulatedModel
from agent.llm.simulated.reading import Knowledge
from agent.llm.simulated.reasons import because
from agent.methods.anticipatory_reflection import Options
from agent.methods.anticipatory_reflection.introspection import Introspection
from tests.measuring import DEEP, draws

WISH = "please order the wool socks"
STEPS = ("search", "open", "buy")
PAGE = Observation(
    "http://s/",
    "Shop",
    (
        Element(1, "searchbox", "Search"),
        Element(2, "link", "Socks"),
        Element(3, "link", "Hats"),
        Element(4, "button", "Buy Now", commits=True),
    ),
)
OPEN = Advice("open", (Click(2),), needs=(("wool socks",),))
MANY = 300 if DEEP else 100
NEAR = 0.08 if DEEP else 0.13
"""How near a share of so many is to what it should be: nearly three deviations."""


class ScriptedLLM:
    """The scripted model as methods ask it."""

    def __init__(self, simulated: SimulatedModel) -> None:
        self.simulated = simulated

    async def ask(self, purpose: str, messages: Iterable[Message], **settings: Any) -> Reply:
        body = {"model": "scripted", "messages": list(messages)}
        reply = answer(self.simulated, purpose, body)
        return Reply((str(reply["choices"][0]["message"]["content"]),))


def introspection(
    advice: Advice = OPEN, skill: float = 1.0, scenario: str = "s", instruction: str = WISH
) -> Introspection:
    known = Knowledge(WISH, scenario, "store", 0, lambda _: advice, STEPS)
    prompts = prompting.load("anticipatory_reflection", "store")
    task = Task("store", instruction, "http://s/", "socks", AnswerSchema("text"))
    model_source = ScriptedLLM(SimulatedModel({WISH: known}, skill))
    options = Options(reasks=9)
    return Introspection(
        "anticipatory_reflection", task, model_source, prompts, options, plan=list(STEPS)
    )


def aligned(by: Introspection, action: Action, after: Observation = PAGE) -> bool:
    return asyncio.run(by.align(2, PAGE, action, after)).aligned


def test_a_plan_is_the_steps_of_the_task():
    by = introspection()
    by.plan = []
    asyncio.run(by.make_plan(PAGE))
    assert by.plan == [*STEPS]


def test_an_action_is_that_of_the_advice_and_a_remedy_another_that_commits_nothing():
    by = introspection()
    assert asyncio.run(by.next_action(2, PAGE)) == Click(2)
    first = asyncio.run(by.remedy(2, PAGE, [Click(2)]))
    second = asyncio.run(by.remedy(2, PAGE, [Click(2), first]))
    assert (first, second) == (Click(3), Click(1))
    assert asyncio.run(by.remedy(2, PAGE, [Click(2), first, second])) == Click(2)


def test_remedies_in_one_request_are_those_that_follow_each_other():
    by = introspection()
    assert asyncio.run(by.remedies(2, PAGE, Click(2), 2)) == [Click(3), Click(1)]
    assert asyncio.run(by.remedies(2, PAGE, Click(3), 1)) == [Click(2)]
    only = Observation("http://s/", "Shop", (Element(2, "link", "Socks"),))
    assert asyncio.run(by.remedies(2, only, Click(2), 2)) == []


@pytest.mark.parametrize("skill", [0.0, 0.5, 0.9, 1.0])
def test_a_remedy_is_as_often_right_as_any_answer(skill):
    """Each is a draw of its own: remedies were right at any skill."""
    first, second = [], []
    for number in draws(MANY):
        by = introspection(skill=skill, scenario=f"s{number}")
        one = asyncio.run(by.remedy(2, PAGE, [Click(3)]))
        first.append(one == Click(2))
        assert one != Click(3)
        if one != Click(2):
            two = asyncio.run(by.remedy(2, PAGE, [Click(3), one]))
            assert two not in (Click(3), one)
            second.append(two == Click(2))
    assert rate(first) == pytest.approx(skill, abs=NEAR)
    assert not second or rate(second) == pytest.approx(
        skill, abs=0.3 if skill > 0.8 else 1.5 * NEAR
    )


@pytest.mark.wide
@pytest.mark.parametrize("skill", [0.0, 0.5, 0.9])
def test_plans_err_by_skill_and_a_revised_one_is_another_draw(skill):
    plans: dict[bool, list[list[str]]] = {False: [], True: []}
    for number in draws(MANY):
        by = introspection(skill=skill, scenario=f"s{number}")
        asyncio.run(by.make_plan(PAGE))
        plans[False].append(failed := by.plan)
        by.did(Click(3), PAGE)
        asyncio.run(by.revise_plan(PAGE))
        plans[True].append(by.plan)
        assert by.plan == [*STEPS] or by.plan != failed
    for made in plans.values():
        assert rate([each == [*STEPS] for each in made]) == pytest.approx(skill, abs=NEAR)
        assert {step for plan in made for step in plan} == set(STEPS)


@pytest.mark.parametrize("skill", [0.0, 0.5, 0.9])
def test_the_answer_to_the_task_errs_by_skill(skill):
    end = Advice("buy", answer="1998")
    found = [
        asyncio.run(introspection(end, skill, f"s{number}").answer(PAGE)) for number in draws(MANY)
    ]
    assert rate([each == "1998" for each in found]) == pytest.approx(skill, abs=NEAR)


def test_a_reason_names_what_was_seen_what_was_asked_for_and_the_step():
    situation = Situation(OPEN, PAGE)
    assert because(situation, Click(2), WISH) == (
        "The page shows the link 'Socks', and the task says 'socks'; this belongs to the step"
        " 'open'."
    )
    assert because(situation, Click("Submit"), WISH) == (
        "There should be a 'Submit' on the page 'Shop', and the task says 'wool socks'; this"
        " belongs to the step 'open'."
    )
    without_words = because(situation, Type(1, "nylon"), "please order")
    assert "nylon" not in without_words and "wool" not in without_words


def test_assessments_are_right_at_full_skill():
    by = introspection()
    assert aligned(by, Click(2)) and not aligned(by, Click(3))
    failed = Observation("http://s/", "Shop", error="no such element")
    assert not aligned(by, Click(2), failed)
    done = [asyncio.run(by.is_step_done(number, PAGE)) for number in (1, 2, 3)]
    assert done == [True, False, False] and not asyncio.run(by.is_task_done(PAGE))
    end = introspection(Advice("buy", answer="blue"))
    assert asyncio.run(end.is_task_done(PAGE)) and asyncio.run(end.is_step_done(3, PAGE))
    assert asyncio.run(end.answer(PAGE)) == "blue" and asyncio.run(by.answer(PAGE)) == ""


def test_the_last_thing_on_a_screen_waits_for_the_others():
    many = Advice("open", (Type(1, "wool socks"), Click(3), Click(2)))
    by = introspection(many)
    assert [aligned(by, each) for each in many.actions] == [True, True, False]


def rate(verdicts: list[bool]) -> float:
    return sum(verdicts) / len(verdicts)


def test_mistakes_of_assessment_are_as_frequent_as_the_table_says():
    numbers = range(300)
    models = [introspection(skill=0.5, scenario=f"s{number}") for number in numbers]
    assert rate([aligned(by, Click(3)) for by in models]) == pytest.approx(0.5, abs=0.1)
    assert rate([not aligned(by, Click(2)) for by in models]) == pytest.approx(0.05, abs=0.04)
    done = [asyncio.run(by.is_task_done(PAGE)) for by in models]
    assert rate(done) == pytest.approx(0.05, abs=0.04)


def test_a_belief_that_the_history_shows_as_tried_is_given_up():
    wrong = 0
    for number in range(60):
        by = introspection(skill=0.5, scenario=f"s{number}")
        believed = asyncio.run(by.next_action(2, PAGE))
        if believed != Click(2):
            wrong += 1
            by.did(believed, PAGE, "The action is to try.")
            if not isinstance(believed, Note):
                assert asyncio.run(by.next_action(2, PAGE)) == believed
                by.did(believed, PAGE, "The action is to try.")
            assert asyncio.run(by.next_action(2, PAGE)) == Click(2)
    assert wrong > 10


def test_a_belief_whose_action_did_not_serve_is_given_up_at_once():
    for number in range(60):
        by = introspection(skill=0.0, scenario=f"s{number}")
        believed = asyncio.run(by.next_action(2, PAGE))
        by.did(believed, PAGE, "The action is to try. It did not serve its step.")
        assert asyncio.run(by.next_action(2, PAGE)) == Click(2)


PART = replace(PAGE, more=("below",))
END = replace(PAGE, more=("above",))
OFF = Advice("open", (Click(5),))
"""To leave the page by `Back to Search`, where what is looked for is not shown."""


def on_part(advice: Advice, screen: Observation, *before: Action) -> Action | None:
    """What is done there after these actions."""
    by = introspection(advice)
    for each in before:
        by.did(each, screen, "The action is to look.")
    return asyncio.run(by.next_action(2, screen))


def test_the_rest_of_a_page_is_looked_at_before_it_is_left():
    down, up = Scroll("down"), Scroll("up")
    part, end = (
        replace(each, content=(*each.content, Element(5, "button", "Back to Search")))
        for each in (PART, END)
    )
    assert on_part(OFF, part) == down and on_part(OFF, end, down) == Click(5)
    assert on_part(OFF, replace(part, more=())) == Click(5), "the page is shown whole"
    assert on_part(OPEN, PART) == Click(2), "what is to be done is in sight"
    nothing = Advice("open")
    assert on_part(nothing, PART) == down and on_part(nothing, END, down) == up
    assert on_part(OFF, part, down, up) == Click(5), "nobody goes up and down for ever"
    assert on_part(OFF, part, down, Click(2)) == down, "that was another page"


def test_nothing_left_to_do_is_held_for_true_when_the_whole_page_was_seen():
    by = introspection(Advice("buy", answer=""))
    assert not asyncio.run(by.is_task_done(PART)) and asyncio.run(by.is_task_done(END))


def test_what_scrolled_away_and_is_needed_is_told():
    by = introspection(Advice("open", (Click(2),), needs=(("wool socks",), ("Hats",))))
    gone = replace(END, content=PAGE.content[:2])
    found = asyncio.run(by.align(2, PART, Scroll("down"), gone))
    assert found.description == "The action is to scroll; before, the page said Hats."
    by.did(Scroll("down"), PART, found.description)
    assert asyncio.run(by.next_action(2, gone)) == Click(2)


def test_who_cannot_go_on_takes_a_note():
    by = introspection(Advice("open"))
    note = asyncio.run(by.next_action(2, PAGE))
    assert isinstance(note, Note) and asyncio.run(by.remedy(2, PAGE, [note])) == note


@pytest.mark.parametrize("instruction", ["", "please order the nylon socks"])
def test_a_request_without_its_task_gets_nothing_that_can_be_used(instruction):
    by = introspection(instruction=instruction)
    for ask in (by.next_action(2, PAGE), by.is_step_done(2, PAGE), by.answer(PAGE)):
        with pytest.raises(FormatError):
            asyncio.run(ask)


def test_elements_are_mapped_by_what_the_screens_show():
    new = Observation("http://s/", "Shop", (Element(5, "link", "New"), Element(6, "link", "Socks")))
    assert asyncio.run(introspection().map_element(2, PAGE, new)) == 6
    assert asyncio.run(introspection().map_element(3, PAGE, new)) is None


def test_a_summary_can_be_read_as_a_screen():
    by = introspection()
    short = asyncio.run(by.questioner.summary(PAGE))
    assert renderings.get(by.prompts.rendering).parse(short).elements == PAGE.elements
