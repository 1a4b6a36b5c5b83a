"""Send an order to the place of a kind that lies nearest to a place on the map."""

from typing import Any

from scenarios.admin._beside import nearest, searched, some_place
from scenarios.kit import Draw, Family, Right
from scenarios.places import SOUGHT
from sites.admin.operations import save_order_address

WORDINGS = (
    (
        "Order {number} goes to the {kind} that lies nearest to {place} in a straight line; the map"
        " shows it. Change the street with its number, the city and the postcode of the shipping"
        " address to those of the {kind}, and keep the name."
    ),
    (
        "The customer of order {number} picks the parcel up at a {kind}: of all {kinds} on the map,"
        " the one closest to {place} as the crow flies. Write the street and number, city and"
        " postcode of it into the shipping address. The recipient's name stays."
    ),
    (
        "Which {kind} on the map has the least straight distance to {place}? Order {number} is to"
        " be shipped there. Correct its shipping address: the recipient as before, but the street"
        " (with the number), the city and the postcode that the map gives."
    ),
    (
        "Look for the {kinds} near {place} on the map. Enter the address of the nearest one, in a"
        " straight line, as the shipping address of order {number}: street and number, city,"
        " postcode. Do not touch the name or the billing address."
    ),
)
OPEN = """SELECT o.number, a.recipient, a.street, a.city, a.postcode FROM orders o
  JOIN order_addresses a ON a.order_no = o.number AND a.kind = 'shipping'
  WHERE o.status IN ('Pending', 'Processing')"""


def draw(d: Draw) -> Right:
    """Draw an order that is not shipped, a place of the map, and a kind of places."""
    order, place, kind = d.pick(OPEN), some_place(d), d.some([*SOUGHT])
    d.need(place.kind != kind)
    first, second = nearest(d, kind, place, 2)
    right, other = _address(first), _address(second)
    d.need(right[0] != other[0])

    def sent(address: tuple[str, str, str], to: str = "shipping", name: str = "") -> Any:
        return save_order_address(order.number, to, name or order.recipient, *address)

    return Right(
        {"number": order.number, "kind": kind, "kinds": SOUGHT[kind], "place": place.label},
        beside=[searched(kind, place, first, right)],
        do=[sent(right)],
        instead={
            "the next": [sent(other)],
            "the billing address": [sent(right, "billing")],
            "both addresses": [sent(right), sent(right, "billing")],
            "the district as the city": [sent((right[0], first.district, right[2]))],
            "the old postcode": [sent((*right[:2], order.postcode))],
            "its name as the recipient": [sent(right, name=first.name)],
        },
    )


def _address(place: Any) -> tuple[str, str, str]:
    """Return the street with its number, the city and the postcode of a place."""
    return place.address.split(", ")[0], place.city, place.postcode


FAMILY = Family(__file__, draw, WORDINGS, sites=("admin", "map"), size="medium", carries=True)
