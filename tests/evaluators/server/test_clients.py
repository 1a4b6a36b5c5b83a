"""What programs of other people need: variants, time, visits of their own, and one answer."""

from __future__ import annotations

import re
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from evaluators.server import create_app, serve
from evaluators.server.serve import RunningServer
from scenarios import registry
from sites.widgets import operations
from tests.measuring import HANG

from .conftest import Caller


@pytest.fixture(scope="module")
def served() -> Iterator[RunningServer]:
    with serve.serve(["crm", "store", "widgets"]) as running:
        yield running


@pytest.fixture
def call(served: RunningServer) -> Caller:
    app = create_app(served.sessions, served.token)
    return Caller(app.test_client(use_cookies=False), served.token)


# Variants ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", ["easy", "pixels"])
def test_a_variant_is_drawn_by_its_name(call, served, variant):
    name = f"click-pie.{variant}"
    drawn = call.get(f"/generate-random-scenario?type={name}&seed=7").json
    assert (drawn["scenario"], drawn["seed"]) == (name, 7)
    opened = served.sessions.find(drawn["id"])
    assert opened.world.about["start"] == f"/miniwob/click-pie.html?seed=7&variant={variant}"
    assert call.get(f"/evaluate?scenario={drawn['id']}").json["scenario"] == name
    assert f"({variant})" in call.page(f"/scenario/{drawn['id']}")


HELP = ("did you mean ", "there are ")


@pytest.mark.parametrize(
    "name",
    [
        *("enter-text.hard", "enter-text.pixels", "enter-text.", "enter-text.easy.easy"),
        *("buy_item.easy", "TASK_BOOK_FLIGHT.easy", ".easy", "enter-text.py", "enter-txt.easy"),
    ],
)
def test_what_is_no_variant_is_no_type(call, name):
    answer = call.get("/generate-random-scenario", query_string={"type": name})
    assert answer.status_code == 404
    error = answer.json["error"]
    assert error.startswith(tuple(f"There is no type {name!r}; {words}" for words in HELP))


def test_a_variant_of_a_site_that_is_not_served_is_no_type():
    with serve.serve(["store"]) as running:
        call = Caller(
            create_app(running.sessions, running.token).test_client(use_cookies=False),
            running.token,
        )
        answer = call.get("/generate-random-scenario?type=enter-text.easy")
    assert answer.status_code == 404 and "There is no type 'enter-text.easy'" in answer.text


# Time --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "given"),
    [("", "&seconds=1000"), ("&seconds=45", "&seconds=45"), ("&seconds=0", "")],
)
@pytest.mark.parametrize("family", ["click-button", "click-button.easy", "compose-3"])
def test_the_address_of_a_widget_gives_time(call, family, asked, given):
    drawn = call.get(f"/generate-random-scenario?type={family}&seed=7{asked}").json
    _, _, query = drawn["url"].partition("/?scenario=")
    assert re.fullmatch(rf"[0-9a-f]{{32}}{given}", query)
    with urllib.request.urlopen(drawn["url"], timeout=HANG) as page:
        assert page.url.endswith(f"&scenario={query}")


@pytest.mark.parametrize("family", ["buy_item", "TASK_FIND_FLIGHT"])
def test_where_no_page_ends_by_the_clock_the_address_gives_none(call, family):
    for asked in ("", "&seconds=45"):
        drawn = call.get(f"/generate-random-scenario?type={family}&seed=7{asked}").json
        assert "seconds" not in drawn["url"]


@pytest.mark.parametrize("seconds", ["-1", "1.5", "x", "1000000", "9" * 40])
def test_what_is_no_time_is_400_and_opens_nothing(call, served, seconds):
    opened = len([*served.sessions])
    query = {"type": "click-button", "seed": "99", "seconds": seconds}
    answer = call.get("/generate-random-scenario", query_string=query)
    assert answer.status_code == 400
    assert answer.json["error"].endswith("is no whole number from 0 to 999999.")
    assert len([*served.sessions]) == opened


# A visit of one's own ----------------------------------------------------------------------------

SHARED = ["store/buy_item", "crm/TASK_BOOK_FLIGHT", "widgets/click-button"]


def opened_page(url: str) -> int:
    with urllib.request.urlopen(url, timeout=HANG) as page:
        return int(page.status)


def solve(served: RunningServer, drawn: Mapping[str, Any]) -> None:
    """Bring about the right end of the visit; a widget's page would post it."""
    opened, site = served.sessions.find(drawn["id"]), drawn["site"]
    if site == "widgets":
        sent = {"task": "click-button", "seed": "7", "variant": "standard", "mode": "default"}
        number = operations.begin(opened.world, registry.site_data(site), sent, operations.HTTP)
        operations.report(opened.world, number, WON)
    else:
        family = registry.family(opened.scenario.family)
        family.solve(opened.scenario, opened.world, registry.site_data(site))


