"""Put a named product on the wish list."""

from scenarios.kit import Draw, Family, Right
from scenarios.shop._goods import FREE, is_only
from sites.shop.operations import add, add_wish

WORDINGS = (
    "Add {name} to my wish list.",
    "Put {name} on my wish list, and nothing else.",
    "I would like to have {name}. Add it to my wish list.",
    "Find the product {name} and add it to the wish list.",
)


def draw(d: Draw) -> Right:
    """Draw a product that resembles another one."""
    product = d.pick(FREE, d.me)
    kind = product.name.split()[-1]
    same = d.all(FREE + " AND category = ? AND sku != ?", d.me, product.category, product.sku)
    alike = [each for each in same if kind in each.name.split() or each.brand == product.brand]
    left = "SELECT v.* FROM variants v JOIN stock s ON s.variant = v.sku WHERE s.quantity > 0"
    variants = d.all(f"{left} AND v.product = ?", product.sku)
    d.need(alike and variants and is_only(d, product.name))
    return Right(
        {"name": product.name},
        do=[add_wish(product.sku)],
        instead={
            "one that resembles it": [add_wish(alike[0].sku)],
            "put into the cart": [add(variants[0].sku)],
        },
    )


FAMILY = Family(__file__, draw, WORDINGS, templates=("webarena:186",), size="medium")
