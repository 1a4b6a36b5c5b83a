"""The pages of a browser context as tabs, with one tab in front."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress

from agent.browser.chromium import Browser
from agent.browser.context import Context, Page
from agent.browser.devtools import ProtocolError, Reply
from agent.browser.faults import BrowserFault, Refused
from agent.browser.reports import OnReport
from agent.browser.tab import Tab

POPUP_SECONDS = 2.0  # for a new window to become usable
MOST_TABS = 10


class Tabs:
    """All pages of a browser context; call `first` to open the first page."""

    def __init__(
        self, browser: Browser, context: Context, on_report: OnReport | None = None
    ) -> None:
        self.index = 0
        self.tabs: list[Tab] = []
        self._browser = browser
        self._context = context
        self._on_report = on_report
        self._opening: list[Tab] = []
        """New windows that are not counted as tabs yet."""

    @property
    def front(self) -> Tab:
        """Return the tab in front."""
        return self.tabs[self.index]

    @property
    def titles(self) -> tuple[str, ...]:
        """Return the titles of all tabs."""
        return tuple(tab.title for tab in self.tabs)

    @property
    def changed(self) -> bool:
        """Whether a window has opened, closed or been requested since the last `adopt`."""
        gone = any(tab.page.closed for tab in self.tabs)
        return gone or bool(self._arrived) or any(self._asked())

    @property
    def _arrived(self) -> list[Tab]:
        """Return the new windows that show a document; until then a window is empty and has no
        address.
        """
        return [tab for tab in self._opening if tab.traffic.documents]

    def arrive(self, page: Page) -> None:
        """Follow a page that another page has opened."""
        self._opening.append(Tab(page, self._on_report))
        page.session.on("Page.frameNavigated", self._stir)

    def _stir(self, _: Reply) -> None:
        for tab in self.tabs:
            tab.traffic.stir()

    async def first(self) -> None:
        """Open a page as the only tab of the context. Raises `BrowserFault`."""
        try:
            page = await self._context.new_page()
        except ProtocolError as problem:
            raise BrowserFault(f"no page could be opened: {problem}") from problem
        self.tabs, self.index = [Tab(page, self._on_report)], 0

    async def adopt(self, deadline: float) -> str | None:
        """Make new pages tabs, with the last page in front, and close pages over the limit.

        If all tabs are gone, a new tab is opened.

        Args:
            deadline: Time at which to stop waiting for windows.

        Returns:
            The error for the agent, or None.
        """
        self.forget_closed()
        await self._expect(min(deadline, time.monotonic() + POPUP_SECONDS))
        error = None
        for tab in self._arrived:
            self._opening.remove(tab)
            if len(self.tabs) < MOST_TABS:
                self.tabs.append(tab)
                self.index = len(self.tabs) - 1
            else:
                error = f"No more than {MOST_TABS} tabs can be open."
                with suppress(ProtocolError):
                    await tab.page.close()
        self.forget_closed()
        if not self.tabs:
            await self.first()
        return error

    def _asked(self) -> Iterator[bool]:
        return (tab.traffic.asked_for_window for tab in self.tabs)

    async def _expect(self, deadline: float) -> None:
        """Wait for the windows that pages have requested.

        A window that does not become a page, because pages may not open its kind of address, is
        closed.
        """
        if not any(self._asked()):
            return
        for tab in self.tabs:
            tab.traffic.asked_for_window = False
        while len(strangers := await self._strangers()) > len(self._arrived):
            if not await self.front.traffic.news(deadline):
                if not self._arrived:
                    await self._close(strangers)
                return

    async def _strangers(self) -> set[str]:
        """Return the targets of the browser's windows in this context that are not tabs yet."""
        known = {tab.traffic.frame for tab in self.tabs}
        targets = (await self._browser.send("Target.getTargets"))["targetInfos"]
        own = {one["browserContextId"] for one in targets if one["targetId"] in known}
        pages = (one for one in targets if one["type"] == "page" and one["browserContextId"] in own)
        return {one["targetId"] for one in pages} - known

    async def _close(self, targets: set[str]) -> None:
        for target in targets:
            await self._browser.send("Target.closeTarget", targetId=target)

    async def turn_to(self, index: int) -> None:
        """Bring the tab with this index to the front. Raises `Refused` if there is none."""
        self.index = self._checked(index)
        await self.front.send("Page.bringToFront")

    async def close(self, index: int) -> None:
        """Close the tab with this index. Raises `Refused` if there is none or it is the last."""
        tab = self.tabs[self._checked(index)]
        if len(self.tabs) == 1:
            raise Refused("The last tab cannot be closed.")
        await self.drop(tab)

    def _checked(self, index: int) -> int:
        if not 0 <= index < len(self.tabs):
            raise Refused(f"There is no tab {index}; there are {len(self.tabs)}.")
        return index

    async def drop(self, tab: Tab) -> None:
        """Close the page of a tab."""
        with tab.acting():
            await tab.page.close()
        self.forget_closed()

    async def only_one(self) -> Tab:
        """Close every page but the first tab, including windows that never became tabs, and return
        that tab.
        """
        self.forget_closed()
        for tab in self.tabs[1:]:
            await self.drop(tab)
        if self.changed:
            self._opening.clear()
            self.front.traffic.asked_for_window = False
            await self._close(await self._strangers())
        return self.front

    def forget_closed(self) -> None:
        """Drop the tabs whose pages are closed; the front tab stays in front if it is open."""
        if not any(tab.page.closed for tab in self.tabs):
            return
        front = self.front
        self.tabs = [tab for tab in self.tabs if not tab.page.closed]
        last = max(len(self.tabs) - 1, 0)
        self.index = self.tabs.index(front) if front in self.tabs else min(self.index, last)
