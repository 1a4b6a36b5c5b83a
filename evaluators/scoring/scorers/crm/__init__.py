"""Score a visit to the airline's desk: the wanted change or search was made, and nothing else.

The rows of the bookings decide about success; for a search, the last search and the final screen
decide. Progress follows the scenario's plan of steps (`plan_progress`) and stays below 1 without
success; each booking that nobody asked for counts like a further step that was not done.

A family's `SCORING` names another module of this package that scores it (level 2: `row_overlap`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypedDict, cast

import evaluators.scoring.scorers.crm
from agent import plugins
from evaluators.scoring import in_words
from evaluators.scoring.context import ScoringContext
from evaluators.scoring.score import MOST, Check, Score, Step, changes
from evaluators.scoring.scorers.crm import journal
from evaluators.scoring.scorers.crm.journal import Commit, Journal
from evaluators.scoring.scorers.crm.plan_progress import Goal, recall, steps
from sites.crm import CrmData
from sites.crm.base import address
from sites.crm.base.address import Place
from sites.sums import in_order
from sites.world import Row, Snapshot

_PASSENGER = ("title", "first_name", "last_name", "gender", "born")
_DETAILS = ("title", "first-name", "last-name", "gender", "dob")
_FLIGHTS = ("outward_flight", "outward_date", "return_flight", "return_date", "price")
_FOLDED = ("first_name", "last_name")
_FINAL = ("confirm-cancel", "save-changes")
"""The names of the buttons that change a booking."""


class CrmGold(TypedDict):
    """The solution of a task: its kind, its booking, the columns that the booking should get, and
    the plan of steps.
    """

    type: str
    reference: str
    booking: dict[str, Any]
    plan: list[dict[str, Any]]


def score(context: ScoringContext, after: Snapshot, answer: str) -> Score:
    """Score a visit to the published desk (level 1), or with the module that the family names."""
    if context.family.SCORING:
        return _by_file(context, after, answer)
    gold, data = cast("CrmGold", context.scenario.gold), context.data
    done, goals = journal.read(after, data), _goals(gold, data)
    old, new = _by_reference(context.before), _by_reference(after)
    own = _own(gold, old, new)
    collateral = (
        *_elsewhere(own, old, new),
        *(table for table in changes(context.before, after) if table != "bookings"),
        *_meddling(own, old, done),
    )
    checks = (
        *_CHECKS[gold["type"]](gold, _Seen(old, new, done, goals)),
        in_words.unchanged("nothing else changed", collateral),
    )
    success = all(check.held for check in checks)
    scores = [1.0] * len(goals) if success else steps(goals, done.deeds)
    return Score(
        success=success,
        success_published=success,
        progress=1.0 if success else round(_progress(scores, _unasked(gold, old, new)), 4),
        checks=checks,
        steps=tuple(
            Step(goal.name, round(score, 4)) for goal, score in zip(goals, scores, strict=True)
        ),
        gold_action_recall=round(recall(goals, done.deeds), 4),
        actions=done.actions,
        collateral=collateral,
    )


def _by_file(context: ScoringContext, after: Snapshot, answer: str) -> Score:
    """Return the score by the module of this package that the family's `SCORING` names."""
    name = context.family.SCORING
    scorer = plugins.load("scorer of the desk", evaluators.scoring.scorers.crm, name)
    scored: Score = scorer.score(context, after, answer)
    return scored


@dataclass(frozen=True)
class _Seen:
    """The input of the checks: bookings by reference before and after, the journal, the goals."""

    old: Mapping[str, Row]
    new: Mapping[str, Row]
    journal: Journal
    goals: tuple[Goal, ...]


def _goals(gold: CrmGold, data: CrmData) -> tuple[Goal, ...]:
    return tuple(_goal(step, data) for step in gold["plan"])


def _goal(step: Mapping[str, Any], data: CrmData) -> Goal:
    place = address.read(step["at"].replace("*", "1"))
    assert place is not None, step["at"]
    fields = {
        field: journal.normal(place, field, value, data) for field, value in step["fields"].items()
    }
    return Goal(step["name"], place.screen, journal.reference(place), step["control"], fields)


def _by_reference(snapshot: Snapshot) -> dict[str, Row]:
    return {row["reference"]: row for row in snapshot["bookings"]}


