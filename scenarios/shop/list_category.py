"""Open the list of a category in an order, with a range of prices."""

from scenarios.kit import Draw, Family, Right
from scenarios.shop._goods import CATEGORY, OFFERED, ORDERS, dollars

WORDINGS = (
    "List {category} {order}, with prices of at least {low} and below {high} dollars.",
    "Show me {category} that cost at least {low} and less than {high} dollars, {order}.",
    "Open the category {category} {order}, for prices from {low} to below {high} dollars.",
    "In the category {category}, show the price range {low}-{high} (in dollars) {order}.",
)


def draw(d: Draw) -> Right:
    """Draw a category, an order and a range that holds some of the products."""
    category, order = d.pick(CATEGORY), d.some([*ORDERS])
    prices = [each.price for each in d.all(OFFERED, category.name)]
    low, high = sorted(d.rng.sample(prices, 2))
    low, high = low // 100, dollars(high) + d.rng.randint(1, 3)
    inside = [each for each in prices if 100 * low <= each < 100 * high]
    d.need(3 <= len(inside) < len(prices))
    end = d.page("category", category=category.name, price=f"{low}-{high}", sort=order)
    slots = {"category": category.heading, "order": ORDERS[order], "low": low, "high": high}
    return Right(slots, end=end)


FAMILY = Family(__file__, draw, WORDINGS, templates=("webarena:137", "webarena:208"), size="medium")
