"""The floor: the best of the null agents, and what is said where there is none."""

from __future__ import annotations

from agent import agent_spec
from evaluators.analysis import floor
from evaluators.analysis.summary import summary
from evaluators.records.models import Floor
from tests.evaluators.records.example_records import scored


def episodes(agent: str, *won: bool | None, family: str = "latest_order"):
    return [
        scored(each, agent=agent, method=agent, family=family, scenario=f"store/{family}/{seed}")
        for seed, each in enumerate(won)
    ]


def floors(*records, by: str = "site"):
    return {(row.agent, row.group): row.floor for row in summary("r", records, by).rows}


def test_each_row_has_the_best_null_agent_of_its_site():
    found = floors(
        *episodes("react", True, True),
        *episodes("nothing", False, False),
        *episodes("most-frequent", True, False),
        *episodes("cheat:na", False, False),
    )
    best = Floor(agent="most-frequent", success=0.5)
    assert set(found.values()) == {best} and len(found) == 4


def test_each_family_has_its_own():
    found = floors(
        *episodes("react", True),
        *episodes("react", True, family="spend_in_month"),
        *episodes("refuse", True),
        *episodes("random", False),
        *episodes("nothing", False, family="spend_in_month"),
        by="family",
    )
    assert found["react", "latest_order"] == Floor(agent="refuse", success=1.0)
    assert found["react", "spend_in_month"] == Floor(agent="nothing", success=0.0)


def test_without_a_scored_null_agent_there_is_none_and_it_is_said():
    records = [*episodes("react", True), *episodes("expert", True), *episodes("random", None)]
    assert set(floors(*records).values()) == {None}
    assert (
        "no null agent was run, so the table has no floor; to add it, run the same"
        in floor.notes(summary("r", records).rows)[0]
    )
    assert summary("r", records).to_json()["rows"][0]["floor"] is None


def test_the_floor_of_a_row_is_on_its_own_scenarios():
    records = [
        *episodes("react", True),
        *episodes("laser", True, True, True),
        *episodes("nothing", False, True),
    ]
    found = floors(*records)
    assert found["react", "store"] == Floor(agent="nothing", success=0.0)
    assert found["nothing", "store"] == Floor(agent="nothing", success=0.5)
    assert found["laser", "store"] is None
    about = floor.notes(summary("r", records).rows)[:2]
    assert about == [
        "the floor is the highest success of a null agent on the same scenarios (nothing)",
        "no null agent was run on all scenarios of laser on store: no floor",
    ]


def test_every_null_agent_that_is_named_is_a_method():
    assert set(floor.NULL_AGENTS) <= set(agent_spec.names())
    assert not floor.is_null("react") and not floor.is_null("expert")


def test_the_interval_over_families_is_not_made_up_of_one():
    one = summary("r", episodes("react", True, False)).rows
    assert one[0].success_ci_families is None
    assert any("of one family" in note for note in floor.notes(one))
    two = [*episodes("react", True, False), *episodes("react", True, family="wish_brand")]
    assert summary("r", two).rows[0].success_ci_families is not None
    assert not any("of one family" in note for note in floor.notes(summary("r", two).rows))
    by_family = summary("r", two, by="family").rows
    assert not any("of one family" in note for note in floor.notes(by_family))
