"""Time that passes only when the lane says so: so much with each action, none between them.

The page's own clock and timers are replaced before its scripts run. The browser's virtual time
(`Emulation.setVirtualTimePolicy`) would also stop the walker's timers and the loading of documents
(a navigation while it is paused hangs), and its budget costs a round trip more per action.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib import resources
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agent.browser.tab import Tab

_AGAIN = """address => {
  dispatchEvent(new CustomEvent("rehearsal:time"));
  return !dispatchEvent(new CustomEvent("rehearsal:again", { detail: address, cancelable: true }));
}"""


@dataclass(frozen=True)
class VirtualTime:
    """`start` is the pages' time when they are loaded, in epoch seconds; `step_ms` passes with
    each action."""

    start: float
    step_ms: float

    @property
    def script(self) -> str:
        """What must run in every document before its own scripts."""
        text = resources.files("agent.browser").joinpath("virtual_time.js").read_text("utf-8")
        return f"({text})({json.dumps(self.start * 1000)})"

    async def again(self, tab: Tab, url: str) -> bool:
        """Ask the page to begin again at another address of the same path, in its own document.

        False where it does not know how, or will not because a script was at work in it: then it
        must be loaded. This is several times cheaper than loading it.
        """
        reply = await tab.send(
            "Runtime.callFunctionOn",
            functionDeclaration=_AGAIN,
            executionContextId=await tab._context(),
            arguments=[{"value": url}],
            returnByValue=True,
        )
        return reply["result"].get("value") is True
