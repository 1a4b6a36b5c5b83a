"""Who gave a product a certain number of stars?"""

from scenarios.kit import AnswerSchema, Draw, Family, Right
from scenarios.shop._goods import REVIEWED, REVIEWS, is_only
from scenarios.shop._orders import day

WORDINGS = (
    "Under which nicknames was {name} reviewed with exactly {stars} stars?",
    "Who gave {stars} stars to {name}? List the nicknames.",
    "List the nicknames of all who rated {name} with {stars} stars, no more and no fewer.",
    "Read the reviews of {name}: which nicknames stand at those with {stars} stars?",
)


def draw(d: Draw) -> Right:
    """Draw a product with reviews on two pages or more, and a number of stars."""
    product, stars = d.pick(REVIEWED), d.rng.randint(2, 4)
    every = d.all(REVIEWS, product.sku)
    names = [each.nickname for each in every if each.stars == stars]
    others = [each.nickname for each in every if each.stars == stars + 1]
    d.need(2 <= len(names) <= 6 and len({*names}) == len(names) and others)
    d.need(not {*names} & {*others} and is_only(d, product.name))
    pages = d.list(
        "reviews",
        lambda rows: (
            ", ".join(row.nickname for row in rows if row.stars == stars) or day(rows[0].at)
        ),
        wanted=lambda row: row.stars == stars,
        product=product.sku,
        sort="new",
    )
    return Right(
        {"name": product.name, "stars": stars},
        read=pages,
        answer=", ".join(names),
        instead={
            "one too few": ", ".join(names[:-1]),
            "one star more": ", ".join(others),
            "more stars, too": ", ".join([*names, others[0]]),
        },
    )


LIST = AnswerSchema("list", "nicknames")
FAMILY = Family(__file__, draw, WORDINGS, LIST, templates=("webarena:1356",), size="medium")
