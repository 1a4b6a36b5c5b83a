"""Tell a fact about the newest or oldest order of a month with a status, if there is one."""

from collections import Counter

from scenarios.admin._figures import is_on_dashboard, month_words
from scenarios.kit import AnswerSchema, Draw, Family, Right, See

WORDINGS = (
    "Tell me the {fact} for the {end} order from {month} with the status {status}.",
    "Look up the {end} order placed in {month} that is {status} now. What is the {fact}?",
    (
        "I need the {fact}. The order is the {end} one of all with an order date in {month} and"
        " the status {status}."
    ),
    (
        "Of the orders of {month}, take those whose status is {status}, and of these the {end}."
        " Tell me the {fact}."
    ),
)
FACTS = {
    "full name of the customer": "customer",
    "email address of the customer": "email",
    "phone number of the customer": "phone",
    "street with house number in the shipping address": "sent",
    "street with house number in the billing address": "billed",
    "shipping method": "shipping",
}
ORDERS = """SELECT o.*, strftime('%Y-%m', o.at, 'unixepoch') AS month, c.email, c.phone,
    s.street AS sent, b.street AS billed
  FROM orders o JOIN customers c ON c.name = o.customer
  JOIN order_addresses s ON s.order_no = o.number AND s.kind = 'shipping'
  JOIN order_addresses b ON b.order_no = o.number AND b.kind = 'billing'
  ORDER BY o.at DESC, o.number DESC"""


def draw(d: Draw) -> Right:
    """Draw a status and a month; in one of six scenarios no order of the month has the status."""
    orders, fact, end = d.all(ORDERS), d.some([*FACTS]), d.some(("newest", "oldest"))
    months, states = ({each[key] for each in orders} for key in ("month", "status"))
    taken = Counter((each.month, each.status) for each in orders)
    free = {(month, status) for month in months for status in states} - {*taken}
    often = [pair for pair, number in taken.items() if number > 1]
    month, status = d.some(sorted(free if free and d.rng.random() < 1 / 6 else often))
    here = [each for each in orders if each.month == month][:: -1 if end == "oldest" else 1]
    found, column = [each for each in here if each.status == status], FACTS[fact]
    slots = {"fact": fact, "end": end, "month": month_words(month), "status": status}
    options = {"status": status, "month": month} | ({"sort": "old"} if end == "oldest" else {})
    listed = See(d.page("orders", **options).place, "", ("orders",))
    if not found:
        near = {"of another status": here[0][column]}
        return Right(slots, read=[listed], status="NOT_FOUND", instead=near)
    right, last = found[0], found[-1]
    d.need(not is_on_dashboard(d, right.number))
    other = {"sent": "billed", "billed": "sent"}.get(column, column)
    d.need(other == column or right.sent != right.billed or d.rng.random() < 0.3)
    wrong = {
        "of the other end": last[column],
        "of any status": here[0][column],
        "of the other address": right[other],
        "of all months": next(each for each in orders if each.status == status)[column],
    }
    opened = d.page("order", right[column], order_no=right.number)
    return Right(
        slots,
        via=[listed],
        read=[See(opened.place, right[column], (f"order {right.number}",))],
        answer=right[column],
        instead={name: text for name, text in wrong.items() if text != right[column]},
    )


TEXT = AnswerSchema("text")
FAMILY = Family(__file__, draw, WORDINGS, TEXT, templates=("webarena:366",))
