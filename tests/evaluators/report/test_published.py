"""The papers' figures as data: they agree with the means that the same papers print."""

from __future__ import annotations

from statistics import mean

import pytest

from agent.plugins import UnknownName
from evaluators.report import published
from scenarios import suites

WITHOUT_ROWS = {
    ("5", "Flat zero-shot", "success"): 0.62,  # the paper prints 0.60
    ("5", "SteP zero-shot", "success"): 0.60,  # the paper prints 0.65
}
"""Means that differ from those of the rows of the same table, with the mean of the rows."""


@pytest.mark.parametrize("paper", published.PAPERS)
def test_figures_are_rates_counts_or_rewards(paper):
    found = published.figures(paper)
    assert found and len({(f.table, f.method, f.site, f.task, f.metric) for f in found}) == len(
        found
    )
    for each in found:
        most = 40 if "actions" in each.metric or "revisions" in each.metric else 1
        assert -0.011 <= each.value <= most, each


@pytest.mark.parametrize("paper", ["step", "synapse"])
def test_a_mean_over_tasks_is_that_of_its_rows(paper):
    found = published.figures(paper)
    compared = 0
    for each in found:
        if each.site != "widgets" or each.task or each.table == "2":
            continue
        key = (each.table, each.method, each.metric)
        rows = [f.value for f in found if f.task and (f.table, f.method, f.metric) == key]
        wanted = WITHOUT_ROWS.get(key, each.value)
        assert len(rows) == each.n and mean(rows) == pytest.approx(wanted, abs=0.006), key
        compared += 1
    assert compared == {"step": 8, "synapse": 11}[paper]


@pytest.mark.parametrize(
    ("paper", "method", "suite"),
    [("step", "SteP few-shot", "widgets-45"), ("synapse", "Synapse", "widgets-64")],
)
def test_the_tasks_of_a_table_are_those_of_its_suite(paper, method, suite):
    tasks = {name.split("/")[1] for name in suites.load(suite).scenarios}
    found = published.success_by_task(paper, "widgets", tasks)
    assert set(found[method]) == tasks


def test_an_unknown_paper_is_refused_with_those_that_are_here():
    with pytest.raises(UnknownName, match="synapse"):
        published.figures("synapsis")
