"""Who is unhappy with a product? Find the customers who gave it few stars, if there are any."""

from collections.abc import Sequence
from typing import Any

from scenarios.admin._reviews import approved, pages_with, some_product
from scenarios.kit import AnswerSchema, Draw, Family, Right, See

WORDINGS = (
    "Which customers gave {name} {stars}? List their {facts}. Count reviews of any status.",
    (
        "Look at all reviews of {name}, approved or not. I need the {facts} of the customers who"
        " gave it {stars}."
    ),
    (
        "I want to answer each customer who reviewed {name} with {stars}. Give me their {facts},"
        " and leave out no review that is pending or not approved."
    ),
    (
        "Find the reviews of {name} with {stars}, pending and not approved ones included. Tell me"
        " the {facts} of the customers who wrote them."
    ),
)
FACTS = {"nicknames": "nickname", "full names": "customer", "email addresses": "email"}
STARS = {1: "1 star", 2: "2 stars or fewer", 3: "3 stars or fewer"}
MOST, SHORT = 3, 8
"""The most unhappy customers of a product, and the most reviews that any skin shows on a page."""


def draw(d: Draw) -> Right:
    """Draw a product with a few low reviews; in one of six scenarios it has none."""
    facts, limit = d.some([*FACTS]), d.some([*STARS])
    is_none, is_hidden = d.rng.random() < 1 / 6, d.rng.random() < 0.6
    mails = {each.name: {"email": each.email} for each in d.all("SELECT * FROM customers")}

    def low(rows: Sequence[Any], limit: int = limit) -> list[Any]:
        return [each for each in rows if each.stars <= limit]

    def suits(rows: Sequence[Any]) -> bool:
        people = {each.customer for each in low(rows)}
        if is_none:
            return not people and 3 <= len(rows) <= SHORT
        is_shown = low(approved(rows)) == low(rows)
        is_few = 1 <= len(people) == len(low(rows)) <= MOST < len(rows)
        return is_few and not (is_hidden and is_shown)

    def written(rows: Sequence[Any]) -> str:
        return ", ".join((each | mails[each.customer])[FACTS[facts]] for each in rows)

    reviews = some_product(d, suits)
    right, product = low(reviews), reviews[0].product
    wanted = {each.id for each in right or reviews}
    wrong = {
        "a star more, too": low(reviews, limit + 1),
        "of approved reviews alone": low(approved(reviews)),
        "of the newest review": reviews[:1],
        "one too few": right[1:],
    }
    return Right(
        {"name": reviews[0].name, "stars": STARS[limit], "facts": facts},
        read=[
            *pages_with(d, product, lambda row: row.review in wanted, "nickname"),
            *(see for each in right for see in writer(d, each, facts, mails[each.customer])),
        ],
        answer=written(right),
        status="" if right else "NOT_FOUND",
        instead={name: written(rows) for name, rows in wrong.items() if rows and rows != right},
    )


def writer(d: Draw, review: Any, facts: str, mail: Any) -> list[See]:
    """Return the pages that tell who wrote a review, as far as a fact needs them."""
    pages = [
        d.page("review", f"{review.id}, {review.customer}", review=review.id),
        d.page("customer", mail["email"], customer=review.customer),
    ]
    asked = {"nicknames": 0, "full names": 1, "email addresses": 2}[facts]
    return [See(each.place, each.note, ()) for each in pages[:asked]]


LIST = AnswerSchema("list", "customers, each by the fact that is asked for")
TEMPLATES = "webarena:244", "webarena:245"
FAMILY = Family(__file__, draw, WORDINGS, LIST, templates=TEMPLATES, size="medium")
