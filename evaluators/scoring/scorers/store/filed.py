"""Score returns or a claim filed with the shop, row by row, or a justified refusal to file.

Each wanted row in the solution's `rows` is identified by its key; for each other column it lists
the accepted values. If nothing can be filed, the agent must say so after it has looked. Progress:
0.4 for the deciding pages that were opened; 0.4 for the F1 of rows and their columns, as far as
those pages were opened; 0.2 for having filed exactly that. Skills are read from the journal and
rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from evaluators.scoring import answers, evidence, in_words
from evaluators.scoring.context import ScoringContext
from evaluators.scoring.score import Check, Score, changes, f1
from evaluators.scoring.scorers.store._progress import decided, steps
from evaluators.scoring.scorers.store._words import Words
from sites.world import Row, Snapshot

UNWANTED = "row that was not wanted"
Gold = Mapping[str, Any]


@dataclass(frozen=True)
class Kind:
    """A kind of form to file (returns or a claim): the tables (the first holds the rows), the key
    columns, the scored columns.
    """

    tables: tuple[str, ...]
    key: tuple[str, ...]
    parts: tuple[str, ...]


KINDS = {
    "returns": Kind(
        ("returns",), ("order_number", "asin"), ("condition", "reason", "method", "refund")
    ),
    "claim": Kind(("claim_rows", "claims"), ("order_number", "reason"), ("cents",)),
}


@dataclass(frozen=True)
class Filed:
    """The rows that a task wants filed and the rows that were filed; of a claim, only what was
    sent.
    """

    kind: Kind
    wanted: Sequence[Row]
    rows: Sequence[Row]

    @cached_property
    def pairs(self) -> Sequence[tuple[Row, Row]]:
        """Each wanted row that was filed, with the first filed row that matches it."""
        found = ((each, self._of(each)) for each in self.wanted)
        return [(wanted, own) for wanted, own in found if own is not None]

    def _of(self, wanted: Row) -> Row | None:
        return next((row for row in self.rows if self.key(row) == self.key(wanted)), None)

    def key(self, row: Row) -> tuple[str, ...]:
        """Return the values of a row's key columns."""
        return tuple(row[name] for name in self.kind.key)

    def wrong(self, part: str) -> list[tuple[Row, Row]]:
        """Return the pairs whose filed value of a column differs from the wanted ones."""
        return [(wanted, own) for wanted, own in self.pairs if own[part] not in wanted[part]]

    @property
    def missing(self) -> list[tuple[str, ...]]:
        """The keys of wanted rows that were not filed."""
        there = {self.key(wanted) for wanted, _ in self.pairs}
        return [key for key in map(self.key, self.wanted) if key not in there]

    @property
    def unwanted(self) -> list[tuple[str, ...]]:
        """The filed rows that nobody asked for, or that were filed twice."""
        found = [own for _, own in self.pairs]
        return [self.key(row) for row in self.rows if row not in found]

    def likeness(self) -> float:
        """Return the F1 between the wanted and the filed rows, with their columns, from 0 to 1."""
        return f1(self._wanted_parts(), self._parts())

    def _wanted_parts(self) -> Iterator[str]:
        for each in self.wanted:
            yield f"{self.key(each)}"
            yield from (f"{part} of {self.key(each)}" for part in self.kind.parts)

    def _parts(self) -> Iterator[str]:
        for wanted, own in self.pairs:
            yield f"{self.key(own)}"
            for part in self.kind.parts:
                right = own[part] in wanted[part]
                yield f"{part} of {self.key(own)}" if right else f"other {part}"
        yield from (UNWANTED for _ in self.unwanted)


