"""What do customers praise or criticize? List the summaries of a product's reviews by stars."""

from collections.abc import Iterable, Sequence
from typing import Any

from scenarios.admin._reviews import LONG, approved, pages_with, some_product
from scenarios.kit import AnswerSchema, Draw, Family, Right

WORDINGS = (
    (
        "Why do customers {feel} {name}? List the summaries of its reviews with {stars}. Count"
        " reviews of any status."
    ),
    (
        "List each summary that a review of {name} with {stars} has, whether the review is"
        " approved or not. I want to know why customers {feel} this product."
    ),
    (
        "Some customers {feel} {name}. Give me the summaries of all its reviews with {stars},"
        " pending and not approved ones included."
    ),
    (
        "Go through all reviews of {name}, approved or not. Which summaries do those with {stars}"
        " have? They say why customers {feel} it."
    ),
)
KINDS = {"dislike": ("2 stars or fewer", (1, 2)), "like": ("4 stars or more", (4, 5))}


def draw(d: Draw) -> Right:
    """Draw a product with several summaries of a kind; often the shop does not show all of them."""
    feel, is_hidden = d.some([*KINDS]), d.rng.random() < 0.6
    words, stars = KINDS[feel]

    def titles(rows: Iterable[Any], more: tuple[int, ...] = ()) -> list[str]:
        return sorted({each.title for each in rows if each.stars in (*stars, *more)})

    def suits(rows: Sequence[Any]) -> bool:
        is_shown = titles(approved(rows)) == titles(rows)
        return 2 <= len(titles(rows)) <= 7 and not (is_hidden and is_shown)

    reviews = some_product(d, suits)
    right, name = titles(reviews), reviews[0].name
    wrong = {
        "of approved ones alone": titles(approved(reviews)),
        "with three stars, too": titles(reviews, (3,)),
        "one too few": right[:-1],
        "of the first page alone": titles(reviews[:LONG]),
    }
    return Right(
        {"feel": feel, "stars": words, "name": name},
        read=pages_with(d, reviews[0].product, lambda row: row.stars in stars, "title"),
        answer=", ".join(right),
        instead={key: ", ".join(rows) for key, rows in wrong.items() if rows and rows != right},
    )


LIST = AnswerSchema("list", "summaries of reviews")
TEMPLATES = "webarena:249", "webarena:250"
FAMILY = Family(__file__, draw, WORDINGS, LIST, templates=TEMPLATES, size="medium")
