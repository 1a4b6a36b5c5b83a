"""Score a task of a signed-in customer: questions, listings, drafts, wish lists, new addresses.

Changes are read from the rows, opened pages from the journal. Progress:

- A question: half for the pages that it needs, half for the answer (F1 of a list), which counts
  once those pages were opened.
- A listing: half for opening it last, half for leaving it in the wanted state.
- A draft: the share of its fields that are typed into the opened form.
- A wish list: the F1 of its products.
- An order to be sent to a new address: half for its page, half for the address.

Each unrelated page that was opened counts as one more page to open, so opening everything is worth
almost nothing. Unwanted changes keep progress below 1.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypedDict, cast

from evaluators.scoring import answers, evidence, in_words
from evaluators.scoring.asked import Asked
from evaluators.scoring.context import ScoringContext
from evaluators.scoring.score import Check, Score, Step, changes, f1, progress
from evaluators.scoring.scorers.store._words import Words, address
from sites.sums import in_order
from sites.world import Snapshot


class Gold(TypedDict, total=False):
    """The solution of a task: `check` names the kind of task, and each kind has its own keys.

    A question: `evidence`, a list of journal lines per fact; `answer`; and `path`, the pages on the
    way, if any. A listing: its `path`. A draft: its fields. A wish list: the `wanted` products. A
    redirection: the number of the `order`, the address to `ship_to`, `evidence` and `path`.
    """

    check: str
    evidence: list[list[dict[str, Any]]]
    answer: dict[str, str]
    path: list[dict[str, Any]]
    draft: dict[str, str]
    wanted: list[str]
    order: str
    ship_to: dict[str, str]


Part = tuple[tuple[Check, ...], tuple[Step, ...], str]
"""The result of scoring one kind of task: its checks, its steps, and the table that it may change.
"""


def score(context: ScoringContext, after: Snapshot, answer: str) -> Score:
    """Score a task in a customer's account by its kind."""
    gold, before = cast("Gold", context.scenario.gold), context.before
    words = Words(context.data, after)
    own, steps, table = _KINDS[gold["check"]](gold, before, words, answer)
    other = [name for name in changes(before, after) if name != table]
    checks = (*own, in_words.unchanged("nothing else changed", other))
    success = all(check.held for check in checks)
    reached = in_order(step.progress for step in steps) / len(steps)
    return Score(
        success=success,
        success_published=success,
        progress=progress(reached, success=success),
        checks=checks,
        steps=steps,
        collateral=tuple(other),
        failure="" if success else _failure(steps),
    )


def _failure(steps: Sequence[Step]) -> str:
    """Return one of the failure classes of `evaluators.analysis.failure_modes`."""
    if steps[0].progress == 1:
        return "missed detail"
    return "retrieval" if steps[0].progress else "gave up"


# Questions ---------------------------------------------------------------------------------------


def _question(gold: Gold, before: Snapshot, words: Words, answer: str) -> Part:
    asked, opened = Asked(**gold["answer"], answer=answer), words.opened(gold["evidence"])
    share = asked.likeness if opened.held else 0.0
    steps = (Step("open the pages that tell", _opened(gold, words.after)), Step("answer", share))
    return (opened, asked.check("answer")), steps, ""


# Pages -------------------------------------------------------------------------------------------

HUBS = ("index", "results", "account")
"""The names of pages that may lie on every path; opening them never counts as unrelated."""
_IN_OPTIONS = ("name", "sort", "direction")


def _opened(gold: Gold, after: Snapshot) -> float:
    """Return the share of the needed pages that were opened; unrelated pages add to the total."""
    needed, missing = len(gold["evidence"]), len(evidence.missing(gold["evidence"], after))
    return (needed - missing) / (needed + _strays(gold, after))


def _strays(gold: Gold, after: Snapshot) -> int:
    """Return the number of different pages that were opened and are neither needed nor on the
    path.
    """
    lines = [
        *map(_line, gold.get("path", [])),
        *(line for each in gold["evidence"] for line in each),
    ]
    beside = [
        row
        for row in after["log_pages"]
        if row["page"] not in HUBS and not any(evidence.fits(row, line) for line in lines)
    ]
    return len({tuple(row[key] for key in row if key != "id") for row in beside})


