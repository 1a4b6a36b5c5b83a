"""Draft, and do not send, a request for a refund with the order and the amount."""

from scenarios.kit import Draw, Family, Right
from scenarios.shop._goods import amount
from scenarios.shop._orders import CANCELED, LINES, bought_once, month, opened, upto
from sites.shop.operations import send_message

WORDINGS = (
    (
        "Save a draft (do not send it) that asks for a refund of {name}, bought in {month}: order "
        "number, as the amount what I paid for it without shipping, text “{text}”."
    ),
    (
        "I want a refund for {name} from my order in {month}. Keep the message as a draft: reason "
        "Refund, order number, what I paid for it without shipping, text “{text}”."
    ),
    (
        "Draft a message with the reason Refund and the text “{text}” about {name}, ordered in "
        "{month}. Look up the order number and, for the amount, what I paid for it without "
        "shipping."
    ),
)
TEXTS = ("It broke after {n} days.", "Part {n} is missing.", "It arrived {n} weeks too late.")


def draw(d: Draw) -> Right:
    """Draw a product that the customer bought once in a month."""
    line = bought_once(d, d.all(LINES, d.me))
    d.need(line.state != CANCELED and line.price * line.quantity < 100_000)
    text = d.some(TEXTS).format(n=d.rng.randint(2, 20))
    number, sum_of = str(line.order_no), amount(line.price * line.quantity)
    return Right(
        {"name": line.name, "month": month(line.at), "text": text},
        via=[
            *upto(d, [line.order_no]),
            *(opened(d, line.order_no, each) for each in (number, sum_of)),
        ],
        draft=send_message("Refund", number, sum_of, text),
    )


TEMPLATES = ("webarena:153", "webarena:154")
FAMILY = Family(__file__, draw, WORDINGS, templates=TEMPLATES, size="medium", carries=True)
