"""The database rows of an audit: the bookings as they are after the colleague's day, and their
histories.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from random import Random
from typing import Any

from scenarios.crm.airline_desk import Rows, booking_rows
from scenarios.crm.shift.audit import files as drawing
from scenarios.crm.shift.audit.acts import FEE_ANYWAY, Act, CheckedAct
from scenarios.crm.shift.audit.case import Audit, Place
from scenarios.crm.shift.audit.files import YESTERDAY, FactLine, File, Office
from scenarios.crm.tickets import DAY, TIMES
from scenarios.crm.tickets import rows as ticket_rows
from sites.crm.airline_desk.handbook.edition import Edition
from sites.crm.airline_desk.model.airline import Airline
from sites.crm.airline_desk.model.records import CANCELLED
from sites.crm.base.timetable import Flight

COLLEAGUES = ("Kim", "Robin", "Sasha", "Noor", "Ellis", "Jude", "Mika", "Toni")
OPENED = "2026-01-15 08:05"
"""The time when the ticket that asks for the check was opened."""
FEES = {"change": "change", "name": "name", "bags": "bags"}
"""For each kind of act that charges a fee, the kind of that fee in the database."""
PAPERS = {
    "illness": "illness of the customer",
    "injury": "injury of the customer",
    "jury": "jury duty of the customer",
    "job": "loss of the customer's job",
    "burglary": "burglary at the customer's home",
}
DEAD = {
    "spouse": "husband or wife",
    "parent": "father or mother",
    "child": "son or daughter",
    "sibling": "brother or sister",
    "grandparent": "grandfather or grandmother",
    "parent-in-law": "father-in-law or mother-in-law",
    "aunt": "aunt",
    "cousin": "cousin",
}
OTHERS = 2
"""The number of wrong acts that are not to be flagged: by another colleague on that day, and by the
colleague on the day before.
"""


@dataclass(frozen=True)
class Entry:
    """A line of a booking's history.

    Attributes:
        place: The position of an act to check; None for other lines.
        other: The origin of another act that broke the handbook but is not to be checked; "" for
            none.
        checked: That other act.
    """

    at: datetime
    colleague: str
    text: str
    place: Place | None = None
    other: str = ""
    checked: CheckedAct | None = None


@dataclass(frozen=True)
class Day:
    """The work of a colleague on a day: the audit of it, and the history of each of its
    bookings.
    """

    audit: Audit
    colleague: str
    histories: tuple[tuple[Entry, ...], ...]

    @property
    def edition(self) -> Edition:
        return self.audit.edition

    @property
    def references(self) -> list[str]:
        return [each.held.reference for each in self.audit.files]

    def line(self, place: Place) -> int:
        """Return the number of an act's line in the history of its booking, counted from 1."""
        own = [entry.place for entry in self.histories[place.file]]
        return own.index(place) + 1

    def others(self) -> Iterator[tuple[str, tuple[str, int], CheckedAct]]:
        """Yield wrong acts outside of the audit (of another colleague or day): their origin, the
        booking's reference and line, and the act.
        """
        for file, history in zip(self.audit.files, self.histories, strict=True):
            for number, each in enumerate(history, start=1):
                if each.checked:
                    yield each.other, (file.held.reference, number), each.checked


def draw(rng: Random, audit: Audit, office: Office, airline: Airline) -> Day:
    """Return the colleague's day with the bookings' histories, which also have lines outside of the
    audit.
    """
    colleague, other, *rest = rng.sample(COLLEAGUES, len(COLLEAGUES))
    histories = [
        [*_entries(audit, at, airline, colleague, rest)] for at, _ in enumerate(audit.files)
    ]
    able = [at for at, file in enumerate(audit.files) if _has_another(file)]
    for turn, at in enumerate(rng.sample(able, min(len(able), 2 * OTHERS))):
        who, label = ((other, "somebody else"), (colleague, "another day"))[turn % 2]
        histories[at].append(_another(office, audit.files[at], airline, who, label))
    ordered = [tuple(sorted(each, key=lambda entry: entry.at)) for each in histories]
    return Day(audit, colleague, tuple(ordered))


def _has_another(file: File) -> bool:
    """Return whether an earlier act can be added to the booking: it was sold earlier, was not
    cancelled, and has a second passenger.
    """
    early = date.fromisoformat(file.held.bought[:10]) < YESTERDAY - DAY
    kept = _status(file) != CANCELLED
    return early and kept and len([each for each in file.held.passengers if each.seated]) > 1


