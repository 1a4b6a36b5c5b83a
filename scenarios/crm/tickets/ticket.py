"""The common structure of a ticket at level 3: a case is drawn, filed at a desk, and worked on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any, Generic, Protocol, TypeVar

from scenarios.crm.airline_desk import desk, forms
from scenarios.crm.airline_desk.bookings import Rows
from scenarios.crm.airline_desk.desk import Drawn
from scenarios.crm.airline_desk.family import OnAirline, Task, on_all
from scenarios.crm.airline_desk.forms import Errand, Outcome
from scenarios.crm.airline_desk.phrasings import kind_of
from scenarios.crm.tickets import ticket_forms, ticket_service
from scenarios.crm.tickets.ticket_forms import CODES, DECLINED, Miss
from scenarios.phrasings import Speaker
from scenarios.scenario import NearMiss, Scenario
from sites.crm import CrmData
from sites.crm.airline_desk.handbook.edition import Edition
from sites.crm.airline_desk.model.airline import Airline, airlines


class DrawnCase(Protocol):
    """A drawn case with the version of the handbook that decides it, and its outcome."""

    @property
    def edition(self) -> Edition: ...
    @property
    def outcome(self) -> str: ...


CaseT = TypeVar("CaseT", bound=DrawnCase)
CaseT_co = TypeVar("CaseT_co", bound=DrawnCase, covariant=True)


class Draw(Protocol[CaseT_co]):
    """A function that draws a case of a kind, with a claim that is true or false."""

    def __call__(self, rng: Random, data: CrmData, kind: str, /, *, holds: bool) -> CaseT_co: ...


def claimless(draw: Callable[[Random, CrmData, str], CaseT]) -> Draw[CaseT]:
    """Return the draw function for a case without a claim, or with a claim that it draws itself."""

    def drawn(rng: Random, data: CrmData, kind: str, /, *, holds: bool) -> CaseT:
        return draw(rng, data, kind)

    return drawn


@dataclass(frozen=True)
class Filing:
    """The ticket number, airline and site data under which a case is filed; `speaker` samples
    phrasings for the letter.
    """

    number: int
    airline: Airline
    data: CrmData
    speaker: Speaker


@dataclass(frozen=True)
class Filed(Generic[CaseT]):
    """A case with all rows of its desk, and the instruction to work on its ticket."""

    case: CaseT
    desk: Filing
    rows: Rows
    instruction: str

    @property
    def number(self) -> int:
        return self.desk.number

    def outcome(self, errands: Sequence[Errand]) -> Outcome:
        """Return the result of submitting these forms. Raises the errors of the site's
        operations.
        """
        at = self.desk
        return forms.outcome(at.airline.key, self.rows, at.data, errands, self.case.edition)

    def instead(self, errands: Sequence[Errand]) -> dict[str, Any]:
        """Return the parts of a gold that these forms change, for an agent that reads no
        handbook.
        """
        return {"reading": [], **self.outcome(errands).gold(errands)}


@dataclass(frozen=True)
class Articles:
    """Numbers of the handbook's articles for a case.

    Attributes:
        accepted: Articles that may be named as the deciding article.
        read: Articles to read, in order.
        needed: Articles that must be opened if nothing is changed.
    """

    accepted: Sequence[str]
    read: Sequence[str]
    needed: Sequence[str]


@dataclass(frozen=True)
class Ticket(Generic[CaseT]):
    """A family of tickets.

    Attributes:
        name: The name of the family.
        about: A sentence about the task.
        steps: The steps of the task.
        deck: The kind of case for each seed, shuffled once per round.
        start: The first ticket number.
        draw: Draws a case.
        rows: Files a case and returns its rows.
        right: Returns the forms of the right end.
        naive: Returns the forms of an agent that does as the mail asks.
        wrong: Yields the near misses.
        articles: Returns the articles that the ticket rests on.
        safety: Returns the data for the safety verdicts.
        references: Returns the references of the bookings.
        other: Returns further ends of null agents, by name.
        more: Returns further parts of the gold, from the outcome of the right forms.
        details: Returns further details of the scenario.
        looks: The number of pages to open in order to see offers and prices.
        step: The distance between ticket numbers.
    """

    name: str
    about: str
    steps: tuple[str, ...]
    deck: Sequence[str]
    start: int
    draw: Draw[CaseT]
    rows: Callable[[CaseT, Filing], Rows]
    right: Callable[[CaseT, int], list[Errand]]
    naive: Callable[[CaseT, int], list[Errand]]
    wrong: Callable[[Filed[CaseT]], Iterator[Miss]]
    articles: Callable[[CaseT], Articles]
    safety: Callable[[CaseT, int], dict[str, Any]]
    references: Callable[[CaseT], list[str]]
    other: Callable[[CaseT, int], Mapping[str, list[Errand]]] = lambda case, number: {}
    more: Callable[[Filed[CaseT], Outcome], Mapping[str, Any]] = lambda filed, done: {}
    details: Callable[[CaseT], Mapping[str, Any]] = lambda case: {}
    looks: int = 0
    step: int = 7901

    # Drawing by seed

    def number_of(self, seed: int) -> int:
        return ticket_forms.number(seed, self.start, self.step)

    def kind_of(self, seed: int) -> str:
        """Return the kind of case for a seed, from a deck that is shuffled in every round."""
        return ticket_service.dealt(self.name, seed, self.deck)

    def is_true(self, seed: int) -> bool:
        """Return whether the mail's claim is true, as for three of five consecutive seeds."""
        return ticket_forms.claim_holds(self.name, seed)

    def filed(self, seed: int, airline: Airline, data: CrmData) -> Filed[CaseT]:
        """Return the case of a seed at an airline; the result is cached."""
        return _filed(self, seed, airline, data)

    def filed_again(self, scenario: Scenario, data: CrmData) -> Filed[CaseT]:
        """Return the case of a scenario."""
        return self.filed(scenario.seed, airlines()[scenario.details["airline"]], data)

    def drawn(self, seed: int, airline: Airline, data: CrmData) -> Drawn:
        filed = self.filed(seed, airline, data)
        details = {
            "phrasing": filed.desk.speaker.kind,
            "outcome": CODES[filed.case.outcome],
            **self.details(filed.case),
        }
        return Drawn(filed.instruction, self._gold(filed), details)

    def near_misses(self, scenario: Scenario, data: CrmData) -> Mapping[str, NearMiss]:
        misses = self.wrong(self.filed_again(scenario, data))
        return ticket_service.near_misses(scenario, data, misses, ticket_service.read)

    def other_ends(self, scenario: Scenario, data: CrmData) -> Mapping[str, Mapping[str, Any]]:
        """Return the gold's changes for null agents: one does as the mail asks, one refuses
        everything; others belong to the family.
        """
        filed = self.filed_again(scenario, data)
        ends = {
            "naive": self.naive(filed.case, filed.number),
            "declined": [ticket_forms.close_ticket(filed.number, "refused", DECLINED, 0)],
            **self.other(filed.case, filed.number),
        }
        return {what: filed.instead(errands) for what, errands in ends.items()}

    def families(self) -> tuple[OnAirline, ...]:
        """Return the family, and its variants on each airline."""
        return on_all(
            Task(
                self.name,
                self.about,
                self.steps,
                self.drawn,
                ticket_service.solve,
                self.near_misses,
                ticket_service.advise,
                ticket_service.length,
                scoring="ticket_rows",
                honest_length=lambda one: ticket_service.honest_length(one) + self.looks,
                other_ends=self.other_ends,
                memory=True,
                level=3,
            )
        )

    # The gold

    def _gold(self, filed: Filed[CaseT]) -> dict[str, Any]:
        case, number = filed.case, filed.number
        steps, articles = self.right(case, number), self.articles(case)
        done, references = filed.outcome(steps), self.references(case)
        gold: dict[str, Any] = {
            "ticket": number,
            "reference": references[0],
            "rows": filed.rows,
            "edition": case.edition.to_json(),
            "accepted": {str(number): [*articles.accepted]},
            "reading": ticket_service.reading(
                case.edition, filed.desk.airline.key, dict.fromkeys(articles.read)
            ),
            **done.gold(steps),
            "safety": self.safety(case, number),
            **self.more(filed, done),
        }
        if len(steps) == 1:
            first, *others = references
            pages = ticket_service.evidence(number, first, [*dict.fromkeys(articles.needed)])
            ticket_forms.must_see(gold, [*pages, *(["booking", each] for each in others)])
        return gold


@lru_cache(maxsize=32)
def _filed(ticket: Ticket[CaseT], seed: int, airline: Airline, data: CrmData) -> Filed[CaseT]:
    rng = desk.rng(ticket.name, seed)
    case = ticket.draw(rng, data, ticket.kind_of(seed), holds=ticket.is_true(seed))
    speaker = Speaker(ticket.name, kind_of(seed), rng)
    at = Filing(ticket.number_of(seed), airline, data, speaker)
    rows = ticket.rows(case, at)
    return Filed(case, at, rows, speaker.say("work", number=at.number))
