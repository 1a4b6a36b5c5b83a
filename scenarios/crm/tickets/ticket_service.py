"""Advice at level 3: read the ticket, its booking and the articles, then the errands of the gold.

Every page says which tickets, bookings and articles were looked at, what was offered and answered,
and what was done, so that any page tells what comes next. The gold has `ticket` (a number),
`reference` (or `references`, where there are several), `reading` (articles, each with its title),
`errands`, `sentences` and `held`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial
from random import Random

from agent.interface import Advice, Click, Observation
from scenarios.crm.airline_desk import desk, service
from scenarios.crm.airline_desk import forms as errands
from scenarios.crm.airline_desk.forms import Errand
from scenarios.crm.airline_desk.page import calendar_clicks, clicks
from scenarios.crm.airline_desk.service import Service
from scenarios.crm.tickets.ticket_forms import Miss
from scenarios.scenario import NearMiss, Scenario
from sites.crm import CrmData
from sites.crm.airline_desk.handbook.article import articles
from sites.crm.airline_desk.handbook.edition import Edition
from sites.crm.airline_desk.model.airline import airlines
from sites.crm.airline_desk.model.place import Place
from sites.world import World

TICKET, BOOKING, HANDBOOK, CLOSED = "read ticket", "read booking", "read handbook", "close ticket"
STEPS = (TICKET, BOOKING, HANDBOOK, "offer", "settle money", "cancel", CLOSED)
SEEN = {
    "ticket": "seen-tickets",
    "booking": "seen-bookings",
    "history": "seen-histories",
    "article": "seen-articles",
}
"""The lines of the visit that name what was opened, by its screen."""
ASKED = {"button": 0, "again": 1, "review": 2}
"""The actions that an airline asks for before what cannot be taken back."""


def advise(scenario: Scenario, observation: Observation) -> Advice:
    at = Service(scenario, observation)
    done = at.done
    if done == len(at.errands):
        return Advice(CLOSED, answer="")
    if at.page.screen == "review":
        return service.errand(at, done)
    unread = None if done else _unread(at)
    return unread or _errand(at, done)


def _unread(at: Service) -> Advice | None:
    """The way to what was not read yet: the ticket, the booking, the articles in turn."""
    gold = at.scenario.gold
    if not is_seen(at, "ticket", str(gold["ticket"])):
        return _to_ticket(at, TICKET)
    for reference in references(at.scenario):
        if not is_seen(at, "booking", reference):
            return _to_booking(at, BOOKING, reference)
    for number, title in gold["reading"]:
        if not is_seen(at, "article", number):
            return to_article(at, number, title)
    return None


def is_seen(at: Service, screen: str, subject: str) -> bool:
    """Whether it is the page that is open, or the page says that it was opened."""
    if (at.page.screen, at.page.parts) == (screen, (subject,)):
        return True
    slot = "references" if screen in ("booking", "history") else "numbers"
    start, _, end = at.airline.word(SEEN[screen], **{slot: "|"}).partition("|")
    for line in at.observation.text.split("\n"):
        _, found, rest = line.partition(start)
        if found and subject in rest.removesuffix(end).replace(",", " ").split():
            return True
    return False


def _to_ticket(at: Service, step: str) -> Advice:
    return to_ticket(at, at.scenario.gold["ticket"], step)


def to_ticket(at: Service, number: int | str, step: str) -> Advice:
    """Open a ticket by the queue."""
    if at.page.screen == "tickets":
        link = at.page.element(at.airline.id("open-ticket", number), str(number))
        return Advice(step, (Click(link.id),) if link else (), needs=needs(at))
    return Advice(step, at.page.press("see-tickets"), needs=needs(at))


def references(scenario: Scenario) -> list[str]:
    """The bookings that the ticket is about."""
    gold = scenario.gold
    return [*gold.get("references", [gold["reference"]])]


def _to_booking(at: Service, step: str, reference: str) -> Advice:
    return to_booking(at, at.scenario.gold["ticket"], step, reference)


def to_booking(at: Service, ticket: int | str, step: str, reference: str) -> Advice:
    """Open a booking by a ticket that is about it."""
    if (at.page.screen, at.page.parts) != ("ticket", (str(ticket),)):
        return to_ticket(at, ticket, step)
    link = at.page.element(at.airline.id("open-booking", reference), reference)
    return Advice(step, (Click(link.id),) if link else (), needs=needs(at))


def to_article(at: Service, number: str, title: str) -> Advice:
    """By a link of the page that is open, else by the contents."""
    name = at.airline.word("open-article", number=number, title=title)
    link = at.page.element(at.airline.id("open-article", number), name)
    if link and at.page.screen in ("handbook", "article"):
        return Advice(HANDBOOK, (Click(link.id),), needs=needs(at))
    return Advice(HANDBOOK, at.page.press("see-handbook"), needs=needs(at))


def _errand(at: Service, number: int) -> Advice:
    """Its form, or the way to it by the ticket or the booking."""
    each = at.errands[number]
    step = errands.STEP_OF[each.control]
    here = Place(at.page.screen, at.page.parts)
    forms = (*each.before, each)
    if here in (*(Place(form.screen, form.parts) for form in forms), each.home):
        return service.send(at, forms, step, needs(at))
    if each.home.screen == "ticket":
        return _to_ticket(at, step)
    return _to_booking(at, step, each.reference)


def needs(at: Service) -> service.Needs:
    """The number of the ticket, or of the shift: all that the instruction tells."""
    gold = at.scenario.gold
    return ((str(gold["shift"] if "shift" in gold else gold["ticket"]),),)


# The length --------------------------------------------------------------------------------------


def length(scenario: Scenario) -> int:
    """One action for each link, field and button."""
    gold = scenario.gold
    listed = references(scenario)
    found = 2 + 3 * (len(listed) - 1) + reading_length(scenario)
    here = Place("booking", (listed[-1],)) if not gold["reading"] else None
    for each, held in zip(errands.errands_of(scenario), gold["held"], strict=True):
        found += _way(here, each) + sum(form_length(scenario, form, {}) for form in each.before)
        found += form_length(scenario, each, held)
        here = each.home
    return found + _to_offers(scenario)


def _to_offers(scenario: Scenario) -> int:
    """What choosing offers takes besides: a calendar, the pages that are turned, and a drawer where
    the airline has one; forms that lead on to each other need no links."""
    airline = airlines()[scenario.details["airline"]]
    found: int = sum(scenario.gold.get("turned", ()))
    menu, drawer = airline.widgets["actions"] == "menu", airline.widgets["offers"] == "cards"
    is_calendar = airline.widget("date", airline.id("departure")) == "date-calendar"
    for each in errands.errands_of(scenario):
        if each.before:
            day = each.before[0].values["departure"]
            found += drawer - LINKED * (1 + menu)
            found += calendar_clicks([day]) - 1 if is_calendar else 0
    return found


LINKED = 2
"""Of three forms for other flights the second and the third have no link."""


def reading_length(scenario: Scenario) -> int:
    """The contents and the articles, where a link of one leads to the next without the contents."""
    found, linked = 0, frozenset[str]()
    for number, _ in scenario.gold["reading"]:
        found += 1 if number in linked else 2
        linked = links(scenario, number)
    return found


def links(scenario: Scenario, number: str) -> frozenset[str]:
    """The articles that one links to."""
    return _links(scenario.gold["edition"], scenario.details["airline"])[number]


@cache
def _links(edition: str, airline: str) -> Mapping[str, frozenset[str]]:
    """The articles that each one links to."""
    listed = articles(Edition.from_json(edition), airlines()[airline])
    return {each.number: frozenset((*each.beaten_by, *each.see)) for each in listed}


def _way(here: Place | None, each: Errand) -> int:
    """From the last page to the one that the form is opened from."""
    if here == each.home:
        return 0
    if each.home.screen == "booking":
        return 1 if here and here.screen == "ticket" else 3
    return 2


IN_TABLES = ("seats", "checkin", "escort", "person")
"""The forms whose links stand in the lines of flights and passengers."""


def form_length(scenario: Scenario, form: Errand, held: Mapping[str, str]) -> int:
    """Its link, in a menu where the airline has one and no line of a table has the link, its
    fields, its button, and what is asked."""
    airline = airlines()[scenario.details["airline"]]
    menu = airline.widgets["actions"] == "menu" and form.screen not in IN_TABLES
    fields = sum(
        clicks(airline, key, value, held.get(key, "")) for key, value in form.values.items()
    )
    asked = ASKED[airline.last_step] if form.control in service.COMMITS else 0
    return menu + 1 + fields + 1 + asked


MORE = 5
"""Half of the ten steps that a budget has besides at level 3."""


def honest_length(scenario: Scenario) -> int:
    """So long that the budget, twice as much and ten, has a step for each article of the handbook
    and ten more: who reads all of it still finishes."""
    return length(scenario) + reserve(scenario)


def reserve(scenario: Scenario) -> int:
    """Half of what whoever reads the whole handbook does besides."""
    number = len(_links(scenario.gold["edition"], scenario.details["airline"]))
    return MORE + -(-number // 2)


# Solution ----------------------------------------------------------------------------------------


def dealt(family: str, seed: int, deck: Sequence[str]) -> str:
    """The card of a seed: the family's deck is shuffled anew for each round of seeds."""
    size = len(deck)
    return Random(f"crm/{family}/deck/{seed // size}").sample(deck, size)[seed % size]