def _another(office: Office, file: File, airline: Airline, who: str, label: str) -> Entry:
    """Return a line of the history about a corrected name with a wrong fee, outside of the audit;
    `label` says by whom or when.
    """
    day = YESTERDAY if label == "somebody else" else YESTERDAY - DAY
    at = datetime(day.year, day.month, day.day, 7, office.rng.randint(0, 59), tzinfo=UTC)
    act = drawing.name(office, file, "in", at, who=0)
    done = replace(act, done=office.edition.surname_fee, mistake=FEE_ANYWAY)
    checked = CheckedAct(office.edition, done)
    return Entry(at, who, text(done, file, airline), other=label, checked=checked)


def _entries(
    audit: Audit, at: int, airline: Airline, colleague: str, rest: Sequence[str]
) -> Iterator[Entry]:
    file = audit.files[at]
    bought = datetime.fromisoformat(file.held.bought).replace(tzinfo=UTC)
    yield Entry(bought, rest[0], "Sold")
    for line in file.lines:
        yield Entry(line.at, rest[1], LINES[line.key](line, airline))
    for number, act in enumerate(file.acts):
        yield Entry(act.at, colleague, text(act, file, airline), Place(at, number))


# Texts -------------------------------------------------------------------------------------------


def _day(airline: Airline, day: date | str) -> str:
    return airline.formats.day(day if isinstance(day, str) else day.isoformat())


def _flight(airline: Airline, flight: Flight) -> str:
    return f"{flight.number} of {_day(airline, flight.date)}"


def _length(minutes: int) -> str:
    return f"{minutes // 60} h {minutes % 60:02} min"


def _late(line: FactLine, airline: Airline) -> str:
    by = _length(line.slots["minutes"])
    flight = _flight(airline, line.slots["flight"])
    return f"Customer told that {flight} leaves {by} late and arrives {by} late"


LINES: Mapping[str, Callable[[FactLine, Airline], str]] = {
    "paper": lambda line, airline: (
        f"Document received: {PAPERS[line.slots['paper']]}, of {_day(airline, line.slots['day'])}"
    ),
    "death": lambda line, airline: (
        f"Document received: death of the customer's {DEAD[line.slots['relative']]} on"
        f" {_day(airline, line.slots['day'])}"
    ),
    "called": lambda line, airline: (
        f"Customer wrote that nobody comes to {_flight(airline, line.slots['flight'])}"
    ),
    "late": _late,
}


def text(act: Act, file: File, airline: Airline) -> str:
    """Return the text of an act's line in the booking's history."""
    return SENTENCES[act.kind](act, file, airline)


def _of_refund(act: Act, _: File, airline: Airline) -> str:
    return f"Cancelled at the customer's wish, {airline.formats.money(act.done)} given back"


def _of_change(act: Act, _: File, airline: Airline) -> str:
    money, slots = airline.formats.money, act.slots
    old, new = (_flight(airline, slots[key]) for key in ("old", "new"))
    was, now = map(money, slots["costs"])
    way = airline.word("outward")
    return (
        f"{way}: at the customer's wish from {old} ({was} for all) to {new} ({now} for all, in"
        f" the same fare); {money(act.done)} taken for fee and difference"
    )


def _of_name(act: Act, _: File, airline: Airline) -> str:
    before, after = (" ".join(each) for each in (act.slots["name"].before, act.slots["name"].after))
    return f"Name corrected from {before} to {after}; {airline.formats.money(act.done)} taken"


def _of_bags(act: Act, file: File, airline: Airline) -> str:
    wanted = act.slots["bags"]
    names = {each.number: each.person.name for each in file.now.passengers}
    listed = []
    for number, name in names.items():
        pieces, sports = wanted.pieces.get(number, 0), wanted.sports.get(number, 0)
        parts = [f"{pieces} piece{'s' * (pieces > 1)}"] if pieces else []
        parts += ["1 sports item"] if sports else []
        listed += [f"{name} {' and '.join(parts)}"] if parts else []
    taken = airline.formats.money(act.done)
    return f"{airline.word('inward')}: bags added, {', '.join(listed)}; {taken} taken"


def _of_voucher(act: Act, _: File, airline: Airline) -> str:
    one, until = act.slots["voucher"], _day(airline, act.slots["until"])
    worth = airline.formats.money(one.balance)
    return f"Voucher {one.code}, {worth}, extended from {_day(airline, one.expires)} to {until}"


def _of_delay(act: Act, _: File, airline: Airline) -> str:
    flight = _flight(airline, act.slots["flight"])
    return f"Given for the late {flight}, in all: {airline.formats.money(act.done)}"


