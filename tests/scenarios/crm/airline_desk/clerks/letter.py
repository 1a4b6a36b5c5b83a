"""The clerk reads what letters of several wishes about one booking have in common."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from scenarios.crm.policy.facts import Facts, Request, Sender, Wish
from tests.scenarios.crm.airline_desk.clerk import Unreadable
from tests.scenarios.crm.airline_desk.clerks import case as _case
from tests.scenarios.crm.airline_desk.clerks import seats
from tests.scenarios.crm.airline_desk.clerks.case import TicketFacts
from tests.scenarios.crm.airline_desk.request_reader import Reader
from tests.scenarios.crm.tickets.clerks.ticket_refund import SLOTS

OWN_SLOTS = {**SLOTS, "name": seats.NAME, "seats": seats.SLOT}


@dataclass(frozen=True)
class Rest:
    """What the end of a letter says: what is true of each of its wishes, and which card pays."""

    facts: Facts
    card: Mapping[str, str]


def begin(reader: Reader, case: TicketFacts, idle: Iterable[str]) -> None:
    """Pass over what decides nothing, and see which booking it is about. Raises `Unreadable`."""
    for act in idle:
        list(reader.all(act))
    if reader.take("ask")["reference"] != case.booking.reference:
        raise Unreadable("the mail is about another booking")


def end(reader: Reader, case: TicketFacts, wish: Wish) -> Rest:
    """All that is left: whether it shall cost nothing, the card, and who writes."""
    is_free = reader.find("free") is not None
    card = reader.take("pay")
    given = _case.given(reader, case)
    reader.take("sign")
    reader.end()
    sender = Sender(given=given)  # type: ignore[arg-type]
    request = Request(wish, sender, wrote=case.letter.wrote, free=is_free)
    return Rest(Facts(case.customer, case.booking, request, case.events), card)
