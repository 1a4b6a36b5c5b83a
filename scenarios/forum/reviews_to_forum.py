"""Post the titles of a product's bad reviews, which stand in the store, in a forum."""

from collections.abc import Sequence
from functools import cache
from random import Random
from typing import Any

from scenarios.kit import Draw, Family, Reading, Right
from scenarios.store.pages import site_map, visits
from sites.forum.operations import submit
from sites.store.account.operations import REVIEWS_PER_PAGE
from sites.store.catalogue.product import Product
from sites.store.catalogue.reviews import Review, reviews
from sites.store.shop import operations

WORDINGS = (
    (
        "Take the titles of all {stars} reviews of “{name}” in the store. Post them in the forum"
        " {forum} under the title “{title}”. The body has the titles alone, in their order, with"
        " “; ” between them."
    ),
    (
        "Write a post “{title}” in the forum {forum}. Its body is the titles of the {stars} reviews"
        " that the store shows for “{name}”, in the page's order, with “; ” between them."
    ),
    (
        "Which {stars} reviews of “{name}” does the store show? Submit their titles to {forum} as"
        " “{title}”: the titles alone, in their order, with “; ” between them."
    ),
    (
        "Post “{title}” in {forum}. The body has nothing but the titles of all {stars} reviews of"
        " “{name}” in the store, in their order, with “; ” between them."
    ),
)
STARS = {1: "one-star", 2: "two-star", 3: "three-star"}
LOOKED_AT = 1_000
"""The number of products among which the task chooses."""


def draw(d: Draw) -> Right:
    data = d.data["store"]
    product = operations.product(data, d.rng.choice(_products(data)))
    every = reviews(product, product.review_count)
    stars = d.rng.choice([each for each in STARS if _titles(every, each)])
    titles, others = _titles(every, stars), [each.title for each in every if each.stars != stars]
    d.need(len(titles) <= 3 and others and not {*titles} & {*others})
    forum, wrong = (each.name for each in d.rng.sample(d.all("SELECT name FROM forums"), 2))
    title, body = f"Real feedback on {product.name}"[:150], "; ".join(titles)
    return Right(
        {"name": product.name, "stars": STARS[stars], "forum": forum, "title": title},
        beside=[_reading(product, titles)],
        do=[submit(forum, title, body)],
        instead={
            "a review of other stars": [submit(forum, title, f"{body}; {others[0]}")],
            "only the best title": [submit(forum, title, others[-1])],
            "in another forum": [submit(wrong, title, body)],
        },
    )


@cache
def _products(data: Any) -> list[str]:
    """Return the asins of products that a search finds, with bad reviews on a single page."""
    rows = range(len(data.catalogue))
    drawn = Random("forum/reviews_to_forum").sample(rows, min(LOOKED_AT, len(rows)))
    found = (operations.product(data, asin) for asin in data.catalogue.at(drawn))
    return [each.asin for each in found if _is_clear(each, data)]


def _is_clear(product: Product, data: Any) -> bool:
    every = reviews(product, product.review_count)
    clear = len({each.title for each in every}) == len(every) <= REVIEWS_PER_PAGE
    return clear and any(_titles(every, each) for each in STARS) and visits.is_found(product, data)


def _titles(every: Sequence[Review], stars: int) -> list[str]:
    return [each.title for each in every if each.stars == stars]


def _reading(product: Product, titles: Sequence[str]) -> Reading:
    opened = site_map.path_step("Reviews", "read reviews", asin=product.asin, number=1)
    path = [*visits.item_path(product), opened]
    return Reading("store", path, [[visits.opened("Reviews", 1, asin=product.asin)]], titles)


SITES = ("forum", "store")
FAMILY = Family(__file__, draw, WORDINGS, sites=SITES, templates=("webarena:101",), carries=True)
