"""A sale on the pages of an airline, screen by screen, without a look at the world."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tests.sites.crm.airline_desk.served import Control, Page, Visitor

CARD = {"card-number": "4111 1111 1111 1111", "expiry": "09/28", "cvc": "123"}
LETTERS = "ABCDEF"


@dataclass(frozen=True)
class Wanted:
    """What is searched; airports by their labels, days as ISO dates, `home` "" for one way."""

    origin: str
    destination: str
    out: str
    home: str = ""
    adults: int = 1
    children: int = 0
    infants: int = 0


@dataclass(frozen=True)
class Traveller:
    """`lap` is the place of the adult on whose lap an infant sits, from 1."""

    kind: str
    title: str
    first_name: str
    last_name: str
    gender: str
    born: str
    lap: int = 0

    @property
    def name(self) -> str:
        return f"{self.first_name} {self.last_name}"


@dataclass(frozen=True)
class Seat:
    """A seat as the map tells of it; `price` 0 is free of charge."""

    code: str
    free: bool
    price: int
    exit: bool

    @property
    def row(self) -> int:
        return int(self.code[:-1])


class Sale:
    """What somebody enters on the way to a booking. Each step leaves the page that follows open."""

    def __init__(self, visitor: Visitor) -> None:
        self.visitor, self.airline = visitor, visitor.airline
        self.word = visitor.airline.word

    @property
    def page(self) -> Page:
        return self.visitor.page

    def press(self, button: str, entered: Mapping[str, str] | None = None) -> Page:
        """Press the button with the words of this key."""
        return self.visitor.press(self.word(button), entered)

    def search(self, wanted: Wanted) -> Page:
        self.visitor.open(self.airline.address("search"))
        return self.press("search-flights", self.searched(wanted))

    def searched(self, wanted: Wanted) -> dict[str, str]:
        """What the fields of a search get."""
        visitor, word = self.visitor, self.word
        way = "return-trip" if wanted.home else "one-way-trip"
        entered = {
            **visitor.airport(word("from"), wanted.origin),
            **visitor.airport(word("to"), wanted.destination),
            **visitor.text(word("trip-type"), word(way)),
            **visitor.day(word("departure"), wanted.out),
        }
        if wanted.home:
            entered |= visitor.day(word("return"), wanted.home)
        for kind in ("adults", "children", "infants"):
            entered |= visitor.text(word(kind), str(getattr(wanted, kind)))
        return entered

    def fares(self) -> list[Control]:
        """The fares that can be chosen on the open page, in its order."""
        return [each for each in self.page.controls if each.kind == "radio" and each.enabled]

    def choose(self, fare: Control) -> Page:
        return self.press("confirm-flights", {fare.name: fare.value})

    def choose_brand(self, brand: str) -> Page:
        """The first offer with a seat in this brand."""
        name = self.word(f"brand-{brand}")
        return self.choose(next(each for each in self.fares() if name in each.label))

    def party(
        self, travellers: Sequence[Traveller], bags: Mapping[tuple[int, str], int] | None = None
    ) -> Page:
        """Enter who travels, and their bags where the airline asks for them on this page: pieces
        by place of the traveller and direction."""
        entered = self.people(travellers)
        if "bags" in self.airline.pages["party-page"]:
            entered |= self.pieces(self.places(travellers), bags or {})
        return self.press("save-party", entered)

    def people(self, travellers: Sequence[Traveller]) -> dict[str, str]:
        """What the fields of the travellers get."""
        entered: dict[str, str] = {}
        places = self.places(travellers)
        for each, place in zip(travellers, places, strict=True):
            texts = {
                "title": each.title,
                "first-name": each.first_name,
                "last-name": each.last_name,
                "gender": each.gender,
            }
            if each.lap:
                texts["lap"] = places[each.lap - 1]
            for key, text in texts.items():
                entered |= self.visitor.text(f"{self.word(key)} ({place})", text)
            entered |= self.visitor.day(f"{self.word('born')} ({place})", each.born)
        return entered

    def places(self, travellers: Sequence[Traveller]) -> list[str]:
        """How the form calls them: Adult 1, Adult 2, Child 1."""
        kinds = [each.kind for each in travellers]
        return [f"{self.word(kind)} {kinds[: at + 1].count(kind)}" for at, kind in enumerate(kinds)]

    def pieces(self, names: Sequence[str], bags: Mapping[tuple[int, str], int]) -> dict[str, str]:
        entered: dict[str, str] = {}
        for (place, direction), pieces in bags.items():
            label = f"{self.word(f'bags-{direction}')} ({names[place - 1]})"
            entered |= self.visitor.text(label, str(pieces))
        return entered

    def seats(self, seats: Mapping[str, str]) -> Page:
        """Seats on the flight of the open page, by name."""
        entered: dict[str, str] = {}
        for name, seat in seats.items():
            entered |= self.visitor.text(f"{self.word('seat')} ({name})", seat)
        return self.press("save-seats", entered)

    def cabin(self) -> dict[str, Seat]:
        """The seats of the open page's map, by code."""
        found = {}
        for text in self.page.seats:
            name, _, states = text.partition(": ")
            row, _, kind = name.partition(", ")
            for state in states.split("; "):
                letters = [each for each in state.split() if each in LETTERS]
                free, price = self._state(state)
                for each in letters:
                    found[row + each] = Seat(row + each, free, price, bool(kind))
        return found

    def _state(self, text: str) -> tuple[bool, int]:
        """Whether a seat is free, and what it costs."""
        words = " ".join(each for each in text.split() if each not in LETTERS)
        free, comma, price = words.partition(", ")
        assert free in {self.word("free"), self.word("taken")}, text
        cost = self.airline.formats.read_money(price) if comma else 0
        return free == self.word("free"), cost

    @property
    def on_seats(self) -> bool:
        """Whether the open page asks for seats."""
        return self.word("save-seats") in self.page.buttons

    def bags(self, names: Sequence[str], bags: Mapping[tuple[int, str], int]) -> Page:
        """Enter the bags where the airline has a page for them."""
        if self.word("save-bags") not in self.page.buttons:
            return self.page
        return self.press("save-bags", self.pieces(names, bags))

    @property
    def due(self) -> str:
        """The total of the open page, as it is written."""
        return self.page.facts(self.word("price"))[self.word("total")]

    def pay(self, payment: Mapping[str, str]) -> Page:
        """Fill in the payment and press once."""
        entered: dict[str, str] = {}
        for key, text in payment.items():
            entered |= self.visitor.text(self.word(key), text)
        return self.press("book", entered)

    def pay_by_card(self) -> Page:
        return self.pay({**CARD, "card-amount": self.due})

    def confirm(self) -> Page:
        """What the airline asks for before it books: nothing, a box on a page, the same button."""
        if self.airline.last_step == "review":
            return self.press("confirm", {self.page.control(self.word("agree")).name: "yes"})
        if self.airline.last_step == "again":
            return self.visitor.press(self.word("press-again", label=self.word("book")))
        return self.page