# Unwanted changes --------------------------------------------------------------------------------


def _progress(scores: list[float], unasked: int) -> float:
    """Return the progress without success: the mean of the steps' scores, divided by 1 plus the
    number of unwanted bookings.
    """
    return min(MOST, in_order(scores) / len(scores)) / (1 + unasked)


def _unasked(gold: CrmGold, old: Mapping[str, Row], new: Mapping[str, Row]) -> int:
    """Return the number of new bookings that nobody asked for."""
    asked = gold["type"] == "book flight"
    return max(0, sum(1 for _ in _made(old, new)) - asked)


def _elsewhere(own: str, old: Mapping[str, Row], new: Mapping[str, Row]) -> Iterator[str]:
    """Yield the bookings, other than the task's own, that were made, removed or changed."""
    for reference in sorted(old.keys() | new.keys()):
        was, now = old.get(reference), new.get(reference)
        if reference != own and was != now:
            yield f"booking {reference} {_how(was, now)}"


def _own(gold: CrmGold, old: Mapping[str, Row], new: Mapping[str, Row]) -> str:
    """Return the reference of the booking that the task may make or change, or "" if it may change
    none.
    """
    if gold["type"] == "book flight":
        return next(_made(old, new), "")
    return gold["reference"] if "find" not in gold["type"] else ""


def _how(old: Row | None, new: Row | None) -> str:
    if old is None:
        return "made"
    if new is None:
        return "gone"
    return "cancelled" if old["status"] != new["status"] else "changed"


def _meddling(own: str, old: Mapping[str, Row], done: Journal) -> Iterator[str]:
    """Yield the changes that the visit ever made to bookings other than `own`, even if they were
    undone.
    """
    rows = {reference: dict(row) for reference, row in old.items()}
    for commit in done.commits:
        reference = commit.reference
        if commit.control not in _FINAL or reference == own:
            continue
        row, saved = rows.setdefault(reference, {}), _saved(commit)
        if any(_plain(column, row.get(column)) != value for column, value in saved.items()):
            yield f"{commit.control} on {reference}"
        row |= saved


def _saved(commit: Commit) -> dict[str, str | None]:
    """Return the values that an accepted press of a button wrote into its booking's columns, in
    normal form.
    """
    if commit.control == "confirm-cancel":
        return {"status": "cancelled"}
    if commit.screen == "modify":
        return dict(zip(_PASSENGER, (commit.values[each] for each in _DETAILS), strict=True))
    legs = [commit.values[group].split() for group in ("outward", "return")]
    parts = [each for leg in legs for each in (leg or (None, None))]
    return dict(zip(_FLIGHTS, parts, strict=False))


def _made(old: Mapping[str, Row], new: Mapping[str, Row]) -> Iterator[str]:
    """Return an iterator over the references of the new bookings, in order of creation."""
    return (reference for reference in new if reference not in old)


# The checks of each kind of task -----------------------------------------------------------------


def _searched(gold: CrmGold, seen: _Seen) -> Iterator[Check]:
    """Check that the last search is the wanted one and that its results are still shown."""
    [goal] = seen.goals
    last = next((each for each in reversed(seen.journal.commits) if goal.presses(each)), None)
    held = last is not None and goal.share(last.values) == 1 and _one_way(goal, last)
    shown = seen.journal.shown
    fields = [*goal.fields, *([] if "return" in goal.fields else ["return"])]
    made = _fields(fields, last.values if last else None)
    yield Check("last search", held, made, _fields(fields, goal.fields))
    is_shown, screen = last is not None and shown == _found(last), shown and _screen(shown)
    results = "the results of the search"
    yield Check("shown at the end", is_shown, results if is_shown else screen or "nothing", results)


def _fields(names: Sequence[str], values: Mapping[str, str] | None) -> str:
    """Return the values of a screen's fields in words, without empty ones."""
    if values is None:
        return "not done"
    texts = (f"{name.replace('-', ' ')} {values[name]}" for name in names if values.get(name))
    return in_words.days(", ".join(texts))


def _screen(place: Place) -> str:
    return in_words.days(f"the page {place.screen.replace('-', ' ')} {place.subject}".strip())


def _one_way(goal: Goal, last: Commit) -> bool:
    """Return whether a search has a return trip only if the task asks for it."""
    return "return" in goal.fields or not last.values.get("return")


