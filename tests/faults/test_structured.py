"""`structured=true`: replies by a JSON schema, from servers that know it, or do not."""

from __future__ import annotations

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from agent import agent_spec
from agent.actions import VERBS
from agent.interface import Click, Draw, Reply, ToolCall
from agent.methods.anticipatory_reflection import parsing, reply_forms
from agent.methods.react.action_formats import FORMATS
from agent.methods.step import turns
from agent.methods.step.policy_library import Policy
from evaluators.run.api import run
from evaluators.run.config import RunConfig
from scenarios import registry
from tests.loopback import Answer, Body, Server

STRUCTURED = ("react", "step", "flat", "anticipatory-reflection", "lats")
MOVES: tuple[dict[str, str], ...] = (
    {"verb": "think", "text": "I look for it."},
    {"verb": "search", "keywords": "lamp"},
    {"verb": "stop", "answer": "nothing fits"},
)
TURNS = [json.dumps({"action": move}) for move in MOVES]


def test_a_server_that_knows_schemas_is_asked_by_one(run_one, model):
    model.will(*map(Server.says, TURNS))
    record = run_one("react:structured=true", family="latest_order")
    assert (record["ended"], record["answer"]) == ("answered", "nothing fits"), record["error"]
    assert record["agent"] == "react:structured=true", "told apart from the form in words"
    assert "reask" not in record["events"]
    wanted = model.requests[0].body["response_format"]["json_schema"]
    assert wanted["strict"] is True and Draft202012Validator(wanted["schema"]).is_valid(
        json.loads(TURNS[1])
    )
    asked = model.requests[0].body["messages"][-1]["content"]
    assert '{"verb": "search", "keywords": text}' in asked
    dialogue = [each["content"] for each in model.requests[1].body["messages"]]
    assert "think[I look for it.]" in dialogue and asked == dialogue[-1]


def test_a_server_that_refuses_schemas_is_asked_for_a_function(run_one, model):
    turns_left = iter(TURNS)

    def answer(body: Body) -> Answer:
        if "response_format" in body:
            return Server.fails(400, "'response_format' of type 'json_schema' is not supported")
        assert body["tool_choice"]["function"]["name"] == body["tools"][0]["function"]["name"]
        return Server.says("", calls=(ToolCall("react_act", next(turns_left)),))

    model.answering = answer
    record = run_one("react:structured=true", family="latest_order")
    assert (record["ended"], record["answer"]) == ("answered", "nothing fits"), record["error"]
    assert len(model.requests) == 4


def test_an_object_that_does_not_fit_is_asked_for_again(run_one, model):
    odd = json.dumps({"action": {"verb": "buy", "label": "it"}})
    model.will(*map(Server.says, (odd, "I would buy it", *TURNS)))
    record = run_one("react:structured=true", family="latest_order")
    assert (record["ended"], record["events"]["reask"]) == ("answered", 2), record["error"]
    complaint = model.requests[1].body["messages"][-1]["content"]
    assert "does not fit; write {" in complaint and '"verb": "search"' in complaint


def test_without_the_option_requests_are_what_they_were(run_one, model):
    model.will(Server.says("stop[]"))
    run_one()
    assert sorted(model.requests[0].body) == ["messages", "model", "temperature"]
    assert "JSON" not in str(model.requests[0].body["messages"])


# Every form --------------------------------------------------------------------------------------

FIND = Policy("find", "find [what] [where]: finds it", "1. Look.")


def read_as_step(reply: Reply) -> Any:
    made = turns.read(reply, {"find": FIND}, VERBS)
    return made.reason, made.text


