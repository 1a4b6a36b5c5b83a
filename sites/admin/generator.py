"""The base worlds of the back office: those of the shop, with the rows that only clerks see."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from random import Random

from sites.admin import texts
from sites.admin.operations import BILLED, NOW, SHIPPED
from sites.shop import generator as shop
from sites.shop.generator import DAY, Values

FIRST_INVOICE = 7001
VIEWS = 4
"""The number of views of products for each order."""


def draw(rng: Random, size: str) -> dict[str, list[Values]]:
    """Draw the rows of a base world of this size, by table."""
    return Office(rng, shop.draw(rng, size)).tables()


class Office:
    """Draws the rows that the back office adds to those of the shop.

    Args:
        rng: The random numbers.
        rows: The rows of the shop by table. Orders with a coupon get a lower total.
    """

    def __init__(self, rng: Random, rows: dict[str, list[Values]]) -> None:
        self.rng, self.rows = rng, rows
        self.orders, self.products = rows["orders"], rows["products"]

    def tables(self) -> dict[str, list[Values]]:
        """Return all rows by table."""
        coupons = list(self._coupon_uses())
        invoiced = [each for each in self.orders if each["status"] in BILLED]
        shipped = [each for each in self.orders if each["status"] in SHIPPED]
        return self.rows | {
            "clerks": [{"name": each} for each in texts.CLERKS],
            "accounts": [self._account(each) for each in self.rows["customers"]],
            "offers": [self._offer(each) for each in self.products],
            "order_addresses": [*self._addresses()],
            "order_comments": _numbered(self._comments()),
            "shipments": _numbered(map(self._shipment, shipped)),
            "invoices": _numbered(map(self._invoice, invoiced), "number", FIRST_INVOICE),
            "taxes": [self._tax(each) for each in self.orders],
            "coupon_uses": coupons,
            "refunds": _numbered(self._refunds()),
            "views": _numbered(self._views()),
            "search_terms": [*self._search_terms()],
            "contents": _rows("path title body version", ((*x, 1) for x in texts.CONTENTS)),
            "rules": _rows("name kind value customer_group", texts.RULES),
            "themes": [*self._themes()],
        }

    def _account(self, customer: Values) -> Values:
        [group] = self.rng.choices(texts.GROUPS, (80, 8, 8, 4))
        return {"customer": customer["name"], "customer_group": group}

    def _offer(self, product: Values) -> Values:
        on_sale = "yes" if self.rng.random() < 0.08 else ""
        return {"product": product["sku"], "on_sale": on_sale, "version": 1}

    # Orders

    def _addresses(self) -> Iterator[Values]:
        """Draw where each order is sent; the bill of one in five orders goes elsewhere."""
        for order in self.orders:
            recipient, street, end = order["address"].split(", ")
            postcode, city = end.split(" ", 1)
            sent = {"recipient": recipient, "street": street, "city": city, "postcode": postcode}
            yield {"order_no": order["number"], "kind": "shipping", **sent}
            billed = sent
            if self.rng.random() < 0.2:
                other = self.rng.choice(self.rows["addresses"])
                billed = {"recipient": recipient, **{key: other[key] for key in [*sent][1:]}}
            yield {"order_no": order["number"], "kind": "billing", **billed}

    def _comments(self) -> Iterator[Values]:
        for order in self.rng.sample(self.orders, len(self.orders) // 10):
            yield {
                "order_no": order["number"],
                "author": self.rng.choice(texts.CLERKS),
                "comment": self.rng.choice(texts.COMMENTS),
                "notified": self.rng.choice(("yes", "", "")),
                "at": self._after(order, 3),
            }

    def _shipment(self, order: Values) -> Values:
        return {
            "order_no": order["number"],
            "carrier": self.rng.choice(texts.CARRIERS),
            "tracking": f"{self.rng.randrange(10**11, 10**12)}",
            "at": self._after(order, 5),
        }

    def _invoice(self, order: Values) -> Values:
        at = self._after(order, 2)
        return {"order_no": order["number"], "at": at, "total": order["total"]}

    def _tax(self, order: Values) -> Values:
        """Draw the tax that the total of an order contains."""
        rate = self.rng.choice(texts.TAX_RATES)
        tax = (order["total"] * rate + 50) // (100 + rate)
        return {"order_no": order["number"], "rate": rate, "tax": tax}

    def _coupon_uses(self) -> Iterator[Values]:
        """Draw which orders had a coupon, and lower their totals."""
        for order in self.rng.sample(self.orders, len(self.orders) // 8):
            code = self.rng.choice([*texts.COUPONS])
            discount = order["subtotal"] * texts.COUPONS[code] // 100
            order["total"] -= discount
            yield {"order_no": order["number"], "code": code, "discount": discount}

    def _refunds(self) -> Iterator[Values]:
        """Draw the refunds: all of a closed order, and the goods of some complete ones."""
        for order in self.orders:
            part = order["status"] == "Complete" and self.rng.random() < 0.04
            if order["status"] == "Closed" or part:
                refunded = order["total"] - (order["postage"] if part else 0)
                at = self._after(order, 20)
                yield {"order_no": order["number"], "at": at, "refunded": refunded}

    def _after(self, order: Values, days: int) -> float:
        """Return a time up to this number of days after an order, but before now."""
        return float(min(order["at"] + self.rng.randrange(3_600, days * DAY), NOW - 60))

    # Reports and content

    def _views(self) -> Iterator[Values]:
        fame = [self.rng.lognormvariate(0, 1) for _ in self.products]
        times = range(3_600, 540 * DAY, 7)
        ages = self.rng.sample(times, VIEWS * len(self.orders))
        for age in sorted(ages, reverse=True):
            [product] = self.rng.choices(self.products, fame)
            yield {"product": product["sku"], "at": NOW - age}

    def _search_terms(self) -> Iterator[Values]:
        """Draw the search terms of customers. No two have the same number of uses."""
        kinds = sorted({each["category"].replace("-", " ") for each in self.products})
        brands = sorted({each["brand"].lower() for each in self.products})
        pairs = [f"{brand} {kind}" for brand in brands for kind in kinds]
        searched = [
            *self.rng.sample(brands, 6),
            *self.rng.sample(kinds, 6),
            *self.rng.sample(pairs, 14),
        ]
        uses = self.rng.sample(range(3, 400), len(searched))
        for term, number in zip(searched, uses, strict=True):
            yield {"term": term, "results": self._results(term), "uses": number}

    def _results(self, term: str) -> int:
        """Return how many products have all words of a term in their name, brand or category."""
        words = term.split()
        of = (" ".join((p["name"], p["brand"], p["category"])).lower() for p in self.products)
        return sum(all(word in each for word in words) for each in of)

    def _themes(self) -> Iterator[Values]:
        applied = self.rng.choice(texts.THEMES)
        for each in texts.THEMES:
            yield {"name": each[0], "about": each[1], "applied": "yes" if each is applied else ""}


def _numbered(rows: Iterable[Values], name: str = "id", first: int = 1) -> list[Values]:
    """Return the rows, the oldest first, with a column that counts them."""
    ordered = sorted(rows, key=lambda row: float(row["at"]))
    return [{name: number, **row} for number, row in enumerate(ordered, first)]


def _rows(names: str, values: Iterable[Sequence[object]]) -> list[Values]:
    """Return rows with an `id` that counts from 1."""
    columns = names.split()
    return [{"id": at, **dict(zip(columns, row, strict=True))} for at, row in enumerate(values, 1)]
