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
    "Send {customer} an email from the latest order of theirs that is pending. Say “{message}”.",
    (
        "{customer} waits for news. Find the newest order with that name and the status Pending,"
        " write the comment “{message}” there, and tick the box that notifies the customer."
    ),
)
MESSAGES = (
    "Your order leaves on {day} January.",
    "We wait for {n} parts from the maker.",
    "Please call us about article {n}.",
    "A van brings it on {day} January.",
    "We ship it in {n} boxes.",
    "The colour is out of stock until {day} February.",
)
CUSTOMERS = "SELECT customer FROM orders GROUP BY customer HAVING max(status = 'Pending') = ?"
OF_CUSTOMER = "SELECT * FROM orders WHERE customer = ? ORDER BY at DESC, number DESC"


def draw(d: Draw) -> Right:
    """Draw a customer and a message. One customer of six has no pending order."""
    message = d.some(MESSAGES).format(day=d.rng.randint(16, 28), n=d.rng.randint(3, 90))
    is_pending = d.rng.random() >= 1 / 6
    customer = d.pick(CUSTOMERS, int(is_pending)).customer
    slots = {"customer": customer, "message": message}
    own = d.all(OF_CUSTOMER, customer)
    if not is_pending:
        return Right(slots, read=[_unfound(d, customer)], status="NOT_FOUND")
    right, *older = [each for each in own if each.status == "Pending"]
    others = [each for each in d.all(of.OF_STATUS, "Pending") if of.alike(each, right)]
    wrong = [each for each in others if each.customer != customer]
    d.need(wrong)
    near = {"an older pending order": older[:1], "the newest order": own[:1]}
    found = {name: each for name, each in near.items() if each and each[0] != right}
    return Right(
        slots,
        do=[add_comment(right.number, message, "yes")],
        instead={
            "without notice": [add_comment(right.number, message)],
            "a customer with a like name": [add_comment(wrong[0].number, message, "yes")],
            **{name: [add_comment(o.number, message, "yes") for o in each]
               for name, each in found.items()},
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
