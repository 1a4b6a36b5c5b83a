"""Forms to fill and submit at the desk after a sale: what is to be done (`Do`), and wrong ends that
look right (`Instead`).

The gold stores forms as JSON, in `errands`. `outcome` runs them in a copy of the visit's start
database and returns the rows that they change, as the scorer names them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from typing import Any, NamedTuple

from scenarios.crm.airline_desk import desk
from scenarios.scenario import NearMiss, Scenario
from sites.crm import CrmData
from sites.crm.airline_desk.handbook.edition import Edition
from sites.crm.airline_desk.model import journal
from sites.crm.airline_desk.model.airline import airlines
from sites.crm.airline_desk.model.place import Place
from sites.crm.airline_desk.model.records import Booking, Choice, Person
from sites.crm.airline_desk.model.world import Rows, new_world
from sites.crm.airline_desk.operations import (
    booked,
    changing,
    day,
    escorts,
    flags,
    looking,
    money,
    payouts,
    replies,
    seating,
    tickets,
    vouchers,
)
from sites.crm.airline_desk.pages import done as was_done
from sites.crm.base import row_names
from sites.crm.base.forms import Invalid
from sites.crm.base.row_changes import Change, by_key
from sites.world import World

REFUND = "refund-amount."
"""The prefix of form fields that refund a payment; the payment's number follows."""
OF_HISTORIES = ("flag",)
"""The keys of screens about one entry of a booking's history."""
OF_TICKETS = ("propose", "reply", "contact", "close", "link-tickets")
"""The keys of screens with forms about a customer's ticket."""


@dataclass(frozen=True)
class Do:
    """A form to fill and submit.

    Attributes:
        control: The key of the submit button, which says what is done.
        parts: The parts of the form's address; the first is a booking reference or ticket number.
        values: The fields to change, each with its value in normal form.
    """

    control: str
    parts: tuple[str, ...]
    values: Mapping[str, str] = field(default_factory=dict)

    @property
    def reference(self) -> str:
        return self.parts[0]

    @property
    def screen(self) -> str:
        """The key of the form's screen."""
        return FORMS[self.control].screen

    @property
    def place(self) -> Place:
        return Place(self.screen, self.parts)

    @property
    def step(self) -> str:
        """The step of the task to which the form belongs."""
        return FORMS[self.control].step

    @property
    def home(self) -> Place:
        """The place of the page with the link to the form: a booking, a booking's history, or a
        ticket.
        """
        screen = "ticket" if self.screen in OF_TICKETS else "booking"
        screen = "history" if self.screen in OF_HISTORIES else screen
        return Place(screen, (self.reference,))

    @property
    def before(self) -> tuple[Do, ...]:
        """The earlier forms that lead to this form and change nothing."""
        if self.screen != "settle":
            return ()
        reference, way, date, offer, brand = self.parts
        chosen = {"offer": f"{offer}/{brand}"}
        return (
            Do("search-flights", (reference, way), {"departure": date}),
            Do("confirm-flights", (reference, way, date), chosen),
        )

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "parts": [*self.parts], "screen": self.screen}


def to_do(scenario: Scenario) -> list[Do]:
    """Return the forms to submit that the gold lists, in order."""
    return [read(each) for each in scenario.gold.get("errands", [])]


def read(row: Mapping[str, Any]) -> Do:
    """Return the form to submit that a JSON object describes."""
    return Do(row["control"], tuple(row["parts"]), row["values"])


class Instead(NamedTuple):
    """A wrong end that looks right: its name, the forms to submit, the check that fails, and the
    answer.
    """

    name: str
    do: Sequence[Do]
    fails: str = ""
    answer: str = ""


def near_misses(
    data: CrmData, instead: Iterable[Instead], look: Callable[[World], object] = lambda world: None
) -> dict[str, NearMiss]:
    """Return wrong ends as near misses by name; `look` opens the pages that are read before."""
    return {each.name: NearMiss(partial(_end, data, each, look), each.fails) for each in instead}


def _end(data: CrmData, end: Instead, look: Callable[[World], object], world: World) -> str:
    look(world)
    do(world, data, end.do)
    return end.answer


# Forms by the site's operations -------------------------------------------------------------------

Operation = Callable[[World, CrmData, Do], object]


