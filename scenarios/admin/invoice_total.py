"""What is the grand total of an invoice, by its number or by its customer?"""

from scenarios.admin._figures import NAMESAKES, amount, shown
from scenarios.kit import AnswerSchema, Draw, Family, Right

WORDINGS = (
    "What is the grand total of {invoice}, in dollars?",
    "How many dollars does {invoice} come to? I mean the grand total.",
    "I need the grand total of {invoice}, in dollars.",
    "Look up {invoice}: which grand total in dollars does it have?",
)
INVOICES = """SELECT i.*, o.customer, o.subtotal + o.postage - o.total AS discount, t.tax
  FROM invoices i JOIN orders o ON o.number = i.order_no JOIN taxes t ON t.order_no = o.number
  ORDER BY i.at DESC, i.number DESC"""
NEWEST = "SELECT * FROM orders WHERE customer = ? ORDER BY at DESC, number DESC LIMIT 1"
ENDS = {"newest": "new", "oldest": "old"}


def draw(d: Draw) -> Right:
    """Draw an invoice by its number, or an end of the invoices of a customer with several."""
    invoices = d.all(INVOICES)
    right, end = d.some(invoices), d.some(("", *ENDS))
    own = [each for each in invoices if each.customer == right.customer]
    d.need(len(own) > 2)
    names = {each.name for each in d.all(NAMESAKES, right.customer)}
    theirs = [each for each in invoices if each.customer in names]
    d.need(theirs)
    if end:
        right = own[-1 if end == "oldest" else 0]
    others = [each for each in own if each != right]
    [order] = d.all(NEWEST, right.customer)
    wrong = {
        "of another of this customer": d.some(others).total,
        "of a customer with the same first name": theirs[0].total,
        "of the newest order": order.total,
        "without the tax": right.total - right.tax,
        "without the discount": right.total + right.discount,
    }
    return Right(
        {"invoice": f"the {end} invoice of {right.customer}" if end else f"invoice {right.number}"},
        read=d.until(
            "invoices",
            lambda row: row.invoice == right.number,
            lambda rows: shown(right.total),
            q=right.customer if end else right.number,
            **({"sort": ENDS[end]} if end else {}),
        ),
        answer=amount(right.total),
        instead={name: amount(cents) for name, cents in wrong.items() if cents != right.total},
    )


MONEY = AnswerSchema("money")
FAMILY = Family(__file__, draw, WORDINGS, MONEY, templates=("webarena:274",), size="medium")
