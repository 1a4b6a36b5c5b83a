"""Tell the lowest and the highest price of a brand's products, or of those with a name."""

import re

from scenarios.kit import AnswerSchema, Draw, Family, Right
from scenarios.shop._goods import CATEGORY, NAMED, amount, pages_with, shown
from sites.shop.texts import BRANDS, CATEGORIES

WORDINGS = (
    "What are the lowest and the highest listed price of {what}? Write both as 4.50, 19.95.",
    "Give me the price range in the list of {what}: the lowest and the highest, as 4.50, 19.95.",
    "How much do the cheapest and the dearest {what} cost in the list? Answer as 4.50, 19.95.",
    "From which to which price does the list of {what} go? Name two amounts, as 4.50, 19.95.",
)
OPTIONS = "SELECT max(price) AS price FROM variants WHERE product = ?"


def draw(d: Draw) -> Right:
    """Draw a brand or a kind of product; the dearest of its products has dearer options."""
    brand, kind = d.some(BRANDS), d.some(CATEGORIES[d.pick(CATEGORY).name].kinds)
    words, what = d.some(
        ((brand, f"products by {brand}"), (kind, f"products with “{kind}” in their names"))
    )
    found = d.all(NAMED, words)
    d.need(len(found) > 3 and all(re.search(rf"\b{words}\b", each.name) for each in found))
    low, second, *_, fourth, high = found
    option = d.all(OPTIONS, high.sku)[0].price
    d.need(low.price < second.price and fourth.price < high.price < option)
    orders = {"price": low, "price_desc": high}
    return Right(
        {"what": what},
        read=[
            page
            for order, each in orders.items()
            for page in pages_with(
                d,
                "search",
                [each.sku],
                lambda rows: shown(rows[0].price),
                q=words,
                sort=order,
            )
        ],
        answer=f"{amount(low.price)}, {amount(high.price)}",
        instead={
            "the second cheapest": f"{amount(second.price)}, {amount(high.price)}",
            "the second dearest": f"{amount(low.price)}, {amount(fourth.price)}",
            "its dearest option": f"{amount(low.price)}, {amount(option)}",
        },
    )


LIST = AnswerSchema("list", "two amounts such as 4.50, 19.95")
TEMPLATES = ("webarena:159", "webarena:370")
FAMILY = Family(__file__, draw, WORDINGS, LIST, templates=TEMPLATES, size="medium")
