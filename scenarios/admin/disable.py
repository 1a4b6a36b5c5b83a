"""Disable a product, so that customers no longer see it."""

from scenarios.admin._products import OFFERED, look_alike, stocked, variants_of
from scenarios.kit import Draw, Family, Right
from sites.admin.operations import set_on_sale, set_status

WORDINGS = (
    "Disable the product {name}.",
    "Customers should no longer see {name} in the shop. Set its status to disabled.",
    "We stop selling {name}. Take it out of the shop by its status; its stock stays as it is.",
    "The status of {name} has to be disabled. Leave everything else about it unchanged.",
)


def draw(d: Draw) -> Right:
    """Draw a product that customers see."""
    product = d.pick(OFFERED)
    other, sale = look_alike(d, product), "" if product.on_sale else "yes"
    disable = set_status(product.product, "disabled")
    return Right(
        {"name": product.name},
        do=[disable],
        instead={
            "one that resembles it": [set_status(other.product, "disabled")],
            "out of stock": [stocked(each, 0) for each in variants_of(d, product)],
            "its sale changed": [set_on_sale(product.product, sale)],
            "its sale changed as well": [disable, set_on_sale(product.product, sale)],
        },
    )


FAMILY = Family(__file__, draw, WORDINGS, templates=("webarena:242",), size="medium")
