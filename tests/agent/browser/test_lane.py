"""Episodes in a lane: settling, dialogs, tabs, history, reset, faults."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import pytest

from agent.browser.faults import BrowserFault, PageOverloaded
from agent.browser.lane import Lane
from agent.interface import (
    Back,
    Click,
    Dialog,
    Forward,
    Goto,
    Note,
    Press,
    Respond,
    Tab,
    Type,
)
from tests.measuring import HANG

from .conftest import Answer

RED = Answer(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path fill="red" d="M0 0H9V9H0z"/>'
    "</svg>",
    headers={"Content-Type": "image/svg+xml", "Cache-Control": "no-store"},
)

# Settling --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "script",
    [
        "fetch('/data').then((r) => r.text()).then((t) => out.textContent = t)",
        "setTimeout(() => fetch('/data').then((r) => r.text()).then((t) => out.textContent = t))",
        "out.textContent = 1; frame(() => fetch('/data').then(() => frame(() => fill('arrived'))))",
        "const s = document.createElement('script'); s.src = '/data.js'; document.body.append(s)",
        "setTimeout(() => location = '/data')",
        "location.replace('/data')",
        "document.body.innerHTML = '<iframe src=/data></iframe>'",
        "f.submit()",
        "setTimeout(() => f.requestSubmit())",
    ],
)
def test_what_a_click_starts_is_waited_for(script, visit):
    pages = visit.site.pages
    pages["/data"] = lambda _: (time.sleep(0.05), Answer("arrived"))[1]
    pages["/data.js"] = lambda _: (
        time.sleep(0.05),
        Answer("out.textContent = 'arrived'", headers={"Content-Type": "text/javascript"}),
    )[1]
    visit.show(
        "<script>const frame = requestAnimationFrame, fill = (t) => out.textContent = t</script>"
        f'<form id=f action=/data></form><button onclick="{script}">go</button><p id=out></p>'
    )
    seen = visit.act(Click("go"))
    assert "arrived" in seen.text and not seen.capped


def test_pictures_are_waited_for_where_they_are_looked_at(visit, monkeypatch):
    monkeypatch.setattr("agent.browser.lane.SETTLE_SECONDS", 2)
    site = visit.site
    site.release.clear()
    site.pages["/red.svg"] = lambda _: (site.release.wait(HANG), RED)[1]
    page = '<p>x</p><img src="/red.svg" alt="" width=50 height=50 loading=lazy>'
    seen = visit.show(page)
    assert seen.text == "x" and not seen.capped
    threading.Timer(0.1, site.release.set).start()
    red = visit.observe(screenshot=True).screenshot
    assert visit.show("<p>x</p>", screenshot=True).screenshot != red
    site.pages["/red.svg"] = lambda _: (time.sleep(0.05), RED)[1]
    assert visit.show(page, screenshot=True).screenshot == red


@pytest.mark.parametrize(
    "page",
    [
        "<img src=/red.svg onload=fill()>",
        "<script>onload = () => { i = new Image; i.src = '/red.svg'; i.onload = fill }</script>",
    ],
)
def test_a_picture_that_a_page_waits_for_is_waited_for(page, visit):
    visit.site.pages["/red.svg"] = lambda _: (time.sleep(0.05), RED)[1]
    fill = "<p id=out>x</p><script>const fill = () => out.textContent = 'arrived'</script>"
    assert visit.show(fill + page).text == "arrived"


def test_a_page_that_never_rests_is_read_all_the_same(visit, monkeypatch):
    monkeypatch.setattr("agent.browser.lane.QUIET_MS", 100)
    visit.show(
        "<p id=p>x</p><script>const { port1, port2 } = new MessageChannel();"
        "port1.onmessage = () => { p.textContent = 'x'; port2.postMessage(0) };"
        "port2.postMessage(0)</script><button onclick='p.title = 1'>go</button>"
    )
    seen = visit.act(Click("go"))
    assert seen.capped and seen.text == "x\ngo"


def test_a_request_that_never_ends_is_waited_for_once(visit, monkeypatch):
    monkeypatch.setattr("agent.browser.lane.SETTLE_SECONDS", 0.2)
    visit.site.release.clear()
    visit.site.pages["/hang"] = lambda _: (visit.site.release.wait(HANG), Answer("late"))[1]
    visit.show("<p>x</p><button onclick='fetch(\"/hang\")'>go</button>")
    assert visit.act(Click("go")).capped
    assert not visit.observe().capped
    visit.site.release.set()


def test_navigating_all_the_time_never_raises(visit):
    visit.site.pages["/churn"] = "<p>x</p><script>setTimeout(() => location.reload(), 20)</script>"
    visit.show("<a href=/churn>go</a>")
    visit.act(Click("go"))
    for _ in range(10):
        assert visit.observe().url.endswith("/churn")
    visit.act(Goto("/"))


# Dialogs ---------------------------------------------------------------------------------------


def test_a_confirm_waits_for_its_answer(visit):
    visit.show("<button onclick='document.title = confirm(\"Sure?\")'>go</button>")
    seen = visit.act(Click("go"))
    assert seen.dialog == Dialog("confirm", "Sure?") and seen.error is None
    blocked = visit.act(Click("go"))
    assert "dialog" in blocked.error and blocked.dialog == seen.dialog
    assert visit.observe().dialog == seen.dialog
    assert visit.act(Respond(accept=False)).title == "false"
    visit.act(Click("go"))
    done = visit.act(Respond(accept=True))
    assert done.title == "true" and done.dialog is None


def test_alert_and_prompt_one_after_the_other(visit):
    visit.show('<button onclick=\'alert(1); document.title = prompt("Who?", "me")\'>go</button>')
    assert visit.act(Click("go")).dialog == Dialog("alert", "1")
    assert visit.act(Respond(accept=True)).dialog == Dialog("prompt", "Who?", "me")
    assert visit.act(Respond(accept=True, text="you")).title == "you"
    assert "No dialog" in visit.act(Respond(accept=True)).error


def test_a_dialog_at_loading(visit):
    assert visit.show("<p>x</p><script>alert('hello')</script>").dialog == Dialog("alert", "hello")
    assert visit.act(Respond(accept=True)).text == "x"


def test_leaving_a_page_that_asks(visit):
    visit.site.pages["/next"] = "<title>next</title>"
    visit.show("<input aria-label=i><a href=/next>go</a><script>onbeforeunload = (e) =>"
               " e.preventDefault()</script>")  # fmt: skip
    asked = visit.act(Type("i", "x"), Click("go"))
    assert asked.dialog is not None and asked.dialog.kind == "beforeunload"
    assert visit.act(Respond(accept=False)).title == ""
    visit.act(Click("go"))
    assert visit.act(Respond(accept=True)).title == "next"
    visit.act(Back(), Type("i", "x"))
    assert visit.show("<title>new</title>").dialog is None


def test_a_storm_of_dialogs_blows_over(visit):
    visit.show(
        "<button onclick='for (let n = 0; n < 60; n++) alert(n); document.title = 1'>go</button>"
    )
    seen, answered = visit.act(Click("go")), 0
    while seen.dialog is not None:
        seen, answered = visit.act(Respond(accept=True)), answered + 1
    assert answered == 20 and seen.title == "1"


# Tabs ------------------------------------------------------------------------------------------


def test_a_new_window_is_the_tab_in_front(visit):
    visit.site.pages["/two"] = (
        "<title>two</title><div id=d>two</div><script>d.addEventListener('click', () => 1)</script>"
        "<button onclick='window.close()'>close</button>"
    )
    visit.show("<title>one</title><a href=/two target=_blank>open</a>")
    seen = visit.act(Click("open"))
    assert (seen.title, seen.tabs, seen.tab) == ("two", ("one", "two"), 1)
    assert [e.role for e in seen.elements] == ["generic", "button"]
    assert visit.act(Tab(0)).title == "one"
    assert visit.act(Tab(1), Click("close")).tabs == ("one",)
    visit.act(Click("open"))
    assert visit.act(Tab(0, close=True)).tabs == ("two",)
    assert "last tab" in visit.act(Tab(0, close=True)).error
    assert "no tab 7" in visit.act(Tab(7)).error


def test_too_many_windows(visit):
    visit.show("<title>one</title><button onclick='for (let n = 0; n < 14; n++) window.open()'>go")
    seen = visit.act(Click("go"))
    assert len(seen.tabs) == 10 and "10 tabs" in seen.error
    assert visit.show("<title>new</title>").tabs == ("new",)


def test_a_page_writes_into_its_own_window(visit):
    visit.show("<button onclick='window.open().document.write(\"<p>written\")'>go</button>")
    assert visit.act(Click("go")).text == "written"


# History ---------------------------------------------------------------------------------------


def test_back_and_forward(visit):
    visit.site.pages["/b"] = "<title>b</title><a href='#part'>part</a><p id=part>x</p>"
    visit.show("<title>a</title><a href=/b>b</a>")
    visit.act(Click("b"))
    assert visit.act(Click("part")).url.endswith("/b#part")
    assert visit.act(Back()).url.endswith("/b")
    assert visit.act(Back()).title == "a"
    assert "back" in visit.act(Back()).error
    assert visit.act(Forward(), Forward()).url.endswith("/b#part")
    assert "forward" in visit.act(Forward()).error


def test_a_page_that_answered_a_form_can_be_reached_again(visit):
    """The browser cannot show it without sending the form again; its address is opened instead."""
    form = "<form action=/form method=post><input name=a><button>send</button></form>"
    visit.site.pages["/form"] = Answer(
        f"<!doctype html><title>form</title>{form}", headers={"Cache-Control": "no-store"}
    )
    visit.show(form)
    visit.act(Type("//input", "x"))
    assert visit.act(Click("send")).url.endswith("/form")
    visit.act(Goto("/"))
    seen = visit.act(Back())
    assert (seen.title, seen.error, seen.capped) == ("form", None, False)
    assert visit.site.hits[-2:] == ["GET /", "GET /form"]
    assert visit.act(Back()).title != "form"
    assert visit.act(Forward()).title == "form"


@pytest.mark.parametrize("key", ["PageDown", "Space", "ArrowDown", "End"])
def test_a_key_scrolls_at_once(key, visit):
    async def scrolled(script: str) -> float:
        reply = await visit.lane._tab.send("Runtime.evaluate", expression=script, awaitPromise=True)
        return reply["result"]["value"]

    visit.show("<body style=height:9000px>x")
    visit.act(Press(key))
    frames = (
        "new Promise((done) => { const wait = (n) => n ? requestAnimationFrame(() => wait(n - 1))"
    )
    at_once = visit.runner.run(scrolled("scrollY"))
    later = visit.runner.run(scrolled(f"{frames} : done(scrollY); wait(4) }})"))
    assert at_once == later > 0


def test_the_second_episode_has_no_history(visit):
    visit.site.pages["/b"] = "<title>b</title>"
    visit.show("<title>a</title><a href=/b>b</a>")
    visit.act(Click("b"))
    visit.show("<title>second</title>")
    seen = visit.act(Back())
    assert seen.title == "second" and "no page to go back to" in seen.error


def test_goto(visit):
    visit.site.pages["/b"] = "<title>b</title>"
    visit.site.pages["/nothing"] = Answer(status=204)
    visit.show("<title>a</title>")
    assert visit.act(Goto("/b")).title == "b"
    assert visit.act(Goto("http://store.localhost:80/")).title == "a"
    assert visit.act(Goto("store.localhost/b?x=1")).url == "http://store.localhost/b?x=1"
    seen = visit.act(Goto("/nothing"))
    assert seen.title == "b" and "not a page" in seen.error


# Reset -----------------------------------------------------------------------------------------

KEEP = """<title>keep</title><script>
document.cookie = "mine=1";
localStorage.a = sessionStorage.a = 1;
indexedDB.open("db");
onpagehide = onbeforeunload = onunload = () => { localStorage.b = sessionStorage.b = 1;
  document.cookie = "late=1" };
