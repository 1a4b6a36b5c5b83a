"""The page on which a person answers: in a browser, for whole episodes, and against other pages."""

from __future__ import annotations

import asyncio
import base64
import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import rehearse
from agent.browser.chromium import find_chromium
from agent.llm.completion import read
from agent.llm.messages import with_picture
from agent.llm.recording.cassette import Cassette
from agent.llm.transport import person
from evaluators.records import run_folder
from evaluators.run.config import RunConfig
from evaluators.server import local_page, person_page
from scenarios import registry
from tests.evaluators.run.test_scheduler import MARK, gone
from tests.foreign import playwright_chromium
from tests.measuring import HANG
from tests.test_replay import CASSETTES

pytestmark = pytest.mark.usefixtures("unmeasured")
ROOT = Path(__file__).parents[3]
TOKEN = "t0ken"
PIXEL = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mP4z8AAAAMBAQD3A0FDAAAAAElFTkSuQmCC"
)
"""A PNG of one pixel."""
SEARCH = {
    "type": "function",
    "function": {
        "name": "search",
        "description": "Look for <b>items</b>.",
        "parameters": {
            "type": "object",
            "properties": {
                "words": {"type": "string"},
                "most": {"type": "integer"},
                "sort": {"enum": ["price", "name"]},
                "new": {"type": "boolean"},
                "tags": {"type": "array", "items": {"type": "string"}},
            },
            "required": ["words", "most"],
        },
    },
}


def ask(folder: Path, name: str, *messages: dict[str, Any], **fields: Any) -> None:
    """Open a request, as an episode does."""
    talk = list(messages) or [{"role": "user", "content": f"the page of {name}"}]
    asked = {"id": name, "agent": "react", "scenario": "buy_item/7", "trial": 0}
    asked |= {"purpose": name, "asked_at": "2026-01-01T00:00:00+00:00", "messages": talk}
    person.save(folder / f"{name}.json", json.dumps(asked | fields))


# Who may ask -------------------------------------------------------------------------------------


@pytest.fixture
def call(tmp_path):
    """A program at the page of `tmp_path`."""
    changes = local_page.Changes(lambda: person_page.version(tmp_path))
    changes.close()
    app = local_page.create_app(person_page.pages("run", tmp_path, changes), TOKEN)
    client = app.test_client()

    def send(method: str, path: str, **options: Any) -> Any:
        headers = {"Host": "127.0.0.1:5055", **options.pop("headers", {})}
        environ = {"SERVER_PORT": "5055"}
        return client.open(
            path, method=method, headers=headers, environ_overrides=environ, **options
        )

    return send


def test_a_program_that_knows_the_token_can_answer(call, tmp_path):
    ask(tmp_path, "one")
    assert call("GET", f"/{TOKEN}/queue").json["requests"][0]["id"] == "one"
    assert call("GET", f"/{TOKEN}/request?id=one").json["messages"][0]["role"] == "user"
    sent = call("POST", f"/{TOKEN}/reply", json={"id": "one", "reply": "click[A]"})
    assert (sent.status_code, (tmp_path / "one.reply").read_text()) == (200, "click[A]")


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        ("/wrong/reply", {}, 404),
        ("/reply", {}, 404),
        (f"/{TOKEN}/reply", {"Host": "evil.example:5055"}, 403),
        (f"/{TOKEN}/reply", {"Host": "127.0.0.1:1"}, 403),
        (f"/{TOKEN}/reply", {"Origin": "http://127.0.0.1:6000"}, 403),
        (f"/{TOKEN}/reply", {"Origin": "null"}, 403),
        (f"/{TOKEN}/reply", {"Sec-Fetch-Site": "same-site"}, 403),
        (f"/{TOKEN}/reply", {"Sec-Fetch-Site": "cross-site"}, 403),
    ],
)
def test_no_other_page_can_answer(call, tmp_path, path, headers, status):
    ask(tmp_path, "one")
    sent = call("POST", path, json={"id": "one", "reply": "click[A]"}, headers=headers)
    assert sent.status_code == status and sent.mimetype == "text/plain"
    assert not (tmp_path / "one.reply").exists()