def near_misses(
    scenario: Scenario,
    data: CrmData,
    misses: Iterable[Miss],
    reads: Callable[[Scenario, World], None],
) -> Mapping[str, NearMiss]:
    """Return wrong ends by what is wrong with them, each after what `reads` opens."""
    return {
        each.label: NearMiss(partial(_missed, scenario, data, each, reads), each.fails)
        for each in misses
    }


def _missed(
    scenario: Scenario,
    data: CrmData,
    miss: Miss,
    reads: Callable[[Scenario, World], None],
    world: World,
) -> str:
    reads(scenario, world)
    errands.do(world, data, miss.errands)
    return miss.answer


def solve(scenario: Scenario, world: World, data: CrmData) -> str:
    read(scenario, world)
    errands.finish(world, data, scenario)
    return ""


def read(scenario: Scenario, world: World) -> None:
    """Open the ticket, its booking and the articles."""
    gold = scenario.gold
    desk.see(world, Place("ticket", (str(gold["ticket"]),)))
    for reference in references(scenario):
        desk.see(world, Place("booking", (reference,)))
    for number, _ in gold["reading"]:
        desk.see(world, Place("article", (number,)))


def reading(edition: Edition, airline: str, numbers: Iterable[str]) -> list[list[str]]:
    """Articles with their titles, in the order in which they are read."""
    titles = {each.number: each.title for each in articles(edition, airlines()[airline])}
    return [[number, titles[number]] for number in numbers]


def evidence(ticket: int, reference: str, numbers: Sequence[str]) -> list[list[str]]:
    """The pages that have to be opened where nothing is changed."""
    pages = [["article", number] for number in numbers]
    return [["ticket", str(ticket)], ["booking", reference], *pages]