const d = window.open(); name = "kept";
</script><input aria-label=i>"""
LOOK = """<title>look</title><p id=p></p><script>indexedDB.databases().then((all) =>
  p.textContent = [document.cookie, localStorage.length, sessionStorage.length, all.length, name,
  navigator.userActivation.hasBeenActive].join("|"))</script>"""


def test_nothing_of_an_episode_is_left_to_the_next(visit):
    visit.show(KEEP, cookie=("episode", "one"))
    visit.act(Tab(0), Type("i", "x"))
    seen = visit.show(LOOK, cookie=("episode", "two"))
    for _ in range(200):  # the list of databases is no request that an observation waits for
        seen = seen if seen.text else visit.observe()
    assert seen.text == "|0|0|0||false" and seen.tabs == ("look",)
    assert visit.site.cookies[-1] == "episode=two"


def test_the_pointer_of_an_episode_lies_over_nothing_of_the_next(visit):
    """A frame is drawn before the page is read, so that the browser has looked under it."""
    page = """<style>body { margin: 40px } b:hover { color: red }</style><b tabindex=0>x</b>
        <script>requestAnimationFrame(() => requestAnimationFrame(() => fetch("/")))</script>"""
    plain = visit.show(page, fresh=True)
    visit.act(Click("x"))
    assert visit.show(page).content == plain.content


def test_the_episode_cookie_is_for_the_server_only(visit):
    seen = visit.show("<p id=p></p><script>p.textContent = '[' + document.cookie + ']'</script>",
                      cookie=("episode", "secret"))  # fmt: skip
    assert seen.text == "[]" and "episode=secret" in visit.site.cookies
    visit.show("<p>x</p>")
    assert visit.site.cookies[-1] == ""


def test_a_fresh_context(visit):
    before = visit.lane._context
    assert visit.show("<title>x</title>", fresh=True).title == "x"
    assert visit.lane._context is not before


def test_the_actions_since_the_document_was_loaded(visit):
    visit.site.pages["/b"] = "<title>b</title>"
    visit.show("<input aria-label=i><a href=/b>b</a>")
    visit.act(Type("i", "x"), Press("Tab"))
    assert visit.lane.inputs == [Type("i", "x"), Press("Tab")]
    visit.act(Click("b"))
    assert visit.lane.inputs == []


def test_a_picture(visit):
    visit.show("<body style='background:red'>")
    assert visit.observe(screenshot=True).screenshot.startswith(b"\x89PNG")
    assert visit.observe().screenshot is None


# Refusals --------------------------------------------------------------------------------------


def test_downloads_permissions_and_files(visit):
    visit.site.pages["/file"] = Answer("x", headers={"Content-Disposition": "attachment"})
    visit.show(
        "<title>t</title><p id=p></p><a href=/file>get</a><input type=file aria-label=up>"
        '<button onclick=\'navigator.geolocation.getCurrentPosition(() => p.textContent = "found",'
        " (e) => p.textContent = e.message)'>where</button><button onclick='print()'>print</button>"
        "<button onclick='Notification.requestPermission().then((r) => p.textContent = r)'>tell"
        "</button>"
    )
    assert visit.act(Click("get")).title == "t"
    assert visit.act(Click("up")).error is None
    assert "denied" in visit.act(Click("where")).text
    assert "denied" in visit.act(Click("tell")).text
    assert visit.act(Click("print")).title == "t"


def test_misuse_is_an_exception(visit):
    with pytest.raises(ValueError, match=r"none of the sites"):
        visit.open("http://other.localhost/")
    with pytest.raises(ValueError, match=r"http://store\.localhost/"):
        visit.open("file:///etc/passwd")
    visit.show("<p>x</p>")
    with pytest.raises(TypeError):
        visit.act(Note("x"))


# Faults ----------------------------------------------------------------------------------------


def test_a_site_that_does_not_answer(runner, visit):
    from agent.browser.chromium import launch

    async def visit_nothing() -> None:
        async with launch({"store.localhost": 1}) as browser:
            lane = Lane(browser)
            with pytest.raises(BrowserFault, match="does not answer"):
                await lane.open("http://store.localhost/")

    runner.run(visit_nothing())


def test_an_endless_loop(visit, monkeypatch):
    monkeypatch.setattr("agent.browser.lane.STEP_SECONDS", 0.5)
    visit.show("<button onclick='while (true);'>go</button>")
    with pytest.raises(PageOverloaded, match="did not answer"):
        visit.act(Click("go"))
    with pytest.raises(BrowserFault):
        visit.observe()
    monkeypatch.undo()
    assert visit.show("<title>well</title>").title == "well"


def test_a_crashed_renderer(visit, runner):
    visit.show("<p>x</p>")

    async def crash() -> None:
        dying = asyncio.create_task(visit.lane._tab.send("Page.crash"))
        with pytest.raises(BrowserFault, match="crashed"):
            await visit.lane.observe()
        dying.cancel()

    runner.run(crash())
    assert visit.show("<title>well</title>").title == "well"


def test_a_killed_browser_and_no_process_left(visit, runner):
    from agent.browser.chromium import launch

    async def kill() -> int:
        async with launch({"store.localhost": visit.site.port}) as browser:
            lane = Lane(browser)
            await lane.open("http://store.localhost/")
            os.kill(browser.pid, signal.SIGKILL)
            for _ in range(2):
                with pytest.raises(BrowserFault):
                    await lane.observe()
            with pytest.raises(BrowserFault):
                await lane.open("http://store.localhost/")
            return browser.pid

    assert not alive(runner.run(kill()))


def alive(pid: int) -> bool:
    """Whether the process runs; one that has ended and that nobody has asked for does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


