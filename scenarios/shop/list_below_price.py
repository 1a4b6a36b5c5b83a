"""Open the list of the products of a category that cost less than an amount."""

from scenarios.kit import Draw, Family, Right
from scenarios.shop._goods import CATEGORY, OFFERED, dollars

WORDINGS = (
    "Show the products of the category {category} that cost less than {high} dollars.",
    "Which {category} are below {high} dollars? Open their list, in the usual order.",
    "List everything in the category {category} with a price under {high} dollars.",
    "Open the category {category}, limited to prices from 0 to below {high} dollars.",
)


def draw(d: Draw) -> Right:
    """Draw a category and an amount that some of its products do not reach."""
    category = d.pick(CATEGORY)
    prices = [each.price for each in d.all(OFFERED, category.name)]
    high = dollars(d.rng.choice(prices)) + d.rng.randint(0, 9)
    d.need(2 <= sum(each < 100 * high for each in prices) < len(prices))
    end = d.page("category", category=category.name, price=f"0-{high}")
    return Right({"category": category.heading, "high": high}, end=end)


FAMILY = Family(__file__, draw, WORDINGS, templates=("webarena:139", "webarena:211"), size="medium")
