"""A site with two hosts, served to browsers that are not ours."""

from __future__ import annotations

import http.client
import json
import urllib.error
import urllib.request
from urllib.parse import urlsplit

import pytest

from evaluators.server import serve
from tests.measuring import HANG


def control(served: serve.RunningServer, path: str) -> dict:
    token = {"Authorization": f"Bearer {served.token}"}
    request = urllib.request.Request(f"{served.control.url}{path}", headers=token)
    with urllib.request.urlopen(request, timeout=HANG) as answer:
        return json.load(answer)


def get(url: str) -> tuple[int, str, str]:
    """Status, Location and text; the name of the host is not looked up."""
    parts = urlsplit(url)
    connection = http.client.HTTPConnection("127.0.0.1", parts.port, timeout=HANG)
    path = f"{parts.path}?{parts.query}" if parts.query else parts.path
    connection.request("GET", path, headers={"Host": parts.netloc})
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, answer.headers.get("Location", ""), text


@pytest.fixture(scope="module")
def served():
    with serve.serve(["store"]) as running:
        yield running


def test_a_task_of_the_outlet_begins_at_its_host(served):
    drawn = control(served, "/generate-random-scenario?type=buy_wish.outlet&seed=1")
    port = served.sites["store"].server.port
    assert drawn["url"].startswith(f"http://outlet.localhost:{port}/?scenario=")
    status, location, _ = get(drawn["url"])
    assert status == 302
    status, _, text = get(f"http://outlet.localhost:{port}{location}")
    assert status == 200 and "Search the outlet" in text
    assert control(served, f"/evaluate?scenario={drawn['id']}")["requests"] == 1


def test_a_task_of_the_store_is_not_open_in_the_outlet(served):
    drawn = control(served, "/generate-random-scenario?type=buy_wish&seed=1")
    port = served.sites["store"].server.port
    assert drawn["url"].startswith(f"http://127.0.0.1:{port}/?scenario=")
    session = drawn["url"].partition("=")[2]
    for path in (f"/?scenario={session}", f"/{session}", f"/{session}/search?q=lamp"):
        assert get(f"http://outlet.localhost:{port}{path}")[0] == 404
    assert control(served, f"/evaluate?scenario={drawn['id']}")["requests"] == 0


def test_in_the_jail_both_hosts_are_reached_through_the_proxy_alone():
    with serve.serve(["store"], jailed=True) as jailed:
        drawn = control(jailed, "/generate-random-scenario?type=buy_wish.outlet&seed=1")
        assert get(drawn["url"])[0] == 403
        proxy = urllib.request.ProxyHandler({"http": jailed.addresses()["jail"]["proxy"]})
        opener = urllib.request.build_opener(proxy)
        with opener.open(drawn["url"], timeout=HANG) as answer:
            assert "Search the outlet" in answer.read().decode()
        port = jailed.sites["store"].server.port
        for host in ("crm.localhost", "outlet.localhost.test", "other.localhost"):
            with pytest.raises(urllib.error.HTTPError) as caught:
                opener.open(f"http://{host}:{port}/", timeout=HANG)
            assert caught.value.code == 403
            caught.value.close()
