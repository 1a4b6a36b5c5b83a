"""The reviews of a product, as families that approve or delete some of them draw them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

REVIEWS = """SELECT r.*, p.name FROM reviews r JOIN products p ON p.sku = r.product
  WHERE r.product = ? ORDER BY r.at DESC, r.id DESC"""
FIRST = 12
"""The rows that the first page of a list shows in every skin."""


def in_sight(reviews: Sequence[Any], some: Sequence[Any]) -> str:
    """Return an order of the list of reviews whose first page shows some of them.

    Args:
        reviews: All reviews of a product, the newest first.
        some: The reviews to show.

    Returns:
        The name of the order, or "" if there is none.
    """
    orders = {
        "new": reviews,
        "old": reviews[::-1],
        "best": sorted(reviews, key=lambda each: (-each.stars, each.id)),
        "worst": sorted(reviews, key=lambda each: (each.stars, each.id)),
    }
    ids = {each.id for each in some}
    shows = (name for name, rows in orders.items() if ids <= {each.id for each in rows[:FIRST]})
    return next(shows, "")
