"""The scripted model: it answers from the request alone, in the format of each method.

The file of a method has one function for each purpose, and `lost` for a request that lacks needed
values. A script does what the family's advice says for a page, in the form of its method. This
package is the only module below `agent/` that names families: those that the script of each method
covers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

ALL = ("react", "flat")
"""The methods whose script covers every family: a single loop that acts on the page by the advice,
without a limit of actions and without a part for some tasks only.
"""
BY_NAME = ("store", "outlet", "airline")
"""The hosts whose families are covered by name. On every other host a script covers all families:
the recordings there are of the first desk and the task pages, and a page says everything that its
task needs.
"""


@dataclass(frozen=True)
class Covered:
    """A covered family: the reason why scripts cover it, and the methods whose script does."""

    why: str
    methods: tuple[str, ...]


_REFLECTING = ("anticipatory-reflection", "plan-act", "sampled-alternatives", "lats")
_SHOPPING = (
    *("spend_in_month", "bought_configuration", "review_criticisms", "cheapest_of_category"),
    *("category_by_price", "draft_refund", "wish_brand", "change_shipped_address"),
)
FAMILIES: Mapping[str, Covered] = {
    "buy_item": Covered(
        "the purchase of the papers; the demo and the recordings of LASER are of it",
        ("laser", "step", "synapse", *_REFLECTING),
    ),
    "cheapest_in_list": Covered(
        "the list that SteP's paper searches by a policy that calls itself",
        ("laser", "step", "synapse", *_REFLECTING),
    ),
    "latest_order": Covered(
        "a question: its answer, and what a method says about an answer",
        ("step", *_REFLECTING),
    ),
    "review_mentions": Covered(
        "a question whose answer is collected over several pages: what was noted is kept",
        ("step", *_REFLECTING),
    ),
    **dict.fromkeys(
        _SHOPPING,
        Covered("one of SteP's shopping tasks (`store-info-60`), as the two questions", ("step",)),
    ),
    "buy_wish": Covered(
        "a wish at the market, and in another shop: goods that look alike are examined",
        ("laser", "step", *_REFLECTING),
    ),
    "checkout_exact": Covered(
        "an order in every detail, by exemplars that are built for it (docs/synapse.md)",
        ("synapse",),
    ),
    "airline_search": Covered(
        "the search of a sale, the shortest work at the three airlines",
        ("step", "synapse", *_REFLECTING),
    ),
    "book_party": Covered(
        "a whole sale at the three airlines: the forms that SteP's paper fills, by people",
        ("step", "synapse", *_REFLECTING),
    ),
    "cheapest_fit": Covered(
        "the choice of a sale, beside the other two in docs/methods.md",
        ("step", *_REFLECTING),
    ),
}
"""The families of `BY_NAME` that scripts cover, with or without dials."""


def families_of(method: str) -> list[str]:
    """Return the families of `BY_NAME` that the script of a method, such as `plan-act`, covers by
    name.
    """
    return [name for name, each in FAMILIES.items() if method in each.methods]


def is_covered(method: str, host: str, family: str) -> bool:
    """Return whether the script of a method covers a family of a host.

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
