"""The way to do work at level 3: read the pages that matter, then submit the gold's forms.

Every page lists the tickets, bookings, histories and articles that were opened, the offers with
their answers, and the forms that were sent, so each page suffices to know the next step. The gold
has `ticket` or `shift` (the number in the instruction), `reference` (or `references` if there are
several), `reading` (articles with titles), `about` (a ticket for each reference, if there are
several tickets), `errands` (forms to fill and submit), `sentences` and `held` (current field
values).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random

from agent.interface import Advice, Click, Observation
from scenarios.crm.airline_desk import desk, service
from scenarios.crm.airline_desk.forms import to_do
from scenarios.crm.airline_desk.service import Service
from scenarios.scenario import Scenario
from sites.crm.airline_desk.handbook.article import articles
from sites.crm.airline_desk.handbook.edition import Edition
from sites.crm.airline_desk.model.airline import airlines
from sites.crm.airline_desk.model.place import Place
from sites.world import World

TICKET, BOOKING, HANDBOOK, CLOSED = "read ticket", "read booking", "read handbook", "close ticket"
STEPS = (TICKET, BOOKING, HANDBOOK, "offer", "settle money", "cancel", CLOSED)
QUEUE = Place("tickets")
SEEN = {
    "ticket": "seen-tickets",
    "booking": "seen-bookings",
    "history": "seen-histories",
    "article": "seen-articles",
}
"""For each screen, the key of the page line that lists the tickets, bookings, histories or articles
opened so far.
"""


@dataclass(frozen=True)
class Page:
    """A page that the reference solution reads.

    Attributes:
        screen: The screen.
        subject: The number or reference of the page.
        title: The title of an article; "" for others.
        after: The number of forms to send before reading it.
    """

    screen: str
    subject: str
    title: str = ""
    after: int = 0

    @property
    def place(self) -> Place:
        return Place(self.screen, (self.subject,))


def to_read(scenario: Scenario) -> list[Page]:
    """Return the pages to read for a ticket: the ticket, its bookings and the articles."""
    return [
        Page("ticket", str(scenario.gold["ticket"])),
        *(Page("booking", each) for each in references(scenario)),
        *articles_of(scenario),
    ]


def articles_of(scenario: Scenario) -> Iterator[Page]:
    """Return the pages of the handbook's articles that the gold lists as reading."""
    return (Page("article", number, title) for number, title in scenario.gold["reading"])


def references(scenario: Scenario) -> list[str]:
    """Return the references of the bookings that the ticket is about."""
    gold = scenario.gold
    return [*(gold["references"] if "references" in gold else [gold["reference"]])]


def listed(scenario: Scenario) -> list[Page]:
    """Return the pages that the gold lists as `pages`, each as its fields."""
    return [Page(*each) for each in scenario.gold["pages"]]


# Advice ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Guide:
    """The way of a competent person through work of one kind.

    Attributes:
        pages: Returns the pages to read, in order.
        reading: The step of reading a page, by its screen.
        end: The last step.
        turn: The step on the way to the first form of each ticket; "" means the form's own step.
    """

    pages: Callable[[Scenario], Sequence[Page]]
    reading: Mapping[str, str]
    end: str = CLOSED
    turn: str = ""

    def advise(self, scenario: Scenario, observation: Observation) -> Advice:
        """Return the advice for a page: the next unread page, the next form, or the end."""
        at = Service(scenario, observation)
        left = at.to_do[at.done :]
        if left and at.page.screen == "review":
            return service.towards(at, at.done)
        for each in self.pages(scenario):
            if each.after == at.done and not is_seen(at, each.screen, each.subject):
                return self._to(at, each.place, self.reading[each.screen], each.title)
        if left:
            return self._towards(at, at.done)
        text = scenario.gold.get("text", "")
        return Advice(self.end, answer=text, needs=needs(at) if text else ())

    def _towards(self, at: Service, number: int) -> Advice:
        """Return the advice to fill a form if its page is open, or else to open the page from the
        ticket or the booking.
        """
        each = at.to_do[number]
        step, here = each.step, at.page.place
        forms = (*each.before, each)
        if here in (*(form.place for form in forms), each.home):
            return service.send(at, forms, step, needs(at))
        before = at.to_do[number - 1].home if number else QUEUE
        is_first = ticket_of(at.scenario, before) != ticket_of(at.scenario, each.home)
        return self._to(at, each.home, self.turn if self.turn and is_first else step)

    def _to(self, at: Service, place: Place, step: str, title: str = "") -> Advice:
        """Return the advice to open a ticket, an article, a booking or its history."""
        [subject] = place.parts
        if place.screen == "article":
            return to_article(at, subject, title)
        ticket = ticket_of(at.scenario, place)
        if place.screen == "ticket":
            return to_ticket(at, ticket, step)
        if place.screen == "booking":
            return to_booking(at, ticket, step, subject)
        if at.page.place != Place("booking", place.parts):
            return to_booking(at, ticket, self.reading["booking"], subject)
        name = at.airline.word("open-history")
        link = at.page.element(at.airline.id("open-history"), name)
        link = link or at.page.element("menu", at.airline.word("actions"))
        return Advice(step, (Click(link.id),) if link else (), needs=needs(at))

    def length(self, scenario: Scenario) -> int:
        """Return the number of actions of the reference solution: one for each link, field and
        button.
        """
        steps, pages = to_do(scenario), self.pages(scenario)
        airline = airlines()[scenario.details["airline"]]
        here, found = QUEUE, int(sum(scenario.gold.get("turned", ())))
        for done in range(len(steps) + 1):
            due = [each for each in pages if each.after == done]
            found += sum(_walk(scenario, here, due))
            here = due[-1].place if due else here
            for each in steps[done : done + 1]:
                held = scenario.gold["held"][done]
                found += _way(scenario, here, each.home)
                found += service.form_length(airline, each, held)
                here = each.home
        return found

    def read(self, scenario: Scenario, world: World) -> None:
        """Record all pages to read as opened in the visit's database, including pages that appear
        later.
        """
        for each in self.pages(scenario):
            desk.see(world, each.place)


