"""Ten exported tasks, played by a client that was written from WebArena's description."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from agent.browser.chromium import find_chromium
from evaluators.integrations.webarena import export, scores
from evaluators.server import serve
from scenarios import registry
from scenarios.scenario import answer_schema
from tests.evaluators.integrations.webarena import client, experts
from tests.evaluators.integrations.webarena.client import Client, Step

SCENARIOS = [
    "map/nearest/3",
    "map/travel_time.wander/1",
    "map/borders/2",
    "map/show_route/1",
    "map/fact_place/0",
    "forum/vote_newest/2",
    "forum/count_negative_comments/1",
    "forum/post_in_forum/0",
    "shop/wish_product/1",
    "shop/list_category/0",
    "admin/page_title/0",
    "admin/top_buyers/0",
]
pytestmark = [pytest.mark.usefixtures("unmeasured")]


@dataclass(frozen=True)
class Served:
    """Exported tasks, and a server for their client."""

    folder: Path
    server: serve.RunningServer
    ways: dict[str, list[Step]]

    @property
    def variables(self) -> dict[str, str]:
        assert self.server.door
        return self.server.door.variables()

    @property
    def tasks(self) -> list[dict[str, Any]]:
        return client.load(self.folder, self.variables)

    def steps(self, task: dict[str, Any]) -> list[Step]:
        return self.ways[SCENARIOS[task["task_id"]]]


@pytest.fixture(scope="module")
def served(tmp_path_factory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("tasks")
    export.export(SCENARIOS, "webarena", folder)
    with serve.serve(tasks=folder) as running:
        yield Served(folder, running, experts.ways_of(SCENARIOS))


@contextmanager
def browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    if find_chromium() is None:
        pytest.skip("no Chromium; run: rehearse doctor --fix")
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=str(find_chromium()))
        yield opened
        opened.close()


def verdicts(served: Served, answers: dict[int, str], folder: Path) -> dict[int, bool | None]:
    """Our own scores of a client's answers."""
    (folder / "answers.json").write_text(
        json.dumps({str(key): value for key, value in answers.items()})
    )
    found = scores.scores(folder, served.folder, served.server.ready)
    return {each.task_id: each.success for each in found}


def test_it_agrees_with_our_scores_on_every_task(served, tmp_path):
    with browser() as opened:
        own, answers = {}, {}
        for task in served.tasks:
            with Client(opened).task(task) as page:
                page.play(served.steps(task))
                own[task["task_id"]] = page.evaluate()
                answers[task["task_id"]] = page.answer
    assert own == dict.fromkeys(range(len(SCENARIOS)), 1.0)
    assert verdicts(served, answers, tmp_path) == dict.fromkeys(range(len(SCENARIOS)), True)


@pytest.mark.wide
def test_it_agrees_when_the_answer_or_the_last_action_is_wrong(served, tmp_path):
    with browser() as opened:
        own, answers = {}, {}
        for task in served.tasks:
            with Client(opened).task(task) as page:
                page.play(wrong(task, served.steps(task)))
                own[task["task_id"]] = page.evaluate()
                answers[task["task_id"]] = page.answer
    assert own == dict.fromkeys(range(len(SCENARIOS)), 0.0)
    assert verdicts(served, answers, tmp_path) == dict.fromkeys(range(len(SCENARIOS)), False)


def test_it_logs_in_by_labels_and_its_state_file_does_no_harm(served, tmp_path):
    state = tmp_path / "state.json"
    with browser() as opened:
        context = opened.new_context()
        page = context.new_page()
        for site in client.ACCOUNTS:
            assert client.is_expired(page, served.variables, site)
            with page.expect_navigation():
                client.log_in(page, served.variables, site)
            assert not client.is_expired(page, served.variables, site)
        context.storage_state(path=state)
        context.close()
        task = served.tasks[SCENARIOS.index("forum/vote_newest/2")]
        with Client(opened, state).task(task) as page:
            page.play(served.steps(task))
            assert page.evaluate() == 1.0


def wrong(task: dict[str, Any], steps: list[Step]) -> list[Step]:
    """A wrong answer, or all but the last action of a task without one."""
    scenario = registry.scenario(SCENARIOS[task["task_id"]])
    *done, stop = steps
    if answer_schema(registry.family(scenario.family), scenario):
        return [*done, replace(stop, text="Nowhere in particular")]
    return [*done[:-1], stop]
