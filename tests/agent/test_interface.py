"""The words: small, frozen, and without the rest of the project."""

from __future__ import annotations

import ast
import dataclasses
import random
import sys
from pathlib import Path

from agent import interface
from agent.interface import (
    BudgetExceeded,
    Click,
    Element,
    Observation,
    Reply,
    Task,
    Text,
    ToolCall,
)
from tests.each import for_each


def test_it_uses_the_standard_library_only():
    tree = ast.parse(Path(interface.__file__).read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            assert {each.name.split(".")[0] for each in node.names} <= sys.stdlib_module_names
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0
            assert str(node.module).split(".")[0] in sys.stdlib_module_names


@for_each("kind", [each for each in vars(interface).values() if dataclasses.is_dataclass(each)])
def test_every_word_is_frozen(kind):
    assert kind.__dataclass_params__.frozen, kind


def test_a_task_tells_neither_seed_nor_gold():
    names = {each.name for each in dataclasses.fields(Task)}
    assert names == {"site", "instruction", "start_url", "family", "answer", "rng", "record"}


def test_a_task_without_an_engine_can_record_and_draw():
    one = Task("store", "buy", "http://s/", "buy_item")
    one.record("note", "something", size=3)
    assert one.rng.random() == random.Random(0).random()
    assert one == Task("store", "buy", "http://s/", "buy_item", rng=random.Random(7))


def test_an_observation_reads_in_order():
    page = Observation("u", "t", (Text("one"), Element(1, "button", "two"), Text("three")))
    assert page.text == "one\ntwo\nthree"
    assert [element.name for element in page.elements] == ["two"]


def test_pictures_are_no_part_of_what_is_compared_or_printed():
    page = Observation("u", "t", screenshot=b"png")
    assert page == Observation("u", "t") and "png" not in repr(page)


def test_a_reply_is_its_first_text():
    assert Reply(("a", "b"), (ToolCall("f", "{}"),)).text == "a"


def test_actions_compare_by_value():
    assert Click(3) == Click(3) and len({Click(3), Click(3), Click("3")}) == 2


def test_a_spent_budget_says_of_what():
    error = BudgetExceeded("steps", 12)
    assert str(error) == "the budget of 12 steps is spent" and error.what == "steps"
