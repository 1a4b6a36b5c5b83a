"""A screen of the airline desk together with its subject, such as a booking."""

from __future__ import annotations

from dataclasses import dataclass

from sites.crm.base.fields import short
from sites.site_app import Refusal

LONGEST_NUMBER = 9


@dataclass(frozen=True)
class Place:
    """A screen together with its subject, such as a booking.

    Attributes:
        screen: The name of the screen.
        parts: The number of a sale or the reference of a booking, and then the part of it.
    """

    screen: str
    parts: tuple[str, ...] = ()

    @property
    def subject(self) -> str:
        """The parts, joined by slashes."""
        return "/".join(self.parts)

    @property
    def number(self) -> int:
        """The number of the sale that the screen is about, taken from its address.

        Raises `Refusal` (404) if it is not a number.
        """
        text = self.parts[0]
        if not (text.isascii() and text.isdecimal()) or len(text) > LONGEST_NUMBER:
            raise Refusal(404, f"There is no search {short(text)}. Search again.")
        return int(text)

    @property
    def reference(self) -> str:
        """The booking that the screen is about."""
        return self.parts[0]

    def at(self, screen: str, *more: object) -> Place:
        """Return the place of another screen about the same sale or booking."""
        return Place(screen, (*self.parts[:1], *map(str, more)))