@pytest.mark.parametrize(
    ("body", "status", "problem"),
    [
        ({"id": "none", "reply": "a"}, 410, "not open any more"),
        ({"id": "../one", "reply": "a"}, 410, "not open any more"),
        ({"id": "one", "reply": ""}, 422, "the reply is empty"),
        ({"id": "one"}, 400, "send the texts id and reply"),
        (["one"], 400, "send the texts id and reply"),
    ],
)
def test_what_cannot_be_a_reply_is_said_in_a_sentence(call, tmp_path, body, status, problem):
    ask(tmp_path, "one")
    sent = call("POST", f"/{TOKEN}/reply", json=body)
    assert sent.status_code == status and problem in sent.json["error"]
    assert sent.status_code < 500 and [each.name for each in tmp_path.iterdir()] == ["one.json"]


@pytest.mark.parametrize(("data", "kind"), [("{", "application/json"), ("id=one", "text/plain")])
def test_a_form_of_another_kind_is_refused(call, data, kind):
    """A page of another origin can send such a form without asking first."""
    sent = call("POST", f"/{TOKEN}/reply", data=data, content_type=kind)
    assert sent.status_code in (400, 415)


# The page ----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def chromium(runner: asyncio.Runner) -> Iterator[Any]:
    with playwright_chromium(runner) as browser:
        yield browser


class Answerer:
    """A person's browser, without `await`."""

    def __init__(self, runner: asyncio.Runner, page: Any) -> None:
        self._run, self.page, self.faults = runner.run, page, []
        self.form = page.locator(".one:not([hidden])")

    def do(self, made: Any) -> Any:
        async def wait() -> Any:
            return await made

        return self._run(wait())

    def sees(self, purpose: str) -> None:
        """The request of this purpose is the one that is shown."""
        title = self.form.locator(".about h2", has_text=re.compile(f"^{re.escape(purpose)}$"))
        self.do(title.wait_for())

    def choose(self, purpose: str) -> None:
        self.do(self.page.locator(f".entry[data-id='{purpose}']").click())
        self.sees(purpose)

    def fill(self, name: str, text: str) -> None:
        self.do(self.form.locator(f"[name='{name}']:visible").fill(text))

    def value(self, name: str) -> str:
        return str(self.do(self.form.locator(f"[name='{name}']:visible").input_value()))

    def kind(self, label: str) -> None:
        self.do(self.form.locator(".kinds span", has_text=re.compile(f"^{label}$")).click())

    def send(self) -> None:
        self.do(self.page.keyboard.press("Control+Enter"))

    def text(self, selector: str) -> str:
        return str(self.do(self.form.locator(selector).inner_text()))


@pytest.fixture
def answerer(runner, chromium) -> Iterator[Answerer]:
    if find_chromium() is None:
        pytest.skip("no Chromium; run: rehearse doctor --fix")
    context = runner.run(chromium.new_context(viewport={"width": 1280, "height": 800}))
    made = Answerer(runner, runner.run(context.new_page()))

    async def listen() -> None:
        made.page.on("pageerror", lambda error: made.faults.append(str(error)))

    runner.run(listen())
    made.page.set_default_timeout(60_000)
    yield made
    assert made.faults == []
    runner.run(context.close())


@pytest.fixture
def waiting(tmp_path, answerer) -> Iterator[Path]:
    """The folder of requests that the opened page shows."""
    folder = tmp_path / "run" / person.FOLDER
    folder.mkdir(parents=True)
    with person_page.serve(tmp_path / "run") as page:
        answerer.do(answerer.page.goto(page.url))
        yield folder


def reply_to(answerer: Answerer, folder: Path, name: str) -> str:
    """What was sent for a request; wait for it."""
    path = folder / f"{name}.reply"
    while not path.exists():
        answerer.do(asyncio.sleep(0.02))
    return path.read_text()


@pytest.mark.wide
def test_a_request_appears_by_itself_and_shows_every_message(answerer, waiting):
    page = "first\n\n    indented   <b>not bold</b>\n<script>alert(1)</script>"
    made = {"name": "search", "arguments": '{"words": "a"}'}
    ask(
        waiting,
        "laser-action",
        {"role": "system", "content": "You shop."},
        {"role": "user", "content": [{"type": "text", "text": page}]},
        {"role": "assistant", "content": None, "tool_calls": [{"id": "1", "function": made}]},
        {"role": "tool", "tool_call_id": "1", "content": "search needs most"},
        n=3,
    )
    answerer.sees("laser-action")
    shown = answerer.do(answerer.form.locator(".message pre").all_inner_texts())
    assert shown == ["You shop.", page, 'search({\n "words": "a"\n})', "search needs most"]
    assert "asks for 3 samples; you give one" in answerer.text(".about")
    assert answerer.do(answerer.page.title()).startswith("(1) ")


