"""Moves the bookings of a cancelled flight by what the passenger list and their pages show."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta

from tests.scenarios.crm.airline_desk.clerk import BRANDS, Clerk, Unreadable
from tests.scenarios.crm.airline_desk.clerks.after_sale import AfterSale, TableRow
from tests.scenarios.crm.airline_desk.request_reader import (
    SLOTS,
    NotUnderstood,
    Reader,
    fill,
    minutes,
)

NEEDED = ("today", "tables")
_NAME = r"[A-Z][^.,;:]+?"
_GROUPS = {
    "onward": "bookings with an onward flight",
    "child": r"bookings with a child who is under 12 on that day \(babies are children too\)",
    "gold": "bookings whose customer has the tier “[^”]+”",
    "wheelchair": "bookings with the note “[^”]+”",
}
_WITHIN = {
    "whoever bought first comes first": False,
    "whoever needs more seats comes first, and at the same number whoever bought first": True,
}
_LISTS = {
    "the first of the two": 0,
    "the second of the two (of the first for those whose onward flight the second would miss)": 1,
}
_GROUP = f"(?:{'|'.join(_GROUPS.values())})"
_OWN = {
    "groups": f"{_GROUP}(?:, then {_GROUP})*",
    "within": "|".join(_WITHIN),
    "minutes": r"\d+",
    "list": "|".join(map(re.escape, _LISTS)),
    **dict.fromkeys(("stays", "one", "other"), _NAME),
}
_CORRECTIONS = {
    "minutes": "whoever flies on needs at least {minutes} minutes",
    "stays": "it is the booking of {stays} that stays as it is",
    "list": "the waiting list is that of {list}",
}
_CLOCK = re.compile(r"\d{1,2}:\d{2}(?: [AP]M)?")
_LATE = re.compile(r"(\d+) h (\d\d) min")
CHILD = 12


@dataclass
class Flight:
    """One of the two that follow: when it really arrives, and the seats left by fare."""

    number: str
    arrives: int
    left: dict[str, int]


@dataclass
class Listed:
    """A booking of the list; `onward` is when its next flight leaves."""

    reference: str
    line: TableRow
    place: int
    seats: int
    fare: str
    onward: int | None
    groups: set[str] = field(default_factory=set)
    customer: str = ""


def work(clerk: Clerk, request: str) -> str:
    """Go through the bookings in the order that is asked for."""
    stated, desk = _stated(clerk, request), AfterSale(clerk)
    today = clerk.today() + timedelta(1)
    desk.go(clerk.airline.address("flight", stated["flight"], today.isoformat()))
    listed, flights = _list(desk), _two(desk)
    for each in listed:
        _look_at(desk, each, today)
    groups = _groups(desk, stated["groups"])
    waiting = _LISTS[stated["list"]]
    for unit in _units(listed, groups, _WITHIN[stated["within"]], stated):
        _place(desk, unit, flights, int(stated["minutes"]), waiting)
    return ""


def _stated(clerk: Clerk, request: str) -> dict[str, str]:
    """The values of the request, the corrected one as it is to be."""
    reader = Reader(
        "cancelled_flight", {**clerk.slots(), **SLOTS, **clerk.slots(), **_OWN}, request
    )
    now = _correction(reader)
    list(reader.all("digress"))
    stated: dict[str, str] = {}
    for act in ("move", "connect", "skip", "together", "order", "full", "leave", "ask"):
        stated |= reader.take(act)
    if reader.text:
        raise NotUnderstood(reader.text)
    return stated | now


def _correction(reader: Reader) -> dict[str, str]:
    found = reader.find("correct")
    for slot, frame in _CORRECTIONS.items() if found else ():
        assert found is not None
        text = re.escape(frame).replace(r"\{", "{").replace(r"\}", "}")
        match = re.fullmatch(fill(text, reader.slots), found["now"])
        if match:
            return {slot: match[slot]}
    if found:
        raise NotUnderstood(found["now"])
    return {}


# Reading -----------------------------------------------------------------------------------------


def _list(desk: AfterSale) -> list[Listed]:
    """The bookings of the open list, in the order of purchase."""
    word = desk.word
    lines = [each for each in desk.lines() if word("reference") in each.cells]
    if not lines:
        raise Unreadable("the passenger list")
    found = []
    for place, line in enumerate(lines):
        times = _CLOCK.search(line.cells[word("onward")])
        found.append(
            Listed(
                reference=line.cells[word("reference")],
                line=line,
                place=place,
                seats=int(line.cells[word("persons")].split("/")[1]),
                fare=line.cells[word("fare")],
                onward=minutes(times[0]) if times else None,
            )
        )
    return found


def _two(desk: AfterSale) -> list[Flight]:
    """The two flights after the one of the open list."""
    word = desk.word
    facts = " ".join(desk.page.facts(word("flight")).values())
    off = minutes(_CLOCK.findall(facts)[0])
    found = []
    for line in desk.lines(word("other-flights")):
        leaves, arrives = map(minutes, _CLOCK.findall(line.cells[word("times")])[:2])
        late = _LATE.search(line.cells[word("status")])
        left = line.cells[word("seats-left-in")]
        seats = {
            name: int(number)
            for name in map(word, (f"brand-{each}" for each in BRANDS))
            for number in re.findall(rf"(?<!\w){re.escape(name)} (\d+)", left)
        }
        arrives += int(late[1]) * 60 + int(late[2]) if late else 0
        found.append((leaves, Flight(line.cells[word("flight")], arrives, seats)))
    return [each for leaves, each in sorted(found, key=lambda one: one[0]) if leaves > off][:2]


def _look_at(desk: AfterSale, one: Listed, day: date) -> None:
    """What the page of a booking says of it."""
    word, formats = desk.word, desk.formats
    desk.open(one.reference)
    facts = desk.page.facts(word("booking"))
    one.customer = facts[word("customer")]
    for each in desk.passengers():
        born = date.fromisoformat(formats.read_day(each.cells[word("born")]))
        if (born.year + CHILD, born.month, born.day) > (day.year, day.month, day.day):
            one.groups.add("child")
    notes = [each.cells[word("note-code")] for each in desk.lines(word("group-notes"))]
    if word("note-wheelchair") in notes:
        one.groups.add("wheelchair")
    if facts.get(word("tier")) == word("tier-gold"):
        one.groups.add("gold")
    if one.onward is not None:
        one.groups.add("onward")


def _groups(desk: AfterSale, text: str) -> list[str]:
    found = []
    for each in text.split(", then "):
        found += [key for key, pattern in _GROUPS.items() if re.fullmatch(pattern, each, re.I)]
    return found


# Placing -----------------------------------------------------------------------------------------


def _units(
    listed: Sequence[Listed], groups: Sequence[str], by_size: bool, stated: Mapping[str, str]
) -> list[list[Listed]]:
    """Those to be placed, in the order that is asked for; friends at once."""

    def rank(one: Listed) -> tuple[int, int, int]:
        group = min((at for at, each in enumerate(groups) if each in one.groups), default=9)
        return group, -one.seats if by_size else 0, one.place

    def belongs(one: Listed, *keys: str) -> bool:
        return any(one.customer.endswith(f" {stated[key]}") for key in keys)

    ordered = sorted((each for each in listed if not belongs(each, "stays")), key=rank)
    pair = [each for each in ordered if belongs(each, "one", "other")]
    if len(pair) != 2:
        raise Unreadable("who belongs together")
    return [pair if each is pair[0] else [each] for each in ordered if each is not pair[1]]


def _place(
    desk: AfterSale, unit: Sequence[Listed], flights: Sequence[Flight], needed: int, waiting: int
) -> None:
    """Move a booking, or two, to the first flight that will do, or put it on a list."""
    leaves = [each.onward for each in unit if each.onward is not None]
    able = [each for each in flights if all(one - each.arrives >= needed for one in leaves)]
    fares = {each.fare for each in unit}
    need = {fare: sum(each.seats for each in unit if each.fare == fare) for fare in fares}
    for flight in able:
        if all(flight.left[fare] >= seats for fare, seats in need.items()):
            for fare, seats in need.items():
                flight.left[fare] -= seats
            return _send(desk, unit, "rebook", flight)
    if able:
        _send(desk, unit, "add-waiting", flights[waiting] if len(able) > 1 else able[0])
    return None


def _send(desk: AfterSale, unit: Sequence[Listed], button: str, flight: Flight) -> None:
    for each in unit:
        desk.go(each.line.links[desk.word("to-flight")])
        control = desk.page.control(desk.word("to-flight"))
        chosen = [value for value in control.options if value == flight.number]
        if not chosen:
            raise Unreadable(flight.number)
        desk.send(button, {control.name: chosen[0]})
