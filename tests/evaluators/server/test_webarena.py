"""The sites as clients of WebArena see them, and what an agent in their browser can try."""

from __future__ import annotations

import http.client
import json
import re
import signal
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

import httpx2
import pytest

from evaluators.integrations.webarena import export, folder, kinds
from evaluators.integrations.webarena.folder import BadTasks, ExportedVisit
from evaluators.server import serve
from evaluators.server.serve import NoSuchSite, OptionsCollide
from evaluators.server.webarena import SITES, AmbiguousAddresses, _check
from scenarios import registry
from tests.each import for_each
from tests.evaluators.server import command
from tests.measuring import HANG

SCENARIOS = ["map/nearest/3", "forum/vote_newest/2", "map/fact_place/0"]
ANSWER, VOTE, TWO_SITES = range(3)
VARIABLES = ["SHOPPING", "SHOPPING_ADMIN", "REDDIT", "GITLAB", "WIKIPEDIA", "MAP", "HOMEPAGE"]
TRADE_NAMES = re.compile(r"reddit|gitlab|wikipedia|openstreetmap|magento|onestop|postmill", re.I)


@dataclass(frozen=True)
class Served:
    server: serve.RunningServer
    visits: tuple[ExportedVisit, ...]

    @property
    def variables(self) -> dict[str, str]:
        assert self.server.door
        return self.server.door.variables()

    def start(self, task: int, variable: str = "") -> str:
        first = {"map": "MAP", "forum": "REDDIT"}[SCENARIOS[task].partition("/")[0]]
        return f"{self.variables[variable or first]}/?scenario={self.visits[task].start}"

    def verdict(self, task: int) -> str:
        return f"{self.variables['MAP']}/verdict/{self.visits[task].verdict}"

    def solve(self, task: int) -> str:
        """Bring the world of the open visit into the right end state, and return the answer."""
        opened = self.server.sessions.find(self.visits[task].start)
        family = registry.family(opened.scenario.family)
        data = registry.site_data(opened.scenario.site)
        return family.solve(opened.scenario, opened.world, data)


@pytest.fixture(scope="module")
def served(tmp_path_factory) -> Iterator[Served]:
    out = tmp_path_factory.mktemp("tasks")
    export.export(SCENARIOS, "webarena", out)
    with serve.serve(tasks=out) as running:
        yield Served(running, folder.read(out))


@pytest.fixture
def browser() -> Iterator[httpx2.Client]:
    """A client that keeps cookies and follows redirects, as a browser does."""
    with httpx2.Client(follow_redirects=True, timeout=HANG, trust_env=False) as client:
        yield client


# Addresses ---------------------------------------------------------------------------------------


def test_every_variable_that_a_client_asserts_has_an_address(served, browser):
    variables = served.variables
    assert [*variables][:7] == VARIABLES
    assert [*variables][7:] == [*(f"WA_{name}" for name in VARIABLES), "WA_FULL_RESET"]
    for name in VARIABLES:
        assert browser.get(variables[name]).status_code == 200
        assert variables[f"WA_{name}"] == variables[name]
    lines = served.server.greeting()
    assert all(f"export {name}={value}\n" in lines for name, value in variables.items())
    assert served.server.addresses()["webarena"] == variables


def test_no_address_is_the_beginning_of_another(served):
    _check({name: served.variables[name] for name in VARIABLES})
    with pytest.raises(AmbiguousAddresses, match="give ports of equal length"):
        _check({"MAP": "http://127.0.0.1:800", "REDDIT": "http://127.0.0.1:8000"})


def test_no_page_has_a_trade_name(served, browser):
    pages = [*(served.variables[name] for name in VARIABLES)]
    pages += [f"{served.variables[each.variable].removesuffix(each.base)}{each.sign_in.path}"
              for each in kinds.KINDS if each.sign_in]  # fmt: skip
    pages += [f"{served.variables['HOMEPAGE']}/password.html", served.start(VOTE)]
    for url in pages:
        assert not TRADE_NAMES.search(browser.get(url).text), url


