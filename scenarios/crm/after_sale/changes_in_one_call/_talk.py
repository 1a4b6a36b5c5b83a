"""A telephone call about two bookings: turns of customer and agent, with corrections.

Each edit names its booking first, or the agent asks for it. The last statement about an edit
counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scenarios.crm.after_sale.changes_in_one_call._edits import (
    BAGS,
    BORN,
    ECHO,
    FALLBACK,
    FEE,
    NAME,
    NOTE,
    OTHER_BOOKING,
    SAME,
    SWAP,
    Call,
    Edit,
    other_way,
)
from scenarios.crm.airline_desk import value_formats
from scenarios.crm.airline_desk.dates import NUMBERS
from scenarios.crm.airline_desk.decoys import decoys
from scenarios.phrasings import Speaker
from sites.crm import CrmData
from sites.crm.airline_desk.model.records import Passenger
from sites.months import MONTHS

AGENT, CUSTOMER = "Agent", "Customer"
WAY_WORDS = {"outward": "on the way out", "return": "on the way home"}
NEEDS = {
    "wheelchair": (
        "{name} cannot walk far and has to be wheeled through the airport",
        "{name} needs a wheelchair",
    ),
    "meal": (
        "{name} must not eat nuts and needs another dinner on board",
        "{name} eats no meat and needs other food on board",
    ),
    "permission": (
        "my sister, too, may change this booking for us",
        "my father is allowed to change things on this booking in our place",
    ),
    "documents": (
        "you have seen our passports, which I showed at your counter yesterday",
        "our identity cards were looked at by your people already",
    ),
}
"""Paraphrases of each note on a booking (such as a wheelchair), by the note's code."""
FEES = {
    "name": "for a name correction",
    "seats": "for choosing seats",
    "bags": "for bags",
    "service": "for our service on the telephone",
}
"""Descriptions of each fee, by the fee's code."""
NOW = {
    FALLBACK: "the seat that I want first {way} of {trip} is {seat}, the rest stays",
    ECHO: "the one who gets the same seat as I do, but {way} of {trip}, is {name}",
    SWAP: "those who change places {way} of {trip} are {one} and {other}",
    BAGS: "{name} takes {count} more than the fare includes {way} of {trip}",
    NAME: "the last name of {name} on {trip} has to be {right}",
    BORN: "the birthday of {name} on {trip} has to be {born}",
    NOTE: "the note that {need} belongs on {trip} and not on the other booking",
}
"""Templates of the sentences that correct an edit of a booking, by the kind of edit."""
DIGRESSES = 0.15
"""The share of the customer's statements that an irrelevant remark follows."""
AT_ONCE = 0.4
"""The share of corrections that the customer makes immediately after the mistake."""
Spoken = tuple[str, str]
"""A part of the conversation: the speaker ("Agent" or "Customer") and the text."""