@pytest.mark.wide
def test_a_person_sees_the_picture_of_a_page(answerer, waiting):
    png = base64.b64decode(PIXEL)
    ask(waiting, "react-act", with_picture({"role": "user", "content": "url: x"}, png))
    answerer.sees("react-act")
    picture = answerer.form.locator(".message img")
    assert answerer.do(picture.evaluate("each => each.decode().then(() => each.naturalWidth)")) == 1
    assert answerer.do(answerer.form.locator(".message pre").all_inner_texts()) == ["url: x"]


def test_a_function_is_a_form_by_its_schema(answerer, waiting):
    ask(waiting, "laser-action", tools=[SEARCH])
    answerer.sees("laser-action")
    answerer.fill("argument-words", 'red "lamp"')
    answerer.fill("argument-most", "many")
    answerer.send()
    answerer.do(answerer.form.locator(".error", has_text="must be a whole number").wait_for())
    answerer.fill("argument-most", "3")
    answerer.fill("argument-tags", "[1")
    answerer.send()
    answerer.do(answerer.form.locator(".error", has_text="tags is no JSON").wait_for())
    answerer.fill("argument-tags", '["a"]')
    answerer.do(answerer.form.locator("[name=argument-sort]").select_option("price"))
    answerer.do(answerer.form.locator("[name=argument-new]").select_option("true"))
    answerer.send()
    sent = json.loads(reply_to(answerer, waiting, "laser-action"))
    wanted = {"words": 'red "lamp"', "most": 3, "sort": "price", "new": True, "tags": ["a"]}
    assert sent == {"name": "search", "arguments": wanted}


@pytest.mark.wide
def test_a_draft_outlives_whatever_the_queue_does(answerer, waiting):
    ask(waiting, "b")
    answerer.sees("b")
    answerer.fill("reply-text", "half a rep")
    ask(waiting, "a", tools=[SEARCH])
    answerer.choose("a")
    answerer.fill("argument-words", "lamp")
    answerer.kind("Text")
    answerer.fill("reply-text", "or in words")
    answerer.choose("b")
    assert answerer.value("reply-text") == "half a rep"
    answerer.choose("a")
    assert answerer.value("reply-text") == "or in words"
    answerer.kind("search")
    assert answerer.value("argument-words") == "lamp"


@pytest.mark.wide
def test_a_draft_outlives_the_page_and_its_request(answerer, waiting):
    ask(waiting, "b")
    answerer.sees("b")
    answerer.fill("reply-text", "half a rep")
    answerer.do(answerer.page.reload())
    answerer.sees("b")
    assert answerer.value("reply-text") == "half a rep"
    person.clear(waiting)
    ask(waiting, "c")
    answerer.do(answerer.form.locator(".notice", has_text="was not sent").wait_for())
    answerer.choose("c")
    answerer.choose("b")
    assert answerer.value("reply-text") == "half a rep"
    answerer.do(answerer.form.locator("text=Let it go").click())
    answerer.sees("c")


def test_a_refused_reply_comes_back(answerer, waiting):
    """A script may have written it, or another version of the page."""
    ask(waiting, "one")
    answerer.sees("one")
    answerer.fill("reply-text", "click[A]")
    answerer.send()
    assert reply_to(answerer, waiting, "one") == "click[A]"
    person.save(waiting / "one.error", "the form has changed")
    answerer.choose("one")
    answerer.do(answerer.form.locator(".error", has_text="the form has changed").wait_for())
    assert answerer.value("reply-text") == "click[A]"


@pytest.mark.wide
def test_one_after_the_other_by_the_keyboard_alone(answerer, waiting):
    for name in ("a", "b"):
        ask(waiting, name)
    for name in ("a", "b"):
        answerer.sees(name)
        answerer.do(answerer.page.keyboard.type(f"click[{name}]"))
        answerer.send()
        assert reply_to(answerer, waiting, name) == f"click[{name}]"
    answerer.do(answerer.page.locator("#idle:visible").wait_for())


# Whole runs --------------------------------------------------------------------------------------


