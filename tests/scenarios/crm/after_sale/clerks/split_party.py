"""One of a party taken out of a booking, by the request and the served pages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from tests.scenarios.crm.airline_desk import request_reader
from tests.scenarios.crm.airline_desk.clerk import Clerk, Rules, Unreadable
from tests.scenarios.crm.airline_desk.clerks.after_sale import AfterSale, TableRow
from tests.scenarios.crm.airline_desk.request_reader import MONTHS, WAYS, NotUnderstood, Reader

FAMILY = "split_party"
NEEDED = ("airports", "rules", "seat map", "total", "tables")
ACTS = ("leaves", "baby", "share", "extras", "sources", "seating", "bag", "charge", "note")
PARTS = {"half": 2, "a third": 3, "a quarter": 4}
SIDES = ("ABC", "DEF")
_NAME = r"[A-Z][\w'’-]+"
_SOURCE = r"(?:the voucher V-\w+|the card ending in \d{4})"
SLOTS = {
    **dict.fromkeys(("first", "second", "rest"), _SOURCE),
    **dict.fromkeys(("back", "kept"), "seats|bags"),
    **dict.fromkeys(("fee", "note"), "[^”]+"),
    "reference": "[A-Z0-9]{6}",
    "name": rf"(?:Mr|Mrs|Ms|Dr) {_NAME} {_NAME}",
    "month": "|".join(MONTHS),
    "initial": rf"[A-Z]\. {_NAME}",
    "which": "elder|younger",
    "holder": "the oldest of those who stay|the youngest of those who stay and are at least 18 on"
    " the day of the way out",
    "share": r"each direction counts .+? whole dollars|look at the two .+? are dropped",
    "seating": r"nobody with .+? counts as free|each traveller with .+? is to be had, too",
    "where_first": "|".join(WAYS),
    "taker": _NAME,
    "now": rf"it is {_NAME} who takes that bag",
}


@dataclass(frozen=True)
class Traveller:
    """Somebody of the booking's page; `born` is an ISO date, `seats` codes by flight."""

    name: str
    born: str
    baby: bool
    seats: Mapping[str, str]
    removal: str

    @property
    def first(self) -> str:
        return self.name.partition(" ")[0]

    def age(self, day: str) -> int:
        birth, then = date.fromisoformat(self.born), date.fromisoformat(day)
        return then.year - birth.year - ((then.month, then.day) < (birth.month, birth.day))


@dataclass(frozen=True)
class Place:
    """A seat of the map; `price` is 0 for one that costs nothing."""

    code: str
    free: bool
    price: int


def work(clerk: Clerk, request: str) -> str:
    asked = read(request, clerk.slots())
    desk = AfterSale(clerk)
    desk.open(asked["reference"] if "reference" in asked else find(desk, asked))
    travellers, flights = [*people(desk)], desk.flights()
    booking = desk.page.address
    leaver = leaving(asked, travellers)
    stay = [each for each in travellers if each != leaver]
    rules = take_out(desk, asked, leaver, stay, flights)
    for flight in flights:
        desk.go(booking)
        sit(desk, flight, stay)
    desk.go(booking)
    pack(desk, asked, stay, flights, rules, booking)
    desk.go(booking)
    desk.follow("open-note")
    desk.send("add-note", clerk.visitor.text(desk.word("note-code"), asked["note"]))
    return ""


# Reading -----------------------------------------------------------------------------------------


def read(text: str, slots: Mapping[str, str]) -> dict[str, str]:
    """The values of a request. Raises `NotUnderstood`."""
    reader = Reader(FAMILY, {**slots, **SLOTS}, text)
    list(reader.all("digress"))
    corrected = reader.find("correct")
    found = reader.find("given") or reader.take("find")
    for act in ACTS:
        found |= reader.take(act)
    if reader.text:
        raise NotUnderstood(reader.text)
    if corrected:
        found["taker"] = corrected["now"].split()[2]
    if "where_first" in found:
        found["where"] = found["where_first"].lower()
    return found


