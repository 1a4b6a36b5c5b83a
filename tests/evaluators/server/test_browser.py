"""A person's browser at the control plane, and pages that would misuse it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from flask import Flask, redirect, request

from agent.browser.chromium import find_chromium, launch
from agent.browser.lane import Lane
from agent.interface import Goto
from evaluators.server import create_app
from evaluators.server.authorization import HOST
from evaluators.server.formatting import brief
from scenarios.store.webshop import buy_item
from sites.server import Server
from sites.store.shop import operations
from tests.foreign import playwright_chromium

if find_chromium() is None:
    pytest.skip("no Chromium; run: rehearse doctor --fix", allow_module_level=True)


@dataclass
class Plane:
    """A control plane that remembers who asked for what, and what they got."""

    server: Server
    token: str
    requests: list[dict[str, Any]] = field(default_factory=list)
    trusting: bool = False
    """Takes every request for one of its own pages'."""

    @property
    def url(self) -> str:
        """The address for people."""
        return f"http://{HOST}:{self.server.port}"


@pytest.fixture
def plane(served) -> Iterator[Plane]:
    app = create_app(served.sessions, served.token)
    answering = app.wsgi_app

    def without_the_header(environ, start_response):
        query, named, way = environ["QUERY_STRING"].rpartition("way=")  # the test's own mark
        if named:
            environ |= {"QUERY_STRING": query.rstrip("&"), "test.way": way}
        if opened.trusting:
            environ["HTTP_SEC_FETCH_SITE"] = "same-origin"
        return answering(environ, start_response)

    app.wsgi_app = without_the_header
    with Server(app) as server:
        opened = Plane(server, served.token)

        @app.after_request
        def remember(response):
            opened.requests.append(
                {
                    "way": request.environ.get("test.way", ""),
                    "path": request.path,
                    "from": request.headers.get("Sec-Fetch-Site"),
                    "cookie": "rehearse_control" in request.headers.get("Cookie", ""),
                    "status": response.status_code,
                }
            )
            return response

        yield opened


@pytest.fixture(scope="session")
def chromium(runner: asyncio.Runner) -> Iterator[Any]:
    """Chromium as a person has it: no wall."""
    with playwright_chromium(runner) as browser:
        yield browser


class Person:
    """One page of a person's browser, without `await`."""

    def __init__(self, runner: asyncio.Runner, page: Any) -> None:
        self.run = runner.run
        self.page = page
        self.faults: list[str] = []
        self.on("pageerror", lambda error: self.faults.append(str(error)))
        self.on("console", lambda message: self.faults.append(message.text))

    def on(self, event: str, handler: Any) -> None:
        """Follow an event of the page; Playwright wants the running loop for that."""

        async def follow() -> None:
            self.page.on(event, handler)

        self.run(follow())

    def open(self, url: str) -> Any:
        return self.run(self.page.goto(url))

    def text(self, selector: str) -> str:
        return str(self.run(self.page.inner_text(selector)))

    def sees(self, selector: str, text: str) -> None:
        self.run(self.page.locator(selector).filter(has_text=text).wait_for(state="attached"))

    def press(self, *keys: str) -> None:
        for key in keys:
            self.run(self.page.keyboard.press(key))

    def focused(self) -> str:
        return str(
            self.run(
                self.page.evaluate(
                    "document.activeElement.name || document.activeElement.innerText"
                )
            )
        )

    def tab_to(self, name: str) -> None:
        for _ in range(30):
            self.press("Tab")
            if self.focused().strip().startswith(name):
                return
        raise AssertionError(f"{name} cannot be reached by keyboard")


@pytest.fixture
def person(runner, chromium, plane) -> Iterator[Person]:
    context = runner.run(chromium.new_context())
    page = runner.run(context.new_page())
    page.set_default_timeout(10_000)
    person = Person(runner, page)
    person.open(f"{plane.url}/?token={plane.token}")
    assert page.url == f"{plane.url}/"
    yield person
    runner.run(context.close())


# What a person does ------------------------------------------------------------------------------