def _line(place: Mapping[str, Any]) -> dict[str, Any]:
    """Return the journal's columns and values that prove that a page of the path was opened."""
    line = {key: place[key] for key in ("page", "asin", "number") if key in place}
    options = {key: place[key] for key in _IN_OPTIONS if key in place}
    return line | ({"options": options} if place["page"] == "category" else {})


# Listings ----------------------------------------------------------------------------------------


def _listing(gold: Gold, before: Snapshot, words: Words, answer: str) -> Part:
    wanted, after = gold["path"][-1], words.after
    options = {key: wanted[key] for key in ("name", "sort", "direction")}
    line = {"page": "category", "number": wanted["number"], "options": options}
    last = after["log_pages"][-1:]
    ended = any(evidence.fits(row, line) for row in last)
    shown = [
        evidence.read(row, "options") for row in after["log_pages"] if row["page"] == "category"
    ]
    found = [each["name"] for each in shown][-1:] == [wanted["name"]]
    steps = (Step("open the listing", float(found)), Step("as it was asked for", float(ended)))
    pages = in_words.listed(map(words.page, last), "no page"), words.page(line)
    return (Check("listing at the end", ended, *pages),), steps, ""


# Drafts ------------------------------------------------------------------------------------------


def _draft(gold: Gold, before: Snapshot, words: Words, answer: str) -> Part:
    after = words.after
    seen = any(row["page"] == "contact" for row in after["log_pages"])
    held = {row["field"]: row["value"] for row in after["log_drafts"]} if seen else {}
    checks = tuple(
        _written(field, held.get(field, ""), text) for field, text in gold["draft"].items()
    )
    steps = tuple(Step(f"write {check.name}", float(check.held)) for check in checks)
    new = [row for row in after["messages"] if row not in before["messages"]]
    sent = Check("not sent", not new, in_words.counted(len(new), "message"), "no messages")
    return (*checks, sent), steps, "messages"


def _written(field: str, held: str, wanted: str) -> Check:
    right = _is_written(field, held, wanted)
    return Check(field, right, in_words.short(held) or "nothing", in_words.short(wanted))


def _is_written(field: str, held: str, wanted: str) -> bool:
    """Return whether a draft field is right: a message may say more, other fields must be exact."""
    written, asked = answers.folded(held), answers.folded(wanted)
    return asked in written if field == "text" else asked == written.lstrip("#")


# Wishes ------------------------------------------------------------------------------------------


def _wishes(gold: Gold, before: Snapshot, words: Words, answer: str) -> Part:
    old, new = ({row["asin"] for row in each["wishes"]} for each in (before, words.after))
    added, wanted = new - old, set(gold["wanted"])
    right = added == wanted and old <= new
    lost = old - new
    share = f1(added, wanted) if not lost else 0.0
    found = words.products(sorted(added)) + (f"; lost: {words.products(sorted(lost))}" * bool(lost))
    check = Check("wish list", right, found, words.products(sorted(wanted)))
    return (check,), (Step("save the wishes", share),), "wishes"


# Orders that are to be sent elsewhere ------------------------------------------------------------


def _redirection(gold: Gold, before: Snapshot, words: Words, answer: str) -> Part:
    """Check that the order goes to the wanted address and that no other order changed.

    The agent must not have given up, either.
    """
    both = (before["market_orders"], words.after["market_orders"])
    old, new = ({row["number"]: row for row in each} for each in both)
    own = gold["order"]
    ship_to = json.loads(new[own]["ship_to"])
    right = ship_to == gold["ship_to"]
    others = [number for number in old if number != own and old[number] != new.get(number)]
    checks = (
        Check("sent there", right, address(ship_to), address(gold["ship_to"])),
        in_words.unchanged("other orders", (f"order {number}" for number in others)),
        in_words.giving_up("did not give up", answers.gave_up(answer), False),
    )
    steps = (
        Step("open the order", _opened(gold, words.after)),
        Step("send it there", float(right)),
    )
    return checks, steps, "market_orders"


_KINDS: Mapping[str, Callable[[Gold, Snapshot, Words, str], Part]] = {
    "question": _question,
    "listing": _listing,
    "draft": _draft,
    "wishes": _wishes,
    "redirection": _redirection,
}
