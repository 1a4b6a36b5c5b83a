"""The clerk works on a ticket about bags, new ones and lost ones, by its pages and the handbook."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date, timedelta

from scenarios.crm.policy import Decision, decide
from scenarios.crm.policy.decision import Reimburse, SetBags
from scenarios.crm.policy.facts import Booking, Facts, NewBags, Receipt, Request, Sender
from scenarios.crm.tickets.bags.letter import ITEMS, NUMBERS
from tests.scenarios.crm.after_sale.clerks.move_one_leg import WAYS
from tests.scenarios.crm.airline_desk.clerk import MONEY, Clerk, Unreadable
from tests.scenarios.crm.airline_desk.clerks import case as _case
from tests.scenarios.crm.airline_desk.clerks import deeds
from tests.scenarios.crm.airline_desk.clerks.booking import WORDS
from tests.scenarios.crm.airline_desk.clerks.case import TicketFacts
from tests.scenarios.crm.airline_desk.clerks.handbook import Handbook
from tests.scenarios.crm.airline_desk.clerks.tickets import Tickets
from tests.scenarios.crm.airline_desk.request_reader import Reader
from tests.scenarios.crm.tickets.clerks.ticket_refund import SLOTS

FAMILY = "ticket_bags"
NEEDED = ("mails", "tables", "total", "articles")
MOST = 4
"""So many pieces the form takes."""
_THING = "|".join(map(re.escape, ITEMS.values()))
_PIECES = rf"(?:{'|'.join(NUMBERS)}) (?:case|suitcase|bag)s?"
_WANT = rf"(?:{_PIECES}|{_THING}|{_PIECES} and (?:{_THING})) for [A-Z][\w'’-]+"
_EACH = re.compile(rf"(?:({_PIECES})(?: and )?)?({_THING})? for ([A-Z][\w'’-]+)")
OWN_SLOTS = {
    **SLOTS,
    "way": "way out|way home",
    "wants": rf"{_WANT}(?:(?:, | and ){_WANT})*",
    "amount": MONEY.pattern,
    "tier": r"[A-Z]\w+(?: \d)?",
}
DECIDING_NOTHING = ("digress", "sad", "tier", "arrived", "paid-up")
"""What decides nothing: the pages say what is so."""
LOSS = r"Bags not on the belt after ([A-Z]{2}\d{4}), report of their loss taken"
RECEIPT = r"(.+?): .+\. ([^.]*?[\d.,]*\d(?: \$)?), in the name of (.+)\."
PAID = r"{bags}, {way}: \d+ booked, (.+) paid"


def work(clerk: Clerk, request: str) -> str:
    desk = Tickets(clerk)
    number = Reader(FAMILY, OWN_SLOTS, request).take("work")["number"]
    book = Handbook(desk)
    edition, clocks = book.edition(), book.clocks()
    case = _case.read(desk, number, clocks)
    reader = case.filed.reader(FAMILY, OWN_SLOTS)
    facts, card = read_mail(desk, reader, case, clocks)
    settle(desk, number, case, decide(edition, facts), card)
    return ""


# The mail ----------------------------------------------------------------------------------------


def read_mail(
    desk: Tickets, reader: Reader, case: TicketFacts, clocks: Mapping[str, float]
) -> tuple[Facts, Mapping[str, str]]:
    """The facts with what the mail says, and the card that it names."""
    for act in DECIDING_NOTHING:
        list(reader.all(act))
    if reader.take("ask")["reference"] != case.booking.reference:
        raise Unreadable("the mail is about another booking")
    bags = wanted(desk, reader, case)
    is_lost = reader.find("lost") is not None
    unproven = (reader.find("told") or {}).get("amount", "")
    is_free = reader.find("free") is not None
    card = reader.take("pay")
    given = _case.given(reader, case)
    reader.take("sign")
    reader.end()
    request = Request(
        "bags" if bags else "lost-bag",
        Sender(given=given),  # type: ignore[arg-type]
        wrote=case.letter.wrote,
        bags=bags,
        receipts=tuple(_receipts(desk, case, unproven)) if is_lost else (),
        free=is_free,
    )
    lost = _lost(case, clocks)
    return Facts(case.customer, case.booking, request, case.events, bag_lost=lost), card


def wanted(desk: Tickets, reader: Reader, case: TicketFacts) -> tuple[NewBags, ...]:
    """The bags that a mail wants, in the order of the flights."""
    found = {}
    for act in ("more", "all"):
        for values in reader.all(act):
            way = WAYS[values["way"].casefold()]
            found[way] = _new_bags(desk, case, way, values["wants"], in_all=act == "all")
    return tuple(found[way] for way in case.booking.directions() if way in found)


def _new_bags(desk: Tickets, case: TicketFacts, way: str, wants: str, *, in_all: bool) -> NewBags:
    """All that there shall be in a direction."""
    firsts = {name.partition(" ")[0]: at for at, name in case.about.names.items()}
    named = {}
    sports = {}
    for pieces, item, first in _EACH.findall(wants):
        named[firsts[first]] = NUMBERS.index(pieces.split()[0].casefold()) if pieces else 0
        sports |= {firsts[first]: 1} if item else {}
    seated = [each.number for each in case.booking.passengers if each.kind != "infant"]
    old = {at: 0 if in_all else case.about.bags.get((way, at), 0) for at in seated}
    pieces = {at: old[at] + named.get(at, 0) for at in seated}
    return NewBags(way, pieces, sports, _paid(desk, case, way))


def _paid(desk: Tickets, case: TicketFacts, way: str) -> int:
    """What was paid for the bags of a direction, by the history."""
    words = {"bags": desk.word("cost-bags"), "way": desk.word(WORDS[way])}
    pattern = PAID.format(**{key: re.escape(text) for key, text in words.items()})
    found = [re.fullmatch(pattern, text) for _, text in case.about.history]
    sums = [desk.money(each[1]) for each in found if each]
    if len(sums) != 1:
        raise Unreadable(f"what was paid for bags {way}")
    return sums[0]


def _receipts(desk: Tickets, case: TicketFacts, unproven: str) -> Iterator[Receipt]:
    """Those that are attached, and what is only told."""
    numbers = {name: at for at, name in case.about.names.items()}
    for _, _, text in case.filed.attached:
        found = re.fullmatch(RECEIPT, text)
        if found is None:
            raise Unreadable(text)
        day, amount, name = found.groups()
        yield Receipt(numbers.get(name, 0), desk.day(day), desk.money(amount))
    if unproven:
        yield Receipt(0, case.letter.wrote.date(), desk.money(unproven))


def _lost(case: TicketFacts, clocks: Mapping[str, float]) -> date | None:
    """The local day on which they arrived without their bags, by the history."""
    for _, text in case.about.history:
        if found := re.fullmatch(LOSS, text):
            return arrival(case.booking, found[1], clocks)
    return None


def arrival(booking: Booking, number: str, clocks: Mapping[str, float]) -> date:
    """The local day on which a flight of a booking lands."""
    [flight] = [each for each in booking.segments if each.flight == number]
    return (flight.arrives + timedelta(hours=clocks[flight.destination])).date()


# What is done ------------------------------------------------------------------------------------


def settle(
    desk: Tickets, number: str, case: TicketFacts, decision: Decision, card: Mapping[str, str]
) -> None:
    """Give, charge, sell and close what is decided."""
    reference = case.booking.reference
    for each in decision.changes:
        if isinstance(each, Reimburse):
            deeds.agree(desk, number, "compensation", each.amount)
            desk.pay_out(reference, {"lost-bag": each.amount})
    deeds.collect(desk, number, reference, decision, card)
    for each in decision.changes:
        if isinstance(each, SetBags):
            _sell(desk, number, case, each, card)
    deeds.close(desk, number, decision)


def _sell(
    desk: Tickets, number: str, case: TicketFacts, bags: SetBags, card: Mapping[str, str]
) -> None:
    pack(desk, number, case, bags)
    if bags.price:
        desk.collect(case.booking.reference, bags.price, deeds.typed(card), "bags")


def pack(desk: Tickets, number: str, case: TicketFacts, bags: SetBags) -> None:
    """Offer what bags cost, and set them."""
    if bags.price:
        deeds.agree(desk, number, "fee", bags.price)
    names = case.about.names
    pieces = {(way, names[who]): min(pieces, MOST) for way, who, pieces in bags.pieces}
    desk.pack(case.booking.reference, pieces)
