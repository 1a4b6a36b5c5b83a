"""The loader of Mind2Web's files: order, fields, bounds, and messages for bad files."""

from __future__ import annotations

import json

import pytest

from agent.mind2web import files
from agent.mind2web.files import BadData
from tests import mind2web_data
from tests.each import for_each


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return mind2web_data.write(tmp_path_factory.mktemp("data"))


def test_splits_and_tasks_come_in_the_order_of_the_numbers(data):
    assert files.splits(data) == ["train", "test_task"]
    names = [each.id for each in files.tasks(data, "test_task")]
    assert names == [mind2web_data.uid(each) for each in ("table", "drive", "film")]


def test_a_step_has_the_fields_of_the_file(data):
    table, drive, film = files.tasks(data, "test_task")
    assert (table.website, table.domain, table.subdomain) == ("bluedoor", "Travel", "Restaurant")
    assert [each.original_op for each in table.steps] == ["HOVER", "SELECT", "CLICK"]
    assert [each.op for each in drive.steps] == ["TYPE", "CLICK", "CLICK"]
    select = table.steps[1]
    assert (select.value, select.repr) == ("5 00 PM", "[combobox]  Time -> SELECT: 5 00 PM")
    assert [(each.id, each.tag) for each in film.steps[0].positives] == [("5", "a"), ("6", "img")]
    assert table.key(select) == f"{mind2web_data.uid('table')}_{mind2web_data.uid('table', 1)}"


def test_the_target_is_cut_out_of_the_raw_page_if_it_was_lost_too(data):
    _, drive, film = files.tasks(data, "test_task")
    assert drive.steps[2].positives == []
    assert drive.steps[2].target_id == "18"
    assert drive.steps[2].target == (
        '<span backend_node_id="18" bounding_box_rect="1,2,3,4" class="buy">'
        '<text backend_node_id="19">Buy</text></span>'
    )
    assert film.steps[0].target_id == "5"


def test_the_marks_of_the_annotation_are_left_out(data):
    for task in files.tasks(data, "test_task"):
        for step in task.steps:
            assert step.target and files.INSTRUMENT not in step.target
            for each in (*step.positives, *step.negatives):
                assert each.attributes["is_clickable"] == "true"
                assert not any(name.startswith(files.INSTRUMENT) for name in each.attributes)


def test_a_raw_page_that_cannot_be_read_leaves_the_target_empty(tmp_path):
    task = mind2web_data.film()
    task["actions"][0]["raw_html"] = ""
    mind2web_data.write_shard(tmp_path / "train/train_0.json", [task])
    [found] = files.tasks(tmp_path, "train")
    assert (found.steps[0].target_id, found.steps[0].target) == ("", "")


@pytest.mark.parametrize("size", [7, 100, 1 << 20])
def test_the_elements_of_a_file_are_those_of_json(tmp_path, monkeypatch, size):
    monkeypatch.setattr(files, "CHUNK", size)
    written = [{"a": "]},{[", "b": [{}]}, {}, {"ü": '\\" 😀' * 50}]
    path = tmp_path / "x_0.json"
    path.write_text(f" \n{json.dumps(written, ensure_ascii=False, indent=3)}\n ", encoding="utf-8")
    assert list(files.elements(path)) == written
    path.write_text("[ ]")
    assert list(files.elements(path)) == []


BROKEN = {
    "": "no JSON list",
    '{"a": 1}': "no JSON list",
    "[1]": "element 0 that is no object",
    "[{}, 1]": "element 1 that is no object",
    "[{}": "broken off",
    "[{} {}]": "broken off",
    "[{},": "element 1 that is no object",
    '[{"a": 1}, {"a": }]': "no JSON in task 1",
    "[{}] 1": "goes on after its list",
    '[{"a":' + "[" * 100_000: "task 0",
}


@for_each(("text", "problem"), BROKEN.items())
def test_a_file_that_is_no_list_of_tasks_is_refused(tmp_path, text, problem):
    path = tmp_path / "train_0.json"
    path.write_text(text)
    with pytest.raises(BadData, match=problem) as caught:
        list(files.elements(path))
    assert str(path) in str(caught.value)


def test_a_file_in_another_encoding_is_refused(tmp_path):
    path = tmp_path / "train_0.json"
    path.write_bytes(b'[{"a": "\xff"}]')
    with pytest.raises(BadData, match="UTF-8"):
        list(files.elements(path))


def test_a_task_that_is_too_large_is_refused_before_it_is_read(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "TASK", 1000)
    monkeypatch.setattr(files, "CHUNK", 100)
    path = tmp_path / "train_0.json"
    path.write_text(json.dumps([{"a": "x" * 900}, {"a": "x" * 100_000}]))
    found = files.elements(path)
    assert next(found) == {"a": "x" * 900}
    with pytest.raises(BadData, match=r"more than 1,000 characters in task 1"):
        next(found)


def changed(**fields):
    return {**mind2web_data.film(), **fields}


def changed_step(**fields):
    task = mind2web_data.film()
    return {**task, "actions": [{**task["actions"][0], **fields}]}


WRONG = [
    ({}, "task 0 has no field annotation_id"),
    (changed(website=None), "website is no text"),
    (changed(actions={}), "actions is no list"),
    (changed(actions=[], action_reprs=[]), "0 actions and 0 action_reprs"),
    (changed(action_reprs=[]), "1 actions and 0 action_reprs"),
    (changed(action_reprs=[1]), "step 0: its action_repr is no text"),
    (changed(actions=["x"]), "step 0 has no field operation"),
    (changed_step(operation=[]), "step 0 has no field op"),
    (changed_step(operation={"op": "HOVER", "original_op": "", "value": ""}), "op is 'HOVER'"),
    (changed_step(cleaned_html=1), "step 0: cleaned_html is no text"),
    (changed_step(pos_candidates=""), "step 0: pos_candidates is no list"),
    (changed_step(neg_candidates=[{"attributes": "{"}]), "attributes are no JSON"),
    (changed_step(neg_candidates=[{"attributes": "[]"}]), "attributes are no object"),
    (changed_step(neg_candidates=[{"attributes": "{}"}]), "no field backend_node_id"),
]


@for_each(("task", "problem"), WRONG)
def test_a_field_of_another_type_is_refused_with_its_place(tmp_path, task, problem):
    path = mind2web_data.write_shard(tmp_path / "train/train_0.json", [task])
    with pytest.raises(BadData, match="task 0") as caught:
        list(files.tasks(tmp_path, "train"))
    assert problem in str(caught.value)
    assert str(path) in str(caught.value)


def test_a_split_or_number_that_is_not_there_is_refused(data, tmp_path):
    with pytest.raises(BadData, match="no split of Mind2Web"):
        files.splits(tmp_path)
    with pytest.raises(BadData, match="no split 'test'; it has train, test_task"):
        files.files(data, "test")
    mind2web_data.write_shard(tmp_path / "train/all.json", [])
    with pytest.raises(BadData, match="no number"):
        files.files(tmp_path, "train")
