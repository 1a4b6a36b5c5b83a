"""The two published calls on the CRM's own address: only where they were asked for."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest

from evaluators.server import serve
from scenarios import registry
from sites.server import Server
from tests.evaluators.server.command import warning
from tests.measuring import HANG


def call(url: str, **headers: str) -> dict[str, Any]:
    """What `curl` would print; raises `HTTPError`."""
    request = urllib.request.Request(url, headers=headers)
    with urllib.request.urlopen(request, timeout=HANG) as answer:
        return dict(json.load(answer))


def refused(status: int, url: str, **headers: str) -> str:
    with pytest.raises(urllib.error.HTTPError) as caught:
        call(url, **headers)
    with caught.value as error:
        assert error.code == status
        return error.read().decode()


@pytest.fixture(scope="module")
def served() -> Iterator[serve.RunningServer]:
    with serve.serve(["crm"], one_port=True) as opened:
        yield opened


@pytest.fixture
def base(served) -> str:
    return str(served.addresses()["sites"]["crm"])


def test_a_scenario_is_drawn_opened_and_evaluated_without_a_token(served, base):
    drawn = call(f"{base}/generate-random-scenario")
    assert [*drawn][:3] == ["scenario", "id", "url"]
    assert drawn["scenario"].startswith("TASK_") and len(drawn["id"]) == 20
    address, _, session = drawn["url"].partition("?scenario=")
    assert address == f"{base}/" and len(session) == 32
    with urllib.request.urlopen(drawn["url"], timeout=HANG) as page:
        assert page.url == f"{base}/flights?scenario={session}"
    seen = call(f"{base}/evaluate?scenario={drawn['id']}")
    assert (seen["scenario"], seen["success"], seen["progress"]) == (drawn["scenario"], False, 0)
    assert seen["closed"] is False and drawn["compat"] is seen["compat"] is True


def test_a_solved_scenario_is_a_success(served, base):
    drawn = call(f"{base}/generate-random-scenario?type=TASK_BOOK_FLIGHT&seed=7")
    opened = served.sessions.find(drawn["id"])
    assert opened.scenario.name == "crm/TASK_BOOK_FLIGHT/7"
    family, data = registry.family("TASK_BOOK_FLIGHT"), registry.site_data("crm")
    family.solve(opened.scenario, opened.world, data)
    seen = call(f"{base}/evaluate?scenario={drawn['id']}")
    assert (seen["success"], seen["progress"]) == (True, 1)


def test_the_published_call_gives_away_no_other_booking(base):
    drawn = call(f"{base}/generate-random-scenario?type=TASK_CANCEL_FLIGHT&seed=4")
    assert drawn["details"].keys() == {"booking-reference"}


def test_what_cannot_be_drawn_or_evaluated_is_said(base):
    assert "TASK_BOOK_FLIGHT" in refused(404, f"{base}/generate-random-scenario?type=TASK_BOOK")
    assert "whole number" in refused(400, f"{base}/generate-random-scenario?seed=x")
    assert "mean seed?" in refused(400, f"{base}/generate-random-scenario?sead=7")
    assert "no open scenario" in refused(404, f"{base}/evaluate?scenario=nobody")
    assert "no open scenario" in refused(404, f"{base}/evaluate")
    other = {"Sec-Fetch-Site": "cross-site"}
    assert "Another page" in refused(403, f"{base}/generate-random-scenario", **other)
    refused(400, f"{base}/generate-random-scenario", Host="evil.example")


def test_finishing_stays_on_the_control_plane(served, base):
    drawn = call(f"{base}/generate-random-scenario?type=TASK_FIND_BOOKING&seed=3")
    refused(404, f"{base}/finish")
    served.sessions.finish(drawn["id"], "")
    seen = call(f"{base}/evaluate?scenario={drawn['id']}")
    assert seen["closed"] and {*map(frozenset, seen["checks"])} == {frozenset({"name", "held"})}


def test_without_being_asked_for_the_calls_are_not_there():
    with serve.serve(["crm"]) as served:
        base = served.addresses()["sites"]["crm"]
        refused(404, f"{base}/generate-random-scenario")
        refused(404, f"{base}/evaluate?scenario=x")
        assert not served.warning


def test_scenarios_of_other_sites_are_not_told():
    with serve.serve(["crm", "store"], one_port=True) as served:
        base, drawn = served.addresses()["sites"]["crm"], served.sessions.draw("store", "", 1)
        assert "another site" in refused(404, f"{base}/evaluate?scenario={drawn.scenario.id}")
        assert "type" in refused(404, f"{base}/generate-random-scenario?type=buy_item")
        store = served.addresses()["sites"]["store"]
        refused(404, f"{store}/generate-random-scenario")


def test_the_port_is_the_crms():
    with Server(serve.create_app(serve.Sessions({}), "")) as free:
        port = free.port
    with serve.serve(["crm"], port, one_port=True) as served:
        assert served.addresses()["sites"]["crm"].endswith(f":{port}")


def test_it_needs_the_crm():
    with pytest.raises(ValueError, match="--site crm"), serve.serve(["store"], one_port=True):
        pass


@pytest.mark.wide
def test_the_command_line_warns():
    def use(sites):
        assert call(f"{sites['crm']}/generate-random-scenario")["compat"]

    err = warning(use, "--one-port", "--site", "crm")
    assert err.count("\n") == 1 and "Do not report results" in err