@pytest.fixture
def begin() -> Iterator[Any]:
    """`begin(run, ...)` starts a run whose model is a person: its process, its page's address."""
    begun: list[subprocess.Popen[str]] = []

    def start(run: Path, *arguments: str) -> tuple[subprocess.Popen[str], str]:
        command = [sys.executable, "-m", "rehearse", "run", *arguments, "--llm", "person"]
        process = subprocess.Popen(
            [*command, "-o", str(run)], cwd=ROOT, text=True, stdout=-1, stderr=-1
        )
        begun.append(process)
        assert process.stderr is not None
        found = None
        while found is None and (shown := process.stderr.readline()):
            found = re.search(r"http://127\.0\.0\.1:\d+/\S+", shown)
        assert found is not None, "no address was printed"
        return process, found[0]

    yield start
    for process in begun:
        if process.poll() is None:
            process.kill()
            process.communicate()


def answer(answerer: Answerer, call: Any) -> None:
    """Type a recorded reply into the page, as a text or into the form of its function."""
    reply, _ = read(call.reply)
    answerer.sees(call.purpose)
    if not reply.calls:
        if call.request.get("tools"):
            answerer.kind("Text")
        answerer.fill("reply-text", reply.text)
    else:
        (made,) = reply.calls
        if len(call.request["tools"]) + ("tool_choice" not in call.request) > 1:
            answerer.kind(made.name)
        for name, value in json.loads(made.arguments).items():
            text = value if isinstance(value, str) else json.dumps(value)
            answerer.fill(f"argument-{name}", text)
    answerer.send()


@pytest.mark.wide
def test_an_episode_is_answered_through_the_page_and_replays(tmp_path, answerer, begin):
    """LASER on buy_item: thoughts as texts, actions as function calls, all as they were recorded of
    the scripted model."""
    tasks = registry.from_families(["buy_item"], range(2, 3))
    place = Path("laser", "buy_item", "2.0.jsonl")
    calls = Cassette.read(CASSETTES / "store-20" / place).calls
    tapes = tmp_path / "tapes"
    process, url = begin(
        tmp_path / "run",
        *("--agent", "laser", "--family", "buy_item", "--seeds", "2:3", "--record", str(tapes)),
    )
    answerer.do(answerer.page.goto(url))
    for call in calls:
        answer(answerer, call)
    _, errors = process.communicate(timeout=HANG)
    assert process.returncode == 0, errors
    (record,) = run_folder.episodes(tmp_path / "run")
    assert (record.model, record.success, record.cost_usd) == ("person", True, 0)
    assert record.llm_calls == len(calls) and any(call.request.get("tools") for call in calls)
    tape = Cassette.read(tapes / place)
    assert tape.header.speaker == "person"
    assert [call.purpose for call in tape.calls] == [call.purpose for call in calls]
    assert list((tmp_path / "run" / "requests").iterdir()) == []
    replay = RunConfig(llm=f"replay:{tapes}", out=tmp_path / "replayed")
    repeated = rehearse.run(["laser"], tasks, replay)
    (replayed,) = run_folder.episodes(tmp_path / "replayed")
    assert (replayed.model, replayed.success, replayed.steps) == ("person", True, record.steps)
    assert repeated.rows[0].success == 1


@pytest.mark.wide
@pytest.mark.parametrize("processes", [pytest.param("1", marks=pytest.mark.deep), "2"])
def test_ctrl_c_ends_the_run_while_requests_are_open(
    tmp_path, answerer, begin, processes, monkeypatch
):
    run, mark = tmp_path / "run", f"{tmp_path.name}-{processes}"
    monkeypatch.setenv(MARK, mark)
    process, url = begin(
        run,
        *("--agent", "react", "--family", "buy_item", "--seeds", "7:9"),
        *("-n", processes, "--concurrency", "1" if processes == "2" else "2"),
    )
    answerer.do(answerer.page.goto(url))
    answerer.do(answerer.page.locator(".entry").nth(1).wait_for())
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=HANG)
    assert process.returncode == 130 and "resume with -o" in errors
    assert "Traceback" not in errors
    assert gone(mark), "processes were left"
    assert list((run / "requests").iterdir()) == [] and [*run_folder.episodes(run)] == []
    answerer.do(answerer.page.locator(".link.lost").wait_for())
