"""The meeting point of a run's episodes and a client outside, which acts as the agent.

The client asks for a task and then sends lines; the episode answers each line with a text. Client
and episode may run in different threads with an event loop each. At any time it has one client, one
open task and one unanswered line.
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
    """Passes lines from a client to the open episode, and the episode's texts back to the client.

    The client calls `next_task`, `act` and `finish`; each returns a text for it. The engine calls
    the other methods.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._wanted: Future[None] = Future()
        """A future that is done while the client wants a task, and after the client has gone."""
        self._line: Future[str] | None = None
        """The future of the line that an open episode waits for, or None."""
        self._text: Future[str] | None = None
        """The future of the text that the client waits for, or None."""
        self._closed = ""
        self._is_shown = False
        """Whether the client has seen a page of the open task."""
        self.is_gone = False

    # The client's side ---------------------------------------------------------------------------

    async def next_task(self) -> str:
        """Wait for the next task and return its text; if a task is open, return it with its newest
        page.
        """
        with self._lock:
            text = self._send(AGAIN) if self._line else self._ask()
        return text if isinstance(text, str) else await wrap_future(text)

    async def act(self, action: str) -> str:
        """Do one action, written as a line, and return the page that follows."""
        with self._lock:
            text = self._send(action)
        return text if isinstance(text, str) else await wrap_future(text)

    async def finish(self, answer: str = "") -> str:
        """End the task with an answer, or "" if the task asks for none.

        The returned text confirms the end; it never contains the score.
        """
        return await self.act(actions.show(Stop(answer)))

    def hang_up(self) -> None:
        """Note that the client outside has disconnected for good."""
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
        """Wait until the client wants a task or has gone; return true if it wants a task."""
        with self._lock:
            wanted = self._wanted
        await wrap_future(wanted)
        return not self.is_gone

    async def exchange(self, text: str) -> str:
        """Show the client a text and return its next line.

        Raises:
            ClientLeft: The client has gone after it saw a page of this task.
            ClientGone: The client has gone before it saw a page of this task.
        """
        with self._lock:
            if self.is_gone:
                raise self._gone()
            self._line = line = Future[str]()
            self._is_shown = self._answer(text) or self._is_shown
        return await wrap_future(line)

    def end(self, termination: Termination) -> None:
        """Tell the client that its task, which is recorded by now, has ended."""
        with self._lock:
            self._line, self._is_shown = None, False
            self._answer(f"{ending(termination)} Call next_task.")

    def close(self) -> None:
        """Tell the client that no further task will come."""
        with self._lock:
            self._closed = DONE
            self._answer(DONE)

    def _gone(self) -> Exception:
        return ClientLeft(LEFT) if self._is_shown else ClientGone(GONE)

    def _answer(self, text: str) -> bool:
        """Answer the client's pending call with a text; return false if the client has stopped
        waiting.
        """
        waiting, self._text = self._text, None
        waits = waiting is not None and waiting.set_running_or_notify_cancel()
        if waiting and waits:
            waiting.set_result(text)
        if self._wanted.done() and not self.is_gone:
            self._wanted = Future()
        return waits


def ending(termination: Termination) -> str:
    """Return the text that tells the client how the task ended, without its score."""
    if termination.ended == "answered":
        return "Noted."
    if termination.ended == INFRA:
        return "The task has ended by a fault that is not yours."
    return f"The task has ended: {termination.error}."
