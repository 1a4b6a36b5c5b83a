from __future__ import annotations

import json
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sites.crm import new_world
from sites.crm.published_desk.form_fields import CONTROLS, FIELDS
from sites.site_app import COOKIE
from tests import measuring

DEEP = 30 if measuring.DEEP else 1
ODD = [
    "'",
    "\\",
    "../..",
    "..%2f..",
    "%00",
    "%ff%fe",
    "<script>alert(1)</script>",
    "' OR 1=1 --",
    "//evil.example",
    "😀",
    "-1",
    "0",
    "1",
    "2",
    "999999",
    "99999999999999999999",
    "K7Q2MB",
    "k7q2mb",
    "ZZZZZZ",
    "a" * 3000,
]
SEGMENT = st.one_of(
    st.sampled_from(ODD), st.text(max_size=20).map(lambda text: quote(text, errors="replace"))
)
ROUTES = [
    "/{}",
    "/flights",
    "/flights/{}",
    "/flights/{}/passenger",
    "/flights/{}/payment",
    "/flights/{}/receipt",
    "/flights/{}/{}",
    "/bookings",
    "/bookings/{}",
    "/bookings/{}/cancel",
    "/bookings/{}/passenger",
    "/bookings/{}/flights",
    "/bookings/{}/flights/{}",
    "/bookings/K7Q2MB/flights/{}",
    "/airports",
    "/events",
]
NAMES = sorted({name for names in (*FIELDS.values(), *CONTROLS.values()) for name in names})
TEXT = st.text(max_size=30) | st.sampled_from([*ODD, "LHR", "2026-03-04", "return", "x" * 10_000])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.floats(allow_nan=False) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
EVENT = JSON | st.fixed_dictionaries(
    {},
    optional={
        "kind": st.sampled_from(["draft", "click"]) | JSON,
        "screen": st.sampled_from(sorted(FIELDS)) | JSON,
        "subject": st.sampled_from(["", "1", "K7Q2MB"]) | JSON,
        "field": st.sampled_from(NAMES) | JSON,
        "control": st.sampled_from(NAMES) | JSON,
        "value": TEXT | JSON,
    },
)
BODY = JSON | st.fixed_dictionaries(
    {},
    optional={
        "control": st.sampled_from(NAMES) | JSON,
        "version": st.integers(0, 2) | JSON,
        "values": st.dictionaries(st.sampled_from(NAMES), TEXT | JSON) | JSON,
        "events": st.lists(EVENT, max_size=3) | JSON,
    },
)


@pytest.mark.wide
def test_no_request_is_a_fault_of_ours(desk):
    desk.to_payment()

    @settings(derandomize=True, max_examples=100 * DEEP, deadline=None)
    @given(st.sampled_from(ROUTES), st.lists(SEGMENT, min_size=2, max_size=2), st.booleans())
    def answers(route, segments, as_json):
        address = route.format(*segments)
        before = desk.world.digest()
        with (desk.get if as_json else desk.page)(address) as answer:
            assert answer.status_code in {200, 302, 308, 400, 404, 405, 409}
            assert "Traceback" not in answer.text
            if as_json and answer.status_code != 308 and answer.mimetype == "application/json":
                assert answer.status_code == 200 or answer.json["error"].endswith(".")
        assert desk.world.digest() == before

    answers()


@pytest.mark.wide
def test_no_commit_is_a_fault_of_ours_and_a_400_names_the_field(desk):
    desk.to_payment()
    desk.commit("/bookings/K7Q2MB/flights", "search-flights", {})

    @settings(derandomize=True, max_examples=170 * DEEP, deadline=None)
    @given(st.sampled_from(ROUTES), st.lists(SEGMENT, min_size=2, max_size=2), BODY)
    def answers(route, segments, body):
        check_commit(desk.post(route.format(*segments), body))

    answers()


def check_commit(answer):
    assert answer.status_code in {200, 204, 308, 400, 404, 405, 409}, answer.text
    if answer.status_code == 400:
        errors = answer.json["errors"]
        assert errors
        assert set(errors) <= {*NAMES, "body", "control", "version", "values", "events"}
        assert all(sentence.endswith(".") for sentence in errors.values())
    if answer.status_code in {404, 409} and answer.mimetype == "application/json":
        assert answer.json["error"]


SCREENS = {
    "/flights": "flights",
    "/flights/1": "results",
    "/flights/1/passenger": "passenger",
    "/flights/1/payment": "payment",
    "/bookings": "find",
    "/bookings/K7Q2MB/cancel": "cancel",
    "/bookings/K7Q2MB/passenger": "modify",
    "/bookings/K7Q2MB/flights": "modify-search",
}


