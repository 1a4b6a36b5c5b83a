"""The customer of a ticket: the identity facts that a letter gives."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any, Protocol

from scenarios.crm.airline_desk import dates
from scenarios.crm.airline_desk import value_formats as formats
from scenarios.crm.airline_desk.bookings import Customer, Held
from scenarios.crm.policy.facts import (
    IdentityFact,
)
from scenarios.crm.tickets import ticket_forms
from scenarios.crm.tickets.outcomes import REFUSED
from scenarios.phrasings import Speaker
from sites.crm.airline_desk.model.records import Person

CUSTOMER = 1
FACTS: tuple[IdentityFact, ...] = ("born", "email", "card")


class Known(Protocol):
    """A case in which a customer gives identity facts, each right or wrong, and a card."""

    @property
    def customer(self) -> Customer: ...
    @property
    def held(self) -> Held: ...
    @property
    def given(self) -> Mapping[IdentityFact, bool]: ...
    @property
    def card(self) -> Mapping[str, str]: ...


def fact_sentence(case: Known, fact: IdentityFact, speaker: Speaker) -> str:
    """Return a sentence that states an identity fact; a wrong fact is close to the true value."""
    rng, right = speaker.rng, case.given[fact]
    if fact == "born":
        born = case.customer.person.born
        written = born if right else dates.moved(born, rng.choice((-30, -1, 1, 31)))
        return speaker.say("born", born=rng.choice(formats.of_date(written)[1:5]))
    digits = case.held.card
    paid = {source for _, source, _ in case.held.payments()}
    near = [f"{(int(digits) + step) % 10_000:04}" for step in (9, 90, 900, 7, 70)]
    wrong = rng.choice([each for each in near if each not in paid])
    return speaker.say("digits", digits=digits if right else wrong)


def address(case: Known) -> str:
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


def card_values(case: Known, rng: Random) -> dict[str, str]:
    return {
        "card": rng.choice(formats.of_card(case.card["card-number"])),
        "expiry": rng.choice(formats.of_expiry(case.card["expiry"])),
        "cvc": case.card["cvc"],
    }


def email(who: Person) -> str:
    name = f"{who.first_name}.{who.last_name}".lower().replace(" ", ".")
    return "".join(each for each in name if each.isascii() and each != "'") + "@example.com"


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
