"""Set the stock of some variants of a product to zero."""

from scenarios.admin._products import some_variants, stocked
from scenarios.kit import Draw, Family, Right
from sites.admin.operations import set_status

WORDINGS = (
    "Set {variants} out of stock: none is left of any of them.",
    "We have sold out of {variants}. Let the stock of each be 0.",
    "Nothing is left of {variants}. Write 0 as the stock of each; other variants keep theirs.",
    "The shop should no longer have any of {variants}. Change their stock to zero, not the status.",
)


def draw(d: Draw) -> Right:
    """Draw some variants of a product that are in stock."""
    found = some_variants(d)
    full = [each for each in found.chosen if each.quantity]
    more = [each for each in found.others if each.quantity]
    d.need(len(full) > 1 and more)
    do = [stocked(each, 0) for each in full]
    return Right(
        {"variants": found.words},
        do=do,
        instead={
            "one left out": do[1:],
            "one too many": [*do, stocked(more[0], 0)],
            "the whole product": [*do, *(stocked(each, 0) for each in more)],
            "the product disabled": [set_status(found.product.product, "disabled")],
            "one piece left": [*do[1:], stocked(full[0], 1)],
        },
    )


FAMILY = Family(__file__, draw, WORDINGS, templates=("webarena:287",), size="medium")
