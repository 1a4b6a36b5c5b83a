"""Virtual time: it passes by actions only, timers keep their order, a page can begin again."""

from __future__ import annotations

import pytest

from agent.browser import chromium
from agent.browser.lane import Lane
from agent.browser.virtual_time import VirtualTime
from agent.interface import Click, Wait
from sites.server import Server
from tests.each import for_each

PAGE = """<!doctype html><html data-inputs="wait"><title>Clock</title>
<button>Go</button><p id="log"></p><script>
const say = (text) => { log.textContent += text + " "; };
setTimeout(say, 150, "later");
setTimeout(() => { say("soon"); setTimeout(say, 30, "chained"); }, 50);
const dropped = setTimeout(say, 60, "never");
clearTimeout(dropped);
let beats = 0;
const beat = setInterval(() => {
  say("beat" + ++beats);
  if (beats === 2) clearInterval(beat);
}, 40);
requestAnimationFrame((at) => say("frame" + at));
addEventListener("rehearsal:again", (event) => {
  event.preventDefault();
  log.textContent = "again " + event.detail.split("?")[1] + " " + performance.now();
});
</script>"""
START = 1_000.0


@pytest.fixture(scope="module")
def lane(runner):
    """A lane with virtual time on the page, of which each action takes 100 ms."""
    from contextlib import AsyncExitStack

    from flask import Flask

    app, stack = Flask("clock"), AsyncExitStack()
    app.add_url_rule("/", view_func=lambda: PAGE)
    server = stack.enter_context(Server(app))
    browser = runner.run(
        stack.enter_async_context(chromium.launch({"clock.localhost": server.port}))
    )
    made = Lane(browser, virtual_time=VirtualTime(START, 100))
    yield made
    runner.run(made.close())
    runner.run(stack.aclose())


def js(runner, lane, expression):
    reply = runner.run(
        lane._tab.send("Runtime.evaluate", expression=expression, returnByValue=True)
    )
    return reply["result"]["value"]


def test_nothing_happens_before_the_first_action(runner, lane):
    seen = runner.run(lane.open("http://clock.localhost/", fresh=True))
    assert seen.text == "Go"
    now = "[Date.now(), new Date().getTime(), performance.now(), Date().slice(0, 3)]"
    assert js(runner, lane, now) == [1_000_000, 1_000_000, 0, "Thu"]


def test_an_action_takes_its_time_and_what_is_due_is_done_in_order(runner, lane):
    runner.run(lane.open("http://clock.localhost/", fresh=True))
    assert runner.run(lane.act(Click("Go"))).text.split() == [
        *("Go", "frame16", "beat1", "soon", "beat2", "chained"),
    ]
    assert js(runner, lane, "[Date.now(), performance.now()]") == [1_000_100, 100]
    assert runner.run(lane.act(Click("Go"))).text.split()[-1] == "later"


def test_a_refused_action_takes_time_too(runner, lane):
    runner.run(lane.open("http://clock.localhost/", fresh=True))
    assert runner.run(lane.act(Click("Nobody"))).error
    assert js(runner, lane, "performance.now()") == 100


def test_a_wait_takes_as_long_as_it_says(runner, lane):
    seen = runner.run(lane.open("http://clock.localhost/", fresh=True))
    assert (seen.inputs, seen.action_seconds) == (("wait",), 0.1)
    assert "later" in runner.run(lane.act(Wait(2.5))).text
    assert js(runner, lane, "performance.now()") == 2500
    assert lane.inputs == [Wait(2.5)], "it is done again where the page is restored"


@pytest.mark.wide
@for_each("seconds", [0, 0.05, -1, 10.5, float("inf"), float("nan")])
def test_a_wait_of_another_length_is_refused(runner, lane, seconds):
    runner.run(lane.open("http://clock.localhost/", fresh=True))
    assert "0.1 to 10 seconds" in runner.run(lane.act(Wait(seconds))).error
    assert js(runner, lane, "performance.now()") == 100


def test_looking_takes_none(runner, lane):
    runner.run(lane.open("http://clock.localhost/", fresh=True))
    runner.run(lane.observe())
    assert js(runner, lane, "performance.now()") == 0


def test_a_page_that_knows_how_begins_again_without_being_loaded(runner, lane):
    runner.run(lane.open("http://clock.localhost/?a", fresh=True))
    runner.run(lane.act(Click("Go")))
    documents = lane._tab.traffic.documents
    seen = runner.run(lane.open("http://clock.localhost/?b"))
    assert seen.text.split("\n") == ["Go", "again b 0"]
    assert lane._tab.traffic.documents == documents
    assert runner.run(lane.wait(1000)).text.split("\n") == ["Go", "again b 0"], "timers are gone"


def test_another_path_is_loaded(runner, lane):
    runner.run(lane.open("http://clock.localhost/?a", fresh=True))
    seen = runner.run(lane.open("http://clock.localhost/gone"))
    assert "Not Found" in seen.text
