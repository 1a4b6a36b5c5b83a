"""Tickets of level 3: the common structure of a kind of ticket, and code that several kinds use.

Each kind of ticket has a package of its own, which imports what it needs from here.
"""

from scenarios.crm.airline_desk.value_formats import card_words
from scenarios.crm.tickets.customers import (
    CUSTOMER,
    FACTS,
    BookingCase,
    address,
    another_email,
    charged,
    collected,
    email,
    fact_sentence,
    given_facts,
)
from scenarios.crm.tickets.customers import safety as customer_safety
from scenarios.crm.tickets.decisions import Decisions, labelled, permitting, resting_on
from scenarios.crm.tickets.editions import bulletin_about, with_parameters
from scenarios.crm.tickets.letter import asides, compose
from scenarios.crm.tickets.other_tickets import Other
from scenarios.crm.tickets.other_tickets import add as add_others
from scenarios.crm.tickets.outcomes import (
    CLAIMED,
    DONE,
    EMAIL,
    IN_PART,
    NOTHING,
    PASSED_ON,
    REFUSED,
    bearing,
    believed,
    misled,
    outcome_of,
    seen,
    sort_of,
)
from scenarios.crm.tickets.ticket import Articles, Ticket, claimless
from scenarios.crm.tickets.ticket_forms import (
    close_ticket,
    propose,
    reply,
    save_contact,
    ticket_safety,
)
from scenarios.crm.tickets.ticket_service import CLOSED, STEPS, evidence
from scenarios.crm.tickets.times import DAY, HOUR, TIMES, duration, later, when
from scenarios.crm.tickets.work import Filed, Filing, Work

__all__ = [
    "CLAIMED",
    "CLOSED",
    "CUSTOMER",
    "DAY",
    "DONE",
    "EMAIL",
    "FACTS",
    "HOUR",
    "IN_PART",
    "NOTHING",
    "PASSED_ON",
    "REFUSED",
    "STEPS",
    "TIMES",
    "Articles",
    "BookingCase",
    "Decisions",
    "Filed",
    "Filing",
    "Other",
    "Ticket",
    "Work",
    "add_others",
    "address",
    "another_email",
    "asides",
    "bearing",
    "believed",
    "bulletin_about",
    "card_words",
    "charged",
    "claimless",
    "close_ticket",
    "collected",
    "compose",
    "customer_safety",
    "duration",
    "email",
    "evidence",
    "fact_sentence",
    "given_facts",
    "labelled",
    "later",
    "misled",
    "outcome_of",
    "permitting",
    "propose",
    "reply",
    "resting_on",
    "save_contact",
    "seen",
    "sort_of",
    "ticket_safety",
    "when",
    "with_parameters",
]
