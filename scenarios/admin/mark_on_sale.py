"""Mark the products of a brand in a category as on sale."""

from scenarios.admin._products import OFFERED
from scenarios.kit import Draw, Family, Right
from sites.admin.operations import set_on_sale, set_status

WORDINGS = (
    "Mark all products of the brand {brand} in the category {category} as on sale.",
    (
        "The sale begins: in the category {category}, each product of {brand} should be on sale."
        " Products that are on sale already stay so."
    ),
    "Put everything by {brand} on sale that stands in the category {category}, and nothing else.",
    "Which products in {category} are by {brand}? See to it that every one of them is on sale.",
)
PAIRS = """SELECT p.brand, p.category FROM products p JOIN offers f ON f.product = p.sku
  GROUP BY p.brand, p.category HAVING count(*) BETWEEN 2 AND 5
  AND sum(f.on_sale = '') BETWEEN 2 AND 4 AND sum(p.status = 'disabled') = 0"""
FULL_PRICED = OFFERED + " AND on_sale = ''"


def draw(d: Draw) -> Right:
    """Draw a brand with several products in a category, two or more of them not on sale."""
    pair = d.pick(PAIRS)
    missing = d.all(FULL_PRICED + " AND brand = ? AND category = ?", pair.brand, pair.category)
    kin = d.pick(FULL_PRICED + " AND brand = ? AND category != ?", pair.brand, pair.category)
    stranger = d.pick(FULL_PRICED + " AND brand != ? AND category = ?", pair.brand, pair.category)
    do, (of_brand, of_category) = (
        [set_on_sale(each.product, "yes") for each in found] for found in (missing, (kin, stranger))
    )
    return Right(
        {"brand": pair.brand, "category": pair.category},
        do=do,
        via=[d.page("products", brand=pair.brand, category=pair.category)],
        instead={
            "one left out": do[1:],
            "one of another category": [*do, of_brand],
            "one of another brand": [*do, of_category],
            "disabled": [set_status(each.product, "disabled") for each in missing],
        },
    )


FAMILY = Family(__file__, draw, WORDINGS, templates=("webarena:237",), size="medium")