TICKETS = Guide(to_read, {"ticket": TICKET, "booking": BOOKING, "article": HANDBOOK})
"""The way of the reference solution through a single ticket: the pages to read, and the name of
each step.
"""


# Ways --------------------------------------------------------------------------------------------


def is_seen(at: Service, screen: str, subject: str) -> bool:
    """Return whether the observed page is the given ticket, booking, history or article, or says
    that it was opened.
    """
    if at.page.place == Place(screen, (subject,)):
        return True
    slot = "references" if screen in ("booking", "history") else "numbers"
    start, _, end = at.airline.word(SEEN[screen], **{slot: "|"}).partition("|")
    for line in at.observation.text.split("\n"):
        _, found, rest = line.partition(start)
        if found and subject in rest.removesuffix(end).replace(",", " ").split():
            return True
    return False


def ticket_of(scenario: Scenario, place: Place) -> str:
    """Return the number of the ticket from which a page is reached; "" if none."""
    if place.screen == "ticket":
        return place.parts[0]
    tickets = scenario.gold.get("about")
    if tickets is None:
        return str(scenario.gold["ticket"])
    return str(tickets[place.parts[0]]) if place.parts else ""


def to_ticket(at: Service, number: int | str, step: str) -> Advice:
    """Return the advice to open a ticket from the queue."""
    if at.page.screen == "tickets":
        link = at.page.element(at.airline.id("open-ticket", number), str(number))
        return Advice(step, (Click(link.id),) if link else (), needs=needs(at))
    return Advice(step, at.page.press("see-tickets"), needs=needs(at))


def to_booking(at: Service, ticket: int | str, step: str, reference: str) -> Advice:
    """Return the advice to open a booking from its ticket."""
    if at.page.place != Place("ticket", (str(ticket),)):
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


def needs(at: Service) -> service.Needs:
    """Return the ticket or shift number as the only value that the advice depends on and that no
    page shows.
    """
    gold = at.scenario.gold
    return ((str(gold["shift"] if "shift" in gold else gold["ticket"]),),)


# The length --------------------------------------------------------------------------------------


def _walk(scenario: Scenario, here: Place, due: Iterable[Page]) -> Iterator[int]:
    """Yield the number of actions to each of these pages from the page before it; an article linked
    by the article before saves a visit to the contents.
    """
    linked = frozenset[str]()
    for each in due:
        if each.screen == "article":
            yield 1 if each.subject in linked else 2
            linked = _links(scenario.gold["edition"], scenario.details["airline"])[each.subject]
        else:
            yield _way(scenario, here, each.place)
        here = each.place


def _way(scenario: Scenario, here: Place, to: Place) -> int:
    """Return the number of actions from one place to another."""
    if here == to:
        return 0
    if to.screen == "ticket":
        return 1 if here == QUEUE else 2
    if to.screen == "history":
        menu = airlines()[scenario.details["airline"]].widgets["actions"] == "menu"
        return _way(scenario, here, Place("booking", to.parts)) + 1 + menu
    return _way(scenario, here, Place("ticket", (ticket_of(scenario, to),))) + 1


@cache
def _links(edition: str, airline: str) -> Mapping[str, frozenset[str]]:
    """Return the articles that each article links to."""
    listed = articles(Edition.from_json(edition), airlines()[airline])
    return {each.number: frozenset((*each.beaten_by, *each.see)) for each in listed}


MORE = 5
"""Half of the ten extra steps that the budget of a level 3 task allows."""


def reserve(scenario: Scenario) -> int:
    """Return half of the extra steps of an agent that reads the whole handbook.

    A budget is twice the honest length plus ten, so this suffices for reading every article.
    """
    number = len(_links(scenario.gold["edition"], scenario.details["airline"]))
    return MORE + -(-number // 2)


# Drawing -----------------------------------------------------------------------------------------


def dealt(family: str, seed: int, deck: Sequence[str]) -> str:
    """Return the element of `deck` for a seed; the deck is shuffled for each round of seeds."""
    size = len(deck)
    return Random(f"crm/{family}/deck/{seed // size}").sample(deck, size)[seed % size]


def reading(edition: Edition, airline: str, numbers: Iterable[str]) -> list[list[str]]:
    """Return the number and title of each of these articles, in the given order."""
    titles = {each.number: each.title for each in articles(edition, airlines()[airline])}
    return [[number, titles[number]] for number in numbers]


def evidence(ticket: int, reference: str, numbers: Sequence[str]) -> list[list[str]]:
    """Return the pages that must be opened if nothing is changed: the ticket, the booking, and the
    articles of these numbers.
    """
    pages = [["article", number] for number in numbers]
    return [["ticket", str(ticket)], ["booking", reference], *pages]
