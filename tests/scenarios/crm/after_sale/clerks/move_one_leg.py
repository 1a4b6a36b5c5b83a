"""The clerk moves one direction of a booking, by the request and the pages."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from tests.scenarios.crm.airline_desk import request_reader
from tests.scenarios.crm.airline_desk.clerk import Clerk, SeenOffer, Unreadable
from tests.scenarios.crm.airline_desk.clerks.after_sale import AfterSale, TableRow
from tests.scenarios.crm.airline_desk.request_reader import (
    COUNTED,
    NUMBERS,
    WEEKDAYS,
    NotUnderstood,
    Reader,
)

NEEDED = ("tables", "offers", "seat map", "total")
WAYS = {"way out": "outward", "way home": "return"}
WORDS = {"outward": "outward", "return": "inward"}
_NUMBER, _WEEKDAY = "|".join(NUMBERS), "|".join(WEEKDAYS)
_STEP = (
    rf"(?:(?:{_NUMBER}) days? (?:after|before)|on the (?:first|second) (?:{_WEEKDAY}) after"
    rf"|on the (?:{_WEEKDAY}) of the week after)"
)
WHEN = rf"{_STEP} the day on which the present (?:way out|way home) begins"
_FEE = (
    r"(?:\$\d+ \(do not mind the rules on the pages\)|what the rules of our fare on the pages say)"
)
_PART = (
    r"(?:each (?:child|infant) pays half of it, rounded up to a dollar"
    r"|(?:children|infants) pay nothing of it)"
)
SLOTS = {
    "name": r"[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)+",
    "reference": "[A-Z0-9]{6}",
    "moved": "way out|way home",
    "kept": "way out|way home",
    "when": WHEN,
    "nearest": "the one whose (?:departure|arrival) is nearest by the clock to that of the present"
    " (?:way out|way home), be it earlier or later",
    "fee": _FEE,
    "exceptions": rf"{_PART}(?: and {_PART})?",
    "voucher": "the voucher of ours that is still good and (?:runs out first|holds the most)",
    "paying": r"as much as it holds, but so that at least \$\d+ of the sum are left for the card",
    "seats": "the seat that they have now on the first flight of that way or, where that is not"
    " free, the seat of the same letter in the nearest row towards the (?:front|back) where it is"
    " free; exit rows do not count, and what a seat costs does not matter",
    "unless": "(?:our fare may not be changed at all, or )?no flight of that day fits all of this",
}
CORRECTIONS = {
    "when": "the new flight has to leave {when}",
    "after": "it must not leave earlier than {after}",
    "by": "the arrival has to be at {by} local time at the latest, still on the day it leaves",
    "fee": "the fee is {fee} for each traveller, with the exceptions that I named",
}
CONDITIONS = ("later", "direct", "after", "by", "wait", "avoid")
ACTS = ("move", "nearest", "fee", "paying_first", "rest", "seats", "report")


@dataclass(frozen=True)
class Now:
    """What the page of a booking says before anything is changed; flights, seats and kinds are of
    the way that is moved, seats and kinds by passenger."""

    brand: str
    departs: int
    arrives: int
    days: Mapping[str, date]
    seats: Mapping[str, str]
    kinds: Mapping[str, str]
    vouchers: Sequence[tuple[str, int, str]]


def work(clerk: Clerk, request: str) -> str:
    slots = clerk.slots() | SLOTS
    cities = clerk.suggestions
    stated, conditions = read(request, slots)
    desk = AfterSale(clerk)
    desk.open(_reference(desk, stated))
    way = WAYS[stated["moved"]]
    now = _now(desk, way)
    desk.follow("open-reroute", way=desk.word(WORDS[way]))
    day = named_day(stated["when"], now.days)
    desk.send("search-flights", clerk.visitor.day(desk.word("departure"), day.isoformat()))
    fee = _fee(clerk, stated, now)
    avoided = {label[-4:-1] for city, label in cities if city == conditions.get("avoid")}
    offer = _nearest(clerk, stated, conditions, now, avoided)
    if fee is None or offer is None:
        return "NOT_ACHIEVABLE"
    desk.go(offer.page)
    desk.send("confirm-flights", {offer.fare.name: offer.fare.value})
    charged = _settle(desk, stated, now, fee)
    _sit(desk, clerk, stated, now, offer)
    return str(charged)


# The request -------------------------------------------------------------------------------------


def read(request: str, slots: Mapping[str, str]) -> tuple[dict[str, str], dict[str, str]]:
    """What is stated, and the conditions by their kinds. Raises `NotUnderstood`."""
    reader = Reader("move_one_leg", slots, request)
    list(reader.all("digress"))
    corrected = reader.find("correct")
    now = _corrected(corrected["now"], slots) if corrected else {}
    stated = reader.find("by_name") or reader.take("by_reference")
    for act in ACTS:
        stated |= reader.take(act)
    wishes: dict[str, str] = {}
    for text in reader.text.removesuffix(".").split("; "):
        wishes |= _wish(reader, text)
    for kind in wishes:
        wishes[kind] = now.get(kind, wishes[kind])
    return stated | now, wishes


def _corrected(text: str, slots: Mapping[str, str]) -> dict[str, str]:
    for slot, frame in CORRECTIONS.items():
        match = re.fullmatch(request_reader.fill(frame, slots), text)
        if match:
            return {slot: match[slot]}
    raise NotUnderstood(text)


def _wish(reader: Reader, text: str) -> dict[str, str]:
    for kind in CONDITIONS:
        one = Reader(reader.family, reader.slots, text)
        found = one.find(kind)
        if found is not None and not one.text:
            return {kind: found.get(kind, "")}
    raise NotUnderstood(text)


def named_day(text: str, days: Mapping[str, date]) -> date:
    """The day that is named by one of the booking."""
    step, _, word = text.partition(" the day on which the present ")
    start = days[WAYS[word.removesuffix(" begins")]]
    if match := re.fullmatch(rf"({_NUMBER}) days? (after|before)", step):
        days_apart = NUMBERS.index(match[1])
        return start + timedelta(days_apart if match[2] == "after" else -days_apart)
    if match := re.fullmatch(rf"on the (first|second) ({_WEEKDAY}) after", step):
        ahead = (WEEKDAYS.index(match[2]) - start.weekday() - 1) % 7 + 1
        return start + timedelta(ahead + 7 * COUNTED.index(match[1]))
    [weekday] = re.findall(_WEEKDAY, step)
    return start + timedelta(7 - start.weekday() + WEEKDAYS.index(weekday))


# The booking -------------------------------------------------------------------------------------


def _reference(desk: AfterSale, stated: Mapping[str, str]) -> str:
    if "reference" in stated:
        return stated["reference"]
    text = desk.word("reference")
    found = [
        each.cells[text]
        for each in desk.search(name=stated["name"])
        if stated["city"] in " ".join(each.cells.values())
    ]
    if len(found) != 1:
        raise Unreadable(f"{stated['name']} to {stated['city']}: {found}")
    return found[0]


def _now(desk: AfterSale, way: str) -> Now:
    word, lines = desk.word, desk.flights()
    ways = {each: [line for line in lines if _is(desk, line, each)] for each in WORDS}
    own = ways[way]
    if not own:
        raise Unreadable("the flights")
    number = own[0].cells[word("flight")].split()[0]
    times = [_times(each.cells[word("times")]) for each in own]
    return Now(
        brand=own[0].cells[word("fare")],
        departs=times[0][0],
        arrives=times[-1][1],
        days={each: _date(desk, found[0].cells[word("date")]) for each, found in ways.items()},
        seats={
            line.cells[word("passenger")]: code
            for line in desk.passengers()
            if (code := _seat(desk, line, number))
        },
        kinds={
            line.cells[word("passenger")]: line.cells[word("kind")] for line in desk.passengers()
        },
        vouchers=_vouchers(desk),
    )


def _is(desk: AfterSale, line: TableRow, way: str) -> bool:
    return line.cells[desk.word("direction")] == desk.word(WORDS[way])


def _date(desk: AfterSale, text: str) -> date:
    """Of a day with its weekday before it."""
    for at in range(len(text)):
        try:
            return date.fromisoformat(desk.formats.read_day(text[at:]))
        except ValueError:
            continue
    raise Unreadable(text)


def _times(text: str) -> tuple[int, int]:
    first, last = re.findall(r"\d{1,2}:\d{2}(?: [AP]M)?", text)[:2]
    return request_reader.minutes(first), request_reader.minutes(last)


def _seat(desk: AfterSale, line: TableRow, flight: str) -> str:
    for text in line.cells[desk.word("seats")].split("; "):
        found = re.search(r"\b\d{1,2}[A-F]\b", text)
        if found and text == desk.word("seat-on", seat=found[0], flight=flight):
            return found[0]
    return ""


def _vouchers(desk: AfterSale) -> list[tuple[str, int, str]]:
    """Code, balance and last day of those that are still good."""
    word, formats = desk.word, desk.formats
    return [
        (
            line.cells[word("voucher")],
            formats.read_money(line.cells[word("balance")]),
            formats.read_day(line.cells[word("good-until")]),
        )
        for line in desk.lines(word("group-voucher"))
        if word("ran-out") not in line.cells[word("good-until")]
    ]


# The flight --------------------------------------------------------------------------------------


def _nearest(
    clerk: Clerk,
    stated: Mapping[str, str],
    conditions: Mapping[str, str],
    now: Now,
    avoided: set[str],
) -> SeenOffer | None:
    able = [
        each
        for each in clerk.offers(now.brand)
        if all(_fits(kind, value, each, now, avoided) for kind, value in conditions.items())
    ]
    by_arrival = "whose arrival" in stated["nearest"]

    def apart(offer: SeenOffer) -> int:
        far = offer.arrives - now.arrives if by_arrival else offer.departs - now.departs
        return abs(far)

    return min(able, key=apart, default=None)


def _fits(kind: str, value: str, offer: SeenOffer, now: Now, avoided: set[str]) -> bool:
    if kind == "direct":
        return offer.direct
    if kind == "later":
        return offer.departs >= now.departs
    if kind == "after":
        return offer.departs >= request_reader.minutes(value)
    if kind == "by":
        return offer.same_day and offer.arrives <= request_reader.minutes(value)
    if kind == "wait":
        return offer.direct or offer.waiting >= int(value)
    return offer.hub not in avoided


# Money and seats ---------------------------------------------------------------------------------


def _fee(clerk: Clerk, stated: Mapping[str, str], now: Now) -> int | None:
    """For all together; None where the fare may not be changed."""
    named = re.match(r"\$(\d+)", stated["fee"])
    each = int(named[1]) if named else clerk.rules(now.brand).change
    if each is None:
        return None
    halves = {
        kind: f"each {kind} pays half" in stated["exceptions"] for kind in ("child", "infant")
    }
    young = {clerk.word(kind): -(-each // 2) if half else 0 for kind, half in halves.items()}
    return sum(young.get(kind.split(",")[0], each) for kind in now.kinds.values())


def _settle(desk: AfterSale, stated: Mapping[str, str], now: Now, fee: int) -> int:
    """Pay; the dollars that the card is charged."""
    money, word = desk.formats.read_money, desk.word
    difference = desk.facts("price", "difference")
    due = fee + (0 if difference.startswith("−") else money(difference))
    least = int(re.findall(r"\$(\d+)", stated["paying"])[0])
    if not now.vouchers:
        raise Unreadable("the vouchers")
    if "runs out first" in stated["voucher"]:
        code, balance, _ = min(now.vouchers, key=lambda each: each[2])
    else:
        code, balance, _ = max(now.vouchers, key=lambda each: each[1])
    taken = min(balance, due - least)
    texts = {
        "fee-amount": desk.formats.money(fee),
        "voucher": code,
        "voucher-amount": desk.formats.money(taken),
        "card-amount": desk.formats.money(due - taken),
        "card-number": re.sub(r"\D", "", stated["card"]),
        "expiry": request_reader.expiry(stated["expiry"]),
        "cvc": stated["cvc"],
    }
    entered: dict[str, str] = {}
    for key, text in texts.items():
        entered |= desk.visitor.text(word(key), text)
    desk.send("save-flights", entered, commits=True)
    return due - taken


def _sit(
    desk: AfterSale, clerk: Clerk, stated: Mapping[str, str], now: Now, offer: SeenOffer
) -> None:
    """Choose the seats on each of the new flights."""
    step = -1 if "towards the front" in stated["seats"] else 1
    flights = [
        each
        for each in desk.flights()
        if each.cells[desk.word("flight")].split()[0] in offer.numbers
    ]
    for line in flights:
        desk.go(line.links[desk.word("seats")])
        seats = {code for code, one in clerk.sale.cabin().items() if one.free and not one.exit}
        entered: dict[str, str] = {}
        for name, seat in now.seats.items():
            labels = [
                each.label
                for each in desk.page.controls
                if each.label.startswith(desk.word("seat"))
            ]
            [label] = [
                each for each in labels if name.endswith(each.rpartition("(")[2].rstrip(")"))
            ]
            entered |= desk.visitor.text(label, _same_letter(seat, seats, step))
        desk.send("save-seats", entered)


def _same_letter(seat: str, free: set[str], step: int) -> str:
    row, letter = int(seat[:-1]), seat[-1]
    while f"{row}{letter}" not in free:
        row += step
        if not 1 <= row <= 60:
            raise Unreadable(f"no seat {letter}")
    return f"{row}{letter}"
