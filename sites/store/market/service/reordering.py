"""The help pages of a customer with subscriptions: the cost of supplies, and how long they last."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sites.store.market.pricing import ShopRules
from sites.store.market.service.topic import Section, Topic


def _subscriptions(rules: ShopRules) -> Sequence[Section]:
    return (
        Section(
            "What they come to in a month",
            (
                (
                    "A delivery costs the price of one pack on the day of the delivery, times the"
                    " number of packs."
                ),
                (
                    "What comes every month counts whole, and what comes every two months counts"
                    " half in each month, whether it comes in that month or not."
                ),
                "Tax comes on top as on every order; see Taxes. Postage is free.",
                "What is canceled does not come and costs nothing.",
            ),
        ),
        Section(
            "When a price changes",
            (
                "We write to you before the price of something that you subscribe to changes.",
                (
                    "A new price holds from the day that the message names. Until that day the old"
                    " one holds, which the page of the subscription shows."
                ),
                (
                    "Where two messages name a price for the same pack and the same day, the later"
                    " message counts. A pack is named by its code; other packs of its line have"
                    " prices of their own."
                ),
            ),
        ),
        Section(
            "Things of one kind",
            (
                (
                    "Two things are of one kind where the lines above their names end alike, such"
                    " as “Supplies › Kitchen › Paper towels”, whatever they are called."
                ),
                "Whom or what a thing is made for stands in its specification.",
            ),
        ),
    )


def _reordering(rules: ShopRules) -> Sequence[Section]:
    return (
        Section(
            "How long something lasts",
            (
                (
                    "What you ordered last lasts as long, piece by piece, as what you ordered"
                    " before it did."
                ),
                (
                    "So take the days from the order before the last one to the last one, divide"
                    " them by the pieces of the order before the last one, and multiply them by"
                    " the pieces of the last one. So many days after your last order it is used up."
                ),
                (
                    "Days run from the day on which an order was placed. Pieces are those of all"
                    " packs of the order: its quantity times what one pack holds."
                ),
            ),
        ),
        Section(
            "Which orders count",
            (
                (
                    "Orders that were canceled do not count, nor do those that were returned, for"
                    " you did not use up what was in them."
                ),
                "What we sent to another address than your usual one does not count either.",
            ),
        ),
        Section(
            "What is the same product",
            (
                (
                    "Packs of one line are the same product where their specification is the same,"
                    " however many pieces they hold. Where it differs they are two products, each"
                    " with orders of its own."
                ),
                (
                    "A product that is no longer sold and the successor that its page names are"
                    " one product, in orders and in subscriptions. What is ordered now has the"
                    " successor's specification."
                ),
                (
                    "A subscription brings the product of its pack. One that was canceled brings"
                    " nothing any more."
                ),
            ),
        ),
    )


TOPICS: Mapping[str, Topic] = {
    "subscriptions": Topic("How subscriptions work", _subscriptions),
    "reordering": Topic("Reordering", _reordering),
}
