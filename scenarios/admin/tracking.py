"""Ship an order with a carrier's tracking number."""

from scenarios.admin._orders import some_order
from scenarios.kit import Draw, Family, Right
from sites.admin.operations import add_comment, ship
from sites.admin.texts import CARRIERS

WORDINGS = (
    "Add the {carrier} tracking number {tracking} to {order}.",
    (
        "{carrier} took the parcel of {order} this morning. Its tracking number is {tracking};"
        " enter it."
    ),
    "Submit a shipment for {order}: carrier {carrier}, tracking number {tracking}.",
    "We gave {order} to {carrier} under the number {tracking}. Record that shipment.",
)


def draw(d: Draw) -> Right:
    """Draw an order, a carrier and a tracking number."""
    words, order, wrong = some_order(d, "Pending", "Processing")
    carrier, other = d.rng.sample(CARRIERS, 2)
    tracking = str(d.rng.randrange(10**11, 10**12))
    right, near = ship(order.number, carrier, tracking), tracking[:-2] + tracking[:-3:-1]
    d.need(near != tracking)
    return Right(
        {"order": words, "carrier": carrier, "tracking": tracking},
        do=[right],
        instead={
            "another carrier": [ship(order.number, other, tracking)],
            "another order": [ship(wrong.number, carrier, tracking)],
            "as a comment": [add_comment(order.number, f"{carrier} {tracking}")],
            "two digits exchanged": [ship(order.number, carrier, near)],
        },
    )


FAMILY = Family(__file__, draw, WORDINGS, templates=("webarena:284",), size="medium")