@pytest.mark.wide
def test_a_scenario_is_drawn_watched_and_finished_by_keyboard(person, served):
    person.tab_to("type")
    person.run(person.page.keyboard.type("buy_item"))
    person.tab_to("seed")
    person.press("4", "0", "Enter")
    person.sees("#instruction", "")
    [scenario] = [each for each in served.sessions if each.scenario.seed == 40]
    goal, data = scenario.scenario.gold, served.sites["store"].data
    person.sees("#total", "0 %")
    person.tab_to("answer")
    person.run(person.page.keyboard.type("bou"))
    operations.open_item(scenario.world, data, goal["asin"], {})
    person.sees("#total", "33 %")
    person.sees("#said", "Progress 33 %")
    person.sees(".steps .done", "open an acceptable item")
    buy_item.solve(scenario.scenario, scenario.world, data)
    person.sees("#total", "100 %")
    assert person.focused() == "answer", "what is being typed survives the progress"
    person.run(person.page.keyboard.type("ght"))
    person.tab_to("Finish and freeze")
    person.press("Enter")
    person.sees(".verdict .badge", "Solved")
    assert scenario.closed and scenario.answer == "bought"
    assert "bought" in person.text(".given")
    assert person.faults == []


@pytest.mark.wide
def test_a_page_learns_that_a_program_finished_or_reopened_its_scenario(
    person, plane, draw, served
):
    opened = draw(41)
    person.open(f"{plane.url}/scenario/{opened.scenario.id}")
    served.sessions.finish(opened.scenario.id, "")
    person.sees(".verdict .badge", "Not solved")
    reopened = draw(41)
    person.open(f"{plane.url}/scenario/{opened.scenario.id}")
    draw(41)
    selector = f'main[data-opening="{reopened.opening + 1}"]'
    person.run(person.page.wait_for_selector(selector))


@pytest.mark.wide
def test_a_page_asks_once_a_second_but_not_while_hidden(person, plane, draw):
    opened, page = draw(42), person.page
    person.run(page.clock.install())
    asked: list[str] = []
    person.on("request", lambda one: asked.append(one.url) if "/evaluate" in one.url else None)

    async def next_question(what):
        async with page.expect_request_finished(lambda one: "/evaluate" in one.url):
            await what

    url = f"{plane.url}/scenario/{opened.scenario.id}"
    person.run(next_question(page.goto(url)))
    for _ in range(2):
        person.run(next_question(page.clock.run_for(1000)))
    person.run(page.evaluate(SET_HIDDEN, True))
    count = len(asked)
    person.run(page.clock.run_for(20_000))
    assert len(asked) == count
    person.run(next_question(page.evaluate(SET_HIDDEN, False)))


SET_HIDDEN = """hidden => {
  Object.defineProperty(document, "hidden", {value: hidden, configurable: true});
  document.dispatchEvent(new Event("visibilitychange"));
}"""


@pytest.mark.wide
def test_a_finished_page_asks_no_more_and_a_lost_server_is_told(person, plane, draw, served):
    opened = draw(43)
    person.open(f"{plane.url}/scenario/{opened.scenario.id}")
    person.sees("#total", "0 %")
    plane.server.close()
    person.sees("#trouble", "still running")
    assert person.run(person.page.is_visible("#trouble"))


@pytest.mark.wide
def test_the_list_is_new_when_somebody_comes_back_to_it(person, draw):
    opened = draw(44)
    person.run(person.page.evaluate(SET_HIDDEN, False))
    person.sees(f'a[href="/scenario/{opened.scenario.id}"]', brief(opened.scenario.instruction))


@pytest.mark.wide
@pytest.mark.parametrize("allowed", [True, False])
def test_a_line_is_copied_or_at_least_selected(person, allowed):
    page = person.page
    if allowed:
        person.run(page.context.grant_permissions(["clipboard-read", "clipboard-write"]))
    else:
        person.run(page.evaluate(NO_CLIPBOARD))
    person.run(page.click("[data-copy=curl-evaluate]"))
    person.sees("#said", "Copied" if allowed else "Selected")
    read = "navigator.clipboard.readText()" if allowed else "getSelection().toString()"
    assert person.run(page.evaluate(read)) == person.text("#curl-evaluate")
    assert person.faults == []


