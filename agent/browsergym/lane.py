"""A lane whose browser belongs to a BrowserGym environment, with the environment's actions and
reward.

The walker (our script that reads a page) reads the page and finds the places of targets. The
actions are BrowserGym's own, so every action is a step of the environment, after which its task
checks whether it is done.
"""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Sequence
from typing import Any
from urllib.parse import parse_qs, urlsplit

from agent.browser import xpath
from agent.browser.chromium import find_chromium
from agent.browser.faults import EnvironmentFault, PageOverloaded, Refused
from agent.browser.observation import decode
from agent.browser.picture import Picture
from agent.browser.reports import OnReport
from agent.browser.scripts import call, source
from agent.browsergym.hands import NOOP, Call, perform
from agent.browsergym.process import EnvironmentProcess, GymPython
from agent.interface import Action, Note, Observation, Stop

QUIET_MS = 1500.0  # for a document that keeps changing, before it is read
LONGEST_TARGET = 4096
LONGEST_ERROR = 300
NAMESPACE = "browsergym"


PAGE = ("url", "tab", "tabs", "document", "height", "scale")
REPLIES = {
    "open": ("goal", "versions", "page"),
    "step": ("error", "reward", "terminated", "truncated", "info", "page"),
    "call": ("value", "page"),
    "picture": ("png",),
}
"""The fields that the environment's reply must have, by the kind of request."""