def test_a_browser_that_stops_answering(visit, runner, monkeypatch):
    from agent.browser import chromium

    async def stop() -> int:
        async with chromium.launch({"store.localhost": visit.site.port}) as browser:
            lane = Lane(browser)
            await lane.open("http://store.localhost/")
            monkeypatch.setattr("agent.browser.lane.STEP_SECONDS", 0.5)
            monkeypatch.setattr(chromium, "ANSWER_SECONDS", 0.5)
            monkeypatch.setattr(chromium, "CLOSE_SECONDS", 0.5)
            os.kill(browser.pid, signal.SIGSTOP)
            with pytest.raises(BrowserFault, match="did not answer"):
                await lane.observe()
            assert not await browser.answers()
            return browser.pid

    pid = runner.run(stop())
    assert visit.eventually(lambda: not alive(pid))


ORPHAN = """
import asyncio, os, signal, sys
from agent.browser.chromium import launch

async def main():
    async with launch({}) as browser:
        print(browser.pid, flush=True)
        os.kill(os.getpid(), signal.SIGKILL)

asyncio.run(main())
"""


def test_a_browser_whose_owner_is_killed_ends_and_the_next_one_removes_its_profile(visit, runner):
    from agent.browser.chromium import launch

    owner = subprocess.Popen([sys.executable, "-c", ORPHAN], stdout=subprocess.PIPE, text=True)
    assert owner.stdout is not None
    pid = int(owner.stdout.readline())
    owner.wait()
    owner.stdout.close()
    assert visit.eventually(lambda: not alive(pid))
    profiles = f"rehearse-chromium-{owner.pid}-*"
    assert list(Path(tempfile.gettempdir()).glob(profiles))

    async def launch_again() -> None:
        async with launch({}):
            pass

    # The browser's children may still write into it while they end: then the next but one does.
    deadline = time.monotonic() + 10
    while list(Path(tempfile.gettempdir()).glob(profiles)) and time.monotonic() < deadline:
        runner.run(launch_again())
    assert not list(Path(tempfile.gettempdir()).glob(profiles))


# Set-up ----------------------------------------------------------------------------------------


def test_a_popup_has_its_clock_before_its_scripts_run(visit):
    visit.site.pages["/two"] = "<script>document.title = Date.now()</script>"
    visit.show(
        "<a href=/two target=_blank>open</a><button onclick='window.open(\"/two\")'>window</button>"
    )
    for name in ("open", "window"):
        assert visit.act(Tab(0), Click(name)).title == "1700000000000"


def test_a_frame_is_set_up_before_its_scripts_run(visit):
    ask = "<script>parent.postMessage(typeof RTCPeerConnection + Date.now(), '*')</script>"
    seen = visit.show(
        "<p id=p></p><script>onmessage = (e) => { p.textContent = e.data }</script>"
        f'<iframe sandbox="allow-scripts" srcdoc="{ask}"></iframe>'
    )
    deadline = time.monotonic() + 2
    while not seen.text and time.monotonic() < deadline:
        seen = visit.observe()
    assert seen.text == "undefined1700000000000"
