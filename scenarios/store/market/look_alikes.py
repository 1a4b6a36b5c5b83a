"""What a list does not tell apart, and how long it takes to open it.

Somebody who understands every word of a wish narrows a list by all that its links and its cards
tell. What is left has to be opened, one after the other. Of that the honest length is made, from
which budgets follow: half of what is left where one of it fits, for that stands anywhere among
them; all of it where nothing fits, for only then is it known.
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
"""How many tabs of a good are read, one after the other, until one tells of one of these."""


def left(
    listed: Sequence[Good], wished: Sequence[Constraint], facts: Collection[str]
) -> list[Good]:
    """The goods of a list that it does not tell to break the wish; `facts` are what it can be
    narrowed by."""
    return [good for good in listed if not _is_seen_to_break(good, wished, facts)]


def facts_of_links(kind: Kind) -> set[str]:
    """What the store's list of a kind can be narrowed by."""
    return {fact.name for fact in facets.fact_facets(kind)}


def _is_seen_to_break(good: Good, wished: Sequence[Constraint], facts: Collection[str]) -> bool:
    shown = {label for label, _ in table(good)[:CARD_ROWS]}
    seen = {fact.name for fact in good.kind.facts.values() if shown & {*fact.labels}} | {*facts}
    broken = wishes.violated(good, wished)
    return any(each.form == wishes.PRICE or each.fact in seen for each in broken)


def opening(rivals: Sequence[Good], wished: Sequence[Constraint], tabs: Tabs) -> int:
    """The actions to open each, to read on until something speaks against it, and to come back."""
    return sum(2 + 2 * tabs(rival, wishes.violated(rival, wished)) for rival in rivals)
