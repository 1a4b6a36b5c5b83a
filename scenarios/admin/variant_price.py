"""Raise or lower the prices of the variants of a product that share a colour or a size."""

from scenarios.admin._products import some_change, some_variants
from scenarios.kit import Draw, Family, Right

WORDINGS = (
    "{verb} the price of {variants} by {by} each.",
    "Change prices: for {variants}, {low_verb} each price by {by}. Other variants keep theirs.",
    "{by} is what the prices change by. {verb} those of {variants}, one by one.",
    "Find {variants}. {verb} the price of each by {by}, counted from its own present price.",
)


def draw(d: Draw) -> Right:
    """Draw some variants of a product, and a change of their prices."""
    found = some_variants(d)
    change = some_change(d, found.chosen)
    do = change.on(found.chosen)
    return Right(
        {"verb": change.verb, "low_verb": change.verb.lower(), "variants": found.words,
         "by": change.words},
        do=do,
        instead={
            **change.wrong(found.chosen),
            "one left out": do[1:],
            "one too many": [*do, *change.on(found.others[:1])],
            "all variants": [*do, *change.on(found.others)],
        },
    )  # fmt: skip


FAMILY = Family(__file__, draw, WORDINGS, templates=("webarena:742",), size="medium")