def score(context: ScoringContext, after: Snapshot, answer: str) -> Score:
    """Score filed returns or a filed claim."""
    gold, before = context.scenario.gold, context.before
    kind = KINDS[gold["check"]]
    every = [row for row in after[kind.tables[0]] if row not in before[kind.tables[0]]]
    filed = Filed(kind, gold["rows"], [row for row in every if row.get("claim", 0) is not None])
    other = [table for table in changes(before, after) if table not in kind.tables]
    gave_up = answers.gave_up(answer)
    words = Words(context.data, after)
    checks = tuple(_checks(gold, words, filed, len(every), other, gave_up))
    seen = evidence.share_seen(gold["decides"], after)
    right = filed.likeness() if gold["possible"] else float(gave_up and not every)
    taken = steps(seen, right, done=not other and right == 1)
    return decided(
        checks,
        taken,
        collateral=other,
        failure=_failure(gold, after, filed),
        missed=_missed(filed) if every else (),
        skills={
            "find": _found(gold, after),
            "inspect": seen,
            "compute": _chosen(filed) if gold["possible"] else None,
            "commit": right,
            "restrain": float(not other and not filed.unwanted),
        },
    )


def _checks(
    gold: Gold, words: Words, filed: Filed, written: int, other: Sequence[str], gave_up: bool
) -> Iterator[Check]:
    yield in_words.unchanged("nothing else changed", other)
    if not gold["possible"]:
        found = in_words.counted(written, "row")
        yield Check("nothing filed", not written, found, in_words.counted(0, "row"))
        yield in_words.giving_up("said so", gave_up, True)
        yield words.opened(gold["decides"])
        return
    yield in_words.giving_up("did not give up", gave_up, False)
    rows = (
        in_words.listed(sorted(_key(words, filed.key(row)) for row in each))
        for each in (filed.rows, filed.wanted)
    )
    yield Check("rows", not filed.missing and not filed.unwanted, *rows)
    if gold["check"] == "claim":
        claims, left = len(words.after["claims"]), written - len(filed.rows)
        yield Check("one claim", claims == 1, in_words.counted(claims, "claim"), "1 claim")
        unsent = f"{in_words.counted(left, 'row')} not sent"
        yield Check("all sent", not left, unsent, "no rows not sent")
    if filed.rows:
        yield from (_part(words, filed, part) for part in filed.kind.parts)


def _part(words: Words, filed: Filed, part: str) -> Check:
    """Check a column of the filed rows; of wrong rows, only these are shown."""
    wrong = filed.wrong(part)
    found, wanted = list[str](), list[str]()
    for right, own in wrong or filed.pairs:
        named = _key(words, filed.key(own))
        found.append(f"{_value(part, own[part])} for {named}")
        accepted = " or ".join(_value(part, each) for each in right[part])
        wanted.append(f"{accepted} for {named}")
    return Check(part, not wrong, in_words.listed(found), in_words.listed(wanted))


def _key(words: Words, key: tuple[str, ...]) -> str:
    """Return an order with its product, or with the reason of its claim."""
    number, what = key
    asins = {row["asin"] for row in words.after["market_lines"]}
    return f"{words.product(what) if what in asins else what} in order {number}"


def _value(part: str, value: Any) -> str:
    return in_words.cents(value) if part == "cents" else str(value)


def _missed(filed: Filed) -> Iterator[str]:
    if filed.missing or filed.unwanted:
        yield "rows"
    yield from (part for part in filed.kind.parts if filed.wrong(part))


def _chosen(filed: Filed) -> float:
    """Return the F1 between the wanted and the filed rows, with amounts as their only columns."""
    amounts = tuple(part for part in filed.kind.parts if part == "cents")
    return replace(filed, kind=replace(filed.kind, parts=amounts)).likeness()


def _found(gold: Gold, after: Snapshot) -> float | None:
    """Return the share of the wanted rows whose orders were opened, or None without rows."""
    numbers = {int(row["order_number"]) for row in gold["rows"]}
    opened = {row["number"] for row in after["log_pages"] if row["page"] == "order"}
    return len(numbers & opened) / len(numbers) if numbers else None


def _failure(gold: Gold, after: Snapshot, filed: Filed) -> str:
    """Return one of the failure classes of `evaluators.analysis.failure_modes`."""
    if filed.rows:
        return "missed detail"
    return "gave up" if _found(gold, after) == 1 else "retrieval"
