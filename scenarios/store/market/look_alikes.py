"""Estimate how many actions it takes to find the right product in a list of results.

A shopper who understands every word of a wish first narrows the list by everything that its links
and cards show. The products that are left look alike, so the shopper opens them singly. Families
derive their honest length, and so the budget of an episode, from this number: half of the remaining
products if any of these fits, because it may be anywhere among them; all of them if nothing fits,
because only then is that known.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence

from scenarios.store.market import wishes
from scenarios.store.market.wishes import Constraint
from sites.store.market.goods import facets
from sites.store.market.goods.bank import Kind
from sites.store.market.goods.goods import Good
from sites.store.market.goods.stock import CARD_ROWS
from sites.store.market.goods.wording import table

Tabs = Callable[[Good, Iterable[Constraint]], int]
"""A function: how many tabs of a product a shopper reads until one shows one of some constraints.
"""


def left(
    listed: Sequence[Good], wished: Sequence[Constraint], facts: Collection[str]
) -> list[Good]:
    """Return the products that may still meet a request after everything that the list shows.

    Args:
        listed: All products of the list.
        wished: The constraints of the request.
        facts: Names of the facts by which the list can be narrowed.
    """
    return [good for good in listed if not _is_seen_to_break(good, wished, facts)]


def facts_of_links(kind: Kind) -> set[str]:
    """Return the names of the facts by which the store's results for a kind can be narrowed."""
    return {fact.name for fact in facets.fact_facets(kind)}


def _is_seen_to_break(good: Good, wished: Sequence[Constraint], facts: Collection[str]) -> bool:
    shown = {label for label, _ in table(good)[:CARD_ROWS]}
    seen = {fact.name for fact in good.kind.facts.values() if shown & {*fact.labels}} | {*facts}
    broken = wishes.violated(good, wished)
    return any(each.form == wishes.PRICE or each.fact in seen for each in broken)


def opening(rivals: Sequence[Good], wished: Sequence[Constraint], tabs: Tabs) -> int:
    """Return the number of actions to find out that each of some rivals (similar products) is
    wrong.

    For each rival: two actions to open it and to come back, and two more for each tab that is read
    until one shows that the rival breaks a constraint.
    """
    return sum(2 + 2 * tabs(rival, wishes.violated(rival, wished)) for rival in rivals)
