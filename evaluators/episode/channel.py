"""Where a client outside and the episodes of a run meet.

The client asks for a task and sends lines, the episode answers each with a text. The two may stand
in different threads, each with an event loop of its own. One thing at a time: there is one client,
one open task, and one line that is not answered yet.
"""

from __future__ import annotations

from asyncio import wrap_future
from concurrent.futures import Future
from threading import Lock

from agent import actions
from agent.interface import Stop
from agent.methods.outside import AGAIN
from evaluators.episode.termination import ClientGone, ClientLeft, Termination
from evaluators.records.models import INFRA

NO_TASK = "There is no open task; call next_task."
BUSY = "What you called before is not done yet; wait for its answer, and call one thing at a time."
DONE = "All tasks are done; there is nothing more to do."
GONE = "the client hung up before it saw a page; it may go on when the run is resumed"
LEFT = "the client hung up in the middle, and the task counts as it was left"


class Channel:
    """`next_task`, `act` and `finish` are for the client; each returns a text for it."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._wanted: Future[None] = Future()
        """Done while the client wants a task, and once it has gone."""
        self._line: Future[str] | None = None
        """What an open episode waits for."""
        self._text: Future[str] | None = None
        """What the client waits for."""
        self._closed = ""
        self._is_shown = False
        """Whether the client has seen a page of the open task."""
        self.is_gone = False

    # The client's side ---------------------------------------------------------------------------

    async def next_task(self) -> str:
        """Wait for the next task; while one is open, that one and its newest page."""
        with self._lock:
            text = self._send(AGAIN) if self._line else self._ask()
        return text if isinstance(text, str) else await wrap_future(text)

    async def act(self, action: str) -> str:
        """Do one action, written as a line, and see the page that follows."""
        with self._lock:
            text = self._send(action)
        return text if isinstance(text, str) else await wrap_future(text)

    async def finish(self, answer: str = "") -> str:
        """End the task with an answer, empty where none is wanted. No score is told."""
        return await self.act(actions.show(Stop(answer)))

    def hang_up(self) -> None:
        """The client has gone for good."""
        with self._lock:
            self.is_gone = True
            if not self._wanted.done():
                self._wanted.set_result(None)
            if self._line and self._line.set_running_or_notify_cancel():
                self._line.set_exception(self._gone())
            self._line = None

    def _ask(self) -> Future[str] | str:
        if self._closed:
            return self._closed
        if self._text and not self._text.done():
            return BUSY
        if not self._wanted.done():
            self._wanted.set_result(None)
        self._text = Future()
        return self._text

    def _send(self, line: str) -> Future[str] | str:
        waiting, self._line = self._line, None
        if waiting is None or not waiting.set_running_or_notify_cancel():
            return BUSY if self._text else self._closed or NO_TASK
        self._text = Future()
        waiting.set_result(line)
        return self._text

    # The engine's side ---------------------------------------------------------------------------

    async def wants_task(self) -> bool:
        """Wait until the client wants a task; false where it has gone."""
        with self._lock:
            wanted = self._wanted
        await wrap_future(wanted)
        return not self.is_gone

    async def exchange(self, text: str) -> str:
        """Show the client a text, and wait for its next line.

        Raises `ClientLeft` where it has gone since it saw a page of this task, else `ClientGone`.
        """
        with self._lock:
            if self.is_gone:
                raise self._gone()
            self._line = line = Future[str]()
            self._is_shown = self._answer(text) or self._is_shown
        return await wrap_future(line)

    def end(self, termination: Termination) -> None:
        """The open task has ended, and is on record."""
        with self._lock:
            self._line, self._is_shown = None, False
            self._answer(f"{ending(termination)} Call next_task.")

    def close(self) -> None:
        """No further task will come."""
        with self._lock:
            self._closed = DONE
            self._answer(DONE)

    def _gone(self) -> Exception:
        return ClientLeft(LEFT) if self._is_shown else ClientGone(GONE)

    def _answer(self, text: str) -> bool:
        """Answer what the client called; false where it does not wait any more."""
        waiting, self._text = self._text, None
        waits = waiting is not None and waiting.set_running_or_notify_cancel()
        if waiting and waits:
            waiting.set_result(text)
        if self._wanted.done() and not self.is_gone:
            self._wanted = Future()
        return waits


def ending(termination: Termination) -> str:
    """What the client is told at the end of a task: never how well it was done."""
    if termination.ended == "answered":
        return "Noted."
    if termination.ended == INFRA:
        return "The task has ended by a fault that is not yours."
    return f"The task has ended: {termination.error}."
