"""The requests of a hand-over note, and the common database in which every request takes place.

Each request comes from its own family with its own data. Two requests of a note share no booking,
voucher or flight, and a search for a person of one request finds nobody of another request.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from random import Random
from typing import Any

from scenarios.crm.after_sale.changes_in_one_call import task as changes_in_one_call
from scenarios.crm.after_sale.find_by_name import task as find_by_name
from scenarios.crm.after_sale.move_one_leg import task as move_one_leg
from scenarios.crm.after_sale.move_one_leg.case import FITS
from scenarios.crm.after_sale.split_party import task as split_party
from scenarios.crm.airline_desk import dates
from scenarios.crm.airline_desk.bookings import Rows
from scenarios.crm.airline_desk.family import Task
from scenarios.crm.airline_desk.forms import Do, to_do
from scenarios.crm.airline_desk.phrasings import HELD_OUT_EVERY
from scenarios.scenario import Scenario
from sites.crm import CrmData
from sites.crm.airline_desk.model.airline import Airline
from sites.crm.airline_desk.operations.people import is_called

TASKS: Mapping[str, Task] = {
    module.TASK.name: module.TASK
    for module in (split_party, find_by_name, changes_in_one_call, move_one_leg)
}
"""The task families; a note has one request of each."""
ABLE: Mapping[str, Callable[[int], bool]] = {
    "find_by_name": find_by_name.is_possible,
    "move_one_leg": lambda seed: move_one_leg.outcome_of(seed) == FITS,
}
"""For families with impossible requests, a test of whether a seed's request is possible."""
FIRST_SEED, ROUNDS = 1_000_000, 200_000
"""The first seed for a note's requests, beyond the seeds of all suites, and the number of seed
groups to draw from.
"""
CUSTOMERS = {"customers": "number", "bookings": "customer", "vouchers": "customer"}
"""For each database table, its column with customer numbers."""
Name = tuple[str, str]
"""The first and the last name."""
Departure = tuple[str, str]
"""The flight number and the ISO date."""


@dataclass(frozen=True)
class Matter:
    """A request of a hand-over note: the family from which it comes, its seed, text and gold."""

    family: str
    seed: int
    text: str
    gold: Mapping[str, Any]

    @property
    def task(self) -> Task:
        return TASKS[self.family]

    @property
    def gives_back(self) -> bool:
        """Whether a form of the request refunds payments, which the form identifies by number."""
        forms = (each["values"] for each in self.gold["errands"])
        return any(key.startswith("refund-amount.") for values in forms for key in values)

    # Data that no other request of the note may share

    @cached_property
    def codes(self) -> frozenset[str]:
        """The references and voucher codes of the request."""
        rows = self.gold["rows"]
        found = [row["reference"] for row in rows["bookings"]]
        return frozenset([*found, *(row["code"] for row in rows["vouchers"])])

    @cached_property
    def flights(self) -> frozenset[Departure]:
        """The flights of the request's bookings and of its new offers.

        The second flight of a new offer may leave a day later, so both days are included.
        """
        moves = (each["parts"] for each in self.gold["errands"] if each["screen"] == "settle")
        taken = [
            (number, dates.moved(day, later))
            for _, _, day, offer, _ in moves
            for number in offer.split(".")
            for later in (0, 1)
        ]
        segments = self.gold["rows"]["segments"]
        return frozenset([*taken, *((row["flight"], row["date"]) for row in segments)])

    @cached_property
    def searched(self) -> frozenset[str]:
        """The names by which an agent may search for the request's bookings."""
        rows, find = self.gold["rows"], self.gold["find"]
        own = {row["customer"] for row in rows["bookings"] if row["reference"] in find}
        buyers = [row["last_name"] for row in rows["customers"] if row["number"] in own]
        return frozenset([*buyers, *(each["name"] for each in find.values() if "name" in each)])

    @cached_property
    def people(self) -> frozenset[Name]:
        """The first and last names of all customers and passengers of the request, and the agencies
        as ("", name).
        """
        rows = self.gold["rows"]
        named = [*rows["customers"], *rows["passengers"]]
        agencies = [("", row["agency"]) for row in rows["customers"] if row["agency"]]
        return frozenset([*agencies, *((row["first_name"], row["last_name"]) for row in named)])


def are_apart(one: Matter, other: Matter) -> bool:
    """Return whether two requests share no booking, voucher, flight or search result."""
    return (
        one.codes.isdisjoint(other.codes)
        and one.flights.isdisjoint(other.flights)
        and not _finds(one, other)
        and not _finds(other, one)
    )


def _finds(one: Matter, other: Matter) -> bool:
    """Return whether a search for a person of one request finds a person of the other request."""
    return any(is_called(*each, typed) for typed in one.searched for each in other.people)


# Drawing -----------------------------------------------------------------------------------------


def draw(rng: Random, seed: int, airline: Airline, data: CrmData) -> list[Matter]:
    """Draw one request of each family, in random order.

    The requests use open or held-out phrasings as the note's seed does.
    """
    found: list[Matter] = []
    for family in TASKS:
        fresh = (_drawn(family, each, airline, data) for each in _seeds(rng, family, seed))
        found.append(next(one for one in fresh if all(are_apart(one, other) for other in found)))
    rng.shuffle(found)
    return found


def _seeds(rng: Random, family: str, seed: int) -> Iterator[int]:
    """Yield seeds of a family whose request changes something, with the same kind of phrasings as
    the note's seed.
    """
    while True:
        drawn = FIRST_SEED + HELD_OUT_EVERY * rng.randrange(ROUNDS) + seed % HELD_OUT_EVERY
        if family not in ABLE or ABLE[family](drawn):
            yield drawn


def _drawn(family: str, seed: int, airline: Airline, data: CrmData) -> Matter:
    drawn = TASKS[family].draw(seed, airline, data)
    return Matter(family, seed, drawn.instruction, drawn.gold)


# One desk ----------------------------------------------------------------------------------------


def rows_of(matters: Sequence[Matter]) -> Rows:
    """Return all database rows of a note's requests.

    Customers are renumbered. A request that refunds payments comes first, so that its payments keep
    their numbers.
    """
    found: Rows = {}
    for matter in sorted(matters, key=lambda each: not each.gives_back):
        before = len(found.get("customers", ()))
        for table, listed in matter.gold["rows"].items():
            rows = found.setdefault(table, [])
            rows += [_renumbered(row, CUSTOMERS.get(table, ""), before) for row in listed]
    return found


def _renumbered(row: Mapping[str, Any], column: str, before: int) -> dict[str, Any]:
    return {key: value + before if key == column and value else value for key, value in row.items()}


def to_json(matter: Matter) -> dict[str, Any]:
    """Return what the gold keeps of a request: its family and the family's gold without the start
    rows.

    The hand-over note keeps the rows of all requests in one place.
    """
    gold = {key: value for key, value in matter.gold.items() if key != "rows"}
    return {"family": matter.family, "gold": gold}


@dataclass(frozen=True)
class Part:
    """A request of a note as a scenario of its own family, in the note's common database."""

    task: Task
    scenario: Scenario

    @property
    def to_do(self) -> list[Do]:
        return to_do(self.scenario)

    @property
    def answer(self) -> str:
        """The answer, or "" if the request asks for none."""
        return str(self.scenario.gold.get("text", ""))


def parts_of(note: Scenario) -> Iterator[Part]:
    """Yield the requests of a hand-over note, in the note's order."""
    for each in note.gold["matters"]:
        gold = {**each["gold"], "rows": note.gold["rows"]}
        yield Part(TASKS[each["family"]], replace(note, family=each["family"], gold=gold))