def _found(search: Commit) -> Place:
    """Return the screen that shows the results of a search."""
    if search.control == "search-booking":
        return Place("booking", search.values["booking-reference"])
    return Place("results", search.values["journey"])


def _booked(gold: CrmGold, seen: _Seen) -> Iterator[Check]:
    made = [seen.new[reference] for reference in _made(seen.old, seen.new)]
    counted = in_words.counted(len(made), "new booking")
    named = in_words.listed((row["reference"] for row in made), "")
    found = f"{counted}: {named}" if made else counted
    yield Check("one booking", len(made) == 1, found, "1 new booking")
    row = made[0] if made else {}
    yield _columns("flights", gold, row, _FLIGHTS)
    yield _columns("passenger", gold, row, _PASSENGER)
    yield _paid(gold, seen, row)


def _paid(gold: CrmGold, seen: _Seen, row: Row) -> Check:
    """Check the payment: the last four digits in the booking, the rest in the accepted form."""
    [goal] = [each for each in seen.goals if each.control == "book-flight"]
    reference = row.get("reference")
    paid = [
        each
        for each in seen.journal.commits
        if goal.presses(each) and each.values.get("reference") == reference
    ]
    right = any(goal.share(each.values) == 1 for each in paid)
    held = right and row.get("card") == gold["booking"]["card"]
    values = paid[-1].values if paid else None
    return Check(
        "payment", held, _fields([*goal.fields], values), _fields([*goal.fields], goal.fields)
    )


def _cancelled(gold: CrmGold, seen: _Seen) -> Iterator[Check]:
    old, new = seen.old[gold["reference"]], seen.new.get(gold["reference"], {})
    status = str(new.get("status", "gone"))
    yield Check("booking cancelled", status == "cancelled", status, "cancelled")
    yield _rest(old, new, ("status",))


def _changed(name: str, gold: CrmGold, seen: _Seen) -> Iterator[Check]:
    """Check that the wanted columns of the booking changed, and no others."""
    old, new = seen.old[gold["reference"]], seen.new.get(gold["reference"], {})
    wanted = tuple(gold["booking"])
    yield _columns(name, gold, new, wanted)
    yield _rest(old, new, wanted)


def _columns(name: str, gold: CrmGold, row: Row, columns: tuple[str, ...]) -> Check:
    wanted = gold["booking"]
    right = all(
        _plain(column, row.get(column)) == _plain(column, wanted[column]) for column in columns
    )
    found = _written(row, columns) if row else "no booking"
    return Check(name, bool(row) and right, found, _written(wanted, columns))


def _rest(old: Row, new: Row, changed: tuple[str, ...]) -> Check:
    altered = [column for column in old if column not in changed and old[column] != new.get(column)]
    shown = tuple(altered or (column for column in old if column not in changed))
    found = _written(new, shown) if new else "no booking"
    return Check("rest of the booking", not altered, found, _written(old, shown))


def _written(row: Mapping[str, Any], columns: Sequence[str]) -> str:
    """Return columns of a booking in words: "TW8533 on 7 June 2026 for $1,006"."""
    held = [column for column in columns if row.get(column) is not None]
    texts = (_LEAD.get(column, ", {}").format(_text(column, row[column])) for column in held)
    return "".join(texts).lstrip(" ,") or "none"


def _text(column: str, value: Any) -> str:
    return in_words.money(value) if column == "price" else in_words.days(str(value))


_LEAD: Mapping[str, str] = {
    "last_name": " {}",
    "first_name": " {}",
    "outward_date": " on {}",
    "return_flight": ", back {}",
    "return_date": " on {}",
    "price": " for {}",
    "born": ", born {}",
    "card": ", card ending in {}",
}
"""How columns of a booking are written; the others stand behind a comma."""


def _plain(column: str, value: Any) -> Any:
    return value.casefold() if column in _FOLDED and isinstance(value, str) else value


_CHECKS: Mapping[str, Callable[[CrmGold, _Seen], Iterator[Check]]] = {
    "find flight": _searched,
    "book flight": _booked,
    "find booking": _searched,
    "cancel flight": _cancelled,
    "update passenger details": partial(_changed, "passenger"),
    "update flights": partial(_changed, "flights"),
}