class EnvironmentLane:
    """A lane (the browser page of an episode) that belongs to a BrowserGym environment; it has the
    interface `agent.browser.episode_lane.EpisodeLane`.

    The `on_report` of `open` receives, as JSON, each reset (goal, versions, url) and each step
    (reward, terminated, truncated, info). Any call may raise `EnvironmentFault`; the next `open`
    then starts another process.
    """

    def __init__(self, python: GymPython) -> None:
        self.inputs: list[Action] = []
        self.instruction = self.start_url = ""
        self.is_over = False
        self._process = EnvironmentProcess(python)
        self._on_report: OnReport | None = None
        self._page: dict[str, Any] = {}

    # The episode's calls -----------------------------------------------------------------------

    async def open(
        self,
        url: str,
        *,
        cookie: tuple[str, str] | None = None,
        also: Sequence[str] = (),
        on_report: OnReport | None = None,
    ) -> Observation:
        """Reset the environment that the path of `url` names, with the seed in its query.

        `cookie` and `also` are for our own pages and are ignored here.
        """
        parts = urlsplit(url)
        if not self._process.is_running:
            await self._process.start()
        reply = await self._asked(
            "open",
            environment=f"{NAMESPACE}{parts.path}",
            seed=int(parse_qs(parts.query)["seed"][0]),
            chromium=str(find_chromium() or ""),
            walker=source("guesses.js") + source("walker.js"),
            init_script=call("init_script.js", None),
        )
        self._on_report, self.inputs, self.is_over = on_report, [], False
        self.instruction, self.start_url = str(reply["goal"]), self.url
        self._report(goal=reply["goal"], versions=reply["versions"], url=self.url)
        return await self._look("")

    async def observe(
        self, *, view: str = "document", screenshot: bool = False, source: str = ""
    ) -> Observation:
        """Return the current content of the page.

        Args:
            view: "document" or "viewport".
            screenshot: Whether to add a picture.
            source: CSS selector of elements whose HTML is added; "" for none.
        """
        return await self._look("", view, screenshot, source)

    async def act(self, action: Action) -> Observation:
        """Perform the action by one or more steps of the environment, and observe the page."""
        if isinstance(action, Note | Stop):
            raise TypeError(f"{type(action).__name__} is not for the browser")
        before, error = self._state, ""
        try:
            await perform(self, action)
        except Refused as problem:
            error = str(problem)
        observation = await self._look(error)
        if self._state == before:
            self.inputs.append(action)
        else:
            self.inputs.clear()
        return observation

    def pass_minutes(self, minutes: int) -> None:
        """Do nothing, because the environment has its own time."""

    async def finish(self, answer: str, *, achievable: bool) -> None:
        """Send the answer to the environment, or report that the task cannot be done.

        Many tasks check nothing before that.
        """
        if not self.is_over:
            name = "send_msg_to_user" if achievable else "report_infeasible"
            await self._step([(name, answer)])

    async def picture(self, action: Action | None = None) -> Picture | None:
        """Return None. Episodes in an environment are not replayed, so no pictures of them are
        needed.
        """
        return None

    async def close(self) -> None:
        """End the process of the environment."""
        await self._process.close()

    # What the hands need -------------------------------------------------------------------------

    @property
    def url(self) -> str:
        """Return the address of the browser tab in front."""
        return str(self._page["url"])

    @property
    def height(self) -> float:
        """Return the height of the window in CSS pixels."""
        return float(self._page["height"])

    @property
    def scale(self) -> float:
        """Return the number of BrowserGym's pixels per CSS pixel."""
        return float(self._page["scale"])

    async def ask(self, name: str, *arguments: Any) -> dict[str, Any]:
        """Call a function of the walker (the script that reads pages), and return its result as a
        dict. Raises `Refused` with its message.
        """
        target = arguments[0] if arguments else None
        if isinstance(target, str):
            if not 0 < len(target.strip()) <= LONGEST_TARGET:
                raise Refused(f"A target has 1 to {LONGEST_TARGET} characters, not {len(target)}.")
            if xpath.is_path(target):
                xpath.check(target)
        answer: dict[str, Any] = json.loads(await self._walk(name, *arguments))
        if "error" in answer:
            raise Refused(answer["error"])
        return answer

    async def do(self, *calls: Call, settle: bool = True) -> None:
        """Take a step of the environment with these calls, unless the episode is over. Raises
        `Refused` if a call failed.
        """
        if self.is_over:
            return
        error = await self._step(calls or [NOOP], settle=settle)
        if error:
            first = error.strip().splitlines()[0]
            raise Refused(first[:LONGEST_ERROR])

    # The process ---------------------------------------------------------------------------------

    @property
    def _state(self) -> tuple[Any, ...]:
        """Return the number of the front tab, of its document, and its address without the
        fragment, to detect a change of page.
        """
        return self._page["tab"], self._page["document"], self.url.partition("#")[0]

    async def _step(self, calls: Sequence[Call], *, settle: bool = True) -> str:
        """Take a step of the environment, report its result, and return the environment's error, or
        "".
        """
        listed = [[name, list(arguments)] for name, *arguments in calls]
        reply = await self._asked("step", calls=listed, settle=settle)
        brought = {name: reply[name] for name in ("reward", "terminated", "truncated", "info")}
        if not isinstance(reply["reward"], int | float) or not math.isfinite(reply["reward"]):
            raise EnvironmentFault(f"the environment gave {reply['reward']!r} as a reward")
        self.is_over = bool(reply["terminated"] or reply["truncated"])
        self._report(**brought)
        return str(reply["error"] or "")

    async def _walk(self, name: str, *arguments: Any) -> str:
        reply = await self._asked("call", name=name, arguments=list(arguments))
        return str(reply["value"])

    async def _asked(self, do: str, **given: Any) -> dict[str, Any]:
        """Return the environment's reply to a request, and keep the reply's description of the
        page.

        After a fault the process is killed.
        """
        try:
            reply = await self._process.ask(do, **given)
            _check(do, reply, REPLIES[do])
            if "page" in reply:
                _check(do, reply["page"], PAGE)
                self._page = reply["page"]
        except EnvironmentFault:
            await self._process.kill()
            raise
        return reply

    async def _look(
        self, error: str, view: str = "document", screenshot: bool = False, source: str = ""
    ) -> Observation:
        text = await self._walk("read", view, QUIET_MS, False, False, 0, source)
        if not text:
            raise PageOverloaded("the page has grown too large to be read")
        reading = decode(text)
        png = (await self._asked("picture"))["png"] if screenshot else None
        return Observation(
            reading.url,
            reading.title,
            reading.content,
            error=error or reading.problem or None,
            tabs=tuple(self._page["tabs"]),
            tab=self._page["tab"],
            capped=not reading.settled,
            source=reading.source,
            more=reading.more,
            inputs=reading.inputs,
            screenshot=base64.b64decode(png) if png else None,
        )

    def _report(self, **what: Any) -> None:
        if self._on_report is not None:
            self._on_report(0, json.dumps(what, ensure_ascii=False))


def _check(do: str, reply: Any, names: Sequence[str]) -> None:
    """Raise `EnvironmentFault` if the environment's reply to a request lacks one of these
    fields.
    """
    lacking = [name for name in names if not isinstance(reply, dict) or name not in reply]
    if lacking:
        raise EnvironmentFault(f"the environment replied to {do} without {', '.join(lacking)}")
