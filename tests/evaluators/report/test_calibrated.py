"""The report's diagram of confidence."""

from __future__ import annotations

from evaluators import report
from evaluators.report.calibrated import PERFECT, calibration_charts
from tests.evaluators.report.handmade import record
from tests.evaluators.report.test_page import Page

RECORDS = [
    record("react", 0, success=True, confidence=90),
    record("react", 1, success=False, confidence=90),
    record("react", 2, success=False, confidence=10),
    record("step", 0, success=True),
]


def test_an_agent_has_a_point_for_each_range_beside_the_ideal():
    made = calibration_charts(RECORDS)
    [chart] = made.charts
    marks = {line.name: [mark.text for mark in line.marks] for line in chart.lines}
    assert marks["react"] == ["10: 0", "90: 0.5"]
    assert marks[PERFECT] == ["0: 0", "25: 0.25", "50: 0.5", "75: 0.75", "100: 1"]
    assert [row.agent for row in made.agents] == ["react"], "step was not asked"


def test_a_run_without_a_number_has_no_diagram():
    assert calibration_charts(RECORDS[3:]) is None


def test_the_page_draws_it(run):
    for each in RECORDS:
        run.add(each)
    text = Page(report.write(run.path)).text
    assert "How sure they are" in text and "success by confidence on store" in text
