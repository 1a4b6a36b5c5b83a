"""The files of a run: how they are written, and what is refused."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import pytest

from evaluators.analysis.summary import summary
from evaluators.records import files, run_folder
from evaluators.records.files import CorruptRecord
from evaluators.records.models import EpisodeRecord, RunManifest, Summary
from tests.evaluators.records.example_records import episode, manifest, scored


def test_saving_replaces_in_one_step_and_leaves_nothing_beside(tmp_path):
    path = tmp_path / "deep" / "episode.json"
    files.save(path, {"a": 1})
    files.save(path, {"a": "é"})
    assert files.load(path) == {"a": "é"}
    assert [each.name for each in path.parent.iterdir()] == ["episode.json"]


def test_a_save_that_fails_leaves_what_was_there(tmp_path):
    path = tmp_path / "episode.json"
    files.save(path, {"a": 1})
    with pytest.raises(TypeError):
        files.save(path, {("no", "name"): 1})
    assert files.load(path) == {"a": 1}


@pytest.mark.parametrize("data", [b"", b"{", b'{"a": 1', b"[1]", b"null", b"\xff\xfe", b"3"])
def test_a_corrupt_file_is_named_with_the_remedy(tmp_path, data):
    path = tmp_path / "episode.json"
    path.write_bytes(data)
    with pytest.raises(CorruptRecord) as refused:
        files.load(path)
    assert str(path) in str(refused.value) and "resume" in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_missing_file_asks_whether_this_is_a_run(tmp_path):
    with pytest.raises(CorruptRecord, match=r"run\.json"):
        list(run_folder.episodes(tmp_path))


def run_with(folder: Path, *contents: EpisodeRecord) -> Path:
    run_folder.save_manifest(folder, manifest())
    for content in contents:
        home = run_folder.folder(folder, "react", "buy_item", content.seed, 0)
        run_folder.commit(home, content)
    return folder


def test_episodes_come_in_a_fixed_order(tmp_path):
    run = run_with(tmp_path, *(scored(True, seed=seed) for seed in (10, 9, 2)))
    assert [each.seed for each in run_folder.episodes(run)] == [2, 9, 10]


EARLIER_CHECK = {"name": "a", "held": True, "evidence": 1}
"""A check as an earlier version recorded it."""
WHOLE = scored(True).to_json()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({}, "schema_version is None"),
        ({"agent": "react"}, "schema_version is None"),
        (
            {**WHOLE, "schema_version": 1},
            "schema_version is 1, and this version of Rehearsal reads 2",
        ),
        ({**WHOLE, "schema_version": 99}, "schema_version is 99"),
        ({**WHOLE, "seed": "x"}, "seed: Input should be a valid integer, not 'x'"),
        ({**WHOLE, "success": 1}, "success: Input should be a valid boolean, not 1"),
        ({**WHOLE, "usage": None}, "usage: "),
        ({**WHOLE, "usage": {"prompt": 1}}, "usage.completion: Field required"),
        ({**WHOLE, "ended": "won"}, "ended: Input should be 'answered'"),
        ({**WHOLE, "course": None}, "course: Extra inputs are not permitted"),
        ({**WHOLE, "checks": [EARLIER_CHECK, {}]}, "checks.1.name: "),
        ({**WHOLE, "checks": [{**EARLIER_CHECK, "found": "a"}]}, "checks.0.wanted: "),
        ({key: each for key, each in WHOLE.items() if key != "steps"}, "steps: Field required"),
    ],
)
def test_a_record_of_another_shape_is_one_line_with_file_field_and_remedy(
    tmp_path, content, message
):
    run = run_with(tmp_path, scored(True))
    path = run_folder.folder(run, "react", "buy_item", 0, 0) / "episode.json"
    files.save(path, content)
    with pytest.raises(CorruptRecord) as refused:
        list(run_folder.episodes(run))
    text = str(refused.value)
    assert f"{path}: " in text and message in text and "\n" not in text
    assert "run it again" in text or "resume the run" in text


def test_a_record_that_is_cut_anywhere_is_one_line(tmp_path):
    run = run_with(tmp_path, scored(True))
    path = run_folder.folder(run, "react", "buy_item", 0, 0) / "episode.json"
    data = path.read_bytes()
    for size in range(0, len(data) - 2, 7):
        path.write_bytes(data[:size])
        with pytest.raises(CorruptRecord, match=r"episode\.json: .*; delete its folder and resume"):
            run_folder.load_episode(path.parent)


@pytest.mark.parametrize("name", ["run.json", "summary.json"])
def test_every_record_of_another_version_is_refused_by_name(tmp_path, name):
    kind = {"run.json": RunManifest, "summary.json": Summary}[name]
    run_folder.save_manifest(tmp_path, manifest())
    run_folder.save_summary(tmp_path, summary("run", [scored(True)]))
    assert files.read(kind, tmp_path / name).schema_version == 2
    files.save(tmp_path / name, {**files.load(tmp_path / name), "schema_version": 99})
    with pytest.raises(CorruptRecord, match=rf"{name}: schema_version is 99"):
        files.read(kind, tmp_path / name)


def test_what_is_written_is_what_is_read(tmp_path):
    """Also values that JSON does not know, and half a surrogate pair of a page."""
    checks = [{"name": "a", "held": True, "found": "\ud83d", "wanted": "b"}]
    parts = {"rows": (1, tmp_path)}
    made = episode(checks=checks, answer="\ud83d", options={"size": (1, 2)}, reward_parts=parts)
    assert made.checks is not None and made.checks[0].found == "?"
    assert made.reward_parts == {"rows": [1, str(tmp_path)]}
    assert made.answer == "?" and made.options == {"size": [1, 2]}
    home = run_folder.home(tmp_path, made)
    run_folder.commit(home, made)
    assert run_folder.load_episode(home) == made
    assert pickle.loads(pickle.dumps(made)) == made, "processes hand records to each other"


def test_a_half_written_episode_is_no_episode(tmp_path):
    run = run_with(tmp_path, scored(True))
    home = run_folder.folder(run, "react", "buy_item", 5, 0)
    home.mkdir(parents=True)
    (home / "episode.json.part").write_text('{"agent": ')
    assert len(list(run_folder.episodes(run))) == 1


@pytest.mark.parametrize(
    "name", ["react", "react@org/gpt", "/tmp/x/mine.py", "./mine.py", "../m.py"]
)
def test_an_agent_is_one_folder_whatever_its_name(tmp_path, name):
    home = run_folder.folder(tmp_path, name, "f", 1, 0)
    assert home.parent.parent.parent == tmp_path / "episodes"
    assert json.dumps(run_folder.slug(name)) == json.dumps(home.parts[-3])


def test_two_agents_never_share_a_folder():
    assert run_folder.slug("react@a/b") != run_folder.slug("react@a_b")
