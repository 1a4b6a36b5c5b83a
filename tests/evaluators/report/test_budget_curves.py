"""The report's curves of success by budget, and its tables of trials and variants."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluators import report
from evaluators.report.budget_curves import budget_curves
from evaluators.report.reliable import repeated
from tests.evaluators.report.handmade import Written, record
from tests.evaluators.report.test_page import Page


def episode(agent="react", seed=0, success=True, steps=4, **changes):
    wasted = max(0, steps - 4) if success else None
    return record(agent, seed, success=success, steps=steps, wasted=wasted, **changes)


def test_each_known_cost_has_a_chart_whose_axis_ends_at_the_dearest_success():
    made = budget_curves(
        [
            episode(usage={"prompt": 1500, "completion": 100}),
            episode(seed=1, steps=8, usage={"prompt": 400, "completion": 0}, cost_usd=None),
        ]
    )
    assert [each.title.rpartition(": ")[2] for each in made.charts] == ["actions", "tokens"]
    areas = {each.limit: each for each in made.areas}
    assert areas["tokens"].end == "2,000 tokens"
    assert areas["tokens"].area.value == pytest.approx((400 / 2000 + 1600 / 2000) / 2)
    assert areas["actions"].area.value == pytest.approx((1 + 2 / 3) / 2)


def test_a_run_without_a_success_has_no_curves():
    assert budget_curves([episode(success=False)]) is None


def test_the_page_has_the_curves_before_the_details(run: Written):
    run.add(episode())
    text = Page(report.write(run.path)).text
    assert text.index("Summary") < text.index("Success within a budget") < text.index("How they")
    assert "How reliably they succeed" not in text, "nothing was repeated"


def test_the_page_says_how_alike_trials_and_variants_end(run: Written):
    for trial in (0, 1):
        run.add(episode(trial=trial))
        run.add(episode(seed=1, success=trial == 0, trial=trial))
    text = Page(report.write(run.path)).text
    assert "react store 2 2: 0.50 (" in text, "two scenarios, one of which succeeds twice"


def test_the_path_of_a_trial_is_compared_without_the_numbers_of_elements(run: Written):
    from evaluators.records.trace_events import ActionEvent
    from evaluators.report.loading import LoadedEpisode

    def loaded(trial, *actions):
        trace = [
            ActionEvent(step=n, action=text, target=target)
            for n, (text, target) in enumerate(actions)
        ]
        return LoadedEpisode(Path(str(trial)), episode(trial=trial), tuple(trace))

    one = loaded(0, ("click [3]", "link Lamps"), ("type [4] [red]", "textbox Search"))
    two = loaded(1, ("click [7]", "link Lamps"), ("type [9] [blue]", "textbox Search"))
    [row] = repeated([one, two])
    assert row.same_path.value == 0.5 and row.same_outcome.value == 1
