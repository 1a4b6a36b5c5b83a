"""Which products of a brand have a certain number of units left, if there are any?"""

from collections.abc import Iterable
from typing import Any

from scenarios.kit import AnswerSchema, Draw, Family, Right
from sites.admin.tables import PRODUCTS, VARIANTS

WORDINGS = (
    (
        "Which {brand} products have {units} in stock, all variants of a product together? List"
        " their {facts}."
    ),
    (
        "I am about to reorder. Give me the {facts} of the products by {brand} with {units} left,"
        " after you add up the variants of each product."
    ),
    (
        "Find each product of the brand {brand} with a total stock of {units} over all its"
        " variants. I need the {facts}, enabled or not."
    ),
    (
        "Tell me the {facts} of all {brand} products with {units} left. A product's variants"
        " count together."
    ),
)
FACTS = {"SKUs": "product", "names": "title"}
OF_BRAND = f"SELECT * FROM ({PRODUCTS}) WHERE brand = ? ORDER BY stock, product"  # noqa: S608
OF_VARIANTS = f"""SELECT p.sku AS product, p.name AS title FROM ({VARIANTS}) v
  JOIN products p ON p.sku = v.product WHERE p.brand = ? AND v.stock = ? ORDER BY p.sku"""  # noqa: S608

MOST = 25
"""How many of the lowest numbers of units are drawn from."""


def draw(d: Draw) -> Right:
    """Draw a number of units; in one of six scenarios no product of the brand has that number."""
    brand, facts = d.pick("SELECT DISTINCT brand FROM products").brand, d.some([*FACTS])
    products = d.all(OF_BRAND, brand)
    stocks = [each.stock for each in products]
    gaps = [n for n in range(min(stocks) + 1, max(stocks)) if n not in stocks][:MOST]
    few = [n for n in sorted({*stocks}) if stocks.count(n) <= 4][:MOST]
    n = d.some(gaps if d.rng.random() < 1 / 6 else few)
    found = [each for each in products if each.stock == n]
    after = sum(stock < n for stock in stocks)
    wanted = {each.product for each in found or products[after - 1 : after + 1]}

    def written(rows: Iterable[Any]) -> str:
        return ", ".join(dict.fromkeys(str(row[FACTS[facts]]) for row in rows))

    wrong = {
        "with a variant of this stock": d.all(OF_VARIANTS, brand, n),
        "the next in the list, too": products[after : after + len(found) + 1],
        "one too few": found[1:],
        "with a unit less": [each for each in products if each.stock == n - 1],
    }
    return Right(
        {"brand": brand, "units": f"{n} unit{'s' if n != 1 else ''}", "facts": facts},
        read=d.until(
            "products",
            lambda row: row.product in wanted,
            lambda rows: ", ".join(
                [rows[0].product, *(row[FACTS[facts]] for row in rows if row.product in wanted)]
            ),
            brand=brand,
            sort="stock",
        ),
        answer=written(found),
        status="" if found else "NOT_FOUND",
        instead={name: written(rows) for name, rows in wrong.items() if rows},
    )


LIST = AnswerSchema("list", "SKUs or names of products")
FAMILY = Family(__file__, draw, WORDINGS, LIST, templates=("webarena:368",), size="medium")
