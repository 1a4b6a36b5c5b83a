"""One page of the browser: calls into the isolated JavaScript world of our page-reading script, and
its network traffic.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from agent.browser import reports
from agent.browser.context import Page
from agent.browser.devtools import ProtocolError, Reply
from agent.browser.faults import BrowserFault, PageOverloaded
from agent.browser.observation import Reading, decode
from agent.browser.reports import OnReport
from agent.browser.traffic import Traffic

WORLD = "rehearsal"
"""The isolated JavaScript world of the walker, the script that reads a page."""
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
    """The page's document was replaced during a call; observe again."""


class Tab:
    """A page of the browser, with its network traffic from its first request; `on_report` receives
    the reports of its documents.
    """

    def __init__(self, page: Page, on_report: OnReport | None = None) -> None:
        self.page = page
        self.shown = False
        """Whether pictures can be taken of the page (see `page_setup.show`)."""
        self.traffic = Traffic(page.session, page.target, page.opened_at)
        self.title = ""
        self.home = ""
        """The last address on the site at which the page was read; "" before the first reading."""
        self._text = ""
        self._reading = Reading("", "", (), settled=True)
        self._world: int | None = None
        """The number of the walker's JavaScript context in the current document (the walker is the
        script that reads pages); None if it must be created.
        """
        page.session.on("Runtime.executionContextCreated", self._on_world)
        page.session.on("Runtime.executionContextsCleared", self._on_no_world)
        if on_report is not None:
            reports.follow(page.session, on_report)

    @property
    def url(self) -> str:
        """Return the address of the page."""
        return self.traffic.url

    @property
    def state(self) -> tuple[int, str]:
        """Return the number of the document, and its address without the fragment."""
        return self.traffic.documents, self.url.partition("#")[0]

    async def send(self, command: str, **parameters: Any) -> dict[str, Any]:
        """Send one command of the DevTools protocol. Raises `Moved` or `BrowserFault`."""
        with self.acting():
            return await self.page.session.send(command, **parameters)

    @contextmanager
    def acting(self) -> Iterator[None]:
        """Convert errors of the browser inside this context manager to `Moved` or
        `BrowserFault`.
        """
        try:
            yield
        except ProtocolError as problem:
            raise self.fault(problem) from problem

    def fault(self, problem: ProtocolError) -> Exception:
        """Return the exception for a command that the browser refused: `Moved` or
        `BrowserFault`.
        """
        if self.page.closed or any(words in str(problem) for words in _MOVED):
            self._world = None
            return Moved(str(problem))
        return BrowserFault(f"the browser failed: {problem}")

    async def call(self, name: str, *arguments: Any) -> str:
        """Call a function of the walker (the script that reads pages), and return the JSON text of
        its result.
        """
        reply = await self.send(
            "Runtime.callFunctionOn",
            functionDeclaration=_CALL,
            executionContextId=await self.context(),
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
        """Call a function of the walker (the script that reads pages) that returns an object, and
        return it as a dict.
        """
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
        """Read the page once it stops changing.

        Args:
            view: "document" or "viewport".
            limit_ms: Milliseconds to wait at most.
            response_pending: Whether a reply has arrived that the page will show in its next frame.
            time_paused: Whether time is virtual; the reading then does not wait for a frame.
            passing: Milliseconds of virtual time to let pass first.
            source: CSS selector of elements whose outer HTML is read, too; "" for none.

        Raises:
            PageOverloaded: The page has become too large to read.
        """
        how = (view, limit_ms, response_pending, time_paused, passing, source)
        text = await self.call("read", *how)
        if not text:
            raise PageOverloaded("the page has grown too large to be read")
        if text != self._text:
            self._text, self._reading = text, decode(text)
        self.title, self.home = self._reading.title, self._reading.url
        return self._reading

    async def context(self) -> int:
        """Return the number of the JavaScript context of the walker (the script that reads pages),
        created if necessary.
        """
        if self._world is None:
            frame = self.traffic.frame
            reply = await self.send("Page.createIsolatedWorld", frameId=frame, worldName=WORLD)
            self._world = int(reply["executionContextId"])
        return self._world

    def _on_world(self, event: Reply) -> None:
        context = event["context"]
        if context["name"] == WORLD and context["auxData"]["frameId"] == self.traffic.frame:
            self._world = context["id"]

    def _on_no_world(self, event: Reply) -> None:
        self._world = None
