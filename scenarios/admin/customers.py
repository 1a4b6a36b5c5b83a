"""Leave the list of customers open: all, those of a group, or those that a search finds."""

from scenarios.kit import Draw, Family, Right

WORDINGS = (
    "Show {which}, {order}.",
    "Open the list of customers and leave it open: {which}, {order}.",
    "I want to look at {which}, {order}.",
    "Bring up {which} in the list of customers, {order}.",
)
ORDERS = {
    "name": "by name",
    "new": "with the newest customer first",
    "old": "with the oldest customer first",
}
WITH_GROUP = """SELECT c.name, a.customer_group FROM customers c
  JOIN accounts a ON a.customer = c.name"""


def draw(d: Draw) -> Right:
    """Draw an order, and mostly a group, a part of a name, or both."""
    one, order = d.pick(WITH_GROUP), d.some([*ORDERS])
    kind, which, more = d.rng.random(), "all customers", {}
    if 0.05 < kind < 0.6:
        which = f"the customers of the group {one.customer_group}"
        more = {"customer_group": one.customer_group}
    if kind > 0.1:
        name = d.some((one.name, *one.name.split()))
        which, more = f"{which} that a search for “{name}” finds", {**more, "q": name}
    end = d.page("customers", sort=order, **more)
    return Right({"which": which, "order": ORDERS[order]}, end=end)


FAMILY = Family(__file__, draw, WORDINGS, templates=("webarena:255",), size="medium")
