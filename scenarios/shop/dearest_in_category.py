"""Open the page of the dearest, or the cheapest, product of a category within a limit."""

from scenarios.kit import Draw, Family, Right
from scenarios.shop._goods import CATEGORY, OFFERED, dollars

WORDINGS = (
    "Open the {which} product in the category {category} that costs {limit} dollars.",
    "Which is the {which} of the {category} that cost {limit} dollars? Open its page.",
    "In the category {category}, find the {which} product for {limit} dollars and open it.",
    "Show me the {which} product of {category} with a price of {limit} dollars.",
)


def draw(d: Draw) -> Right:
    """Draw a category and a limit that leaves out the dearest or the cheapest products."""
    category, which = d.pick(CATEGORY), d.some(("dearest", "cheapest"))
    found = d.all(OFFERED, category.name)
    edge = dollars(d.rng.choice(found).price)
    below = [each for each in found if each.price < 100 * edge]
    above = [each for each in found if each.price >= 100 * edge]
    d.need(len(below) > 2 and len(above) > 2)
    product, limit, sort = above[0], f"{edge} or more", "price"
    if which == "dearest":
        product, limit, sort = below[-1], f"less than {edge}", "price_desc"
    return Right(
        {"category": category.heading, "which": which, "limit": limit},
        via=[d.page("category", category=category.name, sort=sort)],
        end=d.page("product", product=product.sku),
    )


FAMILY = Family(__file__, draw, WORDINGS, templates=("webarena:138",), size="medium")
