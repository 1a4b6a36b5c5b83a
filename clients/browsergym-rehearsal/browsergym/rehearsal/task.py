"""One family of Rehearsal as a task of BrowserGym."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from browsergym.core.task import AbstractBrowserTask
from browsergym.rehearsal import control
from playwright.sync_api import Error, Page

UTTERANCE = """() => {
  const utterance = core.getUtterance();
  return typeof utterance === "string" ? utterance : utterance.utterance;
}"""
OVER = "() => typeof WOB_DONE_GLOBAL !== 'undefined' && WOB_DONE_GLOBAL"
GIVEN_UP = "not achievable"
"""The answer of an agent that reports a task as infeasible."""
ENDED = "the task was ended"
"""The check of a task page that says whether its episode is over."""
REPORT_TRIES, REPORT_MS = 100, 20
"""The report of a task page that is over is waited for so often, so many milliseconds."""
KEPT = ("success", "success_published", "progress", "reward", "unverified")


class RehearsalTask(AbstractBrowserTask):
    """The seed of `reset` is the scenario's; without one an unseen scenario is drawn.

    Each reset is a visit of its own: agents that play one seed at the same time do not meet. The
    episode is done with the agent's first message, with its report that the task is infeasible,
    when a task page has ended, or with success, where no answer is asked for.
    """

    def __init__(self, seed: int | None, family: str) -> None:
        super().__init__(seed)
        self.family, self.seed = family, seed
        self.slow_mo, self.timeout = 0, 5000
        self.locale, self.timezone_id = "en-US", "UTC"
        self._visit: Mapping[str, Any] = {}

    def setup(self, page: Page) -> tuple[str, dict[str, Any]]:
        asked = {} if self.seed is None else {"seed": int(self.seed)}
        self._visit = control.get("/generate-random-scenario", type=self.family, own=1, **asked)
        page.goto(self._visit["url"])
        kept = {key: self._visit[key] for key in ("site", "seed", "unseen", "answer", "steps")}
        return self._goal(page), {"family": self.family, **kept}

    def validate(
        self, page: Page, chat_messages: Sequence[Mapping[str, Any]]
    ) -> tuple[float, bool, str, dict[str, Any]]:
        answer = answer_in(chat_messages)
        score = self._score(page)
        done = answer is not None or self._is_over(score)
        if done:
            score = control.post("/finish", scenario=self._visit["id"], answer=answer or "")
        checks = {check["name"]: check["held"] for check in score["checks"]}
        info = {**{key: score[key] for key in KEPT}, "checks": checks}
        return (float(score[self._counts]) if done else 0.0), done, "", info

    def teardown(self) -> None:
        """Leave: the visit is closed, so that pages in flight change nothing."""
        if self._visit:
            control.post("/finish", scenario=self._visit["id"])
            self._visit = {}

    @property
    def _counts(self) -> str:
        """A task page's reward is the published one: a driver that sets a field by script, as
        Playwright's `select_option` does, is no cheat there."""
        return "success_published" if self._visit["site"] == "widgets" else "success"

    def _goal(self, page: Page) -> str:
        """The instruction; a task page draws its problem itself, and tells it."""
        if self._visit["site"] == "widgets":
            return str(page.evaluate(UTTERANCE))
        return str(self._visit["instruction"])

    def _score(self, page: Page) -> dict[str, Any]:
        """The score; where a task page is over, its report may still be on the way to the site."""
        score = control.get("/evaluate", scenario=self._visit["id"])
        for _ in range(REPORT_TRIES):
            if self._visit["site"] != "widgets" or _is_ended(score) or not _says_over(page):
                break
            page.wait_for_timeout(REPORT_MS)
            score = control.get("/evaluate", scenario=self._visit["id"])
        return score

    def _is_over(self, score: Mapping[str, Any]) -> bool:
        return _is_ended(score) or (bool(score["success"]) and self._visit["answer"] is None)


def _is_ended(score: Mapping[str, Any]) -> bool:
    return any(check["name"] == ENDED and check["held"] for check in score["checks"])


def _says_over(page: Page) -> bool:
    """Whether this is a task page whose episode is over; False where the page is gone."""
    try:
        return bool(page.evaluate(OVER))
    except Error:
        return False


def answer_in(chat_messages: Sequence[Mapping[str, Any]]) -> str | None:
    """What the agent said last; the first message is BrowserGym's greeting in its name."""
    messages = [each for each in chat_messages[1:] if each["role"] in ("assistant", "infeasible")]
    if not messages:
        return None
    return GIVEN_UP if messages[-1]["role"] == "infeasible" else str(messages[-1]["message"])
