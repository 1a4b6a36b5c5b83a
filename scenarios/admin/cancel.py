"""Cancel an order, unless it was shipped."""

from scenarios.admin._orders import MAY_FAIL, some_order
from scenarios.kit import Draw, Family, Right
from sites.admin.operations import SHIPPED, add_comment, cancel

WORDINGS = (
    "Cancel {order}.",
    "The customer does not want the goods any more. Please cancel {order}, if that is possible.",
    "Give {order} the status Canceled. If the shop refuses, leave everything as it is.",
    "Somebody ordered by mistake: can you cancel {order} for us?",
)
OPEN = "Pending", "Processing", "On hold"


def draw(d: Draw) -> Right:
    """Draw an order. One of six was shipped already."""
    if d.rng.random() < 1 / 6:
        words, order, _ = some_order(d, *SHIPPED)
        page = d.page("order", order_no=order.number)
        return Right({"order": words}, read=[page], status="NOT_ACHIEVABLE")
    words, order, wrong = some_order(d, *OPEN)
    return Right(
        {"order": words},
        do=[cancel(order.number)],
        instead={
            "another order": [cancel(wrong.number)],
            "both orders": [cancel(order.number), cancel(wrong.number)],
            "only a comment": [add_comment(order.number, "Canceled")],
        },
    )


FAMILY = Family(__file__, draw, WORDINGS, MAY_FAIL, templates=("webarena:257",), size="medium")
