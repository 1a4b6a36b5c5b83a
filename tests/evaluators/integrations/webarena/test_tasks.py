"""Exported tasks: their form, their evaluators, and what a file of visits may hold."""

from __future__ import annotations

import json

import pytest

from evaluators.integrations.webarena import export, folder, kinds, tasks, verified
from evaluators.integrations.webarena.folder import BadTasks, ExportedVisit
from evaluators.integrations.webarena.tasks import NotInWebArena
from scenarios import registry
from scenarios.scenario import sites_of
from tests.each import for_each

KEYS = {
    *("sites", "task_id", "require_login", "storage_state", "start_url", "geolocation"),
    *("intent_template", "instantiation_dict", "intent", "require_reset", "eval"),
    "intent_template_id",
}
"""The keys of a task in WebArena's own files."""
ONE_OF_EACH = [
    "map/nearest/0",
    "map/show_route/0",
    "map/fact_place/0",
    "forum/vote_newest/0",
    "forum/post_in_forum/0",
    "shop/draft_return/0",
    "shop/newest_of_status/0",
    "wiki/article_fact/0",
    "codehost/count_commits/0",
    "codehost/create_issue/0",
    "admin/top_buyers/0",
]


@pytest.fixture(scope="module")
def parts():
    return dict(zip(ONE_OF_EACH, tasks.parts(ONE_OF_EACH), strict=True))


def test_a_task_has_the_keys_of_webarena(parts):
    for number, each in enumerate(parts.values()):
        task = each.to_json()
        assert task.keys() == KEYS
        assert task["task_id"] == number
        assert not task["require_login"] and task["storage_state"] is None


def test_an_instruction_is_its_template_with_the_values_of_its_slots(parts):
    for each in parts.values():
        task, text = each.to_json(), each.scenario.instruction
        filled = task["intent_template"]
        for key, value in task["instantiation_dict"].items():
            filled = filled.replace(f"{{{{{key}}}}}", value)
        assert filled == text and task["intent"].startswith(text)


@for_each(
    ("name", "types"),
    [
        ("map/nearest/0", ["string_match", "program_html"]),
        ("map/show_route/0", ["url_match", "program_html"]),
        ("map/fact_place/0", ["url_match", "program_html"]),
        ("forum/vote_newest/0", ["program_html"]),
        ("shop/draft_return/0", ["program_html"]),
        ("shop/newest_of_status/0", ["string_match", "program_html"]),
    ],
)
def test_the_evaluators_follow_what_is_asked(name, types):
    [part] = tasks.parts([name])
    assert part.to_json()["eval"]["eval_types"] == types


def test_a_task_on_two_sites_opens_both(parts):
    task = parts["map/fact_place/0"].to_json()
    assert task["sites"] == ["map", "wikipedia"]
    first, second = task["start_url"].split(" |AND| ")
    start = parts["map/fact_place/0"].visit.start
    assert (first, second) == (f"__MAP__/?scenario={start}", f"__WIKIPEDIA__/?scenario={start}")


def test_what_the_agent_gets_holds_no_secret_of_the_verdict_and_no_name(parts):
    for each in parts.values():
        task = each.to_json()
        shown = json.dumps([task["intent"], task["start_url"], task["intent_template"]])
        assert each.visit.verdict not in shown
        assert each.scenario.name not in shown and each.scenario.id not in shown


def test_each_export_has_secrets_of_its_own():
    [one], [other] = tasks.parts(["map/nearest/0"]), tasks.parts(["map/nearest/0"])
    assert one.visit.start != other.visit.start and one.visit.verdict != other.visit.verdict
    assert one.template_id == other.template_id


@for_each(
    ("wording", "instruction", "values"),
    [
        ("Open {a}.", "Open x, y.", {"a": "x, y"}),
        ("{a} and {b} (1+1)", "1 and 2 (1+1)", {"a": "1", "b": "2"}),
        ("{a}, again {a}", "x, again x", {"a": "x"}),
        ("{a}, again {a}", "x, again y", {}),
        ("nothing", "nothing", {}),
    ],
)
def test_the_values_of_slots_are_read_from_an_instruction(wording, instruction, values):
    assert tasks.slots(wording, instruction) == values


def test_a_site_that_clients_do_not_know_is_refused():
    with pytest.raises(
        NotInWebArena, match="do not know the site store; export tasks of admin, codehost, forum,"
    ):
        tasks.parts(["store/buy_item/0"])


