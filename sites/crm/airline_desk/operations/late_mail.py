"""A part of a ticket's mail that arrives while somebody works on it.

The dial `mail` names the ticket, and with which page after it the rest is there: what stands
between the first and the last paragraph of the customer's mail.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

from sites.crm.airline_desk.operations.tickets import CUSTOMER, Message
from sites.dials import Dials
from sites.world import World


def late_mail(ticket: int, pages: int) -> str:
    """The dial `mail`: the rest arrives with so many pages after the ticket was opened first."""
    return f"{ticket} {pages}"


def held_back(body: str) -> tuple[str, str]:
    """What a mail says at first, and what comes later; "" where it has no part for that."""
    first, *between, last = (body if "\n" in body else f"{body}\n").split("\n")
    if not between:
        return body, ""
    return "\n".join((first, last)), "\n".join((*between, last))


def delivered(world: World, ticket: int, mail: Sequence[Message]) -> Sequence[Message]:
    """The mail of a ticket as far as it has arrived with the page that is opened now."""
    late = _LateMail.of(world)
    if late is None or late.ticket != ticket:
        return mail
    at = next(place for place, each in enumerate(mail) if each.sender == CUSTOMER)
    now, later = held_back(mail[at].body)
    come = sum(bool(each.at) for each in mail)  # what this visit brought stands behind it
    rest = [Message("", CUSTOMER, mail[at].address, later)] if late.is_there else []
    before = [*mail[:at], replace(mail[at], body=now), *mail[at + 1 : come]]
    return [*before, *rest, *mail[come:]]


def unread(world: World, screen: str, subject: str) -> int | None:
    """The ticket that has new mail, on a page that is about something else."""
    late = _LateMail.of(world)
    if late is None or not late.is_there or late.is_read:
        return None
    return None if (screen, subject) == ("ticket", str(late.ticket)) else late.ticket


@dataclass(frozen=True)
class _LateMail:
    """The dial, and the pages that were opened since the ticket was opened first, as screens and
    subjects."""

    ticket: int
    pages: int
    since: Sequence[tuple[str, str]]
    is_known: bool

    @classmethod
    def of(cls, world: World) -> Self | None:
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
        """Whether it has arrived with the page that is opened now."""
        return self.is_known and len(self.since) + 1 >= self.pages

    @property
    def is_read(self) -> bool:
        """Whether the ticket was opened since it arrived."""
        return ("ticket", str(self.ticket)) in self.since[self.pages - 1 :]
