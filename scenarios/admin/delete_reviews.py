"""Delete some reviews of a product: pending ones, those with few stars, or those of one person."""

from typing import Any

from scenarios.admin._decisions import REVIEWS, in_sight
from scenarios.kit import AnswerSchema, Draw, Family, Right, See
from sites.admin.operations import decide, delete_review

WORDINGS = (
    "Delete the reviews of “{product}” {which}.",
    "Remove for good all reviews of “{product}” {which}, and no other review.",
    "The maker of “{product}” complained about some of its reviews. Delete all those {which}.",
    "Look through the reviews of “{product}”, delete all those {which}, and keep the rest.",
)
SOME = "SELECT product FROM reviews GROUP BY product HAVING count(*) BETWEEN 8 AND 36"


def draw(d: Draw) -> Right:
    """Draw a product and which of its reviews are meant. In one of six scenarios there are none."""
    reviews, is_found = d.all(REVIEWS, d.pick(SOME).product), d.rng.random() >= 1 / 6
    kinds = [each for each in _kinds(d, reviews) if bool(each[1]) == is_found]
    few = [each for each in kinds if len(each[1]) < min(6, len(each[2]))]
    fitting = [each for each in few if in_sight(reviews, each[1])]
    d.need(fitting)
    words, right, near = d.some(fitting)
    product, sort = reviews[0].product, in_sight(reviews, right)
    return Right(
        {"product": reviews[0].name, "which": words},
        do=[delete_review(each.id) for each in right],
        via=[d.page("reviews_of", product=product, sort=sort)] if right else [],
        read=[] if right else [_unfound(d, reviews[0])],
        status="" if right else "NOT_FOUND",
        instead={
            "others, too": [delete_review(each.id) for each in near],
            "not deleted": [decide(each.id, "not approved") for each in near],
        },
    )


def _kinds(d: Draw, reviews: list[Any]) -> list[tuple[str, list[Any], list[Any]]]:
    """Return words for reviews, the reviews, and those that a careless clerk takes for them."""
    first = d.some(reviews).customer.split()[0]
    nickname = d.some((first, f"{first}77"))
    pending = [each for each in reviews if each.status == "pending"]
    bad = [each for each in reviews if each.status != "approved" or each.stars == 1]
    one, two, three = ([each for each in reviews if each.stars <= n] for n in (1, 2, 3))
    named = [each for each in reviews if each.nickname == nickname]
    alike = [each for each in reviews if each.nickname.startswith(first)]
    return [
        ("that are pending", pending, bad),
        ("with exactly 1 star", one, two),
        ("with 2 stars or fewer", two, three),
        (
            "that are pending and have 3 stars or fewer",
            [each for each in pending if each in three],
            pending,
        ),
        (f"with the nickname “{nickname}”", named, alike),
    ]


def _unfound(d: Draw, review: Any) -> See:
    """Return the page of a product's reviews; a search in the list of reviews tells it, too."""
    filters: list[dict[str, Any]] = [{}, {"state": "pending"}, *({"stars": n} for n in (1, 2, 3))]
    both: list[dict[str, Any]] = [{"state": "pending", "stars": n} for n in (1, 2, 3)]
    searches = [d.page("reviews", q=review.name, **each) for each in (*filters, *both)]
    return d.either(d.page("reviews_of", product=review.product), *searches)


ANSWER = AnswerSchema("text", "NOT_FOUND if there are no such reviews")
FAMILY = Family(__file__, draw, WORDINGS, ANSWER, templates=("webarena:246",), size="medium")
