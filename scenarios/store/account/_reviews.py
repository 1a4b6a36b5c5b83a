"""The reviews of a product page by page, for the task families that ask about them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import TypeVar

from scenarios.store.pages import site_map, visits
from scenarios.store.pages.site_map import PathStep
from sites.store import StoreData
from sites.store.account import draw
from sites.store.account.operations import REVIEWS_PER_PAGE
from sites.store.catalogue.product import Product
from sites.store.catalogue.reviews import Review, reviews
from sites.store.shop import operations

COUNTS = range(3, 25)
"""The possible numbers of reviews of a product: up to three pages."""
SEVERAL_PAGES = 0.7
"""The share of questions whose answer needs more than one page."""
R = TypeVar("R", bound=Review)


def draw_product(rng: Random, data: StoreData) -> Product:
    """Draw a product that a search for its name finds, with reviews by different authors."""
    least = REVIEWS_PER_PAGE + 1 if rng.random() < SEVERAL_PAGES else COUNTS.start
    while True:
        product = draw.draw_product(rng, data)
        if least <= product.review_count < COUNTS.stop and _is_clear(product, data):
            return product


def some(data: StoreData, count: int) -> Iterator[Product]:
    """Yield the products that suit a question about reviews, out of `count` products of the
    catalogue.

    The draw does not depend on the seed. A product is suitable if `draw_product` may return it.
    """
    every = len(data.catalogue)
    positions = Random("store/reviews").sample(range(every), min(count, every))
    for asin in data.catalogue.at(positions):
        product = operations.product(data, asin)
        if COUNTS.start <= product.review_count < COUNTS.stop and _is_clear(product, data):
            yield product


def _is_clear(product: Product, data: StoreData) -> bool:
    names = Counter(author(each) for each in all_of(product))
    return max(names.values()) == 1 and visits.is_found(product, data)


def all_of(product: Product) -> tuple[Review, ...]:
    """Return all reviews of a product, in the order of its review pages."""
    return reviews(product, product.review_count)


def author(review: Review) -> str:
    """Return the name of a review's author, without the town that follows it."""
    return review.author.partition(",")[0]


def path(product: Product, every: Sequence[R], says: Callable[[R], str]) -> list[PathStep]:
    """Return the steps from the search to the product and through its pages of reviews.

    Each step has the note that the agent takes before the next page: on every page but the last,
    each text once.

    Args:
        every: The reviews to read, from the first.
        says: Returns the note to take of a review, "" for a review that does not matter.
    """
    notes = [_note(page, says) for page in pages(every)[:-1]] + [""]
    return [
        *visits.item_path(product),
        *(
            site_map.path_step("Reviews", "read reviews", note, asin=product.asin, number=number)
            for number, note in enumerate(notes, start=1)
        ),
    ]


def pages(every: Sequence[R]) -> list[Sequence[R]]:
    """Split reviews into the pages on which the site shows them."""
    return [every[at : at + REVIEWS_PER_PAGE] for at in range(0, len(every), REVIEWS_PER_PAGE)]


def _note(page: Sequence[R], says: Callable[[R], str]) -> str:
    return ", ".join(dict.fromkeys(note for each in page if (note := says(each))))


def evidence(product: Product, last: int = 0) -> list[list[dict[str, object]]]:
    """Return the journal rows that prove that the pages of reviews were opened.

    Args:
        last: The last page that must be opened; 0 means all pages.
    """
    numbers = range(1, (last or last_page(product)) + 1)
    return [[visits.opened("Reviews", number, asin=product.asin)] for number in numbers]


def last_page(product: Product) -> int:
    """Return the number of the last page of a product's reviews."""
    return -(-product.review_count // REVIEWS_PER_PAGE)
