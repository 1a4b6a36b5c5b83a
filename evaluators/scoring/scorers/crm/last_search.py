"""Score a flight search at the level-2 desk: the last accepted search, if its results were opened.

Every field must have the right value, a page of the results must have been opened after the search,
and nothing may have changed. Progress: three quarters for the share of right fields in the last
search, a quarter for the page, divided by 1 plus the number of changes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from evaluators.scoring import in_words
from evaluators.scoring.context import ScoringContext
from evaluators.scoring.score import Check, Score, Step, progress
from evaluators.scoring.scorers.crm.row_words import RowWords
from sites.crm.base.row_changes import by_key
from sites.crm.base.row_names import compared
from sites.world import Row, Snapshot

FIELDS, PAGE = 0.75, 0.25
GROUPS: Mapping[str, tuple[str, ...]] = {
    "route": ("origin", "destination"),
    "dates": ("departure", "returning"),
    "travellers": ("adults", "children", "infants"),
}
"""The fields of a search that each check compares, by the name of the check."""


@dataclass(frozen=True)
class Found:
    """The last search of a visit ({} for none), and whether its results were opened (`looked`)."""

    search: Mapping[str, Any]
    looked: bool


def score(context: ScoringContext, after: Snapshot, answer: str) -> Score:
    """Score the last accepted flight search of a visit to the level-2 desk."""
    wanted: Mapping[str, Any] = context.scenario.gold["search"]
    found, rows = _last(after), RowWords(by_key(context.before), by_key(after), {})
    changed = compared(rows.old, rows.new)
    checks = (
        *_checks(wanted, found),
        Check("nothing else", not changed, rows.sides([], changed)[0], "no change"),
    )
    success = all(check.held for check in checks)
    right = _share(wanted, found.search) if found.search else 0.0
    reached = (FIELDS * right + PAGE * found.looked) / (1 + len(changed))
    return Score(
        success=success,
        success_published=success,
        progress=progress(reached, success=success),
        checks=checks,
        steps=(Step("find flight", round(right, 4)),),
        gold_action_recall=round(right, 4),
        collateral=tuple(sorted(f"{table} {key}" for table, key, *_ in changed)),
        failure="" if success else "missed detail" if found.search else "gave up",
        missed=tuple(each.name for each in checks if not each.held) if found.search else (),
    )


def _last(after: Snapshot) -> Found:
    """Return the last accepted search, and whether a page of its results was opened afterwards."""
    searches = [
        row
        for row in after["log_commits"]
        if row["control"] == "search-flights" and row["recorded"] is not None
    ]
    if not searches:
        return Found({}, looked=False)
    last = max(searches, key=lambda row: int(row["id"]))
    number = json.loads(last["recorded"])["trip"]
    trip = next(row for row in after["log_trips"] if row["number"] == number)
    search = json.loads(trip["search"])
    return Found(search, any(_is_of(page, search, last) for page in after["log_pages"]))


def _is_of(page: Row, search: Mapping[str, Any], last: Row) -> bool:
    """Return whether a page shows results of this search and was opened after it."""
    route = f"{search['origin']}-{search['destination']} {search['departure']} "
    is_results = page["screen"] == "results" and str(page["subject"]).startswith(route)
    return is_results and int(page["id"]) > int(last["id"])


def _checks(wanted: Mapping[str, Any], found: Found) -> Iterator[Check]:
    for name, fields in GROUPS.items():
        own, right = (
            {field: each.get(field) for field in fields} for each in (found.search, wanted)
        )
        shown = _shown(own) if found.search else "no search"
        yield Check(name, own == right, shown, _shown(right))
    looked = "opened" if found.looked else "not opened"
    yield Check("results", found.looked, looked, "opened")


def _shown(values: Mapping[str, Any]) -> str:
    """Return fields of a search in words."""
    texts = (f"{field} {'none' if value is None else value}" for field, value in values.items())
    return in_words.days(", ".join(texts))


def _share(wanted: Mapping[str, Any], search: Mapping[str, Any]) -> float:
    fields = [field for group in GROUPS.values() for field in group]
    return sum(bool(search[field] == wanted[field]) for field in fields) / len(fields)
