"""Forms to fill and submit at the desk after a sale, each called an errand.

The gold stores errands as JSON. `outcome` runs them in a copy of the visit's start database and
returns the rows that they change, as the scorer names them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from scenarios.crm.airline_desk import desk
from scenarios.scenario import Scenario
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
class Errand:
    """A form to fill and submit.

    Attributes:
        screen: The key of the form's screen.
        parts: The parts of the form's address; the first is a booking reference or ticket number.
        control: The key of the submit button.
        values: The fields to change, each with its value in normal form.
    """

    screen: str
    parts: tuple[str, ...]
    control: str
    values: Mapping[str, str] = field(default_factory=dict)

    @property
    def reference(self) -> str:
        return self.parts[0]

    @property
    def home(self) -> Place:
        """The place of the page with the link to the form: a booking, a booking's history, or a
        ticket.
        """
        screen = "ticket" if self.screen in OF_TICKETS else "booking"
        screen = "history" if self.screen in OF_HISTORIES else screen
        return Place(screen, (self.reference,))

    @property
    def before(self) -> tuple[Errand, ...]:
        """The earlier forms that lead to this form and change nothing."""
        if self.screen != "settle":
            return ()
        reference, way, date, offer, brand = self.parts
        search = Errand("reroute", (reference, way), "search-flights", {"departure": date})
        chosen = {"offer": f"{offer}/{brand}"}
        return (
            search,
            Errand("reroute-results", (reference, way, date), "confirm-flights", chosen),
        )

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "parts": [*self.parts]}


def errands_of(scenario: Scenario) -> list[Errand]:
    """Return the forms to submit that the gold lists, in order."""
    return [read(each) for each in scenario.gold.get("errands", [])]


def read(row: Mapping[str, Any]) -> Errand:
    """Return the errand (a form to submit) that a JSON object describes."""
    return Errand(row["screen"], tuple(row["parts"]), row["control"], row["values"])


# Errands by the site's operations -----------------------------------------------------------------

Operation = Callable[[World, CrmData, Errand], object]


def _on_flight(
    send: Callable[[World, CrmData, str, int, Mapping[str, str]], object],
) -> Operation:
    """Return a form's operation made from a site function that takes a booking and the number of a
    flight or passenger in it.
    """
    return lambda world, data, each: send(
        world, data, each.reference, int(each.parts[1]), each.values
    )


def _reroute(world: World, data: CrmData, each: Errand) -> None:
    reference, way, date, offer, brand = each.parts
    changing.reroute(world, data, reference, way, date, Choice(offer, brand), each.values)


OPERATIONS: Mapping[str, Operation] = {
    "save-seats": _on_flight(seating.save_seats),
    "save-checkin": _on_flight(day.save_checkin),
    "save-escort": lambda world, _, each: escorts.save_escorts(
        world, each.reference, int(each.parts[1]), each.values
    ),
    "save-person": _on_flight(changing.save_person),
    "rebook": _on_flight(day.rebook),
    "add-waiting": _on_flight(day.wait),
    "end-waiting": _on_flight(day.stop_waiting),
    "save-bags": lambda world, _, each: seating.save_bags(world, each.reference, each.values),
    "confirm-remove": lambda world, _, each: changing.remove_passenger(
        world, each.reference, int(each.parts[1]), each.values
    ),
    "save-flights": _reroute,
    "confirm-cancel": lambda world, _, each: changing.cancel(world, each.reference, each.values),
    "add-note": lambda world, _, each: changing.add_note(world, each.reference, each.values),
    "give-refund": lambda world, _, each: money.give_refund(world, each.reference, each.values),
    "charge": lambda world, _, each: money.charge(world, each.reference, each.values),
    "give-payout": lambda world, _, each: payouts.give_payout(world, each.reference, each.values),
    "issue-voucher": lambda world, _, each: vouchers.issue_voucher(
        world, each.reference, each.values
    ),
    "extend-voucher": lambda world, _, each: vouchers.extend_voucher(
        world, each.reference, each.values
    ),
    "send-offer": lambda world, _, each: tickets.send_offer(world, each.reference, each.values),
    "send-reply": lambda world, _, each: replies.send_reply(world, each.reference, each.values),
    "save-contact": lambda world, _, each: replies.save_contact(world, each.reference, each.values),
    "close-ticket": lambda world, _, each: tickets.close_ticket(world, each.reference, each.values),
    "link-tickets": lambda world, _, each: tickets.link_tickets(world, each.reference, each.values),
    "save-flag": lambda world, _, each: flags.save_flag(
        world, each.reference, int(each.parts[1]), each.values
    ),
}
"""The function of the site that each form calls, by the key of the form's submit button."""


