"""Leave the list of orders open, with a filter and in an order."""

from datetime import UTC, datetime

from scenarios.kit import Draw, Family, Right

WORDINGS = (
    "Show me the orders with the status {status}{which}, {order}.",
    "Bring up the list of orders, limited to the status {status}{which}, {order}.",
    "I want to go through our orders that have the status {status}{which}, {order}.",
    "Filter the orders: status {status}{which}. Leave this list open, {order}.",
)
ORDERS = {
    "new": "with the newest first",
    "old": "with the oldest first",
    "total": "with the highest grand total first",
    "number": "with the lowest order number first",
}


def draw(d: Draw) -> Right:
    """Draw a status, an order, and a month or a part of a name."""
    one, order = d.pick("SELECT * FROM orders"), d.some([*ORDERS])
    name, month = d.some(one.customer.split()), datetime.fromtimestamp(one.at, UTC)
    which, more = "", {}
    if d.rng.random() < 0.6:
        which, more = f", month {month:%B %Y} (UTC)", {"month": f"{month:%Y-%m}"}
    if not more or d.rng.random() < 0.4:
        which, more = f"{which}, searched for “{name}”", {**more, "q": name}
    end = d.page("orders", status=one.status, sort=order, **more)
    return Right({"status": one.status, "which": which, "order": ORDERS[order]}, end=end)


FAMILY = Family(__file__, draw, WORDINGS, templates=("webarena:253",), size="medium")
