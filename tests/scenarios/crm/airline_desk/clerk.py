"""The clerk: does what a request asks for by the served pages of the airline desk alone.

It reads the request (`request_reader`), opens pages, reads what they show and presses their
buttons. It knows the words of its airline, and no gold, no world and no timetable. `Unreadable` is
raised where a page does not show what has to be known.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby

from tests.scenarios.crm.airline_desk import clerks, request_reader
from tests.scenarios.crm.airline_desk.request_reader import (
    Choice,
    FitRequest,
    Journey,
    PartyRequest,
    Person,
    Seating,
    minutes,
)
from tests.sites.crm.airline_desk.sale import Sale, Seat, Traveller, Wanted
from tests.sites.crm.airline_desk.served import Control, Page, Visitor

BRANDS = ("light", "classic", "flex", "business")
DIRECTIONS = ("outward", "return")
KINDS = ("adult", "child", "infant")
_CLOCK = re.compile(r"\d{1,2}:\d{2}(?: [AP]M)?")
_NUMBER = re.compile(r"[A-Z]{2}\d{4}")
_DURATION = re.compile(r"(\d+) h (\d\d) min")
MONEY = re.compile(r"\$\d{1,3}(?:,\d{3})*(?:\.\d\d)?|\d{1,3}(?:\.\d{3})*,\d\d \$")
_SLOTS = {
    **dict.fromkeys(("price", "fee", "infant"), MONEY.pattern),
    **dict.fromkeys(("included", "percent"), r"\d+"),
    "airport": "[A-Z]{3}",
    "waiting": r"\d+ h \d\d min",
}
"""What stands in the airline's words."""
CODE = -len(" (LHR)")
"""Where a label has the airport's code."""


class Unreadable(Exception):
    """The page does not show what has to be known."""


@dataclass(frozen=True)
class SeenOffer:
    """A fare of an offer as a page shows it; `page` is the address at which it stands."""

    page: str
    fare: Control
    brand: str
    price: int
    departs: int
    arrives: int
    same_day: bool
    minutes: int
    numbers: tuple[str, ...]
    hub: str
    waiting: int

    @property
    def direct(self) -> bool:
        return not self.hub


@dataclass(frozen=True)
class Rules:
    """What a fare includes: bags, what a further one costs, and what a change does; None where
    there is none."""

    bags: int
    bag: int
    change: int | None


