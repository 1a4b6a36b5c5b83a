"""The form of the model's replies: a program (MiniWoB++) or one action (Mind2Web)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Protocol

from agent.interface import Action, Observation, Reply

Act = Callable[[Action], Awaitable[Observation]]
"""Does one action on the page, as `Page.act`."""


class ReplyFormat(Protocol):
    """How replies are asked for, read and carried out."""

    @property
    def rounds(self) -> int:
        """The most replies of an episode."""
        ...

    @property
    def described(self) -> Mapping[str, str]:
        """What the system prompt needs to describe the form."""
        ...

    def read(self, reply: Reply) -> str:
        """The text of a reply that the trajectory shows. Raises ValueError, in words for the
        model."""
        ...

    def answer(self, text: str) -> str | None:
        """The answer of a reply that ends the task; None where it goes on."""
        ...

    async def run(self, text: str, seen: Observation, act: Act) -> tuple[Observation, str]:
        """Carry a reply out on the page that was seen: the new page, and what went wrong."""
        ...
