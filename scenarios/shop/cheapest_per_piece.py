"""Put the option with the lowest price per piece of some products into the cart."""

from itertools import chain

from scenarios.kit import Draw, Family, Right
from scenarios.shop._goods import is_only, shown
from scenarios.shop._sizes import Option, options
from sites.shop.operations import add, set_quantity

WORDINGS = (
    "Of {names}, put the option with the lowest price for each {unit} into the cart, once.",
    (
        "Divide the price of each option of {names} by its number of {units}. Put the one with the "
        "lowest result into my cart; take one of it."
    ),
    (
        "I cannot decide between {names}. Add the option that costs least per {unit} to the cart, "
        "once."
    ),
    (
        "Among the options of {names}, which one gives me a {unit} for the least money? Put it "
        "into the cart once, and leave the others."
    ),
)
PACKS = {"jigsaws": "piece", "paints": "colour"}
"""The categories that come in packs, with what is counted."""
OF_CATEGORY = "SELECT * FROM products WHERE status = 'enabled' AND category = ? ORDER BY sku"
LEFT = "SELECT * FROM stock WHERE quantity > 1"
MANY = 3


def draw(d: Draw) -> Right:
    """Draw three products that come in packs; one leads by five percent."""
    category = d.some([*PACKS])
    every = d.all(OF_CATEGORY, category)
    d.need(len(every) >= MANY)
    named = d.rng.sample(every, MANY)
    d.need(all(is_only(d, each.name) for each in named))
    packs = {each.name: options(d, each) for each in named}
    d.need(all(packs.values()))
    ranked = sorted(packs, key=lambda name: -min(map(_each, packs[name])))
    *others, first = (packs[name] for name in ranked)
    best = min(first, key=_each)
    right = [each for each in first if each.size == best.size]
    left = {row.variant for row in d.all(LEFT)}
    second = min(chain(*others), key=_each)
    low = min(chain(*others, first), key=lambda each: each.price)
    d.need(1.05 * _each(best) < _each(second) and low not in right)
    free = [each.sku for each in right if each.sku in left]
    d.need(free and {low.sku, second.sku} <= left)
    names = "{.name}, {.name} and {.name}".format(*named)
    unit = PACKS[category]
    return Right(
        {"names": names, "unit": unit, "units": f"{unit}s"},
        via=[
            d.page(
                "product", f"{name}, {shown(packs[name][-1].price)}", product=packs[name][0].product
            )
            for name in ranked
        ],
        do=[add(free[0])],
        any_of=[[add(each)] for each in free[1:]],
        instead={
            "the lowest price": [add(low.sku)],
            "of the next product": [add(second.sku)],
            "two of it": [add(free[0]), set_quantity(free[0], 2)],
            "another one, too": [add(free[0]), add(second.sku)],
        },
    )


def _each(option: Option) -> float:
    """Return the price of one piece of a pack."""
    return option.price / option.size


TEMPLATES = ("webarena:145",)
FAMILY = Family(__file__, draw, WORDINGS, templates=TEMPLATES, size="medium", carries=True)
