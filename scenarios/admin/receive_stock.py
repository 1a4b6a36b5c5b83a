"""Add a delivery to the stock of a product or of some of its variants."""

from scenarios.admin._products import SIMPLE, some_variants, stocked, variants_of
from scenarios.kit import Draw, Family, Right

WORDINGS = (
    "A delivery came: {n} pieces of {what}. Add them to the stock.",
    "Raise the stock: {n} more pieces of {what} have arrived.",
    "We received {n} pieces of {what}. Enter the delivery on top of what is in stock.",
    "The stock grows by {n} pieces of {what}. Prices stay as they are.",
)


def draw(d: Draw) -> Right:
    """Draw a product with one variant, or some variants of a product, and a delivery."""
    n = d.rng.randint(5, 90)
    if d.rng.random() < 0.3:
        product = d.pick(SIMPLE)
        what, chosen, others = product.name, variants_of(d, product), []
    else:
        found = some_variants(d)
        chosen, others = [*found.chosen], [*found.others]
        what = f"each of {found.words}"
    d.need(all(each.quantity and each.quantity != n for each in chosen))
    do = [stocked(each, each.quantity + n) for each in chosen]
    more = [stocked(each, each.quantity + n) for each in others]
    part = n // len(chosen)
    of_several = {
        "all variants": [*do, *more],
        "the first alone": do[:1],
        "shared among them": [stocked(each, each.quantity + part) for each in chosen],
    }
    return Right(
        {"n": n, "what": what},
        do=do,
        instead={
            "in place of the stock": [stocked(each, n) for each in chosen],
            "taken from the stock": [stocked(each, max(0, each.quantity - n)) for each in chosen],
            "half of it": [stocked(each, each.quantity + n // 2) for each in chosen],
            **(of_several if more else {}),
        },
    )


FAMILY = Family(__file__, draw, WORDINGS, templates=("webarena:241",), size="medium")
