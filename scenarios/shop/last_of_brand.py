"""When did the customer last order something of a brand?"""

from scenarios.kit import AnswerSchema, Draw, Family, Right
from scenarios.shop._orders import LINES, day, opened, prefer_far, upto
from sites.shop.texts import BRANDS

WORDINGS = (
    "On which day did I last order something made by {brand}?",
    "When was my most recent order with a product of the brand {brand} in it?",
    "Give me the date of the last order in which I bought anything from {brand}.",
    "What is the date of my newest order that contains a product by {brand}?",
)


def draw(d: Draw) -> Right:
    """Draw a brand that the newest order lacks and that an older one has, too."""
    lines, brand = d.all(LINES, d.me), d.some(BRANDS)
    found = [each for each in lines if each.name.startswith(f"{brand} ")]
    days = [*dict.fromkeys(day(each.at) for each in found)]
    d.need(len(days) > 1 and day(lines[0].at) != days[0])
    prefer_far(d, found[0].order_no)
    return Right(
        {"brand": brand},
        read=[*upto(d, [found[0].order_no]), opened(d, found[0].order_no, days[0])],
        answer=days[0],
        instead={"the time before": days[1], "the newest order": day(lines[0].at)},
    )


DATE = AnswerSchema("date")
FAMILY = Family(__file__, draw, WORDINGS, DATE, templates=("webarena:169",), size="medium")
