"""Who canceled more orders of a month than any other customer?"""

from scenarios.admin._figures import FACTS, NAMESAKES, by_month, month_words, pages_of, ranking
from scenarios.kit import AnswerSchema, Draw, Family, Right, See

CANCELED = "Canceled"
WORDINGS = (
    "Which customer has the most canceled orders with an order date in {month}? Give the {fact}.",
    (
        "Find out whose orders, of those placed in {month}, were canceled most often. I need the"
        " {fact} of this customer."
    ),
    (
        "Count the orders of {month} with the status Canceled for each customer: what is the"
        " {fact} of the one who has the most?"
    ),
    "One customer has more canceled orders from {month} than any other. Tell me the {fact}.",
)


def draw(d: Draw) -> Right:
    """Draw a month in which one customer is ahead of the next."""
    canceled, fact = by_month(d, CANCELED), d.some([*FACTS])
    ranks = {month: ranking(orders) for month, orders in canceled.items()}
    clear = [month for month, (best, *more) in ranks.items() if more and best[1] > more[0][1]]
    d.need(clear)
    month = d.some(clear)
    (best, _), (second, _), *_ = ranks[month]
    customers = {each.name: each for each in d.all("SELECT * FROM customers")}
    busiest, _ = ranking(by_month(d, "%")[month])[0]
    always, _ = ranking([order for orders in canceled.values() for order in orders])[0]
    wrong = {
        "the next": second,
        "with the most orders of any status": busiest,
        "with the most canceled orders ever": always,
        "with the same first name": d.pick(NAMESAKES, best).name,
    }
    right = customers[best][FACTS[fact]]
    opened = d.page("customer", right, customer=best)
    return Right(
        {"month": month_words(month), "fact": fact},
        read=[*pages_of(d, month, CANCELED, [best]), See(opened.place, right, ())],
        answer=right,
        instead={name: customers[each][FACTS[fact]] for name, each in wrong.items()},
    )


TEXT = AnswerSchema("text")
FAMILY = Family(__file__, draw, WORDINGS, TEXT, templates=("webarena:234",), size="medium")
