"""Advice for the check of a colleague's work: the ticket, the articles, then each booking with its
history and flags; then the answer.

Every page lists the tickets, bookings, histories and articles that were opened, and the flags. The
gold has `ticket`, `references` (in order), `reading`, `errands` (forms to fill and submit),
`sentences` and `text`.
"""

from __future__ import annotations

from collections.abc import Mapping

from agent.interface import Advice, Click, Observation
from scenarios.crm.airline_desk import desk, service
from scenarios.crm.airline_desk.forms import Errand, errands_of
from scenarios.crm.airline_desk.page import clicks
from scenarios.crm.airline_desk.service import ANSWER, Service
from scenarios.crm.tickets import ticket_service as tickets
from scenarios.scenario import Scenario
from sites.crm.airline_desk.model.airline import airlines
from sites.crm.airline_desk.model.place import Place
from sites.world import World

HISTORY, FLAG = "read history", "flag acts"
STEPS = (tickets.TICKET, tickets.HANDBOOK, tickets.BOOKING, HISTORY, FLAG, ANSWER)


def advise(scenario: Scenario, observation: Observation) -> Advice:
    at = Service(scenario, observation)
    gold = scenario.gold
    if not tickets.is_seen(at, "ticket", str(gold["ticket"])):
        return tickets.to_ticket(at, gold["ticket"], tickets.TICKET)
    for number, title in gold["reading"]:
        if not tickets.is_seen(at, "article", number):
            return tickets.to_article(at, number, title)
    for reference in gold["references"]:
        if not tickets.is_seen(at, "history", reference):
            return _to_history(at, reference, HISTORY)
        left = [each for each in at.errands[at.done :] if each.reference == reference]
        if left:
            return _flag(at, left[0])
    return Advice(ANSWER, answer=gold["text"], needs=tickets.needs(at))


def _to_history(at: Service, reference: str, step: str) -> Advice:
    if (at.page.screen, at.page.parts) != ("booking", (reference,)):
        return tickets.to_booking(at, at.scenario.gold["ticket"], tickets.BOOKING, reference)
    link = at.page.element(at.airline.id("open-history"), at.airline.word("open-history"))
    link = link or at.page.element("menu", at.airline.word("actions"))
    return Advice(step, (Click(link.id),) if link else (), needs=tickets.needs(at))


def _flag(at: Service, each: Errand) -> Advice:
    """Return the advice to fill the form of a flag, or to reach it by the booking's history."""
    here = Place(at.page.screen, at.page.parts)
    if here == Place(each.screen, each.parts):
        return service.send(at, (each,), FLAG, tickets.needs(at))
    if here != each.home:
        return _to_history(at, each.reference, FLAG)
    line = each.parts[1]
    link = at.page.element(
        at.airline.id("open-flag", line), at.airline.word("open-flag", line=line)
    )
    return Advice(FLAG, (Click(link.id),) if link else (), needs=tickets.needs(at))


# The length --------------------------------------------------------------------------------------


def length(scenario: Scenario) -> int:
    """Return the number of actions of the reference solution: one for each link, field and
    button.
    """
    airline = airlines()[scenario.details["airline"]]
    menu = airline.widgets["actions"] == "menu"
    found = 1 + tickets.reading_length(scenario)
    found += len(scenario.gold["references"]) * (4 + menu)
    for each in errands_of(scenario):
        found += 2 + sum(clicks(airline, key, value) for key, value in each.values.items())
    return found


def honest_length(scenario: Scenario) -> int:
    """Return the length of an honest solution, which leaves time to read the whole handbook."""
    return length(scenario) + tickets.reserve(scenario)


# Reading -----------------------------------------------------------------------------------------


def read(scenario: Scenario, world: World) -> None:
    """Open the ticket, the articles, and each booking with its history."""
    desk.see(world, Place("ticket", (str(scenario.gold["ticket"]),)))
    for number, _ in scenario.gold["reading"]:
        desk.see(world, Place("article", (number,)))
    for reference in scenario.gold["references"]:
        desk.see(world, Place("booking", (reference,)))
        desk.see(world, Place("history", (reference,)))


def evidence(gold: Mapping[str, object], references: list[str]) -> list[list[str]]:
    """Return the pages on which flags and total depend."""
    pages = [[screen, each] for each in references for screen in ("booking", "history")]
    return [["ticket", str(gold["ticket"])], *pages]
