"""What pages report by themselves to the lane that drives them, through a binding.

A binding is a function of the browser's that pages can call. `reports.js` takes it off the window
before any script of the page runs, and hands it over to the first script that asks.
"""

from __future__ import annotations

from collections.abc import Callable

from agent.browser.context import Command
from agent.browser.devtools import Reply, Session
from agent.browser.scripts import call

OnReport = Callable[[int, str], None]
"""Takes a report: the number of the page's JavaScript context, and the text."""
_NAME = "rehearsalReport"
BINDING: Command = ("Runtime.addBinding", {"name": _NAME})


def script() -> str:
    """The script to run in every document before its own scripts."""
    return call("reports.js", _NAME)


def follow(session: Session, on_report: OnReport) -> None:
    """Pass on what the documents of a page report."""

    def receive(event: Reply) -> None:
        on_report(event["executionContextId"], event["payload"])

    session.on("Runtime.bindingCalled", receive)
