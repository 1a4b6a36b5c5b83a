"""A screen of the airline desk, and what it is about."""

from __future__ import annotations

from dataclasses import dataclass

from sites.crm.base.fields import short
from sites.site_app import Refusal

LONGEST_NUMBER = 9


@dataclass(frozen=True)
class Place:
    """`parts` are a sale's number or a booking's reference, and what of it."""

    screen: str
    parts: tuple[str, ...] = ()

    @property
    def subject(self) -> str:
        return "/".join(self.parts)

    @property
    def number(self) -> int:
        """The sale that the screen is about. Raises `Refusal` (404) where it is no number."""
        text = self.parts[0]
        if not (text.isascii() and text.isdecimal()) or len(text) > LONGEST_NUMBER:
            raise Refusal(404, f"There is no search {short(text)}. Search again.")
        return int(text)

    @property
    def reference(self) -> str:
        """The booking that the screen is about."""
        return self.parts[0]

    def at(self, screen: str, *more: object) -> Place:
        """Another screen about the same sale or booking."""
        return Place(screen, (*self.parts[:1], *map(str, more)))
