"""Depth and calls of stacked policies, by family."""

from __future__ import annotations

import pytest

from evaluators import report
from evaluators.report import loading
from evaluators.report.stacks import stacks
from tests.evaluators.report.handmade import Written, end, event, look, record
from tests.evaluators.report.test_page import Page


def stacked(*pushed: tuple[str, int]):
    """A trace on which these policies were called, each at its depth."""
    pushes = (event("push", name, depth=depth, objective=name) for name, depth in pushed)
    return [look(0, "start"), *pushes, end()]


@pytest.fixture
def recorded(run: Written) -> Written:
    """Two episodes of one family and one of another with a stack, and one without."""
    search = ("root", 1), ("find_flights", 2), ("choose_date", 3), ("choose_date", 3)
    party = ("root", 1), ("fill_party", 2), ("fill_person", 3), ("choose_date", 4)
    for seed, trace in enumerate((search, party)):
        made = record("step", seed, family="book_party", stack_depth=trace[-1][1], llm_calls=0)
        run.add(made, stacked(*trace))
    run.add(record("step", 9, family="alone", stack_depth=1, llm_calls=0), stacked(("root", 1)))
    run.add(record("react", 0))
    return run


def test_depth_and_calls_are_counted_by_family(recorded):
    flat, party = stacks(loading.read(recorded.path).episodes)
    assert (flat.family, flat.deepest, flat.calls_each, flat.calls) == ("alone", 1, 0, {})
    assert (party.episodes, party.deepest, party.depth) == (2, 4, 3.5)
    assert party.calls_each == 3
    assert [*party.calls.items()] == [
        ("choose_date", 3),
        *(("fill_party", 1), ("fill_person", 1), ("find_flights", 1)),
    ]


def test_the_page_shows_them(recorded):
    text = Page(report.write(recorded.path)).text
    assert "Stacks of policies" in text
    assert "step book_party 2 4 3.50 3.0 choose_date 3, fill_party 1, fill_person 1" in text
    assert "step alone 1 1 1.00 0.0 none" in text


def test_a_page_without_a_stack_says_nothing_of_them(run: Written):
    run.add(record("react"))
    assert "Stacks of policies" not in Page(report.write(run.path)).text
