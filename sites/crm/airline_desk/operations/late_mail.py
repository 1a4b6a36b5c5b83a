"""The dial (difficulty setting) `mail`: a part of a ticket's mail that arrives while the agent
works on the ticket.

The dial names the ticket and the number of pages after which the part arrives. In a visit with a
clock, the part arrives at the minute `change` instead. The part consists of the paragraphs between
the first and the last paragraph of the customer's mail.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

from sites import clock
from sites.crm.airline_desk.operations.tickets import CUSTOMER, Message
from sites.dials import Dials
from sites.world import World


def late_mail(ticket: int, pages: int) -> str:
    """Return the value of the dial (difficulty setting) `mail`, as text.

    Args:
        ticket: The number of the ticket.
        pages: How many pages after the first opening of the ticket the part arrives; a visit with a
            clock ignores this number.
    """
    return f"{ticket} {pages}"


def held_back(body: str) -> tuple[str, str]:
    """Return a mail as two texts: the part that arrives at first, and the part that arrives later
    ("" if it has too few paragraphs).
    """
    first, *between, last = (body if "\n" in body else f"{body}\n").split("\n")
    if not between:
        return body, ""
    return "\n".join((first, last)), "\n".join((*between, last))


def delivered(world: World, ticket: int, mail: Sequence[Message]) -> Sequence[Message]:
    """Return the ticket's mail that has arrived when the current page is opened."""
    late = _LateMail.of(world)
    if late is None or late.ticket != ticket:
        return mail
    at = next(place for place, each in enumerate(mail) if each.sender == CUSTOMER)
    now, later = held_back(mail[at].body)
    come = sum(bool(each.at) for each in mail)  # mail of this visit comes after it
    rest = [Message("", CUSTOMER, mail[at].address, later)] if late.is_there else []
    before = [*mail[:at], replace(mail[at], body=now), *mail[at + 1 : come]]
    return [*before, *rest, *mail[come:]]


def unread(world: World, screen: str, subject: str) -> int | None:
    """Return the ticket with unread mail that a page should announce.

    Returns:
        The number of the ticket. None if it has no new mail, or if the page shows the ticket
        itself.
    """
    late = _LateMail.of(world)
    if late is None or not late.is_there or late.is_read:
        return None
    return None if (screen, subject) == ("ticket", str(late.ticket)) else late.ticket


@dataclass(frozen=True)
class _LateMail:
    """The state of the dial (difficulty setting) `mail` in a visit.

    Attributes:
        ticket: The number of the ticket.
        opened: Screens and subjects of the pages that were opened so far.
        arrived: The number of pages that were opened before the late part arrived; None if it has
            not arrived when the current page is opened.
    """

    ticket: int
    opened: Sequence[tuple[str, str]]
    arrived: int | None

    @classmethod
    def of(cls, world: World) -> Self | None:
        """Return the state of the dial (difficulty setting) `mail` in the visit with this database,
        or None if it is not set.
        """
        dials = Dials.of(world)
        if dials is None or not dials.mail:
            return None
        ticket, pages = map(int, dials.mail.split())
        rows = world.read("SELECT id, screen, subject FROM log_pages ORDER BY id")
        opened = [(row["screen"], row["subject"]) for row in rows]
        if dials.change:
            page = clock.changed_after(world)
            arrived = None if page is None else sum(row["id"] <= page for row in rows)
        else:
            arrived = _pages_before(opened, ticket, pages)
        return cls(ticket, opened, arrived)

    @property
    def is_there(self) -> bool:
        """Whether the late part of the mail has arrived when the current page is opened."""
        return self.arrived is not None

    @property
    def is_read(self) -> bool:
        """Whether the ticket was opened after the late part arrived, or never before."""
        own = ("ticket", str(self.ticket))
        return own in self.opened[self.arrived :] or own not in self.opened


def _pages_before(opened: Sequence[tuple[str, str]], ticket: int, pages: int) -> int | None:
    """Return how many pages were opened before the late part of a mail arrived, or None before
    that.

    Args:
        opened: Screens and subjects of the pages that were opened so far.
        ticket: The number of the ticket.
        pages: How many pages after the first opening of the ticket the part arrives.
    """
    own = ("ticket", str(ticket))
    needed = opened.index(own) + pages if own in opened else len(opened) + 1
    return needed if needed <= len(opened) else None
