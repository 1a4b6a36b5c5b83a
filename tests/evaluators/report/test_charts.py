"""Line charts to scale, skill curves, and what is drawn of plans and attempts."""

from __future__ import annotations

import re

import pytest

from evaluators import report
from evaluators.records.models import AlternativesRecord, PlacesRecord
from evaluators.report import charts, curves, plans
from tests.evaluators.report.handmade import Written, record
from tests.evaluators.report.test_page import Page

LEFT, RIGHT, BOTTOM, TOP = 50, 414, 172, 12
"""Where the axes of a chart begin and end."""


def test_a_chart_is_to_scale():
    made = charts.chart("success", "skill", {"a": [(1.0, 1.0), (0.5, 0.0), (0.75, 0.5)]}, {"a": 0})
    [line] = made.lines
    assert [(mark.x, mark.y) for mark in line.marks] == [
        (LEFT, BOTTOM),
        ((LEFT + RIGHT) / 2, (TOP + BOTTOM) / 2),
        (RIGHT, TOP),
    ]
    assert line.path == "M50 172L232 92L414 12" and line.marks[0].text == "0.5: 0"
    assert [(tick.at, tick.label) for tick in made.across] == [
        *((50, "0.5"), (232, "0.75"), (414, "1"))
    ]
    assert [tick.label for tick in made.up] == ["0", "0.25", "0.5", "0.75", "1"]
    assert made.description == "success by skill. a: 0.5: 0, 0.75: 0.5, 1: 1"


def test_a_lone_point_stands_in_the_middle():
    [line] = charts.chart("success", "skill", {"a": [(0.5, 1.0)]}, {"a": 0}).lines
    assert (line.marks[0].x, line.marks[0].y) == (232, TOP)


def test_many_places_have_fewer_ticks():
    made = charts.chart("s", "k", {"a": [(x, 0.0) for x in range(20)]}, {"a": 0})
    assert [tick.label for tick in made.across] == ["0", "3", "6", "9", "12", "15", "18"]


@pytest.mark.parametrize(
    ("value", "end"), [(0, 1), (0.3, 0.4), (1, 1), (9, 10), (17, 20), (41_000, 80_000)]
)
def test_the_end_of_an_axis_is_round(value, end):
    assert charts.rounded_up(value) == pytest.approx(end) and end >= value


def test_figures_of_an_axis():
    assert [charts.number(x) for x in (0, 0.25, 1, 2.5, 10, 12_345.6)] == [
        *("0", "0.25", "1", "2.5", "10", "12,346")
    ]


# Skill curves ------------------------------------------------------------------------------------


def at(skill: float, success: bool | None, agent: str = "react", seed: int = 0, **more: object):
    mistakes = str(more.get("mistakes", "sticky"))
    name = f"{agent}@scripted-{skill:g}-{mistakes}"
    shown = {"skill": skill, "mistakes": mistakes, "llm_calls": 4, "progress": 0.5, **more}
    return record(name, seed, success=success, **shown)


RECORDS = [
    at(1.0, True),
    at(0.5, True),
    at(0.5, False, seed=1, llm_calls=8, progress=0.25),
    at(0.5, None, seed=2, llm_calls=99),
    at(0.5, False, mistakes="memoryless"),
    at(1.0, True, agent="lats"),
    at(0.5, False, agent="lats", llm_calls=30),
    record("react@gpt-x", model="gpt-x", skill=0.5, llm_calls=4),
    record("expert", success=True, skill=0.5),
    at(1.0, True, agent="flat"),
]


def test_curves_are_means_over_scored_episodes_by_skill_and_mistakes():
    [found] = curves.curves(RECORDS)
    assert (found.site, found.mistakes) == ("store", ("sticky", "memoryless"))
    half = next(
        p
        for p in found.points
        if (p.agent, p.skill, p.mistakes)[1:] == (0.5, "sticky") and p.agent == "react"
    )
    assert (half.episodes, half.success, half.progress, half.calls) == (2, 0.5, 0.375, 6)
    assert {point.agent for point in found.points} == {"react", "lats"}, "one skill is no curve"
    assert found.legend == {"lats": 0, "react": 1}


def test_both_kinds_of_mistakes_have_the_same_axes():
    [found] = curves.curves(RECORDS)
    assert [metric.name for metric in found.metrics][:2] == ["success", "progress"]
    for metric in found.metrics:
        sticky, memoryless = metric.charts
        assert [tick.label for tick in sticky.up] == [tick.label for tick in memoryless.up]
        assert "sticky" in sticky.title and "memoryless" in memoryless.title
    calls = found.metrics[2].charts[0]
    assert calls.up[-1].label == "40"


