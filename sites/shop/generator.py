"""The base worlds of the shop, which episodes fork. A process draws each of them once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from sites.shop import texts
from sites.shop.operations import NOW, SHIPPING

DAY = 86_400
FIRST_ORDER = 1001
STATUSES = {"Complete": 58, "Canceled": 20, "Processing": 8, "Closed": 8, "On hold": 6}
"""The statuses of old orders, with their weights."""
RECENT = 20
"""The number of days after which no order is pending."""


@dataclass(frozen=True)
class Size:
    """The number of rows of a base world, by table."""

    departments: int
    categories: int
    products: int
    customers: int
    orders: int
    reviews: int


SIZES = {
    "small": Size(4, 3, 10, 40, 260, 420),
    "medium": Size(6, 6, 18, 300, 2_450, 5_600),
}
"""`categories` is their number in each department, and `products` that in each category."""
Values = dict[str, Any]


def draw(rng: Random, size: str) -> dict[str, list[Values]]:
    """Draw the rows of a base world of this size, by table."""
    return Drawing(rng, SIZES[size]).tables()


class Drawing:
    """Draws all rows of one base world.

    Args:
        rng: The random numbers.
        size: How many rows are drawn.
    """

    def __init__(self, rng: Random, size: Size) -> None:
        self.rng, self.size = rng, size
        departments = rng.sample(texts.DEPARTMENTS, size.departments)
        self.categories = [
            each
            for department in departments
            for each in rng.sample(
                [one for one in texts.CATEGORIES.values() if one.department == department],
                size.categories,
            )
        ]
        self.departments = departments

    def tables(self) -> dict[str, list[Values]]:
        """Return the rows by table."""
        products = list(self._products())
        variants = [each for product in products for each in self._variants(product)]
        customers = list(self._customers())
        addresses = list(self._addresses(customers))
        orders, lines = self._orders(customers, addresses, variants, products)
        ordered = {each["customer"] for each in orders}
        return {
            "categories": list(self._categories()),
            "products": products,
            "variants": variants,
            "stock": [self._stock(each) for each in variants],
            "customers": customers,
            "addresses": addresses,
            "cart": list(
                self._cart([each for each in customers if each["name"] not in ordered], variants)
            ),
            "orders": orders,
            "lines": lines,
            "reviews": list(self._reviews(products, customers)),
            "wishes": list(self._wishes(customers, products)),
            "subscriptions": list(self._subscriptions(customers)),
            "messages": list(self._messages(orders)),
        }

    # Products

    def _categories(self) -> Iterator[Values]:
        for heading in self.departments:
            yield {"name": heading.lower(), "parent": "", "heading": heading}
        for each in self.categories:
            parent = each.department.lower()
            yield {"name": each.name, "parent": parent, "heading": each.heading}

    def _products(self) -> Iterator[Values]:
        """Draw the products. Names differ; in a category, prices differ by 45 cents or more."""
        names: set[str] = set()
        for category in self.categories:
            prices = self.rng.sample(range(category.low, category.high * 2), self.size.products)
            for position, half in enumerate(prices, 1):
                price = category.low * 100 + (half - category.low) * 50 - self.rng.choice((0, 1, 5))
                yield self._product(category, position, max(price, 195), names)

    def _product(
        self, category: texts.Category, position: int, price: int, names: set[str]
    ) -> Values:
        brand, manner = self.rng.choice(texts.BRANDS), self.rng.choice(texts.MANNERS)
        kind = self.rng.choice(category.kinds)
        name = f"{brand} {manner} {kind}"
        while name in names:
            name = (
                f"{brand} {manner} {kind} {self.rng.choice(texts.SIGNS)}{self.rng.randint(2, 99)}"
            )
        names.add(name)
        words = {"manner": manner.lower(), "kind": kind.lower(), "brand": brand}
        return {
            "sku": f"{category.name[:3].upper()}{1000 + len(names)}",
            "name": name,
            "brand": brand,
            "category": category.name,
            "price": price,
            "about": self.rng.choice(texts.ABOUT).format(**words),
            "details": " ".join(self.rng.sample(texts.DETAILS, 2)),
            "position": position,
            "status": "enabled" if self.rng.random() < 0.97 else "disabled",
        }

    def _variants(self, product: Values) -> Iterator[Values]:
        """Draw the colours and sizes of a product; a larger size costs more."""
        colours = self.rng.sample(texts.COLOURS, self.rng.choice((0, 1, 2, 2, 3, 3)))
        sizes = texts.CATEGORIES[product["category"]].sizes
        chosen = sorted(self.rng.sample(range(len(sizes)), self.rng.randrange(len(sizes) + 1)))
        at = 0
        for step, size in enumerate([sizes[each] for each in chosen] or [""]):
            for colour in colours or [""]:
                at += 1
                yield {
                    "sku": f"{product['sku']}-{at}",
                    "product": product["sku"],
                    "colour": colour,
                    "size": size,
                    "price": product["price"] + step * max(100, product["price"] // 1000 * 100),
                }

    def _stock(self, variant: Values) -> Values:
        left = 0 if self.rng.random() < 0.07 else self.rng.randint(4, 60)
        return {"variant": variant["sku"], "quantity": left}

    # Customers

    def _customers(self) -> Iterator[Values]:
        pairs = [f"{first} {last}" for first in texts.FIRST_NAMES for last in texts.LAST_NAMES]
        for name in self.rng.sample(pairs, self.size.customers):
            yield {
                "name": name,
                "email": f"{name.lower().replace(' ', '.')}@mail.example",
                "phone": f"555-{self.rng.randint(1000, 9999)}",
                "joined": NOW - self.rng.randrange(560, 1500) * DAY,
            }

    def _addresses(self, customers: Sequence[Values]) -> Iterator[Values]:
        number = 0
        for customer in customers:
            for _ in range(self.rng.choice((1, 1, 2))):
                number += 1
                yield {"id": number, "customer": customer["name"], **self._address(customer)}

    def _address(self, customer: Values) -> Values:
        return {
            "recipient": customer["name"],
            "street": f"{self.rng.randint(1, 140)} {self.rng.choice(texts.STREETS)}",
            "city": self.rng.choice(texts.CITIES),
            "postcode": f"{self.rng.randint(10_000, 99_999)}",
        }

    def _cart(self, customers: Sequence[Values], variants: Sequence[Values]) -> Iterator[Values]:
        """Draw the carts of customers who have never ordered."""
        for customer in customers:
            for variant in self.rng.sample(variants, self.rng.randint(1, 3)):
                quantity = self.rng.randint(1, 2)
                yield {
                    "customer": customer["name"],
                    "variant": variant["sku"],
                    "quantity": quantity,
                }

    # Orders

    def _orders(
        self,
        customers: Sequence[Values],
        addresses: Sequence[Values],
        variants: Sequence[Values],
        products: Sequence[Values],
    ) -> tuple[list[Values], list[Values]]:
        """Draw the orders, the oldest first, and their lines."""
        of = {each["name"]: [a for a in addresses if a["customer"] == each["name"]]
              for each in customers}  # fmt: skip
        names = {each["sku"]: each["name"] for each in products}
        waking = [at for at in range(3_600, 540 * DAY, 1_260) if (NOW - at) % DAY > 6 * 3_600]
        ages = sorted(self.rng.sample(waking, self.size.orders), reverse=True)
        buyers = customers[: -max(4, len(customers) // 12)]
        weights = [1 / (rank + 5) for rank in range(len(buyers))]
        orders: list[Values] = []
        lines: list[Values] = []
        for number, age in enumerate(ages, FIRST_ORDER):
            [buyer] = self.rng.choices(buyers, weights)
            bought = self.rng.sample(variants, self.rng.choice((1, 1, 2, 2, 3)))
            own = [self._line(number, each, names) for each in bought]
            for each in own:
                lines.append({"id": len(lines) + 1, **each})
            orders.append(self._order(number, age, self.rng.choice(of[buyer["name"]]), own))
        return orders, lines

    def _line(self, number: int, variant: Values, names: dict[str, str]) -> Values:
        choice = ", ".join(each for each in (variant["colour"], variant["size"]) if each)
        return {
            "order_no": number,
            "variant": variant["sku"],
            "product": variant["product"],
            "name": names[variant["product"]],
            "choice": choice or "Standard",
            "price": variant["price"],
            "quantity": self.rng.choice((1, 1, 1, 1, 2, 3)),
        }

    def _order(self, number: int, age: int, address: Values, lines: Sequence[Values]) -> Values:
        shipping = self.rng.choice([*SHIPPING])
        [status] = self.rng.choices([*STATUSES], [*STATUSES.values()])
        subtotal = sum(each["price"] * each["quantity"] for each in lines)
        label = f"{address['recipient']}, {address['street']}, {address['postcode']}"
        return {
            "number": number,
            "customer": address["customer"],
            "at": NOW - age,
            "status": "Pending" if age < RECENT * DAY and self.rng.random() < 0.6 else status,
            "address": f"{label} {address['city']}",
            "shipping": shipping,
            "subtotal": subtotal,
            "postage": SHIPPING[shipping],
            "total": subtotal + SHIPPING[shipping],
        }

    # Reviews and lists

    def _reviews(self, products: Sequence[Values], customers: Sequence[Values]) -> Iterator[Values]:
        fame = [self.rng.lognormvariate(0, 0.8) for _ in products]
        worth = {each["sku"]: self.rng.uniform(2.2, 4.9) for each in products}
        drawn = self.rng.choices(products, fame, k=self.size.reviews)
        for number, product in enumerate(drawn, 1):
            writer = self.rng.choice(customers)["name"]
            stars = min(5, max(1, round(self.rng.gauss(worth[product["sku"]], 1))))
            words = {"n": self.rng.randint(2, 30), "brand": product["brand"]}
            kind = product["name"].removeprefix(product["brand"]).split(" ", 2)[2].lower()
            yield {
                "id": number,
                "product": product["sku"],
                "customer": writer,
                "nickname": writer.split()[0] + self.rng.choice(("", writer.split()[1][0], "77")),
                "stars": stars,
                "title": self.rng.choice(texts.TITLES[stars]),
                "body": self.rng.choice(texts.BODIES[stars]).format(kind=kind, **words),
                "at": NOW - self.rng.randrange(DAY, 500 * DAY),
                "status": self.rng.choices(("approved", "pending", "not approved"), (90, 7, 3))[0],
            }

    def _wishes(self, customers: Sequence[Values], products: Sequence[Values]) -> Iterator[Values]:
        for customer in customers:
            for product in self.rng.sample(products, self.rng.randrange(4)):
                yield {"customer": customer["name"], "product": product["sku"]}

    def _subscriptions(self, customers: Sequence[Values]) -> Iterator[Values]:
        for customer in customers:
            for topic in self.rng.sample(self.departments, self.rng.randrange(3)):
                yield {"customer": customer["name"], "topic": topic.lower()}

    def _messages(self, orders: Sequence[Values]) -> Iterator[Values]:
        asked = self.rng.sample(orders, len(orders) // 12)
        for number, order in enumerate(asked, 1):
            yield {
                "id": number,
                "customer": order["customer"],
                "reason": "Question",
                "order_number": str(order["number"]),
                "amount": "",
                "body": self.rng.choice(texts.MESSAGES),
                "at": min(order["at"] + self.rng.randrange(DAY, 9 * DAY), NOW - 60),
            }
