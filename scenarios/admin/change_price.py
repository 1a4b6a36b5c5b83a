"""Raise or lower the price of the product whose page is open at the start."""

from scenarios.admin._products import SIMPLE, look_alike, some_change, stocked, variants_of
from scenarios.kit import Draw, Family, Right

WORDINGS = (
    "{verb} the price of the product on this page by {by}.",
    "What the product on this page costs should {move} by {by}, counted from its present price.",
    "The product whose page is open needs a new price. {verb} the present one by {by}.",
    "Look at the product on this page. {verb} its price by {by}, and keep its stock.",
)


def draw(d: Draw) -> Right:
    """Draw a product with one variant, and a change of its price."""
    product = d.pick(SIMPLE)
    variants, others = (variants_of(d, each) for each in (product, look_alike(d, product, SIMPLE)))
    change = some_change(d, variants)
    return Right(
        change.slots,
        do=change.on(variants),
        instead={
            **change.wrong(variants),
            "one that resembles it": change.on(others),
            "the stock": [stocked(variants[0], variants[0].quantity + change.number)],
        },
        start=d.page("product", product=product.product),
    )


FAMILY = Family(__file__, draw, WORDINGS, templates=("webarena:247",), size="medium")
