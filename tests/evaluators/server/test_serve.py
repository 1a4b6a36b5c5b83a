"""Serving for foreign agents: programs that know nothing of ours but addresses and the token."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from html.parser import HTMLParser
from typing import Any

import pytest

from agent.plugins import UnknownName
from evaluators.server import serve
from sites.server import PortInUse, Server
from tests.evaluators.server.command import rehearse
from tests.measuring import HANG

CONTROL_PATHS = ("/generate-random-scenario", "/evaluate", "/finish")


# A foreign agent, written with the standard library only -----------------------------------------


class Page(HTMLParser):
    """What an agent needs of a page: links, options, and its forms with their hidden fields."""

    def __init__(self, url: str, html: str) -> None:
        super().__init__()
        self.url, self.html = url, html
        self.links: dict[str, str] = {}
        self.options: dict[tuple[str, str], str] = {}
        self.forms: list[tuple[str, str, dict[str, str]]] = []
        self._link = ""
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        have = {name: value or "" for name, value in attrs}
        if tag == "a":
            self._link = have.get("href", "")
        elif tag == "form":
            self.forms.append((have.get("method", "get"), have["action"], {}))
        elif tag == "input" and have.get("type") == "hidden":
            self.forms[-1][2][have["name"]] = have["value"]
        elif tag == "input" and have.get("type") == "radio":
            self.options[have["name"], have["value"]] = have["data-url"]

    def handle_data(self, data):
        if self._link and data.strip():
            self.links.setdefault(data.strip(), self._link)

    def handle_endtag(self, tag):
        if tag == "a":
            self._link = ""

    def form(self, method: str) -> tuple[str, dict[str, str]]:
        return next((action, fields) for had, action, fields in self.forms if had == method)


def fetch(url: str, fields: dict[str, str] | None = None) -> Page:
    """GET, or POST the fields of a form; raises `HTTPError`."""
    data = urllib.parse.urlencode(fields).encode() if fields is not None else None
    with urllib.request.urlopen(urllib.request.Request(url, data), timeout=HANG) as answer:
        return Page(answer.url, answer.read().decode())


def follow(page: Page, address: str, fields: dict[str, str] | None = None) -> Page:
    return fetch(urllib.parse.urljoin(page.url, address), fields)


def item_page(url: str, wish: dict[str, Any]) -> Page:
    """Search for what is wished for, open the item, choose its options."""
    start = fetch(url)
    action, _ = start.form("get")
    words = " ".join([wish["query"], *wish["attributes"]])
    found = follow(start, f"{action}?{urllib.parse.urlencode({'search_query': words})}")
    while wish["asin"] not in found.links:
        front, _, number = found.url.rpartition("/")
        found = follow(found, f"{front}/{int(number) + 1}")
    page = follow(found, found.links[wish["asin"]])
    for chosen in wish["goal_options"].items():
        page = follow(page, page.options[chosen])
    return page


def buy(page: Page) -> Page:
    action, fields = page.form("post")
    return follow(page, action, fields)


class Control:
    """The control plane as a program calls it."""

    def __init__(self, url: str, token: str) -> None:
        self.url, self.token = url, token

    def __call__(self, path: str, sent: dict[str, str] | None = None) -> dict[str, Any]:
        call = urllib.request.Request(self.url + path)
        call.add_header("Authorization", f"Bearer {self.token}")
        if sent is not None:
            call.data = json.dumps(sent).encode()
            call.add_header("Content-Type", "application/json")
        with urllib.request.urlopen(call, timeout=HANG) as answer:
            return dict(json.load(answer))

    def evaluate(self, scenario: str) -> dict[str, Any]:
        return self(f"/evaluate?scenario={scenario}")


@contextmanager
def refused(status: int) -> Iterator[None]:
    with pytest.raises(urllib.error.HTTPError) as caught:
        yield
    with caught.value as error:
        assert error.code == status


@pytest.fixture(scope="module")
def served() -> Iterator[serve.RunningServer]:
    with serve.serve(["store"]) as opened:
        yield opened


@pytest.fixture
def control(served) -> Control:
    addresses = served.addresses()
    return Control(addresses["control"], addresses["token"])


def draw(control: Control, seed: int) -> dict[str, Any]:
    return control(f"/generate-random-scenario?type=buy_item&seed={seed}")


# The story ---------------------------------------------------------------------------------------


def test_progress_is_seen_while_the_work_goes_on(control):
    drawn = draw(control, 50)
    assert control.evaluate(drawn["id"])["progress"] == 0
    page = item_page(drawn["url"], drawn["details"])
    seen = control.evaluate(drawn["id"])
    assert seen["progress"] == pytest.approx(2 / 3, abs=1e-3) and seen["actions"] > 2
    buy(page)
    seen = control.evaluate(drawn["id"])
    assert (seen["success"], seen["progress"], seen["closed"]) == (True, 1, False)


def test_after_finishing_the_site_writes_nothing_and_the_score_stays(control):
    drawn = draw(control, 51)
    page = item_page(drawn["url"], drawn["details"])
    finished = control("/finish", {"scenario": drawn["id"], "answer": ""})
    assert finished["closed"] and not finished["success"]
    with refused(409):
        buy(page)
    assert "Instruction" in item_page(drawn["url"], drawn["details"]).html
    assert control.evaluate(drawn["id"]) == finished
    control("/finish", {"scenario": drawn["id"], "answer": "now"})
    assert control.evaluate(drawn["id"]) == finished


def test_what_was_bought_before_finishing_counts_whatever_comes_after(control):
    drawn = draw(control, 52)
    page = item_page(drawn["url"], drawn["details"])
    other = item_page(drawn["url"], {**drawn["details"], "goal_options": {}})
    buy(page)
    finished = control("/finish", {"scenario": drawn["id"]})
    assert finished["success"]
    with refused(409):
        buy(other)
    assert control.evaluate(drawn["id"]) == finished


def test_a_scenario_that_is_drawn_again_is_as_it_was_at_first(control):
    drawn = draw(control, 53)
    buy(item_page(drawn["url"], drawn["details"]))
    reopened = draw(control, 53)
    assert reopened == {**drawn, "opening": 2, "url": reopened["url"]}
    assert control.evaluate(reopened["id"])["progress"] == 0
    buy(item_page(reopened["url"], reopened["details"]))
    assert control.evaluate(reopened["id"])["success"]


def test_scenarios_do_not_touch_each_other(control):
    first, second = draw(control, 54), draw(control, 55)
    buy(item_page(first["url"], first["details"]))
    assert control.evaluate(first["id"])["success"]
    assert control.evaluate(second["id"])["actions"] == 0


# What the sites do not tell ----------------------------------------------------------------------


@pytest.mark.parametrize("path", [*CONTROL_PATHS, "/reset", "/draw", "/scenario"])
@pytest.mark.parametrize("sent", [None, {"scenario": "x"}])
def test_on_a_sites_port_there_is_no_control_plane(served, control, path, sent):
    drawn = draw(control, 56)
    site = Control(served.sites["store"].server.url, control.token)
    for query in ("", f"?scenario={drawn['id']}", f"?token={control.token}"):
        with refused(404):
            site(path + query, sent and {"scenario": drawn["id"]})
    assert not control.evaluate(drawn["id"])["closed"]


def test_without_the_token_the_control_plane_is_shut(served):
    for path in (*CONTROL_PATHS[:2], "/"):
        with refused(401):
            fetch(served.control.url + path)
        with refused(401):
            Control(served.control.url, "0" * 64)(path)


def test_another_host_name_is_refused_on_the_wire(served, control):
    for host in ("evil.example", "store.localhost", f"evil.example:{served.control.port}"):
        connection = http.client.HTTPConnection("127.0.0.1", served.control.port, timeout=HANG)
        connection.putrequest("GET", "/evaluate?scenario=x", skip_host=True)
        connection.putheader("Host", host)
        connection.putheader("Authorization", f"Bearer {control.token}")
        connection.endheaders()
        answer = connection.getresponse()
        assert answer.status == 400 and "not ours" in json.load(answer)["error"]
        connection.close()


def test_a_session_that_nobody_opened_is_404(served):
    site = served.sites["store"].server.url
    for path in ("/?scenario=" + "a" * 20, "/abc", "/fixed_0"):
        with refused(404):
            fetch(site + path)


def test_with_open_sessions_a_new_session_is_a_world_without_a_task():
    with serve.serve(["store"], open_sessions=True) as served:
        site = served.sites["store"].server.url
        assert "nothing in particular" in fetch(f"{site}/abc").html
        with refused(404):
            Control(served.control.url, served.token).evaluate("abc")
        with refused(404):
            fetch(f"{site}/evaluate")


# Bringing it up and down -------------------------------------------------------------------------


def test_every_house_has_a_token_of_its_own_and_does_not_show_it(served):
    with serve.serve(["store", "store"]) as other:
        assert other.token != served.token and len(other.token) == 64
        assert [*other.sites] == ["store"]
        assert other.token not in repr(other)
        assert (
            f"http://control.localhost:{other.control.port}/?token={other.token}"
            in other.greeting()
        )


def test_all_ports_are_free_afterwards():
    with serve.serve(["store"]) as served:
        ports = [served.control.port, served.sites["store"].server.port]
    for port in ports:
        Server(serve.create_app(served.sessions, ""), port).close()


def test_a_taken_port_and_an_unknown_site_are_refused_and_leave_nothing_open():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(PortInUse, match=str(port)), serve.serve(["store"], port):
            pass
    with pytest.raises(UnknownName, match="store"), serve.serve(["stoer"]):
        pass


def test_serve_tells_addresses_as_json_works_and_ends_with_ctrl_c():
    with rehearse("--json", "--port", "0", "--site", "store") as process:
        try:
            addresses = json.loads(process.stdout.readline())
            assert [*addresses] == ["sites", "control", "token", "ready"]
            port = addresses["control"].rpartition(":")[2]
            assert addresses["ready"] == (
                f"http://control.localhost:{port}/?token={addresses['token']}"
            )
            assert [*addresses["sites"]] == ["store"]
            assert addresses["sites"]["store"].startswith("http://127.0.0.1:")
            control = Control(addresses["control"], addresses["token"])
            drawn = draw(control, 57)
            assert drawn["url"].startswith(addresses["sites"]["store"])
            buy(item_page(drawn["url"], drawn["details"]))
            assert control("/finish", {"scenario": drawn["id"], "answer": ""})["success"]
            assert taken_port_is_one_line(addresses["control"])
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=HANG)
        finally:
            process.kill()
    assert (process.returncode, out, err) == (0, "", "")
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)
    with pytest.raises(urllib.error.URLError):
        fetch(addresses["control"])


def taken_port_is_one_line(control: str) -> bool:
    port = control.rsplit(":", 1)[1]
    with rehearse("--json", "--port", port, "--site", "store") as process:
        out, err = process.communicate(timeout=HANG)
    assert (process.returncode, out) == (2, "")
    assert err.count("\n") == 1 and port in err and "give another port" in err
    return True
