"""Which option of a product did the customer buy?"""

from scenarios.kit import AnswerSchema, Draw, Family, Right
from scenarios.shop._orders import LINES, bought_once, month, opened, upto

WORDINGS = (
    "Which {axis} of {name} did I order in {month}?",
    "In {month} I ordered {name}. In which {axis}?",
    "Look up my order of {name} from {month}: in which {axis} was it?",
    "What was the {axis} of {name} that I ordered in {month}?",
)
VARIANTS = "SELECT * FROM variants WHERE product = ?"


def draw(d: Draw) -> Right:
    """Draw a product with several colours or sizes that the customer ordered once in a month."""
    line, axis = bought_once(d, d.all(LINES, d.me)), d.some(("colour", "size"))
    variants = d.all(VARIANTS, line.product)
    right = next(each[axis] for each in variants if each.sku == line.variant)
    others = sorted({each[axis] for each in variants} - {right})
    d.need(right and others)
    number = line.order_no
    return Right(
        {"name": line.name, "axis": axis, "month": month(line.at)},
        read=[*upto(d, [number]), opened(d, number, right)],
        answer=right,
        instead={"another one": others[0], "the whole option": f"{line.choice} or {others[0]}"},
    )


TEXT = AnswerSchema("text")
FAMILY = Family(__file__, draw, WORDINGS, TEXT, templates=("webarena:155",), size="medium")
