"""Write to a customer on the newest pending order, with notice."""

from scenarios.admin import _orders as of
from scenarios.kit import AnswerSchema, Draw, Family, Right, See
from sites.admin.operations import add_comment

WORDINGS = (
    "Notify {customer} on their newest pending order with the message “{message}”.",
    (
        "Comment “{message}” on the pending order that {customer} placed last, and let the customer"
        " get it by email."
    ),
    (
        "{customer} should get an email from us that says “{message}”. Send it as a comment on"
        " their most recent order with the status Pending."
    ),
    (
        "{customer} waits for news. Find the newest order with that name and the status Pending,"
        " write the comment “{message}” there, and tick the box that notifies the customer."
    ),
)
MESSAGES = (
    "Your order leaves on {day} January",
    "We wait for {n} parts from the maker",
    "Please call us about article {n}",
    "A van brings it on {day} January",
    "We ship it in {n} boxes",
    "The colour is out of stock until {day} February",
)
PENDING = "SELECT customer FROM orders GROUP BY customer HAVING max(status = 'Pending') = ?"
SEVERAL = """SELECT customer FROM orders GROUP BY customer HAVING sum(status = 'Pending') > ?
  OR max(at) > max(CASE status WHEN 'Pending' THEN at END)"""
"""The customers with several pending orders, or with a newer order that is not pending."""
OF_CUSTOMER = "SELECT * FROM orders WHERE customer = ? ORDER BY at DESC, number DESC"


def draw(d: Draw) -> Right:
    """Draw a customer and a message. One customer of six has no pending order."""
    message = d.some(MESSAGES).format(day=d.rng.randint(16, 28), n=d.rng.randint(3, 90))
    if d.rng.random() < 1 / 6:
        customer = d.pick(PENDING, 0).customer
        slots = {"customer": customer, "message": message}
        return Right(slots, read=[_unfound(d, customer)], status="NOT_FOUND")
    customer = d.pick(d.some((PENDING, SEVERAL)), 1).customer
    own = d.all(OF_CUSTOMER, customer)
    right, *older = [each for each in own if each.status == "Pending"]
    others = [each for each in d.all(of.OF_STATUS, "Pending") if of.alike(each, right)]
    wrong = {
        "the newest order of any status": own[:1],
        "an older pending order": older[:1],
        "a customer with a like name": [each for each in others if each.customer != customer][:1],
    }
    return Right(
        {"customer": customer, "message": message},
        do=[add_comment(right.number, message, "yes")],
        instead={
            "without notice": [add_comment(right.number, message)],
            **{name: [add_comment(each.number, message, "yes")]
               for name, found in wrong.items() for each in found if each != right},
        },
    )  # fmt: skip


def _unfound(d: Draw, customer: str) -> See:
    """Return the page of a customer's orders; pages that show only pending ones tell it, too."""
    names = (customer, *customer.split())
    pending = [d.page("orders", status="Pending", q=each) for each in names]
    *_, last = d.list("orders", status="Pending")
    return d.either(d.page("customer", customer=customer), *pending, last)


ANSWER = AnswerSchema("text", "NOT_FOUND if there is no such order")
FAMILY = Family(__file__, draw, WORDINGS, ANSWER, templates=("webarena:280",), size="medium")