WON = {
    "kind": "verdict",
    "episode": 1,
    "raw": 1,
    "reward": 1,
    "share": 1,
    "seconds": 1,
    "reason": "",
    "tainted": "",
}


@pytest.mark.parametrize("name", SHARED)
def test_two_visits_of_one_scenario_do_not_meet(call, served, name):
    path = f"/generate-random-scenario?type={name.partition('/')[2]}&seed=7"
    shared, first, second = (call.get(path + own).json for own in ("", "&own=1", "&own=1"))
    assert len({each["id"] for each in (shared, first, second)}) == 3
    assert len({each["url"] for each in (shared, first, second)}) == 3
    alike = ("scenario", "seed", "instruction", "details", "opening", "unseen")
    assert [first[key] for key in alike] == [second[key] for key in alike]
    assert [opened_page(each["url"]) for each in (first, second)] == [200, 200]
    solve(served, first)
    sent = {"scenario": first["id"], "answer": ""}
    assert call.post("/finish", data=sent).json["success"]
    for each in (shared, second):
        verdict = call.get(f"/evaluate?scenario={each['id']}").json
        assert (verdict["id"], verdict["closed"], verdict["progress"]) == (each["id"], False, 0)
    solve(served, second)
    verdict = call.get(f"/evaluate?scenario={second['id']}").json
    assert (verdict["success"], verdict["closed"]) == (True, False)


def test_drawing_the_shared_one_again_leaves_one_s_own_alone(call):
    path = "/generate-random-scenario?type=buy_item&seed=8"
    own, shared = call.get(f"{path}&own=1").json, call.get(path).json
    redrawn = call.get(path).json
    assert (own["opening"], redrawn["opening"]) == (1, shared["opening"] + 1)
    assert opened_page(own["url"]) == opened_page(redrawn["url"]) == 200
    with pytest.raises(urllib.error.HTTPError, match="404"):
        opened_page(shared["url"])


def test_a_person_sees_one_s_own_and_starts_it_again_beside_it(call, served):
    own = call.get("/generate-random-scenario?type=buy_item&seed=9&own=1").json
    assert f'href="/scenario/{own["id"]}"' in call.page("/")
    page = call.page(f"/scenario/{own['id']}")
    assert f'data-scenario="{own["id"]}"' in page and 'name="own" value="1"' in page
    redrawn = call.post("/draw", data={"type": "store/buy_item", "seed": "9", "own": "1"})
    other = redrawn.headers["Location"].removeprefix("/scenario/")
    assert redrawn.status_code == 303 and other != own["id"]
    assert not served.sessions.find(own["id"]).closed
    shared = call.get("/generate-random-scenario?type=buy_item&seed=9&own=0").json
    assert 'name="own"' not in call.page(f"/scenario/{shared['id']}")


@pytest.mark.parametrize("own", ["2", "yes", "-1"])
def test_one_s_own_is_asked_for_by_1(call, own):
    answer = call.get(f"/generate-random-scenario?type=buy_item&seed=8&own={own}")
    assert answer.status_code == 400 and "no whole number from 0 to 1" in answer.text


# All in one answer -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "kind", "steps"),
    [
        ("buy_item", None, None),
        ("spend_in_month", "money", None),
        ("TASK_FIND_FLIGHT", None, None),
        ("click-button", None, 12),
        ("enter-text.easy", None, 14),
    ],
)
def test_the_answer_to_a_draw_says_what_is_to_be_answered_in_how_many_steps(
    call, served, name, kind, steps
):
    drawn = call.get(f"/generate-random-scenario?type={name}&seed=3").json
    assert (drawn["answer"] or {}).get("kind") == kind
    if kind:
        assert drawn["answer"].keys() == {"kind", "description"} and drawn["answer"]["description"]
    scenario = served.sessions.find(drawn["id"]).scenario
    expert = registry.family(name).length(scenario)
    assert drawn["steps"] == 2 * expert + 10 and drawn["steps"] == (steps or drawn["steps"])
    assert drawn["details"] or drawn["site"] == "crm"


def test_steps_are_a_run_s_where_a_family_needs_more_than_its_expert(call, served):
    drawn = call.get("/generate-random-scenario?type=buy_wish&seed=3").json
    scenario, family = served.sessions.find(drawn["id"]).scenario, registry.family("buy_wish")
    assert family.honest_length(scenario) > family.length(scenario)
    assert drawn["steps"] == 2 * family.honest_length(scenario) + 10


def test_the_desk_s_details_are_still_the_published_fields(call):
    drawn = call.get("/generate-random-scenario?type=TASK_CANCEL_FLIGHT&seed=4").json
    assert drawn["details"].keys() == {"booking-reference"}
