"""The clerk works on a ticket that asks for other flights, by its pages and the handbook."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date

from scenarios.crm.policy import Decision, decide
from scenarios.crm.policy.decision import ExtendVoucher, IssueVoucher, Pay, Rebook
from scenarios.crm.policy.facts import Change, Facts, Request, Sender, Voucher
from tests.scenarios.crm.after_sale.clerks import move_one_leg
from tests.scenarios.crm.airline_desk import request_reader
from tests.scenarios.crm.airline_desk.clerk import Clerk, Unreadable
from tests.scenarios.crm.airline_desk.clerks import booking as _booking
from tests.scenarios.crm.airline_desk.clerks import case as _case
from tests.scenarios.crm.airline_desk.clerks import deeds
from tests.scenarios.crm.airline_desk.clerks import offers as _offers
from tests.scenarios.crm.airline_desk.clerks.case import Filed, TicketFacts
from tests.scenarios.crm.airline_desk.clerks.handbook import Handbook
from tests.scenarios.crm.airline_desk.clerks.offers import Listed
from tests.scenarios.crm.airline_desk.clerks.tickets import Tickets
from tests.scenarios.crm.airline_desk.request_reader import MONTHS, Reader, minutes
from tests.scenarios.crm.tickets.clerks.ticket_refund import SLOTS
from tests.scenarios.crm.tickets.clerks.ticket_third_party import EMAIL

FAMILY = "ticket_change"
NEEDED = ("airports", "today", "mails", "tables", "offers", "articles")
SAME_DAY = "on the day that it has now, with other flights"
_CLOCK = r"\d\d:\d\d"
OWN_SLOTS = {
    **SLOTS,
    "way": "way out|way home",
    "when": rf"{SAME_DAY}|{move_one_leg.WHEN}|on \d+ (?:{'|'.join(MONTHS)})",
    **dict.fromkeys(("leaves", "arrives", "clock"), _CLOCK),
    "most": r"\$\d+",
    "email": EMAIL,
    "relative": r"[a-z-]+",
    "tier": r"[A-Z]\w+(?: \d)?",
    "fare": r"[A-Z]\w+",
    "code": r"V\d+",
}
DECIDING_NOTHING = ("digress", "sad", "promised", "death", "tier", "fare")
"""What decides nothing: the pages say what is so."""
ORDERS: Mapping[str, Callable[[Listed, Mapping[str, str]], int]] = {
    "named": lambda each, _: each.seen.departs,
    "arrives": lambda each, _: each.lands,
    "leaves": lambda each, _: -each.seen.departs,
    "near": lambda each, values: abs(each.seen.departs - minutes(values["clock"])),
}
"""How the flights of a day are wished for: those first of which this is least."""


@dataclass(frozen=True)
class Asked:
    """What the mail says: of the change, in which order, and of what is done besides."""

    change: Mapping[str, str]
    order: str
    values: Mapping[str, str]
    email: str
    voucher: str
    card: Mapping[str, str]
    request: Request


def work(clerk: Clerk, request: str) -> str:
    desk, cities, today = Tickets(clerk), clerk.suggestions, clerk.today()
    slots = OWN_SLOTS | {"city": clerk.slots()["city"]}
    number = Reader(FAMILY, slots, request).take("work")["number"]
    book = Handbook(desk)
    edition, clocks = book.edition(), book.clocks()
    filed = _case.open_ticket(desk, number)
    reader = filed.reader(FAMILY, slots)
    change = _change(reader)
    codes = {label[-4:-1] for city, label in cities if city == change["city"]}
    case = _about(desk, filed, codes, clocks)
    asked = _asked(reader, case, change)
    offers = _wished(desk, case, asked, clocks, today)
    wish = replace(asked.request, **_changes(clerk, case, asked, offers))
    facts = Facts(case.customer, case.booking, wish, documents=case.documents)
    decisions = [decide(edition, facts)]
    if asked.email:
        mailbox = Request("email", wish.sender, wrote=wish.wrote)
        decisions.append(decide(edition, replace(facts, request=mailbox)))
    _do(desk, number, case, asked, offers, decisions)
    article = (*decisions[0].grounds, *decisions[0].derivation)[0]
    desk.close(number, deeds.end(decisions), article, decisions[0].amount)
    return ""


# The mail ----------------------------------------------------------------------------------------


def _change(reader: Reader) -> Mapping[str, str]:
    for act in DECIDING_NOTHING:
        list(reader.all(act))
    return reader.take("ask")


def _about(
    desk: Tickets, filed: Filed, codes: set[str], clocks: Mapping[str, float]
) -> TicketFacts:
    """The one of its bookings that goes to these airports."""
    cases = [TicketFacts(filed, _booking.read(desk, each, clocks)) for each in filed.references]
    found = [each for each in cases if each.booking.way("outward")[-1].destination in codes]
    if len(found) != 1:
        raise Unreadable("which booking it is about")
    return found[0]


def _asked(reader: Reader, case: TicketFacts, change: Mapping[str, str]) -> Asked:
    orders = {each: values for each in ORDERS if (values := reader.find(each)) is not None}
    [(order, values)] = orders.items()
    most = (reader.find("ceiling") or {}).get("most", "")
    email = (reader.find("mailbox") or {}).get("email", "")
    free = reader.find("free") is not None
    ways = [each for each in ("raise", "resell") if reader.find(each) is not None]
    voucher = (reader.find("voucher") or {}).get("code", "")
    card = reader.take("charge")
    given = _case.given(reader, case)
    reader.take("sign")
    reader.end()
    request = Request(
        "change",
        Sender(given=given),  # type: ignore[arg-type]
        wrote=case.letter.wrote,
        free=free,
        way_round=ways[0] if ways else "",  # type: ignore[arg-type]
        most=int(most[1:]) if most else None,
        vouchers=tuple(_vouchers(case, voucher)),
    )
    return Asked(change, order, values, email, voucher, card, request)


def _vouchers(case: TicketFacts, code: str) -> Iterator[Voucher]:
    if code:
        balance, last = case.about.vouchers[code]
        yield Voucher(code, case.customer.number, balance, last)


# The flights -------------------------------------------------------------------------------------


def _wished(
    desk: Tickets, case: TicketFacts, asked: Asked, clocks: Mapping[str, float], today: date
) -> list[Listed]:
    """Those of the day, in the order of the wish; of one that is named alone no other, and none
    where it is sold out."""
    way = move_one_leg.WAYS[asked.change["way"]]
    own = case.booking.way(way)
    day = _day(asked.change["when"], case, own[0].day, today)
    offers = _offers.listed(desk, case.booking, way, day, clocks)
    if asked.order == "named":
        times = minutes(asked.values["leaves"]), minutes(asked.values["arrives"])
        return [each for each in offers if (each.seen.departs, each.seen.arrives) == times]
    if day == own[0].day:
        taken = {each.flight for each in own}
        offers = [each for each in offers if not taken & {*each.numbers}]
    return sorted(offers, key=lambda each: ORDERS[asked.order](each, asked.values))


def _day(text: str, case: TicketFacts, own: date, today: date) -> date:
    if text == SAME_DAY:
        return own
    if "the day on which" not in text:
        return request_reader.day(text, today)
    booking = case.booking
    return move_one_leg.named_day(
        text, {each: booking.way(each)[0].day for each in booking.directions()}
    )


def _changes(
    clerk: Clerk, case: TicketFacts, asked: Asked, offers: list[Listed]
) -> dict[str, object]:
    """The changes of the request; of a flight that is sold out one without a fare."""
    way = move_one_leg.WAYS[asked.change["way"]]
    old = sum(each.fares[way] for each in case.booking.passengers)
    found = [
        Change(
            way,
            each.segments,
            {
                brand: _offers.price(clerk, one.price, case.booking)
                for brand, one in each.fares.items()
            },  # type: ignore[arg-type]
            old,
        )
        for each in offers
    ]
    first, *others = found or [Change(way, case.booking.way(way), {}, old)]
    return {"change": first, "instead": tuple(others)}


# What is done ------------------------------------------------------------------------------------


def _do(
    desk: Tickets,
    number: str,
    case: TicketFacts,
    asked: Asked,
    offers: list[Listed],
    decisions: list[Decision],
) -> None:
    reference, made = case.booking.reference, decisions[0]
    deeds.collect(desk, number, reference, made, asked.card)
    for each in made.changes:
        if isinstance(each, Rebook):
            _rebook(desk, number, case, asked, offers, made, each)
        elif isinstance(each, IssueVoucher):
            desk.issue(reference, each.amount, each.until)
    if any(each.changes for each in decisions[1:]):
        desk.contact(number, asked.email)


def _rebook(
    desk: Tickets,
    number: str,
    case: TicketFacts,
    asked: Asked,
    offers: list[Listed],
    made: Decision,
    move: Rebook,
) -> None:
    taken = next(each for each in offers if each.numbers == move.flights)
    deeds.agree(desk, number, "flights", move.fee + move.difference, " ".join(move.flights))
    for each in made.changes:
        if isinstance(each, ExtendVoucher):
            desk.extend(case.booking.reference, each.code, each.until)
    _offers.take(desk, taken.fares[move.brand])
    by = {each.voucher: each.amount for each in made.changes if isinstance(each, Pay)}
    desk.move(move.fee, move.difference, by, deeds.typed(asked.card))
