"""Write to a customer on their newest pending order."""

from scenarios.kit import Draw, Family, Right
from sites.backoffice.site import comment
from sites.forum.generator import PLACES

WORDINGS = (
    "Tell {name} on their newest pending order: “{text}” (as a comment, with the customer notified).",
)
ONE = """SELECT c.name, c.id, max(o.placed) AS placed FROM orders o JOIN customers c ON c.id = o.customer
  WHERE o.status = 'pending' GROUP BY c.id"""
ORDERS = "SELECT * FROM orders WHERE customer = ? ORDER BY placed DESC"


def draw(d: Draw) -> Right:
    customer = d.pick(ONE)
    d.need(len(d.all("SELECT 1 FROM customers WHERE name = ?", customer.name)) == 1)
    orders = d.all(ORDERS, customer.id)
    pending = next(each for each in orders if each.status == "pending")
    d.need(pending.number != orders[0].number)
    text = f"Your parcel waits at the {d.some(PLACES)} until {d.rng.randint(1, 28)} February."
    return Right(
        {"name": customer.name, "text": text},
        via=[d.page("customer", id=customer.id)],
        do=[comment(pending.number, text, "yes")],
        instead={"not notified": [comment(pending.number, text, "")],
                 "on the newest order": [comment(orders[0].number, text, "yes")]},
    )  # fmt: skip


FAMILY = Family(__file__, draw, WORDINGS)
