"""A lane: one browser context with one page, used by one episode at a time."""

from __future__ import annotations

import asyncio
import base64
import json
import time
from collections.abc import Coroutine
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from playwright.async_api import BrowserContext, Error, Page
from playwright.async_api import Dialog as Prompt

from agent.browser.faults import BrowserFault, Refused
from agent.browser.input import goto, perform, travel
from agent.browser.tab import Moved, Tab, source
from agent.browser.wall import origin_of, outside
from agent.interface import Action, Dialog, Note, Observation, Respond, Stop
from agent.interface import Tab as TurnTo

if TYPE_CHECKING:
    from agent.browser.chromium import Browser

STEP_SECONDS = 30.0
"""After this an action has hung: a fault of the browser."""
SETTLE_SECONDS = 10.0
"""How long an observation waits for navigations and requests."""
QUIET_MS = 1500.0
"""How long an observation waits for a document that keeps changing."""
POPUP_SECONDS = 2.0
"""How long a window that the browser has made may take to be usable."""
MOST_TABS = 10
MOST_DIALOGS = 20
WINDOW = (1280, 720)


class Lane:
    """What one episode does in the browser. `open` it first; one call at a time.

    Failures of the agent are observations with `error`; BrowserFault is raised where the
    browser or the site failed, and the next `open` starts from a fresh context.
    """

    def __init__(self, browser: Browser, frozen_time: float | None = None) -> None:
        self.browser = browser
        self.inputs: list[Action] = []
        """The actions done since the active tab's document was loaded."""
        self._frozen_time = frozen_time
        self._walker = source("walker.js")
        self._context: BrowserContext | None = None
        self._origin = ""
        self._tabs: list[Tab] = []
        self._active = 0
        self._arrived: list[Page] = []
        self._dialogs: list[Prompt] = []
        self._dialog_count = 0
        self._resetting = False
        self._broken = ""
        self._interrupted: asyncio.Future[None] | None = None
        self._last = Observation("", "")

    # The episode's calls -----------------------------------------------------------------------

    async def open(
        self,
        url: str,
        *,
        cookie: tuple[str, str] | None = None,
        fresh: bool = False,
        view: str = "document",
        screenshot: bool = False,
    ) -> Observation:
        """Begin an episode: clear what the last one left and load the start address.

        The page may reach the origin of `url` only. `cookie` is (name, value), hidden from
        scripts. `fresh` begins with a new context, as the first call and one after a fault do.
        """
        origin = origin_of(url)
        if origin.removeprefix("http://") not in self.browser.hosts:
            raise ValueError(f"{url!r} is on none of the sites {sorted(self.browser.hosts)}")
        self._resetting = True
        try:
            async with asyncio.timeout(STEP_SECONDS):
                if fresh or self._broken or self._context is None or origin != self._origin:
                    await self._renew(origin)
                else:
                    await self._clear()
                await self._enter(url, cookie)
        except TimeoutError:
            raise self._break(f"{url} could not be opened in {STEP_SECONDS:g} s") from None
        except Moved as problem:
            raise self._break(f"{url} could not be opened: {problem}") from problem
        finally:
            self._resetting = False
        return await self._guarded(self._begin(view, screenshot))

    async def observe(self, *, view: str = "document", screenshot: bool = False) -> Observation:
        """What is shown now; `view` is "document" or "viewport"."""
        if self._dialogs:
            return self._behind_dialog(None)
        return await self._guarded(self._look(None, view, screenshot))

    async def act(self, action: Action) -> Observation:
        """Do it with real input events, let the page settle, and look."""
        if isinstance(action, Note | Stop):
            raise TypeError(f"{type(action).__name__} is not for the browser")
        if self._dialogs and not isinstance(action, Respond):
            return self._behind_dialog("A dialog is open: answer it first.")
        if self.browser.slow_ms:
            await asyncio.sleep(self.browser.slow_ms / 1000)
        return await self._guarded(self._do(action))

    async def close(self) -> None:
        """Give the context back; the lane can be opened again."""
        context, self._context = self._context, None
        self._tabs, self._dialogs = [], []
        if context is not None:
            with suppress(Error, TimeoutError):
                async with asyncio.timeout(5):
                    await context.close()

    # One step ----------------------------------------------------------------------------------

    async def _guarded(self, work: Coroutine[Any, Any, Observation]) -> Observation:
        """Run a step until it ends, a dialog interrupts it, or its time is over."""
        if self._broken or self._context is None:
            work.close()
            raise BrowserFault(self._broken or "the lane is not open")
        interrupted = asyncio.get_running_loop().create_future()
        self._interrupted = interrupted
        step = asyncio.create_task(work)
        waiting: set[asyncio.Future[Any]] = {step, interrupted}
        try:
            await asyncio.wait(waiting, timeout=STEP_SECONDS, return_when=asyncio.FIRST_COMPLETED)
            if step.done() and not self._dialogs:
                return step.result()
        except BrowserFault as problem:
            raise self._break(str(problem)) from problem
        finally:
            self._interrupted = None
            await _cancelled(step)
        if self._dialogs:
            return self._behind_dialog(None)
        raise self._break(self._broken or f"the page did not answer within {STEP_SECONDS:g} s")

    async def _begin(self, view: str, screenshot: bool) -> Observation:
        observation = await self._look(None, view, screenshot)
        await self._tab.send("Page.resetNavigationHistory")
        self.inputs.clear()
        return observation

    async def _do(self, action: Action) -> Observation:
        tab, error = self._tab, None
        document = tab.traffic.documents
        try:
            await self._perform(action)
        except Refused as problem:
            error = str(problem)
        except Moved:
            pass
        observation = await self._look(error)
        if self._tab is tab and tab.traffic.documents == document:
            self.inputs.append(action)
        else:
            self.inputs.clear()
        return observation

    async def _perform(self, action: Action) -> None:
        if isinstance(action, Respond):
            await self._respond(action)
        elif isinstance(action, TurnTo):
            await self._turn(action)
        else:
            await perform(self._tab, action, self._origin)

    async def _respond(self, action: Respond) -> None:
        if not self._dialogs:
            raise Refused("No dialog is open.")
        dialog = self._dialogs.pop(0)
        with self._tab.acting():
            await (dialog.accept(action.text) if action.accept else dialog.dismiss())

    async def _turn(self, action: TurnTo) -> None:
        if not 0 <= action.index < len(self._tabs):
            raise Refused(f"There is no tab {action.index}; there are {len(self._tabs)}.")
        if not action.close:
            self._active = action.index
            with self._tab.acting():
                await self._tab.page.bring_to_front()
        elif len(self._tabs) == 1:
            raise Refused("The last tab cannot be closed.")
        else:
            await self._drop(self._tabs[action.index])

    # Looking -----------------------------------------------------------------------------------

    async def _look(
        self, error: str | None, view: str = "document", screenshot: bool = False
    ) -> Observation:
        """Wait until the page has settled, keep every tab on the site, and read."""
        deadline = time.monotonic() + SETTLE_SECONDS
        while True:
            error = await self._adopt(deadline) or error
            tab = self._tab
            calm = await tab.traffic.idle(deadline)
            error = await self._enforce() or error
            if self._tab is not tab or (tab.traffic.busy and calm):
                continue
            try:
                reading = await tab.read(view, QUIET_MS)
            except Moved:
                self._forget_closed()
                continue
            if not self._unsettled(tab) or not calm or time.monotonic() > deadline:
                break
        tab.home = reading.url if self._at_home(reading.url) else ""
        self._last = Observation(
            reading.url,
            reading.title,
            reading.content,
            error=error,
            tabs=tuple(one.title for one in self._tabs),
            tab=self._active,
            capped=not (calm and reading.calm),
            screenshot=await self._picture() if screenshot else None,
        )
        return self._last

    def _unsettled(self, tab: Tab) -> bool:
        """Whether something began or ended while the page was read."""
        asked = any(one.traffic.asked_for_window for one in self._tabs)
        waiting = self._arrived or asked or tab.page.is_closed() or tab is not self._tab
        return bool(waiting or tab.traffic.busy or outside(tab.url, self._origin))

    async def _enforce(self) -> str | None:
        """Send every tab that has left the site back, or close it. Says what it did."""
        error = None
        for tab in list(self._tabs):
            if outside(tab.url, self._origin):
                error = await self._send_back(tab)
        return error

    async def _send_back(self, tab: Tab) -> str:
        away = tab.traffic.unreachable or tab.url
        if not outside(away, self._origin):
            raise BrowserFault(f"{away} does not answer")
        history = await tab.send("Page.getNavigationHistory")
        entries = history["entries"][: history["currentIndex"]]
        steps = next(
            (n for n, entry in enumerate(reversed(entries), 1) if self._at_home(entry["url"])), 0
        )
        if steps:
            await travel(tab, -steps)
        elif tab.home:
            await goto(tab, tab.home)
        elif len(self._tabs) > 1:
            await self._drop(tab)
        else:
            raise BrowserFault(f"the start page left the site for {away}")
        return f"{away[:200]} is outside this task's site, {self._origin}; it was not opened."

    def _at_home(self, url: str) -> bool:
        return url.startswith(self._origin + "/")

    async def _picture(self) -> bytes:
        reply = await self._tab.send("Page.captureScreenshot", format="png")
        return base64.b64decode(reply["data"])

    def _behind_dialog(self, error: str | None) -> Observation:
        prompt = self._dialogs[0]
        dialog = Dialog(prompt.type, prompt.message, prompt.default_value)
        return replace(self._last, dialog=dialog, error=error, screenshot=None)

    # Tabs --------------------------------------------------------------------------------------

    @property
    def _tab(self) -> Tab:
        return self._tabs[self._active]

    async def _adopt(self, deadline: float) -> str | None:
        """Take new windows in as tabs, the last one in front; close those over the limit."""
        self._forget_closed()
        await self._expect(min(deadline, time.monotonic() + POPUP_SECONDS))
        error = None
        while self._arrived:
            page = self._arrived.pop(0)
            if page.is_closed():
                continue
            if len(self._tabs) >= MOST_TABS:
                await page.close()
                error = f"No more than {MOST_TABS} tabs can be open."
                continue
            with suppress(Error):
                self._tabs.append(await Tab.attach(page, self._walker))
                self._active = len(self._tabs) - 1
        return error

    async def _expect(self, deadline: float) -> None:
        """Wait for the windows that pages have asked for and the browser has made.

        One that does not come (its address is of a kind that no page may open) is closed.
        """
        if not any([tab.traffic.asked_for_window for tab in self._tabs]):
            return
        for tab in self._tabs:
            tab.traffic.asked_for_window = False
        while len(await self._strangers()) > len(self._arrived):
            if not await self._tab.traffic.news(deadline):
                return await self._close_strangers()

    async def _strangers(self) -> set[str]:
        """The browser's windows in this context that are no tabs here."""
        known = {tab.traffic.frame for tab in self._tabs}
        targets = (await self.browser.send("Target.getTargets"))["targetInfos"]
        own = {one["browserContextId"] for one in targets if one["targetId"] in known}
        return {
            one["targetId"]
            for one in targets
            if one["type"] == "page" and one["browserContextId"] in own
        } - known

    async def _close_strangers(self) -> None:
        if not self._arrived:
            for target in await self._strangers():
                await self.browser.send("Target.closeTarget", targetId=target)

    async def _drop(self, tab: Tab) -> None:
        with tab.acting():
            await tab.page.close()
        self._forget_closed()

    def _forget_closed(self) -> None:
        front = self._tab
        if not any(tab.page.is_closed() for tab in self._tabs):
            return
        self._tabs = [tab for tab in self._tabs if not tab.page.is_closed()]
        if not self._tabs:
            raise BrowserFault("the page closed its last window")
        self._active = (
            self._tabs.index(front)
            if front in self._tabs
            else min(self._active, len(self._tabs) - 1)
        )

    # Events of the context ---------------------------------------------------------------------

    def _on_page(self, page: Page) -> None:
        page.on("crash", lambda _: self._fail("the page's renderer crashed"))
        if self._tabs:
            self._arrived.append(page)
            self._tab.traffic.stir()

    async def _on_dialog(self, dialog: Prompt) -> None:
        self._dialog_count += 1
        if self._resetting or self._dialog_count > MOST_DIALOGS:
            with suppress(Error):
                await (dialog.accept() if self._resetting else dialog.dismiss())
            return
        self._dialogs.append(dialog)
        self._interrupt()

    def _fail(self, reason: str) -> None:
        self._broken = reason
        self._interrupt()

    def _interrupt(self) -> None:
        if self._interrupted is not None and not self._interrupted.done():
            self._interrupted.set_result(None)

    def _break(self, reason: str) -> BrowserFault:
        self._broken = reason
        return BrowserFault(reason)

    # Reset -------------------------------------------------------------------------------------

    async def _renew(self, origin: str) -> None:
        """Replace the context by a new one, whose only way out is this origin."""
        await self.close()
        self._broken = ""
        self._active = 0
        self._arrived = []
        try:
            self._context = await self._new_context(origin)
            page = await self._context.new_page()
            self._tabs = [await Tab.attach(page, self._walker)]
        except Error as problem:
            raise self._break(f"no context could be made: {problem.message}") from problem
        self._origin = origin

    async def _new_context(self, origin: str) -> BrowserContext:
        wall = self.browser.wall
        context = await self.browser.chromium.new_context(
            proxy={
                "server": "http://wall.invalid:80",
                "bypass": wall.bypass(origin.removeprefix("http://")),
            },
            service_workers="block",
            accept_downloads=False,
            permissions=[],
            locale="en-US",
            timezone_id="UTC",
            viewport={"width": WINDOW[0], "height": WINDOW[1]},
            reduced_motion="reduce",
            color_scheme="light",
        )
        frozen = None if self._frozen_time is None else self._frozen_time * 1000
        await context.add_init_script(f"({source('hook.js')})({json.dumps(frozen)})")
        context.on("page", self._on_page)
        context.on("dialog", self._on_dialog)
        return context

    async def _clear(self) -> None:
        """Leave the last episode's page and wipe what it kept."""
        for dialog in self._dialogs:
            with suppress(Error):
                await dialog.accept()
        self._dialogs = []
        first = self._tabs[0]
        for tab in self._tabs[1:]:
            await tab.page.close()
        self._forget_closed()
        self._arrived.clear()
        await self._close_strangers()
        await first.send("Page.navigate", url="about:blank")
        await first.send("Network.clearBrowserCookies")
        await first.send("Storage.clearDataForOrigin", origin=self._origin, storageTypes="all")

    async def _enter(self, url: str, cookie: tuple[str, str] | None) -> None:
        self._dialog_count = 0
        if cookie is not None:
            await self._tab.send(
                "Network.setCookie",
                name=cookie[0],
                value=cookie[1],
                url=self._origin,
                httpOnly=True,
            )
        await self._tab.send("Page.navigate", url=url)


async def _cancelled(task: asyncio.Task[Any]) -> None:
    """End a task and wait for its end; what it says then is of no interest."""
    if task.done():
        return
    task.cancel()
    await asyncio.wait({task}, timeout=1)
