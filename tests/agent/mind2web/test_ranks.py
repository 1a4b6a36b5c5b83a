"""Files of ranks, and the published pickle of scores."""

from __future__ import annotations

import os
import pickle

import numpy as np
import pytest

from agent.mind2web import files, pickled_scores, ranks
from agent.mind2web.pickled_scores import BadScores
from agent.mind2web.ranks import BadRanks, Ranking, Ranks
from tests import mind2web_data
from tests.each import for_each

TASKS = [mind2web_data.table(), mind2web_data.drive(), mind2web_data.film()]


@pytest.fixture
def tasks(tmp_path):
    return list(files.tasks(mind2web_data.write(tmp_path / "data"), "test_task"))


@pytest.fixture
def path(tmp_path):
    return tmp_path / "ranks.jsonl"


def written(path, rankings):
    ranks.write(path, "bm25", {"k1": 1.2}, rankings)
    return Ranks(path)


def test_a_file_of_ranks_is_read_as_it_was_written(path):
    rankings = [Ranking("a_1", ["3", "2"], [1.5, -1.0]), Ranking("a_2", [], [])]
    found = written(path, rankings)
    assert [found.ranking(each.step) for each in rankings] == rankings
    assert found.ranking("a_3") is None
    assert "a_1" in found
    assert (found.header["ranker"], found.header["parameters"]) == ("bm25", {"k1": 1.2})
    assert len(found.header["digest"]) == 64


def test_the_best_score_comes_first_and_ties_keep_their_order():
    found = ranks.by_score("a_1", {"1": 0.5, "2": 2.0, "3": 0.5})
    assert found == Ranking("a_1", ["2", "1", "3"], [2.0, 0.5, 0.5])


def test_candidates_without_a_score_come_last_and_a_step_without_scores_has_no_order(path, tasks):
    task = tasks[2]
    key = task.key(task.steps[0])
    found = written(path, [Ranking(key, ["8", "99", "5"], [3, 2, 1])])
    assert ranks.orders(path, [task]) == {key: ["8", "5", "3", "6", "10"]}
    assert ranks.unscored(found.ranking(key), task.steps[0]) == 3
    assert found.order("other", task.steps[0]) == []
    assert ranks.unscored(found.ranking("other"), task.steps[0]) == 5


def test_the_rank_of_a_step_is_that_of_its_best_right_element(tasks):
    film = tasks[2].steps[0]
    assert ranks.rank(["8", "6", "5"], film) == 1
    assert ranks.rank(["8"], film) is None


BAD = {
    "": "line 1 is no JSON",
    "[]": "line 1 is no object",
    '{"step": "a"}': "line 1 is no header",
    '{"format": "ranks"}\n{"step": "a"}': "line 2 has no step, order and scores",
    '{"format": "ranks"}\n{"step": "a", "order": [1], "scores": []}': "line 2 has an id",
    '{"format": "ranks"}\n\n': "line 2 is no JSON",
}


@for_each(("text", "problem"), BAD.items())
def test_a_file_that_holds_no_ranks_is_refused(tmp_path, text, problem):
    path = tmp_path / "bad.jsonl"
    path.write_text(text)
    with pytest.raises(BadRanks, match=problem):
        Ranks(path)


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(BadRanks, match="rehearse mind2web rank"):
        Ranks(tmp_path / "none.jsonl")


def test_the_published_pickle_becomes_ranks(tmp_path, path, tasks):
    scores = mind2web_data.write_scores(tmp_path / "scores.pkl", TASKS)
    ranks.write(path, "pickle", {}, pickled_scores.read(scores))
    assert ranks.orders(path, tasks) == mind2web_data.orders(TASKS)


def pickled(tmp_path, found):
    path = tmp_path / "scores.pkl"
    path.write_bytes(found if isinstance(found, bytes) else pickle.dumps(found))
    return path


@for_each("kind", [np.float16, np.float32, np.float64, np.int32, np.int64, float, int])
def test_numbers_may_be_those_of_numpy(tmp_path, kind):
    found = {"scores": {"s": {"7": kind(-2)}}, "ranks": {"s": {"7": kind(0)}}}
    assert list(pickled_scores.read(pickled(tmp_path, found))) == [Ranking("s", ["7"], [-2.0])]


class Attack:
    def __init__(self, function, *given):
        self.given = function, given

    def __reduce__(self):
        return self.given


@for_each("function", [os.system, eval, print, np.load, np.ndarray, dict.fromkeys, object])
def test_a_pickle_that_names_anything_else_is_refused_and_calls_nothing(tmp_path, function):
    trace = tmp_path / "trace"
    given = (f"touch {trace}",) if function is os.system else ()
    path = pickled(tmp_path, {"scores": Attack(function, *given), "ranks": {}})
    with pytest.raises(BadScores, match=r"is no file of scores: it names|broken pickle"):
        list(pickled_scores.read(path))
    assert not trace.exists()


NO_SCORES = [
    (b"", "broken pickle"),
    (b"\x80\x04\x95", "no file of scores|broken pickle"),
    (pickle.dumps([]), "no tables scores and ranks"),
    (pickle.dumps({"scores": {}}), "no tables scores and ranks"),
    (pickle.dumps({"scores": {}, "ranks": {"s": []}}), "no objects of numbers"),
    (pickle.dumps({"scores": {}, "ranks": {"s": {"7": 0}}}), "step s lacks a score"),
    (pickle.dumps({"scores": {"s": {"7": "x"}}, "ranks": {"s": {"7": 0}}}), "step s lacks"),
    (pickle.dumps(np.array([1.0])), "it names numpy"),
]


@for_each(("content", "problem"), NO_SCORES)
def test_a_file_that_holds_no_scores_is_refused(tmp_path, content, problem):
    with pytest.raises(BadScores, match=problem):
        list(pickled_scores.read(pickled(tmp_path, content)))


def test_a_pickle_cannot_change_the_reader(tmp_path):
    """The program sets attributes of the function that stands in for numpy's."""
    program = b"cnumpy\ndtype\n}(V__name__\nVchanged\nub."
    with pytest.raises(BadScores, match="no tables"):
        list(pickled_scores.read(pickled(tmp_path, program)))
    assert pickled_scores._kind.__dict__ == {}


def test_the_digest_is_that_of_the_bytes(tmp_path):
    path = pickled(tmp_path, b"abc")
    assert pickled_scores.digest(path).startswith("ba7816bf8f01cfea")