def test_the_home_page_leads_to_the_sites_that_there_are(served, browser):
    page = browser.get(served.variables["HOMEPAGE"]).text
    links = set(re.findall(r'href="(http[^"]+)"', page))
    names = ("SHOPPING", "SHOPPING_ADMIN", "REDDIT", "GITLAB", "WIKIPEDIA", "MAP")
    assert links == {served.variables[name] for name in names}


# Logging in --------------------------------------------------------------------------------------


def sign_in(served, browser, kind, password=""):
    base = served.variables[kind.variable].removesuffix(kind.base)
    account = kind.sign_in.account
    sent = {"user": account.user, "password": password or account.password}
    return browser.post(f"{base}{kind.sign_in.path}", data=sent)


@for_each("kind", [each for each in kinds.KINDS if each.sign_in])
def test_a_client_logs_in_and_stays_so(served, kind):
    base = served.variables[kind.variable].removesuffix(kind.base)
    page, word = kind.signed_in
    with httpx2.Client(follow_redirects=True, timeout=HANG, trust_env=False) as browser:
        before = browser.get(f"{base}{page}")
        assert word not in before.text and before.url.path != page
        for _ in range(2):  # a client may log in twice
            assert sign_in(served, browser, kind).status_code == 200
        after = browser.get(f"{base}{page}")
        assert word in after.text and after.url.path == page


@for_each("kind", [each for each in kinds.KINDS if each.sign_in])
def test_a_wrong_password_is_refused(served, kind):
    with httpx2.Client(follow_redirects=True, timeout=HANG, trust_env=False) as browser:
        answer = sign_in(served, browser, kind, "guess")
        assert answer.status_code == 401 and 'role="alert"' in answer.text


def test_logging_in_during_a_visit_leaves_the_visit_as_it_is(served, browser):
    url = browser.get(served.start(VOTE)).url
    assert sign_in(served, browser, kinds.of_site("forum")).status_code == 200
    assert browser.get(url).status_code == 200
    assert served.server.sessions.find(served.visits[VOTE].start).opening


def test_cookies_of_an_earlier_server_do_no_harm(served, browser):
    port = urlsplit(served.variables["REDDIT"]).port
    for name, value in (
        ("signed-in-reddit", "MarvelsGrantMan136"),
        (f"session-forum-{port}", "0" * 32),
    ):
        browser.cookies.set(name, value, domain="127.0.0.1")
    assert "You are logged in as" in browser.get(served.variables["REDDIT"]).text
    assert "Visiting" not in browser.get(served.variables["REDDIT"]).text
    answer = browser.get(served.start(VOTE))
    assert answer.status_code == 200 and answer.url.path == "/"


# Visits ------------------------------------------------------------------------------------------


def test_a_start_address_begins_anew_each_time(served, browser):
    first, second = (browser.get(served.start(VOTE)).url for _ in range(2))
    assert first != second and served.visits[VOTE].start not in str(second)
    assert browser.get(first).status_code == 404
    assert browser.get(second).status_code == 200


def test_a_task_on_two_sites_is_one_visit(served, browser):
    browser.get(served.start(TWO_SITES))
    answer = browser.get(served.start(TWO_SITES, "WIKIPEDIA"))
    assert answer.status_code == 200
    session = served.server.sessions.find(served.visits[TWO_SITES].start).world.session
    assert answer.url.params["scenario"] == session


def test_the_second_site_does_not_begin_a_task(tmp_path, browser):
    export.export(SCENARIOS, "webarena", tmp_path)
    with serve.serve(tasks=tmp_path) as running:
        fresh = Served(running, folder.read(tmp_path))
        answer = browser.get(fresh.start(TWO_SITES, "WIKIPEDIA"))
        assert answer.status_code == 404 and "Open the first of its start addresses" in answer.text
        assert [*running.sessions] == []


