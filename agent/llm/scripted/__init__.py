"""The scripted model, which stands in for a language model: it answers from the request alone, in
the format of each method.

The file of a method has one function for each purpose (kind of request), and `lost` for a request
that lacks needed values. A script does what the task's advice says for a page, that is, the right
next actions, in the format of its method. This package is the only module below `agent/` that names
families (kinds of tasks): those that the script of each method covers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

ALL = ("react", "ash", "flat", "rci")
"""The methods whose scripts answer for every kind of task: single loops that act on the page, with
no limit of actions and no part for some tasks only.
"""
BY_NAME = ("store", "outlet", "airline")
"""The hosts (test sites) whose kinds of tasks must be listed in `FAMILIES` to be covered. On every
other host a script covers all tasks, because its pages show everything that a task needs.
"""


@dataclass(frozen=True)
class Covered:
    """A kind of task that scripts cover: the reason for covering it, and the names of the methods
    that have a script for it.
    """

    why: str
    methods: tuple[str, ...]


_REFLECTING = ("anticipatory-reflection", "plan-act", "sampled-alternatives", "lats")
_SHOPPING = (
    *("review_criticisms", "cheapest_of_category", "category_by_price"),
    *("draft_refund", "change_shipped_address"),
)
FAMILIES: Mapping[str, Covered] = {
    "buy_item": Covered(
        "the purchase of the papers; the demo and the recordings of LASER are of it",
        ("laser", "step", "synapse", *_REFLECTING, "adaplanner", "mindact"),
    ),
    "cheapest_in_list": Covered(
        "the list that SteP's paper searches by a policy that calls itself",
        ("laser", "step", "synapse", *_REFLECTING, "adaplanner", "mindact"),
    ),
    "latest_order": Covered(
        "a question: its answer, and what a method says about an answer",
        ("laser", "step", *_REFLECTING, "adaplanner", "mindact"),
    ),
    "review_mentions": Covered(
        "a question whose answer is collected over several pages: what was noted is kept",
        ("step", *_REFLECTING, "adaplanner"),
    ),
    **dict.fromkeys(
        ("spend_in_month", "bought_configuration"),
        Covered(
            "a question about orders; SteP's shopping tasks, and LASER's future work",
            ("laser", "step", "adaplanner", "mindact"),
        ),
    ),
    **dict.fromkeys(
        _SHOPPING,
        Covered(
            "one of SteP's shopping tasks (`store-info-60`), as the two questions",
            ("step", "mindact"),
        ),
    ),
    "wish_brand": Covered(
        "one of SteP's shopping tasks, and one for which a plan needs a loop",
        ("step", *_REFLECTING, "adaplanner", "mindact"),
    ),
    "buy_wish": Covered(
        "a wish at the market, and in another shop: goods that look alike are examined",
        ("laser", "step", *_REFLECTING, "adaplanner", "mindact"),
    ),
    "checkout_exact": Covered(
        "an order in every detail, by exemplars that are built for it (docs/synapse.md)",
        ("synapse", "mindact"),
    ),
    "airline_search": Covered(
        "the search of a sale, the shortest work at the three airlines",
        ("step", "synapse", *_REFLECTING, "adaplanner", "mindact"),
    ),
    "book_party": Covered(
        "a whole sale at the three airlines: the forms that SteP's paper fills, by people",
        ("step", "synapse", *_REFLECTING, "mindact"),
    ),
    "cheapest_fit": Covered(
        "the choice of a sale, beside the other two in docs/methods.md",
        ("step", *_REFLECTING, "adaplanner", "mindact"),
    ),
}
"""The kinds of tasks (families) on the hosts of `BY_NAME` that scripts cover, with the reason and
the methods. A family's variants are covered too.
"""


def families_of(method: str) -> list[str]:
    """Return the names of the listed task families that the script of a method, such as `plan-act`,
    covers.
    """
    return [name for name, each in FAMILIES.items() if method in each.methods]


def is_covered(method: str, host: str, family: str) -> bool:
    """Return whether the script of a method covers a family (kind of task) on a site.

    A variant of a family (`family.variant`) is covered if its family is. A method without families
    in the list covers all.

    Args:
        method: The name of the method, such as `plan-act`.
        host: The name of the site, such as `store`.
        family: The name of the family, with or without a variant.
    """
    named = families_of(method)
    everywhere = method in ALL or host not in BY_NAME or not named
    return everywhere or family.partition(".")[0] in named
