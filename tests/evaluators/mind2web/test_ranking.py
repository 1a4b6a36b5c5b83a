"""The recall of rankers by split, and the conversion of the published scores."""

from __future__ import annotations

import pytest

from agent.mind2web import ranks
from agent.mind2web.rankers import RankerUnusable
from agent.mind2web.ranks import Ranks
from evaluators.mind2web import ranking
from tests import mind2web_data

TASKS = [mind2web_data.table(), mind2web_data.drive(), mind2web_data.film()]


@pytest.fixture
def data(tmp_path):
    return mind2web_data.write(tmp_path / "data")


def test_the_pickle_is_converted_and_its_recall_is_that_of_its_ranks(data, tmp_path):
    """Ranks of the seven steps: 15 three times, 8 twice, none, and 1."""
    scores = mind2web_data.write_scores(tmp_path / "scores.pkl", TASKS)
    out = tmp_path / "ranks.jsonl"
    [found] = ranking.rank(data, ["test_task"], f"pickle:{scores}", out)
    steps = {at: round(share * 7) for at, share in found.at.items()}
    assert steps == {1: 0, 3: 1, 5: 1, 10: 3, 20: 6, 50: 6}
    assert found.reciprocal == pytest.approx((3 / 16 + 2 / 9 + 1 / 2) / 7)
    assert Ranks(out).header["ranker"] == "pickle"
    with pytest.raises(RankerUnusable, match="give -o FILE"):
        ranking.rank(data, ["test_task"], f"pickle:{scores}", None)


def test_a_file_of_ranks_has_each_step_and_the_recall_of_the_table(data, tmp_path):
    out = tmp_path / "ranks.jsonl"
    found = ranking.rank(data, ["train", "test_task"], "bm25", out)
    assert [(each.split, each.steps) for each in found] == [("train", 6), ("test_task", 7)]
    by_itself = ranking.rank(data, ["test_task"], "bm25", None)[0]
    assert by_itself.at == found[1].at
    known, wanted = Ranks(out), mind2web_data.orders(TASKS)
    assert all(sorted(known.ranking(step).order) == sorted(wanted[step]) for step in wanted)
    assert found[1].row["recall@50"] == 85.7


def test_only_the_trained_ranker_is_fitted(data):
    with pytest.raises(RankerUnusable, match="bm25 cannot be fitted"):
        ranking.fit(data, "bm25")


def test_ranks_of_other_data_find_nothing(data, tmp_path):
    ranks.write(tmp_path / "ranks.jsonl", "mine", {}, [])
    found = ranking._of_file(data, "test_task", Ranks(tmp_path / "ranks.jsonl"))
    assert set(found.at.values()) == {0}
