"""A lane, that is, a browser context that serves one episode at a time."""

from __future__ import annotations

import asyncio
import base64
import time
from collections.abc import Coroutine, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from agent.browser import page_setup, pointer
from agent.browser.chromium import Browser
from agent.browser.context import Context, OpenDialog, Page
from agent.browser.devtools import ProtocolError, forget
from agent.browser.faults import BrowserFault, PageOverloaded, Refused, SiteSilent
from agent.browser.input import check_wait, perform
from agent.browser.navigation_guard import enforce, new_context
from agent.browser.observation import Reading
from agent.browser.patience import patient
from agent.browser.picture import Picture, take_picture
from agent.browser.reports import OnReport
from agent.browser.tab import Moved, Tab
from agent.browser.tabs import Tabs
from agent.browser.virtual_time import VirtualTime
from agent.browser.wall import origin_of, outside
from agent.interface import Action, Dialog, Note, Observation, Respond, Stop, Wait
from agent.interface import Tab as SwitchTab
from agent.offered import WAIT

STEP_SECONDS = 30.0  # an action that takes longer counts as a fault of the browser
SETTLE_SECONDS = 10.0  # for navigations and requests, before an observation
QUIET_MS = 1500.0  # for a document that keeps changing, before an observation
CLOSE_SECONDS = 5.0
PICTURE_SECONDS = 10.0
MOST_DIALOGS = 20
BLANK = "/shared/blank.txt"  # an empty page of every bundled site; a 404 page works, too
EMPTY = "window.name = ''; localStorage.clear(); sessionStorage.clear()"


