"""What a customer of the airline desk asks for, read back from the words of the request.

The phrasings say where the values stand; the values are understood as people do, with the airports
that the desk lists and a calendar. Gold and generators are not looked at.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import cache

from scenarios import phrasings as wording
from scenarios.crm.airline_desk.phrasings import HELD_OUT, OPEN

MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
NUMBERS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen"),
)
COUNTED = ("first", "second", "third", "fourth")
WAYS = {"on the way out": "outward", "on the way home": "return"}
WHICH = {
    "wherever that is possible": "only",
    "the one nearest the front that is possible": "front",
    "the one nearest the back that is possible": "back",
}
RULES = {
    ", not an exit row and no seat that costs extra": True,
    ", not an exit row, whether it costs extra or not": False,
}
SEXES = {
    **dict.fromkeys(("female", "woman", "girl"), "Female"),
    **dict.fromkeys(("male", "man", "boy"), "Male"),
}
GROWN = {
    "me alone": 1,
    "me": 1,
    "my wife and me": 2,
    "my husband and me": 2,
    "a friend and me": 2,
    "my parents and me": 3,
    "both grandparents, my husband and me": 4,
}
"""Whom a customer means who names nobody's age."""

_MONTH, _WEEKDAY = "|".join(MONTHS), "|".join(WEEKDAYS)
_NUMBER, _COUNT = "|".join(NUMBERS), "|".join((*COUNTED, "last"))
_NAME = r"[A-Z][\w'’-]+"
_WAY = "on the way out|on the way home"
_TIME = r"\d{1,2}:\d{2}(?: [ap]m)?"
_DAY = (
    rf"(?:on the (?:{_COUNT}) (?:{_WEEKDAY}) in (?:{_MONTH})|on \d{{1,2}} (?:{_MONTH})"
    rf"|on the second (?:{_WEEKDAY}) after that|on the (?:{_WEEKDAY}) of the week after"
    rf"|(?:{_NUMBER}) days later|exactly two weeks later)"
)
_FLIGHT = rf"the (?:first|last) non-stop flight (?:of the day|that leaves (?:after|before) {_TIME})"
_LUGGAGE = rf"(?:one bag|(?:{_NUMBER}) bags) for {_NAME} (?:both ways|{_WAY})"
_PERSON = rf"(?:a (?:girl|boy) of (?:{_NUMBER})|a baby of (?:{_NUMBER}) months)"
_GROWN = "|".join(map(re.escape, sorted(GROWN, key=len, reverse=True)))
_EXPIRY = rf"(?:\d\d/\d{{4}}|\d\d/\d\d|(?:{_MONTH}) \d{{4}})"

SLOTS = {
    "out": _DAY,
    "back": _DAY,
    "first": _FLIGHT,
    "second": _FLIGHT,
    "bags": rf"{_LUGGAGE}(?:(?:, | and ){_LUGGAGE})*",
    "people": r"[^.]+",
    "infant": _NAME,
    "adult": _NAME,
    "where": _WAY,
    "where_first": _WAY,
    "which": "|".join(map(re.escape, WHICH)),
    "rules": "|".join(map(re.escape, RULES)),
    "names": rf"{_NAME}(?:, {_NAME})* and {_NAME}",
    "window": _NAME,
    "middle": _NAME,
    "aisle": _NAME,
    "card": r"\d[\d -]{14,}\d",
    "expiry": _EXPIRY,
    "cvc": r"\d{3}",
    "travellers": rf"(?:{_GROWN})(?:(?:, | and ){_PERSON})*",
    "day": rf"on \d{{1,2}} (?:{_MONTH})",
    "price": r"\d+",
    "flight": r"[A-Z]{2}\d{4}",
    "now": r"[^.]+",
    "days": rf"{_DAY} or (?:the day after|\d+ (?:{_MONTH}))|on \d+ or \d+ (?:{_MONTH})",
    "after": _TIME,
    "by": _TIME,
    "hours": rf"\d+|{_NUMBER}",
    "wait": r"\d+",
    "limit": r"\$\d+",
}
CORRECTIONS = {
    "fares": "the fare is {fares}",
    "back": "(?:we fly home|we come back) {back}",
    "out": "we leave {out}",
    "card": "the number of the card is {card}",
    "bags": "the bags are {bags}",
    "travellers": "those who fly are {travellers}",
    "after": "we cannot leave earlier than {after}",
    "by": "the arrival has to be at {by} there at the latest, still on the day we leave",
}
SPOKEN = re.compile(r"(Agent|Customer): ")
PERSON = re.compile(
    rf"(?P<title>Mr|Mrs|Ms|Dr) (?P<first>{_NAME}) (?P<last>{_NAME})(?:, | \()"
    rf"(?:sex )?(?P<sex>{'|'.join(SEXES)}), (?:birthday )?(?P<born>[^)]+)\)?"
)


