"""Change the price or the stock of a product, and leave its page of the shop open."""

from scenarios.admin._products import SIMPLE, amount, look_alike, priced, stocked, variants_of
from scenarios.kit import Draw, Family, Right

WORDINGS = (
    "{change} for {name} in the back office. Then open the page that customers see of it.",
    (
        "{change} for the product {name}, and make sure that customers see this: at the end, its"
        " page in the shop must be open."
    ),
    "{name} is to be changed: {low_change}. Finish on its page in the shop.",
    (
        "Do this for {name}: {low_change}. After that, show me the product's page in the shop, as"
        " customers have it."
    ),
)


def draw(d: Draw) -> Right:
    """Draw a product with one variant, and a new price or stock."""
    product = d.pick(SIMPLE)
    alike = look_alike(d, product, SIMPLE)
    [own], [other] = variants_of(d, product), variants_of(d, alike)
    cents, pieces = d.rng.randint(200, 30_000), d.rng.randint(61, 200)
    d.need(cents != own.price)
    is_price = d.rng.random() < 0.6
    change = f"Set the price to ${amount(cents)}" if is_price else f"Set the stock to {pieces}"
    do, wrong = (
        [priced(each, cents) if is_price else stocked(each, pieces)] for each in (own, other)
    )
    near = priced(own, cents + 10) if is_price else stocked(own, pieces + 10)
    end = d.page("shop_product", product=product.product)
    return Right(
        {"change": change, "low_change": change[0].lower() + change[1:], "name": product.name},
        do=do,
        end=end,
        instead={
            "one that resembles it": wrong,
            "another number": [near],
            "both products": [*do, *wrong],
        },
    )


FAMILY = Family(__file__, draw, WORDINGS, size="medium")
