"""Questions about a company's bookings, answered from the list and the pages that are served."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from tests.scenarios.crm.airline_desk import request_reader
from tests.scenarios.crm.airline_desk.clerk import BRANDS, Clerk, Unreadable
from tests.scenarios.crm.airline_desk.clerks.after_sale import AfterSale, TableRow
from tests.scenarios.crm.airline_desk.request_reader import MONTHS, NotUnderstood, Reader, fill

NEEDED = ("tables", "total")
FAMILY = "booking_figures"
CONDITIONS = (
    *("month", "dropped", "kept", "traveller", "bought_before", "bought_since", "fare"),
    *("nonstop", "changing", "note", "voucher"),
)
_MONTH = "|".join(MONTHS)
SLOTS = {
    "company": r"\w+ \w+",
    "month": rf"(?:{_MONTH})(?: \d{{4}})?",
    "bought": rf"\d{{1,2}} (?:{_MONTH}) \d{{4}}|(?:{_MONTH}) \d{{1,2}}, \d{{4}}",
    "traveller": r"[\w'’-]+(?: [\w'’-]+)+?",
    "note": "[^”]+",
    "price": r"\d+",
    "now": r"[^.]+",
}
CORRECTIONS = {
    "month": "the trips have to begin in {month}",
    "bought_before": "what counts was bought before {bought}",
    "bought_since": "what counts was bought on {bought} or later",
    "fare": "the fare of the way out has to be {fare}",
    "traveller": "the person whose trips are left out is {traveller}",
}
FEES = {
    "bags": "fee-bags",
    "seats": "fee-seats",
    "change": "fee-change",
    "name": "fee-name",
    "fees": "group-fees",
}


@dataclass(frozen=True)
class Question:
    """What is asked (`figure`) about the trips of a company that meet all conditions."""

    figure: str
    company: str
    conditions: Mapping[str, str]


@dataclass(frozen=True)
class Passenger:
    """`seats` are the flights on which there is one."""

    name: str
    infant: bool
    seats: frozenset[str]


@dataclass(frozen=True)
class Payment:
    day: str
    by_voucher: bool
    amount: int
    back: int


@dataclass(frozen=True)
class Seen:
    """A booking as its page shows it; `fees` are kinds and amounts, `costs` those of the price."""

    reference: str
    company: str
    bought: str
    passengers: Sequence[Passenger]
    flights: Sequence[tuple[str, str, str]]
    costs: Mapping[str, int]
    payments: Sequence[Payment]
    fees: Sequence[tuple[str, int]]
    notes: Sequence[str]

    @property
    def seated(self) -> list[Passenger]:
        return [each for each in self.passengers if not each.infant]

    def out(self, outward: str) -> list[tuple[str, str, str]]:
        """The flights of the way out: direction, number and fare."""
        return [each for each in self.flights if each[0] == outward]


def work(clerk: Clerk, request: str) -> str:
    """The answer to what is asked."""
    question = read(clerk, request)
    sale = AfterSale(clerk)
    listed = sale.search(name=question.company)
    able = [each for each in listed if _may_count(sale, each, question.conditions)]
    seen = [_seen(sale, each.cells[sale.word("reference")]) for each in able]
    counted = [
        each
        for each in seen
        if each.company == question.company and _counts(sale, each, question.conditions)
    ]
    return FIGURES[question.figure](sale, counted)


# The request -------------------------------------------------------------------------------------


def read(clerk: Clerk, request: str) -> Question:
    """What a request asks for. Raises `NotUnderstood`."""
    fares = [clerk.word(f"brand-{each}") for each in BRANDS]
    words = {slot: re.escape(clerk.word(key)) for slot, key in FEES.items()}
    slots = {**clerk.slots(), **SLOTS, **words, "fare": "|".join(map(re.escape, fares))}
    reader = Reader(FAMILY, slots, request)
    list(reader.all("digress"))
    now = _correction(reader)
    figure, stated = _asked(reader)
    assert reader.take("similar")["company"] == stated["company"]
    conditions: dict[str, str] = {}
    for each in reader.text.removesuffix(".").split("; "):
        conditions |= _condition(reader, each)
    meant = {kind: _meant(kind, value) for kind, value in {**conditions, **now}.items()}
    return Question(figure, stated["company"], meant)


def _asked(reader: Reader) -> tuple[str, dict[str, str]]:
    for figure in FIGURES:
        found = reader.find(f"ask_{figure}")
        if found:
            return figure, found
    raise NotUnderstood(reader.text)


def _correction(reader: Reader) -> dict[str, str]:
    found = reader.find("correct")
    if found is None:
        return {}
    for kind, frame in CORRECTIONS.items():
        match = re.fullmatch(fill(frame, reader.slots), found["now"])
        if match:
            return {kind: next(iter(match.groupdict().values()))}
    raise NotUnderstood(found["now"])


def _condition(reader: Reader, text: str) -> dict[str, str]:
    for kind in CONDITIONS:
        for phrasing in request_reader.phrasings(FAMILY)[kind]:
            match = reader.pattern(phrasing).fullmatch(text)
            if match:
                return {kind: next(iter(match.groupdict().values()), "")}
    raise NotUnderstood(text)


def _meant(kind: str, text: str) -> str:
    """Months and days as ISO texts."""
    if kind == "month":
        month, year = text.split()
        return f"{year}-{MONTHS.index(month) + 1:02}"
    return request_reader.born(text) if kind.startswith("bought") else text


# The pages ---------------------------------------------------------------------------------------


def _may_count(sale: AfterSale, row: TableRow, conditions: Mapping[str, str]) -> bool:
    """Whether the list leaves it open."""
    day = sale.formats.read_day(row.cells[sale.word("days")].split(" / ")[0])
    dropped = "dropped" in conditions and row.cells[sale.word("status")] == sale.word("cancelled")
    left_out = conditions["traveller"] in re.split(r", | \(", row.cells[sale.word("travellers")])
    return day.startswith(conditions["month"]) and not dropped and not left_out


def _counts(sale: AfterSale, seen: Seen, conditions: Mapping[str, str]) -> bool:
    out = seen.out(sale.word("outward"))
    tests: Mapping[str, Callable[[str], bool]] = {
        "bought_before": lambda day: seen.bought < day,
        "bought_since": lambda day: seen.bought >= day,
        "fare": lambda fare: all(each[2] == fare for each in out),
        "nonstop": lambda _: len(out) == 1,
        "changing": lambda _: len(out) > 1,
        "note": lambda note: note not in seen.notes,
        "voucher": lambda _: not any(each.by_voucher for each in seen.payments),
    }
    return all(tests[kind](value) for kind, value in conditions.items() if kind in tests)


def _seen(sale: AfterSale, reference: str) -> Seen:
    sale.open(reference)
    word, money = sale.word, sale.formats.read_money
    costs = {name: money(text) for name, text in sale.page.facts(word("price")).items()}
    if not costs:
        raise Unreadable("the price")
    return Seen(
        reference=reference,
        company=sale.facts("booking", "agency"),
        bought=_day(sale, sale.facts("booking", "bought")),
        passengers=[*_passengers(sale)],
        flights=[
            tuple(each.cells[word(name)] for name in ("direction", "flight", "fare"))
            for each in sale.flights()
        ],
        costs=costs,
        payments=[*_payments(sale)],
        fees=[
            (each.cells[word("fee-kind")], money(each.cells[word("amount")]))
            for each in _lines(sale, "group-fees")
        ],
        notes=[each.cells[word("note-code")] for each in _lines(sale, "group-notes")],
    )


def _lines(sale: AfterSale, title: str) -> list[TableRow]:
    return sale.lines(sale.word(title))


def _day(sale: AfterSale, text: str) -> str:
    """That of a day and a time."""
    return sale.formats.read_day(text.rpartition(", ")[0])


def _passengers(sale: AfterSale) -> Iterator[Passenger]:
    for each in sale.passengers():
        seats = frozenset(re.findall(r"[A-Z]{2}\d{4}", each.cells[sale.word("seats")]))
        infant = each.cells[sale.word("kind")].startswith(sale.word("infant"))
        yield Passenger(each.cells[sale.word("passenger")], infant, seats)


def _payments(sale: AfterSale) -> Iterator[Payment]:
    money = sale.formats.read_money
    by_voucher = sale.word("by-voucher", source="")
    for each in _lines(sale, "group-payments"):
        day, source, amount, back = each.cells.values()
        returned = money(back) if back != "–" else 0
        yield Payment(_day(sale, day), source.startswith(by_voucher), money(amount), returned)


# The figures -------------------------------------------------------------------------------------


def _cost(sale: AfterSale, trips: Sequence[Seen], what: str) -> str:
    """Bags or seats: in the price, and charged later."""
    later = sale.word(f"fee-{what}")
    return str(
        sum(each.costs.get(sale.word(f"cost-{what}"), 0) for each in trips)
        + sum(amount for each in trips for kind, amount in each.fees if kind == later)
    )


def _changes(sale: AfterSale, trips: Sequence[Seen]) -> str:
    kinds = {sale.word("fee-change"), sale.word("fee-name")}
    return str(sum(amount for each in trips for kind, amount in each.fees if kind in kinds))


def _net(sale: AfterSale, trips: Sequence[Seen]) -> str:
    return str(sum(paid.amount - paid.back for each in trips for paid in each.payments))


def _passes(sale: AfterSale, trips: Sequence[Seen]) -> str:
    return str(sum(len(each.seated) * len(each.flights) for each in trips))


def _dearest(sale: AfterSale, trips: Sequence[Seen]) -> str:
    total = sale.word("total")
    return max(trips, key=lambda each: Fraction(each.costs[total], len(each.seated))).reference


def _unseated(sale: AfterSale, trips: Sequence[Seen]) -> str:
    return ", ".join(
        each.reference
        for each in trips
        if any(each.flights[0][1] not in one.seats for one in each.seated)
    )


def _charged(sale: AfterSale, trips: Sequence[Seen]) -> str:
    days = [paid.day for each in trips for paid in each.payments if not paid.by_voucher]
    return date.fromisoformat(max(days)).isoformat()


FIGURES: Mapping[str, Callable[[AfterSale, Sequence[Seen]], str]] = {
    "bags": lambda sale, trips: _cost(sale, trips, "bags"),
    "net": _net,
    "passes": _passes,
    "dearest": _dearest,
    "fees": _changes,
    "unseated": _unseated,
    "seats": lambda sale, trips: _cost(sale, trips, "seats"),
    "charged": _charged,
}
"""By what is asked."""
