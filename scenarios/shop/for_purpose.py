"""Open the page of the product of a kind that two facts of its page describe."""

from scenarios.kit import Draw, Family, Right
from scenarios.shop._goods import CATEGORY, NAMED, pages_with
from sites.shop.texts import CATEGORIES

WORDINGS = (
    "I need a product of the kind {kind} that {one} and {other}. Find it and open its page.",
    "Of the products called {kind}, only one {one} and {other}. Show me the page of that one.",
    "Open the page of the only product with {kind} in its name that {one} and also {other}.",
    "Read the page of every {kind}. A single one {one} and {other}; leave its page open.",
)
TRAITS = {
    "can be wiped with a damp cloth": "Wipe with a damp cloth.",
    "is made of recycled material": "Made of recycled material.",
    "comes in a cardboard box": "Comes in a cardboard box.",
    "has spare parts": "Spare parts are available.",
    "was tested for ten thousand uses": "Tested for ten thousand uses.",
    "has two years of warranty": "Two years of warranty.",
    "is made in small batches": "in small batches.",
    "is repaired by its maker for ten years": "repairs it for ten years.",
}
"""Words of an instruction about a product, with the end of the sentence that its page has."""
MOST = 9
"""The most products of a kind; an agent opens their pages one after the other."""


def draw(d: Draw) -> Right:
    """Draw a kind and two traits that one of its products has, beside others with one of them."""
    kind = d.some(CATEGORIES[d.pick(CATEGORY).name].kinds)
    found = d.all(NAMED, kind)
    traits = {each.sku: _traits(f"{each.about} {each.details}") for each in found}
    one, other = d.rng.sample([*TRAITS], 2)
    right = [sku for sku, known in traits.items() if {one, other} <= known]
    d.need(len(right) == 1 and 3 <= len(found) <= MOST)
    d.need(all(sum(each in known for known in traits.values()) > 1 for each in (one, other)))
    listed = pages_with(d, "search", right, q=kind)
    opened = {sku: d.page("product", product=sku) for sku in traits}
    return Right(
        {"kind": kind, "one": one, "other": other},
        via=listed,
        search=[*listed, *opened.values()],
        end=opened[right[0]],
    )


def _traits(text: str) -> set[str]:
    """Return the traits that a text tells."""
    return {words for words, sentence in TRAITS.items() if sentence in text}


FAMILY = Family(__file__, draw, WORDINGS, templates=("webarena:151",), size="medium")
