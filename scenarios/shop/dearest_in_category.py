"""Open the page of the dearest, or the cheapest, product of a category within a limit."""

from scenarios.kit import Draw, Family, Right
from scenarios.shop._goods import CATEGORY, OFFERED, dollars

WORDINGS = (
    "Open the page of the {which} product in the category {category} that costs {limit} dollars.",
    "Which is the {which} of the {category} that cost {limit} dollars? Open its page.",
    "In the category {category}, find the {which} product for {limit} dollars and open it.",
    "Show me the {which} product of {category} with a price of {limit} dollars.",
)


def draw(d: Draw) -> Right:
    """Draw a category and a limit that leaves out the dearest or the cheapest products."""
    category, is_dearest = d.pick(CATEGORY), d.rng.random() < 0.6
    found = d.all(OFFERED, category.name)
    d.need(len(found) > 9)
    at = d.rng.randint(3, len(found) - 4)
    near = found[at + 1] if is_dearest else found[at - 1]
    edge = dollars(found[at].price) if is_dearest else found[at].price // 100
    d.need(abs(near.price - found[at].price) >= 100)
    limit, sort = (
        (f"less than {edge + 1}", "price_desc") if is_dearest else (f"{edge} or more", "price")
    )
    d.need(
        found[at].price < 100 * (edge + 1) <= near.price if is_dearest else near.price < 100 * edge
    )
    slots = {"which": "dearest" if is_dearest else "cheapest", "limit": limit}
    return Right(
        {"category": category.heading, **slots},
        via=[d.page("category", category=category.name, sort=sort)],
        end=d.page("product", product=found[at].sku),
    )


TEMPLATES = tuple(f"webarena:{each}" for each in (138, 159))
FAMILY = Family(__file__, draw, WORDINGS, templates=TEMPLATES, size="medium")