def test_a_task_does_not_open_on_a_third_site(served, browser):
    browser.get(served.start(TWO_SITES))
    answer = browser.get(served.start(TWO_SITES, "SHOPPING"))
    assert answer.status_code == 404
    assert "Log in" not in browser.get(served.variables["MAP"]).text, "the visit goes on"


def test_a_reset_ends_every_visit(served, browser):
    browser.get(served.start(VOTE))
    opened = served.server.sessions.find(served.visits[VOTE].start)
    assert browser.get(f"{served.variables['WA_FULL_RESET']}/reset").status_code == 200
    assert browser.get(f"{served.variables['WA_FULL_RESET']}/status").text == "Ready for duty!"
    assert opened.closed and opened.world.closed
    assert browser.get(f"{served.variables['HOMEPAGE']}/reset").status_code == 404


# The verdict -------------------------------------------------------------------------------------


@for_each("task", [ANSWER, VOTE, TWO_SITES])
def test_the_verdict_of_a_right_end_is_success(served, task):
    with httpx2.Client(follow_redirects=True, timeout=HANG, trust_env=False) as browser:
        browser.get(served.start(task))
        served.solve(task)
        page = browser.get(served.verdict(task))
        assert page.status_code == 200 and '<strong id="verdict">success</strong>' in page.text


@for_each("task", [ANSWER, VOTE, TWO_SITES])
def test_the_verdict_of_an_untouched_visit_is_failure(served, task):
    with httpx2.Client(follow_redirects=True, timeout=HANG, trust_env=False) as browser:
        browser.get(served.start(task))
        page = browser.get(served.verdict(task))
        assert '<strong id="verdict">failure</strong>' in page.text


def test_the_verdict_ends_the_visit_and_is_read_once(served, browser):
    browser.get(served.start(VOTE))
    assert browser.get(served.verdict(VOTE)).status_code == 200
    second = browser.get(served.verdict(VOTE))
    assert second.status_code == 410 and "failure" not in second.text
    opened = served.server.sessions.find(served.visits[VOTE].start)
    assert opened.world.closed and not opened.closed, "the answer may follow"
    before = opened.world.snapshot()
    with pytest.raises(Exception, match=r"over|closed"):
        served.solve(VOTE)
    assert opened.world.snapshot() == before


def test_a_new_beginning_has_a_verdict_of_its_own(served, browser):
    for _ in range(2):
        browser.get(served.start(VOTE))
        assert browser.get(served.verdict(VOTE)).status_code == 200


def test_the_answer_after_the_verdict_counts(served, browser):
    browser.get(served.start(ANSWER))
    answer = served.solve(ANSWER)
    browser.get(served.verdict(ANSWER))
    opened = served.server.sessions.finish(served.visits[ANSWER].start, answer)
    assert opened.evaluated()["success"]
    served.server.sessions.finish(served.visits[ANSWER].start, "another answer")
    assert opened.evaluated()["success"], "only the first answer counts"


def test_before_the_answer_no_check_tells_what_it_wants(served, browser):
    browser.get(served.start(ANSWER))
    browser.get(served.verdict(ANSWER))
    opened = served.server.sessions.find(served.visits[ANSWER].start)
    shown = opened.evaluated()
    assert not shown["closed"] and all(each.keys() == {"name", "held"} for each in shown["checks"])


@for_each(
    "ask",
    [
        lambda served, url: ("HEAD", url, {}),
        lambda served, url: ("POST", url, {}),
        lambda served, url: ("GET", url, {"Sec-Purpose": "prefetch"}),
        lambda served, url: ("GET", url + "0", {}),
        lambda served, url: ("GET", url[:-32] + served.visits[VOTE].start, {}),
        lambda served, url: ("GET", url[:-32], {}),
        lambda served, url: ("GET", url[:-33], {}),
    ],
)
def test_no_other_request_ends_a_visit_or_tells_a_verdict(served, ask):
    with httpx2.Client(follow_redirects=True, timeout=HANG, trust_env=False) as browser:
        browser.get(served.start(VOTE))
        served.solve(VOTE)
        method, url, headers = ask(served, served.verdict(VOTE))
        answer = browser.request(method, url, headers=headers)
        assert answer.status_code in {403, 404} and "success" not in answer.text
        assert not served.server.sessions.find(served.visits[VOTE].start).world.closed


