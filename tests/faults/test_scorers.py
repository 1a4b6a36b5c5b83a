"""A scorer that raises: no score, and all that is known in one file."""

from __future__ import annotations

import json
import zipfile

import pytest

from evaluators.records import files
from evaluators.scoring.context import scorer
from scenarios import registry

SCENARIOS = (
    "store/buy_item/3",
    "crm/TASK_FIND_FLIGHT/3",
    "widgets/click-test/3",
    "forum/post_in_forum/3",
    "shop/newsletter/3",
    "map/nearest/3",
    "wiki/article_fact/3",
    "codehost/edit_file/3",
    "admin/tracking/3",
)


def test_every_site_with_a_scorer_is_tried():
    assert sorted(each.partition("/")[0] for each in SCENARIOS) == sorted(registry.site_names())


@pytest.mark.wide
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_scorer_that_raises_is_a_fault_of_ours_with_a_report(
    harness, tmp_path, monkeypatch, scenario
):
    def fail(*_: object) -> None:
        raise ZeroDivisionError("a bug of ours")

    monkeypatch.setattr(scorer(scenario.partition("/")[0]), "score", fail)
    ran = harness.run("nothing", scenario, tmp_path / "run")
    record = ran.record
    assert (record["ended"], record["cause"]) == ("infra_error", "evaluator"), record["error"]
    assert record["success"] is None and record["progress"] is None
    assert record["faults"] == {"met": {"evaluator": 1}, "mended": {}}
    [path] = (tmp_path / "run" / "bugs").iterdir()
    assert record["error"].endswith(f"all that is known is in bugs/{path.name}")
    with zipfile.ZipFile(path) as archive:
        held = {name: archive.read(name) for name in archive.namelist()}
    assert {"bug.json", "episode.json", "trace.jsonl", "final_world.json"} <= set(held)
    bug = json.loads(held["bug.json"])
    assert "ZeroDivisionError: a bug of ours" in bug["traceback"] and bug["python"]
    assert bug["scenario"]["name"] == scenario and bug["world_before"]
    assert json.loads(held["episode.json"])["error"] == record["error"]
    monkeypatch.undo()
    retried = harness.run("nothing", scenario, tmp_path / "run").record
    assert (retried["success"], retried["tries"]) == (False, 2)
    assert retried["faults"] == {"met": {"evaluator": 1}, "mended": {"evaluator": 1}}
    files.check(ran.home)
