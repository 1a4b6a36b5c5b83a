"""Change the address of an order."""

from scenarios.kit import Draw, Family, Right
from sites.backoffice.site import move
from sites.forum.generator import NAMES, PLACES

WORDINGS = ("Change the address of order {number} to {street}, {city}.",)


def draw(d: Draw) -> Right:
    order = d.pick("SELECT * FROM orders WHERE status != 'closed'")
    street, city = f"{d.rng.randint(1, 99)} {d.some(PLACES).title()} Lane", d.some(NAMES).title()
    d.need(city != order.city)
    return Right({"number": order.number, "street": street, "city": city}, do=[move(order.number, street, city)],
                 instead={"the street alone": [move(order.number, street, order.city)]})  # fmt: skip


FAMILY = Family(__file__, draw, WORDINGS)
