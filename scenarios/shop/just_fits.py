"""Open the page of the smallest option of a product that has at least a size."""

from scenarios.kit import Draw, Family, Right
from scenarios.shop._goods import is_only
from scenarios.shop._sizes import MEASURED, between, options

WORDINGS = (
    "Open the page of the smallest option of {what} that has at least {least}.",
    "I need {what}, with {least} or more, but no larger than necessary. Show that option.",
    "Which option of {what} just reaches {least}, or exceeds it least? Open its page.",
    "Of the options of {what}, open the one with the least size from {least} on.",
)
OF_CATEGORY = "SELECT * FROM products WHERE status = 'enabled' AND category = ?"


def draw(d: Draw) -> Right:
    """Draw a product with several sizes, and a size that one of them does not reach."""
    product = d.pick(OF_CATEGORY, d.some(MEASURED))
    found = options(d, product)
    sizes = sorted({each.size for each in found})
    d.need(len(sizes) > 1 and is_only(d, product.name))
    least = between(d, sizes)
    fitting = [each for each in found if each.size >= float(least)]
    right = d.some([each for each in fitting if each.size == fitting[0].size])
    what = f"{product.name} in {right.colour}" if right.colour else product.name
    return Right(
        {"what": what, "least": f"{least} {right.unit}"},
        via=[d.page("product", product=product.sku)],
        end=d.page("variant", product=product.sku, variant=right.sku),
    )


FAMILY = Family(__file__, draw, WORDINGS, templates=("webarena:171",), size="medium")
