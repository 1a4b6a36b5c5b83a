"""What an episode needs of a lane, be the page ours or an environment's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from agent.browser.picture import Picture
from agent.browser.reports import OnReport
from agent.interface import Action, Observation


class EpisodeLane(Protocol):
    """A browser page for one episode at a time; call `open` first, and make one call at a time.

    Where the page is an environment's, `instruction` and `start_url` are what it told when it was
    opened, and `is_over` whether it has ended the episode; of our own pages they stay "" and False.
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
        """Begin an episode at this address."""
        ...

    async def observe(
        self, *, view: str = "document", screenshot: bool = False, source: str = ""
    ) -> Observation:
        """What the page shows now."""
        ...

    async def act(self, action: Action) -> Observation:
        """Do it, and observe."""
        ...

    async def finish(self, answer: str, *, achievable: bool) -> None:
        """Hand in the answer, where it is the page's business."""
        ...

    async def picture(self, action: Action | None = None) -> Picture | None:
        """What a person sees now; None where that cannot be had."""
        ...

    async def close(self) -> None:
        """Give back what it holds; the lane can be opened again."""
        ...
