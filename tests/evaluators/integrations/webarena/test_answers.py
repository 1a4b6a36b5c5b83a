"""The answers in the folders of results of other programs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evaluators.integrations.webarena import answers
from evaluators.integrations.webarena.answers import BadResults
from tests.each import for_each


def rendered(*actions: str) -> str:
    """A page as WebArena's client writes it; it escapes nothing."""
    return "<html><body>" + "".join(
        "<h2>New Page</h2><div class='predict_action'>"
        "<div class='raw_parsed_prediction' style='x'><pre>I think</pre></div>"
        f"<div class='parsed_action' style='background-color:yellow'><pre>{each}</pre></div></div>"
        for each in actions
    )


@for_each(
    ("actions", "answer"),
    [
        (["click [3] where [3] is link", "stop [Pine Road]"], "Pine Road"),
        (["stop []"], ""),
        (["stop [a]", "click [1]"], ""),
        (["stop [two\nlines]"], "two\nlines"),
        (["stop [<b>[1]</b>]"], "<b>[1]</b>"),
        (["stop [Early stop: Reach max steps 30]"], ""),
        (["stop [ERROR: the model failed]"], ""),
        ([], ""),
    ],
)
def test_the_answer_of_a_rendered_page_is_that_of_its_last_stop(actions, answer):
    assert answers.stopped(rendered(*actions)) == answer


def test_all_forms_of_results_are_read(tmp_path):
    (tmp_path / "render_2.html").write_text(rendered("stop [two]"))
    (tmp_path / "answers.json").write_text('{"1": "one", "10": "ten"}')
    response(tmp_path, 3, status="SUCCESS", retrieved_data=["a", "b"])
    (tmp_path / "log_files.txt").write_text("something else")
    assert answers.read(tmp_path) == {1: "one", 2: "two", 3: "a; b", 10: "ten"}


def response(folder: Path, number: int, **content: object) -> None:
    (folder / str(number)).mkdir(exist_ok=True)
    (folder / str(number) / "agent_response.json").write_text(json.dumps(content))


@for_each(
    ("content", "answer"),
    [
        ({"status": "SUCCESS", "retrieved_data": [12.0]}, "12"),
        ({"status": "SUCCESS", "retrieved_data": [12.5]}, "12.5"),
        ({"status": "SUCCESS", "retrieved_data": [True]}, "yes"),
        ({"status": "SUCCESS", "retrieved_data": "x"}, "x"),
        ({"status": "SUCCESS", "retrieved_data": None}, ""),
        ({"status": "SUCCESS", "retrieved_data": [{"a": 1}]}, '{"a": 1}'),
        ({"status": "NOT_FOUND_ERROR"}, "NOT_FOUND"),
        ({"status": "PERMISSION_DENIED_ERROR"}, "NOT_ACHIEVABLE"),
        ({}, "NOT_ACHIEVABLE"),
    ],
)
def test_a_response_becomes_an_answer(tmp_path, content, answer):
    response(tmp_path, 0, **content)
    assert answers.read(tmp_path) == {0: answer}


@for_each(
    ("name", "content", "message"),
    [
        ("answers.json", "[]", "no JSON object"),
        ("answers.json", '{"0": 1}', "write"),
        ("answers.json", '{"x": "1"}', "'x'"),
        ("answers.json", "{", "no JSON"),
        ("answers.json", "[" * 99, "nested deeper"),
        ("other.txt", "", "has no answers"),
    ],
)
def test_results_that_cannot_be_read_are_refused_in_one_line(tmp_path, name, content, message):
    results = tmp_path / str(len([*tmp_path.iterdir()]))
    results.mkdir()
    (results / name).write_text(content)
    with pytest.raises(BadResults, match=message) as caught:
        answers.read(results)
    assert "\n" not in str(caught.value)


def test_a_link_among_the_results_is_not_followed(tmp_path):
    secret = tmp_path / "secret"
    secret.write_text('{"0": "x"}')
    results = tmp_path / "results"
    results.mkdir()
    (results / "answers.json").symlink_to(secret)
    with pytest.raises(BadResults):
        answers.read(results)


def test_a_folder_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(BadResults, match="No such file"):
        answers.read(tmp_path / "missing")
