"""Virtual time: `step_ms` pass with each action or what it waits, and none between actions.

The page's own clock and timers are replaced before its scripts run. The browser's virtual time
(`Emulation.setVirtualTimePolicy`) would also stop the walker's timers and the loading of documents
(a navigation while it is paused hangs), and its budget costs a round trip more per action.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from agent.browser.scripts import call
from agent.interface import Action, Wait

if TYPE_CHECKING:
    from agent.browser.tab import Tab

_RESTART = """address => {
  dispatchEvent(new CustomEvent("rehearsal:time"));
  return !dispatchEvent(new CustomEvent("rehearsal:again", { detail: address, cancelable: true }));
}"""


@dataclass(frozen=True)
class VirtualTime:
    """`start` is the pages' time when they are loaded, in epoch seconds; `step_ms` passes with
    each action that is no wait."""

    start: float
    step_ms: float

    @property
    def script(self) -> str:
        """The script to run in every document before its own scripts."""
        return call("virtual_time.js", self.start * 1000)

    def taken_by(self, action: Action, *, refused: bool) -> float:
        """The milliseconds that pass with an action."""
        if isinstance(action, Wait) and not refused:
            return action.seconds * 1000
        return self.step_ms

    async def restart(self, tab: Tab, url: str) -> bool:
        """Ask the page to restart at another address of the same path, in its own document.

        Several times cheaper than loading it. False if the page does not support it, or refuses
        because a script has changed it: then it must be loaded.
        """
        reply = await tab.send(
            "Runtime.callFunctionOn",
            functionDeclaration=_RESTART,
            executionContextId=await tab.context(),
            arguments=[{"value": url}],
            returnByValue=True,
        )
        return reply["result"].get("value") is True
