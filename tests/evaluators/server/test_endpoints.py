"""The two endpoints of the papers' clients, and finishing."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluators.server import app as module
from sites.world import WorldClosed
from tests.measuring import DEEP


def sentence(answer) -> str:
    """The error of an answer: JSON with one line."""
    assert [*answer.json] == ["error"]
    assert answer.json["error"] and "\n" not in answer.json["error"]
    return answer.json["error"]


def test_a_drawn_scenario_says_what_a_client_needs(call, served):
    drawn = call.get("/generate-random-scenario?site=store&type=buy_item&seed=7").json
    assert drawn["scenario"] == "buy_item" and drawn["site"] == "store" and drawn["seed"] == 7
    assert re.fullmatch("[a-z0-9]{20}", drawn["id"])
    site, _, session = drawn["url"].partition("/?scenario=")
    assert site == served.sites["store"].server.url
    assert re.fullmatch("[0-9a-f]{32}", session)
    assert drawn["details"]["asin"] and drawn["instruction"]


def test_what_is_not_said_is_drawn(call):
    seeds = {call.get("/generate-random-scenario").json["seed"] for _ in range(4)}
    assert len(seeds) > 1


def test_the_same_seed_is_the_same_scenario(call):
    path = "/generate-random-scenario?type=buy_item&seed=8"
    first, second = call.get(path).json, call.get(path).json
    assert second.pop("opening") == first.pop("opening") + 1
    assert second.pop("url") != first.pop("url")
    assert first == second


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ("type=buy_itm", "did you mean buy_item"),
        ("type=BUY_ITEM", "did you mean buy_item"),
        ("site=stor", "did you mean store"),
        ("site=store&type=TASK_BOOK_FLIGHT", "there are best_basket, bought_configuration"),
        ("site=nowhere&type=buy_item", "store"),
    ],
)
def test_an_unknown_site_or_type_is_404_with_the_nearest(call, query, named):
    answer = call.get(f"/generate-random-scenario?{query}")
    assert answer.status_code == 404
    assert named in sentence(answer)


@pytest.mark.parametrize(
    ("path", "named"),
    [
        ("/generate-random-scenario?sead=7", "'sead'; did you mean seed"),
        ("/generate-random-scenario?seed=7&typ=buy_item", "'typ'; did you mean type?"),
        ("/evaluate?scenaro=x", "'scenaro'; did you mean scenario?"),
        (f"/evaluate?{'x' * 500}=1", "did you mean scenario?"),
    ],
)
def test_an_unknown_parameter_is_400_with_the_nearest(call, served, path, named):
    opened = len([*served.sessions])
    answer = call.get(path)
    assert answer.status_code == 400 and len(answer.text) < 300
    assert sentence(answer).startswith("There is no parameter ") and named in sentence(answer)
    assert len([*served.sessions]) == opened


@pytest.mark.parametrize("seed", ["-1", "1.5", "x", "0x10", "1e3", "٣", "9" * 16, "9" * 5000])
def test_what_is_no_seed_is_400(call, seed):
    answer = call.get("/generate-random-scenario", query_string={"seed": seed})
    assert answer.status_code == 400
    assert "whole number" in sentence(answer) and len(answer.text) < 300


def test_evaluating_has_the_published_keys(call, draw):
    opened = draw(9)
    seen = call.get(f"/evaluate?scenario={opened.scenario.id}").json
    assert {"scenario", "id", "closed", "success", "success_published"} <= seen.keys()
    assert {"progress", "steps", "actions", "collateral", "checks"} <= seen.keys()
    assert seen["scenario"] == "buy_item" and seen["id"] == opened.scenario.id
    assert (seen["closed"], seen["success"], seen["progress"], seen["actions"]) == (
        False,
        False,
        0,
        0,
    )
    assert {"name", "held"} == seen["checks"][0].keys()
    assert {"name", "progress"} == seen["steps"][0].keys()


def test_what_a_check_wanted_is_said_after_finish_only(call, draw):
    opened = draw(9)
    path = f"/evaluate?scenario={opened.scenario.id}"
    assert all(each.keys() == {"name", "held"} for each in call.get(path).json["checks"])
    page = {"Accept": "text/html"}
    assert "1 purchase" not in call.get(f"/scenario/{opened.scenario.id}", headers=page).text
    done = call.post("/finish", json={"scenario": opened.scenario.id}).json
    bought = {
        "name": "one purchase",
        "held": False,
        "found": "no purchases",
        "wanted": "1 purchase",
    }
    assert done["checks"][0] == bought and call.get(path).json == done
    assert "1 purchase" in call.get(f"/scenario/{opened.scenario.id}", headers=page).text
    new = draw(9)
    assert all(each.keys() == {"name", "held"} for each in call.get(path).json["checks"]), new


def test_evaluating_changes_and_closes_nothing(call, draw):
    opened = draw(10, solved=True)
    before = opened.world.snapshot()
    path = f"/evaluate?scenario={opened.scenario.id}"
    answers = [call.get(path).json for _ in range(3)]
    assert answers[0] == answers[1] == answers[2]
    assert answers[0]["success"] and answers[0]["progress"] == 1 and not answers[0]["closed"]
    assert opened.world.snapshot() == before
    opened.world.write("INSERT INTO log_pages (page) VALUES ('index')")


def test_an_unknown_scenario_is_404_and_none_at_all_400(call):
    answer = call.get("/evaluate?scenario=" + "x" * 3000)
    assert answer.status_code == 404
    assert "xxx" in sentence(answer) and len(answer.text) < 300
    assert call.get("/evaluate").status_code == 400


@pytest.mark.parametrize("form", [False, True])
def test_finishing_closes_for_good(call, draw, form):
    opened = draw(11, solved=True)
    sent = {"scenario": opened.scenario.id, "answer": "done"}
    answer = call.post("/finish", **({"data": sent} if form else {"json": sent}))
    assert answer.status_code == 200
    assert answer.json["closed"] and answer.json["success"] and opened.answer == "done"
    with pytest.raises(WorldClosed):
        opened.world.write("DELETE FROM purchases")
    second = call.post("/finish", json={**sent, "answer": "something else"})
    assert second.json == answer.json and opened.answer == "done"
    assert call.get(f"/evaluate?scenario={opened.scenario.id}").json == answer.json


def test_finishing_without_an_answer_is_fine(call, draw):
    for sent in ({}, {"answer": None}, {"answer": ""}):
        opened = draw(12)
        answer = call.post("/finish", json={"scenario": opened.scenario.id, **sent})
        assert answer.status_code == 200 and answer.json["success"] is False


def test_a_person_who_finishes_is_led_back_to_the_page(call, draw):
    opened = draw(13)
    answer = call.post(
        "/finish",
        data={"scenario": opened.scenario.id, "answer": "", "opening": opened.opening},
        headers={"Accept": "text/html", "Sec-Fetch-Site": "same-origin"},
    )
    assert answer.status_code == 303
    assert answer.headers["Location"] == f"/scenario/{opened.scenario.id}"
    assert opened.closed


def test_an_old_page_cannot_finish_what_was_opened_again(call, draw):
    old, new = draw(14), draw(14)
    sent = {"scenario": old.scenario.id, "answer": "", "opening": old.opening}
    answer = call.post("/finish", data=sent)
    assert answer.status_code == 409 and "opened again" in sentence(answer)
    assert not new.closed
    assert call.post("/finish", data={**sent, "opening": new.opening}).status_code == 200
    assert new.closed


BODIES = [
    "",
    "{",
    "[]",
    "null",
    "7",
    '"x"',
    "[" * 60_000,
    '{"scenario": 1}',
    '{"scenario": null}',
    '{"scenario": ""}',
    '{"scenario": {"a": 1}}',
    '{"scenario": "ID", "answer": 1}',
    '{"scenario": "ID", "answer": ["a"]}',
    '{"scenario": "ID", "answer": true}',
    '{"scenario": "ID", "answer": "\\ud800"}',
    '{"scenario": "ID", "answer": ' + "9" * 5000 + "}",
    b"\xff\xfe",
]


@pytest.mark.parametrize("body", BODIES, ids=range(len(BODIES)))
def test_a_finish_that_cannot_be_read_is_400_and_closes_nothing(call, draw, body):
    opened = draw(15)
    body = body.replace("ID", opened.scenario.id) if isinstance(body, str) else body
    answer = call.post("/finish", data=body, content_type="application/json")
    assert answer.status_code == 400 and sentence(answer)
    assert not opened.closed


def test_json_sent_as_a_form_is_told_so(call, draw):
    """What `curl -d '{...}'` sends."""
    opened = draw(15)
    answer = call.post(
        "/finish",
        data=json.dumps({"scenario": opened.scenario.id}),
        content_type="application/x-www-form-urlencoded",
    )
    assert answer.status_code == 400 and "Content-Type: application/json" in sentence(answer)


def test_too_much_is_413(call, draw):
    opened = draw(15)
    sent = {"scenario": opened.scenario.id, "answer": "a" * (module.LONGEST_ANSWER + 1)}
    assert call.post("/finish", json=sent).status_code == 413
    assert call.post("/finish", json={**sent, "answer": "a" * 70_000}).status_code == 413
    assert not opened.closed
    assert call.post("/finish", json={**sent, "answer": "a" * 20_000}).status_code == 200


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/finish", 405),
        ("GET", "/draw", 405),
        ("POST", "/evaluate", 405),
        ("DELETE", "/", 405),
        ("GET", "/reset", 404),
        ("GET", "/healthz?debug", 404),
    ],
)
def test_what_there_is_not_is_one_sentence(call, method, path, status):
    answer = call(method, path)
    assert answer.status_code == status and sentence(answer)
    assert ("Allow" in answer.headers) == (status == 405)


def test_a_browser_gets_errors_as_a_page(call):
    for path, status in (("/scenario/<b>x</b>", 404), ("/evaluate", 400), ("/finish", 405)):
        answer = call.get(path, headers={"Accept": "text/html,*/*;q=0.8"})
        assert answer.status_code == status
        assert answer.mimetype == "text/html" and "<b>x" not in answer.text


def test_a_fault_of_ours_is_told_without_its_insides(call, draw, served):
    opened = draw(16)
    opened.before = 1
    answer = call.get(f"/evaluate?scenario={opened.scenario.id}")
    assert answer.status_code == 500
    assert "TypeError" not in answer.text and "Traceback" not in sentence(answer)
    draw(16)


texts = st.text(max_size=30) | st.sampled_from(["store", "buy_item", "7", "store/", "store/x"])


@settings(derandomize=True, max_examples=40 if DEEP else 15, deadline=None)
@given(
    query=st.dictionaries(st.sampled_from(["site", "type", "seed", "scenario"]), texts),
    path=st.sampled_from(["/generate-random-scenario", "/evaluate", "/"]),
)
def test_no_query_makes_us_fail(served, query, path):
    call = caller_for(served)
    assert call.get(path, query_string=query).status_code < 500


values = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)


@settings(derandomize=True, max_examples=40 if DEEP else 15, deadline=None)
@given(sent=st.dictionaries(st.sampled_from(["scenario", "answer", "opening"]), values) | values)
def test_no_body_makes_us_fail(served, sent):
    call = caller_for(served)
    body = json.dumps(sent)
    assert call.post("/finish", data=body, content_type="application/json").status_code in (
        400,
        404,
    )
    assert call.post("/draw", data={"type": str(sent), "seed": "1"}).status_code == 404


@settings(derandomize=True, max_examples=30 if DEEP else 10, deadline=None)
@given(answer=st.text(st.characters(codec="utf-8"), max_size=200))
def test_any_answer_can_be_given_and_shown(served, answer):
    call = caller_for(served)
    opened = served.sessions.draw("store", "buy_item", 17)
    sent = {"scenario": opened.scenario.id, "answer": answer}
    assert call.post("/finish", json=sent).status_code == 200
    assert opened.answer == answer
    assert call.get(f"/scenario/{opened.scenario.id}").status_code == 200


def caller_for(served):
    """Its own for every example."""
    from .conftest import Caller

    client = module.create_app(served.sessions, served.token).test_client(use_cookies=False)
    return Caller(client, served.token)