def do(world: World, data: CrmData, errands: Iterable[Errand]) -> None:
    """Open and submit each form without a browser, after the page of its booking or ticket."""
    for each in errands:
        desk.see(world, each.home)
        desk.see(world, Place(each.screen, each.parts))
        OPERATIONS[each.control](world, data, each)


def finish(world: World, data: CrmData, scenario: Scenario) -> None:
    """Submit the gold's forms that the visit has not submitted yet.

    Raises:
        LookupError: A form cannot be submitted any more.
    """
    found = done(world)
    for each, sentence in zip(errands_of(scenario), scenario.gold["sentences"], strict=True):
        if sentence in found:
            found.remove(sentence)
            continue
        try:
            do(world, data, [_left_to_do(world, scenario, each)])
        except Invalid as problem:
            raise LookupError(str(problem)) from problem


def _left_to_do(world: World, scenario: Scenario, each: Errand) -> Errand:
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


def held(world: World, each: Errand) -> dict[str, str]:
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


def _seats(world: World, found: Booking, each: Errand) -> dict[str, str]:
    seats = seating.seats(world, found, int(each.parts[1]))
    return {f"seat.{number}": code for number, code in seats.items()}


def _person(one: Person) -> dict[str, str]:
    return {name.replace("_", "-"): text for name, text in asdict(one).items()}


STEP_OF: Mapping[str, str] = {
    **dict.fromkeys(("save-seats",), "choose seats"),
    **dict.fromkeys(("save-bags",), "change bags"),
    **dict.fromkeys(("save-person", "confirm-remove"), "change passengers"),
    **dict.fromkeys(("save-flights", "rebook"), "change flights"),
    **dict.fromkeys(("add-waiting", "end-waiting"), "waiting list"),
    **dict.fromkeys(("charge", "give-refund", "issue-voucher", "extend-voucher"), "settle money"),
    "give-payout": "settle money",
    "save-checkin": "check in",
    "save-escort": "escort",
    "confirm-cancel": "cancel",
    "add-note": "add note",
    "send-offer": "offer",
    "send-reply": "write back",
    "save-contact": "change address",
    "close-ticket": "close ticket",
    "link-tickets": "close ticket",
    "save-flag": "flag acts",
}
"""The step of the task to which a form belongs, by the key of the form's submit button."""


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

    def gold(self, errands: Sequence[Errand]) -> dict[str, Any]:
        """Return the entries of a gold that describe these forms and their result."""
        listed = [each.to_json() for each in errands]
        return {
            "errands": listed,
            "changes": self.changes,
            "steps": self.steps,
            "sentences": self.sentences,
            "held": self.held,
        }


def outcome(
    airline: str,
    rows: Rows,
    data: CrmData,
    errands: Sequence[Errand],
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
        return _outcome(world, data, errands)


def _outcome(world: World, data: CrmData, errands: Sequence[Errand]) -> Outcome:
    start = by_key(world.snapshot())
    made: dict[Change, str] = {}
    ever: dict[Change, None] = {}
    before: list[dict[str, str]] = []
    for each in errands:
        before.append(held(world, each))
        do(world, data, [each])
        last = row_names.compared(start, by_key(world.snapshot()))
        new = dict.fromkeys(sorted(last - {*made}, key=str), STEP_OF[each.control])
        made = {change: step for change, step in made.items() if change in last} | new
        ever |= dict.fromkeys(new)
    steps: dict[str, list[int]] = {}
    for at, step in enumerate(made.values()):
        steps.setdefault(step, []).append(at)
    passing = [list(change) for change in ever if change not in made]
    return Outcome([list(change) for change in made], steps, done(world), before, passing)
