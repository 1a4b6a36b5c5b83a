"""Put the product of the page that is open at the start on the wish list."""

from scenarios.kit import Draw, Family, Right
from scenarios.shop._goods import FREE, is_only
from sites.shop.operations import add, add_wish

WORDINGS = (
    "Add the product that this page is about to my wish list.",
    "I like what is shown on this page. Put it on my wish list.",
    "Remember the product of this page for me, on the wish list.",
    "The product on the page that you see now belongs on my wish list. Add it there.",
)
OPTIONS = """SELECT v.*, s.quantity FROM variants v JOIN stock s ON s.variant = v.sku
  WHERE v.product = ? ORDER BY v.sku"""


def draw(d: Draw) -> Right:
    """Draw a product, and a page of it: its own, the one of its reviews or the one of an option."""
    product = d.pick(FREE, d.me)
    options = d.all(OPTIONS, product.sku)
    free = [each.sku for each in options if each.quantity]
    same = d.all(FREE + " AND category = ? AND sku != ?", d.me, product.category, product.sku)
    d.need(free and same and is_only(d, product.name))
    pages = (
        d.page("product", product=product.sku),
        d.page("reviews", product=product.sku),
        d.page("variant", product=product.sku, variant=d.rng.choice(options).sku),
    )
    return Right(
        {},
        start=d.some(pages),
        do=[add_wish(product.sku)],
        instead={
            "another one of the category": [add_wish(same[0].sku)],
            "another one, too": [add_wish(product.sku), add_wish(same[0].sku)],
            "put into the cart": [add(free[0])],
        },
    )


FAMILY = Family(
    __file__, draw, WORDINGS, templates=("webarena:196",), size="medium", has_slots=False
)
