"""Add a colour or a size to a product."""

from scenarios.admin._products import OFFERED, look_alike
from scenarios.kit import Draw, Family, Right
from sites.admin.operations import add_option

WORDINGS = (
    "Add {the} {value} to the product {name}, with {n} pieces of each new variant in stock.",
    "{name} now comes in one more {option}: {value}. Add it; each new variant has a stock of {n}.",
    (
        "Create the option {value} ({option}) for {name}. Each variant that it makes has a stock"
        " of {n}."
    ),
    "From now on we sell {name} in {the} {value}. Add it: {n} pieces of each variant that is new.",
)
NEW = {
    "colour": ("Purple", "Orange", "Pink", "Beige", "Teal", "Silver", "Gold", "Olive", "Turquoise"),
    "size": (
        "mini",
        "extra large",
        "giant",
        "small family",
        "large family",
        "tall",
        "wide",
        "compact",
    ),
}
WITH = "SELECT product FROM variants WHERE {option} != ''"


def draw(d: Draw) -> Right:
    """Draw a product that comes in several colours or sizes, and a new one of them."""
    option = d.some([*NEW])
    offered = f"{OFFERED} AND p.sku IN ({WITH.format(option=option)})"
    product = d.pick(offered)
    alike = look_alike(d, product, offered)
    value, wrong = d.rng.sample(NEW[option], 2)
    n = d.rng.randint(11, 90)
    key, pieces = product.product, str(n)
    return Right(
        {"the": f"the {option}", "option": option, "value": value, "name": product.name, "n": n},
        do=[add_option(key, option, value, pieces)],
        instead={
            "one that resembles it": [add_option(alike.product, option, value, pieces)],
            "another value": [add_option(key, option, wrong, pieces)],
            "another stock": [add_option(key, option, value, str(n + 1))],
            "two at once": [add_option(key, option, each, pieces) for each in (value, wrong)],
        },
    )


FAMILY = Family(__file__, draw, WORDINGS, templates=("webarena:252",))
