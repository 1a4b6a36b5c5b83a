"""Reports that pages send on their own to the lane that controls them, through a binding.

A binding is a function of the browser that pages can call. `reports.js` removes it from the window
before any script of the page runs, and gives it to the first script that asks for it.
"""

from __future__ import annotations

from collections.abc import Callable

from agent.browser.context import Command
from agent.browser.devtools import Reply, Session
from agent.browser.scripts import call

OnReport = Callable[[int, str], None]
"""A function that receives a page's report: the number of the page's JavaScript context, and the
text.
"""
_NAME = "rehearsalReport"
BINDING: Command = ("Runtime.addBinding", {"name": _NAME})


def script() -> str:
    """Return the JavaScript that lets a document send reports; it must run before the document's
    own scripts.
    """
    return call("reports.js", _NAME)


def follow(session: Session, on_report: OnReport) -> None:
    """Call `on_report` for every report of the documents in this session."""

    def receive(event: Reply) -> None:
        on_report(event["executionContextId"], event["payload"])

    session.on("Runtime.bindingCalled", receive)
