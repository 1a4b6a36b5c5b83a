"""What programs of other people need: variants, time, visits of their own, and one answer."""

from __future__ import annotations

import re
import urllib.request
from collections.abc import Iterator

import pytest

from evaluators.server import create_app, serve
from evaluators.server.serve import RunningServer

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
    assert answer.json["error"].startswith(f"There is no type {name!r}; did you mean ")


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
    with urllib.request.urlopen(drawn["url"], timeout=20) as page:
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