@for_each("headers", [{"Sec-Purpose": "prefetch"}, {"Purpose": "prefetch"}])
def test_a_prefetched_start_address_begins_nothing(served, headers):
    opening = lambda: getattr(  # noqa: E731
        served.server.sessions._opened.get(served.visits[VOTE].start), "opening", 0
    )
    before = opening()
    answer = httpx2.get(served.start(VOTE), headers=headers, trust_env=False)
    assert answer.status_code == 403 and opening() == before


def test_an_agent_cannot_reset_or_score_from_its_browser(served, browser):
    browser.get(served.start(VOTE))
    host = served.variables["HOMEPAGE"]
    for path in ("/reset", "/status", f"/{'0' * 32}/reset", "/visits.json", "/test.raw.json"):
        assert browser.get(f"{host}{path}").status_code == 404
    control = served.server.control.url
    for path in ("/evaluate", "/finish", "/generate-random-scenario"):
        query = f"?scenario={served.visits[VOTE].start}"
        assert browser.get(f"{control}{path}{query}").status_code in {401, 403, 405}
    assert not served.server.sessions.find(served.visits[VOTE].start).closed


def test_a_strange_host_is_refused(served):
    parts = urlsplit(served.verdict(VOTE))
    connection = http.client.HTTPConnection("127.0.0.1", parts.port, timeout=HANG)
    connection.request("GET", parts.path, headers={"Host": "attacker.test"})
    assert connection.getresponse().status in {400, 404, 421}
    connection.close()


# Records and options -----------------------------------------------------------------------------


def test_each_visit_becomes_an_episode_with_its_answer(tmp_path, browser):
    tasks, run = tmp_path / "tasks", tmp_path / "run"
    export.export(SCENARIOS, "webarena", tasks)
    with serve.serve(tasks=tasks, out=run, client="mine") as running:
        served = Served(running, folder.read(tasks))
        browser.get(served.start(ANSWER))
        answer = served.solve(ANSWER)
        browser.get(served.verdict(ANSWER))
        opened = running.sessions.finish(served.visits[ANSWER].start, answer)
        record = running.record_of(opened)
        assert record is not None and record.answer == answer and record.success
        browser.get(served.start(VOTE))
        browser.get(served.verdict(VOTE))
        left = running.sessions.find(served.visits[VOTE].start)
    unanswered = running.record_of(left)
    assert unanswered is not None and unanswered.success is False


def test_the_command_prints_the_variables(tmp_path):
    export.export(SCENARIOS[:1], "webarena", tmp_path)
    with command.rehearse("--json", "--webarena", str(tmp_path)) as process:
        try:
            assert process.stdout is not None
            variables = json.loads(process.stdout.readline())["webarena"]
            assert httpx2.get(variables["MAP"], trust_env=False).status_code == 200
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=HANG)
        finally:
            process.kill()
    assert process.returncode == 0 and not errors
    assert {*VARIABLES, "WA_FULL_RESET"} <= variables.keys()


@for_each(
    ("options", "error", "message"),
    [
        ({"names": ["map"]}, NoSuchSite, "--webarena needs the site shop; add --site shop"),
        ({"one_port": True, "names": [*SITES, "crm"]}, OptionsCollide, "shows no scores"),
        ({"jailed": True}, OptionsCollide, "--jail guards the sites of one task"),
    ],
)
def test_options_that_contradict_are_refused(tmp_path, options, error, message):
    export.export(SCENARIOS[:1], "webarena", tmp_path)
    with pytest.raises(error, match=message), serve.serve(tasks=tmp_path, **options):
        pass


def test_a_folder_without_tasks_is_refused(tmp_path):
    with pytest.raises(BadTasks, match="export the tasks again"), serve.serve(tasks=tmp_path):
        pass
