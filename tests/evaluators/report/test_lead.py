"""The first section of the report: who answered, success, efficiency and cost."""

from __future__ import annotations

import pytest

from evaluators import report
from evaluators.analysis.summary import summary
from evaluators.report.budget_curves import budget_curves
from evaluators.report.lead import leads
from tests.evaluators.report.handmade import Written, record
from tests.evaluators.report.test_page import Page


def episodes():
    return [
        record("expert", 0, method="expert", success=True, steps=4, wasted=0, llm_calls=0),
        record("react", 0, success=True, steps=8, wasted=4, cost_usd=0.5),
        record("react", 1, success=False, steps=2, cost_usd=0.1),
        record("nothing", 0, method="nothing", success=False, steps=0, llm_calls=0),
    ]


def test_a_site_has_success_efficiency_and_the_costs_of_agents_that_ask_a_model():
    found = episodes()
    [lead] = leads(summary("", found).rows, budget_curves(found))
    assert [row.agent for row in lead.success.rows] == ["expert", "react", "nothing"]
    [chart] = lead.efficiency
    react = next(line for line in chart.lines if line.name == "react")
    assert [mark.text for mark in react.marks if mark.text.startswith(("1:", "2:"))] == [
        "1: 0",
        "2: 0.5",
    ]
    [cost] = lead.costs
    assert (cost.agent, cost.efficiency, cost.steps) == ("react", 0.25, 5)
    assert cost.dollars == pytest.approx(0.3)


def test_the_page_leads_with_who_answered_success_and_cost(run: Written):
    for each in episodes():
        run.add(each)
    text = Page(report.write(run.path)).text
    places = ["Success and cost", "answered react", "No model was asked by expert", "Summary"]
    assert sorted(places, key=text.index) == places


def test_a_run_in_which_nothing_was_scored_has_no_lead(run: Written):
    run.add(record("react", 0, success=None, ended="infra_error", cause="site"))
    assert "Success and cost" not in Page(report.write(run.path)).text
