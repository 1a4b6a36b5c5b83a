"""One page of the browser: calls into its isolated world, and its traffic."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import resources
from typing import Any

from playwright.async_api import CDPSession, Error, Page

from agent.browser import reports
from agent.browser.faults import BrowserFault
from agent.browser.observation import Reading, decode
from agent.browser.reports import OnReport
from agent.browser.traffic import Traffic

WORLD = "rehearsal"
_CALL = "(name, ...args) => globalThis.rehearsal[name](...args)"
_MOVED = (
    "Cannot find context",
    "Execution context was destroyed",
    "Inspected target navigated or closed",
    "Not attached to an active page",
    "Promise was collected",
    "No frame for given id found",
    "Frame with the given id was not found",
)


class Moved(Exception):
    """The document was replaced during the call; observe again."""


def source(name: str) -> str:
    """The text of a script that lies beside this module."""
    return resources.files("agent.browser").joinpath(name).read_text("utf-8")


class Tab:
    """A page with a session of its own; made by `attach`."""

    def __init__(self, page: Page, session: CDPSession, frame: str) -> None:
        self.page = page
        self.session = session
        self.traffic = Traffic(session, frame)
        self.title = ""
        self.home = ""
        """The address that was read last."""
        self._text = ""
        self._reading = Reading("", "", (), settled=True)
        self._world: int | None = None
        self._document = -1

    @classmethod
    async def attach(cls, page: Page, walker: str, on_report: OnReport | None) -> Tab:
        """Follow a page from now on and inject the walker into all its documents.

        `on_report` takes what its documents report.
        """
        session = await page.context.new_cdp_session(page)
        tree = await session.send("Page.getFrameTree")
        frame = tree["frameTree"]["frame"]
        tab = cls(page, session, frame["id"])
        tab.traffic.url = frame["url"]
        await session.send("Page.enable")
        await session.send("Network.enable")
        await session.send(
            "Page.addScriptToEvaluateOnNewDocument",
            {"source": walker, "worldName": WORLD, "runImmediately": True},
        )
        if on_report is not None:
            await reports.follow(session, on_report)
        return tab

    @property
    def url(self) -> str:
        return self.traffic.url

    @property
    def state(self) -> tuple[int, str]:
        """The number of its document, and its address without the fragment."""
        return self.traffic.documents, self.url.partition("#")[0]

    async def send(self, command: str, **parameters: Any) -> dict[str, Any]:
        """One command of the DevTools protocol. Raises Moved or BrowserFault."""
        with self.acting():
            return await self.session.send(command, parameters)

    @contextmanager
    def acting(self) -> Iterator[None]:
        """Raise Playwright's errors in the block as Moved or BrowserFault."""
        try:
            yield
        except Error as problem:
            raise self.fault(problem) from problem

    def fault(self, problem: Error) -> Exception:
        """The exception for an error of Playwright."""
        if self.page.is_closed() or any(words in problem.message for words in _MOVED):
            self._world = None
            return Moved(problem.message)
        return BrowserFault(f"the browser failed: {problem.message.splitlines()[0]}")

    async def call(self, name: str, *arguments: Any) -> str:
        """Call a function of the walker in the page's isolated world; it answers in JSON."""
        reply = await self.send(
            "Runtime.callFunctionOn",
            functionDeclaration=_CALL,
            executionContextId=await self._context(),
            arguments=[{"value": value} for value in (name, *arguments)],
            awaitPromise=True,
            returnByValue=True,
        )
        problem = reply.get("exceptionDetails")
        if problem:
            text = problem.get("exception", {}).get("description", problem["text"])
            raise RuntimeError(f"the walker failed in {name}: {text}")
        return str(reply["result"]["value"])

    async def ask(self, name: str, *arguments: Any) -> dict[str, Any]:
        """Like `call`, for functions that return an object."""
        answer: dict[str, Any] = json.loads(await self.call(name, *arguments))
        return answer

    async def read(
        self,
        view: str,
        limit_ms: float,
        *,
        response_pending: bool = False,
        time_paused: bool = False,
        passing: float = 0.0,
        source: str = "",
    ) -> Reading:
        """Read the page once it stops changing, after at most `limit_ms`.

        First `passing` milliseconds of virtual time pass. `response_pending`: a reply has arrived
        that the page will show in its next frame. `time_paused`: time is virtual, so no frame is
        waited for. `source` is the selector of elements whose outer HTML is read too.
        """
        how = (view, limit_ms, response_pending, time_paused, passing, source)
        text = await self.call("read", *how)
        if text != self._text:
            self._text, self._reading = text, decode(text)
        self.title, self.home = self._reading.title, self._reading.url
        return self._reading

    async def _context(self) -> int:
        if self._world is None or self._document != self.traffic.documents:
            document, frame = self.traffic.documents, self.traffic.frame
            reply = await self.send("Page.createIsolatedWorld", frameId=frame, worldName=WORLD)
            self._world, self._document = int(reply["executionContextId"]), document
        return self._world
