"""Score a purchase by WebShop's reward: the product that was bought, and nothing else.

Progress has three steps of one third: the item opened last is acceptable; its wanted options are
chosen; it was bought and nothing else. Pages opened before the last do not count, so opening
everything is worth what its last page is. A wrong purchase has the strict reward as its progress,
below 1.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from evaluators.scoring import in_words
from evaluators.scoring.context import ScoringContext
from evaluators.scoring.score import Check, Score, Step, changes
from evaluators.scoring.scorers.store._progress import listed
from evaluators.scoring.scorers.store._words import Words, options
from evaluators.scoring.webshop_reward import published_success, reward, strict_reward
from sites.store import StoreData
from sites.store.catalogue.product import Product
from sites.sums import in_order
from sites.world import Row, Snapshot


def score(context: ScoringContext, after: Snapshot, answer: str) -> Score:
    """Score a purchase of one of WebShop's tasks."""
    goal, before, data = context.scenario.gold, context.before, context.data
    bought = [row for row in after["purchases"] if row not in before["purchases"]]
    other = [table for table in changes(before, after) if table != "purchases"]
    first = _rewards(bought[0], goal, data) if bought else None
    checks = tuple(_checks(Words(data, after), bought, other, goal, first))
    success = all(check.held for check in checks)
    opened, chosen = _journal(after, goal, data)
    steps = (
        Step("open an acceptable item", float(opened)),
        Step("choose its options", float(chosen)),
        Step("buy it and nothing else", float(success)),
    )
    strict = first[1]["reward"] if first else 0.0
    return Score(
        success=success,
        success_published=bool(first and published_success(first[0])),
        progress=_progress(steps, bool(bought), success, strict),
        checks=checks,
        steps=steps,
        reward=first[0]["reward"] if first else 0.0,
        reward_strict=strict,
        reward_parts={"published": first[0], "strict": first[1]} if first else {},
        collateral=tuple([f"purchase {row['id']}" for row in bought[1:]] + other),
        failure="" if success else _failure(first, _was_shown(after, goal, data)),
        missed=() if success or not first else tuple(_missed(first[1], goal, bought[0])),
    )


Rewards = tuple[dict[str, Any], dict[str, Any]]
"""The published and the strict reward, with their parts."""


def _failure(rewards: Rewards | None, shown: bool) -> str:
    """Return one of the failure classes of LASER, appendix C."""
    if rewards and published_success(rewards[0]):
        return "good enough"
    if not shown:
        return "retrieval"
    return "missed detail" if rewards else "gave up"


def _was_shown(after: Snapshot, goal: Mapping[str, Any], data: StoreData) -> bool:
    """Return whether an acceptable item was ever opened or on a page of results."""
    opened = {row["asin"] for row in after["log_pages"] if row["asin"]}
    return any(_acceptable(asin, goal, data) for asin in sorted(listed(after) | opened))


def _missed(strict: Mapping[str, Any], goal: Mapping[str, Any], purchase: Row) -> Iterator[str]:
    chosen = json.loads(purchase["options"])
    if strict["r_type"] != 1:
        yield "type"
    had = _matched(strict)
    yield from (each for each in goal["attributes"] if each not in had)
    wanted = goal["goal_options"].items()
    yield from (kind for kind, value in wanted if chosen.get(kind) != value)
    if strict["r_price"] != 1:
        yield "price"


def _progress(steps: tuple[Step, ...], bought: bool, success: bool, strict: float) -> float:
    if success:
        return 1.0
    if bought:
        return min(0.99, strict)
    return round(in_order(step.progress for step in steps) / len(steps), 4)


def _rewards(purchase: Row, goal: Mapping[str, Any], data: StoreData) -> Rewards:
    """Return the published and the strict reward of a purchase.

    For the published one the goal's options are a list, as in human goals, or as in WebShop's
    files.
    """
    product, options = _product(purchase["asin"], data), json.loads(purchase["options"])
    wanted = goal.get("published_options", list(goal["goal_options"].values()))
    published = {**goal, "goal_options": wanted}
    fields, price = product.to_webshop(), float(purchase["price"])
    return reward(fields, published, price, options), strict_reward(fields, goal, price, options)


def _product(asin: str, data: StoreData) -> Product:
    product = data.catalogue.get(asin)
    if product is None:
        raise LookupError(f"product {asin} is not in the catalogue {data.digest[:12]}")
    return product


def _checks(
    words: Words,
    bought: list[Row],
    other: list[str],
    goal: Mapping[str, Any],
    rewards: Rewards | None,
) -> Iterator[Check]:
    yield words.purchases(bought)
    yield in_words.unchanged("nothing else changed", other)
    if rewards is None:
        return
    own, strict = bought[0], rewards[1]
    kinds = _product(own["asin"], words.data).kind, goal["query"]
    yield Check("type", strict["r_type"] == 1, *kinds)
    had, wanted = _matched(strict), goal["attributes"]
    listed = (in_words.listed(each, "no attributes") for each in (had, wanted))
    yield Check("attributes", strict["num_att"] == len(wanted), *listed)
    asked = goal["goal_options"]
    chosen = options(own), in_words.options(asked)
    yield Check("options", strict["num_opt"] == len(asked), *chosen)
    paid, most = in_words.money(float(own["price"])), in_words.money(float(goal["price_upper"]))
    yield Check("price", strict["r_price"] == 1, paid, f"at most {most}")


def _matched(strict: Mapping[str, Any]) -> list[str]:
    """Return the wanted attributes that the product has."""
    return [match["wanted"] for match in strict["matched"]["attributes"]]


def _journal(after: Snapshot, goal: Mapping[str, Any], data: StoreData) -> tuple[bool, bool]:
    """Return whether the item opened last is acceptable, and whether its wanted options are
    chosen.
    """
    items = [row for row in after["log_pages"] if row["page"] == "item"]
    if not items or not _acceptable(items[-1]["asin"], goal, data):
        return False, False
    options = json.loads(items[-1]["options"])
    return True, goal["goal_options"].items() <= options.items()


def _acceptable(asin: str, goal: Mapping[str, Any], data: StoreData) -> bool:
    product = _product(asin, data)
    offered = all(
        value in product.options.get(kind, ()) for kind, value in goal["goal_options"].items()
    )
    parts = strict_reward(product.to_webshop(), goal, product.price, goal["goal_options"])
    return offered and parts["reward"] == 1