class NotUnderstood(Exception):
    """The request holds words that nobody can read."""


# Frames ------------------------------------------------------------------------------------------


@cache
def phrasings(family: str) -> Mapping[str, tuple[str, ...]]:
    """Return all phrasings of each act of a family, open and held out."""
    open_, held = (wording.phrasings(family, kind) for kind in (OPEN, HELD_OUT))
    return {act: (*open_[act], *held[act]) for act in open_}


@dataclass
class Reader:
    """Reads acts out of a text, and what is left of it. `slots` are patterns by name."""

    family: str
    slots: Mapping[str, str]
    text: str

    def take(self, act: str) -> dict[str, str]:
        """The values of the act that the text holds, which is taken out of it; the longest
        phrasing wins. Raises `NotUnderstood`."""
        found = self.find(act)
        if found is None:
            raise NotUnderstood(f"{act}: {self.text}")
        return found

    def find(self, act: str) -> dict[str, str] | None:
        """As `take`; None where there is no such act."""
        matches = [
            match
            for phrasing in phrasings(self.family)[act]
            if (match := self.pattern(phrasing).search(self.text))
        ]
        if not matches:
            return None
        longest = max(matches, key=lambda match: len(match[0]))
        self.text = " ".join(f"{self.text[: longest.start()]} {self.text[longest.end() :]}".split())
        return {name: text for name, text in longest.groupdict().items() if text}

    def end(self) -> None:
        """Raises `NotUnderstood` where something is left."""
        if self.text:
            raise NotUnderstood(self.text)

    def all(self, act: str) -> Iterator[dict[str, str]]:
        while (found := self.find(act)) is not None:
            yield found

    def pattern(self, phrasing: str) -> re.Pattern[str]:
        filled = fill(re.escape(phrasing).replace(r"\{", "{").replace(r"\}", "}"), self.slots)
        return _compiled(rf"(?<!\S){filled}(?!\S)")


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Compiled once: `re` itself keeps fewer than there are phrasings."""
    return re.compile(pattern, re.IGNORECASE)


def fill(frame: str, slots: Mapping[str, str]) -> str:
    """A pattern of a frame with slots in braces; one that comes twice is the same twice."""
    seen: set[str] = set()

    def group(match: re.Match[str]) -> str:
        name = match[1]
        if name in seen:
            return f"(?P={name})"
        seen.add(name)
        return f"(?P<{name}>{slots[name]})"

    return re.sub(r"\{(\w+)\}", group, frame)


def patterns(
    airports: Collection[str], cities: Collection[str], brands: Collection[str]
) -> dict[str, str]:
    """The patterns of all slots, where airports, cities and fares are called so."""
    fare, city = ("|".join(map(re.escape, each)) for each in (brands, cities))
    place = "|".join(map(re.escape, sorted(airports, key=len, reverse=True)))
    return {
        **SLOTS,
        "origin": place,
        "destination": place,
        "city": city,
        "avoid": city,
        "fares": rf"(?:{fare}) (?:both ways|on the way out and (?:{fare}) on the way home)",
    }


# Days and times ----------------------------------------------------------------------------------


def day(text: str, today: date, out: date | None = None) -> date:
    """The date that a phrase names, seen from today or from the day of the way out."""
    text = text[:1].lower() + text[1:]
    if match := re.fullmatch(rf"on (\d+) ({_MONTH})", text):
        return _coming(today, MONTHS.index(match[2]) + 1, int(match[1]))
    if match := re.fullmatch(rf"on the ({_COUNT}) ({_WEEKDAY}) in ({_MONTH})", text):
        return _counted(today, match[1], WEEKDAYS.index(match[2]), MONTHS.index(match[3]) + 1)
    if out is None:
        raise NotUnderstood(text)
    if match := re.fullmatch(rf"({_NUMBER}) days later", text):
        return out + timedelta(NUMBERS.index(match[1]))
    if text == "exactly two weeks later":
        return out + timedelta(14)
    if match := re.fullmatch(rf"on the second ({_WEEKDAY}) after that", text):
        first = (WEEKDAYS.index(match[1]) - out.weekday() - 1) % 7 + 1
        return out + timedelta(first + 7)
    if match := re.fullmatch(rf"on the ({_WEEKDAY}) of the week after", text):
        return out + timedelta(7 - out.weekday() + WEEKDAYS.index(match[1]))
    raise NotUnderstood(text)


def _coming(today: date, month: int, number: int) -> date:
    found = date(today.year, month, number)
    return found if found >= today else found.replace(year=today.year + 1)


def _counted(today: date, place: str, weekday: int, month: int) -> date:
    days = [date(today.year, month, 1) + timedelta(at) for at in range(31)]
    fitting = [each for each in days if each.month == month and each.weekday() == weekday]
    return fitting[-1 if place == "last" else COUNTED.index(place)]


def born(text: str) -> str:
    """The ISO date of a birthday as people write it."""
    words = text.replace(",", "").split()
    numbers = [int(each) for each in words if each.isdecimal()]
    [month] = [at for each in words for at, name in enumerate(MONTHS, 1) if _means(each, name)]
    return date(max(numbers), month, min(numbers)).isoformat()


def _means(word: str, month: str) -> bool:
    return len(word) >= 3 and word.isalpha() and month.startswith(word)


def minutes(text: str) -> int:
    """Of a time in 24 or in 12 hours."""
    time, _, half = text.partition(" ")
    hour, minute = map(int, time.split(":"))
    if half:
        hour = hour % 12 + 12 * (half.lower() == "pm")
    return hour * 60 + minute


def expiry(text: str) -> str:
    """MM/YY"""
    month, year = text.replace("/", " ").split()
    number = int(month) if month.isdecimal() else MONTHS.index(month) + 1
    return f"{number:02}/{year[-2:]}"


# What is asked for -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Journey:
    """Airports as the request calls them; `home` None for one way."""

    origin: str
    destination: str
    out: date
    home: date | None


@dataclass(frozen=True)
class Person:
    """Somebody who travels; `born` is an ISO date."""

    title: str
    first_name: str
    last_name: str
    gender: str
    born: str


@dataclass(frozen=True)
class Choice:
    """A flight without a stop: the first or the last one, of those that leave after or before a
    minute of the day, if one is named."""

    last: bool
    after: int | None = None
    before: int | None = None

    @classmethod
    def of(cls, text: str) -> Choice:
        time = re.search(_TIME, text)
        at = minutes(time[0]) if time else None
        last = text.startswith("the last")
        return cls(last, at if "after" in text else None, at if "before" in text else None)

    def admits(self, departs: int) -> bool:
        late = self.before is not None and departs >= self.before
        early = self.after is not None and departs <= self.after
        return not late and not early


@dataclass(frozen=True)
class Seating:
    """Where the party sits together: `names` from A on for a row, from the window on for a side."""

    direction: str
    shape: str
    which: str
    free: bool
    names: tuple[str, ...]


@dataclass(frozen=True)
class PartyRequest:
    """All that `book_party` asks for; people by first names, bags as (name, direction)."""

    journey: Journey
    people: tuple[Person, ...]
    laps: Mapping[str, str]
    choices: Mapping[str, Choice]
    brands: Mapping[str, str]
    bags: Mapping[tuple[str, str], int]
    card: Mapping[str, str]
    seating: Seating | None = None


@dataclass(frozen=True)
class FitRequest:
    """All that `cheapest_fit` asks for: one way on one of two days, one bag each.

    `conditions` are by kind; times are minutes, the limit is in dollars, `avoid` is a city.
    """

    origin: str
    destination: str
    days: tuple[date, date]
    conditions: Mapping[str, int | str]
    people: tuple[Person, ...]
    card: Mapping[str, str]

    def on(self, day: date) -> Journey:
        return Journey(self.origin, self.destination, day, None)


@dataclass(frozen=True)
class SearchRequest:
    """All that `airline_search` asks for: grown people, and the ages of the others in years."""

    journey: Journey
    grown: int
    ages: tuple[float, ...] = field(default=())


def book_party(text: str, slots: Mapping[str, str], today: date) -> PartyRequest:
    """Read a request of `book_party`. Raises `NotUnderstood`."""
    reader = Reader("book_party", slots, text)
    list(reader.all("digress"))
    now = _correction(reader)
    stated = reader.take("ask")
    people = tuple(_people(reader.take("party")["people"]))
    laps = {each["infant"]: each["adult"] for each in reader.all("lap")}
    for act in ("flights", "fares", "add", "pay"):
        stated |= reader.take(act)
    seating = _seating(reader)
    rest = re.fullmatch(rf"No seats need to be chosen (?:{_WAY})\.", reader.text)
    if rest is None:
        raise NotUnderstood(reader.text)
    stated |= now
    return PartyRequest(
        journey=_journey(stated, today),
        people=people,
        laps=laps,
        choices={"outward": Choice.of(stated["first"]), "return": Choice.of(stated["second"])},
        brands=_brands(stated["fares"], slots),
        bags=dict(_bags(stated["bags"])),
        card=_card(stated),
        seating=seating,
    )


def cheapest_fit(text: str, slots: Mapping[str, str], today: date) -> FitRequest:
    """Read a request of `cheapest_fit`. Raises `NotUnderstood`."""
    reader = Reader("cheapest_fit", slots, text)
    list(reader.all("digress"))
    now = _correction(reader)
    stated = reader.take("ask")
    for act in ("bags", "cheapest", "none", "pay"):
        stated |= reader.take(act)
    people = tuple(_people(reader.take("party")["people"]))
    wishes: dict[str, str] = {}
    for each in reader.text.removesuffix(".").split("; "):
        wishes |= _wish(reader, each)
    return FitRequest(
        origin=stated["origin"],
        destination=stated["destination"],
        days=_two_days(stated["days"], today),
        conditions={kind: _meant(kind, value) for kind, value in {**wishes, **now}.items()},
        people=people,
        card=_card(stated),
    )


CONDITIONS = (
    *("direct", "after", "by", "hours", "wait", "avoid", "change", "free_change", "limit"),
)


def _wish(reader: Reader, text: str) -> dict[str, str]:
    """A condition by its kind, as it is written."""
    for kind in CONDITIONS:
        for phrasing in phrasings(reader.family)[kind]:
            match = reader.pattern(phrasing).fullmatch(text)
            if match:
                return {kind: match.groupdict().get(kind, "")}
    raise NotUnderstood(text)


def _meant(kind: str, value: str) -> int | str:
    if kind in {"after", "by"}:
        return minutes(value)
    if kind == "avoid" or not value:
        return value
    number = value.removeprefix("$")
    return int(number) if number.isdecimal() else NUMBERS.index(number.casefold())


def _two_days(text: str, today: date) -> tuple[date, date]:
    if match := re.fullmatch(rf"on (\d+) or \d+ ({_MONTH})", text, re.IGNORECASE):
        first = day(f"on {match[1]} {match[2]}", today)
    else:
        first = day(text.partition(" or ")[0], today)
    return first, first + timedelta(1)


def _card(stated: Mapping[str, str]) -> dict[str, str]:
    return {
        "card-number": re.sub(r"\D", "", stated["card"]),
        "expiry": expiry(stated["expiry"]),
        "cvc": stated["cvc"],
    }


def airline_search(text: str, slots: Mapping[str, str], today: date) -> SearchRequest:
    """Read a conversation of `airline_search`. Raises `NotUnderstood`."""
    parts = SPOKEN.split(text)[1:]
    turns = list(zip(parts[::2], parts[1::2], strict=True))
    if [name for name, _ in turns] != ["Agent", "Customer"] * 4 + ["Agent"]:
        raise NotUnderstood(text)
    stated: dict[str, str] = {}
    now: dict[str, str] = {}
    for (name, words), act in zip(turns, CONVERSATION, strict=True):
        reader = Reader("airline_search", slots, words.strip())
        if name == "Customer":
            list(reader.all("digress"))
            now |= _correction(reader)
        found = reader.find(act)
        stated |= reader.take("one_way") if found is None and act == "back" else found or {}
        if reader.text:
            raise NotUnderstood(reader.text)
    stated |= now
    grown, ages = _travellers(stated["travellers"])
    return SearchRequest(_journey(stated, today), grown, ages)


CONVERSATION = ("greet", "ask", "when", "out", "home", "back", "many", "travellers", "look")
"""What is spoken of, turn by turn."""


def _correction(reader: Reader) -> dict[str, str]:
    """What was taken back, as it is to be; {} where nothing was."""
    found = reader.find("correct")
    if found is None:
        return {}
    for slot, frame in CORRECTIONS.items():
        match = re.fullmatch(fill(frame, reader.slots), found["now"])
        if match:
            return {slot: match[slot]}
    raise NotUnderstood(found["now"])


def _journey(stated: Mapping[str, str], today: date) -> Journey:
    out = day(stated["out"], today)
    home = day(stated["back"], today, out) if "back" in stated else None
    return Journey(stated["origin"], stated["destination"], out, home)


def _people(text: str) -> Iterator[Person]:
    for each in text.split("; "):
        match = PERSON.fullmatch(each)
        if match is None:
            raise NotUnderstood(each)
        sex = SEXES[match["sex"]]
        yield Person(match["title"], match["first"], match["last"], sex, born(match["born"]))


def _brands(text: str, slots: Mapping[str, str]) -> dict[str, str]:
    """The airline's names of the fares, by direction."""
    if text.endswith(" both ways"):
        return dict.fromkeys(WAYS.values(), text.removesuffix(" both ways"))
    out, home = text.removesuffix(" on the way home").split(" on the way out and ")
    return {"outward": out, "return": home}


