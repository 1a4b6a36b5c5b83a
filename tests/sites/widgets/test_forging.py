"""Forged ends on pages of several kinds, to the score: 0 and flagged, always."""

from __future__ import annotations

import pytest

from scenarios.widgets import _page_view

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


@pytest.mark.parametrize("forged", FORGED)
@pytest.mark.parametrize("task", PAGES)
def test_a_forged_episode_scores_nothing_however_well_it_is_played_then(visit, task, forged):
    script, reason = FORGED[forged]

    async def run(page):
        await page.js(script + "; 0")
        page.seen = await page.lane.observe()
        if not _page_view.over(page.seen):
            await page.solve()
        return await page.settled(), await page.js("WOB_RAW_REWARD_GLOBAL")

    score, public = visit(f"widgets/{task}/2", run)
    assert public == 1, "the globals are the drivers' own affair"
    assert (score.success, score.success_published) == (False, False)
    assert (score.progress, score.reward, score.reward_strict) == (0, 0, 0)
    [tampered] = [check for check in score.checks if check.name == "nothing was tampered with"]
    assert not tampered.held and reason in tampered.evidence[0], tampered.evidence


@pytest.mark.parametrize("task", PAGES)
def test_the_same_episodes_are_won_where_nothing_is_forged(visit, task):
    async def run(page):
        await page.solve()
        return await page.settled()

    score = visit(f"widgets/{task}/2", run)
    assert score.success and score.reward_strict == 1
