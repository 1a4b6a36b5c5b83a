"""The original MiniWoB++ pages of the package `miniwob`, which is in our own environment here."""

from __future__ import annotations

import re

import pytest

from agent.interface import Click, Wait
from scenarios import registry
from scenarios.widgets import _original_pages
from sites.widgets import originals
from tests.doors import original_pages

TASKS = sorted(registry.site_data("widgets").pages)
"""Ours, of which each has an original of its name."""
READ = [task for task in TASKS if task not in _original_pages.UNREAD]
METHODS = ("react", "step", "synapse")
TRIED = ("click-checkboxes", "choose-list", "click-link", "enter-text", "login-user")
UTTERANCES = {
    ("click-button", 3): 'Click on the "no" button.',
    ("click-button", 11): 'Click on the "Okay" button.',
    ("email-inbox", 3): (
        'Find the email by Jemima and reply to them with the text "Purus velit faucibus eu.".'
    ),
    ("email-inbox", 11): "Find the email by Colette and forward that email to Kelcey.",
    ("login-user", 3): (
        'Enter the username "keneth" and the password "91YP" into the text fields and press login.'
    ),
    ("login-user", 11): (
        'Enter the username "bernardine" and the password "BB2" into the text fields and press'
        " login."
    ),
}
"""What Farama's environments tell, whose `reset(seed=...)` calls `Math.seedrandom(seed)` and
`core.startEpisodeReal()` on the file."""

pytestmark = original_pages


def of(task: str, seed: int = 1) -> str:
    return f"widgets/{task}.{originals.ORIGINAL}/{seed}"


async def observed(visit):
    return await visit.lane.observe()


def test_the_package_has_a_page_for_each_of_our_tasks():
    assert sorted(originals.tasks()) == TASKS


@pytest.mark.parametrize("task", TASKS)
def test_a_page_opens_and_tells_an_instruction(harness, task):
    seen = harness.visit(of(task), observed)
    instruction = registry.family(f"{task}.original").instruction(seen)
    assert len(instruction) > len("Do it."), seen
    assert seen.error is None and "START" not in seen.text and "reward" not in seen.text.lower()
    assert seen.elements, "there is something to use"
    assert seen.inputs == tuple(originals.INPUTS.get(task, "").split())


@pytest.mark.parametrize("task", READ)
def test_the_expert_succeeds_where_it_can_read_the_page(harness, task, tmp_path):
    record = harness.run("expert", of(task), tmp_path, strict=True).record
    assert record["success"] and record["reward_strict"] == 1, record["checks"]
    assert 0 < record["steps"] <= registry.family(f"{task}.original").actions, record["steps"]


@pytest.mark.parametrize("task", sorted(_original_pages.UNREAD)[:3])
def test_the_expert_gives_up_where_it_cannot(harness, task, tmp_path):
    record = harness.run("expert", of(task), tmp_path).record
    assert (record["success"], record["steps"]) == (False, 0)


@pytest.mark.parametrize("method", METHODS)
def test_a_method_plays_them(harness, method, tmp_path):
    for task in TRIED:
        record = harness.run(method, of(task), tmp_path / task, strict=True).record
        assert record["success"], (task, record["ended"], record["checks"])


@pytest.mark.parametrize(("task", "seed"), sorted(UTTERANCES))
def test_a_seed_is_the_problem_of_the_package(harness, task, seed):
    seen = harness.visit(of(task, seed), observed)
    assert registry.family(f"{task}.original").instruction(seen) == UTTERANCES[task, seed]


def test_a_wait_takes_as_long_as_it_says(harness):
    """On the page of the delay, a click takes a second of it."""

    async def delayed(visit):
        first = await visit.lane.observe()
        task = registry.family("button-delay.original").instruction(first)
        seconds = int(re.findall(r"wait (\d+)", task)[0])
        await visit.lane.act(Click("ONE"))
        if seconds > 1:
            await visit.lane.act(Wait(seconds - 1))
        await visit.lane.act(Click("TWO"))
        [verdict] = visit.page.world.snapshot()["verdicts"]
        return first, verdict

    seen, verdict = harness.visit(of("button-delay"), delayed)
    assert seen.action_seconds == 1
    assert verdict["raw"] == 1, verdict


def test_time_that_is_over_gives_minus_one(harness):
    async def waited(visit):
        seen = await visit.lane.wait(1_000_000)
        [verdict] = visit.page.world.snapshot()["verdicts"]
        return seen, verdict

    seen, verdict = harness.visit(of("click-button"), waited)
    assert (verdict["raw"], verdict["reward"], verdict["reason"]) == (-1, -1, "timed out")
    assert any(each.name == "START" for each in seen.elements)


def test_a_suite_has_fifty_problems_of_each_page_by_its_own_hash():
    for suite, number in (("original-45", 45), ("original-64", 64)):
        tasks = registry.from_suite(suite)
        assert len(tasks.names) == 50 * number
        made = registry.scenario(tasks.names[0])
        assert made.digest() == tasks.hashes[made.name]
        assert made.details["page"] == originals.digests(made.details["task"])["page"]
