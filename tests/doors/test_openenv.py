"""The environment of OpenEnv, used by OpenEnv's own clients and checked by its own validator."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from evaluators.training import splits
from scenarios import registry
from tests.doors import foreign_python, printed_by
from tests.measuring import HANG

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "clients" / "openenv-rehearsal"
CLIENTS = Path(__file__).parent / "clients"
TOOLS = ["click", "type", "select", "go_back", "note", "stop"]

pytestmark = pytest.mark.usefixtures("unmeasured")


def printed(client: str) -> Any:
    paths = os.pathsep.join(map(str, (ROOT, FOLDER, FOLDER / "validation")))
    env = {**os.environ, "PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1"}
    python = foreign_python("openenv")
    return json.loads(printed_by(python, CLIENTS / client, FOLDER, env=env, seconds=HANG))


@pytest.fixture(scope="module", name="seen")
def _seen() -> dict[str, Any]:
    """What clients got, by the function of the client's program."""
    return printed("openenv_rehearsal.py")


def test_experts_get_1_and_who_stops_at_once_gets_0(seen):
    assert seen["experts"] == [[1.0, True, {}]] * 4
    assert seen["floors"] == [0.0] * 4


def test_an_episode_is_chosen_by_split_and_index_and_has_a_world_of_its_own(seen):
    worlds = seen["worlds"]
    assert worlds["equal"] and worlds["again"], worlds
    assert [title.partition(" ·")[0] for [title] in worlds["titles"]] == [
        "All Forums",
        "Front page",
    ]
    assert worlds["rewards"] == [None, 0.0]


def test_observations_hold_the_page_and_nothing_of_the_solution(seen):
    drawn = registry.scenario(splits.split("reply:test").scenario(2))
    opened = seen["worlds"]["opened"]
    assert opened.pop("goal").startswith(drawn.instruction)
    assert opened == {"metadata": {}, "text": ""}
    assert seen["worlds"]["fields"] == ["error", "metadata", "result", "tool_name"]


def test_bad_input_is_an_error_with_its_name(seen):
    refused = seen["refusals"]
    for name, error in {
        "before": "EpisodeOver",
        "after": "EpisodeOver",
        "split": "UnknownSplit",
        "kind": "UnknownSplit",
        "huge": "BadIndex",
        "negative": "BadIndex",
        "word": "BadIndex",
    }.items():
        assert f"{error}: " in refused[name], name
    kinds = {
        "element": "execution_error",
        "tool": "tool_not_found",
        **dict.fromkeys(("missing", "wrong", "extra", "long"), "invalid_args"),
    }
    assert {name: refused[name]["error_type"] for name in kinds} == kinds
    assert refused["state"] == ["mine", len(kinds)], "the session goes on, and each call is a step"


def test_steps_at_once_and_faults_of_ours_are_errors(seen):
    inside = seen["inside"]
    assert inside["at_once"] == ["CallToolObservation", "StepInProgress", "StepInProgress"]
    assert inside["fault"].startswith("EpisodeFailed: ")
    assert inside["cut"].startswith("this session is over") and inside["closed"]


def test_more_sessions_than_places_are_refused(seen):
    places = seen["places"]
    assert "CAPACITY_REACHED" in places["refused"] and places["freed"]
    assert places["named"][:3] == [""] * 3 and len(places["named"]) == 10_000
    assert all(each.startswith("TooManySessions: ") for each in places["named"][3:])
    assert places["left"] == 0


def test_tasks_are_listed_over_http(seen):
    http = seen["over_http"]
    assert http["splits"] == splits.names()
    assert http["num"] == [200, {"num_tasks": 60}]
    assert len(http["tasks"][1]["tasks"]) == 100
    assert [each["index"] for each in http["range"][1]["tasks"]] == [98, 99]
    for name, error in {
        "unknown": "UnknownSplit",
        "huge": "BadIndex",
        "before": "EpisodeOver",
    }.items():
        status, answer = http[name]
        assert status == 400 and answer["detail"].startswith(f"{error}: ")
    assert http["reset"] == 200


def test_the_tools_are_those_that_the_manifest_declares(seen):
    listed = seen["over_http"]["tools"][1]["result"]["tools"]
    capabilities = seen["declared"]["capabilities"]
    assert [each["name"] for each in listed] == capabilities["declared_tools"] == TOOLS
    for each in listed:
        arguments = each["input_schema"]["properties"].values()
        assert each["description"] and all(argument["description"] for argument in arguments)
    counts = capabilities["declared_task_count"]
    assert {name: len(splits.split(name)) for name in counts} == counts
    assert (FOLDER / capabilities["oracle"]["location"]).exists()


@pytest.mark.parametrize("way", ["over_mcp", "in_a_loop"])
def test_other_clients_play_too(seen, way):
    shown = seen[way]
    assert shown["tools"] == TOOLS
    assert "title: 'All Forums" in shown["shown"]
    assert shown["end"] == [0.0, True]


def test_a_running_server_passes_every_criterion(seen):
    assert len(seen["report"]) == 6 and all(seen["report"].values()), seen["report"]


GRADED = {
    *("static.manifest", "runtime.startup", "runtime.reward_well_formed"),
    *("runtime.observation_schema", "runtime.state_contract"),
}
"""The checks that OpenEnv 0.10 has written; one more measures the network by two fixed ports."""


def test_every_check_of_the_validator_passes_or_is_not_written_yet():
    namespace = ("unshare", "--map-root-user", "--net", "--mount", "true")
    if subprocess.run(namespace, capture_output=True, check=False).returncode:
        pytest.skip("this machine gives no network namespace to a user")
    results = {each["check_id"]: each for each in printed("openenv_validation.py")["results"]}
    assert {name for name, each in results.items() if each["status"] == "pass"} == GRADED
    others = {name: each["evidence"] for name, each in results.items() if name not in GRADED}
    assert others.pop("runtime.network_policy") == ["missing provider capabilities: network_policy"]
    assert {tuple(each) for each in others.values()} == {("grader not implemented in this build",)}
