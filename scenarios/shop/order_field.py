"""Tell the street or the postcode to which an order was sent."""

from scenarios.kit import AnswerSchema, Draw, Family, Right
from scenarios.shop._orders import MINE, opened

WORDINGS = (
    "To which {field} was my order {number} sent?",
    "Look up my order {number}: to which {field} was it sent?",
    "My order {number} went to one of my addresses. Tell me its {field}.",
    "I need the {field} to which the shop sent order {number}.",
)
FIELDS = {"street with house number": "street", "postcode": "postcode"}
SENT_TO = "SELECT * FROM addresses WHERE customer = ? AND instr(?, street || ', ' || postcode) > 0"


def draw(d: Draw) -> Right:
    """Draw an order and a part of the address to which it was sent."""
    order, field = d.pick(MINE, d.me), d.some([*FIELDS])
    address = d.pick(SENT_TO, d.me, order.address)
    other = d.pick("SELECT * FROM addresses WHERE id != ?", address.id)
    right, wrong = address[FIELDS[field]], other[FIELDS[field]]
    d.need(right != wrong)
    return Right(
        {"number": order.number, "field": field},
        read=[opened(d, order.number, right)],
        answer=right,
        instead={"of another address": wrong, "the whole address": order.address},
    )


TEXT = AnswerSchema("text")
FAMILY = Family(__file__, draw, WORDINGS, TEXT, templates=("webarena:206",), size="medium")
