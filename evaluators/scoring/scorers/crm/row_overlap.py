"""Score a visit to the level-2 desk by its changes of rows: those of the task's solution (its
gold), and no others.

A change is (table, key, column, value); `row_names` defines the keys. Each group of tables has a
check. It fails if a change of the gold is missing, or if the visit made an unwanted change to a
booking, customer or voucher that the gold changes too. Unwanted changes elsewhere fail "nothing
else". A gold with an answer or with pages to open adds the checks "answer" and "evidence". Success
depends on the final state: an undone change is no failure.

Progress: with G the changes of the gold and M those made, state is |G and M| / |G or M|. An undone
change stays in M unless the gold has it. Progress is 0.75 state plus 0.25 the share of the
evidence, or state alone without evidence. For a question (the gold has no changes) it is half
evidence, half answer (F1 of a list). The answer counts once all evidence was opened, and the sum is
divided by 1 plus the number of changes made.

Skills: find is the share of the bookings to change that were opened; inspect the share of the
evidence that was opened; compute the share of right amounts (a figure as answer is an amount);
commit the share of all other wanted changes and answers; restrain whether nothing else changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypedDict, cast

from agent.interface import Answer
from evaluators.scoring import in_words
from evaluators.scoring.asked import Asked
from evaluators.scoring.context import ScoringContext
from evaluators.scoring.score import Check, Score, Step, progress
from evaluators.scoring.scorers.crm import row_words
from evaluators.scoring.scorers.crm.row_words import RowWords
from scenarios.scenario import Scenario
from sites.crm.airline_desk.model.airline import airlines
from sites.crm.base.row_changes import Change, by_key
from sites.crm.base.row_names import NEW, compared, counted, made, plain, tried
from sites.sums import in_order
from sites.world import Snapshot

__all__ = ["Gold", "made", "score"]

TICKET, FLAGS = "ticket", "flags"
STATE, EVIDENCE = 0.75, 0.25
GROUPS: Mapping[str, tuple[str, ...]] = {
    "flights": ("segments",),
    "passengers": ("passengers",),
    "seats": ("seats",),
    "bags": ("bags",),
    "money": ("payments", "refunds", "vouchers", "fees", "payouts"),
    "booking": ("bookings", "customers", "notes", "checkins", "waiting"),
    "ticket": ("tickets", "replies"),
    "flags": ("flags",),
}
"""The names of the tables that each check compares, by the name of the check.

Other tables belong to "booking". "ticket" is checked if the solution changes a ticket, "flags" if a
flag is wanted or was set.
"""


class Gold(TypedDict, total=False):
    """The solution of a task: the wanted changes, pages and answer, as JSON; so a change is a list
    of four values.

    `evidence` are pages to open: pairs of a screen and its subject, as in the journal. `steps`
    maps the name of a step to positions in the list of `changes`, `evidence` and the answer.
    """

    changes: list[list[Any]]
    evidence: list[list[str]]
    answer: dict[str, str]
    steps: dict[str, list[int]]


def score(context: ScoringContext, after: Snapshot, answer: str) -> Score:
    """Score a visit to the level-2 desk by its changes of rows, its opened pages and its answer."""
    gold = cast("Gold", context.scenario.gold)
    visit = Visit.of(gold, context.before, after, answer, airline_words(context.scenario))
    checks = tuple(_checks(visit))
    success = all(check.held for check in checks)
    failed = tuple(check.name for check in checks if not check.held)
    failure = "" if success else _failure(visit)
    return Score(
        success=success,
        success_published=success,
        progress=progress(reached(visit), success=success),
        checks=checks,
        steps=tuple(_steps(visit)),
        gold_action_recall=round(_mean(visit.done), 4) if visit.done else None,
        actions=_actions(after),
        collateral=tuple(sorted(map(_text, visit.strays))),
        failure=failure,
        missed=failed if failure == "missed detail" else (),
        skills=_skills(visit),
    )


def airline_words(scenario: Scenario) -> Mapping[str, str]:
    """Return the texts of the scenario's airline by key, {} if it names none."""
    airline = airlines().get(scenario.details.get("airline", ""))
    return airline.words if airline else {}