def _bags(text: str) -> Iterator[tuple[tuple[str, str], int]]:
    pattern = rf"(one bag|({_NUMBER}) bags) for ({_NAME}) (both ways|{_WAY})"
    for counted, number, name, where in re.findall(pattern, text):
        pieces = NUMBERS.index(number) if number else 1
        assert counted
        ways = WAYS.values() if where == "both ways" else [WAYS[where]]
        yield from (((name, way), pieces) for way in ways)


def _seating(reader: Reader) -> Seating:
    for shape in ("row", "side"):
        found = reader.find(shape)
        if found:
            where = (found.get("where") or found["where_first"]).casefold()
            return Seating(
                direction=WAYS[where],
                shape=shape,
                which=WHICH[found["which"]],
                free=RULES[found["rules"]],
                names=_names(found),
            )
    raise NotUnderstood(reader.text)


def _names(found: Mapping[str, str]) -> tuple[str, ...]:
    if "names" in found:
        return tuple(re.split(", | and ", found["names"]))
    return found["window"], found["middle"], found["aisle"]


def _travellers(text: str) -> tuple[int, tuple[float, ...]]:
    """How many are grown, and the ages of the others."""
    match = re.match(_GROWN, text, re.IGNORECASE)
    assert match is not None, text
    years = [float(NUMBERS.index(each)) for each in re.findall(rf"of ({_NUMBER})\b(?! m)", text)]
    months = [NUMBERS.index(each) / 12 for each in re.findall(rf"of ({_NUMBER}) months", text)]
    return GROWN[match[0][0].lower() + match[0][1:]], (*years, *months)
