"""Score a purchase at the market: the product that the instruction wants, or a justified refusal to
buy.

If no product fits, the agent must say so after it has looked. Progress: 0.4 for the deciding pages
that were opened; 0.4 for the right purchase (half of it for its options), as far as those pages
were opened; 0.2 for having bought it with nothing else changed. Skills are read from the journal
(the log of the visit) and rows. If something fits, a purchase has WebShop's reward, by labels.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from evaluators.scoring import answers, evidence, in_words
from evaluators.scoring.context import ScoringContext
from evaluators.scoring.score import Check, Score, changes
from evaluators.scoring.scorers.store import _labels
from evaluators.scoring.scorers.store._progress import decided, failure, steps
from evaluators.scoring.scorers.store._words import Words, options
from sites.world import Row, Snapshot

TILLS = {"store": "purchases", "outlet": "outlet_purchases"}
"""The name of the table of purchases, by shop."""
ITEM_PAGES = {"store": "item", "outlet": "outlet item"}
"""The name of an item page in the journal (the log of a visit), by shop."""
Gold = Mapping[str, Any]


def score(context: ScoringContext, after: Snapshot, answer: str) -> Score:
    """Score a purchase at the market, or the answer that nothing fits."""
    gold, before = context.scenario.gold, context.before
    till = TILLS[gold.get("shop", "store")]
    bought = [row for row in after[till] if row not in before[till]]
    other = [table for table in changes(before, after) if table != till]
    gave_up = answers.gave_up(answer)
    checks = tuple(_checks(gold, Words(context.data, after), bought, other, gave_up))
    seen = evidence.share_seen(gold["decides"], after)
    right = _right(gold, bought, gave_up)
    committed = bool(bought) == gold["possible"] and len(bought) <= 1 and not other
    taken = steps(seen, right, done=committed and right == 1)
    return decided(
        checks,
        taken,
        collateral=[*(f"purchase {row['id']}" for row in bought[1:]), *other],
        failure=failure(bought, [gold["asin"]], after),
        missed=_missed(gold, bought),
        skills={
            "find": float(evidence.is_seen([_item(gold)], after)),
            "inspect": seen,
            "compute": None,
            "commit": right,
            "restrain": float(len(bought) <= 1 and not other),
        },
        **_reward(gold, bought),
    )


def _reward(gold: Gold, bought: Sequence[Row]) -> dict[str, Any]:
    """Return the reward of the first purchase with its parts; none if the wish has no labels."""
    if not _labels.is_labelled(gold):
        return {}
    if not bought:
        return {"reward": 0.0}
    parts = _labels.parts(gold, bought[0])
    return {"reward": parts["reward"], "reward_parts": {"published": parts}}


def _item(gold: Gold) -> dict[str, str]:
    return {"page": ITEM_PAGES[gold.get("shop", "store")], "asin": gold["asin"]}


def _checks(
    gold: Gold, words: Words, bought: Sequence[Row], other: Sequence[str], gave_up: bool
) -> Iterator[Check]:
    yield in_words.unchanged("nothing else changed", other)
    if not gold["possible"]:
        found = words.products(row["asin"] for row in bought)
        yield Check("nothing bought", not bought, found, "nothing")
        yield in_words.giving_up("said so", gave_up, True)
        yield words.opened(gold["decides"])
        return
    yield words.purchases(bought)
    yield in_words.giving_up("did not give up", gave_up, False)
    if bought:
        own, wanted = bought[0]["asin"], gold["asin"]
        yield Check("product", own == wanted, words.product(own), words.product(wanted))
        chosen, right = options(bought[0]), in_words.options(gold["options"])
        yield Check("options", _has_options(gold, bought[0]), chosen, right)


def _right(gold: Gold, bought: Sequence[Row], gave_up: bool) -> float:
    if not gold["possible"]:
        return float(gave_up and not bought)
    if not bought or bought[0]["asin"] != gold["asin"]:
        return 0.0
    return 1.0 if _has_options(gold, bought[0]) else 0.5


def _has_options(gold: Gold, row: Row) -> bool:
    chosen = json.loads(row["options"])
    return bool(gold["options"].items() <= chosen.items())


def _missed(gold: Gold, bought: Sequence[Row]) -> Iterator[str]:
    if bought and bought[0]["asin"] != gold["asin"]:
        yield "product"
    elif bought and not _has_options(gold, bought[0]):
        yield "options"
