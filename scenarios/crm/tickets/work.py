"""The common structure of the ticket families, the hardest tasks at the airline desk (level 3).

A family draws a case, puts it into the desk's database, and solves it by sending forms.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from random import Random
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from agent.interface import AnswerSchema
from scenarios.crm.airline_desk import desk, forms, service
from scenarios.crm.airline_desk.bookings import Rows
from scenarios.crm.airline_desk.desk import Drawn
from scenarios.crm.airline_desk.family import Task, on_all
from scenarios.crm.airline_desk.forms import Do, Instead, Outcome
from scenarios.crm.airline_desk.phrasings import kind_of
from scenarios.crm.tickets import ticket_forms, ticket_service
from scenarios.crm.tickets.ticket_service import Guide
from scenarios.phrasings import Speaker
from scenarios.scenario import NearMiss, Scenario
from sites.crm import CrmData
from sites.crm.airline_desk.handbook.edition import Edition
from sites.crm.airline_desk.model.airline import Airline, airlines
from sites.world import World


class RuledCase(Protocol):
    """A drawn case with the version of the handbook that decides it."""

    @property
    def edition(self) -> Edition: ...


CaseT = TypeVar("CaseT", bound=RuledCase)


@dataclass(frozen=True)
class Filing:
    """The ticket's number, airline and site data with which a case becomes database rows; `speaker`
    samples phrasings for its letters.
    """

    number: int
    airline: Airline
    data: CrmData
    speaker: Speaker


@dataclass(frozen=True)
class Filed(Generic[CaseT]):
    """A case with all database rows of the site that it needs, and the instruction to work on
    it.
    """

    case: CaseT
    desk: Filing
    rows: Rows
    instruction: str

    @property
    def number(self) -> int:
        return self.desk.number

    def outcome(self, dos: Sequence[Do]) -> Outcome:
        """Return the result of submitting these forms. Raises the errors of the site's
        operations.
        """
        at = self.desk
        return forms.outcome(at.airline.key, self.rows, at.data, dos, self.case.edition)


@dataclass(frozen=True, kw_only=True, eq=False)
class Work(ABC, Generic[CaseT]):
    """A family of work at the airline's desk, such as a kind of ticket or a shift.

    Attributes:
        UNREAD: The parts of the gold for a null agent, which reads nothing.
        name: The name of the family.
        about: A sentence about the task.
        steps: The steps of the task.
        start: The number of seed 0, counted from the first possible one.
        step: The distance between the numbers of consecutive seeds.
        guide: The way to do the work.
        scoring: The name of the scorer.
        answer: The answer that is asked for, or None.
        looks: The number of pages to open in order to see offers and prices.
    """

    UNREAD: ClassVar[Mapping[str, Any]] = {"reading": []}

    name: str
    about: str
    steps: tuple[str, ...]
    start: int
    step: int = 7901
    guide: Guide = ticket_service.TICKETS
    scoring: str = "ticket_rows"
    answer: AnswerSchema | None = None
    looks: int = 0

    @abstractmethod
    def case(self, rng: Random, seed: int, airline: Airline, data: CrmData) -> CaseT:
        """Draw the case of a seed."""

    @abstractmethod
    def file(self, case: CaseT, at: Filing) -> Rows:
        """Return all database rows of a scenario with this case, including its tickets and
        bookings.
        """

    @abstractmethod
    def described(self, case: CaseT) -> Mapping[str, Any]:
        """Return further details of the scenario, by name."""

    @abstractmethod
    def forms(self, filed: Filed[CaseT]) -> list[Do]:
        """Return the forms to submit for the right end, in order."""

    @abstractmethod
    def gold(self, filed: Filed[CaseT], done: Outcome) -> Mapping[str, Any]:
        """Return the parts of the gold except the database rows, the handbook's version and the
        forms.

        Its `evidence` are the pages that must be opened; without it no page must be.
        """

    @abstractmethod
    def misses(self, filed: Filed[CaseT]) -> Iterator[Instead]:
        """Yield wrong ends of the work, each with its label, forms and the check that fails."""

    @abstractmethod
    def ends(self, filed: Filed[CaseT]) -> Mapping[str, list[Do]]:
        """Return the forms that null agents (agents without skill) submit, by the agent's name."""

    def number_of(self, seed: int) -> int:
        return ticket_forms.number(seed, self.start, self.step)

    def filed(self, seed: int, airline: Airline, data: CrmData) -> Filed[CaseT]:
        """Return the case of a seed at an airline with its database rows and instruction; the
        result is cached.
        """
        return _filed(self, seed, airline, data)

    def filed_again(self, scenario: Scenario, data: CrmData) -> Filed[CaseT]:
        """Return the case of a scenario with its database rows and instruction."""
        return self.filed(scenario.seed, airlines()[scenario.details["airline"]], data)

    def drawn(self, seed: int, airline: Airline, data: CrmData) -> Drawn:
        filed = self.filed(seed, airline, data)
        dos = self.forms(filed)
        done = filed.outcome(dos)
        gold = {
            "rows": filed.rows,
            "edition": filed.case.edition.to_json(),
            **done.gold(dos),
            **self.gold(filed, done),
        }
        pages, last = gold.get("evidence", []), len(done.changes)
        if pages:
            done.steps["read"] = [*range(last, last + len(pages))]
        if self.answer:
            done.steps[service.ANSWER] = [last + len(pages)]
        details = {"phrasing": filed.desk.speaker.kind, **self.described(filed.case)}
        return Drawn(filed.instruction, gold, details)

    def near_misses(self, scenario: Scenario, data: CrmData) -> Mapping[str, NearMiss]:
        """Return near misses (wrong ends that look right) by label."""
        misses = self.misses(self.filed_again(scenario, data))
        return forms.near_misses(data, misses, partial(self.guide.read, scenario))

    def other_ends(self, scenario: Scenario, data: CrmData) -> Mapping[str, Mapping[str, Any]]:
        """Return, for each null agent by name, the parts of the gold that its end replaces."""
        filed = self.filed_again(scenario, data)
        return {
            what: {**self.UNREAD, **filed.outcome(dos).gold(dos)}
            for what, dos in self.ends(filed).items()
        }

    def honest_length(self, scenario: Scenario) -> int:
        """Return the number of actions that an agent needs if it must find out everything by
        itself.
        """
        return self.guide.length(scenario) + ticket_service.reserve(scenario) + self.looks

    def solve(self, scenario: Scenario, world: World, data: CrmData) -> str:
        """Record the pages to read as opened, submit the gold's forms in the visit's database, and
        return the answer.
        """
        self.guide.read(scenario, world)
        forms.finish(world, data, scenario)
        return str(scenario.gold.get("text", ""))

    def families(self) -> tuple[Task, ...]:
        """Return the family, and its variants on each airline."""
        return on_all(
            Task(
                self.name,
                self.about,
                self.steps,
                self.drawn,
                self.solve,
                self.near_misses,
                self.guide.advise,
                self.guide.length,
                SCORING=self.scoring,
                ANSWER=self.answer,
                honest_length=self.honest_length,
                other_ends=self.other_ends,
                MEMORY=True,
                LEVEL=3,
            )
        )


@lru_cache(maxsize=32)
def _filed(work: Work[CaseT], seed: int, airline: Airline, data: CrmData) -> Filed[CaseT]:
    rng = desk.rng(work.name, seed)
    case = work.case(rng, seed, airline, data)
    speaker = Speaker(work.name, kind_of(seed), rng)
    at = Filing(work.number_of(seed), airline, data, speaker)
    rows = work.file(case, at)
    return Filed(case, at, rows, speaker.say("work", number=at.number))