@dataclass(frozen=True)
class Form:
    """A form of the desk.

    Attributes:
        screen: The key of its screen.
        step: The step of the task to which it belongs.
        send: Calls the site's function; a form without one only leads to another form.
    """

    screen: str
    step: str
    send: Operation = lambda world, data, each: None


def _of_booking(send: Callable[[World, str, Mapping[str, str]], object]) -> Operation:
    """Return the operation of a form about a booking or a ticket."""
    return lambda world, _, each: send(world, each.reference, each.values)


def _of_entry(send: Callable[[World, str, int, Mapping[str, str]], object]) -> Operation:
    """Return the operation of a form about a flight, a passenger or a line of a booking."""
    return lambda world, _, each: send(world, each.reference, int(each.parts[1]), each.values)


def _of_trip(send: Callable[[World, CrmData, str, int, Mapping[str, str]], object]) -> Operation:
    """Return the operation of a form about a flight or passenger that looks up flights."""
    return lambda world, data, each: send(
        world, data, each.reference, int(each.parts[1]), each.values
    )


def _reroute(world: World, data: CrmData, each: Do) -> None:
    reference, way, date, offer, brand = each.parts
    changing.reroute(world, data, reference, way, date, Choice(offer, brand), each.values)


FORMS: Mapping[str, Form] = {
    "search-flights": Form("reroute", "change flights"),
    "confirm-flights": Form("reroute-results", "change flights"),
    "save-seats": Form("seats", "choose seats", _of_trip(seating.save_seats)),
    "save-bags": Form("bags", "change bags", _of_booking(seating.save_bags)),
    "save-person": Form("person", "change passengers", _of_trip(changing.save_person)),
    "confirm-remove": Form("remove", "change passengers", _of_entry(changing.remove_passenger)),
    "save-flights": Form("settle", "change flights", _reroute),
    "rebook": Form("rebook", "change flights", _of_trip(day.rebook)),
    "add-waiting": Form("rebook", "waiting list", _of_trip(day.wait)),
    "end-waiting": Form("rebook", "waiting list", _of_trip(day.stop_waiting)),
    "save-checkin": Form("checkin", "check in", _of_trip(day.save_checkin)),
    "save-escort": Form("escort", "escort", _of_entry(escorts.save_escorts)),
    "confirm-cancel": Form("cancel", "cancel", _of_booking(changing.cancel)),
    "add-note": Form("note", "add note", _of_booking(changing.add_note)),
    "charge": Form("charge", "settle money", _of_booking(money.charge)),
    "give-refund": Form("refund", "settle money", _of_booking(money.give_refund)),
    "give-payout": Form("payout", "settle money", _of_booking(payouts.give_payout)),
    "issue-voucher": Form("issue-voucher", "settle money", _of_booking(vouchers.issue_voucher)),
    "extend-voucher": Form("extend-voucher", "settle money", _of_booking(vouchers.extend_voucher)),
    "send-offer": Form("propose", "offer", _of_booking(tickets.send_offer)),
    "send-reply": Form("reply", "write back", _of_booking(replies.send_reply)),
    "save-contact": Form("contact", "change address", _of_booking(replies.save_contact)),
    "close-ticket": Form("close", "close ticket", _of_booking(tickets.close_ticket)),
    "link-tickets": Form("link-tickets", "close ticket", _of_booking(tickets.link_tickets)),
    "save-flag": Form("flag", "flag acts", _of_entry(flags.save_flag)),
}
"""The forms by the key of their submit button."""


def do(world: World, data: CrmData, dos: Iterable[Do]) -> None:
    """Open and submit each form without a browser, after the page of its booking or ticket."""
    for each in dos:
        desk.see(world, each.home)
        desk.see(world, each.place)
        FORMS[each.control].send(world, data, each)


def finish(world: World, data: CrmData, scenario: Scenario) -> None:
    """Submit the gold's forms that the visit has not submitted yet.

    Raises:
        LookupError: A form cannot be submitted any more.
    """
    found = done(world)
    for each, sentence in zip(to_do(scenario), scenario.gold["sentences"], strict=True):
        if sentence in found:
            found.remove(sentence)
            continue
        try:
            do(world, data, [_left_to_do(world, scenario, each)])
        except Invalid as problem:
            raise LookupError(str(problem)) from problem


