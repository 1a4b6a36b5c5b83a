"""Open the page of the product that offers the cheapest option with at least a size."""

from scenarios.kit import Draw, Family, Right
from scenarios.shop._goods import NAMED, pages_with
from scenarios.shop._sizes import MEASURED, between, options
from sites.shop.texts import CATEGORIES

WORDINGS = (
    "Of all products named {kind}, open the one with the cheapest option of at least {least}.",
    (
        "I want to pay as little as possible for {least} or more. Which of the products named "
        "{kind} is it? Leave its page open."
    ),
    (
        "Compare the options of every {kind}: which product offers {least} or more at the lowest "
        "price? Open its page."
    ),
    "In a size of {least} or above, which {kind} costs least? Open the page of that product.",
)
MOST = 8
"""The most products that have to be compared."""


def draw(d: Draw) -> Right:
    """Draw a kind and a size that the cheapest product of the kind does not offer."""
    category = CATEGORIES[d.some(MEASURED)]
    kind = d.some(category.kinds)
    found = d.all(NAMED, kind)
    d.need(3 <= len(found) <= MOST and all(each.category == category.name for each in found))
    every = [each for product in found for each in options(d, product)]
    sizes = sorted({each.size for each in every})
    d.need(len(sizes) > 1)
    least = between(d, sizes)
    prices: dict[str, int] = {}
    for each in sorted(every, key=lambda each: each.price):
        if each.size >= float(least):
            prices.setdefault(each.product, each.price)
    d.need(len(prices) > 1)
    (right, price), (_, second), *_ = prices.items()
    d.need(price < second and right != found[0].sku)
    return Right(
        {"kind": kind, "least": f"{least} {every[0].unit}"},
        via=pages_with(d, "search", [right], q=kind, sort="price"),
        search=[
            *pages_with(d, "search", [right], q=kind, sort="price"),
            *(d.page("product", product=each.sku) for each in found),
        ],
        end=d.page("product", product=right),
    )


FAMILY = Family(__file__, draw, WORDINGS, templates=("webarena:207",), size="medium")