def find(desk: AfterSale, asked: Mapping[str, str]) -> str:
    """The reference of the booking of a customer to a city that begins in a month."""
    month = MONTHS.index(asked["month"]) + 1
    surname = asked["name"].split()[-1]
    fitting = [
        line.cells[desk.word("reference")]
        for line in desk.search(name=surname)
        if line.cells[desk.word("customer")] == asked["name"]
        and line.cells[desk.word("route")].rpartition(" – ")[2][:-6] == asked["city"]
        and int(_day(desk, line.cells[desk.word("days")].partition(" / ")[0])[5:7]) == month
    ]
    if len(fitting) != 1:
        raise Unreadable(f"bookings: {fitting}")
    return fitting[0]


def people(desk: AfterSale) -> Iterator[Traveller]:
    for line in desk.passengers():
        cells = {key: line.cells[desk.word(key)] for key in ("passenger", "kind", "born", "seats")}
        parts = [
            re.findall(r"\b(\d{1,2}[A-F]|[A-Z]{2}\d{4})\b", each)
            for each in cells["seats"].split("; ")
        ]
        yield Traveller(
            name=cells["passenger"].partition(" ")[2],
            born=_day(desk, cells["born"]),
            baby=cells["kind"].startswith(desk.word("infant")),
            seats={max(each, key=len): min(each, key=len) for each in parts if len(each) == 2},
            removal=line.links[desk.word("take-out")],
        )


def _day(desk: AfterSale, text: str) -> str:
    return desk.formats.read_day(text.rpartition(", ")[2])


def leaving(asked: Mapping[str, str], travellers: Sequence[Traveller]) -> Traveller:
    letter, _, surname = asked["initial"].partition(". ")
    named = [
        each for each in travellers if each.name[0] == letter and each.name.endswith(f" {surname}")
    ]
    if len(named) != 2:
        raise Unreadable(f"two people called {asked['initial']}")
    elder, younger = sorted(named, key=lambda each: each.born)
    return elder if asked["which"] == "elder" else younger


# Money -------------------------------------------------------------------------------------------


def take_out(
    desk: AfterSale,
    asked: Mapping[str, str],
    leaver: Traveller,
    stay: Sequence[Traveller],
    flights: Sequence[TableRow],
) -> dict[str, Rules]:
    """Take the leaver out; the rules of each direction's fare, as the page shows them."""
    first = _day(desk, flights[0].cells[desk.word("date")])
    desk.go(leaver.removal)
    rules, due = {}, 0
    ticket = desk.page.facts(desk.word("ticket-of", name=leaver.name))
    for way, word in (("outward", "outward"), ("return", "inward")):
        [name] = {
            line.cells[desk.word("fare")]
            for line in flights
            if line.cells[desk.word("direction")] == desk.word(word)
        }
        rules[way] = desk.clerk.rules(name)
        part = _part(desk, way, name)
        if part not in ticket:
            raise Unreadable(part)
        paid = ticket[part]
        due += back(desk, asked["share"], name, rules[way], desk.formats.read_money(paid))
    extras = ticket.get(desk.word(f"cost-{asked['back']}"))
    due += desk.formats.read_money(extras) if extras else 0
    entered = dict(refunds(desk, asked, due))
    [baby] = [each for each in stay if each.baby]
    label = f"{desk.word('lap')} ({baby.name})"
    entered |= desk.visitor.text(label, holder(asked["holder"], stay, first).name)
    desk.send("confirm-remove", entered, commits=True)
    return rules


def _part(desk: AfterSale, way: str, brand: str) -> str:
    return f"{desk.word(f'cost-{way}')}, {brand}"


def back(desk: AfterSale, share: str, brand: str, rules: Rules, paid: int) -> int:
    """What a direction's fare gives back."""
    [sentence] = [each for each in desk.page.paragraphs if each.startswith(f"{brand}: ")]
    if desk.word("rule-refund") in sentence:
        return paid
    free = "cost nothing" in share or "free of charge" in share
    if rules.change is None or (free and rules.change):
        return 0
    [part] = [number for text, number in PARTS.items() if text in share]
    return paid // part


