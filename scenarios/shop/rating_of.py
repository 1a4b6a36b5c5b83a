"""How many stars do the reviews of a product give on average in a period?"""

from scenarios.kit import AnswerSchema, Draw, Family, Found, Right
from scenarios.shop._goods import REVIEWED, REVIEWS, is_only
from scenarios.shop._orders import day

WORDINGS = (
    (
        "How many stars did {name} get on average in its reviews from {first} to {last}, both "
        "days included? Round to one decimal, such as 3.5."
    ),
    (
        "Work out the mean of the stars that reviews of {name} gave from {first} to {last}, these "
        "two days included, with one decimal, such as 3.5."
    ),
    (
        "Read the reviews of {name} that date from {first} to {last}, counting those of both "
        "days. What is their average number of stars, rounded to one decimal, such as 3.5?"
    ),
    (
        "From {first} to {last}, first and last day included, how was {name} rated in its "
        "reviews? Give the average of the stars to one decimal, such as 3.5."
    ),
)


def draw(d: Draw) -> Right:
    """Draw a product and three to seven of its reviews, which follow each other."""
    product, n = d.pick(REVIEWED), d.rng.randint(3, 7)
    every = d.all(REVIEWS, product.sku)
    start = d.rng.randrange(len(every) - n)
    inside = every[start : start + n]
    first, last = day(inside[-1].at), day(inside[0].at)
    d.need([each for each in every if first <= day(each.at) <= last] == inside)
    d.need(20 * sum(each.stars for each in inside) % (2 * n) != n and is_only(d, product.name))
    ids = {each.id for each in inside}
    right = _mean(inside)
    d.need(_mean(every) != right)
    wrong = {
        "all reviews": every,
        "without the first day": inside[:-1],
        "without the last day": inside[1:],
        "one review more": every[start : start + n + 1],
    }
    return Right(
        {"name": product.name, "first": first, "last": last},
        read=d.until(
            "reviews",
            lambda row: row.review in ids,
            lambda rows: ", ".join(
                [day(rows[0].at), *(str(row.stars) for row in rows if row.review in ids)]
            ),
            product=product.sku,
            sort="new",
        ),
        answer=right,
        instead={name: _mean(rows) for name, rows in wrong.items() if _mean(rows) != right},
    )


def _mean(reviews: list[Found]) -> str:
    """Return the average number of stars, with one decimal."""
    return f"{sum(each.stars for each in reviews) / len(reviews):.1f}"


NUMBER = AnswerSchema("number", "stars with one decimal")
FAMILY = Family(__file__, draw, WORDINGS, NUMBER, templates=("webarena:1355",), size="medium")
