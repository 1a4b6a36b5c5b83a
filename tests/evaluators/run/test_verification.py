"""A run in one file, and what a leaderboard finds in it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rehearse
from evaluators.records import files, run_folder, submission
from evaluators.records.models import Summary
from evaluators.records.submission import BadSubmission
from evaluators.run.config import RunConfig
from evaluators.run.verification import verify
from scenarios import registry
from scenarios.joined import from_suites, joined

pytestmark = pytest.mark.usefixtures("unmeasured")

Lines = list[dict[str, Any]]
Change = Callable[[Lines], None]
BOUGHT, ASKED = "expert/store/buy_item/0/0", "nothing/widgets/click-test/0/0"


@pytest.fixture(scope="module")
def run(tmp_path_factory) -> Path:
    """Two agents, one of which does nothing, on the store and a task page."""
    out: Path = tmp_path_factory.mktemp("submitted") / "run"
    tasks = registry.from_families(["buy_item", "click-test"], range(1))
    rehearse.run(["expert", "nothing"], tasks, RunConfig(out=out))
    return out


@pytest.fixture
def lines(run, tmp_path) -> Lines:
    """What is exported: the head, then the episodes."""
    submission.export(run, tmp_path / "exported")
    return [*map(json.loads, (tmp_path / "exported").read_text().splitlines())]


def written(path: Path, lines: Lines) -> Path:
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return path


def test_a_run_is_verified_and_its_rates_are_those_of_its_summary(run, tmp_path):
    assert submission.export(run, tmp_path / "file") == 4
    found = verify(tmp_path / "file")
    assert not found.findings and not found.notes
    assert (found.verified, found.wanted) == (4, 4)
    assert found.summary == files.read(Summary, run / "summary.json")


def test_a_run_of_several_suites_and_a_family_is_verified_by_each_suite(tmp_path):
    suites = from_suites(["store-20", "store-100"], range(1))
    tasks = joined([suites, registry.from_family("click-test", range(1))])
    rehearse.run(["nothing"], tasks, RunConfig(out=tmp_path / "run"))
    assert submission.export(tmp_path / "run", tmp_path / "file") == 2
    assert (found := verify(tmp_path / "file")).verified == 2 and not found.findings
    first, *rest = map(json.loads, (tmp_path / "file").read_text().splitlines())
    assert first["run"]["label"] == "store-20 0:1 + store-100 0:1 + click-test 0:1"
    digests = first["run"]["config"]["tasks"]
    assert digests.keys() == {"buy_item", "click-test"} and not digests["click-test"]
    digests["buy_item"] = "0" * 64
    changed = verify(written(tmp_path / "changed", [first, *rest]))
    assert [what for _, what in changed.findings] == [
        "has another store-20 + store-100 than this version: its file differs"
    ]


def test_no_path_of_ones_own_methods_is_handed_in(run, tmp_path, lines):
    manifest = run_folder.load_manifest(run)
    own = manifest.config.model_copy(update={"agent_files": {"mine": "/home/me/mine.py"}})
    run_folder.save_manifest(tmp_path, manifest.model_copy(update={"config": own}))
    submission.export(tmp_path, tmp_path / "file")
    assert "/home/me" not in (tmp_path / "file").read_text()


def seal(submitted: dict[str, Any]) -> None:
    """Give the checksum of the record and the last world as they are now."""
    sealed = {"episode.json": submitted["episode"], "final_world.json": submitted["worlds"][-1]}
    for name, value in sealed.items():
        submitted["files"][name] = hashlib.sha256(files.json_bytes(value)).hexdigest()


def episode(lines: Lines, name: str) -> dict[str, Any]:
    (found,) = (each for each in lines[1:] if each["episode"]["episode"] == name)
    return found


def succeed(lines: Lines) -> None:
    episode(lines, ASKED)["episode"]["success"] = True


def buy_twice(lines: Lines) -> None:
    world = episode(lines, BOUGHT)["worlds"][0]
    world["purchases"] = world["purchases"] * 2


def name_a_file(lines: Lines) -> None:
    name = "store/theirs.py/0"
    episode(lines, BOUGHT)["episode"].update(scenario=name, family="theirs.py")
    lines[0]["run"]["config"]["scenarios"].append(name)


def name_a_source(lines: Lines) -> None:
    episode(lines, BOUGHT)["episode"]["source"] = "theirs.py"


def give_another_family(lines: Lines) -> None:
    episode(lines, BOUGHT)["episode"]["family"] = "cheapest_in_list"


def take_the_score_away(lines: Lines) -> None:
    episode(lines, BOUGHT)["episode"]["success"] = None


def take_the_world_away(lines: Lines) -> None:
    episode(lines, BOUGHT)["worlds"] = []


def hand_in_another_scenario(lines: Lines) -> None:
    episode(lines, BOUGHT)["episode"]["hashes"]["scenario"] = "0" * 64


def repeat(lines: Lines) -> None:
    lines.append(episode(lines, BOUGHT))


def leave_out(lines: Lines) -> None:
    lines.remove(episode(lines, BOUGHT))


def add_an_agent(lines: Lines) -> None:
    episode(lines, BOUGHT)["episode"]["agent"] = "laser"


@pytest.mark.parametrize(
    ("change", "name", "what"),
    [
        (succeed, ASKED, "its world scores otherwise: success was True, is False"),
        (buy_twice, BOUGHT, "final_world.json is not the file whose checksum is given"),
        (name_a_file, BOUGHT, "theirs.py is a file, and none is run"),
        (name_a_source, BOUGHT, "theirs.py is a file, and none is run"),
        (give_another_family, BOUGHT, "does not agree with itself"),
        (take_the_score_away, BOUGHT, "ended as answered and has no score"),
        (take_the_world_away, BOUGHT, "has 0 worlds for 1 attempts"),
        (hand_in_another_scenario, BOUGHT, "its scenario is another one in this version"),
        (repeat, BOUGHT, "is there twice"),
        (leave_out, BOUGHT, "is missing"),
        (add_an_agent, BOUGHT, "is none of the run"),
    ],
)
def test_what_is_wrong_is_named(tmp_path, lines, change: Change, name: str, what: str):
    (tmp_path / "theirs.py").write_text("raise SystemExit('a file of theirs was run')")
    change(lines)
    found = verify(written(tmp_path / "changed", lines))
    assert any(each == name and what in text for each, text in found.findings), found.findings
    assert found.verified == (4 if change is repeat else 3)


def test_a_world_that_no_site_left_is_no_verdict(tmp_path, lines):
    submitted = episode(lines, BOUGHT)
    submitted["worlds"][0] = {"purchases": [{"what": 1}]}
    seal(submitted)
    found = verify(written(tmp_path / "changed", lines))
    assert "its world cannot be scored" in dict(found.findings)[BOUGHT]


def test_other_versions_are_noted(tmp_path, lines):
    lines[0]["run"]["versions"]["rehearsal-web"] = "0.0.1"
    episode(lines, BOUGHT)["episode"]["hashes"]["evaluator"] = "0" * 64
    seal(episode(lines, BOUGHT))
    found = verify(written(tmp_path / "changed", lines))
    assert not found.findings
    assert [note.partition(",")[0] for note in found.notes] == [
        "made with version 0.0.1",
        "store: its scorer has changed since",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"", "is empty"),
        (b"{", "line 1: no JSON"),
        (b"\xff\xfe\n", "line 1"),
        (b'{"submission": 2}\n', "line 1: submission"),
    ],
)
def test_what_is_no_submission_is_one_line(tmp_path, text, message):
    (tmp_path / "file").write_bytes(text)
    with pytest.raises(BadSubmission, match=message) as raised:
        verify(tmp_path / "file")
    assert "\n" not in str(raised.value)


def test_the_line_with_a_hole_is_named(tmp_path, lines):
    del lines[2]["episode"]["seed"]
    with pytest.raises(BadSubmission, match=r"line 3: episode\.seed"):
        verify(written(tmp_path / "changed", lines))


@pytest.mark.wide
def test_a_record_from_before_its_family_had_skills_is_verified_and_gains_a_profile(tmp_path):
    tasks = registry.from_families(["buy_wish"], range(1))
    rehearse.run(["nothing"], tasks, RunConfig(out=tmp_path / "run"))
    submission.export(tmp_path / "run", tmp_path / "exported")
    lines = [*map(json.loads, (tmp_path / "exported").read_text().splitlines())]
    record = lines[1]["episode"]
    assert record["near_miss"] == "" and record["difficulty"]["level"] == 2
    del record["near_miss"], record["difficulty"]
    record["skills"] = {}
    seal(lines[1])
    assert not verify(written(tmp_path / "older", lines)).findings
    record["skills"] = {"find": 1.0}
    [(_, why)] = verify(written(tmp_path / "wrong", lines)).findings
    assert why == "its world scores otherwise: skills"
