"""A browser context: its pages, as they open and close, and their JavaScript dialogs."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Protocol

from agent.browser.devtools import Connection, ProtocolError, Reply, Session

Command = tuple[str, dict[str, Any]]
_ATTACH: Command = (
    "Target.setAutoAttach",
    {"autoAttach": True, "waitForDebuggerOnStart": True, "flatten": True},
)
_OF_FRAMES = ("Page.enable", "Runtime.enable", "Page.addScriptToEvaluateOnNewDocument")


@dataclass(eq=False)
class Page:
    """A page of the browser; `target` is its id in the DevTools protocol, which is also the id of
    its main frame.
    """

    target: str
    session: Session
    context: Context
    opened_at: str

    @property
    def closed(self) -> bool:
        """Whether the page is gone."""
        return self.session.closed

    async def close(self) -> None:
        """Close the page without its "beforeunload" handler, and wait until it is gone."""
        gone = self.session.expect("closed")
        await self.context.targets.root.send("Target.closeTarget", targetId=self.target)
        await gone


@dataclass(frozen=True)
class OpenDialog:
    """A dialog that a page has opened; `kind` is alert, confirm, prompt or beforeunload."""

    session: Session
    kind: str
    message: str
    default: str

    def answer(self, *, accept: bool, text: str | None = None) -> asyncio.Future[Reply]:
        """Answer the dialog; `text` is the reply to a prompt."""
        more = {} if text is None else {"promptText": text}
        return self.session.send("Page.handleJavaScriptDialog", accept=accept, **more)


class Listener(Protocol):
    """The interface of objects that receive the events of a browser context."""

    def on_page(self, page: Page) -> None:
        """Handle a page that another page has opened."""

    def on_dialog(self, dialog: OpenDialog) -> None: ...

    def on_crash(self) -> None:
        """Handle a crash of a page's renderer."""


@dataclass(eq=False)
class Context:
    """A browser context, created by `Targets.new_context`; it reports pages and dialogs to
    `listener`.

    Each page gets the commands of `setup` before any of its scripts runs. A frame in a process of
    its own gets the scripts among these commands.
    """

    targets: Targets
    name: str
    setup: Sequence[Command]
    listener: Listener
    _expected: asyncio.Future[Page] | None = None

    async def new_page(self) -> Page:
        """Open an empty page and return it. Pages that other pages open go to `on_page`."""
        self._expected = asyncio.get_running_loop().create_future()
        await self.targets.root.send(
            "Target.createTarget", url="about:blank", browserContextId=self.name
        )
        return await self._expected

    async def close(self) -> None:
        """Close the context and all its pages."""
        del self.targets.contexts[self.name]
        await self.targets.root.send("Target.disposeBrowserContext", browserContextId=self.name)

    async def attach(self, session: Session, about: Reply) -> None:
        """Send the setup commands to a new page that the browser has paused, and let the page
        continue.
        """
        page = Page(about["targetId"], session, self, about["url"] or "about:blank")
        session.on("Page.javascriptDialogOpening", lambda event: self._dialog(session, event))
        session.on("Inspector.targetCrashed", lambda _: self.listener.on_crash())
        session.on("Target.attachedToTarget", self._attach_child)
        sent = [session.send(name, **values) for name, values in (_ATTACH, *self.setup)]
        sent.append(session.send("Runtime.runIfWaitingForDebugger"))
        expected = None if about.get("openerId") else self._expected
        if expected is None or expected.done():
            self.listener.on_page(page)
            await asyncio.gather(*sent)
            return
        try:
            await asyncio.gather(*sent)
        except ProtocolError as problem:
            if not expected.done():  # the opener may have been cancelled meanwhile
                expected.set_exception(problem)
        else:
            if not expected.done():
                expected.set_result(page)

    def _attach_child(self, event: Reply) -> None:
        """Send the scripts of the setup to a frame that has a process of its own, and let it
        continue; a worker continues without scripts.
        """
        session = self.targets.connection.session(event["sessionId"])
        session.on("Target.attachedToTarget", self._attach_child)
        frame = event["targetInfo"]["type"] == "iframe"
        scripts = [one for one in self.setup if frame and one[0] in _OF_FRAMES]
        self.targets.resume(session, [_ATTACH, *scripts])

    def _dialog(self, session: Session, event: Reply) -> None:
        self.listener.on_dialog(
            OpenDialog(session, event["type"], event["message"], event.get("defaultPrompt", ""))
        )


class Targets:
    """The targets of a browser in the sense of the DevTools protocol (pages, frames, workers).

    Each is attached to as soon as it begins and is passed to its context.
    """

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.root = connection.root
        self.contexts: dict[str, Context] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self.root.on("Target.attachedToTarget", self._attached)

    async def follow(self) -> None:
        """Attach to all targets that exist or open from now on."""
        await self.root.send(_ATTACH[0], **_ATTACH[1])

    async def new_context(
        self, setup: Sequence[Command], listener: Listener, **options: Any
    ) -> Context:
        """Create a context whose pages cannot download files and have no permissions.

        Args:
            setup: Commands for each new page.
            listener: Receives the events of the context.
            **options: Options of the command `Target.createBrowserContext`.
        """
        reply = await self.root.send("Target.createBrowserContext", disposeOnDetach=True, **options)
        name = reply["browserContextId"]
        await asyncio.gather(
            self.root.send("Browser.setDownloadBehavior", behavior="deny", browserContextId=name),
            self.root.send("Browser.grantPermissions", permissions=[], browserContextId=name),
        )
        self.contexts[name] = Context(self, name, setup, listener)
        return self.contexts[name]

    def resume(self, session: Session, commands: Sequence[Command] = ()) -> None:
        """Send the commands to a target that the browser has paused, and let it continue."""
        self._run(self._resumed(session, commands))

    async def _resumed(self, session: Session, commands: Sequence[Command]) -> None:
        sent = [session.send(name, **values) for name, values in commands]
        await asyncio.gather(*sent, session.send("Runtime.runIfWaitingForDebugger"))

    def _attached(self, event: Reply) -> None:
        session, about = self.connection.session(event["sessionId"]), event["targetInfo"]
        context = self.contexts.get(about.get("browserContextId", ""))
        if context is None or about["type"] != "page":
            self.resume(session)
        else:
            self._run(context.attach(session, about))

    def _run(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(self._quietly(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _quietly(self, work: Coroutine[Any, Any, None]) -> None:
        """Await the coroutine; ignore errors of a target that disappears while it is set up."""
        with suppress(ProtocolError):
            await work
