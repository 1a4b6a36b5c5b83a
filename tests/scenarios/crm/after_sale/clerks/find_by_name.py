"""Finds a booking among those of a surname by what the caller remembers, and does what is wanted.

The request is read back by its phrasings, and list and pages are compared with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date

from tests.scenarios.crm.airline_desk.clerk import BRANDS, Clerk, Unreadable
from tests.scenarios.crm.airline_desk.clerks.after_sale import AfterSale, TableRow
from tests.scenarios.crm.airline_desk.request_reader import (
    COUNTED,
    MONTHS,
    NUMBERS,
    NotUnderstood,
    Reader,
    fill,
    phrasings,
)
from tests.sites.crm.airline_desk.sale import Seat
from tests.sites.crm.airline_desk.served import spoken

NEEDED = ("today", "tables", "seat map", "leads")

_MONTH, _NUMBER = "|".join(MONTHS), "|".join(NUMBERS)
_WAY = "on the way out|on the way home"
_NAME = r"[A-Z][\w'’-]+"
SLOTS = {
    "caller": rf"(?:Mr|Ms) {_NAME}",
    "their": "her|his",
    "child": "boy|girl",
    "month": rf"(?:{_MONTH}) or (?:{_MONTH})",
    "nights": _NUMBER,
    "age": _NUMBER,
    "bought": rf"(?:before|after) \d+ (?:{_MONTH}) \d{{4}}",
    **dict.fromkeys(("luggage", "stops", "bag"), _WAY),
    "called": _NAME,
    "where": rf"{_WAY}|on the (?:first|second) of the two flights (?:out|home)",
    "seats": r"(?:the two|seats side|two window)[^.]+ nearest the (?:front|back)",
    "note": "“[^”]+”",
}
FACTS = (
    *("to", "pair", "month", "force", "nights", "age", "fare", "bought", "luggage", "stops"),
    *("from", "called"),
)
NOW = {
    "age": "the {child} is {age} years old today",
    "month": "they fly out in {month}",
    "bag": "the {child}'s bag is for the flight {bag}",
}
SEXES = {"boy": "Mr", "girl": "Ms"}
SEATS = re.compile(
    r"(?P<shape>.+), both in row (?P<row>\d+) or further (?P<zone>back|to the front), "
    r"(?P<cost>without an extra charge|not in an exit row though they may cost extra), "
    r"and among such seats the ones nearest the (?P<end>front|back)"
)
AISLES = re.compile(r"the two aisle seats C and D of one row, (.+) on ([CD]) and (.+) on ([CD])")


# The request -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Sitting:
    """Where two sit on a flight: `place` is its place of those of its way, 0 for the only one."""

    way: str
    place: int
    text: str


@dataclass(frozen=True)
class Request:
    """What is certain, by its kind, as it is written; and what is to be done."""

    surname: str
    child: str
    facts: Mapping[str, str]
    sittings: tuple[Sitting, ...]
    bag: str
    note: str


def read(text: str, clerk: Clerk) -> Request:
    """Raises `NotUnderstood`."""
    slots = clerk.slots()
    fares = "|".join(re.escape(clerk.word(f"brand-{each}")) for each in BRANDS)
    cities = dict.fromkeys(("to", "from"), slots["city"])
    slots |= {**SLOTS, **cities, "fare": rf"(?:{fares}) (?:{_WAY})"}
    reader = Reader("find_by_name", slots, text)
    list(reader.all("digress"))
    now = _correction(reader)
    stated = reader.take("ask")
    for act in ("certain", "look", "tell"):
        reader.take(act)
    stated |= reader.take("pack") | reader.take("note")
    sittings = tuple(_sitting(each) for each in reader.all("sit"))
    facts: dict[str, str] = {}
    for part in reader.text.removesuffix(".").split("; "):
        facts |= _fact(reader, part)
    if len(sittings) != len({each.way for each in sittings}) or len(sittings) != len(WAYS):
        raise NotUnderstood(text)
    return Request(
        surname=stated["caller"].partition(" ")[2],
        child=stated["child"],
        facts=facts | {kind: value for kind, value in now.items() if kind != "bag"},
        sittings=sittings,
        bag=_way(now.get("bag", stated["bag"])),
        note=stated["note"].strip("“”"),
    )


def _correction(reader: Reader) -> dict[str, str]:
    """What was put right, by its kind."""
    found = reader.find("correct")
    if found is None:
        return {}
    for kind, frame in NOW.items():
        match = re.fullmatch(fill(frame, reader.slots), found["now"], re.IGNORECASE)
        if match:
            return {kind: match[kind]}
    raise NotUnderstood(found["now"])


def _fact(reader: Reader, text: str) -> dict[str, str]:
    for kind in FACTS:
        for phrasing in phrasings(reader.family)[kind]:
            if match := reader.pattern(phrasing).fullmatch(text):
                return {kind: match.groupdict().get(kind, "")}
    raise NotUnderstood(text)


def _sitting(stated: Mapping[str, str]) -> Sitting:
    where = stated["where"].lower()
    counted = [place for place, word in enumerate(COUNTED, start=1) if word in where]
    return Sitting(_way(where), next(iter(counted), 0), stated["seats"])


WAYS = ("outward", "return")


def _way(text: str) -> str:
    return WAYS[text.lower().endswith("home")]


# The bookings ------------------------------------------------------------------------------------


def work(clerk: Clerk, text: str) -> str:
    """The reference of the booking that was served, or NOT_FOUND."""
    request = read(text, clerk)
    today = clerk.today()
    desk = AfterSale(clerk)
    left = [each for each in desk.search(name=request.surname) if is_left(desk, each, request)]
    references = [each.cells[desk.word("reference")] for each in left]
    found = []
    for reference in references:
        desk.open(reference)
        if fits(desk, request, today):
            found.append(reference)
    if len(found) > 1:
        raise Unreadable(f"{found} all fit")
    if not found:
        return "NOT_FOUND"
    serve(desk, request, found[0])
    return found[0]


def is_left(desk: AfterSale, shown: TableRow, request: Request) -> bool:
    """Whether a row of the list has all that lists show."""
    facts, word = request.facts, desk.word
    travellers = shown.cells[word("travellers")].split(", ")
    children = [each for each in travellers if each.endswith(f" ({word('child')})")]
    out, home = [
        date.fromisoformat(desk.formats.read_day(each))
        for each in (*shown.cells[word("days")].split(" / "), "")[:2]
        if each
    ] or [None, None]
    if out is None or home is None:
        raise Unreadable("days")
    nights = NUMBERS.index(facts["nights"].lower()) if "nights" in facts else 0
    return (
        shown.cells[word("route")].partition(" – ")[2].startswith(f"{facts['to']} (")
        and len(travellers) == 2
        and len(children) == 1
        and MONTHS[out.month - 1] in facts["month"].split(" or ")
        and shown.cells[word("status")] == word("confirmed")
        and (home - out).days >= nights
    )


def fits(desk: AfterSale, request: Request, today: date) -> bool:
    """Whether the open booking has all that its page shows."""
    facts, word = request.facts, desk.word
    grown, child = desk.passengers()
    flights = flights_by_way(desk)
    brand, _, way = facts["fare"].partition(" on the way ")
    side, limit = facts["bought"].split(" ", 1)
    bought = _day(desk, desk.facts("booking", "bought").partition(",")[0])
    born = _day(desk, child.cells[word("born")])
    age = today.year - born.year - ((today.month, today.day) < (born.month, born.day))
    flown = flights[_way(way)][0].cells[word("fare")]
    return (
        child.cells[word("passenger")].startswith(SEXES[request.child])
        and age == NUMBERS.index(facts["age"].lower())
        and flown.casefold() == brand.casefold()
        and (bought < _spoken_day(limit)) == (side.lower() == "before")
        and [*bags_of(desk, grown)] == [_way(facts["luggage"])]
        and [each for each in WAYS if len(flights[each]) > 1] == [_way(facts["stops"])]
    )


def _day(desk: AfterSale, text: str) -> date:
    return date.fromisoformat(desk.formats.read_day(text))


def _spoken_day(text: str) -> date:
    day, month, year = text.split()
    return date(int(year), MONTHS.index(month) + 1, int(day))


def flights_by_way(desk: AfterSale) -> dict[str, list[TableRow]]:
    """The flights of the open booking."""
    names = {"outward": desk.word("outward"), "return": desk.word("inward")}
    head = desk.word("direction")
    return {
        way: [each for each in desk.flights() if each.cells[head] == name]
        for way, name in names.items()
    }


def bags_of(desk: AfterSale, one: TableRow) -> Iterator[str]:
    """The ways on which somebody has bags."""
    text = one.cells[desk.word("bags")]
    for way, key in (("outward", "outward"), ("return", "inward")):
        shown = re.escape(desk.word("bags-on", pieces="N", direction=desk.word(key)))
        if re.search(shown.replace("N", r"\d+", 1), text):
            yield way


# What is done ------------------------------------------------------------------------------------


def serve(desk: AfterSale, request: Request, reference: str) -> None:
    """Seats, bags and the note."""
    word, visitor = desk.word, desk.visitor
    desk.open(reference)
    names = [each.cells[word("passenger")].partition(" ")[2] for each in desk.passengers()]
    notes = [each.cells[word("note-code")] for each in desk.lines(word("group-notes"))]
    for each in request.sittings:
        flight = flights_by_way(desk)[each.way][max(each.place, 1) - 1]
        desk.go(flight.links[word("seats")])
        codes = chosen(desk.clerk.sale.cabin(), each.text, request.child)
        entered: dict[str, str] = {}
        for name, code in zip(names, codes, strict=True):
            entered |= visitor.text(f"{word('seat')} ({name})", code)
        desk.send("save-seats", entered)
    brand = flights_by_way(desk)[request.bag][0].cells[word("fare")]
    desk.follow("open-bags")
    pieces = included(desk, request.bag, brand) + 1
    desk.send("save-bags", visitor.text(f"{word(f'bags-{request.bag}')} ({names[1]})", str(pieces)))
    if request.note not in notes:
        desk.follow("open-note")
        desk.send("add-note", visitor.text(word("note-code"), request.note))


def included(desk: AfterSale, way: str, brand: str) -> int:
    """The bags that the fare of a way includes, as the form of the bags states it."""
    name = desk.word({"outward": "outward", "return": "inward"}[way])
    head = re.escape(f"{name}, {brand}: ")
    found = re.search(head + desk.clerk._template("rule-bags"), spoken(desk.page.tree))
    if found is None:
        raise Unreadable(f"bags of {brand}")
    return int(found["included"])


def chosen(cabin: Mapping[str, Seat], text: str, child: str) -> tuple[str, str]:
    """The seats of the grown person and of the child."""
    wish = SEATS.fullmatch(text)
    if wish is None or not cabin:
        raise Unreadable(f"seats: {text}")

    def allowed(code: str) -> bool:
        seat = cabin.get(code)
        if seat is None or not seat.free:
            return False
        limit = int(wish["row"])
        inside = seat.row >= limit if wish["zone"] == "back" else seat.row <= limit
        is_free = wish["cost"].startswith("without")
        return inside and not (seat.price if is_free else seat.exit)

    rows = sorted({each.row for each in cabin.values()}, reverse=wish["end"] == "back")
    for row in rows:
        for codes in shaped(wish["shape"], row, child):
            if all(map(allowed, codes)):
                return codes
    raise Unreadable(f"no seats: {text}")


def shaped(shape: str, row: int, child: str) -> list[tuple[str, str]]:
    """The places of a shape in a row, the grown person's seat first; where the child sits in the
    row before, that one's is the row."""
    if match := AISLES.fullmatch(shape):
        seats = {match[1]: match[2], match[3]: match[4]}
        young = f"the {child}"
        [grown] = [each for name, each in seats.items() if name != young]
        return [(f"{row}{grown}", f"{row}{seats[young]}")]
    if f"{child} at the window" in shape:
        return [(f"{row}B", f"{row}A"), (f"{row}E", f"{row}F")]
    if f"{child} in the middle" in shape:
        return [(f"{row}C", f"{row}B"), (f"{row}D", f"{row}E")]
    if f"{child} one row in front" in shape:
        return [(f"{row + 1}{letter}", f"{row}{letter}") for letter in "AF"]
    raise Unreadable(shape)
