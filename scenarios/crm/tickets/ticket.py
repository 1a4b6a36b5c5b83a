"""The skeleton of a ticket at level 3: a case is drawn, filed at a desk, and worked on."""

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
    """A drawn case, with the edition of the handbook that decides it, and its outcome."""

    @property
    def edition(self) -> Edition: ...
    @property
    def outcome(self) -> str: ...


CaseT = TypeVar("CaseT", bound=DrawnCase)
CaseT_co = TypeVar("CaseT_co", bound=DrawnCase, covariant=True)


class Draw(Protocol[CaseT_co]):
    """Draw a case of a kind, with a claim that holds or does not."""

    def __call__(self, rng: Random, data: CrmData, kind: str, /, *, holds: bool) -> CaseT_co: ...


def claimless(draw: Callable[[Random, CrmData, str], CaseT]) -> Draw[CaseT]:
    """Return how a case is drawn that has no claim, or draws its own."""

    def drawn(rng: Random, data: CrmData, kind: str, /, *, holds: bool) -> CaseT:
        return draw(rng, data, kind)

    return drawn


@dataclass(frozen=True)
class Filing:
    """How a case is filed: under a ticket's number, at an airline; `speaker` words the letter."""

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
        """Return what comes of these forms here. Raises what the site's operations raise."""
        at = self.desk
        return forms.outcome(at.airline.key, self.rows, at.data, errands, self.case.edition)

    def instead(self, errands: Sequence[Errand]) -> dict[str, Any]:
        """Return the parts of a gold that lead elsewhere, for an agent that reads no handbook."""
        return {"reading": [], **self.outcome(errands).gold(errands)}


@dataclass(frozen=True)
class Articles:
    """Numbers of the handbook's articles: those that may be named as the one that decides, those
    that are read, in turn, and those that must be opened if nothing is changed."""

    accepted: Sequence[str]
    read: Sequence[str]
    needed: Sequence[str]


@dataclass(frozen=True)
class Ticket(Generic[CaseT]):
    """A family of tickets. `deck` has a kind of case for each seed in turn, shuffled; numbers of
    tickets begin at `start` and are `step` apart. `rows` files a case. `right` and `naive` are the
    forms of the right end, and of an agent that does as the mail asks; `wrong` are the near misses,
    `other` further ends that null agents head for, by name. `articles` and `safety` say what the
    ticket rests on and what may be done to it, `more` what else the gold has, from the outcome of
    the right forms. `looks` are the pages that are opened to see what the offers come to."""

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

    # By the seed

    def number_of(self, seed: int) -> int:
        return ticket_forms.number(seed, self.start, self.step)

    def kind_of(self, seed: int) -> str:
        """The kind of case, by a deck that is shuffled anew each time."""
        return ticket_service.dealt(self.name, seed, self.deck)

    def is_true(self, seed: int) -> bool:
        """Whether the claim of the mail holds: three of five in turn."""
        return ticket_forms.claim_holds(self.name, seed)

    def filed(self, seed: int, airline: Airline, data: CrmData) -> Filed[CaseT]:
        """Return the case of a seed at an airline, drawn once as long as it is in use."""
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
        """Return what the gold would have for an agent that does as the mail asks, for one that
        refuses everything, and for the family's own."""
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