@dataclass(frozen=True)
class Visit:
    """The wanted and the actual changes of a visit. `undone` are changes that did not last."""

    gold: Gold
    wanted: tuple[Change, ...]
    made: frozenset[Change]
    undone: frozenset[Change]
    opened: frozenset[tuple[str, str]]
    answer: str
    words: RowWords

    @classmethod
    def of(
        cls,
        gold: Gold,
        before: Snapshot,
        after: Snapshot,
        answer: str,
        words: Mapping[str, str],
    ) -> Visit:
        """Return the visit between two worlds; `words` are the airline's texts."""
        wanted = tuple(counted(map(plain, gold.get("changes", []))))
        old, new = by_key(before), by_key(after)
        last = compared(old, new)
        undone = tried(before, after) - last
        opened = frozenset((row["screen"], row["subject"]) for row in after["log_pages"])
        return cls(gold, wanted, last, undone, opened, answer, RowWords(old, new, words))

    @cached_property
    def extra(self) -> frozenset[Change]:
        """Final changes that nobody asked for."""
        return self.made - {*self.wanted}

    @property
    def strays(self) -> list[Change]:
        """Unwanted changes, except wrong values in columns that the task wanted to change."""
        places = {change[:3] for change in self.wanted}
        return [change for change in self.extra if change[:3] not in places]

    @property
    def missing(self) -> list[list[str]]:
        """The pages, as [screen, subject], that the task needs and that were not opened."""
        return [each for each in self.gold.get("evidence", []) if not self.has_opened(each)]

    def has_opened(self, page: Sequence[str]) -> bool:
        """Return whether a page (screen, subject) was opened."""
        screen, subject = page
        return (screen, subject) in self.opened

    @property
    def likeness(self) -> float:
        """The score of the answer: 1 if right, F1 for a list, else 0; 0 until all needed pages were
        opened.
        """
        return 0.0 if self.missing else self.rightness

    @property
    def rightness(self) -> float:
        """The score of the answer (1 if right, F1 for a list, else 0), no matter which pages were
        opened.
        """
        return self.asked.likeness if self.asked else 0.0

    @cached_property
    def asked(self) -> Asked | None:
        """The question with its answer, None if the task asks for none."""
        return Asked(**self.gold["answer"], answer=self.answer) if "answer" in self.gold else None

    @property
    def done(self) -> list[float]:
        """The score, from 0 to 1, of each wanted change, each page to open, and the answer, in this
        order.
        """
        changes = [float(change in self.made) for change in self.wanted]
        evidence = [float(self.has_opened(each)) for each in self.gold.get("evidence", [])]
        return [*changes, *evidence, *([self.likeness] if self.asked else [])]


# Progress ----------------------------------------------------------------------------------------


def reached(visit: Visit) -> float:
    """Return the progress of a visit, from 0 to 1."""
    evidence = visit.gold.get("evidence", [])
    opened = 1 - len(visit.missing) / len(evidence) if evidence else None
    if visit.wanted:
        state = overlap(visit.wanted, visit.made, visit.undone)
        return state if opened is None else STATE * state + EVIDENCE * opened
    asked = visit.likeness if opened is None else (opened + visit.likeness) / 2
    return asked / (1 + len(visit.made | visit.undone))


def overlap(
    wanted: Iterable[Change], made: frozenset[Change], undone: Iterable[Change] = ()
) -> float:
    """Return the overlap of wanted and made changes, from 0 to 1.

    It is the number of changes that are both wanted and made, divided by the number that are
    wanted, made or undone.
    """
    goal = frozenset(wanted)
    return len(goal & made) / len(goal | made | {*undone})


def _mean(shares: Sequence[float]) -> float:
    return in_order(shares) / len(shares)


def _steps(visit: Visit) -> Iterator[Step]:
    done = visit.done
    for name, places in visit.gold.get("steps", {}).items():
        yield Step(name, round(_mean([done[place] for place in places]), 4))


def _failure(visit: Visit) -> str:
    """Return one of the failure classes of `evaluators.analysis.failure_modes`."""
    looked = "evidence" in visit.gold and not visit.missing
    if looked or any(visit.done[: len(visit.wanted)]):
        return "missed detail"
    return "retrieval" if visit.made or any(visit.done) else "gave up"


