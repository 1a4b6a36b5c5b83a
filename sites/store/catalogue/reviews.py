"""Reviews of a product, generated from its asin (product code), so that none have to be stored."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import islice

from sites.store.catalogue.clock import spoken
from sites.store.catalogue.product import Product
from sites.store.catalogue.tables import words

BLOCK = 10
FIRST_DAY, DAYS = date(2022, 1, 3), 1_200
LIMIT = 10
CRITICAL_STARS = 2
"""Reviews with at most this number of stars criticize the attribute that they mention."""


@dataclass(frozen=True, slots=True)
class Review:
    """A review; `stars` is 1 to 5, and `date` a text such as "March 14, 2024".

    The attribute that a review of one or two stars criticizes is `aspect`; the body names it. It is
    "" in better reviews, and if the product has no attributes. `mentions` are the attribute and the
    option values that the body names.
    """

    author: str
    title: str
    stars: int
    date: str
    body: str
    aspect: str = ""
    mentions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Topics:
    """The subjects of a review's text: an attribute ("" for none) and up to two options with their
    values.
    """

    attribute: str
    choices: dict[str, str]

    @property
    def names(self) -> tuple[str, ...]:
        """Return the attribute and the option values."""
        return (*([self.attribute] if self.attribute else ()), *self.choices.values())


def reviews(product: Product, limit: int = LIMIT) -> tuple[Review, ...]:
    """Return the first reviews of a product, the same at every call.

    The mean of each ten reviews is exactly the product's rating; the mean of the last few is as
    close as whole stars allow. A higher limit only adds reviews.

    Args:
        product: The product.
        limit: The largest number of reviews.
    """
    return reviews_between(product, 0, max(0, limit))


def reviews_between(product: Product, first: int, last: int) -> tuple[Review, ...]:
    """Return a product's reviews from index `first` (from 0) up to, but not including, `last`.

    Reviews in earlier groups of ten are not generated.
    """
    start = first - first % BLOCK
    return tuple(islice(_reviews(product, start), first - start, max(first, last) - start))


def _reviews(product: Product, first: int) -> Iterator[Review]:
    """Yield a product's reviews from this index on, which must be the first of a group of ten."""
    for start in range(first, product.review_count, BLOCK):
        rng = random.Random(f"store/reviews/{product.asin}/{start}")
        for stars in _stars(product.rating, min(BLOCK, product.review_count - start), rng):
            yield _review(product, stars, rng)


def _stars(mean: float, count: int, rng: random.Random) -> list[int]:
    """Draw the stars of `count` reviews with this mean, spread so that reviewers disagree."""
    total = min(5 * count, max(count, int(mean * count + 0.5)))
    stars = [total // count + (place < total % count) for place in range(count)]
    for _ in range(count):
        up, down = rng.randrange(count), rng.randrange(count)
        if stars[up] < 5 and stars[down] > 1:
            stars[up] += 1
            stars[down] -= 1
    return stars


def _review(product: Product, stars: int, rng: random.Random) -> Review:
    people = words("people")
    author = f"{rng.choice(people['people'])}, {rng.choice(people['towns'])}"
    day = FIRST_DAY + timedelta(days=rng.randrange(DAYS))
    title = rng.choice(words("reviews")["titles"][str(stars)])
    topics = _topics(product, rng)
    return Review(
        author=author,
        title=title,
        stars=stars,
        date=spoken(day),
        body=_body(product, stars, topics, rng),
        aspect=topics.attribute if stars <= CRITICAL_STARS else "",
        mentions=topics.names,
    )


def _topics(product: Product, rng: random.Random) -> Topics:
    attribute = rng.choice(product.attributes) if product.attributes else ""
    names = [name for name, values in product.options.items() if values]
    named = sorted(rng.sample(names, min(len(names), 2)), key=names.index)
    return Topics(attribute, {name: rng.choice(product.options[name]) for name in named})


def _body(product: Product, stars: int, topics: Topics, rng: random.Random) -> str:
    values = {
        "kind": product.kind,
        "brand": product.brand or "the seller",
        "attribute": topics.attribute,
        "choice": " and ".join(f"{name} {value}" for name, value in topics.choices.items()),
    }
    parts = ["openings"]
    parts += ["attributes"] * bool(topics.attribute) + ["choices"] * bool(topics.choices)
    return " ".join(_say(part, stars, values, rng) for part in (*parts, "closings"))


def _say(part: str, stars: int, values: Mapping[str, str], rng: random.Random) -> str:
    line: str = rng.choice(words("reviews")[part][str(stars)]).format_map(values)
    return line[:1].upper() + line[1:]
