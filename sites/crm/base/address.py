"""The addresses of the published desk's screens, and the screens at these addresses."""

from __future__ import annotations

import re
from dataclasses import dataclass

_NUMBER = r"[1-9][0-9]{0,5}"
_REFERENCE = r"[^/]{1,40}"

SCREENS = {
    "flights": "/flights",
    "results": "/flights/{}",
    "passenger": "/flights/{}/passenger",
    "payment": "/flights/{}/payment",
    "receipt": "/flights/{}/receipt",
    "find": "/bookings",
    "booking": "/bookings/{}",
    "cancel": "/bookings/{}/cancel",
    "modify": "/bookings/{}/passenger",
    "modify-search": "/bookings/{}/flights",
    "modify-results": "/bookings/{}/flights/{}",
}


@dataclass(frozen=True)
class Place:
    """A screen of the published desk together with its subject.

    Attributes:
        screen: A key of `SCREENS`.
        subject: "", the number of a journey, a booking reference, or `<reference>/<journey>`.
    """

    screen: str
    subject: str = ""

    @property
    def address(self) -> str:
        """The path of the screen."""
        return SCREENS[self.screen].format(*self.subject.split("/"))

    @property
    def reference(self) -> str:
        """The booking that a screen of `/bookings` is about."""
        return self.subject.split("/")[0]

    @property
    def number(self) -> int:
        """The number of the journey that the screen is about."""
        return int(self.subject.split("/")[-1])


def read(address: str) -> Place | None:
    """Return the screen of the published desk at an address, or None if no screen has this form of
    address.

    It does not check that the booking or the journey exists.
    """
    for screen, pattern in _PATTERNS.items():
        match = pattern.fullmatch(address)
        if match:
            return Place(screen, "/".join(map(normal, match.groups())))
    return None


def screen_about(screen: str, subject: str) -> Place | None:
    """Return the screen with this name and subject, or None if there is no such screen or it has no
    such subject.
    """
    template = SCREENS.get(screen, "")
    parts = subject.split("/") if subject else []
    if not template or len(parts) != template.count("{}"):
        return None
    return read(template.format(*parts))


def normal(reference: str) -> str:
    """Return a booking reference in upper case, without blanks."""
    return "".join(reference.split()).upper()


def _pattern(template: str) -> re.Pattern[str]:
    """Return the pattern that matches the addresses of a screen, given the screen's address
    template.
    """
    parts = [_NUMBER] if template.startswith("/flights") else [_REFERENCE, _NUMBER]
    return re.compile(template.format(*(f"({part})" for part in parts)))


_PATTERNS = {screen: _pattern(template) for screen, template in SCREENS.items()}
