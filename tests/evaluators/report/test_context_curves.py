"""Charts of success by the model's context."""

from __future__ import annotations

from evaluators import report
from evaluators.report.context_curves import context_curves
from tests.evaluators.report.handmade import record
from tests.evaluators.report.test_page import Page


def episode(context, seed=0, success=True, agent="react", **changes):
    name = f"{agent}:context={context}" if context else agent
    options = {"context": context} if context else {}
    return record(name, seed, success=success, options=options, **changes)


RECORDS = [
    episode(4096, success=False, ended="truncated", cause="context"),
    episode(4096, seed=1),
    episode(8192),
    episode(8192, seed=1),
    episode(0, agent="nothing", success=False),
]


def test_an_agent_with_several_contexts_has_a_curve():
    made = context_curves(RECORDS)
    success, overflow = made.charts
    assert [line.name for line in success.lines] == ["react"]
    assert [mark.text for mark in success.lines[0].marks] == ["4: 0.5", "8: 1"]
    assert [mark.text for mark in overflow.lines[0].marks] == ["4: 0.5", "8: 0"]


def test_other_options_and_the_model_stay_in_the_name():
    names = ("flat:4k:context={}@gpt-x", "react:notes=true,context={}@scripted-0.5")
    made = context_curves(
        [
            record(name.format(size), seed=0, success=True, options={"context": size})
            for name in names
            for size in (4096, 8192)
        ]
    )
    found = {line.name for each in made.charts for line in each.lines}
    assert found == {"flat:4k@gpt-x", "react:notes=true"}


def test_one_context_is_no_curve():
    assert context_curves(RECORDS[:2]) is None


def test_the_page_draws_them(run):
    for each in RECORDS:
        run.add(each)
    text = Page(report.write(run.path)).text
    assert "By the model's context" in text and "success by context on store" in text
