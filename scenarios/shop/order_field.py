"""Tell the status or the shipping method of an order."""

from scenarios.kit import AnswerSchema, Draw, Family, Right
from scenarios.shop._orders import MINE, opened
from sites.shop.operations import SHIPPING

WORDINGS = (
    "What is the {field} of my order {number}?",
    "Look up order {number} and tell me its {field}.",
    "Which {field} does my order number {number} have?",
    "I need the {field} of order {number}.",
)
FIELDS = {"status": "status", "shipping method": "shipping"}
STATUSES = ("Complete", "Canceled", "Pending", "Processing")


def draw(d: Draw) -> Right:
    """Draw an order and one of its fields."""
    order, field = d.pick(MINE, d.me), d.some([*FIELDS])
    right = order[FIELDS[field]]
    others = [each for each in (STATUSES if field == "status" else SHIPPING) if each != right]
    return Right(
        {"number": order.number, "field": field},
        read=[opened(d, order.number, right)],
        answer=right,
        instead={"another one": others[0], "a third one": others[1]},
    )


TEXT = AnswerSchema("text")
FAMILY = Family(__file__, draw, WORDINGS, TEXT, templates=("webarena:206",), size="medium")
