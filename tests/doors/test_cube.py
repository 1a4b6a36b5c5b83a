"""CUBE plays our tasks through the package in `clients/cube-rehearsal`, in Python 3.12."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from evaluators.training import splits
from scenarios import registry, suites
from tests.doors import foreign_python, printed_by
from tests.measuring import HANG
from tests.test_docs import blocks

CLIENT = Path(__file__).parent / "clients" / "cube_rehearsal.py"
CHECKS = {
    "debug_tasks_exist",
    "debug_agent_exists",
    "full_episode",
    "reset_reproducibility",
    "tools_list",
    "close_idempotent",
    "benchmark_metadata",
}
"""The checks of `cube test`."""

pytestmark = pytest.mark.usefixtures("unmeasured")


def test_cubes_own_test_passes():
    python = foreign_python("cube")
    command = (python.parent / "cube", "test", "rehearsal-cube")
    printed = printed_by(*command, env={**os.environ, "CUBE_CI": "1"}, seconds=HANG)
    lines = [line.split() for line in printed.splitlines()]
    passed = {line[1].removeprefix("test_") for line in lines if line[:1] == ["PASS"]}
    assert passed == CHECKS and "FAIL" not in printed, printed
    assert printed.rstrip().endswith("PASSED"), printed


def test_the_block_of_the_docs_plays_an_episode(tmp_path):
    python = foreign_python("cube")
    [block] = [each for each in blocks("doors.md") if each.file == "cube_episode.py"]
    (tmp_path / block.file).write_text(block.text)
    printed = printed_by(python, tmp_path / block.file, env={**os.environ}, seconds=HANG)
    assert printed.startswith("## goal\n") and "EpisodeOver" not in printed
    assert printed.splitlines()[-1].startswith("0.0 False ")


@pytest.fixture(scope="module", name="found")
def _found() -> dict[str, Any]:
    python = foreign_python("cube")
    printed = printed_by(python, CLIENT, env={**os.environ}, seconds=HANG)
    found: dict[str, Any] = json.loads(printed)
    return found


def test_every_suite_of_the_text_lane_is_a_subset(found):
    sizes = {
        name: len(registry.from_suite(name).names)
        for name in splits.names()
        if name in suites.names()
    }
    listed = found["subsets"]["sizes"]
    assert {name: size for name, size in listed.items() if name != "train"} == sizes
    assert "forum-60" in sizes and listed["train"] > 0
    assert found["subsets"]["all"] == found["subsets"]["said"]


def test_an_unknown_task_is_refused_by_name(found):
    unknown = found["unknown"]
    assert unknown["forged"][0] == "UnknownName" and "repyl" in unknown["forged"][1]
    assert unknown["outside"][0] == unknown["listed"][0] == "ValueError"
    assert "forum.repyl.0" in unknown["listed"][1]


def test_a_step_before_a_reset_after_the_end_or_after_the_close_has_an_error_with_its_name(found):
    steps = found["out_of_order"]
    early, late, closed = steps["stepped"], steps["after"], steps["closed"]
    assert (early["error"], early["done"], early["reward"]) == ("EpisodeOver", False, 0.0)
    assert steps["evaluated"][0] == late["error"] == "EpisodeOver"
    assert closed["error"] == steps["reset"][0] == "SessionClosed"
    assert steps["stopped"]["done"] and steps["again"][0] == 0.0 and not steps["fresh"]


def test_bad_arguments_are_told_to_the_agent_and_the_episode_goes_on(found):
    calls = found["bad_arguments"]
    wrong = {calls[name]["error"] for name in ("name", "list", "long", "half")}
    assert wrong == {"ValidationError"}
    for name in ("none", "more"):
        assert calls[name]["text"].startswith("Invalid arguments for click")
    assert calls["absent"]["text"].startswith("error: ") and "99999" in calls["absent"]["text"]
    assert calls["open"]


def test_a_spent_budget_is_truncation_and_has_a_verdict(found):
    spent = found["spent"]
    assert spent["done"] and spent["reward"] == 0.0 and spent["info"]["truncated"]
    assert spent["steps"] <= spent["most"] + 1
    assert found["out_of_order"]["stopped"]["info"]["truncated"] is False


def test_a_fault_of_a_site_has_no_reward(found):
    fault = found["fault"]
    raised = [each for each in fault["steps"] if each is not None]
    assert raised and {name for name, _ in [*raised, fault["verdict"]]} == {"EpisodeFailed"}
    assert "Rehearsal failed" in fault["verdict"][1] and not fault["fresh"]


def test_any_seed_chooses_a_scenario_of_a_training_split_alone(found):
    train, split = found["seeds"]["train"], splits.split("reply:train")
    assert train["null"] == train["0"] == split.scenario(0) != train["1"]
    assert train[str(2**32 - 1)] == split.scenario((2**32 - 1) % len(split))
    assert len(set(found["seeds"]["drawn"])) == 6
    assert found["seeds"]["frozen"][0] == "FrozenScenario"


def test_an_agent_is_told_the_goal_and_the_page_and_no_solution(found):
    given = found["given"]
    assert given["goal"] == given["instruction"]
    assert "[1] " in given["page"] and given["privileged"] == {}
    assert set(given["info"]) == {"scenario"}
    wanted = {"click", "type", "select", "go_back", "note", "stop", "final_step"}
    assert set(given["tools"]) == wanted
    typed = given["tools"]["type"]
    assert typed["required"] == ["element", "text"]
    assert {name: each["type"] for name, each in typed["properties"].items()} == {
        "element": "integer",
        "text": "string",
        "press_enter": "boolean",
    }


def test_two_tasks_of_one_scenario_do_not_meet(found):
    worlds = found["worlds"]
    assert worlds["same"] and worlds["second"] == 0.0
    assert worlds["rewards"] == [0.0] * (len(worlds["rewards"]) - 1) + [1.0]


def test_a_forked_process_has_sites_of_its_own(found):
    assert found["forked"] == {"same": True, "ended": 0}


def test_cubes_servers_play_a_task(found):
    served, nemo = found["served"], found["nemo_gym"]
    assert "error" in served.pop("early")
    assert not [name for name, reply in served.items() if "error" in reply], served
    assert served["evaluate"]["result"]["reward"] == 0.0
    assert served["privileged"]["result"]["data"] == {}
    assert nemo["rewards"][-1] == nemo["verdict"] == 1.0 and sum(nemo["rewards"]) == 1.0
