"""What pages report by themselves to the lane that drives them, through a binding.

A binding is a function of the browser's that pages can call. `reports.js` takes it off the window
before any script of the page runs, and hands it over to the first script that asks.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import resources
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.async_api import CDPSession

OnReport = Callable[[int, str], None]
"""Takes a report: the number of the page's JavaScript context, and the text."""
_BINDING = "rehearsalReport"


def script() -> str:
    """The script to run in every document before its own scripts."""
    text = resources.files("agent.browser").joinpath("reports.js").read_text("utf-8")
    return f"({text})({_BINDING!r})"


async def follow(session: CDPSession, on_report: OnReport) -> None:
    """Give the documents of a page the binding."""

    def receive(event: dict[str, Any]) -> None:
        on_report(event["executionContextId"], event["payload"])

    session.on("Runtime.bindingCalled", receive)
    await session.send("Runtime.enable")  # without it no binding is made
    await session.send("Runtime.addBinding", {"name": _BINDING})
