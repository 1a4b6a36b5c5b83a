"""Advice at level 3: read the ticket, its booking and the articles, then submit the gold's forms.

Every page lists the tickets, bookings and articles that were opened, the offers with their answers,
and the forms that were sent, so each page suffices to know the next step. The gold has `ticket` (a
number), `reference` (or `references` if there are several), `reading` (articles with titles),
`errands` (forms to fill and submit), `sentences` and `held` (current field values).
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
"""The page lines that list opened tickets, bookings, histories and articles, by screen."""
ASKED = {"button": 0, "again": 1, "review": 2}
"""The number of extra confirmation clicks of an airline before an irreversible act."""


def advise(scenario: Scenario, observation: Observation) -> Advice:
    """Return the advice for a page: the next unread page, or the next form."""
    at = Service(scenario, observation)
    done = at.done
    if done == len(at.errands):
        return Advice(CLOSED, answer="")
    if at.page.screen == "review":
        return service.errand(at, done)
    unread = None if done else _unread(at)
    return unread or _errand(at, done)


def _unread(at: Service) -> Advice | None:
    """Return the advice to open the first unread ticket, booking or article; None if all were
    read.
    """
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
    """Return whether the page is the given one, or says that it was opened."""
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
    """Return the advice to open a ticket from the queue."""
    if at.page.screen == "tickets":
        link = at.page.element(at.airline.id("open-ticket", number), str(number))
        return Advice(step, (Click(link.id),) if link else (), needs=needs(at))
    return Advice(step, at.page.press("see-tickets"), needs=needs(at))


def references(scenario: Scenario) -> list[str]:
    """Return the references of the bookings that the ticket is about."""
    gold = scenario.gold
    return [*gold.get("references", [gold["reference"]])]


def _to_booking(at: Service, step: str, reference: str) -> Advice:
    return to_booking(at, at.scenario.gold["ticket"], step, reference)


def to_booking(at: Service, ticket: int | str, step: str, reference: str) -> Advice:
    """Return the advice to open a booking from its ticket."""
    if (at.page.screen, at.page.parts) != ("ticket", (str(ticket),)):
        return to_ticket(at, ticket, step)
    link = at.page.element(at.airline.id("open-booking", reference), reference)
    return Advice(step, (Click(link.id),) if link else (), needs=needs(at))


def to_article(at: Service, number: str, title: str) -> Advice:
    """Return the advice to open an article by a link on the page, or else by the contents."""
    name = at.airline.word("open-article", number=number, title=title)
    link = at.page.element(at.airline.id("open-article", number), name)
    if link and at.page.screen in ("handbook", "article"):
        return Advice(HANDBOOK, (Click(link.id),), needs=needs(at))
    return Advice(HANDBOOK, at.page.press("see-handbook"), needs=needs(at))


def _errand(at: Service, number: int) -> Advice:
    """Return the advice to fill a form, or to reach it by the ticket or the booking."""
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
    """Return the ticket or shift number, the only value that the instruction gives."""
    gold = at.scenario.gold
    return ((str(gold["shift"] if "shift" in gold else gold["ticket"]),),)


# The length --------------------------------------------------------------------------------------


def length(scenario: Scenario) -> int:
    """Return the number of actions of the reference solution: one for each link, field and
    button.
    """
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
    """Return the extra actions to choose offers: a calendar, pages of offers, and a drawer if the
    airline has one, minus the links that consecutive forms do not need.
    """
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
"""The number of forms without a link of their own: a change of flights takes three forms, and only
the first has a link.
"""


def reading_length(scenario: Scenario) -> int:
    """Return the clicks to read all articles; an article that links to the next saves a visit to
    the contents.
    """
    found, linked = 0, frozenset[str]()
    for number, _ in scenario.gold["reading"]:
        found += 1 if number in linked else 2
        linked = links(scenario, number)
    return found


def links(scenario: Scenario, number: str) -> frozenset[str]:
    """Return the articles that an article links to."""
    return _links(scenario.gold["edition"], scenario.details["airline"])[number]


@cache
def _links(edition: str, airline: str) -> Mapping[str, frozenset[str]]:
    """Return the articles that each article links to."""
    listed = articles(Edition.from_json(edition), airlines()[airline])
    return {each.number: frozenset((*each.beaten_by, *each.see)) for each in listed}


def _way(here: Place | None, each: Errand) -> int:
    """Return the clicks from the last page to the page with the link to the form."""
    if here == each.home:
        return 0
    if each.home.screen == "booking":
        return 1 if here and here.screen == "ticket" else 3
    return 2


IN_TABLES = ("seats", "checkin", "escort", "person")
"""The forms whose links are in the table lines of flights and passengers."""


def form_length(scenario: Scenario, form: Errand, held: Mapping[str, str]) -> int:
    """Return the actions for a form: its link (in a menu, if the airline has one), its fields, its
    button, and confirmations.
    """
    airline = airlines()[scenario.details["airline"]]
    menu = airline.widgets["actions"] == "menu" and form.screen not in IN_TABLES
    fields = sum(
        clicks(airline, key, value, held.get(key, "")) for key, value in form.values.items()
    )
    asked = ASKED[airline.last_step] if form.control in service.COMMITS else 0
    return menu + 1 + fields + 1 + asked


MORE = 5
"""Half of the ten extra steps of a level 3 budget."""


def honest_length(scenario: Scenario) -> int:
    """Return the length of an honest solution. The budget, twice this plus ten, suffices for
    reading every article of the handbook.
    """
    return length(scenario) + reserve(scenario)


def reserve(scenario: Scenario) -> int:
    """Return half of the extra steps of an agent that reads the whole handbook."""
    number = len(_links(scenario.gold["edition"], scenario.details["airline"]))
    return MORE + -(-number // 2)


# Solution ----------------------------------------------------------------------------------------


def dealt(family: str, seed: int, deck: Sequence[str]) -> str:
    """Return the card of a seed from the family's deck, which is shuffled for each round of
    seeds.
    """
    size = len(deck)
    return Random(f"crm/{family}/deck/{seed // size}").sample(deck, size)[seed % size]


def near_misses(
    scenario: Scenario,
    data: CrmData,
    misses: Iterable[Miss],
    reads: Callable[[Scenario, World], None],
) -> Mapping[str, NearMiss]:
    """Return wrong ends by label.

    Args:
        scenario: The scenario.
        data: The site data.
        misses: The wrong ends.
        reads: Opens pages in the world before the forms are submitted.
    """
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
    """Open what must be read, then submit the gold's forms."""
    read(scenario, world)
    errands.finish(world, data, scenario)
    return ""


def read(scenario: Scenario, world: World) -> None:
    """Open the ticket, its bookings and the articles."""
    gold = scenario.gold
    desk.see(world, Place("ticket", (str(gold["ticket"]),)))
    for reference in references(scenario):
        desk.see(world, Place("booking", (reference,)))
    for number, _ in gold["reading"]:
        desk.see(world, Place("article", (number,)))


def reading(edition: Edition, airline: str, numbers: Iterable[str]) -> list[list[str]]:
    """Return articles with their titles, in reading order."""
    titles = {each.number: each.title for each in articles(edition, airlines()[airline])}
    return [[number, titles[number]] for number in numbers]


def evidence(ticket: int, reference: str, numbers: Sequence[str]) -> list[list[str]]:
    """Return the pages that must be opened if nothing is changed."""
    pages = [["article", number] for number in numbers]
    return [["ticket", str(ticket)], ["booking", reference], *pages]
