"""Runs from Python."""

from __future__ import annotations

import rehearse
from evaluators.records import run_folder
from evaluators.run.config import ExecutorConfig, RunConfig
from scenarios import registry
from scenarios.store.account import change_shipped_address


def test_python_runs_the_same(tmp_path):
    records = []
    tasks = registry.from_families(["buy_item", "click-test"], range(1))
    config = RunConfig(out=tmp_path / "run")
    summary = rehearse.run(["nothing"], tasks, config, on_record=records.append)
    assert {each.family for each in records} == {"buy_item", "click-test"}
    assert rehearse.score(tmp_path / "run") == summary


def test_tasks_that_cannot_be_done_are_a_group_of_their_own(tmp_path):
    """WebArena's groups; a record of an earlier version has the family's tag and is put right."""
    family = "change_shipped_address"
    drawn = {seed: registry.scenario(f"store/{family}/{seed}") for seed in range(12)}
    possible = {seed: change_shipped_address.is_possible(each) for seed, each in drawn.items()}
    seeds = [[*possible.values()].index(each) for each in (True, False)]
    families = [family, "latest_order", "category_by_price"]
    tasks = [registry.from_families([family], range(seed, seed + 1)) for seed in seeds]
    out, lane = tmp_path / "run", ExecutorConfig(lane="text")
    for each in (*tasks, registry.from_families(families[1:], range(1))):
        rehearse.run(["nothing"], each, RunConfig(out=out, executor=lane))
    groups = {"content": 1, "unachievable": 1, "information": 1, "navigation": 1}
    for home, record in run_folder.checked(out):
        if record.tag == "unachievable":
            run_folder.commit(home, record.model_copy(update={"tag": "content"}))
    assert {row.tag: row.episodes for row in rehearse.score(out, "tag").rows} == groups