def _of_lost(act: Act, file: File, airline: Airline) -> str:
    names = {each.number: each.person.name for each in file.now.passengers}
    money = airline.formats.money
    listed = [
        f"{names[each.passenger]} {money(each.amount)} of {_day(airline, each.day)}"
        for each in act.slots["receipts"]
    ]
    flight = _flight(airline, act.slots["flight"])
    given = money(act.done)
    return f"Bags lost on {flight}, found since; receipts of {', '.join(listed)}; {given} given"


SENTENCES: Mapping[str, Callable[[Act, File, Airline], str]] = {
    "refund": _of_refund,
    "change": _of_change,
    "name": _of_name,
    "bags": _of_bags,
    "voucher": _of_voucher,
    "delay": _of_delay,
    "lost-bag": _of_lost,
}


# Rows --------------------------------------------------------------------------------------------


def rows(day: Day, number: int, subject: str, address: str, body: str) -> Rows:
    """Return the database rows of the site on the day after the audited one, with the ticket that
    asks for the check.
    """
    files = day.audit.files
    held = [replace(each.now, status=_status(each)) for each in files]
    vouchers = [one for each in files for one in each.vouchers]
    found = booking_rows(held, [each.customer for each in files], vouchers)
    found["payments"] = []
    for table in ("refunds", "fees", "history", "notes", "flight_events", "coupons", "terms"):
        found[table] = []
    for file, history in zip(files, day.histories, strict=True):
        _add_money(found, file, history)
        for table, row in _about(file, history):
            found[table].append(row)
        for row in _bag_rows(file, day.audit.edition):
            found.setdefault("bags", []).append(row)
    return found | ticket_rows.filed(
        number,
        None,
        [each.held.reference for each in files],
        opened=OPENED,
        subject=subject,
        priority="high",
        address=address,
        body=body,
    )


def _status(file: File) -> str:
    kinds = {each.kind for each in file.acts}
    return CANCELLED if "refund" in kinds else file.now.status


def _add_money(found: Rows, file: File, history: Sequence[Entry]) -> None:
    """Add database rows to `found`: the payments for a booking, later charges, and refunds."""
    reference = file.held.reference
    [(method, source, amount)] = file.held.payments()
    sale = len(found["payments"]) + 1

    def paid(at: str, amount: int) -> None:
        row = {"reference": reference, "at": at, "method": method, "source": source}
        number = len(found["payments"]) + 1
        found["payments"].append({"number": number, **row, "amount": amount})

    paid(file.held.bought, amount)
    others = [each.checked.act for each in history if each.checked]
    for act in sorted((*others, *file.acts), key=lambda each: each.at):
        if act.kind in FEES and act.done:
            paid(act.at.strftime(TIMES), act.done)
            fee = {"kind": FEES[act.kind], "passenger": None, "amount": act.done}
            found["fees"].append({"reference": reference, **fee})
        if act.kind == "refund" and act.done:
            back = {"payment": sale, "amount": act.done}
            found["refunds"].append({"reference": reference, **back})


def _about(file: File, history: Sequence[Entry]) -> Iterator[tuple[str, dict[str, Any]]]:
    reference = file.held.reference
    for each in history:
        at = each.at.strftime(TIMES)
        row = {"at": at, "colleague": each.colleague, "entry": each.text}
        yield "history", {"reference": reference, **row}
    for code in file.notes:
        day = (YESTERDAY - DAY).isoformat()
        note = {"code": code, "day": day, "colleague": history[0].colleague}
        yield "notes", {"reference": reference, **note}
    for kind, events in (("moved", file.events), ("late", file.late)):
        for one in events:
            yield "flight_events", ticket_rows.event(one, kind=kind)
    accepted = {each.flight for each in file.events if each.accepted}
    dates = {each.number: each.date for each in file.held.flights}
    for flight in dict.fromkeys((*file.states, *accepted)):
        key = {"reference": reference, "flight": flight, "date": dates[flight]}
        state = file.states.get(flight, "open")
        yield "coupons", {**key, "state": state, "accepted": int(flight in accepted)}
    yield "terms", {"reference": reference, "cover": int(file.cover)}


def _bag_rows(file: File, edition: Edition) -> Iterator[dict[str, Any]]:
    for act in file.acts:
        if act.kind == "bags":
            wanted = act.slots["bags"]
            for number, pieces in wanted.pieces.items():
                if count := pieces + wanted.sports.get(number, 0) * edition.sports_pieces:
                    key = {"reference": file.held.reference, "passenger": number}
                    yield {**key, "direction": wanted.direction, "pieces": count}
