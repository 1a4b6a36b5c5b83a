"""Forged ends on pages of several kinds, to the score: 0 and flagged, always."""

from __future__ import annotations

from itertools import cycle, product

import pytest

from agent.interface import Goto
from scenarios.widgets import _page_view
from sites.widgets import Reports, load_data
from tests.measuring import DEEP

PAGES = ("click-button", "click-checkboxes", "click-option", "enter-text", "login-user")
FORGED = {
    "a global is set": ("WOB_REWARD_GLOBAL = 1", "WOB_REWARD_GLOBAL was set"),
    "an end is called": ("core.endEpisode(1)", "core.endEpisode was called"),
    "events are synthetic": (
        "area.dispatchEvent(new MouseEvent('click'))",
        "an untrusted click event",
    ),
    "the clock is patched": ("Date.now = () => 0", "now was replaced"),
}


HOW = {"binding": False, "posts": True}
ALL = [*product(PAGES, FORGED, HOW)]
SOME = [
    (task, forged, [*HOW][(first + second) % len(HOW)])
    for first, task in enumerate(PAGES)
    for second, forged in enumerate(FORGED)
    if (first - second) % len(FORGED) < 2
]
"""Two ways to forge each page, the next one others; in turn by the binding and by posts."""


@pytest.mark.wide
@pytest.mark.parametrize(("task", "forged", "how"), ALL if DEEP else SOME)
def test_a_forged_episode_scores_nothing_whatever_is_done_then(visit, task, forged, how):
    script, reason = FORGED[forged]

    async def run(page):
        await page.js(script + "; 0")
        page.seen = await page.lane.observe()
        if not _page_view.over(page.seen):
            await page.solve()
        return await page.settled(), await page.js("WOB_RAW_REWARD_GLOBAL")

    score, public = visit(f"widgets/{task}/2", run, HOW[how])
    assert public == 1, "the globals are the drivers' own affair"
    assert (score.success, score.success_published) == (False, False)
    assert (score.progress, score.reward, score.reward_strict) == (0, 0, 0)
    [tampered] = [check for check in score.checks if check.name == "nothing was tampered with"]
    assert not tampered.held and reason in tampered.found, tampered.found


@pytest.mark.wide
@pytest.mark.parametrize(
    ("task", "how"), [*product(PAGES, HOW)] if DEEP else [*zip(PAGES, cycle(HOW), strict=False)]
)
def test_the_same_episodes_are_won_where_nothing_is_forged(visit, task, how):
    async def run(page):
        await page.solve()
        return await page.settled(), page.world.snapshot()

    score, rows = visit(f"widgets/{task}/2", run, HOW[how])
    assert score.success and score.reward_strict == 1
    assert len(rows["log_loads"]) == len(rows["verdicts"]) == 1


# The binding -------------------------------------------------------------------------------------

ASK = """(() => {
  let found = null;
  dispatchEvent(new CustomEvent("rehearsal:reports", { detail: (given) => (found = given) }));
  const names = Object.getOwnPropertyNames(window).filter((name) => /^rehears/i.test(name));
  return [typeof found, names];
})()"""


@pytest.mark.parametrize(
    "path", ["/miniwob/login-user.html?seed=2", "/miniwob/none.html", "/play/login-user"]
)
def test_the_binding_is_on_no_page_s_window_and_is_handed_over_once(visit, path):
    async def run(page):
        page.seen = await page.lane.act(Goto(path))
        asked = [await page.js(ASK) for _ in range(2)]
        return asked, await page.js("typeof frames[0]?.core")

    asked, framed = visit("widgets/login-user/2", run)
    assert framed == ("object" if "play" in path else "undefined")
    assert [names for _, names in asked] == [[], []]
    first = "object" if "seed" in path else "function"  # the core has asked before
    assert [kind for kind, _ in asked] == [first, "object"]


SENT = {
    "no JSON": "{",
    "no object": "[]",
    "nested too deep": "[" * 60_000,
    "too long": '{"kind": "load", "x": "' + "x" * 70_000 + '"}',
    "another's session": '{"kind": "load", "task": "login-user", "seed": "2",'
    ' "variant": "standard", "scenario": "other"}',
    "no such task": '{"kind": "load", "task": "x", "seed": "2", "variant": "standard"}',
    "a verdict before any load": '{"kind": "verdict", "episode": 1, "raw": 1, "reward": 1}',
    "a verdict out of bounds": '{"kind": "verdict", "episode": 1, "raw": 5, "reward": 1}',
}


@pytest.mark.parametrize("sent", SENT)
def test_what_no_page_of_ours_reports_changes_nothing(visit, sent):
    """As the same, posted, would be refused; the episode goes on."""

    async def run(page):
        before = page.world.snapshot()
        reports = Reports(page.world, load_data())
        for context in (1, 1):
            reports(context, SENT[sent])
        assert page.world.snapshot() == before and not page.world.fault
        await page.solve()
        return await page.settled()

    assert visit("widgets/login-user/2", run).success


def test_a_report_after_the_end_changes_nothing(visit):
    async def run(page):
        page.world.close()
        await page.solve()
        await page.lane.observe()
        return page.world.snapshot()["verdicts"], page.world.fault

    assert visit("widgets/login-user/2", run) == ([], "")


def test_a_failure_of_ours_in_a_report_is_the_site_s_fault(visit):
    async def run(page):
        page.world.write("DROP TABLE verdicts")
        await page.solve()
        await page.lane.observe()
        return page.world.fault

    assert "no such table: verdicts" in visit("widgets/login-user/2", run)