@dataclass(frozen=True)
class Talk:
    """A generator of the wording of a telephone call about two bookings."""

    call: Call
    people: Sequence[Passenger]
    data: CrmData
    speaker: Speaker

    @property
    def month(self) -> str:
        """The month in which the second trip begins."""
        return MONTHS[int(self.call.trips[1].flights[0].date[5:7]) - 1]

    def text(self, before: Mapping[int, Sequence[Edit]], dropped: Edit | None) -> str:
        """Return the whole call as one line of text.

        Args:
            before: Wrong edits to state first, by the right edit's index.
            dropped: An edit that the customer takes back, or None.
        """
        blocks = self._blocks(before, dropped)
        spoken = [
            (AGENT, self.speaker.say("greet")),
            (CUSTOMER, self.speaker.say("ask", **self._introduced())),
            (AGENT, self.speaker.say("ack")),
            *(each for block in blocks for each in block),
            (AGENT, self.speaker.say("bye")),
        ]
        return " ".join([self.speaker.say("frame"), *_joined(spoken)])

    def needs(self, edit: Edit) -> list[list[str]]:
        """Return the accepted spellings of the facts that an agent must know for an edit."""
        words = self._words(edit)
        keys = {
            FALLBACK: ("seat",),
            ECHO: ("name",),
            SWAP: ("one", "other"),
            BAGS: ("name", "count"),
            SAME: ("name",),
            NAME: ("right",),
            BORN: ("name",),
            NOTE: ("trip",),
            FEE: ("amount", "name"),
        }[edit.kind]
        needed = [[words[key]] for key in keys]
        if edit.kind == NOTE:
            needed = [[each.format_map(words) for each in NEEDS[edit.code]]]
        if edit.kind == FEE:
            needed += [list(value_formats.of_card(self.call.card["card-number"]))]
        if edit.kind == BORN and not edit.code:
            needed.append(list(value_formats.of_date(edit.value)[1:]))
        return needed

    # Order

    def _blocks(
        self, before: Mapping[int, Sequence[Edit]], dropped: Edit | None
    ) -> list[list[Spoken]]:
        """Return the statements about each edit and their corrections, which follow immediately or
        later, as lists of spoken parts.
        """
        rng = self.speaker.rng
        edits = [*self.call.edits, *([dropped] if dropped else [])]
        order = list(range(len(edits)))
        rng.shuffle(order)
        self._seat_first(order)
        blocks: list[tuple[int, list[Spoken]]] = []
        for at in order:
            stated = [*before.get(at, ()), edits[at]]
            blocks.append((at, self._stated(stated[0])))
        for at, edit in enumerate(edits):
            changed = [*before.get(at, ()), edit][1:]
            later = [self._corrected(each) for each in changed]
            if edit is dropped:
                later = [self._withdrawn(edit)]
            place = next(n for n, (about, _) in enumerate(blocks) if about == at)
            for block in later:
                at_once = rng.random() < AT_ONCE
                place = place + 1 if at_once else rng.randint(place + 1, len(blocks))
                blocks.insert(place, (at, block))
        return [block for _, block in blocks]

    def _seat_first(self, order: list[int]) -> None:
        """Reorder the edits so that the seat with a fallback comes before the edit that repeats its
        seat.
        """
        kinds = [each.kind for each in self.call.edits]
        if ECHO in kinds:
            first, second = order.index(kinds.index(FALLBACK)), order.index(kinds.index(ECHO))
            if second < first:
                order[first], order[second] = order[second], order[first]

    # Turns

    def _stated(self, edit: Edit) -> list[Spoken]:
        """Return the spoken parts that state an edit; its booking is named first, or the agent asks
        for it.
        """
        words, say = self._words(edit), self.speaker.say
        if edit.kind == FEE:
            return [(AGENT, say("fee", **words)), (CUSTOMER, say("settle", **words))]
        wish = self._aside(say(_act(edit), **words))
        if self.speaker.rng.random() < 0.6:
            spoken = [(CUSTOMER, f"{say('topic', **words)} {wish}")]
        else:
            asked = [(AGENT, say("which")), (CUSTOMER, say("answer", **words))]
            spoken = [(CUSTOMER, wish), *asked]
        if edit.kind == NAME:
            return [*spoken, (AGENT, say("checked")), (CUSTOMER, say("again", **words))]
        return [*spoken, (AGENT, say("total" if edit.kind == BAGS else "ack"))]

    def _corrected(self, edit: Edit) -> list[Spoken]:
        now = NOW[edit.kind].format_map(self._words(edit))
        return [
            (CUSTOMER, self._aside(self.speaker.say("correct", now=now))),
            (AGENT, self.speaker.say("ack")),
        ]

    def _withdrawn(self, edit: Edit) -> list[Spoken]:
        need = self._words(edit)["need"]
        return [
            (CUSTOMER, self.speaker.say("withdraw", need=need)),
            (AGENT, self.speaker.say("ack")),
        ]

    def _aside(self, text: str) -> str:
        rng = self.speaker.rng
        if rng.random() >= DIGRESSES:
            return text
        return f"{text} {self.speaker.say('digress', **decoys(rng, self.data))}"

    # Words

    def _introduced(self) -> dict[str, str]:
        here, there = (self._city(trip) for trip in (0, 1))
        return {
            "me": self.people[0].person.name,
            "reference": self.call.trips[0].reference,
            "here": here,
            "there": there,
            "month": self.month,
        }

    def _city(self, trip: int) -> str:
        return self.data.airports[self.call.trips[trip].destination].city

    def _trip(self, trip: int) -> str:
        """Return words for a booking: its city, or sometimes its month."""
        if trip and self.speaker.rng.random() < 0.4:
            return f"the trip in {self.month}"
        return f"the trip to {self._city(trip)}"

    def _words(self, edit: Edit) -> dict[str, str]:
        """Return the values that fill the placeholders of an edit's phrasings."""
        first = {each.number: each.person.first_name for each in self.people}
        name = first.get(edit.who, "")
        words = {"trip": self._trip(edit.trip), "name": name}
        if edit.way:
            words["way"] = WAY_WORDS[edit.way]
        more: Mapping[str, Any] = {
            FALLBACK: lambda: {"seat": edit.value},
            ECHO: lambda: {"mine": WAY_WORDS[other_way(edit.way)]},
            SWAP: lambda: {"one": name, "other": first[edit.other]},
            BAGS: lambda: {"count": _count(int(edit.value))},
            SAME: lambda: {"source": WAY_WORDS[edit.source]},
            NAME: lambda: {"right": edit.value},
            BORN: lambda: {"born": self._born(edit.value)},
            NOTE: lambda: {"need": self._need(edit, name)},
            FEE: lambda: {**self._card(), "amount": f"${edit.value}", "what": FEES[edit.code]},
        }
        return {**words, **more[edit.kind]()}

    def _born(self, iso: str) -> str:
        return value_formats.of_date(iso)[1 + sum(map(ord, iso)) % 2]

    def _need(self, edit: Edit, name: str) -> str:
        """Return the paraphrase of a note on a booking; the same edit always gets the same
        wording.
        """
        known = NEEDS[edit.code]
        return known[edit.who % len(known)].format(name=name)

    def _card(self) -> dict[str, str]:
        card = self.call.card
        return {
            "card": value_formats.of_card(card["card-number"])[1],
            "expiry": value_formats.of_expiry(card["expiry"])[1],
            "cvc": card["cvc"],
        }


def _act(edit: Edit) -> str:
    return "born_other" if edit.code == OTHER_BOOKING else edit.kind


def _count(number: int) -> str:
    return "one bag" if number == 1 else f"{NUMBERS[number]} bags"


def _joined(spoken: Sequence[Spoken]) -> Iterator[str]:
    """Yield the texts, each turn with its speaker's name; consecutive texts are one turn."""
    last = ""
    for name, text in spoken:
        yield text if name == last else f"{name}: {text}"
        last = name
