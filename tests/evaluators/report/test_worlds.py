"""What a visit changed: against the world that its scenario begins with."""

from __future__ import annotations

import pytest

from evaluators import report
from evaluators.records import files, run_folder
from evaluators.report import worlds
from evaluators.report.loading import LoadedEpisode
from evaluators.report.worlds import Change, Start, StartUnknown, changes, start, tables
from scenarios import registry
from tests.evaluators.report.handmade import Written, record
from tests.evaluators.report.planted import EVIL, SHOWN, nothing_ran

NAME = "crm/TASK_CANCEL_FLIGHT/0"
START = Start(
    {"wishes": [{"id": 1, "asin": "A"}, {"id": 2, "asin": "B"}], "orders": []},
    {"wishes": ("id",), "orders": ("number",)},
)


def test_rows_are_added_removed_and_changed():
    left = {
        "wishes": [{"id": 2, "asin": "C"}, {"id": 3, "asin": None}],
        "orders": [],
        "log_pages": [{"id": 1}],
    }
    assert changes(START, left) == [
        Change("wishes", "1", "removed", (("id", "1", None), ("asin", "A", None))),
        Change("wishes", "2", "changed", (("asin", "B", "C"),)),
        Change("wishes", "3", "added", (("id", None, "3"), ("asin", None, "none"))),
    ]
    assert changes(START, dict(START.tables)) == []


def test_rows_of_a_table_without_a_key_are_told_by_their_number():
    both = Start({"notes": [{"text": "a"}]}, {})
    [found] = changes(both, {"notes": [{"text": "a"}, {"text": "b"}]})
    assert (found.row, found.kind) == ("row 2", "added")
    twice = changes(START, {"wishes": [{"id": 1, "asin": "A"}, {"id": 1, "asin": "Z"}]})
    assert [(each.row, each.kind) for each in twice] == [("2", "removed"), ("row 2", "added")]


def test_a_long_value_is_cut():
    [found] = changes(START, {**START.tables, "orders": [{"number": "x" * 3_000}]})
    assert found.cells[0][2] == "x" * 2_000 + "… (3,000 characters)"


def test_the_final_world_is_shown_without_its_journal():
    rows = [{"id": number, "note": None} for number in range(25)]
    (table,) = tables({"log_pages": [{"id": 1}], "purchases": rows})
    assert table.name == "purchases" and table.columns == ("id", "note")
    assert table.rows[0] == ("0", "none")
    assert (len(table.rows), table.more) == (20, 5)


def cancelled(**changes):
    """The record of an episode of a real scenario."""
    scenario, data = registry.scenario(NAME), registry.site_data("crm")
    made = {
        "scenario": NAME,
        "site": "crm",
        "family": "TASK_CANCEL_FLIGHT",
        "reward": None,
        "hashes": {"scenario": scenario.digest(), "data": data.digest},
    }
    return record("react", **{**made, **changes})


def test_the_start_is_made_again_with_its_keys():
    world = registry.family("TASK_CANCEL_FLIGHT").world(registry.scenario(NAME))
    found = start(cancelled())
    assert found.tables == {"bookings": world.snapshot()["bookings"]}
    assert found.keys == {"bookings": ("reference",)}


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"source": "./mine.py"}, "a file of one's own, which a report does not run"),
        ({"hashes": {}}, "does not say which data"),
        ({"scenario": ""}, "cannot be made"),
        ({"hashes": {"data": "old", "scenario": "x"}}, "is not the scenario any more"),
        ({"scenario": "crm/NO_TASK/0"}, "cannot be made"),
        ({"scenario": "nowhere/x/0"}, "cannot be made"),
    ],
)
def test_a_start_that_is_not_known_is_told_with_the_rows_that_were_left(changed, why):
    made = cancelled(**changed)
    with pytest.raises(StartUnknown, match=why):
        start(made)
    shown = worlds.shown(
        LoadedEpisode(run_folder.home(report.Path(), made), made, world={"wishes": []})
    )
    assert why in shown["unknown"] and [each.name for each in shown["world"]] == ["wishes"]


def test_another_scenario_of_that_name_is_not_compared():
    other = {**cancelled().hashes, "scenario": "0" * 16}
    with pytest.raises(StartUnknown, match="is not the scenario any more"):
        start(cancelled(hashes=other))


def left(run: Written, world: dict) -> None:
    files.save(run.add(cancelled()) / "final_world.json", world)


def test_the_page_shows_the_difference_as_a_table(reader, run):
    before = start(cancelled()).tables["bookings"]
    gone, other, *rest = before
    fresh = {**gone, "reference": "NEWONE"}
    left(run, {"bookings": [{**other, "status": EVIL}, *rest, fresh], "log_pages": []})
    target = report.write(run.path)
    reader.open(target, "#react/TASK_CANCEL_FLIGHT-0/0")
    assert reader.text("#world-title") == "What the visit changed"
    assert reader.texts(".changes .chip") == ["removed", "changed", "added"]
    assert reader.texts(".changes tbody th") == ["bookings"] * 3
    second = "[...document.querySelectorAll('.changes .begin')[1].cells]"
    assert reader.ask(f"{second}.map((each) => each.textContent)") == [
        *("bookings", other["reference"], "changed", "status", other["status"], SHOWN)
    ]
    removed = len(gone)
    assert reader.texts(".changes .before")[:removed] == [
        "(empty)" if each == "" else worlds.words(each).strip() for each in gone.values()
    ]
    nothing_ran(reader, target)


def test_the_page_says_where_nothing_was_changed(reader, run):
    left(run, {"bookings": start(cancelled()).tables["bookings"], "log_pages": [{"id": 1}]})
    reader.open(report.write(run.path), "#react/TASK_CANCEL_FLIGHT-0/0")
    assert reader.texts("#world p") == [
        "Nothing: every row is as it was.",
        "Tables without a change: bookings.",
    ]


def test_a_world_that_cannot_be_read_is_no_change(reader, run):
    home = run.add(cancelled())
    (home / "final_world.json").write_text("{")
    reader.open(report.write(run.path), "#react/TASK_CANCEL_FLIGHT-0/0")
    assert not reader.shown("#world-card") and reader.shown("#faults li")