def refunds(desk: AfterSale, asked: Mapping[str, str], due: int) -> Iterator[tuple[str, str]]:
    """The fields of the payments in the order of the request."""
    for key in ("first", "second", "rest"):
        source = asked[key].split()[-1]
        word = desk.word("by-voucher" if "voucher" in asked[key] else "by-card", source=source)
        [field] = [each for each in desk.page.controls if word in each.label]
        written = field.label.rpartition(word)[2]
        left = re.search(r"\$[\d,]+(?:\.\d\d)?|[\d.]+,\d\d \$", written)
        if left is None:
            raise Unreadable(field.label)
        given = min(due, desk.formats.read_money(left[0]))
        due -= given
        if given:
            yield field.name, desk.formats.money(given)


def holder(text: str, stay: Sequence[Traveller], day: str) -> Traveller:
    """On whose lap the baby goes."""
    if text.startswith("the oldest"):
        return min(stay, key=lambda each: each.born)
    return max((each for each in stay if each.age(day) >= 18), key=lambda each: each.born)


# Seats -------------------------------------------------------------------------------------------


def sit(desk: AfterSale, flight: TableRow, stay: Sequence[Traveller]) -> None:
    """Move the child that has no adult beside it on a flight, if there is one."""
    number, day = flight.cells[desk.word("flight")], _day(desk, flight.cells[desk.word("date")])
    desk.go(flight.links[desk.word("seats")])
    seated = {each.seats[number]: each for each in stay if number in each.seats}
    grown = {near for code, each in seated.items() if each.age(day) >= 18 for near in beside(code)}
    if not desk.page.seats:
        raise Unreadable("seat map")
    places = sorted(cabin(desk), key=lambda each: (int(each.code[:-1]), each.code[-1]))
    moving = [each for code, each in seated.items() if each.age(day) < 12 and code not in grown]
    if not moving:
        return
    [child] = moving
    right = next(each for each in places if each.free and not each.price and each.code in grown)
    desk.send("save-seats", desk.visitor.text(f"{desk.word('seat')} ({child.name})", right.code))


def beside(code: str) -> list[str]:
    """The neighbours of a seat on its side of the aisle."""
    row, letter = code[:-1], code[-1]
    side = next(each for each in SIDES if letter in each)
    at = side.index(letter)
    return [row + side[near] for near in (at - 1, at + 1) if 0 <= near < len(side)]


def cabin(desk: AfterSale) -> Iterator[Place]:
    """The seats of the open page's map that are free."""
    free = desk.word("free")
    for text in desk.page.seats:
        name, _, states = text.partition(": ")
        row = name.partition(", ")[0]
        for state in states.split("; "):
            letters = [each for each in state.split() if each in "ABCDEF"]
            words = " ".join(each for each in state.split() if each not in letters)
            kind, comma, price = words.partition(", ")
            for letter in letters:
                cost = desk.formats.read_money(price) if comma else 0
                yield Place(row + letter, kind == free, cost)


# Bags --------------------------------------------------------------------------------------------


def pack(
    desk: AfterSale,
    asked: Mapping[str, str],
    stay: Sequence[Traveller],
    flights: Sequence[TableRow],
    rules: Mapping[str, Rules],
    booking: str,
) -> None:
    """Give the bag to who takes it, and charge it where the fare does not include it."""
    way = WAYS[asked["where"].lower()]
    [taker] = [each for each in stay if each.first == asked["taker"]]
    desk.follow("open-bags")
    field = desk.page.control(f"{desk.word(f'bags-{way}')} ({taker.name})")
    pieces = int(field.value) + 1
    desk.send("save-bags", desk.visitor.text(field.label, str(pieces)))
    if pieces <= rules[way].bags:
        return
    desk.go(booking)
    desk.follow("open-charge")
    price = desk.formats.money(rules[way].bag)
    entered: dict[str, str] = {}
    for key, text in {
        "fee-kind": asked["fee"],
        "passenger": taker.name,
        "fee-amount": price,
        "card-amount": price,
        "card-number": "".join(re.findall(r"\d", asked["card"])),
        "expiry": request_reader.expiry(asked["expiry"]),
        "cvc": asked["cvc"],
    }.items():
        entered |= desk.visitor.text(desk.word(key), text)
    desk.send("charge", entered, commits=True)
