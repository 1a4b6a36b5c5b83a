"""The files of a data set."""

from __future__ import annotations

import json

import pytest

from agent.mind2web import files
from evaluators.mind2web.build import writing
from evaluators.mind2web.build.writing import BadFolder, Writer

STEP = {"pos_candidates": [1], "neg_candidates": [2, 3], "raw_html": "abcd", "cleaned_html": "ab"}


def task(number: int) -> dict[str, object]:
    return {"annotation_id": str(number), "actions": [STEP]}


def test_a_file_has_at_most_a_hundred_tasks(tmp_path, monkeypatch):
    monkeypatch.setattr(writing, "IN_A_FILE", 2)
    writer = Writer(tmp_path / "data")
    for number in range(5):
        writer.add("train", f"store/buy_item/{number}", task(number))
    writer.finish("own", "")
    paths = files.files(tmp_path / "data", "train")
    assert [path.name for path in paths] == [f"train_{at}.json" for at in range(3)]
    lists = [json.loads(path.read_text()) for path in paths]
    assert [[each["annotation_id"] for each in one] for one in lists] == [
        ["0", "1"],
        ["2", "3"],
        ["4"],
    ]
    index = json.loads((tmp_path / "data" / "build.json").read_text())
    assert [*index["files"]] == [f"train/train_{at}.json" for at in range(3)]


def test_counts_are_means_of_pages_and_tasks_that_are_left_out(tmp_path):
    writer = Writer(tmp_path / "data")
    writer.add("train", "a", task(0))
    for name in "bc":
        writer.leave_out("train", name, "no operation for drag")
    assert writer.figures["train"].row == {
        "tasks": 1,
        "steps": 1,
        "candidates a page": 3.0,
        "characters raw": 4,
        "characters cleaned": 2,
        "left out": "2 no operation for drag",
    }
    assert writer.scenarios["train"]["b"] == "left out: no operation for drag"


def test_a_folder_that_holds_something_is_left_alone(tmp_path):
    (tmp_path / "mine").write_text("x")
    with pytest.raises(BadFolder, match="name a new folder"):
        Writer(tmp_path)
