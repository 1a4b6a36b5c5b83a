"""Runs from Python."""

from __future__ import annotations

import rehearse
from evaluators.run.config import RunConfig
from scenarios import registry


def test_python_runs_the_same(tmp_path):
    records = []
    tasks = registry.from_families(["buy_item", "click-test"], range(1))
    config = RunConfig(out=tmp_path / "run")
    summary = rehearse.run(["nothing"], tasks, config, on_record=records.append)
    assert {each.family for each in records} == {"buy_item", "click-test"}
    assert rehearse.score(tmp_path / "run") == summary
