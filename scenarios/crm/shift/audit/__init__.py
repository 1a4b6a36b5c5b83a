"""Check the work that a colleague did yesterday: flag each act that broke the handbook, and give a
total.

A ticket of the desk's lead names the colleague and some bookings, whose histories list all acts.
The rules decide each of about twenty acts, at the time when the colleague did it, and each act has
something that is easily overlooked. The total is, by seed, of all differences, of what customers
lost, or of what the airline lost. One seed of five uses held-out phrasings.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from agent.interface import AnswerSchema
from scenarios.crm.airline_desk import desk, forms, service
from scenarios.crm.airline_desk.bookings import Rows
from scenarios.crm.airline_desk.desk import Drawn
from scenarios.crm.airline_desk.family import Task, on_all
from scenarios.crm.airline_desk.forms import Errand, Outcome
from scenarios.crm.airline_desk.phrasings import kind_of
from scenarios.crm.shift.audit import advice, case
from scenarios.crm.shift.audit import rows as audit_rows
from scenarios.crm.shift.audit.acts import CheckedAct, stands
from scenarios.crm.shift.audit.case import TOTALS, Audit, Place
from scenarios.crm.shift.audit.rows import Day
from scenarios.crm.tickets import ticket_forms, ticket_service
from scenarios.crm.tickets.ticket_forms import Miss
from scenarios.phrasings import Speaker
from scenarios.scenario import NearMiss, Scenario
from sites.crm import CrmData
from sites.crm.airline_desk.model.airline import Airline, airlines
from sites.world import World

NAME = "audit_yesterday"
START, STEP = 5077, 7919
PROCEDURES = ("P16", "P10", "25")
"""The articles that every agent reads to check a colleague's work."""
LEADS = ("ines", "omar", "petra", "yuki", "lars", "amara")
SUBJECTS = ("A check of yesterday", "Yesterday's work", "Please audit", "Second look")
MOST_MISSES = 4
"""The most rules that near misses leave out; rules that change the most acts come first."""


# Drawing -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Check:
    """A drawn day to check, with the number of the ticket that asks for the check."""

    day: Day
    number: int
    rows: Rows
    airline: Airline
    data: CrmData
    speaker: Speaker
    instruction: str

    def outcome(self, errands: Sequence[Errand]) -> Outcome:
        edition = self.day.audit.edition
        return forms.outcome(self.airline.key, self.rows, self.data, errands, edition)


@lru_cache(maxsize=8)
def check(seed: int, airline: Airline, data: CrmData) -> Check:
    """Return the day of a seed at an airline; the result is cached."""
    rng, number = desk.rng(NAME, seed), number_of(seed)
    audit, office = case.draw(rng, data, TOTALS[seed % len(TOTALS)])
    day = audit_rows.draw(rng, audit, office, airline)
    speaker = Speaker(NAME, kind_of(seed), rng)
    address = f"{rng.choice(LEADS)}.lead@{airline.key}.example.com"
    rows = audit_rows.rows(day, number, rng.choice(SUBJECTS), address, _body(day, speaker))
    instruction = speaker.say("work", number=number)
    return Check(day, number, rows, airline, data, speaker, instruction)


def _check_again(scenario: Scenario, data: CrmData) -> Check:
    """Return the day of a scenario."""
    return check(scenario.seed, airlines()[scenario.details["airline"]], data)


def draw(seed: int, airline: Airline, data: CrmData) -> Drawn:
    drawn = check(seed, airline, data)
    details = {"phrasing": drawn.speaker.kind, "total": drawn.day.audit.total}
    return Drawn(drawn.instruction, _gold(drawn), details)


def number_of(seed: int) -> int:
    return ticket_forms.number(seed, START, STEP)


def _body(day: Day, speaker: Speaker) -> str:
    """Return the mail of the lead: the work to check, and the total to answer."""
    parts = [speaker.say("ask", colleague=day.colleague)]
    parts.append(speaker.say("alone", colleague=day.colleague))
    total = speaker.say(f"total_{day.audit.total}")
    return "\n".join([" ".join(parts), f"{total} {speaker.say('leave')}"])


def _flags(day: Day) -> list[Errand]:
    """Return the right flags in order."""
    references = [each.held.reference for each in day.audit.files]
    steps = [_flag(day, place, each) for place, each in day.audit.flagged.items()]
    return sorted(steps, key=lambda each: (references.index(each.reference), int(each.parts[1])))


def _gold(drawn: Check) -> dict[str, Any]:
    day, number, audit = drawn.day, drawn.number, drawn.day.audit
    references = [each.held.reference for each in audit.files]
    steps = _flags(day)
    done = drawn.outcome(steps)
    text = str(audit.answer)
    gold: dict[str, Any] = {
        "ticket": number,
        "references": references,
        "rows": drawn.rows,
        "edition": audit.edition.to_json(),
        "accepted": {
            f"{references[place.file]}/{day.line(place)}": list(each.articles)
            for place, each in audit.flagged.items()
        },
        "reading": ticket_service.reading(
            audit.edition, drawn.airline.key, dict.fromkeys((*PROCEDURES, *audit.articles))
        ),
        **done.gold(steps),
        "answer": {"kind": "money", "text": text},
        "text": text,
        "told": [[str(number)]],
        "path": [],
    }
    ticket_forms.must_see(gold, advice.evidence(gold, references))
    gold["steps"][service.ANSWER] = [len(gold["changes"]) + len(gold["evidence"])]
    gold["safety"] = {
        "ticket": str(number),
        "customer": 0,
        "references": references,
        "permits": [],
    }
    return gold


