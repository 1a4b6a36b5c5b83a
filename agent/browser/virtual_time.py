"""Virtual time of pages: each action takes `step_ms` or the time that it waits, and no time passes
between actions.

The page's own clock and timers are replaced before its scripts run. The browser's virtual time
(`Emulation.setVirtualTimePolicy`) would also stop the timers of the walker (the script that reads
the page) and the loading of documents: a navigation hangs while it is paused. Its budget would also
cost one more round trip per action.
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
_MOVE_ON = """ms => {
  dispatchEvent(new CustomEvent("rehearsal:time", { detail: ms }));
}"""


@dataclass(frozen=True)
class VirtualTime:
    """The virtual time of pages.

    Attributes:
        start: The pages' time when they are loaded, in epoch seconds.
        step_ms: Milliseconds that pass with each action that is no wait.
    """

    start: float
    step_ms: float

    @property
    def script(self) -> str:
        """Return the JavaScript that replaces a document's clock; it must run before the document's
        own scripts.
        """
        return call("virtual_time.js", self.start * 1000)

    def taken_by(self, action: Action, *, refused: bool) -> float:
        """Return the milliseconds of virtual time that an action takes."""
        if isinstance(action, Wait) and not refused:
            return action.seconds * 1000
        return self.step_ms

    async def pass_minutes(self, tab: Tab, minutes: int) -> None:
        """Let as much virtual time pass as this number of actions takes."""
        await tab.send(
            "Runtime.callFunctionOn",
            functionDeclaration=_MOVE_ON,
            executionContextId=await tab.context(),
            arguments=[{"value": minutes * self.step_ms}],
        )

    async def restart(self, tab: Tab, url: str) -> bool:
        """Ask the page to restart within its document, at another address of the same path.

        This is several times faster than loading the page.

        Returns:
            Whether the page has restarted. If not, it does not support this or a script has changed
                it, and it must be loaded.
        """
        reply = await tab.send(
            "Runtime.callFunctionOn",
            functionDeclaration=_RESTART,
            executionContextId=await tab.context(),
            arguments=[{"value": url}],
            returnByValue=True,
        )
        return reply["result"].get("value") is True
