"""Change the shipping address or the billing address of an order."""

from scenarios.admin._orders import address, some_order
from scenarios.kit import Draw, Family, Right
from sites.admin.operations import save_order_address as save

WORDINGS = (
    "Change the {kind} address of {order} to {street}, {postcode} {city}. The name stays.",
    (
        "The customer moved. Enter {street}, {postcode} {city} as the {kind} address of {order},"
        " for the same recipient."
    ),
    (
        "In {order}, the {kind} address is out of date: the new street is {street}, and the town is"
        " {postcode} {city}. Leave the recipient as it is."
    ),
    "Please correct {order}: {kind} address {street}, {postcode} {city}, under the present name.",
)
KINDS = "shipping", "shipping", "billing"
HELD = "SELECT * FROM order_addresses WHERE order_no = ? AND kind = ?"


def draw(d: Draw) -> Right:
    """Draw an order that is still open, one of its addresses and a new one."""
    words, order, wrong = some_order(d, "Pending", "Processing", "On hold")
    kind = d.some(KINDS)
    [other] = {*KINDS} - {kind}
    held, theirs = (d.pick(HELD, each.number, kind) for each in (order, wrong))
    street, city, postcode = address(d)
    new = street, city, postcode
    d.need(city != held.city and street != held.street)
    right = save(order.number, kind, held.recipient, *new)
    mixed_up = save(order.number, other, held.recipient, *new)
    return Right(
        {"kind": kind, "order": words, "street": street, "city": city, "postcode": postcode},
        do=[right],
        instead={
            f"the {other} address": [mixed_up],
            "both addresses": [right, mixed_up],
            "another order": [save(wrong.number, kind, theirs.recipient, *new)],
            "the old postcode": [
                save(order.number, kind, held.recipient, street, city, held.postcode)
            ],
        },
    )


FAMILY = Family(__file__, draw, WORDINGS, templates=("webarena:240",), size="medium")
