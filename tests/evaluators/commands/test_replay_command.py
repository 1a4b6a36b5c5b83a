"""The command `replay`: what it prints, and its exit code."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

import rehearse
from evaluators.records import files, run_folder
from evaluators.run import api
from evaluators.run.config import RunConfig
from scenarios import registry
from tests.each import for_each

CARELESS = "random:actions=5"


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs") / "real"
    tasks = registry.from_family("cheapest_in_list", range(1))
    api.run([CARELESS], tasks, config=RunConfig(out=folder))
    return folder


@pytest.fixture
def run(finished, tmp_path):
    """A copy, whose trace may be changed."""
    return shutil.copytree(finished, tmp_path / "run")


def cli(*arguments):
    return CliRunner().invoke(rehearse.main, ["replay", *map(str, arguments)])


def change(run, step, **fields):
    """Change what was seen at a step."""
    trace = run / "episodes" / CARELESS / "cheapest_in_list-0" / "0" / "trace.jsonl"
    lines = [json.loads(line) for line in trace.read_text().splitlines()]
    [each for each in lines if each["kind"] == "observation"][step - 1] |= fields
    trace.write_text("".join(f"{json.dumps(each)}\n" for each in lines))


@pytest.mark.wide
def test_the_same_version_has_no_difference(run):
    made = cli(run, "1")
    assert made.exit_code == 0, made.output
    (line,) = made.output.splitlines()
    assert line.startswith(f"{CARELESS}/store/cheapest_in_list/0/0: no difference in ")


@pytest.mark.wide
def test_a_difference_is_told_with_its_step_and_fails(run):
    change(run, 2, title="of yesterday")
    home = run_folder.homes(run)[0]
    record = run_folder.load_episode(home)
    hashes = {**record.hashes, "site": "of yesterday"}
    files.save(home / "episode.json", {**record.to_json(), "hashes": hashes})
    made = cli(run, CARELESS)
    assert made.exit_code == 1
    head, changed, step, *rest = made.output.splitlines()
    assert "1 of " in head and "differ, from step 2 on" in head
    assert changed == "not as recorded any more: site"
    assert step.startswith("step 2, after ") and "  - title: of yesterday" in rest


@pytest.mark.wide
def test_of_many_differences_the_first_are_told(run):
    for step in range(1, 7):
        change(run, step, title="of yesterday")
    lines = cli(run, CARELESS).output.splitlines()
    assert "differ, from step 1 on" in lines[0]
    assert sum(line.startswith("step ") for line in lines) == 3
    assert lines[-1] == "and at steps 4, 5, 6"


@pytest.mark.wide
def test_as_one_json_document(run):
    change(run, 2, title="of yesterday")
    made = cli(run, CARELESS, "--json")
    value = json.loads(made.output)
    assert made.exit_code == 1 and value["episode"] == f"{CARELESS}/store/cheapest_in_list/0/0"
    assert [each["step"] for each in value["differences"]] == [2]
    assert value["seen"] == value["steps"] and value["rows"] == [] and value["changed"] == []


@for_each(
    ("arguments", "parts"),
    [
        (("nowhere", "1"), ("there is no run in nowhere",)),
        (("RUN", "raondm"), ("there is no episode 'raondm'", "did you mean random:")),
        (("RUN", "7"), ("there is no episode 7", "1 to 1")),
        (("RUN", "1", "--film", "talk.mov"), (".webp or .gif",)),
        (("RUN", "1", "--slow", "-1"), ("-1",)),
        (("RUN",), ("EPISODE",)),
    ],
)
def test_a_mistake_is_one_line(run, arguments, parts):
    made = cli(*(run if each == "RUN" else each for each in arguments))
    lines = made.stderr.strip().splitlines()
    assert made.exit_code == 2 and made.stdout == "" and len(lines) == 1, made.output
    assert [part for part in parts if part not in lines[0]] == [], lines


def test_a_window_without_a_display_is_one_line(run, monkeypatch):
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    made = cli(run, "1", "--headed", "--slow", "100")
    assert made.exit_code == 2 and "--headed" in made.stderr


@pytest.mark.wide
def test_a_film_is_written(run, tmp_path):
    images = pytest.importorskip("PIL.Image", reason="the extra film is not installed")
    target = tmp_path / "talks" / "random.webp"
    made = cli(run, "1", "--film", target)
    assert made.exit_code == 0, made.output
    with images.open(target) as film:
        assert film.n_frames > 1


@pytest.mark.wide
def test_the_examples_of_the_help_are_true_of_a_plain_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    api.run(
        ["nothing"],
        registry.from_family("buy_item", range(3, 4)),
        config=RunConfig(out=Path("runs/first")),
    )
    shown = [
        line.split() for line in cli("--help").output.splitlines() if "rehearse replay" in line
    ]
    assert len(shown) == 2
    for words in shown:
        without_a_screen = [each for each in words[2:] if each != "--headed"]
        made = cli(*without_a_screen)
        assert made.exit_code == 0 and "no difference in " in made.output, made.output
