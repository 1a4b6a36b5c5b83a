"""The pending activity of a page: navigations, loading frames, requests and popups."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from typing import Any

from agent.browser.devtools import Session

_ENDLESS = frozenset({"EventSource", "Ping", "Prefetch", "CSPViolationReport", "Media"})
"""Types of requests that never end or for which no page waits, so they do not count as pending."""
_BY_SCRIPT = frozenset({"Fetch", "XHR"})


class Traffic:
    """Tracks the pending activity of one page by the browser's events.

    The renderer sends events in order with the replies to our calls. When a call that was made
    after an input is answered, all activity that the input started is recorded here.
    """

    def __init__(self, session: Session, frame: str, url: str) -> None:
        self.frame = frame
        self.url = url
        self.unreachable = ""
        self.commits = 0
        self.documents = 0
        self.asked_for_window = False
        self.answered = False
        """Whether a script's request has ended since this was last set to False."""
        self._scheduled: set[str] = set()
        self._loading: set[str] = set()
        self._requests: dict[str, str] = {}
        self._by_script: set[str] = set()
        self._pictures: dict[str, str] = {}
        self._news = asyncio.Event()
        for name, handler in self._handlers().items():
            session.on(name, handler)

    def _handlers(self) -> Mapping[str, Any]:
        return {
            "Page.frameScheduledNavigation": self._on_scheduled,
            "Page.frameClearedScheduledNavigation": self._on_cleared,
            "Page.frameStartedNavigating": self._on_started,
            "Page.frameStartedLoading": self._on_started,
            "Page.frameStoppedLoading": self._on_stopped,
            "Page.frameDetached": self._on_detached,
            "Page.frameNavigated": self._on_navigated,
            "Page.navigatedWithinDocument": self._on_moved_within,
            "Page.windowOpen": self._on_window,
            "Network.requestWillBeSent": self._on_request,
            "Network.loadingFinished": self._on_request_end,
            "Network.loadingFailed": self._on_request_end,
        }

    @property
    def busy(self) -> bool:
        """Whether a navigation, a frame or a request is pending."""
        return bool(self._scheduled or self._loading or self._requests)

    async def idle(self, deadline: float, *, pictures: bool = False) -> bool:
        """Wait until no activity of the page is pending; return False if the deadline came first.

        After the deadline, pending activity is forgotten. Pictures that no script requested delay
        the loading of their page, or they are lazy; lazy pictures count only with `pictures`.

        Args:
            deadline: Monotonic time at which to stop.
            pictures: Whether to wait for lazy pictures, too.
        """
        while self.busy or (pictures and self._pictures):
            if not await self.news(deadline):
                for pending in (self._scheduled, self._loading, self._requests, self._pictures):
                    pending.clear()
                return False
        return True

    async def another_document(self, before: int, deadline: float) -> None:
        """Wait until the page has loaded more than `before` documents, or until the deadline."""
        while self.documents <= before and await self.news(deadline):
            pass

    async def news(self, deadline: float) -> bool:
        """Wait for the next event of the page; return False if the deadline came first."""
        self._news.clear()
        try:
            async with asyncio.timeout(deadline - time.monotonic()):
                await self._news.wait()
        except TimeoutError:
            return False
        return True

    def stir(self) -> None:
        """Wake all tasks that wait in `news`."""
        self._news.set()

    def _on_scheduled(self, event: dict[str, Any]) -> None:
        if event["delay"] < 1:
            self._scheduled.add(event["frameId"])

    def _on_cleared(self, event: dict[str, Any]) -> None:
        self._scheduled.discard(event["frameId"])
        self.stir()

    def _on_started(self, event: dict[str, Any]) -> None:
        if event.get("navigationType") in ("sameDocument", "historySameDocument"):
            return
        self._scheduled.discard(event["frameId"])
        self._loading.add(event["frameId"])

    def _on_stopped(self, event: dict[str, Any]) -> None:
        self._scheduled.discard(event["frameId"])
        self._loading.discard(event["frameId"])
        self.stir()

    def _on_detached(self, event: dict[str, Any]) -> None:
        if event.get("reason") == "remove":
            self._on_stopped(event)

    def _on_navigated(self, event: dict[str, Any]) -> None:
        frame = event["frame"]
        if frame["id"] != self.frame:
            return
        self.url = frame["url"]
        self.unreachable = frame.get("unreachableUrl", "")
        self.commits += 1
        self.documents += 1
        current = frame["loaderId"]
        self._requests = {id_: of for id_, of in self._requests.items() if of == current}
        self._pictures = {id_: of for id_, of in self._pictures.items() if of == current}
        self.stir()

    def _on_moved_within(self, event: dict[str, Any]) -> None:
        if event["frameId"] == self.frame:
            self.url = event["url"]
            self.commits += 1
            self.stir()

    def _on_window(self, event: dict[str, Any]) -> None:
        self.asked_for_window = True
        self.stir()

    def _on_request(self, event: dict[str, Any]) -> None:
        # A worker's script has no loader, and only the worker gets the event of its end.
        if event["loaderId"] and event.get("type") not in _ENDLESS:
            pending = self._pictures if _is_picture(event) else self._requests
            pending[event["requestId"]] = event["loaderId"]
        if event.get("type") in _BY_SCRIPT:
            self._by_script.add(event["requestId"])

    def _on_request_end(self, event: dict[str, Any]) -> None:
        self._requests.pop(event["requestId"], None)
        self._pictures.pop(event["requestId"], None)
        if event["requestId"] in self._by_script:
            self._by_script.remove(event["requestId"])
            self.answered = True
        self.stir()


def _is_picture(event: dict[str, Any]) -> bool:
    """Return whether a request is for a picture and was not made by a script."""
    return event.get("type") == "Image" and event["initiator"]["type"] != "script"
