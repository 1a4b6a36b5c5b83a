"""Which products sold the most pieces in a span of days?"""

from scenarios.admin._figures import span
from scenarios.kit import AnswerSchema, Draw, Family, Right
from sites.admin.tables import BEST_SELLERS

WORDINGS = (
    (
        "Which {n} products sold the most pieces from {first} to {last}, both included? Go by the"
        " bestsellers report by year, and give whole names."
    ),
    (
        "Run the bestsellers report from {first} to {last} inclusive, with the year as the"
        " period. List the names of the {n} products with the most pieces."
    ),
    (
        "I want the full names of the {n} products that come first by pieces in the bestsellers"
        " report by year, from {first} to {last}, both ends included."
    ),
    (
        "Take the bestsellers report by year for {first} to {last}, first and last included:"
        " which {n} products are first by pieces? Tell me their names as the report spells them."
    ),
)
SOLD = """SELECT l.product, p.name, sum(l.quantity) AS sold FROM lines l
  JOIN orders o ON o.number = l.order_no JOIN products p ON p.sku = l.product
  WHERE o.status NOT LIKE ? AND date(o.at, 'unixepoch') BETWEEN ? AND ?
  GROUP BY l.product ORDER BY sold DESC, l.product"""


def draw(d: Draw) -> Right:
    """Draw a span, and a number of products that are ahead of the next one."""
    slots, since, until = span(d)
    sold = d.all(SOLD, "Canceled", since, until)
    clear = [n for n in range(2, 7) if sold[n - 1].sold > sold[n].sold]
    d.need(clear)
    n = d.some(clear)
    best, every = sold[:n], d.all(SOLD, "", since, until)
    skus, names = {each.product for each in best}, [each.name for each in best]
    always = [each.title for each in d.all(BEST_SELLERS)]
    return Right(
        {**slots, "n": n},
        read=d.until(
            "report_bestsellers",
            lambda row: row.product in skus,
            lambda rows: ", ".join(row.title for row in rows if row.product in skus),
            since=since,
            until=until,
            period="year",
        ),
        answer=", ".join(names),
        instead={
            "the next one, too": ", ".join([*names, sold[n].name]),
            "the next one in place of the last": ", ".join([*names[:-1], sold[n].name]),
            "canceled orders, too": ", ".join(each.name for each in every[:n]),
            "of all times": ", ".join(always[:n]),
        },
    )


NAMES = AnswerSchema("list", "names of products")
FAMILY = Family(__file__, draw, WORDINGS, NAMES, templates=("webarena:279",), size="medium")
