"""Which customers have the most completed orders of a month?"""

from collections.abc import Iterator, Sequence

from scenarios.admin._figures import by_month, month_words, pages_of, ranking
from scenarios.kit import AnswerSchema, Draw, Family, Right

COMPLETE = "Complete"
WORDINGS = (
    (
        "Which customers have {many} with the status {status} and an order date in {month}? Give"
        " their full names; it can be one name or several."
    ),
    (
        "Of the orders placed in {month}, count only those with the status {status}. List the"
        " full name of each customer with {many}."
    ),
    (
        "I want to thank each customer with {many} that were placed in {month} and have the"
        " status {status}. Tell me the full names."
    ),
    (
        "Look at {month}, and there at the orders with the status {status} alone. Who placed"
        " {many}? I need full names."
    ),
)


def draw(d: Draw) -> Right:
    """Draw a month, and a clear place in the ranking of its customers."""
    complete = by_month(d, COMPLETE)
    found = {month: [*places(ranking(orders))] for month, orders in complete.items()}
    month = d.some([month for month, clear in found.items() if clear])
    many, names, next_ones = d.some(found[month])
    every = [name for name, _ in ranking(by_month(d, "%")[month])]
    return Right(
        {"many": many, "month": month_words(month), "status": COMPLETE},
        read=pages_of(d, month, COMPLETE, names),
        answer=", ".join(names),
        instead={
            "the next place": ", ".join(next_ones),
            "the next one, too": ", ".join([*names, *next_ones]),
            "with orders of any status": ", ".join(every[: len(names)]),
        },
    )


def places(ranks: Sequence[tuple[str, int]]) -> Iterator[tuple[str, list[str], list[str]]]:
    """Yield the clear places of a ranking in words, with their customers and a customer near."""
    names, counts = [name for name, _ in ranks], [n for _, n in ranks]
    if counts[0] > counts[1]:
        yield "the most orders", names[:1], names[1:2]
    if counts[0] > counts[1] > counts[2]:
        yield "the second most orders", names[1:2], names[:1]
    for least in sorted({*counts}):
        many = counts.index(least) + counts.count(least)
        if 2 <= many <= 5 and many < len(names):
            yield f"{least} or more orders", names[:many], names[many : many + 1]


NAMES = AnswerSchema("list", "full names")
FAMILY = Family(__file__, draw, WORDINGS, NAMES, templates=("webarena:276",), size="medium")
