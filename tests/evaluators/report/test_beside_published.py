"""A run beside a paper's figures: boxes over tasks, and sorted differences."""

from __future__ import annotations

import pytest

from evaluators.records.models import EpisodeRecord
from evaluators.report import published
from evaluators.report.beside_published import LEAST, NothingBeside, beside
from tests.evaluators.report.handmade import record

RATES = {"count-shape": 0.5, "tic-tac-toe": 0.75, "click-test": 1.0, "terminal": 1.0}


def episodes(rates: dict[str, float], site: str = "widgets") -> list[EpisodeRecord]:
    """Four episodes of each task, of which a share succeeds by the papers' rule alone."""
    return [
        record("mine", number, success=False).model_copy(
            update={"site": site, "family": family, "success_published": number < 4 * rate}
        )
        for family, rate in rates.items()
        for number in range(4)
    ]


def test_the_boxes_are_over_the_tasks_that_both_have():
    [found] = beside(episodes(RATES | {"click-menu-2": 1.0, "hot-cold": 0.0}), "synapse")
    boxes = {box.name: box for box in found.boxes}
    assert "hot-cold" not in found.tasks, "no paper has it"
    assert "click-menu-2" in found.tasks, "some method has it"
    assert boxes["Synapse, synapse"].tasks == 4 and boxes["people, synapse"].tasks == 5
    mine = boxes["mine"]
    assert (mine.tasks, mine.mean) == (5, 0.85)
    assert (mine.first, mine.middle, mine.third) == (0.75, 1.0, 1.0)
    assert mine.low == 0.5 and mine.outliers == ()


def test_an_outlier_is_one_and_a_half_ranges_from_the_box():
    rates = {"click-test": 1.0, "click-test-2": 1.0, "terminal": 1.0, "find-word": 1.0}
    [found] = beside(episodes(rates | {"tic-tac-toe": 0.25}), "synapse")
    mine = found.boxes[0]
    assert (mine.low, mine.outliers) == (1.0, (("tic-tac-toe", 0.25),))


def test_differences_are_sorted_and_small_ones_are_left_out():
    [found] = beside(episodes(RATES), "synapse")
    against = {each.method: each for each in found.differences}
    own = against["Synapse"]
    assert [(bar.task, bar.value) for bar in own.bars] == [
        ("count-shape", -0.4),
        ("tic-tac-toe", 0.05),
    ]
    assert own.shared == 4 and LEAST == 0.05
    assert [bar.task for bar in against["AdaPlanner"].bars] == ["tic-tac-toe"]


def test_a_variant_counts_as_its_task():
    [found] = beside(episodes({"click-test.original": 1.0, "click-test": 0.0}), "step")
    assert found.rates["mine"] == {"click-test": 0.5} and len(found.rates) == 5


@pytest.mark.parametrize(("paper", "site"), [("synapse", "store"), ("laser", "widgets")])
def test_a_paper_without_a_task_of_the_run_is_refused(paper, site):
    with pytest.raises(NothingBeside, match=f"{paper} has no figure for a task of this run"):
        beside(episodes(RATES, site), paper)
    assert published.figures(paper)
