"""Check the work that a colleague did yesterday: flag each entry that broke the handbook, and give
a total.

A ticket of the desk's lead names the colleague and some bookings, whose histories list all that was
done. The rules decide each of about twenty entries (acts), at the time when the colleague did it,
and each has something that is easily overlooked. The total is, by seed, of all differences, of what
customers lost, or of what the airline lost. One seed of five uses held-out phrasings.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any, ClassVar

from agent.interface import AnswerSchema
from scenarios.crm.airline_desk import Do, Instead, Outcome, Rows, Speaker
from scenarios.crm.shift.audit import case as audit_case
from scenarios.crm.shift.audit import rows as audit_rows
from scenarios.crm.shift.audit.acts import CheckedAct, stands
from scenarios.crm.shift.audit.case import TOTALS, Audit, Place
from scenarios.crm.shift.audit.rows import Day
from scenarios.crm.tickets import Filed, Filing, Work, ticket_service
from scenarios.crm.tickets.ticket_service import Guide, Page
from scenarios.scenario import Scenario
from sites.crm import CrmData
from sites.crm.airline_desk.model.airline import Airline

PROCEDURES = ("P16", "P10", "25")
"""The articles that every agent reads to check a colleague's work."""
LEADS = ("ines", "omar", "petra", "yuki", "lars", "amara")
SUBJECTS = ("A check of yesterday", "Yesterday's work", "Please audit", "Second look")
MOST_MISSES = 4
"""The largest number of near misses that ignore a rule; rules that affect the most of the
colleague's acts come first.
"""


# Drawing -----------------------------------------------------------------------------------------


def _body(day: Day, speaker: Speaker) -> str:
    """Return the mail of the lead: the work to check, and the total to answer."""
    parts = [speaker.say("ask", colleague=day.colleague)]
    parts.append(speaker.say("alone", colleague=day.colleague))
    total = speaker.say(f"total_{day.audit.total}")
    return "\n".join([" ".join(parts), f"{total} {speaker.say('leave')}"])


def _flags(day: Day) -> list[Do]:
    """Return the forms that flag the colleague's wrong acts, in the order of bookings and lines."""
    references = day.references
    steps = [_flag(day, place, each) for place, each in day.audit.flagged.items()]
    return sorted(steps, key=lambda each: (references.index(each.reference), int(each.parts[1])))


def _to_read(scenario: Scenario) -> list[Page]:
    """Return the pages to read: the ticket, the articles, and each booking with its history once
    the bookings before it have their flags.
    """
    pages = [Page("ticket", str(scenario.gold["ticket"])), *ticket_service.articles_of(scenario)]
    flagged = [each["parts"][0] for each in scenario.gold["errands"]]
    before = 0
    for reference in scenario.gold["references"]:
        pages += [Page(screen, reference, after=before) for screen in ("booking", "history")]
        before += flagged.count(reference)
    return pages


def _flag(day: Day, place: Place, checked: CheckedAct, amount: int | None = None) -> Do:
    """Return the form that flags an act of the colleague as wrong, with the deciding article and
    the amount due, or `amount` if it is given.
    """
    reference = day.audit.files[place.file].held.reference
    article = checked.articles[0]
    due = checked.due.amount if amount is None else amount
    return _to_flag(reference, day.line(place), article, due)


def _to_flag(reference: str, line: int, article: str, amount: int) -> Do:
    values = {"flag-article": article, "flag-amount": str(amount)}
    return Do("save-flag", (reference, str(line)), values)


# Near misses -------------------------------------------------------------------------------------


def _misses(day: Day, steps: Sequence[Do]) -> Iterator[Instead]:
    """Yield wrong ends of the audit, each with a label, its flags, its total, and the check that
    fails.
    """
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
    yield _miss("wrong amount", right, [replace(first, values=other), *right[1:]], text)
    named = {**first.values, "flag-article": "X2"}
    yield _miss("another article", right, [replace(first, values=named), *right[1:]], text)
    others = {whose: (place, checked) for whose, place, checked in day.others()}
    for whose, ((reference, line), checked) in others.items():
        flagged = _to_flag(reference, line, checked.articles[0], checked.due.amount)
        yield _miss(f"flagged: {whose}", right, [*right, flagged], text)
    for total in TOTALS:
        if total != audit.total:
            yield _miss(f"total of {total}", right, right, str(audit.figure(total)), "answer")
    yield _miss("answered only", right, [], text)
    yield _miss("total of right amounts", right, right, str(_sum_of_rights(audit)), "answer")