class Clerk:
    """Somebody at the desk with a request."""

    def __init__(self, visitor: Visitor) -> None:
        self.visitor, self.sale = visitor, Sale(visitor)
        self.airline, self.word = visitor.airline, visitor.airline.word
        self.suggestions: Sequence[tuple[str, str]] = ()
        """The airports that the fields of the search suggest: city, and the name with the code."""

    @property
    def page(self) -> Page:
        return self.visitor.page

    def work(self, family: str, request: str) -> str:
        """Do what the request asks for; the answer."""
        self.suggestions = self.visitor.open(self.airline.address("search")).suggestions
        self.visitor.open("/")
        works: Mapping[str, Callable[[str], str]] = {
            "airline_search": self.search,
            "book_party": self.book,
            "cheapest_fit": self.book_cheapest,
        }
        if family in clerks.FAMILIES:
            answer: str = clerks.module(family).work(self, request)
            return answer
        return works[family](request)

    # What everybody at the desk knows

    def slots(self) -> dict[str, str]:
        """How requests call airports and fares."""
        brands = [self.word(f"brand-{each}") for each in BRANDS]
        return request_reader.patterns(self._names(), self._cities(), brands)

    def _names(self) -> dict[str, str]:
        return called(self.suggestions)

    def _cities(self) -> set[str]:
        found = {city for city, _ in self.suggestions}
        if not found:
            raise Unreadable("airports")
        return found

    def today(self) -> date:
        if not self.page.today:
            raise Unreadable("today")
        before, after = self.airline.words["today"].split("{day}")
        text = self.page.today.removeprefix(before).removesuffix(after)
        return date.fromisoformat(self.airline.formats.read_day(text))

    def airport(self, name: str) -> str:
        """The label of the airport that a request calls so."""
        if name not in self._names():
            raise Unreadable(name)
        return self._names()[name]

    def kind(self, born: str, journey: Journey) -> str:
        """How the desk counts somebody of this birthday, by the ages that its form states."""
        last = journey.home or journey.out
        if _age(born, last) < self._ages("infants")[0]:
            return "infant"
        return "adult" if _age(born, journey.out) >= self._ages("adults")[0] else "child"

    def _ages(self, field: str) -> list[int]:
        hint = self.page.control(self.word(field)).hint
        found = [int(each) for each in re.findall(r"\d+", hint)]
        if not found:
            raise Unreadable(f"ages of {field}")
        return found

    # airline_search

    def search(self, text: str) -> str:
        """Search, and have the offers on the screen."""
        request = request_reader.airline_search(text, self.slots(), self.today())
        adults, infants = self._ages("adults")[0], self._ages("infants")[0]
        kinds = ["adult"] * request.grown
        for age in request.ages:
            kinds.append("adult" if age >= adults else "infant" if age < infants else "child")
        self._search(request.journey, kinds)
        return ""

    def _search(self, journey: Journey, kinds: Sequence[str]) -> None:
        wanted = Wanted(
            origin=self.airport(journey.origin),
            destination=self.airport(journey.destination),
            out=journey.out.isoformat(),
            home=journey.home.isoformat() if journey.home else "",
            adults=kinds.count("adult"),
            children=kinds.count("child"),
            infants=kinds.count("infant"),
        )
        self._accepted(self.sale.search(wanted))

    def _accepted(self, page: Page) -> Page:
        """The page that follows what was pressed. Raises `Unreadable` where it was refused."""
        if page.status != 200 or page.problems:
            raise Unreadable(f"{page.address}: {page.alert} {page.problems}")
        return page

    # book_party

    def book(self, text: str) -> str:
        """Sell a party its journey, seats and bags."""
        request = request_reader.book_party(text, self.slots(), self.today())
        travellers = self._travellers(request)
        self._search(request.journey, [each.kind for each in travellers])
        numbers = {}
        for direction in DIRECTIONS:
            offer = self.choose(request.choices[direction], request.brands[direction])
            numbers |= dict.fromkeys(offer.numbers, direction)
        bags = self._pieces(request, travellers)
        self._accepted(self.sale.party(travellers, bags))
        while self.sale.on_seats:
            self._accepted(self.sale.seats(self._seats(request, travellers, numbers)))
        self._accepted(self.sale.bags([each.name for each in travellers], bags))
        self._pay(request.card)
        return ""

    def _travellers(self, request: PartyRequest) -> list[Traveller]:
        """In the order of the form."""
        listed = self._in_order(request.people, request.journey)
        firsts = [each.first_name for _, each in listed]

        def lap(kind: str, who: Person) -> int:
            return firsts.index(request.laps[who.first_name]) + 1 if kind == "infant" else 0

        return [Traveller(kind, **vars(who), lap=lap(kind, who)) for kind, who in listed]

    def _in_order(self, people: Sequence[Person], journey: Journey) -> list[tuple[str, Person]]:
        """Adults, then children, then infants."""
        kinds = [(self.kind(each.born, journey), each) for each in people]
        return [each for kind in KINDS for each in kinds if each[0] == kind]

    def _pieces(
        self, request: PartyRequest, travellers: Sequence[Traveller]
    ) -> dict[tuple[int, str], int]:
        """Bags by the place of their owner."""
        firsts = [each.first_name for each in travellers]
        return {(firsts.index(name) + 1, way): n for (name, way), n in request.bags.items()}

    # Offers

    def choose(self, choice: Choice, brand: str) -> SeenOffer:
        """Choose the offer of the open list that is wanted; its page is opened first."""
        able = [each for each in self.offers(brand) if each.direct and choice.admits(each.departs)]
        ordered = sorted(able, key=lambda each: each.departs)
        if not ordered:
            raise Unreadable(f"no offer: {self.page.address}")
        right = ordered[-1 if choice.last else 0]
        self.visitor.open(right.page)
        self._accepted(self.sale.choose(right.fare))
        return right

    def offers(self, *brands: str) -> list[SeenOffer]:
        """What can be had in these brands, over all pages of the list."""
        found = []
        for address in self.pages():
            self.visitor.open(address)
            fares = self.sale.fares()
            for brand in brands:
                pattern = rf"(?<!\w){re.escape(brand)}(?!\w)"
                able = [each for each in fares if re.search(pattern, each.label)]
                found += [self._offer(each, brand) for each in able]
        return found

    def pages(self) -> list[str]:
        """The addresses of all pages of the open list."""
        links, number, found = self.page.links, 1, []
        while (label := self.word("page-of", page=number)) in links:
            found.append(links[label])
            number += 1
        return found or [self.page.address]

    def _offer(self, fare: Control, brand: str) -> SeenOffer:
        head, _, tail = fare.label.partition(brand)
        times = re.search(rf"({_CLOCK.pattern}) – ({_CLOCK.pattern})( \()?", fare.around)
        lasts = _DURATION.findall(fare.around)
        stop = re.search(self._template("stop"), fare.around)
        price = MONEY.search(tail)
        if times is None or price is None or not lasts:
            raise Unreadable(f"what {fare.label} is")
        if stop is None and self.word("direct") not in fare.around:
            raise Unreadable(f"stops of {fare.label}")
        return SeenOffer(
            page=self.page.address,
            fare=fare,
            brand=brand,
            price=self.airline.formats.read_money(price[0]),
            departs=minutes(times[1]),
            arrives=minutes(times[2]),
            same_day=not times[3],
            minutes=_lasting(lasts[-1]),
            numbers=tuple(_NUMBER.findall(head)),
            hub=stop["airport"] if stop else "",
            waiting=_lasting(lasts[0]) if stop else 0,
        )

    def _template(self, key: str) -> str:
        """The pattern of a text of the airline with slots."""
        text = re.escape(self.airline.words[key]).replace(r"\{", "{").replace(r"\}", "}")
        return re.sub(r"\{(\w+)\}", lambda slot: f"(?P<{slot[1]}>{_SLOTS[slot[1]]})", text)

    def rules(self, brand: str) -> Rules:
        """What a fare includes, by the sentences below the offers."""
        for text in self.page.paragraphs:
            if text.startswith(f"{brand}: "):
                bags = re.search(self._template("rule-bags"), text)
                fee = re.search(self._template("rule-change"), text)
                fixed = self.word("rule-no-change") in text
                free = self.word("rule-change-free") in text
                if bags and (fee or fixed or free):
                    money = self.airline.formats.read_money
                    return Rules(
                        bags=int(bags["included"]),
                        bag=money(bags["price"]),
                        change=None if fixed else money(fee["fee"]) if fee else 0,
                    )
        raise Unreadable(f"the rules of {brand}")

    def child_percent(self) -> int:
        return int(self._young()["percent"])

    def infant_fare(self) -> int:
        return self.airline.formats.read_money(self._young()["infant"])

    def _young(self) -> re.Match[str]:
        for text in self.page.paragraphs:
            if found := re.search(self._template("rule-children"), text):
                return found
        raise Unreadable("what children pay")

    # cheapest_fit

    def book_cheapest(self, text: str) -> str:
        """Book what is cheapest of all that fits on two days, or say that nothing does."""
        request = request_reader.cheapest_fit(text, self.slots(), self.today())
        self._in_order(request.people, request.on(request.days[0]))
        avoided = self._codes_of(str(request.conditions.get("avoid", "")))
        found: list[tuple[int, SeenOffer, list[tuple[str, Person]]]] = []
        for day in request.days:
            self.visitor.open("/")
            party = self._in_order(request.people, request.on(day))
            kinds = [kind for kind, _ in party]
            self._search(request.on(day), kinds)
            for brand in BRANDS:
                rules = self.rules(self.word(f"brand-{brand}"))
                for offer in self.offers(self.word(f"brand-{brand}")):
                    total = self._total(offer, rules, kinds)
                    if fits(request.conditions, offer, rules, total, avoided):
                        found.append((total, offer, party))
        if not found:
            return "NOT_ACHIEVABLE"
        self._buy(request, *min(found, key=lambda each: each[0]))
        return ""

    def _buy(
        self, request: FitRequest, total: int, offer: SeenOffer, party: list[tuple[str, Person]]
    ) -> None:
        travellers = [Traveller(kind, **vars(who)) for kind, who in party]
        self.visitor.open(offer.page)
        self._accepted(self.sale.choose(offer.fare))
        bags = {(at, "outward"): 1 for at, _ in enumerate(travellers, start=1)}
        self._accepted(self.sale.party(travellers, bags))
        while self.sale.on_seats:
            self._accepted(self.sale.seats({}))
        self._accepted(self.sale.bags([each.name for each in travellers], bags))
        if self.airline.formats.read_money(self.due()) != total:
            raise Unreadable(f"{self.due()} is due, not {total}")
        self._pay(request.card)

    def _total(self, offer: SeenOffer, rules: Rules, kinds: Sequence[str]) -> int:
        """What a party pays with a bag each; a child's part of a fare is rounded up."""
        child = -(-offer.price * self.child_percent() // 100)
        fares = sum(offer.price if kind == "adult" else child for kind in kinds)
        return fares + len(kinds) * max(0, 1 - rules.bags) * rules.bag

    def _codes_of(self, city: str) -> set[str]:
        return {label[-4:-1] for each, label in self.suggestions if each == city}

    # Seats

    def _seats(
        self,
        request: PartyRequest,
        travellers: Sequence[Traveller],
        numbers: Mapping[str, str],
    ) -> dict[str, str]:
        """Seats on the flight of the open page, by name; none where none are wanted."""
        shown = _NUMBER.findall(self.page.heading)
        if not shown:
            raise Unreadable("which flight")
        wish = request.seating
        if wish is None or numbers[shown[0]] != wish.direction:
            return {}
        names = {each.first_name: each.name for each in travellers}
        seats = together(wish, self.sale.cabin().values())
        return {names[first]: code for first, code in zip(wish.names, seats, strict=True)}

    # Money

    def due(self) -> str:
        """The total of the open page."""
        price = self.page.facts(self.word("price"))
        if self.word("total") not in price:
            raise Unreadable("the total")
        return price[self.word("total")]

    def _pay(self, card: Mapping[str, str]) -> None:
        self._accepted(self.sale.pay({**card, "card-amount": self.due()}))
        self._accepted(self.sale.confirm())


def fits(
    conditions: Mapping[str, int | str],
    offer: SeenOffer,
    rules: Rules,
    total: int,
    avoided: Collection[str],
) -> bool:
    """Whether an offer meets all conditions."""
    tests: Mapping[str, Callable[[int], bool]] = {
        "direct": lambda _: offer.direct,
        "after": lambda time: offer.departs >= time,
        "by": lambda time: offer.same_day and offer.arrives <= time,
        "hours": lambda hours: offer.minutes <= hours * 60,
        "wait": lambda least: offer.direct or offer.waiting >= least,
        "avoid": lambda _: offer.hub not in avoided,
        "change": lambda _: rules.change is not None,
        "free_change": lambda _: rules.change == 0,
        "limit": lambda most: total <= most,
    }
    return all(tests[kind](value) for kind, value in conditions.items())  # type: ignore[arg-type]


def together(wish: Seating, seats: Iterable[Seat]) -> list[str]:
    """The codes of the seats that are wished, in the order of the names."""
    free = [each for each in seats if each.free]
    groups = [group for row in _rows(free) for group in _shaped(wish, row)]
    fitting = [
        group
        for group in groups
        if not any(each.exit or (wish.free and each.price) for each in group)
    ]
    if not fitting or (wish.which == "only" and len(fitting) > 1):
        raise Unreadable(f"seats: {fitting}")
    return [each.code for each in fitting[-1 if wish.which == "back" else 0]]


def _rows(seats: Iterable[Seat]) -> list[list[Seat]]:
    by_row = groupby(sorted(seats, key=lambda each: each.row), key=lambda each: each.row)
    return [sorted(row, key=lambda each: each.code) for _, row in by_row]


def _shaped(wish: Seating, row: list[Seat]) -> list[list[Seat]]:
    """The seats of a row that the party would take: from A on, or from a window to the aisle."""
    if wish.shape == "row":
        return [row[: len(wish.names)]] if len(row) >= len(wish.names) else []
    by_letter = {each.code[-1]: each for each in row}
    sides = [[by_letter[each] for each in side if each in by_letter] for side in ("ABC", "FED")]
    return [side for side in sides if len(side) == len(wish.names)]


def called(suggestions: Sequence[tuple[str, str]]) -> dict[str, str]:
    """The label of each airport, by what people call it: its name, its city where that has no
    other airport, or the city without the other one. The suggestions are cities and labels."""
    found = {}
    for city, label in suggestions:
        found[label[:CODE]] = label
        others = [each for town, each in suggestions if town == city and each != label]
        found |= {f"{city} (not {each[:CODE].removeprefix(f'{city} ')})": label for each in others}
        if not others:
            found[city] = label
    return found


def _lasting(text: tuple[str, str]) -> int:
    return int(text[0]) * 60 + int(text[1])


def _age(born: str, day: date) -> int:
    birth = date.fromisoformat(born)
    return day.year - birth.year - ((day.month, day.day) < (birth.month, birth.day))