class Lane:
    """Performs one episode's actions in the browser. Call `open` first; make one call at a time.

    A failed action gives an observation with `error`. A `BrowserFault` means that the browser or
    the site failed; the next `open` then starts from a fresh context.

    Args:
        browser: The browser.
        frozen_time: Time that the clock of the pages shows, in epoch seconds; None for a running
            clock.
        virtual_time: The pages' virtual time; None for real time.
        takes_reports: Whether pages can report to the `on_report` of `open`.
        foreign: Whether pages are external. The walker (the script that reads a page) then guesses
            missing roles and names (`guesses.js`).
    """

    def __init__(
        self,
        browser: Browser,
        frozen_time: float | None = None,
        virtual_time: VirtualTime | None = None,
        takes_reports: bool = False,
        foreign: bool = False,
    ) -> None:
        self.browser = browser
        self.inputs: list[Action] = []
        """The actions since the tab in front loaded its document or changed its address."""
        self.instruction = self.start_url = ""
        self.is_over = False
        self._frozen_time = frozen_time
        self._virtual_time = virtual_time
        self._takes_reports = takes_reports
        self._foreign = foreign
        self._on_report: OnReport | None = None
        self._context: Context | None = None
        self._tabs: Tabs | None = None
        self._origins: tuple[str, ...] = ()
        self._dialogs: list[OpenDialog] = []
        self._dialog_count = 0
        self._leaving = False
        self._broken = "the lane is not open"
        self._interrupted: asyncio.Future[None] | None = None
        self._due = (0.0, 0)
        """The milliseconds of virtual time to let pass before the page is read, and the number of
        the document for which they are due.
        """
        self._minutes = 0
        """The minutes of the visit's clock to let pass before the next action."""
        self._last = Observation("", "")

    # The episode's calls -----------------------------------------------------------------------

    async def open(
        self,
        url: str,
        *,
        cookie: tuple[str, str] | None = None,
        also: Sequence[str] = (),
        fresh: bool = False,
        view: str = "document",
        screenshot: bool = False,
        on_report: OnReport | None = None,
    ) -> Observation:
        """Begin an episode: clear the state of the last episode and load the start address.

        Args:
            url: The start address.
            cookie: Name and value of a cookie for each origin, hidden from scripts; None for no
                cookie.
            also: Further addresses. The page may reach only the origins of these and of `url`.
            fresh: Whether to create a new context, as the first call and a call after a fault do
                anyway.
            view: As in `observe`.
            screenshot: As in `observe`.
            on_report: Receives the reports of pages until the next call of `open`.

        Raises:
            BrowserFault: The address could not be opened.
        """
        origins = tuple(map(origin_of, (url, *also)))
        for each, address in zip(origins, (url, *also), strict=True):
            if each.removeprefix("http://") not in self.browser.hosts:
                known = sorted(self.browser.hosts)
                raise ValueError(f"{address!r} is on none of the sites {known}")
        self._due, self._minutes, self._on_report = (0.0, 0), 0, on_report
        try:
            async with asyncio.timeout(STEP_SECONDS):
                if fresh or not await self._restarted(url, origins, cookie):
                    await self._load(url, origins, cookie, fresh)
        except TimeoutError:
            raise self._break(f"{url} could not be opened in {STEP_SECONDS:g} s") from None
        except (BrowserFault, Moved) as problem:
            reason = f"{url} could not be opened: {problem}"
            raise self._break(reason, _fault_class(problem)) from problem
        try:
            return await self._guarded(self._begin(view, screenshot))
        except PageOverloaded as problem:  # the agent has done nothing yet
            raise BrowserFault(f"{url} could not be opened: {problem}") from problem

    async def observe(
        self, *, view: str = "document", screenshot: bool = False, source: str = ""
    ) -> Observation:
        """Return the current content of the page.

        Args:
            view: "document" or "viewport".
            screenshot: Whether to add a picture.
            source: CSS selector of elements whose HTML is added; "" for none.
        """
        if self._dialogs:
            return self._behind_dialog(None)
        return await self._guarded(self._look(None, view, screenshot, source))

    async def picture(self, action: Action | None = None) -> Picture | None:
        """Return a picture of the window for people, with the places of the action's targets; None
        if a dialog or a hanging page prevents it.

        The targets are scrolled into view, as the action itself would do.
        """
        if self._dialogs or self._broken:
            return None
        with suppress(TimeoutError, Moved):
            async with asyncio.timeout(PICTURE_SECONDS):
                await page_setup.show(self._tab)
                return await take_picture(self._tab, action)
        return None

    async def act(self, action: Action) -> Observation:
        """Perform the action with real input events, let the page settle, and observe."""
        if isinstance(action, Note | Stop):
            raise TypeError(f"{type(action).__name__} is not for the browser")
        if self._dialogs and not isinstance(action, Respond):
            return self._behind_dialog("A dialog is open: answer it first.")
        if self.browser.slow_ms:
            await asyncio.sleep(self.browser.slow_ms / 1000)
        return await self._guarded(self._do(action))

    def pass_minutes(self, minutes: int) -> None:
        """Let minutes of the visit's clock pass before the next action, on a page with virtual
        time.
        """
        self._minutes = minutes

    async def wait(self, ms: float) -> Observation:
        """Let `ms` milliseconds of virtual time pass, and observe."""
        assert self._virtual_time is not None, "this lane's time is not virtual"
        self._due = ms, self._tab.traffic.documents
        return await self.observe()

    async def finish(self, answer: str, *, achievable: bool) -> None:
        """Do nothing, because our own pages do not take the answer."""

    async def close(self) -> None:
        """Close the context; the lane can be opened again."""
        context, self._context, self._tabs = self._context, None, None
        self._dialogs, self._broken = [], "the lane is not open"
        if context is not None:
            with suppress(ProtocolError, TimeoutError):
                async with asyncio.timeout(CLOSE_SECONDS):
                    await context.close()

    # One step ----------------------------------------------------------------------------------

    async def _guarded(self, work: Coroutine[Any, Any, Observation]) -> Observation:
        """Run a step until it ends, a dialog opens, or its time is over; return the observation."""
        if self._broken:
            work.close()
            raise BrowserFault(self._broken)
        interrupted = asyncio.get_running_loop().create_future()
        self._interrupted = interrupted
        step = asyncio.create_task(work)
        waiting: set[asyncio.Future[Any]] = {step, interrupted}
        try:
            await asyncio.wait(waiting, timeout=STEP_SECONDS, return_when=asyncio.FIRST_COMPLETED)
            if step.done() and not self._dialogs:
                return step.result()
        except BrowserFault as problem:
            raise self._break(str(problem), _fault_class(problem)) from problem
        except PageOverloaded as problem:
            self._broken = str(problem)
            raise
        finally:
            self._interrupted = None
            await _cancel(step)
        if self._dialogs:
            return self._behind_dialog(None)
        reason = f"the page did not answer within {STEP_SECONDS:g} s"
        if not self._broken and await self.browser.answers():
            self._broken = reason
            raise PageOverloaded(reason)
        raise self._break(self._broken or reason)

    async def _begin(self, view: str, screenshot: bool) -> Observation:
        observation = await self._look(None, view, screenshot)
        with suppress(Moved):  # a page that navigates again is observed again
            await self._tab.send("Page.resetNavigationHistory")
            self.inputs.clear()
            return observation
        return await self._begin(view, screenshot)

    async def _do(self, action: Action) -> Observation:
        tab, error = self._tab, None
        before = tab.state
        minutes, self._minutes = self._minutes, 0
        try:
            if self._virtual_time and minutes:
                await self._virtual_time.pass_minutes(tab, minutes)
            await self._perform(action)
        except Refused as problem:
            error = str(problem)
        except Moved:  # the action took effect: its page is gone
            pass
        if self._virtual_time and self._tab is tab:
            taken = self._virtual_time.taken_by(action, refused=error is not None)
            self._due = taken, before[0]
        observation = await self._look(error)
        if self._tab is tab and tab.state == before:
            self.inputs.append(action)
        else:
            self.inputs.clear()
        return observation

    async def _perform(self, action: Action) -> None:
        if isinstance(action, Respond):
            await self._respond(action)
        elif isinstance(action, SwitchTab):
            turn = self._open_tabs.close if action.close else self._open_tabs.turn_to
            await turn(action.index)
        elif isinstance(action, Wait):
            self._check_wait(action)
        else:
            await perform(self._tab, action, self._origins)

    def _check_wait(self, action: Wait) -> None:
        """Check the length of a wait; its time passes later, when the page is read. Raises
        `Refused`.
        """
        if self._virtual_time is None:
            raise Refused("Time does not pass with actions here, so there is nothing to wait for.")
        check_wait(action)

    async def _respond(self, action: Respond) -> None:
        if not self._dialogs:
            raise Refused("No dialog is open.")
        dialog = self._dialogs.pop(0)
        with self._tab.acting():
            await dialog.answer(accept=action.accept, text=action.text)

    # Looking -----------------------------------------------------------------------------------

    async def _look(
        self, error: str | None, view: str = "document", screenshot: bool = False, source: str = ""
    ) -> Observation:
        """Wait until the page has settled, keep every tab on the site, and read the page."""
        deadline = time.monotonic() + patient(SETTLE_SECONDS)
        tabs, settled, reading = self._open_tabs, True, None
        while reading is None:
            try:
                error = await tabs.adopt(deadline) or error
                error = await enforce(tabs, self._origins) or error
                reading, settled = await self._read(view, deadline, screenshot, source)
                picture = await self._picture(deadline) if screenshot and reading else None
            except Moved:
                tabs.forget_closed()
        self._last = Observation(
            reading.url,
            reading.title,
            reading.content,
            error=error or reading.problem or None,
            tabs=tabs.titles,
            tab=tabs.index,
            capped=not (settled and reading.settled),
            source=reading.source,
            more=reading.more,
            inputs=reading.inputs,
            action_seconds=self._action_seconds(reading),
            screenshot=picture,
        )
        return self._last

    def _action_seconds(self, reading: Reading) -> float | None:
        """Return the seconds of virtual time that an action takes, if the page offers the action
        `wait`; else None.
        """
        virtual = self._virtual_time
        return virtual.step_ms / 1000 if virtual and WAIT in reading.inputs else None

    async def _read(
        self, view: str, deadline: float, framed: bool, source: str
    ) -> tuple[Reading | None, bool]:
        """Read the tab in front once it is idle; return the reading, and whether the page had
        settled.

        With `framed`, wait for a frame first. The reading is None if a load or request began or
        ended in the meantime and enough time is left to try again.
        """
        tab = self._tab
        traffic, busy, document = tab.traffic, tab.traffic.busy, tab.traffic.documents
        settled = await traffic.idle(deadline)
        if self._unsettled(tab) and settled:
            return None, settled
        response_pending = framed or traffic.answered or (busy and traffic.documents == document)
        traffic.answered, commits = False, traffic.commits
        reading = await tab.read(
            view,
            patient(QUIET_MS),
            response_pending=response_pending,
            time_paused=self._virtual_time is not None and not framed,
            passing=self._passing(traffic.documents),
            source=source,
        )
        late = not settled or time.monotonic() > deadline
        # After a reply has arrived, a script may be about to show it. And when the reading arrives
        # here, the page may already have loaded another document.
        unsettled = self._unsettled(tab) or traffic.answered or traffic.commits != commits
        return (reading if late or not unsettled else None), settled

    def _passing(self, document: int) -> float:
        """Return the milliseconds of virtual time that are due in this document, and reset them to
        0.
        """
        (due, of), self._due = self._due, (0.0, 0)
        return due if of == document else 0.0

    def _unsettled(self, tab: Tab) -> bool:
        """Return whether the page cannot be read yet: a tab opened or closed, a request is pending,
        or the address lies outside the site.
        """
        return self._open_tabs.changed or tab.traffic.busy or outside(tab.url, *self._origins)

    async def _picture(self, deadline: float) -> bytes:
        """Return a screenshot of the window as PNG bytes, after the pictures in view have
        loaded.
        """
        await page_setup.show(self._tab)
        await self._tab.traffic.idle(deadline, pictures=True)
        reply = await self._tab.send("Page.captureScreenshot", format="png")
        return base64.b64decode(reply["data"])

    def _behind_dialog(self, error: str | None) -> Observation:
        prompt = self._dialogs[0]
        dialog = Dialog(prompt.kind, prompt.message, prompt.default)
        return replace(self._last, dialog=dialog, error=error, source="", screenshot=None)

    @property
    def _tab(self) -> Tab:
        return self._open_tabs.front

    @property
    def _open_tabs(self) -> Tabs:
        assert self._tabs is not None, "the lane is open"
        return self._tabs

    # Events of the context ---------------------------------------------------------------------

    def on_page(self, page: Page) -> None:
        """Add a page that another page has opened."""
        if self._tabs is not None:
            self._tabs.arrive(page)

    def on_dialog(self, dialog: OpenDialog) -> None:
        """Keep a dialog for the agent to answer; answer it at once if the page is being left or has
        opened too many dialogs.
        """
        self._dialog_count += 1
        if self._leaving or self._dialog_count > MOST_DIALOGS:
            forget(dialog.answer(accept=self._leaving))
        else:
            self._dialogs.append(dialog)
            self._interrupt()

    def on_crash(self) -> None:
        """End the current step with a fault, because the page's renderer crashed."""
        self._fail("the page's renderer crashed")

    def _receive_report(self, context: int, text: str) -> None:
        if self._on_report is not None:
            self._on_report(context, text)

    def _fail(self, reason: str) -> None:
        self._broken = reason
        self._interrupt()

    def _interrupt(self) -> None:
        if self._interrupted is not None and not self._interrupted.done():
            self._interrupted.set_result(None)

    def _break(self, reason: str, kind: type[BrowserFault] = BrowserFault) -> BrowserFault:
        self._broken = reason
        return kind(reason)

    # Reset -------------------------------------------------------------------------------------

    async def _renew(self, origins: tuple[str, ...]) -> None:
        """Replace the context with a new one."""
        await self.close()
        self._origins = origins
        try:
            setup = page_setup.commands(
                self._frozen_time,
                self._virtual_time,
                takes_reports=self._takes_reports,
                foreign=self._foreign,
                in_sight=self.browser.headed,
            )
            self._context = await new_context(self.browser, origins, list(setup), self)
        except ProtocolError as problem:
            raise BrowserFault(f"no context could be made: {problem}") from problem
        take = self._receive_report if self._takes_reports else None
        self._tabs = Tabs(self.browser, self._context, take)
        await self._tabs.first()
        self._broken = ""

    async def _cleared(self) -> bool:
        """Clear the browser context of the last episode; return False if that fails, so that the
        context must be replaced.
        """
        self._leaving = True
        try:
            await self._clear()
        except (BrowserFault, Moved, ProtocolError):
            return False
        finally:
            self._leaving = False
        return True

    async def _clear(self) -> None:
        """Leave the last episode's page and delete its cookies and storage."""
        while self._dialogs:
            await self._dialogs.pop().answer(accept=True)
        tab = await self._open_tabs.only_one()
        tab.home = ""
        # The first site last: a page of it keeps the renderer for the next episode.
        for each in reversed(self._origins):
            await self._empty(tab, each)
        await asyncio.gather(
            pointer.move(self._tab, pointer.AWAY),
            tab.send("Network.clearBrowserCookies"),
            *(
                tab.send("Storage.clearDataForOrigin", origin=each, storageTypes="all")
                for each in self._origins
            ),
        )

    async def _empty(self, tab: Tab, origin: str) -> None:
        """Open an empty page of a site, and delete the storage that its renderer holds.

        `Storage.clearDataForOrigin` does not delete the session's storage, and what the last page
        writes while it closes can arrive after it.
        """
        before = tab.traffic.documents
        await tab.send("Page.navigate", url=f"{origin}{BLANK}")
        await tab.traffic.another_document(before, time.monotonic() + patient(SETTLE_SECONDS))
        done = await tab.send("Runtime.evaluate", expression=EMPTY)
        if "exceptionDetails" in done:
            raise ProtocolError(f"the storage of {origin} was not emptied")

    async def _load(
        self, url: str, origins: tuple[str, ...], cookie: tuple[str, str] | None, fresh: bool
    ) -> None:
        """Load the start address in a cleared or new context."""
        if fresh or self._broken or origins != self._origins or not await self._cleared():
            await self._renew(origins)
        await self._admit(cookie)
        await self._tab.send("Page.navigate", url=url)

    async def _restarted(
        self, url: str, origins: tuple[str, ...], cookie: tuple[str, str] | None
    ) -> bool:
        """Restart the open page at this address without loading it.

        Return False if it must be loaded.
        """
        if self._virtual_time is None or self._broken or self._dialogs:
            return False
        tabs, tab = self._open_tabs, self._tab
        same = tab.url.partition("?")[0] == url.partition("?")[0] and origins == self._origins
        if not same or len(tabs.tabs) > 1 or tabs.changed or tab.traffic.busy:
            return False
        try:
            restart = self._restart(url, cookie)
            _, restarted = await asyncio.gather(pointer.move(self._tab, pointer.AWAY), restart)
        except Moved:
            return False
        return restarted

    async def _restart(self, url: str, cookie: tuple[str, str] | None) -> bool:
        assert self._virtual_time is not None
        await self._admit(cookie)
        if not await self._virtual_time.restart(self._tab, url):
            return False
        await self._tab.traffic.idle(time.monotonic() + patient(SETTLE_SECONDS))
        return True

    async def _admit(self, cookie: tuple[str, str] | None) -> None:
        """Set the visitor's cookie for each origin, and reset the count of dialogs."""
        self._dialog_count = 0
        if cookie is not None:
            for origin in self._origins:
                at = {"name": cookie[0], "value": cookie[1], "url": origin}
                await self._tab.send("Network.setCookie", **at, httpOnly=True)


def _fault_class(problem: Exception) -> type[BrowserFault]:
    return SiteSilent if isinstance(problem, SiteSilent) else BrowserFault


async def _cancel(task: asyncio.Task[Any]) -> None:
    """Cancel a task and wait for its end; its result is ignored."""
    if task.done():
        return
    task.cancel()
    await asyncio.wait({task}, timeout=1)
