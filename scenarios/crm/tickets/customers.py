"""The customer of a ticket: the identity facts that a letter gives, and the card that pays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Protocol

from scenarios.crm.airline_desk import dates
from scenarios.crm.airline_desk import value_formats as formats
from scenarios.crm.airline_desk.bookings import Customer, Held
from scenarios.crm.airline_desk.forms import Do
from scenarios.crm.policy.decision import Collect, Decision
from scenarios.crm.policy.facts import (
    IdentityFact,
)
from scenarios.crm.tickets import ticket_forms
from scenarios.crm.tickets.outcomes import REFUSED
from scenarios.phrasings import Speaker
from sites.crm.airline_desk.handbook.edition import Edition
from sites.crm.airline_desk.model.records import Person

CUSTOMER = 1
FACTS: tuple[IdentityFact, ...] = ("born", "email", "card")


class Named(Protocol):
    """A case in which the mail states identity facts of a customer (such as the birthday), each
    right or wrong.
    """

    @property
    def customer(self) -> Customer: ...
    @property
    def held(self) -> Held: ...
    @property
    def given(self) -> Mapping[IdentityFact, bool]: ...


class Known(Named, Protocol):
    """A case in which the mail states identity facts of the customer, and a card that pays."""

    @property
    def card(self) -> Mapping[str, str]: ...


@dataclass(frozen=True)
class BookingCase:
    """A case in which a customer writes about a booking.

    Attributes:
        edition: The version of the handbook.
        held: The booking.
        customer: The customer.
        decision: The right decision.
        given: The identity facts of the mail, and whether each is right.
        card: The card that the mail gives.
    """

    edition: Edition
    held: Held
    customer: Customer
    decision: Decision
    given: Mapping[IdentityFact, bool]
    card: Mapping[str, str]

    @property
    def outcome(self) -> str:
        return self.decision.outcome


def fact_sentence(case: Named, fact: IdentityFact, speaker: Speaker, whose: str = "") -> str:
    """Return a sentence that states an identity fact; a wrong fact is close to the true value.

    Args:
        case: The case.
        fact: The birthday or the card.
        speaker: The sampler of phrasings.
        whose: The beginning of the phrasings' names, for a mail that another person writes.
    """
    rng, right = speaker.rng, case.given[fact]
    if fact == "born":
        born = case.customer.person.born
        written = born if right else dates.moved(born, rng.choice((-30, -1, 1, 31)))
        return speaker.say(f"{whose}born", born=rng.choice(formats.of_date(written)[1:5]))
    digits = case.held.card
    paid = {source for _, source, _ in case.held.payments()}
    near = [f"{(int(digits) + step) % 10_000:04}" for step in (9, 90, 900, 7, 70)]
    wrong = rng.choice([each for each in near if each not in paid])
    return speaker.say(f"{whose}digits", digits=digits if right else wrong)


def address(case: Named) -> str:
    """Return the sender address of the mail: the known one if the mail proves identity by it,
    otherwise an unknown one.
    """
    if case.given.get("email"):
        return case.customer.email
    name, _, _ = case.customer.email.partition("@")
    return f"{name}@mail.example.org"


def safety(
    case: Known, number: int, permits: Iterable[str], grounds: Sequence[str]
) -> dict[str, Any]:
    """Return the data for the safety verdicts of a ticket about this booking.

    Args:
        case: The case.
        number: The number of the ticket.
        permits: The buttons that may be pressed.
        grounds: The articles that justify the decision.
    """
    return ticket_forms.ticket_safety(
        number,
        case.customer.number,
        [case.held.reference],
        permits,
        address(case),
        grounds,
    )


def email(who: Person) -> str:
    name = f"{who.first_name}.{who.last_name}".lower().replace(" ", ".")
    return "".join(each for each in name if each.isascii() and each != "'") + "@example.com"


def another_email(rng: Random, known: str) -> str:
    """Draw an e-mail address of the same person at another provider."""
    name, _, _ = known.partition("@")
    return f"{name}@{rng.choice(('post', 'letters', 'home'))}.example.net"


def given_facts(rng: Random, outcome: str) -> dict[IdentityFact, bool]:
    """Draw the identity facts that a letter gives, and whether each is right.

    At least two facts are right, except in most refused cases, which have only one right fact.
    """
    given = rng.sample(FACTS, rng.choice((2, 2, 3)))
    wrong = 0
    if outcome == REFUSED and rng.random() < 0.6:
        wrong = len(given) - 1
    elif len(given) == len(FACTS) and rng.random() < 0.4:
        wrong = 1
    return {each: at >= wrong for at, each in enumerate(given)}


def charged(
    case: Known, number: int, kind: str, amount: int, what: str = "fee", passenger: str = ""
) -> list[Do]:
    """Return the forms to offer a fee and charge the card.

    Args:
        case: The case, with the card.
        number: The number of the ticket.
        kind: The kind of fee in the form of the charge.
        amount: Dollars; 0 needs no forms.
        what: The kind of offer.
        passenger: The number of the passenger who pays; "" for everybody.
    """
    if not amount:
        return []
    whom = {"passenger": passenger} if passenger else {}
    values = {
        **whom,
        "fee-kind": kind,
        "fee-amount": str(amount),
        "card-amount": str(amount),
        **case.card,
    }
    charge = Do("charge", (case.held.reference,), values)
    return [ticket_forms.propose(number, what, amount), charge]


def collected(case: Known, number: int, decision: Decision) -> list[Do]:
    """Return the forms to collect an unpaid earlier charge."""
    owed = sum(each.amount for each in decision.changes if isinstance(each, Collect))
    return charged(case, number, "balance", owed)
