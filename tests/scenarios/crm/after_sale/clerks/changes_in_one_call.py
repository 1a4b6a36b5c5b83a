"""Changes of two bookings as a call asks for them, by the call and the served pages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from tests.scenarios.crm.airline_desk import request_reader
from tests.scenarios.crm.airline_desk.clerk import Clerk, Unreadable
from tests.scenarios.crm.airline_desk.clerks.after_sale import AfterSale, TableRow
from tests.scenarios.crm.airline_desk.request_reader import NotUnderstood, Reader

FAMILY = "changes_in_one_call"
NEEDED = ("tables", "seat map")
WAYS = ("outward", "return")
WISHES = ("fallback", "echo", "swap", "bags", "same", "name", "born", "born_other", "note")
CUSTOMERS = ("ask", "topic", "answer", "again", "settle", "correct", "withdraw", "digress", *WISHES)
AGENTS = ("greet", "ack", "which", "total", "checked", "fee", "bye")
NOTES = {
    "wheelchair": r"(\w+) cannot walk far and has to be wheeled through the airport"
    r"|(\w+) needs a wheelchair",
    "meal": r"(\w+) must not eat nuts and needs another dinner on board"
    r"|(\w+) eats no meat and needs other food on board",
    "permission": r"my sister, too, may change this booking for us"
    r"|my father is allowed to change things on this booking in our place",
    "documents": r"you have seen our passports, which I showed at your counter yesterday"
    r"|our identity cards were looked at by your people already",
}
FEES = {
    "name": "for a name correction",
    "seats": "for choosing seats",
    "bags": "for bags",
    "service": "for our service on the telephone",
}
COUNTS = {"one bag": 1, "two bags": 2, "three bags": 3}
_NAME = r"[A-Z][\w'’-]+"
_MONTHS = "|".join(request_reader.MONTHS)
_WAY = "on the way out|on the way home"
_BORN = rf"\d{{1,2}} (?:{_MONTHS}) \d{{4}}|(?:{_MONTHS}) \d{{1,2}}, \d{{4}}"
_NEED = "|".join(NOTES.values()).replace("(", "(?:")
CORRECTIONS = {
    "fallback": "the seat that I want first {way} of {trip} is {seat}, the rest stays",
    "echo": "the one who gets the same seat as I do, but {way} of {trip}, is {name}",
    "swap": "those who change places {way} of {trip} are {one} and {other}",
    "bags": "{name} takes {count} more than the fare includes {way} of {trip}",
    "name": "the last name of {name} on {trip} has to be {right}",
    "born": "the birthday of {name} on {trip} has to be {born}",
    "note": "the note that {need} belongs on {trip} and not on the other booking",
}


@dataclass
class Call:
    """What was asked for in the end: wishes by kind, notes by what they say, with their trip."""

    about: dict[str, str]
    wishes: dict[str, dict[str, str]] = field(default_factory=dict)

    def trip(self, wish: Mapping[str, str]) -> int:
        """0 for the trip whose reference is known, 1 for the other one."""
        where = wish["trip"]
        if where == f"the trip to {self.about['here']}":
            return 0
        names = {f"the trip to {self.about['there']}", f"the trip in {self.about['month']}"}
        if where not in names:
            raise NotUnderstood(where)
        return 1


# Reading -----------------------------------------------------------------------------------------


def read(text: str, cities: set[str]) -> Call:
    """The wishes of a call. Raises `NotUnderstood`."""
    city = "|".join(map(re.escape, cities))
    slots = {
        **request_reader.SLOTS,
        **dict.fromkeys(("name", "one", "other", "right"), _NAME),
        **dict.fromkeys(("way", "mine", "source"), _WAY),
        **dict.fromkeys(("here", "there", "city"), city),
        "me": rf"{_NAME} {_NAME}",
        "reference": "[A-Z0-9]{6}",
        "month": _MONTHS,
        "trip": rf"the trip (?:to (?:{city})|in (?:{_MONTHS}))",
        "seat": r"\d{1,2}[A-F]",
        "count": "|".join(COUNTS),
        "born": _BORN,
        "need": _NEED,
        "amount": r"\$\d+",
        "what": "|".join(FEES.values()),
        "now": r"[^.]+",
    }
    first, *parts = request_reader.SPOKEN.split(text)
    reader = Reader(FAMILY, slots, first)
    reader.take("frame")
    turns = list(zip(parts[::2], parts[1::2], strict=True))
    return _understood([each for turn in turns for each in _acts(reader, *turn)], slots)


def _acts(reader: Reader, name: str, words: str) -> Iterator[tuple[str, dict[str, str]]]:
    """The acts of a turn from its beginning on, each by its longest phrasing."""
    rest = words.strip()
    while rest:
        found = [
            (match, act)
            for act in (AGENTS if name == "Agent" else CUSTOMERS)
            for phrasing in request_reader.phrasings(FAMILY)[act]
            if (match := reader.pattern(phrasing).match(rest))
        ]
        if not found:
            raise NotUnderstood(rest)
        match, act = max(found, key=lambda each: len(each[0][0]))
        yield act, _plain(match.groupdict())
        rest = rest[len(match[0]) :].strip()


def _plain(found: Mapping[str, str | None]) -> dict[str, str]:
    """Values without the capital of a sentence that begins with them."""
    inner = ("way", "mine", "source", "trip", "count")
    return {
        key: text[:1].lower() + text[1:] if key in inner else text
        for key, text in found.items()
        if text
    }


def _understood(acts: list[tuple[str, dict[str, str]]], slots: Mapping[str, str]) -> Call:
    call = Call(next(found for act, found in acts if act == "ask"))
    topic, open_ = "", ""
    for act, found in acts:
        if act == "topic":
            topic = found["trip"]
        elif act in WISHES:
            open_ = f"note {found['need']}" if act == "note" else act.removesuffix("_other")
            call.wishes[open_] = {**found, "trip": topic}
            topic = ""
        elif act == "answer":
            call.wishes[open_]["trip"] = found["trip"]
        elif act in ("fee", "settle"):
            call.wishes["fee"] = {**call.wishes.get("fee", {}), **found}
        elif act == "withdraw":
            del call.wishes[f"note {found['need']}"]
        elif act == "correct":
            key, now = _correction(found["now"], slots)
            call.wishes[key] |= now
    return call


def _correction(now: str, slots: Mapping[str, str]) -> tuple[str, dict[str, str]]:
    for kind, frame in CORRECTIONS.items():
        match = re.fullmatch(request_reader.fill(frame, slots), now, re.IGNORECASE)
        if match:
            found = _plain(match.groupdict())
            return (f"note {found['need']}" if kind == "note" else kind), found
    raise NotUnderstood(now)


# At the desk -------------------------------------------------------------------------------------


class Changes:
    """The two bookings of a call, and what is changed in them."""

    def __init__(self, clerk: Clerk, call: Call) -> None:
        self.clerk, self.desk, self.call = clerk, AfterSale(clerk), call
        self.visitor, self.word = clerk.visitor, clerk.word
        self.today = clerk.today()
        self.references = (call.about["reference"], self._found())
        self.seat = ""

    def _found(self) -> str:
        """The reference of the trip that is known by name, city and month."""
        about = self.call.about
        surname = about["me"].split()[-1]
        lines = self.desk.search(name=surname, month=f"{about['month']} {self.today.year}")
        heads = [self.word(each) for each in ("reference", "route", "status", "customer")]
        rows = [[line.cells[head] for head in heads] for line in lines]
        fitting = [
            reference
            for reference, route, status, customer in rows
            if about["there"].casefold() in self._ends(route).casefold()
            and status == self.word("confirmed")
            and customer.endswith(about["me"])
        ]
        if len(fitting) != 1:
            raise Unreadable(f"{len(fitting)} bookings")
        return fitting[0]

    def _ends(self, route: str) -> str:
        """The cities of a route that is written with codes or names."""
        labels = [label for _, label in self.clerk.suggestions]
        codes = [each[-4:-1] for each in labels]
        known = [label for label, code in zip(labels, codes, strict=True) if code in route]
        return f"{route} {' '.join(known)}"

    def work(self) -> None:
        for trip in (0, 1):
            for kind, wish in self.call.wishes.items():
                if self.call.trip(wish) == trip:
                    self._do(kind.partition(" ")[0], trip, wish)

    def _do(self, kind: str, trip: int, wish: Mapping[str, str]) -> None:
        ways: Mapping[str, object] = {
            "fallback": self.sit,
            "echo": self.sit,
            "swap": self.swap,
            "bags": self.pack,
            "same": self.pack,
            "name": self.name,
            "born": self.born,
            "note": self.note,
            "fee": self.fee,
        }
        ways[kind](trip, wish)  # type: ignore[operator]

    # Seats

    def swap(self, trip: int, wish: Mapping[str, str]) -> None:
        names = [self.people(trip)[wish[each]] for each in ("one", "other")]
        self.seating(trip, wish["way"])
        labels = [f"{self.word('seat')} ({name})" for name in names]
        held = [self.visitor.page.control(label).value for label in labels]
        entered: dict[str, str] = {}
        for label, code in zip(labels, held[::-1], strict=True):
            entered |= self.visitor.text(label, code)
        self.desk.send("save-seats", entered)

    def sit(self, trip: int, wish: Mapping[str, str]) -> None:
        """Me, or somebody who is to sit as I do."""
        code = self.mine()
        name = self.people(trip)[wish.get("name", self.call.about["me"].split()[0])]
        self.seating(trip, wish["way"])
        label = f"{self.word('seat')} ({name})"
        self.desk.send("save-seats", self.visitor.text(label, code))

    def mine(self) -> str:
        """The seat that I get, by the map as it was before I got it."""
        self.seat = self.seat or self._mine(self.call.wishes["fallback"])
        return self.seat

    def _mine(self, wish: Mapping[str, str]) -> str:
        self.seating(self.call.trip(wish), wish["way"])
        free, wanted = self.free(), wish["seat"]
        if wanted in free:
            return wanted
        aisle = [code for code, price in free.items() if not price and code[-1] in "CD"]
        rows = [int(code[:-1]) for code in aisle if int(code[:-1]) > int(wanted[:-1])]
        [code] = [code for code in aisle if int(code[:-1]) == min(rows)]
        return code

    def free(self) -> dict[str, int]:
        """The price of each free seat of the open map."""
        found = {}
        if not self.visitor.page.seats:
            raise Unreadable("seat map")
        for text in self.visitor.page.seats:
            name, _, states = text.partition(": ")
            for state in states.split("; "):
                letters = [each for each in state.split() if each in "ABCDEF"]
                words = " ".join(each for each in state.split() if each not in letters)
                free, comma, price = words.partition(", ")
                cost = self.desk.formats.read_money(price) if comma else 0
                if free == self.word("free"):
                    found |= {name.split(",")[0] + letter: cost for letter in letters}
        return found

    def seating(self, trip: int, way: str) -> None:
        self.desk.open(self.references[trip])
        self.desk.go(self.flight(way).links[self.word("seats")])

    def flight(self, way: str) -> TableRow:
        flights = self.desk.flights()
        if len(flights) != len(WAYS):
            raise Unreadable("flights")
        return flights[0 if way == "on the way out" else 1]

    def people(self, trip: int) -> dict[str, str]:
        """First and last names of the open booking's passengers, by first name."""
        self.desk.open(self.references[trip])
        names = [
            line.cells[self.word("passenger")].split(maxsplit=1)[1]
            for line in self.desk.passengers()
        ]
        return {name.split()[0]: name for name in names}

    # Bags

    def pack(self, trip: int, wish: Mapping[str, str]) -> None:
        pieces = self.pieces(wish)
        self.baggage(trip)
        self.desk.send("save-bags", self.visitor.text(self.bag(trip, wish, wish["way"]), pieces))

    def pieces(self, wish: Mapping[str, str]) -> str:
        trip = self.call.trip(wish)
        if "count" in wish:
            self.baggage(trip)
            return str(self.included(wish["way"]) + COUNTS[wish["count"]])
        other = self.call.wishes.get("bags", {})
        same = (1 - trip, wish["name"], wish["source"])
        if other and same == (self.call.trip(other), other["name"], other["way"]):
            return self.pieces(other)
        self.baggage(1 - trip)
        return self.visitor.page.control(self.bag(1 - trip, wish, wish["source"])).value

    def baggage(self, trip: int) -> None:
        self.desk.open(self.references[trip])
        self.desk.follow("open-bags")

    def bag(self, trip: int, wish: Mapping[str, str], way: str) -> str:
        """The label of a field; the page of the bags is left open."""
        name = self.people(trip)[wish["name"]]
        self.baggage(trip)
        key = "bags-outward" if way == "on the way out" else "bags-return"
        return f"{self.word(key)} ({name})"

    def included(self, way: str) -> int:
        """How many bags the fare of a direction includes, by the open page."""
        where = self.word("outward" if way == "on the way out" else "inward")
        rule = re.escape(self.word("rule-bags", included="INCLUDED", price="PRICE"))
        rule = rule.replace("INCLUDED", r"(\d+)").replace("PRICE", ".+?")
        text = " ".join(self.visitor.page.tree.text_content().split())
        found = re.search(rf"{re.escape(where)}, [^:]+?: {rule}", text)
        if found is None:
            raise Unreadable("bags included")
        return int(found[1])

    # Passengers

    def name(self, trip: int, wish: Mapping[str, str]) -> None:
        before = self.people(trip)[wish["name"]]
        after = f"{before.split()[0]} {wish['right']}"
        checked = [
            way for way in ("on the way out", "on the way home") if self.tick(trip, way, before)
        ]
        self.person(trip, wish["name"], self.word("last-name"), wish["right"])
        for way in checked:
            self.tick(trip, way, after, ticked="yes")

    def tick(self, trip: int, way: str, name: str, ticked: str = "") -> bool:
        """Change whether somebody is checked in; whether that was so."""
        self.desk.open(self.references[trip])
        self.desk.go(self.flight(way).links[self.word("open-checkin")])
        control = self.visitor.page.control(f"{self.word('checked-in')} ({name})")
        if control.checked != bool(ticked):
            self.desk.send("save-checkin", {control.name: ticked})
        return control.checked

    def born(self, trip: int, wish: Mapping[str, str]) -> None:
        if "born" in wish:
            iso = request_reader.born(wish["born"])
        else:
            self.desk.open(self.references[1 - trip])
            iso = self.desk.formats.read_day(self.row(wish["name"]).cells[self.word("born")])
        self.person(trip, wish["name"], self.word("born"), self.desk.formats.day(iso))

    def row(self, first: str) -> TableRow:
        """The row of a passenger of the open booking."""
        for line in self.desk.passengers():
            if line.cells[self.word("passenger")].split()[1] == first:
                return line
        raise Unreadable(first)

    def person(self, trip: int, first: str, label: str, text: str) -> None:
        self.desk.open(self.references[trip])
        self.desk.go(self.row(first).links[self.word("change")])
        self.desk.send("save-person", self.visitor.text(label, text))

    # Notes and money

    def note(self, trip: int, wish: Mapping[str, str]) -> None:
        need = wish["need"]
        [code] = [key for key, text in NOTES.items() if re.fullmatch(text, need, re.IGNORECASE)]
        self.desk.open(self.references[trip])
        self.desk.follow("open-note")
        entered = self.visitor.text(self.word("note-code"), self.word(f"note-{code}"))
        self.desk.send("add-note", entered)

    def fee(self, trip: int, wish: Mapping[str, str]) -> None:
        name = self.people(trip)[wish["name"]]
        voucher, balance = self.voucher()
        [code] = [key for key, text in FEES.items() if text == wish["what"]]
        amount = int(wish["amount"].removeprefix("$"))
        first = min(amount, balance)
        self.desk.follow("open-charge")
        money = self.desk.formats.money
        texts = {
            "fee-kind": self.word(f"fee-{code}"),
            "passenger": name,
            "fee-amount": money(amount),
            "voucher": voucher,
            "voucher-amount": money(first),
            "card-amount": money(amount - first),
            "card-number": wish["card"],
            "expiry": request_reader.expiry(wish["expiry"]),
            "cvc": wish["cvc"],
        }
        entered: dict[str, str] = {}
        for key, text in texts.items():
            entered |= self.visitor.text(self.word(key), text)
        self.desk.send("charge", entered, commits=True)

    def voucher(self) -> tuple[str, int]:
        """The code and balance of the valid voucher that runs out first."""
        good = [
            (self.desk.formats.read_day(line.cells[self.word("good-until")]), line)
            for line in self.desk.lines(self.word("group-voucher"))
            if self.word("ran-out") not in line.cells[self.word("good-until")]
        ]
        if not good:
            raise Unreadable("vouchers")
        _, line = min(good, key=lambda each: each[0])
        balance = self.desk.formats.read_money(line.cells[self.word("balance")])
        return line.cells[self.word("voucher")], balance


def work(clerk: Clerk, request: str) -> str:
    cities = {city for city, _ in clerk.suggestions}
    if not cities:
        raise Unreadable("airports")
    Changes(clerk, read(request, cities)).work()
    return ""
