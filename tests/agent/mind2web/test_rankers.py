"""The rankers: by hand where that is possible, and what all of them promise."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import numpy as np
import pytest

from agent.mind2web import files, rankers
from agent.mind2web.page_text import Document
from agent.mind2web.rankers import Entry, RankerUnusable, _features, bm25, cross, minilm, trained
from agent.mind2web.task import Candidate
from agent.plugins import UnknownName
from tests import mind2web_data


@pytest.fixture
def tasks(tmp_path):
    return list(files.tasks(mind2web_data.write(tmp_path / "data"), "test_task"))


def entry(position, text, tag="a", parent="1", **attributes):
    candidate = Candidate(str(position), tag, attributes)
    return Entry(candidate, Document(f"({tag} id=0 {text} )", ""), position, 2, parent)


LINKS = [entry(0, "Menu"), entry(1, "Gift cards"), entry(2, "Menu of the day")]


def test_entries_are_in_document_order_with_their_texts(tasks):
    found = rankers.entries(tasks[0].steps[0])
    assert [each.candidate.id for each in found][:3] == ["3", "4", "6"]
    menu = found[2]
    assert (menu.words, menu.depth, menu.parent, menu.position) == ("Menu", 3, "3", 2)
    assert menu.document.target == "(a id=0 Menu )"


def test_the_positives_are_not_ahead_of_the_others(tasks):
    """Equal scores must not tell which element is right."""

    class Same:
        def rank(self, task, previous, candidates):
            return [0.0] * len(candidates)

    found = rankers.ranking(Same(), tasks[1], 0)
    assert found.order == sorted(found.order, key=int)
    assert found.step == tasks[1].key(tasks[1].steps[0])


def test_candidates_that_are_not_on_the_page_come_last(tasks):
    step = replace(tasks[2].steps[0], cleaned='<html><a backend_node_id="8"/></html>')
    found = rankers.entries(step)
    assert [each.candidate.id for each in found] == ["8", "3", "5", "6", "10"]
    step = replace(step, cleaned="")
    assert [each.candidate.id for each in rankers.entries(step)] == ["3", "5", "6", "8", "10"]


@pytest.mark.parametrize("name", ["words", "bm25"])
def test_a_ranker_puts_first_what_the_task_says(name):
    ranker = rankers.get(name)
    scores = ranker.rank("Buy gift cards.", [], LINKS)
    assert scores[1] > scores[0] == scores[2] == 0
    assert ranker.rank("Buy gift cards.", [], LINKS) == scores
    assert [*ranker.rank("x", [], [])] == []


def test_bm25_by_hand():
    """Three texts of 1, 2 and 4 words; `menu` is in two of them."""
    found = bm25.scores("the menu", ["menu", "gift cards", "menu of the day"])
    menu, the = math.log(1 + 1.5 / 2.5), math.log(1 + 2.5 / 1.5)
    short = 2.2 / (1 + 1.2 * (0.25 + 0.75 * 1 / (7 / 3)))
    long = 2.2 / (1 + 1.2 * (0.25 + 0.75 * 4 / (7 / 3)))
    assert found == [pytest.approx(menu * short), 0, pytest.approx((menu + the) * long)]


def test_the_query_has_the_last_three_actions():
    actions = ["one", "two", "three", "four"]
    assert rankers.query("Do it", actions) == "task is: Do it\nPrevious actions: two; three; four"


def test_the_element_of_the_last_action_and_its_neighbours_are_known():
    last = ["[link]  Gift cards -> CLICK"]
    rows = _features.features("x", last, LINKS)
    near = ("last element", "after the last element", "beside the last element")
    at = [_features.names().index(each) for each in near]
    assert rows[:, at].tolist() == [[0, 0, 1], [1, 0, 0], [0, 1, 1]]
    clicks = _features.names().index("a after CLICK")
    assert rows[:, clicks].tolist() == [1, 1, 1]
    assert not _features.features("x", [], LINKS)[:, at].any()


def test_each_feature_has_a_name_and_none_knows_the_right_element(tasks):
    step = tasks[1].steps[0]
    rows = _features.features("x", [], rankers.entries(step))
    assert rows.shape == (9, len(_features.names()))
    swapped = replace(
        step, positives=step.negatives[:1], negatives=[*step.positives, *step.negatives[1:]]
    )
    assert (_features.features("x", [], rankers.entries(swapped)) == rows).all()


def test_a_ranker_is_trained_from_right_elements_and_does_so_alike_each_time(tasks):
    ranker = trained.fit(tasks)
    assert ranker == trained.fit(tasks)
    assert reached(ranker, tasks) >= 4 > reached(rankers.get("words"), tasks)


def reached(ranker, tasks):
    """Return the number of steps that have a right element among the three best."""
    steps = [(task, at) for task in tasks for at in range(len(task.steps))]
    orders = [(rankers.ranking(ranker, task, at).order, task.steps[at]) for task, at in steps]
    return sum(bool({each.id for each in step.positives} & {*order[:3]}) for order, step in orders)


def test_a_trained_ranker_needs_a_right_element(tasks):
    task = replace(tasks[1], steps=tasks[1].steps[2:])
    with pytest.raises(RankerUnusable, match="no step has a right element"):
        trained.fit([task])


def test_weights_are_kept_in_a_file(tasks, tmp_path):
    path = tmp_path / "weights.json"
    ranker = trained.fit(tasks)
    trained.save(ranker, path)
    assert rankers.get(f"trained:{path}") == ranker
    assert len(ranker.parameters["weights"]) == 64
    for text in ("[]", "{", json.dumps({"constant": 1})):
        path.write_text(text)
        with pytest.raises(RankerUnusable, match="--fit"):
            rankers.get(f"trained:{path}")


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("words:x", "takes no argument 'x'"),
        ("bm25:x", "takes no argument 'x'"),
        ("trained", "needs its weights"),
        ("trained:nowhere.json", "cannot read nowhere.json"),
        ("cross", "is no model's folder"),
        ("cross:nowhere", "is no model's folder"),
    ],
)
def test_a_ranker_that_cannot_be_used_says_what_to_do(name, problem):
    with pytest.raises(RankerUnusable, match=problem):
        rankers.get(name)


def test_an_unknown_ranker_is_refused():
    with pytest.raises(UnknownName, match="bm25"):
        rankers.get("bm52")


def test_a_cross_encoder_reads_pairs_of_candidate_and_query():
    pairs = []

    class Model:
        def predict(self, given, show_progress_bar):
            pairs.extend(given)
            return [len(text) for text, _ in given]

    ranker = cross.CrossEncoder(Model(), "mine")
    assert ranker.rank("Do it", [], LINKS[:1]) == [len("ancestors: \ntarget: (a id=0 Menu )")]
    assert pairs == [("ancestors: \ntarget: (a id=0 Menu )", rankers.query("Do it", []))]


class Letters:
    """A stand-in for the model: a vector of the counts of two letters, as long as 1."""

    def __init__(self):
        self.parameters, self.asked = {"model": "letters"}, []

    def vectors(self, texts):
        self.asked += texts
        rows = np.array([[each.count("e") + 1, each.count("d") + 1] for each in texts], "<f4")
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def test_vectors_are_made_once_for_a_text_and_kept_in_a_file(tmp_path):
    for kept in (None, tmp_path / "vectors.sqlite"):
        model = Letters()
        ranker = minilm.ByMiniLM(model, kept)
        scores = ranker.rank("eee", [], [*LINKS, LINKS[0]])
        assert scores[0] == scores[3] > scores[1]
        assert len(model.asked) == 4
    later = minilm.ByMiniLM(Letters(), kept)
    assert later.rank("eee", [], [*LINKS, LINKS[0]]) == scores
    assert later.embedder.asked == []


def test_the_command_ranks_and_the_run_of_another_process_finds_the_same(tmp_path):
    data = mind2web_data.write(tmp_path / "data")
    bytes_ = set()
    for at in range(2):
        out, weights = tmp_path / f"ranks-{at}.jsonl", tmp_path / f"weights-{at}.json"
        given = ("--ranker", f"trained:{weights}", "--fit", "-o", out, "--json")
        done = mind2web_data.command("rank", data, *given)
        bytes_.add((out.read_bytes(), weights.read_bytes()))
    assert len(bytes_) == 1
    rows = json.loads(done.stdout)
    assert [(row["split"], row["steps"]) for row in rows] == [("train", 6), ("test_task", 7)]
    assert rows[1]["recall@50"] == 85.7
