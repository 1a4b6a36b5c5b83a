"""Score cheapest_in_list: the right product was bought in the wanted form, and nothing else.

Progress has three steps of one third: the right product was opened last; its wanted form was
chosen; it was bought and nothing else.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TypedDict, cast

from evaluators.scoring import in_words
from evaluators.scoring.context import ScoringContext
from evaluators.scoring.score import Check, Score, Step, changes
from evaluators.scoring.scorers.store._progress import failure
from evaluators.scoring.scorers.store._words import Words, options
from sites.world import Row, Snapshot


class CheapestGold(TypedDict):
    """The solution: the cheapest product that fits, with its number, its price, and the options to
    choose.
    """

    asin: str
    price: float
    options: dict[str, str]


def score(context: ScoringContext, after: Snapshot, answer: str) -> Score:
    """Score a purchase of the cheapest product that fits."""
    gold, before = cast("CheapestGold", context.scenario.gold), context.before
    bought = [row for row in after["purchases"] if row not in before["purchases"]]
    other = [table for table in changes(before, after) if table != "purchases"]
    checks = tuple(_checks(gold, Words(context.data, after), bought, other))
    success = all(check.held for check in checks)
    opened, chosen = _journal(gold, after)
    steps = (
        Step("open the cheapest that fits", float(opened)),
        Step("choose its form", float(chosen)),
        Step("buy it and nothing else", float(success)),
    )
    progress = 1.0 if success else round(min(2, opened + chosen) / 3, 4)
    return Score(
        success=success,
        success_published=success,
        progress=progress,
        checks=checks,
        steps=steps,
        collateral=tuple([f"purchase {row['id']}" for row in bought[1:]] + other),
        failure="" if success else failure(bought, [gold["asin"]], after),
        missed=() if success or not bought else tuple(_missed(gold, bought[0])),
    )


def _checks(
    gold: CheapestGold, words: Words, bought: list[Row], other: list[str]
) -> Iterator[Check]:
    yield words.purchases(bought)
    yield in_words.unchanged("nothing else changed", other)
    if bought:
        missed, own = list(_missed(gold, bought[0])), bought[0]
        prices = (
            f"{words.product(each['asin'])} for {in_words.money(float(each['price']))}"
            for each in (own, cast("Row", gold))
        )
        yield Check("cheapest", own["asin"] == gold["asin"], *prices)
        chosen = options(own), in_words.options(gold["options"])
        yield Check("options", not set(missed) & set(gold["options"]), *chosen)


def _missed(gold: CheapestGold, purchase: Row) -> Iterator[str]:
    """Yield the options that were not chosen as wanted, and "price" if it could be lower."""
    chosen = _chosen(purchase)
    yield from (kind for kind, value in gold["options"].items() if chosen.get(kind) != value)
    if purchase["price"] > gold["price"]:
        yield "price"


def _chosen(row: Row) -> dict[str, str]:
    return dict(json.loads(row["options"]))


def _journal(gold: CheapestGold, after: Snapshot) -> tuple[bool, bool]:
    """Return whether the right product was opened last, and whether its form was chosen."""
    items = [row for row in after["log_pages"] if row["page"] == "item"]
    if not items or items[-1]["asin"] != gold["asin"]:
        return False, False
    return True, gold["options"].items() <= _chosen(items[-1]).items()
