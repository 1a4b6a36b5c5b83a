"""A run, an export and recordings that an earlier version of this package made still open."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import rehearse
from evaluators.records import run_folder
from tests.sources import ROOT

pytestmark = pytest.mark.usefixtures("unmeasured")
EARLIER = ROOT / "tests/earlier"
CHANGED = {"latest_order": "store", "ticket_refund": "crm"}
"""Families whose scenarios have other bytes in this version, with their sites."""
OPENED = {"buy_item": "6 pages are the same", "login-user": "no difference in 4 pages"}
MADE_BY = "version 0.1.0"


def call(*words: object) -> Result:
    return CliRunner().invoke(rehearse.main, [str(each) for each in words])


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A copy of the run: commands write into it."""
    return Path(shutil.copytree(EARLIER / "run", tmp_path / "run"))


def test_an_earlier_run_is_scored_as_it_was(run):
    before = {path: path.read_bytes() for path in run.rglob("episode.json")}
    for family in CHANGED:
        shutil.rmtree(run / f"episodes/react/{family}-0")
    result = call("score", run)
    assert result.exit_code == 0, result.output
    for path in run.rglob("episode.json"):
        scored, was = json.loads(path.read_bytes()), json.loads(before[path])
        assert _held(scored) == _held(was) and scored["success"] is True
        assert all(each["found"] and each["wanted"] for each in scored["checks"])


def _held(record: dict[str, Any]) -> list[tuple[str, bool]]:
    """The checks as far as they score: that version showed evidence in place of words."""
    return [(each["name"], each["held"]) for each in record["checks"]]


def test_the_evidence_of_an_earlier_record_is_what_its_checks_found(run):
    shown = {check.name: check for each in run_folder.episodes(run) for check in each.checks or ()}
    assert json.loads(shown["price"].found) == {"paid": 21.95, "limit": 50.0}
    assert {check.wanted for check in shown.values()} == {""}


@pytest.mark.parametrize("family", CHANGED)
def test_a_scenario_that_changed_is_refused_by_its_version(run, family):
    for path in (run / "episodes/react").iterdir():
        if path.name != f"{family}-0":
            shutil.rmtree(path)
    result = call("score", run)
    [line] = result.stderr.splitlines()
    assert result.exit_code != 0 and f"{CHANGED[family]}/{family}/0" in line and MADE_BY in line


def test_an_earlier_run_is_reported_and_exported(run, tmp_path):
    assert call("report", run).exit_code == 0
    assert (run / "report.html").stat().st_size > 10_000
    exported = call("export", run, "-o", tmp_path / "submission.json")
    assert "4 episodes" in exported.output, exported.output


def test_an_earlier_export_is_verified_as_far_as_its_scenarios_are_the_same():
    result = call("verify", EARLIER / "submission.json")
    assert "verified: 2 of 4" in result.output
    assert f"made with {MADE_BY}" in result.output
    for family, site in CHANGED.items():
        assert f"{site}/{family}/0/0: its scenario is another one" in result.output


def test_an_earlier_run_gets_a_floor_and_no_further_episode_of_its_agent(run, tmp_path):
    tasks = ("--family", "login-user", "--seeds", "0:1")
    assert call("run", "--agent", "nothing", *tasks, "-o", run).exit_code == 0
    assert len([*run_folder.episodes(run)]) == 5
    refused = call("run", "--agent", "react", *tasks, "-o", run)
    [line] = refused.stderr.splitlines()
    assert refused.exit_code == 2 and f"begun differently by {MADE_BY} (prompts of react" in line
    assert call("merge", run, EARLIER / "run", "-o", tmp_path / "whole").exit_code == 0
    assert run_folder.load_manifest(tmp_path / "whole").parts[1].config.agents == ("nothing",)


def test_an_earlier_episode_is_replayed(run):
    for family, expected in OPENED.items():
        result = call("replay", run, f"react/{family}-0/0")
        assert expected in result.output


@pytest.mark.wide
def test_earlier_recordings_are_played(tmp_path):
    families = sorted(path.name for path in (EARLIER / "cassettes/react").iterdir())
    words = ("--agent", "react", "--llm", f"replay:{EARLIER / 'cassettes'}", "--seeds", "0:1")
    asked = [word for name in families for word in ("--family", name)]
    result = call("run", *words, *asked, "-o", tmp_path / "run")
    assert result.exit_code == 0, result.output
    records = [*run_folder.episodes(tmp_path / "run")]
    assert len(records) == len(families) == 3
    assert all(record.success for record in records)
