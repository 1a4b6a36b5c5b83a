"""WebShop's reward for a purchase at the market, from labels in place of comparisons of texts.

On amazon.com people labelled whether type, attributes, options and price of the chosen item fit the
instruction, and the reward was calculated from their labels (LASER, section 3 and appendix B). Here
the facts of the item give the labels.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from scenarios.store.market import wishes
from scenarios.store.market.wishes import OPTION, PRICE, SIZE, Constraint
from sites.store.market.goods.goods import Good, goods
from sites.world import Row


def is_labelled(gold: Mapping[str, Any]) -> bool:
    """Return whether a purchase can be labelled: something fits the wish, and the wish consists of
    its constraints alone.
    """
    return bool(gold["possible"]) and "design" in gold


def parts(gold: Mapping[str, Any], purchase: Row) -> dict[str, Any]:
    """Return the reward of a purchase and the labels that it is made of, with the names of
    `evaluators.scoring.webshop_reward.reward`.

    The type is 1 for an item of the wanted kind, otherwise 0. A share is None if the wish has no
    attribute or no option.
    """
    good, chosen = goods()[purchase["asin"]], json.loads(purchase["options"])
    wished = wishes.constraints(gold)
    attributes = [_holds(each, good) for each in wished if each.form not in (OPTION, SIZE, PRICE)]
    options = [_is_chosen(each, good, chosen) for each in wished if each.form in (OPTION, SIZE)]
    affordable = all(_paid(purchase) <= each.value for each in wished if each.form == PRICE)
    r_type = float(good.kind.name == gold["kind"])
    met = sum(attributes) + sum(options) + affordable
    return {
        "reward": met / (len(attributes) + len(options) + 1) * r_type,
        "r_type": r_type,
        "num_att": sum(attributes),
        "r_att": _share(attributes),
        "num_opt": sum(options),
        "r_option": _share(options),
        "r_price": float(affordable),
    }


def _holds(constraint: Constraint, good: Good) -> bool:
    """Return whether an item meets a constraint on a fact; an item without the fact does not."""
    return constraint.fact in good.facts and constraint.holds(good)


def _is_chosen(constraint: Constraint, good: Good, chosen: Mapping[str, str]) -> bool:
    """Return whether the wanted value of an option, or the right size of this item, was chosen."""
    if constraint.fact not in good.options:
        return False
    sized = constraint.form == SIZE
    wanted = wishes.size_of(good, constraint) if sized else constraint.value
    return chosen.get(constraint.fact) == wanted


def _paid(purchase: Row) -> float:
    """Return the dollars that were paid; the outlet's rows have cents, and the tax apart."""
    if "tax" in purchase:
        return float(purchase["price"] + purchase["tax"]) / 100
    return float(purchase["price"])


def _share(labels: Sequence[bool]) -> float | None:
    return sum(labels) / len(labels) if labels else None