@pytest.mark.wide
def test_the_pages_fit_a_telephone(person, plane, draw, served):
    opened = draw(48, solved=True)
    served.sessions.finish(opened.scenario.id, "a" * 500)
    person.run(person.page.set_viewport_size({"width": 360, "height": 700}))
    for path in ("/", f"/scenario/{opened.scenario.id}"):
        person.open(plane.url + path)
        assert person.run(person.page.evaluate("document.documentElement.scrollWidth")) == 360


NO_CLIPBOARD = "() => { navigator.clipboard.writeText = () => Promise.reject(new Error()); }"


# What other pages try ----------------------------------------------------------------------------

READING = """
const control = %s, id = %s, seen = {};
let seed = 46;
const at = (path, way) => `${control}${path}${path.includes("?") ? "&" : "?"}way=${way}`;
const form = () => new URLSearchParams({scenario: id, answer: "", type: "store/", seed});
const ended = (node) => new Promise((done) => { node.onload = node.onerror = done; });
async function read(way, url, options) {
  try { const answer = await fetch(url, options); seen[way] = answer.type + await answer.text(); }
  catch (error) { seen[way] = ""; }
}
async function put(way, tag, name) {
  const node = document.createElement(tag);
  if (tag === "link") node.rel = "stylesheet";
  const over = ended(node);
  node[name] = at(`/generate-random-scenario?seed=${seed}`, way);
  document.body.append(node);
  await over;
  try { seen[way] = node.contentDocument ? node.contentDocument.body.innerText : ""; }
  catch (error) { seen[way] = ""; }
}
async function post(way, path, target) {
  const sent = document.createElement("form"), frame = document.createElement("iframe");
  frame.name = target;
  document.body.append(frame, sent);
  sent.action = path; sent.method = "post"; sent.target = target;
  for (const [name, value] of form()) {
    const field = document.createElement("input");
    field.name = name; field.value = value; sent.append(field);
  }
  const over = ended(frame);
  sent.submit();
  await over;
}
async function everything() {
  const include = {credentials: "include"};
  await read("fetch", at(`/evaluate?scenario=${id}`, "fetch"), include);
  await read("fetch-draw", at(`/generate-random-scenario?seed=${seed}`, "fetch-draw"), include);
  await read("no-cors", at(`/evaluate?scenario=${id}`, "no-cors"), {...include, mode: "no-cors"});
  await read("no-cors-post", at("/finish", "no-cors-post"),
    {...include, mode: "no-cors", method: "POST", body: form()});
  await read("no-cors-redraw", at("/draw", "no-cors-redraw"),
    {...include, mode: "no-cors", method: "POST", body: form()});
  await read("json-post", at("/finish", "json-post"),
    {...include, method: "POST", headers: {"Content-Type": "application/json"},
     body: JSON.stringify({scenario: id})});
  const away = encodeURIComponent(at(`/evaluate?scenario=${id}`, "redirected"));
  await read("redirected", `/to?url=${away}`, {...include, mode: "no-cors"});
  await put("img", "img", "src");
  await put("script", "script", "src");
  await put("style", "link", "href");
  await put("frame", "iframe", "src");
  await put("object", "object", "data");
  await post("form", at("/finish", "form"), "one");
  await post("form-draw", at("/draw", "form-draw"), "two");
  await post("form-redirected",
    `/to?status=307&url=${encodeURIComponent(at("/finish", "form-redirected"))}`, "three");
  navigator.sendBeacon(at("/finish", "beacon"), form());
  const source = new EventSource(at(`/evaluate?scenario=${id}`, "events"), {withCredentials: true});
  await new Promise((done) => { source.onerror = done; });
  source.close();
  return seen;
}
"""
WAYS = {
    *("fetch", "fetch-draw", "no-cors", "no-cors-post", "no-cors-redraw", "json-post"),
    *("redirected", "img", "script", "style", "frame", "object"),
    *("form", "form-draw", "form-redirected", "beacon", "events"),
}


