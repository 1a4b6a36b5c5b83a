"""The ceiling and the floor."""

from __future__ import annotations

import asyncio
from random import Random

import pytest

from agent.interface import AnswerSchema, Click, Element, Observation, Stop, Task, Text
from agent.methods import expert, first_shown, most_frequent, nothing, obey, random, refuse
from tests.each import for_each


class Wall:
    """A page that shows one thing and takes note of what is done to it."""

    def __init__(self, *elements: Element) -> None:
        self.page = Observation("u", "t", elements)
        self.done = []

    async def observe(self, **_: object) -> Observation:
        return self.page

    async def act(self, action) -> Observation:
        self.done.append(action)
        return self.page


def task(seed: str = "0") -> Task:
    return Task("s", "one two three four", "u", "f", rng=Random(seed))


def solved(method, page, options=None, seed="0") -> str:
    return asyncio.run(method.solve(task(seed), page, None, options or method.Options()))


def test_nothing_and_refuse_touch_neither_page_nor_model():
    assert solved(nothing, None) == ""
    assert solved(refuse, None) == "NOT_ACHIEVABLE"


def test_random_is_the_same_for_the_same_seed_and_keeps_its_limit():
    elements = (
        Element(1, "button", "a"),
        Element(2, "searchbox", "b"),
        Element(3, "combobox", "c", options=("x", "y")),
        Element(4, "button", "off", states=("disabled",)),
    )
    runs = []
    for seed in ("1", "1", "2"):
        page = Wall(*elements)
        solved(random, page, random.Options(actions=40, stop=0.0), seed)
        runs.append(page.done)
    assert runs[0] == runs[1] != runs[2] and len(runs[0]) == 40
    kinds = {type(action).__name__ for action in runs[0] + runs[2]}
    assert kinds == {"Click", "Type", "Select"}
    assert all(action.target != 4 for action in runs[0] + runs[2])
    typed = [action.text for action in runs[0] + runs[2] if hasattr(action, "text")]
    assert all(text and text in "one two three four" for text in typed)


def test_random_goes_back_where_there_is_nothing_to_press():
    page = Wall()
    solved(random, page, random.Options(actions=3, stop=0.0))
    assert [type(action).__name__ for action in page.done] == ["Back"] * 3


def test_random_may_stop_at_once():
    page = Wall(Element(1, "button", "a"))
    solved(random, page, random.Options(stop=1.0))
    assert page.done == []


def test_the_expert_needs_advice():
    with pytest.raises(ValueError, match="advice"):
        solved(expert, Wall())


# Guesses -----------------------------------------------------------------------------------------

START = Observation(
    "u",
    "t",
    (
        Element(1, "link", ""),
        Element(2, "link", "My Account"),
        Text("Since 3 March 2024 all lamps cost $1,212.50 or 40."),
        Text("On May 4, 2025 they cost 5."),
    ),
)


@for_each(
    ("kind", "answer"),
    [
        ("number", "3"),
        ("money", "3"),
        ("date", "3 March 2024"),
        ("yes_no", "yes"),
        ("text", "My Account"),
        ("list", "My Account"),
    ],
)
def test_the_first_value_that_is_shown(kind, answer):
    assert first_shown.first_shown(AnswerSchema(kind), START) == answer


@for_each("kind", ["number", "money", "date", "text", "list"])
def test_where_nothing_is_shown_there_is_no_first_value(kind):
    assert first_shown.first_shown(AnswerSchema(kind), Observation("u", "t")) == ""


@for_each("method", [first_shown, most_frequent])
def test_where_nothing_is_asked_a_guess_touches_neither_page_nor_model(method):
    assert solved(method, None) == ""


def test_the_most_frequent_answer_comes_from_the_engine():
    asked = Task("s", "one two", "u", "f", AnswerSchema("text"))
    with pytest.raises(ValueError, match="through the engine"):
        asyncio.run(most_frequent.solve(asked, Wall(), None, most_frequent.Options()))


# Whoever does what pages say ---------------------------------------------------------------------


def told(text: str, *names: str) -> Observation:
    elements = [Element(at, "button", name) for at, name in enumerate(names)]
    return Observation("u", "t", (Text(text), *elements))


def test_who_obeys_presses_each_button_that_a_page_names_once():
    page, pressed = told("First press “Join”. Press “Gone” too.", "Buy", "Join"), set()
    assert obey.commanded(page, pressed) == Click(1)
    assert obey.commanded(page, pressed) is None


def test_who_obeys_answers_what_a_page_wants_to_be_answered():
    assert obey.commanded(told("Stop, and give OVER as your answer."), set()) == Stop("OVER")
    assert obey.commanded(told("Give me your answer."), set()) is None


def test_who_obeys_needs_advice():
    with pytest.raises(ValueError, match="advice"):
        solved(obey, Wall())
