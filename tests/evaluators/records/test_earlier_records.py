"""A run, an export and recordings that an earlier version of this package made still open."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import rehearse
from evaluators.records import run_folder
from tests.sources import ROOT

pytestmark = pytest.mark.usefixtures("unmeasured")
EARLIER = ROOT / "tests/earlier"
EPISODES = 4


def call(*words: object) -> Result:
    return CliRunner().invoke(rehearse.main, [str(each) for each in words])


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A copy of the run: commands write into it."""
    return Path(shutil.copytree(EARLIER / "run", tmp_path / "run"))


def test_an_earlier_run_is_scored_as_it_was(run):
    before = json.loads((EARLIER / "run/summary.json").read_text(encoding="utf-8"))
    result = call("score", run)
    assert result.exit_code == 0, result.output
    assert json.loads((run / "summary.json").read_text(encoding="utf-8")) == before


def test_an_earlier_run_is_reported_and_exported(run, tmp_path):
    assert call("report", run).exit_code == 0
    assert (run / "report.html").stat().st_size > 10_000
    assert call("export", run, "-o", tmp_path / "submission.json").exit_code == 0
    assert f"verified: {EPISODES} of" in call("verify", tmp_path / "submission.json").output


def test_an_earlier_export_is_verified():
    result = call("verify", EARLIER / "submission.json")
    assert (result.exit_code, f"verified: {EPISODES} of {EPISODES}" in result.output) == (0, True)


def test_an_earlier_episode_is_replayed(run):
    for path in sorted((run / "episodes/react").iterdir()):
        result = call("replay", run, f"{path.parent.name}/{path.name}/0")
        assert result.exit_code == 0, result.output


def test_earlier_recordings_are_played(tmp_path):
    families = sorted(path.name for path in (EARLIER / "cassettes/react").iterdir())
    words = ("--agent", "react", "--llm", f"replay:{EARLIER / 'cassettes'}", "--seeds", "0:1")
    asked = [word for name in families for word in ("--family", name)]
    result = call("run", *words, *asked, "-o", tmp_path / "run")
    assert result.exit_code == 0, result.output
    records = [*run_folder.episodes(tmp_path / "run")]
    assert len(records) == len(families) == 3
    assert all(record.success for record in records)