@pytest.fixture
def other(plane, draw) -> Iterator[Server]:
    """A page of another loopback port that tries to use the control plane."""
    app, opened = Flask("other"), draw(45)
    script = READING % (json.dumps(plane.url), json.dumps(opened.scenario.id))

    @app.get("/")
    def home():
        got = request.headers.get("Cookie", "")
        link = f"{plane.url}/generate-random-scenario?seed=46&way=link"
        return (
            f"<!doctype html><title>{'cookie' if 'rehearse_control' in got else 'none'}</title>"
            f"<body><a id=link href='{link}'>a</a>"
            f"<a id=new href='{link.replace('link', 'window')}' target=_blank rel=opener>b</a>"
            f"<script>{script}</script>"
        )

    @app.get("/run")
    def run():
        return f"<!doctype html><title>run</title><body>run<script>{script}everything()</script>"

    @app.route("/to", methods=["GET", "POST"])
    def to():
        return redirect(request.args["url"], int(request.args.get("status", 302)))

    with Server(app) as server:
        yield server


def untouched(served) -> bool:
    """Whether scenario 45 is still open as it was and 46 was never drawn."""
    seeds = {each.scenario.seed: each for each in served.sessions}
    return 46 not in seeds and not seeds[45].closed


@pytest.mark.wide
def test_a_page_of_another_port_can_neither_read_nor_change_anything(person, plane, other, served):
    before = {each.scenario.id: each.opening for each in served.sessions}
    person.open(other.url)
    assert person.run(person.page.title()) == "none", "the cookie is for the host of its own"
    seen = person.run(person.page.evaluate("everything()"))
    person.run(in_order(person.page, plane))
    tried = [each for each in plane.requests if each["way"]]
    assert {each["way"] for each in tried} == WAYS | {"link", "window"}
    assert {each["status"] for each in tried} == {403}
    assert {each["from"] for each in tried} == {"cross-site"}
    assert not any(each["cookie"] for each in tried)
    assert {text.removeprefix("opaque") for text in seen.values()} == {""}
    assert untouched(served)
    assert {each.scenario.id: each.opening for each in served.sessions} == before


async def in_order(page, plane) -> None:
    """Follow the links; a window that was opened cannot be looked into."""
    async with page.expect_popup() as opening:
        await page.click("#new")
    window = await opening.value
    await window.wait_for_load_state()
    assert "Not from there" in await window.inner_text("h1")
    await window.close()
    async with page.expect_navigation():
        await page.click("#link")
    assert "Not from there" in await page.inner_text("h1")
    await page.goto(f"{plane.url}/")
    assert await page.title() == "Control plane · Rehearsal", "typed, the address still works"


@pytest.mark.wide
def test_without_sec_fetch_site_the_same_page_is_still_a_stranger(person, plane, other, served):
    """Its requests are those of another site: the browser does not send the cookie along."""
    plane.trusting = True
    person.open(other.url)
    person.run(person.page.evaluate("seed = 47; put('img', 'img', 'src')"))
    assert [each["status"] for each in plane.requests if each["way"]] == [401]
    assert 47 not in {each.scenario.seed for each in served.sessions}


@pytest.mark.wide
def test_the_agents_browser_does_not_reach_the_control_plane(runner, plane, other, served, draw):
    scenario = draw(45).scenario

    async def wander():
        hosts = {"store.localhost": served.sites["store"].server.port, "crm.localhost": other.port}
        async with launch(hosts) as browser:
            lane = Lane(browser)
            await lane.open(f"http://store.localhost/?scenario={scenario.id}")
            seen = [await lane.act(Goto(url)) for url in addresses]
            await lane.open("http://crm.localhost/run")
            await lane.observe()
            await lane.close()
        return seen

    port = plane.server.port
    paths = (f"/?token={plane.token}", f"/evaluate?scenario={scenario.id}")
    hosts = (HOST, "127.0.0.1", "localhost", "[::1]", "0x7f000001", "store.localhost", "0.0.0.0")
    addresses = [f"http://{host}:{port}{path}" for host in hosts for path in paths]
    for observation in runner.run(wander()):
        assert observation.error and "outside this task's site" in observation.error
        assert observation.url.startswith("http://store.localhost/")
    assert plane.requests == []
    assert untouched(served)