def test_every_family_of_these_sites_can_be_exported():
    known = {kind.site for kind in kinds.KINDS if kind.site}
    names = [
        f"{family.SITE}/{name}/0"
        for name, family in registry.family_modules().items()
        if known >= {*sites_of(family)} and not family.VARIANT_OF
    ]
    assert len(names) > 50
    for each in tasks.parts(names):
        evaluation = each.to_json()["eval"]
        assert ("string_match" in evaluation["eval_types"]) == bool(each.gold.text)


# WebArena-Verified -------------------------------------------------------------------------------


@for_each(
    ("name", "expected"),
    [
        ("map/nearest/0", ("retrieve", "array", [])),
        ("map/show_route/0", ("navigate", "null", ["GET"])),
        ("forum/vote_newest/0", ("mutate", "null", ["POST"])),
        ("shop/draft_return/0", ("mutate", "null", [])),
    ],
)
def test_a_verified_task_expects_a_response_and_the_request_that_decides(name, expected):
    [part] = tasks.parts([name])
    response, *requests = verified.to_json(part)["eval"]
    methods = [each["expected"].get("http_method", "GET") for each in requests]
    kind, data = response["expected"]["task_type"], response["results_schema"]["type"]
    assert (kind, data, methods) == expected


def test_a_verified_answer_is_typed():
    found = {}
    for name in ("map/travel_time/0", "map/borders/0", "map/city_route/0", "shop/last_of_brand/0"):
        [part] = tasks.parts([name])
        [value, *_] = verified.to_json(part)["eval"][0]["expected"]["retrieved_data"]
        found[name.split("/")[1]] = type(value)
    assert found == {"travel_time": float, "borders": str, "city_route": bool, "last_of_brand": str}


# The folder --------------------------------------------------------------------------------------


def test_the_visits_of_a_folder_are_read_again(tmp_path):
    file, count = export.export(ONE_OF_EACH[:2], "webarena", tmp_path)
    assert (file.name, count) == ("test.raw.json", 2)
    visits = folder.read(tmp_path)
    assert [each.scenario for each in visits] == ONE_OF_EACH[:2]
    assert [each.drawn().name for each in visits] == ONE_OF_EACH[:2]


def visit(**changes):
    [part] = tasks.parts(["map/nearest/0"])
    return {**part.visit.to_json(), **changes}


def test_a_scenario_that_is_drawn_differently_now_is_refused():
    with pytest.raises(BadTasks, match="task 0: this version of Rehearsal draws map/nearest/0"):
        ExportedVisit(**visit(digest="0" * 16)).drawn()


@for_each("name", ["map/nearest/-1", "map/no_such/0", "../x", "map/nearest", "./mine.py/x/0"])
def test_a_scenario_that_is_unknown_is_refused(name):
    with pytest.raises(BadTasks, match=r"task 0: .*export the tasks again"):
        ExportedVisit(**visit(scenario=name)).drawn()


@for_each(
    ("content", "message"),
    [
        ("", "no JSON"),
        ("[]", "visits.json"),
        ("{}", "visits"),
        ('{"webarena_visits": 2, "visits": []}', "webarena_visits"),
        ('{"webarena_visits": 1, "visits": []}', "has no visits"),
        ('{"webarena_visits": 1, "visits": [{"task_id": "0"}]}', "visits"),
        ("[" * 100, "nested deeper"),
    ],
)
def test_a_file_of_visits_that_cannot_be_read_is_refused_in_one_line(tmp_path, content, message):
    (tmp_path / "visits.json").write_text(content)
    with pytest.raises(BadTasks, match=message) as caught:
        folder.read(tmp_path)
    assert "\n" not in str(caught.value)


@for_each("changes", [{"start": "../../etc"}, {"verdict": ""}, {"task_id": -1}, {"more": 1}])
def test_a_visit_with_a_wrong_field_is_refused(tmp_path, changes):
    content = {"webarena_visits": 1, "visits": [visit(**changes)]}
    (tmp_path / "visits.json").write_text(json.dumps(content))
    with pytest.raises(BadTasks, match=next(iter(changes))):
        folder.read(tmp_path)


@for_each("same", ["task_id", "start", "verdict"])
def test_two_visits_with_the_same_number_or_secret_are_refused(tmp_path, same):
    one, other = visit(), visit(task_id=1)
    content = {"webarena_visits": 1, "visits": [one, {**other, same: one[same]}]}
    (tmp_path / "visits.json").write_text(json.dumps(content))
    with pytest.raises(BadTasks, match="stands 2 times"):
        folder.read(tmp_path)


def test_a_folder_without_visits_is_refused(tmp_path):
    with pytest.raises(BadTasks, match=r"there is no .*visits.json; export the tasks again"):
        folder.read(tmp_path)
