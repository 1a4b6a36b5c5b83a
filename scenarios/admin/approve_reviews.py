"""Approve the pending reviews of a product that have enough stars."""

from scenarios.admin._decisions import REVIEWS, in_sight
from scenarios.kit import Draw, Family, Right
from sites.admin.operations import decide

WORDINGS = (
    "Approve the pending reviews of “{product}” that have {least} stars or more, and no others.",
    (
        "Let customers see what is positive about “{product}”: each review of it that is pending"
        " and has at least {least} stars gets the status approved."
    ),
    (
        "Some reviews of “{product}” are pending. Give those of them with {least} or more stars the"
        " status approved; leave all others as they are."
    ),
    "Of the reviews of “{product}”, approve those that are pending and have {least} stars or more.",
)
WAITING = """SELECT product FROM reviews GROUP BY product
  HAVING sum(status = 'pending' AND stars >= ?) BETWEEN 2 AND 5 AND sum(status = 'pending') < 8
  AND sum(status != 'approved') > sum(status = 'pending' AND stars >= ?)"""


def draw(d: Draw) -> Right:
    """Draw a product and a number of stars that some of its pending reviews have."""
    least = d.some((3, 4))
    reviews = d.all(REVIEWS, d.pick(WAITING, least, least).product)
    pending = [each for each in reviews if each.status == "pending"]
    good = [each for each in reviews if each.status != "approved" and each.stars >= least]
    right = [each for each in pending if each in good]
    sort = in_sight(reviews, right)
    d.need(sort)
    few = [each for each in right if each.stars > least]
    wrong = {"weaker ones too": pending, "refused ones too": good, "fewer": few}
    return Right(
        {"product": reviews[0].name, "least": least},
        do=[decide(each.id, "approved") for each in right],
        via=[d.page("reviews_of", product=reviews[0].product, sort=sort)],
        instead={
            "refused": [decide(each.id, "not approved") for each in right],
            **{name: [decide(each.id, "approved") for each in found]
               for name, found in wrong.items() if found != right},
        },
    )  # fmt: skip


FAMILY = Family(__file__, draw, WORDINGS, templates=("webarena:243",), size="medium")