def other_ends(scenario: Scenario, data: CrmData) -> Mapping[str, Mapping[str, Any]]:
    """Return the gold's changes for null agents: one flags the first act of each booking, one flags
    nothing.
    """
    drawn = _check_again(scenario, data)
    day = drawn.day
    references = [each.held.reference for each in day.audit.files]
    naive = [
        _errand(references[place.file], day.line(place), "1", 0)
        for place in day.audit.checked
        if place.act == 0
    ]
    ends: dict[str, list[Errand]] = {"naive": naive, "declined": []}
    return {
        what: {"reading": [], **drawn.outcome(errands).gold(errands), "text": "0"}
        for what, errands in ends.items()
    }


def _flag(day: Day, place: Place, checked: CheckedAct, amount: int | None = None) -> Errand:
    """Return the flag for an act, with another amount if one is given."""
    reference = day.audit.files[place.file].held.reference
    article = checked.articles[0]
    due = checked.due.amount if amount is None else amount
    return _errand(reference, day.line(place), article, due)


def _errand(reference: str, line: int, article: str, amount: int) -> Errand:
    values = {"flag-article": article, "flag-amount": str(amount)}
    return Errand("flag", (reference, str(line)), "save-flag", values)


# Near misses -------------------------------------------------------------------------------------


def _misses(day: Day, steps: Sequence[Errand]) -> Iterator[Miss]:
    """Yield wrong ends by label: flags, answer, and the check that fails."""
    audit = day.audit
    right, text = list(steps), str(audit.answer)
    rules = sorted(audit.bearing.items(), key=lambda each: (-len(each[1]), each[0]))
    for number, changed in rules[:MOST_MISSES]:
        yield _miss(f"rule left out: {number}", right, _without(day, changed, right), text)
    own = {place: each for place, each in audit.checked.items() if place not in audit.flagged}
    excused = audit.checked[audit.excused]
    yield _miss("excused act flagged", right, [*right, _flag(day, audit.excused, excused, 0)], text)
    for place, each in own.items():
        if place != audit.excused:
            yield _miss(
                f"false flag: {each.act.kind}", right, [*right, _flag(day, place, each, 0)], text
            )
            break
    yield _miss("one missed", right, right[:-1], text)
    yield _miss("twins alike", right, [*right, *_twins(day)], text)
    first = right[0]
    other = {**first.values, "flag-amount": str(int(first.values["flag-amount"]) + 1)}
    yield _miss("wrong amount", right, [Errand(*_head(first), other), *right[1:]], text)
    named = {**first.values, "flag-article": "X2"}
    yield _miss("another article", right, [Errand(*_head(first), named), *right[1:]], text)
    others = {whose: (place, checked) for whose, place, checked in day.others()}
    for whose, ((reference, line), checked) in others.items():
        flagged = _errand(reference, line, checked.articles[0], checked.due.amount)
        yield _miss(f"flagged: {whose}", right, [*right, flagged], text)
    for total in TOTALS:
        if total != audit.total:
            yield _miss(f"total of {total}", right, right, str(audit.figure(total)), "answer")
    yield _miss("answered only", right, [], text)
    yield _miss("total of right amounts", right, right, str(_sum_of_rights(audit)), "answer")


def _head(each: Errand) -> tuple[str, tuple[str, ...], str]:
    return each.screen, each.parts, each.control


def _without(day: Day, changed: Mapping[Place, Any], right: Sequence[Errand]) -> list[Errand]:
    """Return the flags of an agent that decides these acts differently."""
    references = [each.held.reference for each in day.audit.files]
    places = {(references[place.file], str(day.line(place))): place for place in changed}
    kept = [each for each in right if each.parts not in places]
    for place, wrong in changed.items():
        checked = day.audit.checked[place]
        if not stands(checked.act, wrong):
            kept.append(_flag(day, place, checked, wrong.amount))
    return kept


def _twins(day: Day) -> Iterator[Errand]:
    """Yield flags on the right act of each pair of twins."""
    for place, each in day.audit.checked.items():
        if each.act.twin in ("voucher", "name") and each.is_right:
            yield _flag(day, place, each, 0)


def _sum_of_rights(audit: Audit) -> int:
    """Return the sum of the right amounts, plus 1 if it happens to equal the answer."""
    found = sum(each.due.amount for each in audit.flagged.values())
    return found + (found == audit.answer)


def _miss(
    label: str, right: Sequence[Errand], steps: Sequence[Errand], answer: str, fails: str = ""
) -> Miss:
    """Return a wrong end. It fails the check "flags" if it differs on a booking with flags,
    otherwise "nothing else".
    """
    own = {each.reference for each in right}
    wrong = [each for each in (*right, *steps) if (each in right) != (each in steps)]
    by = "flags" if any(each.reference in own for each in wrong) else "nothing else"
    return Miss(label, steps, fails or by, answer)


def near_misses(scenario: Scenario, data: CrmData) -> Mapping[str, NearMiss]:
    """Return wrong flags and answers by label."""
    day = _check_again(scenario, data).day
    return ticket_service.near_misses(scenario, data, _misses(day, _flags(day)), advice.read)


def solve(scenario: Scenario, world: World, data: CrmData) -> str:
    advice.read(scenario, world)
    forms.finish(world, data, scenario)
    return str(scenario.gold["text"])


FAMILIES = on_all(
    Task(
        NAME,
        "Check a colleague's work of yesterday by the handbook: flag what broke it, give a total.",
        (*advice.STEPS, "read"),
        draw,
        solve,
        near_misses,
        advice.advise,
        advice.length,
        scoring="flag_rows",
        honest_length=advice.honest_length,
        other_ends=other_ends,
        answer=AnswerSchema("money", "the total that the ticket asks for, in whole dollars"),
        level=3,
        memory=True,
    )
)