STEP = turns.form({"find": FIND}, VERBS, reason=True)
READERS = {
    "plan": parsing.plan,
    "act": lambda reply: parsing.action_or_skip(reply, VERBS),
    "remedy": lambda reply: parsing.action_or_none(reply, VERBS),
    "align": parsing.alignment,
    "assess": parsing.assessment,
    "value": parsing.appraisal,
    "rank": lambda reply: parsing.ranks(reply, 2),
    "step-done": parsing.check,
    "task-done": parsing.completion,
    "remedies": lambda reply: parsing.remedies(reply, VERBS, 2),
    "describe": parsing.description,
    "answer": parsing.answer,
}
CHECKS = {"step_done": True, "task_done": "NO"}
FORMS = [
    (
        STEP,
        read_as_step,
        {"reason": "so", "action": {"verb": "click", "id": 3}},
        ("so", "click [3]"),
    ),
    (
        STEP,
        read_as_step,
        {"reason": "so", "action": {"verb": "find", "arguments": ["a ] b", "c"]}},
        ("so", "find [a \\] b] [c]"),
    ),
    (
        FORMATS["webarena"].schema(VERBS),
        lambda reply: FORMATS["webarena"].read(reply).action,
        {"thought": "I see\nit", "action": {"verb": "click", "id": 3}},
        Click(3),
    ),
    (
        FORMATS["webarena"].schema(VERBS),
        lambda reply: FORMATS["webarena"].read(reply).action,
        {"thought": "", "action": {"verb": "draw", "id": 3, "path": [[1, 2], [30, 2]]}},
        Draw(3, ((1, 2), (30, 2))),
    ),
    *(
        (reply_forms.of(purpose, VERBS), READERS[purpose], value, meant)
        for purpose, value, meant in (
            ("plan", {"steps": ["Open it.", "Save\nit."]}, ["Open it.", "Save it."]),
            ("act", {"action": {"verb": "click", "id": 3}}, Click(3)),
            ("act", {"action": "SKIP"}, None),
            ("remedy", {"action": "NONE"}, None),
            ("remedy", {"action": {"verb": "click", "id": 4}}, Click(4)),
            ("remedies", {"actions": [{"verb": "click", "id": 4}]}, [Click(4)]),
            ("remedies", {"actions": []}, []),
            ("describe", {"description": "open it"}, "The action is to open it"),
            (
                "align",
                {"description": "open it", "served": True},
                parsing.Assessment("The action is to open it", True),
            ),
            (
                "assess",
                {"description": "The action is to open it.", "served": False, **CHECKS},
                parsing.Assessment("The action is to open it.", False, True, False),
            ),
            (
                "value",
                {"description": "open it", "value": 1, **CHECKS},
                parsing.Appraisal("The action is to open it", 1, True, False),
            ),
            ("rank", {"values": [7, 2]}, [7, 2]),
            ("step-done", {"done": True}, True),
            ("task-done", {"done": "NOT_ACHIEVABLE"}, "NOT_ACHIEVABLE"),
            ("answer", {"answer": "42"}, "42"),
        )
    ),
]


@pytest.mark.parametrize(("form", "read", "value", "meant"), FORMS)
def test_each_form_is_read_as_the_text_that_it_stands_for(form, read, value, meant):
    assert Draft202012Validator(form.schema).is_valid(value)
    fenced = f"```json\n{json.dumps(value)}\n```"
    for text in (json.dumps(value), fenced):
        assert read(form.as_text(Reply((text,)))) == meant


def test_samples_are_each_read():
    form = reply_forms.of("act", VERBS)
    texts = [json.dumps({"action": {"verb": "click", "id": number}}) for number in (3, 4)]
    found = parsing.samples(form.as_text(Reply(tuple(texts))), VERBS)
    assert [*found] == [Click(3), Click(4)]


def test_a_reply_may_stand_for_no_action_only_where_the_question_says_so():
    words = {"act": {"SKIP"}, "remedy": {"NONE"}}
    for purpose, allowed in words.items():
        form = reply_forms.of(purpose, VERBS)
        able = Draft202012Validator(form.schema).is_valid
        assert {each for each in ("SKIP", "NONE") if able({"action": each})} == allowed, purpose


def test_questions_in_free_text_have_no_form():
    assert reply_forms.of("reflect", VERBS) is None


@pytest.mark.wide
def test_the_option_is_everywhere_and_a_reply_in_words_is_still_read(tmp_path):
    """The scripted model answers in words, as a server does that ignores the schema."""
    agents = [f"{method}:structured=true" for method in STRUCTURED]
    assert all(agent_spec.read(each).options == {"structured": True} for each in agents)
    tasks = registry.from_family("click-button", range(1))
    rows = run(agents, tasks, RunConfig(out=tmp_path / "run")).rows
    assert {row.agent: row.success for row in rows} == dict.fromkeys(agents, 1.0)


@pytest.mark.wide
@pytest.mark.parametrize("method", ["react", "step", "flat", "anticipatory-reflection"])
def test_what_only_the_page_offers_is_in_the_form(method, tmp_path):
    tasks = registry.from_family("draw-line", range(1))
    run([f"{method}:structured=true"], tasks, RunConfig(out=tmp_path / "run"))
    written = "".join(each.read_text() for each in (tmp_path / "run").rglob("*.jsonl"))
    path = (
        r"{\"verb\": \"draw\", \"id\": number, \"path\": [[number, number], [number, number], ...]}"
    )
    assert path in written
