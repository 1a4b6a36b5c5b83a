"""Buy the best rated product of a category that costs less than an amount."""

from scenarios.kit import Draw, Family, Right
from scenarios.shop._goods import CATEGORY, delivery, dollars, pages_with
from sites.shop.operations import add

WORDINGS = (
    (
        "Of the {category} below {high} dollars, order the best rated one with at least {least} "
        "reviews, once, in any option, to {street} by {method}."
    ),
    (
        "My budget for {category} is below {high} dollars. Order the best rated one that has "
        "{least} or more reviews, once, in any option. Shipping: {method}, to {street}."
    ),
    (
        "Buy one of the {category} under {high} dollars: the best rated of those with at least "
        "{least} reviews, in any option. Ship it to {street}, by {method}."
    ),
)
RATED = """SELECT p.*, count(*) AS reviews, round(avg(r.stars), 1) AS rating FROM products p
  JOIN reviews r ON r.product = p.sku AND r.status = 'approved'
  WHERE p.category = ? AND p.status = 'enabled' GROUP BY p.sku HAVING count(*) >= ?
  ORDER BY rating DESC, p.sku"""
IN_STOCK = """SELECT v.sku FROM variants v JOIN stock s ON s.variant = v.sku
  WHERE v.product = ? AND s.quantity > 0 ORDER BY v.sku"""


def draw(d: Draw) -> Right:
    """Draw a category and a budget with one best rated product that is in stock."""
    category, least = d.pick(CATEGORY), d.rng.randint(2, 5)
    found = d.all(RATED, category.name, least)
    d.need(len(found) > 3)
    high = dollars(d.rng.choice(found).price) + d.rng.randint(1, 9)
    fitting = [each for each in found if each.price < 100 * high]
    d.need(len(fitting) > 1 and fitting[0].rating > fitting[1].rating)
    options = [[row.sku for row in d.all(IN_STOCK, each.sku)] for each in fitting[:2]]
    street, method, order, otherwise = delivery(d)
    d.need(all(options))
    (best, *others), second = options
    slots = {"high": high, "least": least, "street": street, "method": method}
    return Right(
        {"category": category.heading, **slots},
        via=pages_with(
            d, "category", [each.sku for each in fitting], category=category.name, sort="price"
        ),
        do=[add(best), order],
        any_of=[[add(each), order] for each in others],
        instead={
            "the second best": [add(second[0]), order],
            "by another method": [add(best), otherwise],
            "only put into the cart": [add(best)],
        },
    )


TEMPLATES = ("webarena:172", "webarena:216")
FAMILY = Family(__file__, draw, WORDINGS, templates=TEMPLATES, size="medium")
