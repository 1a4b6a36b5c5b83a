"""The dial (difficulty setting) `mail`: a part of a ticket's mail that arrives while the agent
works on the ticket.

The dial names the ticket and the number of pages after which the part arrives. The part consists of
the paragraphs between the first and the last paragraph of the customer's mail.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

from sites.crm.airline_desk.operations.tickets import CUSTOMER, Message
from sites.dials import Dials
from sites.world import World


def late_mail(ticket: int, pages: int) -> str:
    """Return the value of the dial (difficulty setting) `mail`, as text.

    Args:
        ticket: The number of the ticket.
        pages: How many pages after the first opening of the ticket the part arrives.
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
        pages: How many pages after the first opening of the ticket the late part arrives.
        since: Screens and subjects of the pages opened after that.
        is_known: Whether the ticket was opened.
    """

    ticket: int
    pages: int
    since: Sequence[tuple[str, str]]
    is_known: bool

    @classmethod
    def of(cls, world: World) -> Self | None:
        """Return the state of the dial (difficulty setting) `mail` in the visit with this database,
        or None if it is not set.
        """
        dials = Dials.of(world)
        if dials is None or not dials.mail:
            return None
        ticket, pages = map(int, dials.mail.split())
        rows = world.read("SELECT screen, subject FROM log_pages ORDER BY id")
        opened = [(row["screen"], row["subject"]) for row in rows]
        own = ("ticket", str(ticket))
        is_known = own in opened
        since = opened[opened.index(own) + 1 :] if is_known else []
        return cls(ticket, pages, since, is_known)

    @property
    def is_there(self) -> bool:
        """Whether the late part of the mail has arrived when the current page is opened."""
        return self.is_known and len(self.since) + 1 >= self.pages

    @property
    def is_read(self) -> bool:
        """Whether the ticket was opened after the late part arrived."""
        return ("ticket", str(self.ticket)) in self.since[self.pages - 1 :]
