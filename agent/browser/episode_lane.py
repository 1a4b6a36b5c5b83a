"""The interface of a lane, the browser page that an episode uses, both for our own pages and for
external environments.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from agent.browser.picture import Picture
from agent.browser.reports import OnReport
from agent.interface import Action, Observation


class EpisodeLane(Protocol):
    """A browser page for one episode at a time. Call `open` first, and make one call at a time.

    Attributes:
        inputs: The actions since the page loaded its document or changed its address.
        instruction: The instruction that an environment gave when it was opened; "" for our own
            pages.
        start_url: The start address that an environment gave; "" for our own pages.
        is_over: Whether the environment has ended the episode; False for our own pages.
    """

    inputs: list[Action]
    instruction: str
    start_url: str
    is_over: bool

    async def open(
        self,
        url: str,
        *,
        cookie: tuple[str, str] | None = None,
        also: Sequence[str] = (),
        on_report: OnReport | None = None,
    ) -> Observation:
        """Begin an episode at this address.

        Args:
            url: The start address.
            cookie: Name and value of the visitor's cookie, or None.
            also: Other addresses whose origins the page may reach.
            on_report: Receives the reports of pages, or None.
        """
        ...

    async def observe(
        self, *, view: str = "document", screenshot: bool = False, source: str = ""
    ) -> Observation:
        """Return the current content of the page, as `agent.interface.Page.observe` does."""
        ...

    async def act(self, action: Action) -> Observation:
        """Perform the action, then observe."""
        ...

    def pass_minutes(self, minutes: int) -> None:
        """Let minutes of the visit's clock pass before the next action, on a page that has virtual
        time; do nothing elsewhere.
        """
        ...

    async def finish(self, answer: str, *, achievable: bool) -> None:
        """Hand in the answer to the task, if the page or its environment takes answers."""
        ...

    async def picture(self, action: Action | None = None) -> Picture | None:
        """Return a picture of the page for people, with the places of the action's targets, or None
        if it is not available.
        """
        ...

    async def close(self) -> None:
        """Release the resources of the lane; it can be opened again."""
        ...
