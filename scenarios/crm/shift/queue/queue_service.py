"""Advice for a queue: read all tickets and their bookings, then submit the gold's forms.

The gold has `shift` (a number, the only value in the instruction), `pages` (screen, subject, title,
and the number of forms to send before reading it), `about` (a ticket for each reference), `errands`
(forms to fill and submit), `sentences` and `held` (current field values).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from agent.interface import Advice, Observation
from scenarios.crm.airline_desk import desk, forms, service
from scenarios.crm.airline_desk.service import Service
from scenarios.crm.tickets import ticket_service
from scenarios.scenario import Scenario
from sites.crm import CrmData
from sites.crm.airline_desk.model.place import Place
from sites.world import World

READ, NEXT = "read queue", "next ticket"
STEPS = (
    *(READ, ticket_service.HANDBOOK, "offer", "settle money", "cancel", NEXT),
    *("write back", "change address", ticket_service.CLOSED),
)
QUEUE = "tickets"


@dataclass(frozen=True)
class Page:
    """A page to read.

    Attributes:
        screen: The screen.
        subject: The number or reference of the page.
        title: The title of an article; "" for others.
        after: The number of forms to send before reading it.
    """

    screen: str
    subject: str
    title: str
    after: int


def pages(scenario: Scenario) -> list[Page]:
    return [Page(*each) for each in scenario.gold["pages"]]


def advise(scenario: Scenario, observation: Observation) -> Advice:
    """Return the advice for a page: the next page to read, or the next form."""
    at = Service(scenario, observation)
    done = at.done
    if done == len(at.errands):
        return Advice(ticket_service.CLOSED, answer="")
    if at.page.screen == "review":
        return service.errand(at, done)
    for each in pages(scenario):
        if each.after == done and not ticket_service.is_seen(at, each.screen, each.subject):
            return _to(at, each)
    return _errand(at, done)


def _to(at: Service, page: Page) -> Advice:
    if page.screen == "article":
        return ticket_service.to_article(at, page.subject, page.title)
    if page.screen == "booking":
        ticket: str = at.scenario.gold["about"][page.subject]
        return ticket_service.to_booking(at, ticket, READ, page.subject)
    return ticket_service.to_ticket(at, page.subject, READ)


def _errand(at: Service, number: int) -> Advice:
    """Return the advice to fill a form, or to reach it by its ticket. The way to the first form of
    a ticket is a step of its own.
    """
    each, ticket = at.errands[number], _ticket_of(at, number)
    step = forms.STEP_OF[each.control]
    here = Place(at.page.screen, at.page.parts)
    if here in (Place(each.screen, each.parts), each.home):
        return service.send(at, (each,), step, ticket_service.needs(at))
    if not number or _ticket_of(at, number - 1) != ticket:
        step = NEXT
    if each.home.screen == "ticket":
        return ticket_service.to_ticket(at, ticket, step)
    return ticket_service.to_booking(at, ticket, step, each.reference)


def _ticket_of(at: Service, number: int) -> str:
    """Return the ticket that a form belongs to."""
    each = at.errands[number]
    if each.home.screen == "ticket":
        return each.reference
    ticket: str = at.scenario.gold["about"][each.reference]
    return ticket


# The length --------------------------------------------------------------------------------------


def length(scenario: Scenario) -> int:
    """Return the number of actions of the reference solution: one for each link, field and
    button.
    """
    errands, read = forms.errands_of(scenario), pages(scenario)
    here, found = Place(QUEUE), 0
    for done, (each, held) in enumerate(zip(errands, scenario.gold["held"], strict=True)):
        due = [one for one in read if one.after == done]
        for place, way in _walk(scenario, here, due):
            here, found = place, found + way
        found += _way(scenario, here, each.home) + ticket_service.form_length(scenario, each, held)
        here = each.home
    return found


def _walk(scenario: Scenario, here: Place, due: list[Page]) -> Iterator[tuple[Place, int]]:
    """Yield the places of these pages, each with the number of actions from the previous one."""
    links = frozenset[str]()
    for each in due:
        place = Place(each.screen, (each.subject,))
        if each.screen == "article":
            yield place, 1 if each.subject in links else 2
            links = ticket_service.links(scenario, each.subject)
        else:
            yield place, _way(scenario, here, place)
        here = place


def _way(scenario: Scenario, here: Place, to: Place) -> int:
    if here == to:
        return 0
    if to.screen == "ticket":
        return 1 if here.screen == QUEUE else 2
    ticket = Place("ticket", (scenario.gold["about"][to.parts[0]],))
    return _way(scenario, here, ticket) + 1


def honest_length(scenario: Scenario) -> int:
    return length(scenario) + ticket_service.reserve(scenario)


# Solution ----------------------------------------------------------------------------------------


def solve(scenario: Scenario, world: World, data: CrmData) -> str:
    read(scenario, world)
    forms.finish(world, data, scenario)
    return ""


def read(scenario: Scenario, world: World) -> None:
    """Open all pages to read, including those that arrive later."""
    for each in pages(scenario):
        desk.see(world, Place(each.screen, (each.subject,)))
