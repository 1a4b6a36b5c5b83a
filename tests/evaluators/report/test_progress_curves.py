"""Progress by step, detours, and what was asked of the model."""

from __future__ import annotations

import json
import re

import pytest

from evaluators import report
from evaluators.report.progress_curves import AgentProgress, mean_curve, progress_charts
from evaluators.report.spending import spendings
from tests.evaluators.report.handmade import Written, record
from tests.evaluators.report.test_page import Page


def walked(agent: str, seed: int, steps: int, gained: list, **changes):
    curve = {"progress": gained, "no_return": changes.pop("no_return", None)}
    return record(agent, seed, steps=steps, progress_curve=curve, **changes)


RECORDS = [
    walked("react@scripted-0.7", 0, 2, [[1, 0.5], [2, 1.0]], success=True, wasted=0),
    walked("react@scripted-0.7", 1, 4, [[3, 0.5], [4, 0.25]], no_return=4, wasted=None),
    walked("react@scripted-0.7", 2, 9, [], success=None),
    walked("laser@scripted-0.7", 0, 3, [[3, 1.0]], success=True, wasted=3),
    walked("laser@scripted-1", 0, 1, [[1, 1.0]], success=True, wasted=0),
    record("nothing"),
]


def test_the_curve_is_the_mean_progress_by_step():
    found = progress_charts(RECORDS)
    assert found is not None and found.legend == {"laser": 0, "react": 1}
    low, high = found.charts
    assert (low.title, high.title) == (
        *("mean progress on store, scripted-0.7", "mean progress on store, scripted-1"),
    )
    [react] = [line for line in low.lines if line.name == "react"]
    means = mean_curve([(each, each.progress_curve) for each in RECORDS[:2]], 4)
    assert means == [0.0, 0.25, 0.5, 0.75, 0.625] and mean_curve([], 3) == []
    assert [mark.text for mark in react.marks] == [
        "0: 0",
        "1: 0.25",
        "2: 0.5",
        "3: 0.75",
        "4: 0.62",
    ]
    assert len(next(line for line in low.lines if line.name == "laser").marks) == 5, "as long"


def test_detours_are_those_of_successes_and_points_of_no_return_are_counted():
    found = progress_charts(RECORDS)
    assert found is not None and found.agents[-1] == AgentProgress(
        "react@scripted-0.7", "store", 2, 1, wasted=0.0, lost=1, lost_after=4.0
    )
    assert [one.wasted for one in found.agents] == [3.0, 0.0, 0.0]


def test_without_a_recorded_curve_there_is_nothing_to_draw(run: Written):
    assert progress_charts([record("react")]) is None
    run.add(record("react"))
    assert "How they got there" not in report.write(run.path).read_text()


def test_long_curves_have_fewer_marks_than_steps(run: Written):
    run.add(walked("react", 0, 40, [[40, 1.0]], success=True, wasted=30))
    source = report.write(run.path).read_text()
    [drawn] = re.findall(r"mean progress on store</figcaption>(.*?)</figure>", source, re.DOTALL)
    assert (
        drawn.count('class="mark"') == 7
        and "react store 1 1 30.0 0 –" in Page(run.path / "report.html").text
    )


def test_a_step_shows_its_progress_and_the_point_of_no_return(reader, run):
    run.add(walked("react", 0, 2, [[1, 0.5], [2, 0.25]], no_return=2))
    reader.open(report.write(run.path), "#react/buy_item-0/0?step=2")
    assert reader.texts("#steps .chip") == [
        *("think", "error", "progress 0.50", "progress 0.25", "no return")
    ]
    notice = "After this step the scenario could not be solved any more."
    assert reader.texts("#frame .notice") == [notice]
    reader.press("k")
    assert reader.texts("#frame .notice") == []


@pytest.mark.parametrize(
    "broken", [{"progress_curve": [1]}, {"by_purpose": [1]}, {"progress_curve": {"x": 1}}]
)
def test_a_record_of_another_shape_is_told_and_counted_nowhere(run, broken):
    home = run.add(record("react", success=True))
    (home / "episode.json").write_text(json.dumps({**record("react").to_json(), **broken}))
    assert "Episodes that cannot be read" in Page(report.write(run.path)).text


# What was asked of the model ---------------------------------------------------------------------


def asked(agent: str, seed: int, **purposes):
    names = ("calls", "prompt_tokens", "completion_tokens", "model_s", "cost_usd")
    spent = {
        name.replace("_", "/"): dict(zip(names, each, strict=True))
        for name, each in purposes.items()
    }
    costs = [each["cost_usd"] for each in spent.values()]
    return record(agent, seed, by_purpose=spent, cost_usd=None if None in costs else sum(costs))


SPENT = [
    asked("react", 0, react_act=(2, 100, 10, 0.5, 0.01)),
    asked("react", 1, react_act=(3, 200, 20, 0.5, 0.02), react_think=(1, 50, 5, 1.0, 0.5)),
    asked("laser", 0, laser_act=(1, None, 5, 0.1, None), laser_plan=(1, 10, 1, 0.1, 0.25)),
    record("nothing", by_purpose={}),
]


def test_purposes_are_summed_over_the_episodes_of_an_agent():
    laser, react = spendings(SPENT)
    assert [each.name for each in react.purposes] == ["react/act", "react/think"]
    act = react.purposes[0]
    assert (act.calls, act.prompt, act.completion, act.seconds) == (5, 300, 30, 1.0)
    assert act.dollars == pytest.approx(0.03) and react.total.dollars == pytest.approx(0.53)
    assert (react.total.calls, react.total.prompt) == (6, 350)
    assert laser.total.prompt is None and laser.total.dollars is None
    assert laser.purposes[1].dollars == 0.25, "one unknown price hides no other"


def test_the_page_says_unknown_and_never_0(run: Written):
    for each in SPENT:
        run.add(each)
    text = Page(report.write(run.path)).text
    assert "react 6 350 35 2.0 $0.53 react/act 5 300 30 1.0 $0.03" in text
    assert "laser 2 unknown 6 0.2 unknown laser/act 1 unknown 5 0.1 unknown" in text
    assert "laser/plan 1 10 1 0.1 $0.25" in text


def test_a_run_that_asked_no_model_has_no_such_table(run: Written):
    run.add(record("nothing", by_purpose={}))
    assert "What they asked the model for" not in report.write(run.path).read_text()
