"""On which day did the customer order first: at all, or since a day?"""

from scenarios.kit import AnswerSchema, Draw, Family, Right
from scenarios.shop._goods import pages_with
from scenarios.shop._orders import CANCELED, MINE, day

WORDINGS = (
    "What is the date of my first order {since}, if canceled orders do not count?",
    "On which day did I place my first order {since} that was not canceled?",
    "Leave canceled orders out: when did I order for the first time {since}?",
    "Find the oldest of my orders {since} that was not canceled. What is its date?",
)


def draw(d: Draw) -> Right:
    """Draw a day that follows an order; in one of four attempts all orders count."""
    orders = d.all(MINE, d.me)[::-1]
    at = d.rng.choice((0, *(d.rng.randrange(len(orders) // 3, len(orders) - 3) for _ in range(3))))
    start, since = day(orders[at].at), "at this shop"
    if at:
        since = f"after {start}"
        orders = [each for each in orders if day(each.at) > start]
    kept = [each for each in orders if each.status != CANCELED]
    d.need(len(kept) > 1 and day(kept[1].at) != day(kept[0].at))
    d.need(kept[0] is not orders[0] or d.rng.random() < 0.4)
    right = day(kept[0].at)
    wrong = {
        "a canceled one": day(orders[0].at),
        "the next": day(kept[1].at),
        "the newest": day(kept[-1].at),
        "the order before": start,
    }
    return Right(
        {"since": since},
        read=pages_with(
            d,
            "orders",
            [kept[0].number],
            lambda rows: (
                right if kept[0].number in {row.number for row in rows} else str(rows[0].number)
            ),
            sort="old",
        ),
        answer=right,
        instead={name: text for name, text in wrong.items() if text != right},
    )


DATE = AnswerSchema("date")
FAMILY = Family(__file__, draw, WORDINGS, DATE, templates=("webarena:161",), size="medium")