def test_without_several_skills_there_is_no_curve():
    assert curves.curves([at(1.0, True), at(1.0, True, agent="lats")]) == []


def test_the_page_draws_the_curves_with_the_constants(run: Written):
    for each in RECORDS:
        run.add(each)
    written = report.write(run.path)
    source, text = written.read_text(), Page(written).text
    titles = re.findall(r"<figcaption>(.*?)</figcaption>", source)
    skill = [each for each in titles if "budget" not in each and "interval" not in each]
    assert skill[:4] == [
        *("success, sticky", "success, memoryless", "progress, sticky", "progress, memoryless")
    ]
    assert "By skill" in text and "ranks depend on this model" in text.partition("By skill")[2]
    assert text.index("wrong decision 1 - skill") < text.index("By skill")
    assert "react sticky 0.5 2 0.50 0.38 6.0" in text, "the figures stand below as well"


def test_the_page_of_one_skill_has_no_curves(run: Written):
    run.add(record("react", success=True))
    assert "By skill" not in report.write(run.path).read_text()


# Plans and attempts ------------------------------------------------------------------------------


def planned(agent: str, seed: int, lengths: list[int], *left: bool):
    attempts = [{"success": each, "progress": 0.0, "actions": 3} for each in left]
    more = {"plan_length": lengths, "attempts": attempts, "events": {"revise": len(lengths) - 1}}
    return record(agent, seed, success=left[-1], **more)


PLANNED = [
    planned("lats", 0, [4], True),
    planned("lats", 1, [4, 6, 4], False, True, False),
    planned("plan-act", 0, [5], True),
    record("react"),
]


def test_who_had_fewer_attempts_stays_where_the_last_one_ended():
    found = plans.plans(PLANNED)
    assert found is not None and [each.agent for each in found.planners] == ["lats", "plan-act"]
    [chart] = found.charts
    texts = {line.name: [mark.text for mark in line.marks] for line in chart.lines}
    assert texts == {"lats": ["1: 0.5", "2: 1", "3: 0.5"], "plan-act": ["1: 1", "2: 1", "3: 1"]}


def test_questions_are_left_out_of_the_curve_and_the_page_says_so(run: Written):
    asking = planned("lats", 7, [4, 4], False, True).model_copy(update={"asks": True})
    first, last = asking.attempts
    unknown = first.model_copy(update={"success": None})
    asking = asking.model_copy(update={"attempts": (unknown, last)})
    found = plans.plans([*PLANNED, asking])
    assert found is not None and found.asking == 1
    for each in [*PLANNED, asking]:
        run.add(each)
    text = Page(report.write(run.path)).text
    assert "Tasks that ask for an answer are left out there" in text
    assert re.search(r"lats store 3 .* 0\.50, 1\.00, 0\.50 1 of 3 left out", text)
    only = plans.plans([asking])
    assert only is not None and only.charts == () and len(only.planners) == 1


def test_the_page_shows_how_alike_the_alternatives_are(run: Written):
    places = PlacesRecord(actions=4, first=1, by_chance=2)
    counts = AlternativesRecord(
        proposals=2, varied=1, asked=6, different=3, answers=places, remedies=places
    )
    run.add(planned("lats", 7, [4], True).model_copy(update={"alternatives": counts}))
    text = Page(report.write(run.path)).text
    assert "lats store 2 3.00 1.50 0.50 0.25 0.50 0.25 0.50" in text


def test_bars_count_plans_and_leave_room_for_lengths_that_did_not_occur():
    assert [(bar.steps, bar.count, bar.x, bar.height) for bar in plans.bars({"4": 3, "6": 1})] == [
        *((4, 3, 0, 50.0), (5, 0, 22, 0.0), (6, 1, 44, 16.7))
    ]


def test_the_page_shows_table_1_and_both_figures(run: Written):
    for each in PLANNED:
        run.add(each)
    written = report.write(run.path)
    text = Page(written).text
    assert "Plans and attempts" in text
    assert re.search(r"lats store 2 3\.00 3\.00 1\.00 0\.50, 1\.00, 0\.50", text)
    assert "3 plans of 4 steps" in text and "success on store" in text


def test_a_page_without_plans_says_nothing_of_them(run: Written):
    run.add(record("react"))
    assert "Plans and attempts" not in report.write(run.path).read_text()
