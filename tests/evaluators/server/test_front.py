"""The root addresses of served sites, for visitors without a visit."""

from __future__ import annotations

import http.client
import urllib.request
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest

from evaluators.episode.environment import bind_site
from evaluators.server import serve
from evaluators.server.front import SEED
from evaluators.server.serve import RunningServer
from scenarios import registry
from sites.site_app import COOKIE
from tests.evaluators.server.test_serve import fetch, refused
from tests.measuring import HANG

SITES = ("store", "crm")
FAMILIES = {"store": "buy_item", "crm": "TASK_FIND_FLIGHT"}


@pytest.fixture(scope="module")
def served() -> Iterator[RunningServer]:
    with serve.serve(SITES) as opened:
        yield opened


def post(url: str, **headers: str) -> tuple[int, str]:
    """The status of a POST to /try, and where it leads."""
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=HANG)
    connection.request(
        "POST", "/try", headers={name.replace("_", "-"): value for name, value in headers.items()}
    )
    with connection.getresponse() as answer:
        found = answer.status, answer.headers.get("Location", "")
    connection.close()
    return found


@pytest.mark.parametrize("site", SITES)
def test_a_root_address_says_what_there_is_and_opens_a_task(served, site):
    url = served.sites[site].server.url
    page = fetch(url)
    task = registry.scenario(f"{site}/{FAMILIES[site]}/{SEED}")
    assert task.instruction in page.html and "Open this task" in page.html
    assert f"http://control.localhost:{served.control.port}/" in page.html
    assert served.token not in page.html
    opened = fetch(url + page.form("post")[0], {})
    visit = served.sessions.find(f"try-{site}")
    assert visit.scenario.name == task.name and "pages within a visit" not in opened.html
    assert visit.world.session in opened.url


@pytest.mark.parametrize("jailed", [False, True])
def test_the_gallery_of_widgets_names_the_control_plane_unless_an_agent_may_read_it(jailed):
    with serve.serve(["widgets"], jailed=jailed) as served:
        handlers = [urllib.request.ProxyHandler({"http": served.jail.url})] if jailed else []
        opener = urllib.request.build_opener(*handlers)
        with opener.open(served.sites["widgets"].server.url, timeout=HANG) as answer:
            page = answer.read().decode()
        named = f"http://control.localhost:{served.control.port}/" in page
        assert named != jailed and served.token not in page and "Find a task" in page


def test_a_task_that_is_opened_again_leaves_one_visit_and_no_draw_ends(served):
    drawn = served.sessions.draw("store", "buy_item", SEED)
    url = served.sites["store"].server.url
    places = [post(url) for _ in range(3)]
    assert [status for status, _ in places] == [303] * 3 and len({at for _, at in places}) == 3
    assert [each.id for each in served.sessions if each.own and each.scenario.site == "store"] == [
        "try-store"
    ]
    assert not drawn.closed
    for _, place in places[:-1]:
        with refused(404):
            fetch(place)


def test_nothing_else_opens_a_visit(served):
    url = served.sites["store"].server.url
    assert post(url, Sec_Fetch_Site="cross-site")[0] == 403
    assert post(url, Sec_Purpose="prefetch")[0] == 403
    for address in ("/try", "/?scenario=nobody", "/nobody"):
        with refused(404):
            fetch(url + address)


def test_a_browser_of_an_episode_is_refused_as_before(served):
    """Also with a token that is not valid any more."""
    request = urllib.request.Request(served.sites["store"].server.url)
    request.add_header("Cookie", f"{COOKIE}=gone")
    with refused(404):
        urllib.request.urlopen(request, timeout=HANG)


def test_a_site_of_a_run_has_no_first_page():
    site = bind_site("store")
    with site.server:
        with refused(404):
            fetch(site.server.url)
        assert post(site.server.url)[0] in {404, 405}
    site.worlds.release()


def test_a_recorded_agent_gets_no_task_to_try(tmp_path):
    with serve.serve(["crm"], out=tmp_path / "run") as served:
        url = served.sites["crm"].server.url
        page = fetch(url).html
        assert "control.localhost" in page and "Open this task" not in page
        assert "Every other task" not in page
        assert post(url)[0] in {404, 405}
        assert [*served.sessions] == []


def test_a_jailed_agent_gets_neither_a_task_nor_the_control_planes_address():
    with serve.serve(["crm"], jailed=True) as served:
        proxy = urllib.request.ProxyHandler({"http": served.jail.url})
        opener = urllib.request.build_opener(proxy)
        with opener.open(served.sites["crm"].server.url, timeout=HANG) as answer:
            page = answer.read().decode()
        assert "The airline CRM" in page
        assert "Open this task" not in page and str(served.control.port) not in page
