"""Products and their reviews, as the back office's families draw them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from scenarios.kit import Draw, Found, See

OF_PRODUCTS = """SELECT r.*, p.name FROM reviews r JOIN products p ON p.sku = r.product
  ORDER BY r.at DESC, r.id"""
LONG = 20
"""The number of reviews on a page of the first skin."""


def some_product(d: Draw, suits: Callable[[list[Any]], bool]) -> list[Any]:
    """Return the reviews of a product that suits, the newest first.

    In about two of five scenarios they fill more than a page, if there is such a product.

    Args:
        d: The attempt.
        suits: Whether the reviews of a product suit the task.
    """
    by_product: dict[str, list[Any]] = {}
    for each in d.all(OF_PRODUCTS):
        by_product.setdefault(each.product, []).append(each)
    fitting = [reviews for reviews in by_product.values() if suits(reviews)]
    long = [reviews for reviews in fitting if len(reviews) > LONG]
    d.need(fitting)
    return d.some(long if long and d.rng.random() < 0.4 else fitting)


def approved(reviews: Iterable[Any]) -> list[Any]:
    """Return the reviews that customers of the shop can read."""
    return [each for each in reviews if each.status == "approved"]


def pages_with(d: Draw, product: str, wanted: Callable[[Found], bool], column: str) -> list[See]:
    """Return the pages of a product's reviews, up to the last review that is wanted.

    Each note has the number of the first review of the page, and the texts that the wanted ones
    have in a column.
    """
    return d.until(
        "reviews_of",
        wanted,
        lambda rows: ", ".join(
            dict.fromkeys([str(rows[0].review), *(row[column] for row in rows if wanted(row))])
        ),
        product=product,
    )