def _left_to_do(world: World, scenario: Scenario, each: Do) -> Do:
    """Return the form with its refunds reduced by the amounts already given back."""
    given: Counter[str] = Counter()
    for row in world.read("SELECT * FROM refunds WHERE reference = ?", (each.reference,)):
        given[f"{REFUND}{row['payment']}"] += row["amount"]
    for row in scenario.gold.get("rows", {}).get("refunds", []):
        if row["reference"] == each.reference:
            given[f"{REFUND}{row['payment']}"] -= row["amount"]
    left = {
        key: str(max(0, int(text) - given[key])) if given[key] > 0 else text
        for key, text in each.values.items()
    }
    return replace(each, values=left)


def done(world: World) -> list[str]:
    """Return the sentences with which the pages report the forms accepted so far, in order."""
    words = airlines()[world.about["airline"]]
    accepted = journal.accepted(world)
    return [text for each in accepted if (text := was_done.sentence(words, each))]


def held(world: World, each: Do) -> dict[str, str]:
    """Return the current non-empty values of a form's fields, in normal form, by field."""
    if each.screen in OF_TICKETS:
        return {}
    found = looking.booking(world, each.reference)
    readers: Mapping[str, Callable[[], Mapping[str, str]]] = {
        "seats": lambda: _seats(world, found, each),
        "bags": lambda: {
            seating.bags_key(*key): str(pieces)
            for key, pieces in seating.bags(world, found).items()
        },
        "checkin": lambda: {
            f"checked-in.{number}": "yes"
            for number in day.checked_in(world, found, int(each.parts[1]))
        },
        "escort": lambda: {
            f"escort.{number}": "yes"
            for number in escorts.escorted(world, found, int(each.parts[1]))
        },
        "person": lambda: _person(booked.passenger(found, int(each.parts[1])).person),
    }
    holds = readers[each.screen]() if each.screen in readers else {}
    return {key: holds[key] for key in each.values if holds.get(key)}


def _seats(world: World, found: Booking, each: Do) -> dict[str, str]:
    seats = seating.seats(world, found, int(each.parts[1]))
    return {f"seat.{number}": code for number, code in seats.items()}


def _person(one: Person) -> dict[str, str]:
    return {name.replace("_", "-"): text for name, text in asdict(one).items()}


@dataclass(frozen=True)
class Outcome:
    """The result of submitting a list of forms at the desk.

    Attributes:
        changes: The rows that differ afterwards, as [table, row key, column, value].
        steps: The indexes of the changes, by the step that makes them.
        sentences: The pages' report of everything that was done.
        held: For each form, the values of its fields before it.
        passing: Changes that a form makes and a later form undoes or overwrites.
    """

    changes: desk.Changes
    steps: dict[str, list[int]]
    sentences: list[str]
    held: list[dict[str, str]]
    passing: desk.Changes

    def gold(self, dos: Sequence[Do]) -> dict[str, Any]:
        """Return the entries of a gold that describe these forms and their result."""
        return {
            "errands": [each.to_json() for each in dos],
            "changes": self.changes,
            "steps": self.steps,
            "sentences": self.sentences,
            "held": self.held,
        }


def outcome(
    airline: str,
    rows: Rows,
    data: CrmData,
    dos: Sequence[Do],
    edition: Edition | None = None,
) -> Outcome:
    """Submit forms in the database of a new visit with these rows, and return the result.

    Args:
        airline: The key of the airline.
        edition: The version of the handbook, if the visit has a handbook of its own.

    Raises:
        Invalid: The desk refuses a form.
    """
    with new_world("", airline, rows, edition) as world:
        return _outcome(world, data, dos)


def _outcome(world: World, data: CrmData, dos: Sequence[Do]) -> Outcome:
    start = by_key(world.snapshot())
    made: dict[Change, str] = {}
    ever: dict[Change, None] = {}
    before: list[dict[str, str]] = []
    for each in dos:
        before.append(held(world, each))
        do(world, data, [each])
        last = row_names.compared(start, by_key(world.snapshot()))
        new = dict.fromkeys(sorted(last - {*made}, key=str), each.step)
        made = {change: step for change, step in made.items() if change in last} | new
        ever |= dict.fromkeys(new)
    steps: dict[str, list[int]] = {}
    for at, step in enumerate(made.values()):
        steps.setdefault(step, []).append(at)
    passing = [list(change) for change in ever if change not in made]
    return Outcome([list(change) for change in made], steps, done(world), before, passing)
