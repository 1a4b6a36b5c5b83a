"""Raise or lower the prices of the variants of a product that share a colour or a size."""

from scenarios.admin._products import some_change, some_variants
from scenarios.kit import Draw, Family, Right

WORDINGS = (
    "{verb} the price of each of {variants} by {by}.",
    "Change some prices: {low_verb} those of {variants} by {by} each. Others stay as they are.",
    (
        "New prices for {variants}: {low_verb} each one by {by}, counted from what this variant"
        " costs now."
    ),
    "Find {variants}. What each of them costs should {move} by {by}.",
)


def draw(d: Draw) -> Right:
    """Draw some variants of a product, and a change of their prices."""
    found = some_variants(d)
    change = some_change(d, found.chosen)
    do = change.on(found.chosen)
    return Right(
        {"variants": found.words, **change.slots},
        do=do,
        instead={
            **change.wrong(found.chosen),
            "one left out": do[1:],
            "one too many": [*do, *change.on(found.others[:1])],
            "all variants": [*do, *change.on(found.others)],
        },
    )


FAMILY = Family(__file__, draw, WORDINGS, templates=("webarena:742",), size="medium")
