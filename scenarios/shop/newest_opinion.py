"""What is the newest good, or bad, opinion on a brand's product of a kind?"""

from scenarios.kit import AnswerSchema, Draw, Family, Right
from scenarios.shop._goods import NAMED, REVIEWS
from scenarios.shop._orders import day
from sites.shop.texts import CATEGORIES

WORDINGS = (
    (
        "What is the title of the newest review of the {kind} by {brand} with {stars}? If it has "
        "no such review, answer NOT_FOUND."
    ),
    (
        "Find the {kind} that {brand} makes. Read its reviews with {stars}, and tell me the title "
        "of the most recent one, or NOT_FOUND if there is none."
    ),
    (
        "Of all reviews with {stars} that buyers wrote about the {kind} by {brand}, how is the "
        "latest one titled? NOT_FOUND if nobody wrote one."
    ),
    (
        "Look at what people say about the {kind} of the brand {brand}. Give the title of the last "
        "review with {stars}; if no review has them, say NOT_FOUND."
    ),
)
STARS = {"four or five stars": (4, 5), "one or two stars": (1, 2)}
FEW = 8
"""The most reviews of a product that lacks an opinion; every skin shows them on one page."""


def draw(d: Draw) -> Right:
    """Draw the only product of a kind that a brand makes; in one of six scenarios nobody has the
    opinion.
    """
    product = d.pick("SELECT * FROM products WHERE status = 'enabled'")
    kind = max(
        (each for each in CATEGORIES[product.category].kinds if each in product.name), key=len
    )
    d.need(sum(each.brand == product.brand for each in d.all(NAMED, kind)) == 1)
    words, every = d.some([*STARS]), d.all(REVIEWS, product.sku)
    rated = [each for each in every if each.stars in STARS[words]]
    slots = {"kind": kind, "brand": product.brand, "stars": words}
    if not rated:
        d.need(0 < len(every) <= FEW and d.rng.random() < 0.15)
        page = d.page("reviews", product=product.sku, sort="new")
        return Right(slots, read=[page], status="NOT_FOUND", instead={"any": every[0].title})
    others = [each.title for each in every if each.title != rated[0].title]
    d.need(rated[0] is not every[0] and others)
    return Right(
        slots,
        read=d.until(
            "reviews",
            lambda row: row.review == rated[0].id,
            lambda rows: (
                rated[0].title if rated[0].id in {row.review for row in rows} else day(rows[0].at)
            ),
            product=product.sku,
            sort="new",
        ),
        answer=rated[0].title,
        instead={
            "the newest of all": every[0].title,
            "another": d.some(others),
            "none": "NOT_FOUND",
        },
    )


TEXT = AnswerSchema("text", "title of the review")
TEMPLATES = ("webarena:135", "webarena:182")
FAMILY = Family(__file__, draw, WORDINGS, TEXT, templates=TEMPLATES, size="medium")