@pytest.mark.wide
def test_forms_that_are_filled_with_anything_are_answered(desk):
    desk.to_payment()

    @settings(derandomize=True, max_examples=100 * DEEP, deadline=None)
    @given(st.data())
    def answers(draw):
        address, screen = draw.draw(st.sampled_from(sorted(SCREENS.items())))
        fields = {name: draw.draw(TEXT) for name in FIELDS[screen]}
        answer = desk.commit(address, CONTROLS[screen][0], fields)
        check_commit(answer)
        if answer.status_code == 400:
            assert set(answer.json["errors"]) <= set(FIELDS[screen])

    answers()


@pytest.mark.parametrize(
    "body",
    ["", "{", "[]", "null", '"x"', "[" * 50_000, '{"control": "\\ud800"}', "\xff"],
)
def test_what_is_no_json_object_is_refused_by_name(desk, body):
    answer = desk.client.post(
        "/api/flights?scenario=s1",
        data=body.encode("latin-1"),
        content_type="application/json",
        headers={"X-CSRF-Token": desk.csrf},
    )
    assert answer.status_code == 400
    assert next(iter(answer.json["errors"])) in {"body", "control"}


def test_half_characters_are_replaced(desk):
    body = json.dumps(
        {"control": "search-booking", "version": 0, "values": {"booking-reference": "\ud800x"}}
    )
    answer = desk.client.post(
        "/api/bookings?scenario=s1",
        data=body,
        content_type="application/json",
        headers={"X-CSRF-Token": desk.csrf},
    )
    assert answer.status_code == 404


def test_forms_of_other_pages_are_refused(desk):
    body = {"control": "cancel-booking", "version": 0, "values": {}}
    before = desk.world.snapshot()
    for csrf in ("", "x", "é", desk.csrf[:-1]):
        assert (
            desk.post(
                "/bookings/K7Q2MB", body, csrf.encode("latin-1").decode("latin-1")
            ).status_code
            == 403
        )
        assert desk.post("/events", {"events": []}, csrf).status_code == 403
    plain = desk.client.post(
        "/api/bookings/K7Q2MB?scenario=s1", data="x=1", headers={"X-CSRF-Token": desk.csrf}
    )
    assert (plain.status_code, list(plain.json["errors"])) == (400, ["body"])
    after = desk.world.snapshot()
    assert after["log_commits"] == before["log_commits"] == []


def test_a_page_of_one_visit_cannot_act_in_another(desk):
    other = new_world("s2")
    desk.worlds.publish(other)
    sent = {"control": "search-booking", "version": 0, "values": {}}
    answer = desk.client.post(
        "/api/bookings?scenario=s2", json=sent, headers={"X-CSRF-Token": desk.csrf}
    )
    assert answer.status_code == 403
    visitor = desk.app.test_client()
    visitor.set_cookie(COOKIE, desk.worlds.admit(other), domain="localhost")
    assert visitor.get("/flights?scenario=s1").status_code == 404
    assert visitor.get("/flights").status_code == 200


def test_an_unknown_scenario_is_not_found_and_nothing_is_made(desk):
    for address in ("/", "/flights", "/api/flights", "/bookings", "/api/airports"):
        for query in ("?scenario=nobody", ""):
            assert desk.client.get(address + query).status_code == 404
    assert desk.client.post("/api/flights?scenario=nobody", json={}).status_code == 404
    assert desk.worlds.find(None, "nobody") is None


def test_the_control_planes_names_are_not_here(desk):
    for address in ("/evaluate", "/generate-random-scenario", "/finish", "/api/evaluate"):
        for method in (desk.client.get, desk.client.post):
            assert method(f"{address}?scenario=s1").status_code in {403, 404, 405}
    assert desk.page("/evaluate").status_code == 404


def test_when_the_visit_is_over_pages_are_shown_and_nothing_is_written(desk):
    payment = desk.to_payment()
    before = desk.world.snapshot()
    desk.world.close()
    card = {"card-number": "4111 1111 1111 1111", "expiry": "09/27", "cvc": "123"}
    draft = {"kind": "draft", "screen": "find", "subject": "", "field": "booking-reference"}
    assert desk.commit(payment, "book-flight", card).status_code == 409
    assert desk.commit("/flights", "search-flights", {}).status_code == 409
    assert desk.commit("/bookings/K7Q2MB", "cancel-booking", {}).status_code == 409
    assert desk.log({**draft, "value": "x"}).status_code == 409
    for address in ("/flights", payment, "/bookings/K7Q2MB"):
        assert desk.page(address).status_code == 200
    assert desk.world.snapshot() == before


def test_too_much_at_once_is_refused(desk):
    draft = {"kind": "draft", "screen": "find", "subject": "", "field": "booking-reference"}
    assert desk.log(*[{**draft, "value": ""}] * 101).status_code == 400
    assert desk.log({**draft, "value": "x" * 70_000}).status_code == 413
    assert desk.log({**draft, "value": "x" * 20_000}).status_code == 204
    [row] = desk.world.snapshot()["log_drafts"]
    assert len(row["value"]) == 10_000
