"""Who answered, as sentences under a table."""

from __future__ import annotations

from evaluators.analysis.answerers import sentences
from evaluators.analysis.summary import summary
from tests.evaluators.records.example_records import scored


def shown(*group) -> list[str]:
    return sentences(summary("x", group).rows)


def test_each_answerer_is_named_once_with_its_agents():
    crm = {"site": "crm", "scenario": "crm/x/0"}
    found = shown(
        scored(True, agent="a", model="gpt-x"),
        scored(True, agent="b", model="gpt-x"),
        scored(True, agent="a", model="gpt-x", **crm),
        scored(True, agent="c", model="person"),
        scored(True, agent="d"),
        scored(True, agent="outside:client=e", method="outside", llm_calls=0),
        scored(False, agent="nothing", method="nothing", llm_calls=0, model="gpt-x"),
    )
    assert found == [
        "the model gpt-x answered a, b",
        "a person answered c",
        "the scripted model answered d: a script, whose score says nothing about a method",
        "an outside program acted as outside:client=e; we do not know which model it asked",
        "no model was asked by nothing",
    ]


def test_an_agent_that_asked_on_one_site_is_not_said_to_ask_no_model():
    quiet = scored(True, agent="a", site="crm", scenario="crm/x/0", llm_calls=0)
    assert [each[:18] for each in shown(scored(True, agent="a"), quiet)] == ["the scripted model"]


def test_nothing_is_said_of_an_agent_without_a_scored_episode():
    assert shown(scored(None)) == []
