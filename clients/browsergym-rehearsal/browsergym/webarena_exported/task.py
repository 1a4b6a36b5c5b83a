"""An exported task, set up by BrowserGym's own WebArena class and scored by the control plane.

BrowserGym's class logs in at each site and opens the start addresses. It reads its tasks from the
inside of the package `webarena`, and it evaluates after every action. The page of our verdict ends
the visit, so here the control plane is asked in its place.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from browsergym.core.task import AbstractBrowserTask
from browsergym.rehearsal import control
from browsergym.rehearsal.task import answer_in
from browsergym.webarena.instance import WebArenaInstance
from browsergym.webarena.task import GenericWebArenaTask
from playwright.sync_api import Page

PLACEHOLDERS = {
    "__SHOPPING_ADMIN__": "shopping_admin",
    "__SHOPPING__": "shopping",
    "__REDDIT__": "reddit",
    "__GITLAB__": "gitlab",
    "__WIKIPEDIA__": "wikipedia",
    "__MAP__": "map",
}
BLANK = ("", "newtab")


class ExportedTask(GenericWebArenaTask):
    """The seed of `reset` does not matter: a task is one scenario.

    The episode is done with the agent's first message, with its report that the task is infeasible,
    with success where no answer is asked for, or when a tab leaves the sites.
    """

    def __init__(self, seed: int, task: Mapping[str, Any]) -> None:
        AbstractBrowserTask.__init__(self, seed)  # the class between reads the package's own tasks
        self.viewport, self.slow_mo, self.timeout = {"width": 1280, "height": 720}, 0, 10000
        self.webarena_instance = WebArenaInstance()
        self.with_na_hint = self.with_homepage_hint = False
        self.task_configs = [self._placed(task)]
        self._asks = "string_match" in task["eval"]["eval_types"]
        self._visit = str(task["start_url"]).partition("scenario=")[2].partition(" ")[0]

    def _placed(self, task: Mapping[str, Any]) -> dict[str, Any]:
        """The task with the addresses of the sites."""
        text = json.dumps(task)
        for placeholder, site in PLACEHOLDERS.items():
            text = text.replace(placeholder, self.webarena_instance.urls[site])
        placed: dict[str, Any] = json.loads(text)
        return placed

    def validate(
        self, page: Page, chat_messages: Sequence[Mapping[str, Any]]
    ) -> tuple[float, bool, str, dict[str, Any]]:
        if not self._is_inside(page):
            return 0.0, True, "", {"error": "a tab left the sites of the task"}
        answer = answer_in(chat_messages)
        score = control.get("/evaluate", scenario=self._visit)
        done = answer is not None or (bool(score["success"]) and not self._asks)
        if done:
            score = control.post("/finish", scenario=self._visit, answer=answer or "")
        checks = {check["name"]: check["held"] for check in score["checks"]}
        return (float(score["success"]) if done else 0.0), done, "", {"checks": checks}

    def _is_inside(self, page: Page) -> bool:
        """Whether every tab shows one of the sites, or nothing."""
        instance = self.webarena_instance
        known = {urlsplit(url).netloc for url in (*instance.urls.values(), instance.home_url)}
        return all(urlsplit(each.url).netloc in {*known, *BLANK} for each in page.context.pages)
