"""A declared site that is served: people click through it, and its links carry no session."""

from __future__ import annotations

import re
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from http.cookiejar import CookieJar
from urllib.parse import urlencode

import pytest

from agent.browser.chromium import find_chromium
from evaluators.server import serve
from evaluators.server.serve import RunningServer
from scenarios import registry
from sites.forum import SITE
from sites.kit import Do, Map
from tests.evaluators.server.test_two_hosts import control
from tests.measuring import HANG

FIRST = ("wish_product", "nearest", "count_commits", "orders_filtered", "change_price")
"""Families of sites whose first page has addresses of several kinds, or that begin elsewhere."""
FAMILIES = ("subscribe", "vote_newest", "post_in_forum", "found_forum", "reviews_to_forum")


@pytest.fixture(scope="module", name="served")
def _served() -> Iterator[RunningServer]:
    with serve.serve(["forum", "store"]) as opened:
        yield opened


@pytest.fixture(scope="module", name="others")
def _others() -> Iterator[RunningServer]:
    with serve.serve(["shop", "map", "codehost", "admin"]) as opened:
        yield opened


class Client:
    """A visitor without scripts: it has cookies, and reads the pages that it gets."""

    def __init__(self) -> None:
        kept = urllib.request.HTTPCookieProcessor(CookieJar())
        self._opener = urllib.request.build_opener(kept)

    def get(self, url: str, **posted: str) -> str:
        data = urlencode(posted).encode() if posted else None
        with self._opener.open(url, data, timeout=HANG) as answer:
            return str(answer.read().decode())


def drawn(served: RunningServer, family: str, seed: int = 1) -> dict:
    return control(served, f"/generate-random-scenario?type={family}&seed={seed}&own=1")


def heading(page: str) -> str:
    [found] = re.findall(r"<h1[^>]*>(.*?)</h1>", page, re.DOTALL)
    return str(found)


def links(page: str) -> list[str]:
    return re.findall(r'<a href="([^"]*)"', page)


def test_the_start_address_keeps_the_session_so_that_links_need_not_carry_it(served):
    task, client, origin = drawn(served, "subscribe"), Client(), served.sites["forum"].server.url
    start = client.get(task["url"])
    session = task["url"].partition("=")[2]
    assert session not in start and len(links(start)) > 20
    for link in links(start)[:12]:
        assert client.get(origin + link)
    assert control(served, f"/evaluate?scenario={task['id']}")["requests"] == 13


def test_a_visitor_without_the_start_address_sees_nothing_of_the_visit(served):
    task, origin = drawn(served, "subscribe"), served.sites["forum"].server.url
    Client().get(task["url"])
    with pytest.raises(urllib.error.HTTPError) as caught:
        Client().get(f"{origin}/forums")
    assert caught.value.code == 404
    caught.value.close()


def test_a_second_visit_in_the_same_browser_takes_the_place_of_the_first(served):
    first, second, client = drawn(served, "subscribe"), drawn(served, "subscribe", 2), Client()
    origin = served.sites["forum"].server.url
    old = client.get(first["url"])
    client.get(second["url"])
    token = re.findall(r'name="csrf" value="([^"]*)"', old)[0]
    with pytest.raises(urllib.error.HTTPError) as caught:
        client.get(f"{origin}/", csrf=token, submission="1", form="upvote", once="0")
    assert caught.value.code == 400
    caught.value.close()
    client.get(f"{origin}/forums")
    counts = [control(served, f"/evaluate?scenario={each['id']}") for each in (first, second)]
    assert [each["requests"] for each in counts] == [1, 2]


def test_an_old_cookie_leads_to_the_first_page_of_the_site(served):
    task, client, origin = drawn(served, "subscribe"), Client(), served.sites["forum"].server.url
    client.get(task["url"])
    opened = served.sessions.find(task["id"])
    served.sites["forum"].worlds.withdraw(opened.world.session)
    assert "Open this task" in client.get(origin)


def test_a_visit_to_both_sites_has_one_session_and_one_score(served):
    task, client = drawn(served, "reviews_to_forum"), Client()
    start = client.get(task["url"])
    [there] = [link for link in links(start) if "?scenario=" in link]
    store = served.sites["store"].server.url
    assert there == f"{store}/?scenario={task['url'].partition('=')[2]}"
    index = client.get(there)
    assert "To the forum" in index
    assert control(served, f"/evaluate?scenario={task['id']}")["requests"] == 2


