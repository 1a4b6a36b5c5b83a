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
PAIRS = f"""SELECT brand, category, count(*) AS many FROM ({OFFERED}) GROUP BY brand, category
  HAVING count(*) BETWEEN 2 AND 5 AND sum(on_sale = '') BETWEEN 2 AND 4"""  # noqa: S608
BOTH = "SELECT * FROM products WHERE brand = ? AND category = ?"
OTHERS = f"""SELECT * FROM ({OFFERED})
  WHERE on_sale = '' AND (brand = ?) + (category = ?) = 1"""  # noqa: S608 (declared)


def draw(d: Draw) -> Right:
    """Draw a brand with several enabled products in a category, of which some are not on sale."""
    pair = d.pick(PAIRS)
    found = d.all(f"SELECT * FROM ({OFFERED}) WHERE brand = ? AND category = ?",  # noqa: S608
                  pair.brand, pair.category)  # fmt: skip
    d.need(len(d.all(BOTH, pair.brand, pair.category)) == pair.many)
    missing = [each.product for each in found if not each.on_sale]
    do = [set_on_sale(each, "yes") for each in missing]
    others = d.all(OTHERS, pair.brand, pair.category)
    of_brand, of_category = (
        [each.product for each in others if each[key] == pair[key]] for key in ("brand", "category")
    )
    d.need(of_brand and of_category)
    return Right(
        {"brand": pair.brand, "category": pair.category},
        do=do,
        via=[d.page("products", brand=pair.brand, category=pair.category)],
        instead={
            "one left out": do[1:],
            "one of another category": [*do, set_on_sale(d.some(of_brand), "yes")],
            "one of another brand": [*do, set_on_sale(d.some(of_category), "yes")],
            "disabled": [set_status(each, "disabled") for each in missing],
        },
    )


FAMILY = Family(__file__, draw, WORDINGS, templates=("webarena:237",), size="medium")