# Skills ------------------------------------------------------------------------------------------

AMOUNTS = ("amount", "balance")
"""The columns that hold money."""
FIGURES = ("money", "number")
"""The kinds of answers that are numbers."""


def _skills(visit: Visit) -> dict[str, float | None]:
    figured = [change for change in visit.wanted if change[2] in AMOUNTS]
    other = [change for change in visit.wanted if change[2] not in AMOUNTS]
    amounts, rows = ([float(each in visit.made) for each in group] for group in (figured, other))
    if visit.asked:
        (amounts if _is_figure(visit.asked) else rows).append(visit.rightness)
    subjects = {subject for kind, subject in map(_subject, visit.wanted) if kind == "bookings"}
    found = [visit.has_opened(("booking", each)) for each in subjects if not each.startswith(NEW)]
    looked = [visit.has_opened(each) for each in visit.gold.get("evidence", [])]
    return {
        "find": _share(found),
        "inspect": _share(looked),
        "compute": _share(amounts),
        "commit": _share(rows),
        "restrain": float(not visit.strays),
    }


def _is_figure(asked: Asked) -> bool:
    right = asked.right
    return asked.kind in FIGURES and isinstance(right, Answer) and right.value is not None


def _share(held: Sequence[float]) -> float | None:
    """Return the mean of scores, or None if the list is empty."""
    return _mean(held) if held else None


# Checks ------------------------------------------------------------------------------------------


def _checks(visit: Visit) -> Iterator[Check]:
    own = {_subject(change) for change in visit.wanted}
    extra = [change for change in visit.extra if _subject(change) in own]
    for name in GROUPS:
        wanted, unwanted = _of(name, visit.wanted), _of(name, extra)
        if name == TICKET and not wanted:
            continue
        if name == FLAGS and not wanted and not unwanted:
            continue
        yield _check(visit, name, wanted, unwanted)
    elsewhere = [each for each in visit.extra if _subject(each) not in own]
    found, _ = visit.words.sides([], elsewhere)
    yield Check("nothing else", not elsewhere, found, "no change")
    if visit.asked:
        yield visit.asked.check("answer")
    if "evidence" in visit.gold:
        yield _opened(visit.gold["evidence"], visit.missing)


def _check(visit: Visit, name: str, wanted: list[Change], extra: list[Change]) -> Check:
    """Check a group of tables; if it differs, only the differing places are shown."""
    missing = [change for change in wanted if change not in visit.made]
    places = {change[:3] for change in (*missing, *extra)}
    if not places:
        return Check(name, True, *visit.words.sides(wanted, wanted))
    made = [change for change in visit.made if change[:3] in places]
    return Check(name, False, *visit.words.sides(missing, made))


def _opened(wanted: list[list[str]], missing: list[list[str]]) -> Check:
    pages = in_words.listed(row_words.page(*each) for each in wanted)
    left = in_words.listed(row_words.page(*each) for each in missing)
    return Check("evidence", not missing, f"not opened: {left}" if missing else pages, pages)


def _of(group: str, changes: Iterable[Change]) -> list[Change]:
    return [change for change in changes if _group(change[0]) == group]


def _group(table: str) -> str:
    return next((name for name, tables in GROUPS.items() if table in tables), "booking")


_APART = ("customers", "vouchers", "flight_events", "tickets")
"""The tables whose rows have keys that do not begin with a booking's reference."""
_SAME = {"replies": "tickets"}
"""The tables whose keys begin with a key of another table, each with that table."""


def _subject(change: Change) -> tuple[str, str]:
    """Return the kind and key of the booking, customer or voucher that a change is about."""
    table, key, *_ = change
    kind = table if table in _APART else _SAME.get(table, "bookings")
    return kind, key.split("/")[0]


def _text(change: Change) -> str:
    table, key, column, value = change
    if not column:
        return f"{table} {key} {'made' if value else 'gone'}"
    return f"{table} {key} {column} {value}"


def _actions(after: Snapshot) -> int:
    """Return the number of buttons that were pressed, accepted or not."""
    return len(after["log_commits"])
