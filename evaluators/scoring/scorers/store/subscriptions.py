"""Score changes of subscriptions: exactly the wanted ones, or a justified refusal.

A subscription may be canceled or get another interval. If that is impossible, the agent must say so
after it has looked. Progress: 0.4 for the deciding pages that were opened; 0.4 for the F1 of the
changes, as far as those pages were opened; 0.2 for having made exactly those. Skills are read from
the journal and rows.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from evaluators.scoring import answers, evidence, in_words
from evaluators.scoring.context import ScoringContext
from evaluators.scoring.score import Check, Score, changes, f1
from evaluators.scoring.scorers.store._progress import decided, steps
from evaluators.scoring.scorers.store._words import Words
from sites.world import Snapshot

OWN_TABLE = "subscriptions"
CANCELED = 0
Gold = Mapping[str, Any]
Changes = Mapping[int, int]
"""Months from one delivery to the next after the change, by the subscription's id; 0 is
canceled.
"""


def score(context: ScoringContext, after: Snapshot, answer: str) -> Score:
    """Score the changed subscriptions, or the answer that nothing can be changed."""
    gold, before = context.scenario.gold, context.before
    changed = _changed(before, after)
    wanted = {int(number): months for number, months in gold["rows"].items()}
    other = [table for table in changes(before, after) if table != OWN_TABLE]
    gave_up = answers.gave_up(answer)
    words = Words(context.data, after)
    checks = tuple(_checks(gold, words, wanted, changed, other, gave_up))
    seen = evidence.share_seen(gold["decides"], after)
    right = _right(gold, wanted, changed, gave_up)
    taken = steps(seen, right, done=not other and right == 1)
    return decided(
        checks,
        taken,
        collateral=other,
        failure="missed detail" if changed else "gave up",
        missed=_missed(wanted, changed) if changed else (),
        skills={
            "find": None,
            "inspect": seen,
            "compute": f1(wanted.items(), changed.items()) if gold["possible"] else None,
            "commit": right,
            "restrain": float(not other and changed.keys() <= wanted.keys()),
        },
    )


def _changed(before: Snapshot, after: Snapshot) -> dict[int, int]:
    old = {row["id"]: row["months"] for row in before[OWN_TABLE]}
    return {
        row["id"]: row["months"] for row in after[OWN_TABLE] if old.get(row["id"]) != row["months"]
    }


def _checks(
    gold: Gold, words: Words, wanted: Changes, changed: Changes, other: list[str], gave_up: bool
) -> Iterator[Check]:
    yield in_words.unchanged("nothing else changed", other)
    if not gold["possible"]:
        found = _named(words, changed)
        yield Check("nothing changed", not changed, found, "nothing")
        yield in_words.giving_up("said so", gave_up, True)
        yield words.opened(gold["decides"])
        return
    yield in_words.giving_up("did not give up", gave_up, False)
    for months, name in _KINDS.items():
        own, right = (_of(each, months) for each in (changed, wanted))
        yield Check(name, own == right, _named(words, own), _named(words, right))


def _named(words: Words, subscriptions: Collection[int]) -> str:
    """Return the products of subscriptions, by their ids."""
    rows = words.after[OWN_TABLE]
    return words.products(row["asin"] for row in rows if row["id"] in subscriptions)


_KINDS = {CANCELED: "canceled", 2: "every two months", 1: "every month"}
"""The name of the check for each new interval in months."""


def _of(changes: Changes, months: int) -> set[int]:
    return {at for at, own in changes.items() if own == months}


def _right(gold: Gold, wanted: Changes, changed: Changes, gave_up: bool) -> float:
    if gave_up == gold["possible"]:
        return 0.0
    return f1(wanted.items(), changed.items()) if gold["possible"] else float(not changed)


def _missed(wanted: Changes, changed: Changes) -> Iterator[str]:
    if wanted.keys() - changed.keys():
        yield "left out"
    if changed.keys() - wanted.keys():
        yield "unasked"
    if any(changed.get(at, months) != months for at, months in wanted.items()):
        yield "otherwise"