def test_a_family_of_two_sites_is_not_offered_if_one_is_not_served():
    with serve.serve(["forum"]) as single:
        names = [family for _, family in single.sessions.families()]
        assert "subscribe" in names and "reviews_to_forum" not in names


def test_a_task_that_is_drawn_again_releases_the_worlds_of_both_sites(served):
    path = "/generate-random-scenario?type=reviews_to_forum&seed=3"
    task = control(served, path)
    world = served.sessions.find(task["id"]).world
    control(served, path)
    assert world.of("forum").released and world.of("store").released


def test_a_recorded_visit_has_the_requests_of_both_sites(tmp_path):
    with serve.serve(["forum", "store"], out=tmp_path / "run") as served:
        task, client = drawn(served, "reviews_to_forum"), Client()
        [there] = [link for link in links(client.get(task["url"])) if "?scenario=" in link]
        client.get(there)
        opened = served.sessions.finish(task["id"], "")
        record = served.record_of(opened)
        assert record is not None and record.steps == 1 and not record.success
    [trace] = (tmp_path / "run").rglob("trace.jsonl")
    lines = trace.read_text()
    assert lines.count("?scenario=") == 2 and task["url"].partition("=")[2] not in lines


def test_the_control_plane_lists_the_open_visit(served):
    task = drawn(served, "subscribe", 5)
    token = {"Authorization": f"Bearer {served.token}", "Accept": "text/html"}
    request = urllib.request.Request(served.control.url, headers=token)
    with urllib.request.urlopen(request, timeout=HANG) as answer:
        assert f"/scenario/{task['id']}" in answer.read().decode()


# A browser of one's own --------------------------------------------------------------------------


@contextmanager
def browser():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=str(find_chromium()))
        page = opened.new_page()
        page.set_default_timeout(HANG * 1000)
        yield page
        opened.close()


@pytest.mark.usefixtures("unmeasured")
def test_a_client_with_a_browser_of_its_own_does_five_tasks(served):
    with browser() as page:
        for family in FAMILIES:
            task = drawn(served, family, 4)
            page.goto(task["url"])
            for reading in task["details"].get("beside", ()):
                read_store(page, reading["path"])
            for operation, args in task["details"]["do"]:
                send(page, served, task, Do(operation, args))

            verdict = control(served, f"/evaluate?scenario={task['id']}")
            assert verdict["success"], (family, verdict["checks"])
    listed = {each.scenario.family for each in served.sessions}
    assert listed >= {*FAMILIES}


def read_store(page, path) -> None:
    """Go to the store by its link, open the pages of the path, and come back."""
    page.get_by_role("link", name="To the store").click()
    page.get_by_role("searchbox").fill(path[0]["query"])
    page.keyboard.press("Enter")
    page.get_by_role("link", name=path[1]["asin"]).click()
    page.get_by_role("button", name="Reviews").or_(page.get_by_role("link", name="Reviews")).click()
    page.get_by_role("link", name="To the forum").click()


def send(page, served: RunningServer, task: dict, do: Do) -> None:
    """Open a page with the form of an operation, fill its fields by their labels, and send it."""
    found = Map(SITE, served.sessions.find(task["id"]).world)
    place, spot = next((place, spot) for place, spot in found.stands(do).items() if not spot.row)
    page.goto(served.sites["forum"].server.url + found.url(place))
    for each in spot.form.fields:
        field = page.get_by_label(found.skin.say(each.name, None, "label"), exact=True)
        if each.kind == "choice":
            field.select_option(do.args[each.name])
        else:
            field.fill(str(do.args[each.name]))
    name = found.skin.say(spot.form.name, None, "button")
    page.get_by_role("button", name=name, exact=True).first.click()


@pytest.mark.parametrize("family", FIRST)
def test_a_visit_begins_at_the_first_page_of_its_scenario(others, family):
    task, client = drawn(others, family), Client()
    scenario = registry.scenario(f"{registry.family(family).SITE}/{family}/1")
    origin = others.sites[scenario.site].server.url
    begun = heading(client.get(task["url"]))
    assert begun == heading(client.get(origin + scenario.start.partition("?scenario=")[0]))


def test_the_root_of_a_site_leads_to_its_home_page(others):
    task, client = drawn(others, "orders_filtered"), Client()
    home = heading(client.get(task["url"]))
    assert task["url"].startswith(f"{others.sites['admin'].server.url}/admin?scenario=")
    assert heading(client.get(f"{others.sites['admin'].server.url}/")) == home
