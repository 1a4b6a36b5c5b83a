"""A lane whose browser belongs to a BrowserGym environment: our eyes, its hands, its reward.

The page is read by our walker; actions are BrowserGym's own, at the places that the walker aims at,
so that every one of them is a step of the environment and its task looks whether it is done.
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

QUIET_MS = 1500.0  # an observation waits for a document that keeps changing
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
"""What a reply to each request must have."""


class EnvironmentLane:
    """An `agent.browser.episode_lane.EpisodeLane` in an environment.

    `open`'s `on_report` gets, as JSON, each reset (goal, versions, url) and each step (reward,
    terminated, truncated, info). Any call may raise `EnvironmentFault`; the next `open` then starts
    another process.
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
        """Reset the environment that `url` names by its path, with the seed of its query.

        `cookie` and `also` are for pages of ours, and mean nothing here.
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
        """What the page shows now; `view` is "document" or "viewport", `source` a CSS selector."""
        return await self._look("", view, screenshot, source)

    async def act(self, action: Action) -> Observation:
        """Do it by steps of the environment, and observe."""
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

    async def finish(self, answer: str, *, achievable: bool) -> None:
        """Say the answer, or that the task cannot be done: many tasks look at nothing before."""
        if not self.is_over:
            name = "send_msg_to_user" if achievable else "report_infeasible"
            await self._step([(name, answer)])

    async def picture(self, action: Action | None = None) -> Picture | None:
        """None: nothing is replayed in an environment, so nobody asks for pictures of it."""
        return None

    async def close(self) -> None:
        await self._process.close()

    # What the hands need -------------------------------------------------------------------------

    @property
    def url(self) -> str:
        return str(self._page["url"])

    @property
    def height(self) -> float:
        return float(self._page["height"])

    @property
    def scale(self) -> float:
        return float(self._page["scale"])

    async def ask(self, name: str, *arguments: Any) -> dict[str, Any]:
        """Call the walker. Raises Refused with its message."""
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
        """Take a step, unless the episode is over. Raises Refused where a call failed."""
        if self.is_over:
            return
        error = await self._step(calls or [NOOP], settle=settle)
        if error:
            first = error.strip().splitlines()[0]
            raise Refused(first[:LONGEST_ERROR])

    # The process ---------------------------------------------------------------------------------

    @property
    def _state(self) -> tuple[Any, ...]:
        """The tab in front, its document, and its address without the fragment."""
        return self._page["tab"], self._page["document"], self.url.partition("#")[0]

    async def _step(self, calls: Sequence[Call], *, settle: bool = True) -> str:
        """Take a step and report what it brought; its error, "" if none."""
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
        """The reply, after its view of the page is kept. After a fault the process is another."""
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
    """Raises `EnvironmentFault` for a reply that lacks one of these."""
    lacking = [name for name in names if not isinstance(reply, dict) or name not in reply]
    if lacking:
        raise EnvironmentFault(f"the environment replied to {do} without {', '.join(lacking)}")
