"""Several suites, families and environments as the tasks of one run."""

from __future__ import annotations

import pytest

from evaluators.run import arguments, manifest
from evaluators.run.environments import EnvironmentRequest
from scenarios import labels, registry
from scenarios.joined import from_suites, joined
from scenarios.registry import BadTaskSet
from tests.scenarios.test_registry import OWN

SETTINGS = {
    "out": None,
    "processes": 1,
    "concurrency": 1,
    "headed": False,
    "engine": "processes",
    "prompts": None,
    "max_cost": None,
    "max_run_cost": None,
}


def tasks(suites=(), families=(), seeds=None, environments=()) -> registry.TaskSet:
    request = EnvironmentRequest(environments)
    return arguments.parse(["nothing"], suites, families, seeds, (), request, **SETTINGS).tasks


def test_a_scenario_of_two_suites_is_there_once_with_the_budget_of_the_first():
    small, large = registry.from_suite("store-20"), registry.from_suite("store-100")
    both = from_suites(["store-20", "store-100"])
    assert both.names == large.names
    assert both.expert["store/buy_item/3"] == small.expert["store/buy_item/3"] == 7
    assert both.expert["store/buy_item/30"] == large.expert["store/buy_item/30"] == 10
    assert both.hashes == {**large.hashes, **small.hashes}


def test_one_suite_is_what_it_was_before():
    assert from_suites(["store-20"]) == registry.from_suite("store-20")


def test_suites_families_and_environments_are_played_together():
    made = tasks(
        ["store-20", "crm-12"], ["click-test", "enter-text"], "3:5", ["browsergym/miniwob.x"]
    )
    assert len(made.names) == 20 + 12 + 4 + 2
    assert made.label == "store-20 + crm-12 + click-test,enter-text 3:5 + miniwob.x 3:5"
    assert made.arguments == [
        *("--suite", "store-20", "--suite", "crm-12"),
        *("--family", "click-test", "--family", "enter-text", "--seeds", "3:5"),
        *("--env", "browsergym/miniwob.x"),
    ]


def test_seeds_cut_suites_only_where_nothing_else_takes_seeds():
    assert len(tasks(["store-20", "crm-12"], seeds="0:1").names) == 1 + 6
    assert len(tasks(["store-20", "crm-12"], ["click-test"], "0:1").names) == 20 + 12 + 1
    with pytest.raises(BadTaskSet, match="crm-12 has no scenario with a seed in 5:6"):
        tasks(["store-20", "crm-12"], seeds="5:6")


def test_a_file_may_not_be_called_as_a_family_of_the_suite(tmp_path):
    own = tmp_path / "buy_item.py"
    own.write_text(OWN)
    with pytest.raises(BadTaskSet, match="both called buy_item; rename the file"):
        tasks(["store-20"], [str(own)], "0:1")
    other = own.rename(tmp_path / "own_family.py")
    both = tasks(["store-20"], [str(other)], "0:1")
    digests = manifest.tasks_digests(both)
    assert digests.keys() == {"buy_item", "own_family"} and all(digests.values())


def test_a_label_of_several_parts_names_exactly_their_scenarios():
    made = joined(
        [from_suites(["store-20", "store-100"]), registry.from_families(["click-test"], range(2))]
    )
    assert made.label == "store-20 + store-100 + click-test 0:2"
    assert labels.names_exactly(made.label, made.names)
    assert labels.suites_of(made.label) == ["store-20", "store-100"]
    for names in (made.names[1:], [*made.names, "store/buy_item/100"], [*made.names, *made.names]):
        assert not labels.names_exactly(made.label, names)
    for label in ("store-20 + click-test 0:2", "store-20 + nowhere", "store-20 + ", " + "):
        assert not labels.names_exactly(label, made.names)
    assert labels.removed("store-20 + crm-120").startswith("crm-100")
    assert not labels.names_exactly(" + ".join(["store-20"] * 10**6), made.names)
