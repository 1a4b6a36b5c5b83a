"""Quote the title of a review in the description of its product."""

from scenarios.admin._products import OFFERED, saved
from scenarios.kit import Draw, Family, Found, Right, Tell

WORDINGS = (
    (
        "Quote {nickname} in the description of {name}: add the title of the review by {nickname}"
        " as a new last line, and nothing else."
    ),
    (
        "{nickname} reviewed {name}. Keep the product's description, and write the title of this"
        " review on a line below it."
    ),
    (
        "Look for the title that {nickname} gave the review of {name}. It should stand alone in"
        " the last line of the product's description, under the present text."
    ),
    (
        "The description of {name} needs one more line at its end: the title under which"
        " {nickname} reviewed this product. The text before it stays."
    ),
)
REVIEWED = f"{OFFERED} AND reviews BETWEEN 8 AND 40"
REVIEWS = "SELECT * FROM reviews WHERE product = ? ORDER BY at DESC, id"


def draw(d: Draw) -> Right:
    """Draw a product with several reviews, and one of them whose nickname nobody else has."""
    product = d.pick(REVIEWED)
    reviews = d.all(REVIEWS, product.product)
    names = [each.nickname for each in reviews]
    review = d.some([each for each in reviews if each.status == "approved"])
    others = [each for each in reviews if each.title != review.title]
    near = [each for each in others if each.nickname[:3] == review.nickname[:3]] or others
    d.need(others and names.count(review.nickname) == 1)
    text, title = product.about, review.title
    return Right(
        {"nickname": review.nickname, "name": product.name},
        do=[saved(product, f"{text}\n{title}")],
        via=d.until("reviews_of", lambda row: row.review == review.id, _noted(review),
                    product=product.product, sort="new"),
        instead={
            "another review": [saved(product, f"{text}\n{near[0].title}")],
            "the text of the review": [saved(product, f"{text}\n{review.body}")],
            "the description replaced": [saved(product, title)],
            "above the description": [saved(product, f"{title}\n{text}")],
            "on the same line": [saved(product, f"{text} {title}")],
        },
    )  # fmt: skip


def _noted(review: Found) -> Tell:
    """Return the note of a page of reviews: the title, on the page that shows it."""
    return lambda rows: review.title if any(row.review == review.id for row in rows) else ""


TEMPLATES = ("webarena:251",)
FAMILY = Family(__file__, draw, WORDINGS, templates=TEMPLATES, size="medium", carries=True)