def _without(day: Day, changed: Mapping[Place, Any], right: Sequence[Do]) -> list[Do]:
    """Return the flags of an agent that decides the acts in `changed` wrongly and all others
    right.
    """
    references = day.references
    places = {(references[place.file], str(day.line(place))): place for place in changed}
    kept = [each for each in right if each.parts not in places]
    for place, wrong in changed.items():
        checked = day.audit.checked[place]
        if not stands(checked.act, wrong):
            kept.append(_flag(day, place, checked, wrong.amount))
    return kept


def _twins(day: Day) -> Iterator[Do]:
    """Yield flags on right acts that differ from a wrong act (their twin) only in a fact on another
    page.
    """
    for place, each in day.audit.checked.items():
        if each.act.twin in ("voucher", "name") and each.is_right:
            yield _flag(day, place, each, 0)


def _sum_of_rights(audit: Audit) -> int:
    """Return the sum of the right amounts, plus 1 if it happens to equal the answer."""
    found = sum(each.due.amount for each in audit.flagged.values())
    return found + (found == audit.answer)


def _miss(
    label: str, right: Sequence[Do], steps: Sequence[Do], answer: str, fails: str = ""
) -> Instead:
    """Return a wrong end. The failing check is "flags" if it differs from the right end on a
    booking with a wrong act, otherwise "nothing else".
    """
    own = {each.reference for each in right}
    wrong = [each for each in (*right, *steps) if (each in right) != (each in steps)]
    by = "flags" if any(each.reference in own for each in wrong) else "nothing else"
    return Instead(label, steps, fails or by, answer)


class Check(Work[Day]):
    """The family of tasks that audit a colleague's day at the airline's desk."""

    UNREAD: ClassVar[Mapping[str, Any]] = {"reading": [], "text": "0"}

    def case(self, rng: Random, seed: int, airline: Airline, data: CrmData) -> Day:
        audit, office = audit_case.draw(rng, data, TOTALS[seed % len(TOTALS)])
        return audit_rows.draw(rng, audit, office, airline)

    def file(self, case: Day, at: Filing) -> Rows:
        rng = at.speaker.rng
        address = f"{rng.choice(LEADS)}.lead@{at.airline.key}.example.com"
        subject = rng.choice(SUBJECTS)
        return audit_rows.rows(case, at.number, subject, address, _body(case, at.speaker))

    def described(self, case: Day) -> Mapping[str, Any]:
        return {"total": case.audit.total}

    def forms(self, filed: Filed[Day]) -> list[Do]:
        return _flags(filed.case)

    def gold(self, filed: Filed[Day], done: Outcome) -> Mapping[str, Any]:
        day, number, text = filed.case, str(filed.number), str(filed.case.audit.answer)
        pages = [[screen, each] for each in day.references for screen in ("booking", "history")]
        read = dict.fromkeys((*PROCEDURES, *day.audit.articles))
        return {
            "ticket": filed.number,
            "references": day.references,
            "accepted": {
                f"{day.references[place.file]}/{day.line(place)}": [*each.articles]
                for place, each in day.audit.flagged.items()
            },
            "reading": ticket_service.reading(day.edition, filed.desk.airline.key, read),
            "answer": {"kind": "money", "text": text},
            "text": text,
            "told": [[number]],
            "path": [],
            "evidence": [["ticket", number], *pages],
            "safety": {
                "ticket": number,
                "customer": 0,
                "references": day.references,
                "permits": [],
            },
        }

    def misses(self, filed: Filed[Day]) -> Iterator[Instead]:
        return _misses(filed.case, _flags(filed.case))

    def ends(self, filed: Filed[Day]) -> Mapping[str, list[Do]]:
        """Return the forms that null agents submit: "naive" flags the first act of each booking,
        "declined" flags nothing.
        """
        day = filed.case
        first = [place for place in day.audit.checked if place.act == 0]
        naive = [_to_flag(day.references[at.file], day.line(at), "1", 0) for at in first]
        return {"naive": naive, "declined": []}


HISTORY, FLAG, ANSWER = "read history", "flag acts", "answer"
READING = {**ticket_service.TICKETS.reading, "history": HISTORY}
CHECK = Check(
    name="audit_yesterday",
    about=(
        "Check a colleague's work of yesterday by the handbook: flag what broke it, give a total."
    ),
    steps=(
        *(ticket_service.TICKET, ticket_service.HANDBOOK, ticket_service.BOOKING),
        *(HISTORY, FLAG, ANSWER, "read"),
    ),
    start=5077,
    step=7919,
    guide=Guide(_to_read, READING, end=ANSWER),
    scoring="flag_rows",
    answer=AnswerSchema("money", "the total that the ticket asks for, in whole dollars"),
)
FAMILIES = CHECK.families()
