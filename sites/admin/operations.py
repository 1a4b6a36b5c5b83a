"""The operations of a clerk. No other function changes a world of the back office."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from sites._kit.declare import Invalid, one, operation
from sites._kit.texts import clean, line
from sites.admin.texts import CARRIERS, GROUPS
from sites.shop.operations import NOW, POSTCODE
from sites.shop.texts import COLOURS
from sites.site_app import Refusal
from sites.world import Row, World

__all__ = ["BILLED", "NOW", "SHIPPED"]

BILLED = "Complete", "Closed", "Processing"
"""The statuses of orders that have an invoice."""
SHIPPED = "Complete", "Closed"
"""The statuses of orders that were sent."""
OPEN = "Pending", "Processing"
"""The statuses of orders that may be shipped."""
DECISIONS = "approved", "not approved", "pending", "delete"
"""Decisions of a clerk about reviews: a status for them, or deletion."""
KINDS = "percent", "amount"
"""The kinds of discounts."""
MOST = 99_999
"""The most pieces of a variant, and the highest price in dollars."""
MONEY = re.compile(r"\$?([0-9]{1,5})(?:\.([0-9]{2}))?")
SKU = re.compile(r"[A-Z][A-Z0-9-]{2,19}")
MAIL = re.compile(r"[^\s@]+@[^\s@]+\.[^\s@.]+")
PHONE = re.compile(r"[0-9+][0-9 -]{4,19}")
TRACKING = re.compile(r"[A-Za-z0-9-]{6,30}")
CHANGED = "Somebody saved {thing} meanwhile. Open its page again and make your change there."


def me(world: World) -> str:
    """Return the name of the clerk who is signed in."""
    return str(world.about["me"])


# Orders


@operation("orders", order_no="orders")
def cancel(world: World, order_no: int) -> None:
    """Cancel an order that was not shipped."""
    order = _order(world, order_no)
    if order["status"] == "Canceled":
        raise Invalid(order_no="This order is canceled already.")
    if order["status"] in SHIPPED or _is_shipped(world, order_no):
        raise Invalid(order_no="This order was shipped, so nobody can cancel it.")
    _set_status(world, order_no, "Canceled")


@operation("order_comments", order_no="orders")
def add_comment(world: World, order_no: int, comment: str, notified: str = "") -> None:
    """Write a comment on an order. With `notified`, the customer gets it as a message."""
    _order(world, order_no)
    if notified not in ("", "yes"):
        raise Invalid(notified="Tick the box or leave it empty.")
    world.write(
        "INSERT INTO order_comments (order_no, author, comment, notified, at)"
        " VALUES (?, ?, ?, ?, ?)",
        (order_no, me(world), clean(comment), notified, NOW),
    )


@operation("order_addresses", order_no="orders")
def save_order_address(
    world: World, order_no: int, kind: str, recipient: str, street: str, city: str, postcode: str
) -> None:
    """Change one address of an order: that of the `shipping` or of the `billing`."""
    _order(world, order_no)
    if kind not in ("shipping", "billing"):
        raise Refusal(400, "An order has a shipping address and a billing address.")
    if not POSTCODE.fullmatch(postcode.strip()):
        raise Invalid(postcode="A postcode has five digits, such as 04109.")
    parts = line(recipient), line(street), line(city), postcode.strip()
    world.write(
        "UPDATE order_addresses SET recipient = ?, street = ?, city = ?, postcode = ?"
        " WHERE order_no = ? AND kind = ?",
        (*parts, order_no, kind),
    )
    if kind == "shipping":
        label = "{0}, {1}, {3} {2}".format(*parts)
        world.write("UPDATE orders SET address = ? WHERE number = ?", (label, order_no))


@operation("shipments", order_no="orders")
def ship(world: World, order_no: int, carrier: str, tracking: str) -> None:
    """Ship an order, or a further parcel of it. The first parcel completes the order."""
    order = _order(world, order_no)
    if order["status"] not in (*OPEN, "Complete"):
        raise Invalid(tracking=f"This order is {order['status'].lower()}, so nothing is shipped.")
    if carrier not in CARRIERS:
        raise Invalid(carrier="Choose one of the carriers.")
    if not TRACKING.fullmatch(tracking.strip()):
        raise Invalid(tracking="Write 6 to 30 letters, digits or hyphens.")
    world.write(
        "INSERT INTO shipments (order_no, carrier, tracking, at) VALUES (?, ?, ?, ?)",
        (order_no, carrier, tracking.strip(), NOW),
    )
    if order["status"] in OPEN:
        _set_status(world, order_no, "Complete")


def _order(world: World, order_no: int) -> Row:
    return one(world, "SELECT * FROM orders WHERE number = ?", (order_no,))


def _is_shipped(world: World, order_no: int) -> bool:
    return bool(world.read("SELECT 1 FROM shipments WHERE order_no = ?", (order_no,)))


def _set_status(world: World, order_no: int, status: str) -> None:
    world.write("UPDATE orders SET status = ? WHERE number = ?", (status, order_no))


# Products


@operation("products", product="products")
def save_product(world: World, product: str, version: int, name: str, about: str) -> None:
    """Change the name and the description of a product."""
    held = one(world, "SELECT version FROM offers WHERE product = ?", (product,))
    if str(held["version"]) != str(version):
        raise Refusal(409, CHANGED.format(thing="this product"))
    world.write(
        "UPDATE products SET name = ?, about = ? WHERE sku = ?", (line(name), clean(about), product)
    )
    world.write("UPDATE offers SET version = version + 1 WHERE product = ?", (product,))


@operation("products", product="products")
def set_status(world: World, product: str, status: str) -> None:
    """Enable a product, or disable it, so that the shop no longer shows it."""
    one(world, "SELECT sku FROM products WHERE sku = ?", (product,))
    if status not in ("enabled", "disabled"):
        raise Invalid(status="Choose enabled or disabled.")
    world.write("UPDATE products SET status = ? WHERE sku = ?", (status, product))


@operation("offers", product="products")
def set_on_sale(world: World, product: str, on_sale: str) -> None:
    """Mark a product as on sale with `yes`, or as not on sale with an empty text."""
    one(world, "SELECT sku FROM products WHERE sku = ?", (product,))
    if on_sale not in ("", "yes"):
        raise Invalid(on_sale="Choose yes or no.")
    world.write("UPDATE offers SET on_sale = ? WHERE product = ?", (on_sale, product))


@operation("variants", variant="variants")
def save_variant(world: World, variant: str, price: str, quantity: str) -> None:
    """Change the price and the stock of a variant."""
    one(world, "SELECT sku FROM variants WHERE sku = ?", (variant,))
    _set(world, variant, _cents("price", price), _pieces(quantity))


@operation("variants")
def save_variants(world: World, chosen: Sequence[str], price: str = "", quantity: str = "") -> None:
    """Give several variants a price, a stock, or both."""
    if not (price.strip() or quantity.strip()):
        raise Invalid(price="Write a price, a stock, or both.")
    cents = _cents("price", price) if price.strip() else None
    pieces = _pieces(quantity) if quantity.strip() else None
    for each in _chosen(world, chosen, "variants", "sku"):
        _set(world, each, cents, pieces)


def _set(world: World, variant: str, cents: int | None, pieces: int | None) -> None:
    """Write the price and the stock of a variant. A product costs what its cheapest one costs."""
    if pieces is not None:
        world.write("UPDATE stock SET quantity = ? WHERE variant = ?", (pieces, variant))
    if cents is not None:
        world.write("UPDATE variants SET price = ? WHERE sku = ?", (cents, variant))
        world.write(
            "UPDATE products SET price = (SELECT min(price) FROM variants WHERE product = products"
            ".sku) WHERE sku = (SELECT product FROM variants WHERE sku = ?)",
            (variant,),
        )


@operation("products")
def add_product(
    world: World,
    sku: str,
    name: str,
    category: str,
    brand: str,
    price: str,
    quantity: str,
    colour: str = "",
    size: str = "",
    about: str = "",
) -> Row:
    """Add a product with one variant, which customers see at once."""
    _check_new(world, sku, category, brand, colour)
    cents, pieces = _cents("price", price), _pieces(quantity)
    world.write(
        "INSERT INTO products (sku, name, brand, category, price, about, details, position, status)"
        " VALUES (?, ?, ?, ?, ?, ?, '', (SELECT count(*) + 1 FROM products WHERE category = ?),"
        " 'enabled')",
        (sku, line(name), brand, category, cents, clean(about), category),
    )
    world.write("INSERT INTO offers VALUES (?, '', 1)", (sku,))
    _add_variant(world, f"{sku}-1", sku, colour, line(size), cents, pieces)
    return {"product": sku}


def _check_new(world: World, sku: str, category: str, brand: str, colour: str) -> None:
    if not SKU.fullmatch(sku):
        raise Invalid(sku="Use 3 to 20 capital letters, digits and hyphens; begin with a letter.")
    if world.read("SELECT 1 FROM products WHERE sku = ?", (sku,)):
        raise Invalid(sku="A product has this SKU. Choose another one.")
    if not world.read("SELECT 1 FROM categories WHERE name = ? AND parent != ''", (category,)):
        raise Invalid(category="Choose one of the categories.")
    if not world.read("SELECT 1 FROM products WHERE brand = ?", (brand,)):
        raise Invalid(brand="Choose one of the brands.")
    if colour and colour not in COLOURS:
        raise Invalid(colour="Choose one of the colours.")


@operation("variants", product="products")
def add_option(world: World, product: str, option: str, value: str, quantity: str) -> None:
    """Add a colour or a size to a product: one variant for each size or colour that it has."""
    if option not in ("colour", "size"):
        raise Invalid(option="Choose colour or size.")
    other = "size" if option == "colour" else "colour"
    held = world.read("SELECT * FROM variants WHERE product = ? ORDER BY rowid", (product,))
    if not any(each[option] for each in held):
        raise Invalid(option=f"This product comes in no {option}s. Choose the other option.")
    if line(value).casefold() in (each[option].casefold() for each in held):
        raise Invalid(value=f"The product has this {option} already.")
    pieces, prices = _pieces(quantity), _lowest(held, other)
    for number, (same, cents) in enumerate(prices.items(), len(held) + 1):
        parts = {option: line(value), other: same}
        sku = f"{product}-{number}"
        _add_variant(world, sku, product, parts["colour"], parts["size"], cents, pieces)


def _lowest(variants: Sequence[Row], option: str) -> Mapping[str, int]:
    """Return the lowest price of the variants with each value of an option."""
    found: dict[str, int] = {}
    for each in variants:
        found[each[option]] = min(each["price"], found.get(each[option], each["price"]))
    return found


def _add_variant(
    world: World, sku: str, product: str, colour: str, size: str, cents: int, pieces: int
) -> None:
    world.write("INSERT INTO variants VALUES (?, ?, ?, ?, ?)", (sku, product, colour, size, cents))
    world.write("INSERT INTO stock VALUES (?, ?)", (sku, pieces))


# Reviews


@operation("reviews", review="reviews")
def decide(world: World, review: int, status: str) -> None:
    """Give a review a status. Customers see approved reviews alone."""
    _decide(world, _chosen(world, [str(review)], "reviews", "id"), status)


@operation("reviews")
def decide_all(world: World, chosen: Sequence[str], decision: str) -> None:
    """Give several reviews a status, or delete them."""
    reviews = _chosen(world, chosen, "reviews", "id")
    if decision == "delete":
        for each in reviews:
            world.write("DELETE FROM reviews WHERE id = ?", (each,))
    else:
        _decide(world, reviews, decision)


@operation("reviews", review="reviews")
def delete_review(world: World, review: int) -> None:
    """Delete a review."""
    [found] = _chosen(world, [str(review)], "reviews", "id")
    world.write("DELETE FROM reviews WHERE id = ?", (found,))


def _decide(world: World, reviews: Sequence[str], status: str) -> None:
    if status not in DECISIONS[:3]:
        raise Invalid(status="Choose one of the list.")
    for each in reviews:
        world.write("UPDATE reviews SET status = ? WHERE id = ?", (status, each))


# Customers, price rules, content


@operation("customers", customer="customers")
def save_customer(world: World, customer: str, email: str, phone: str, customer_group: str) -> None:
    """Change how a customer is reached, and the group."""
    one(world, "SELECT name FROM customers WHERE name = ?", (customer,))
    if not MAIL.fullmatch(email.strip()):
        raise Invalid(email="Write an e-mail address such as ada@mail.example.")
    if not PHONE.fullmatch(phone.strip()):
        raise Invalid(phone="Write a telephone number such as 555-1234.")
    if customer_group not in GROUPS:
        raise Invalid(customer_group="Choose one of the groups.")
    world.write(
        "UPDATE customers SET email = ?, phone = ? WHERE name = ?",
        (email.strip(), phone.strip(), customer),
    )
    world.write(
        "UPDATE accounts SET customer_group = ? WHERE customer = ?", (customer_group, customer)
    )


@operation("rules")
def add_rule(world: World, rule_name: str, kind: str, value: str, customer_group: str) -> Row:
    """Add a price rule: a discount in per cent or in dollars for a group of customers."""
    if kind not in KINDS:
        raise Invalid(kind="Choose percent or amount.")
    if customer_group not in ("All groups", *GROUPS):
        raise Invalid(customer_group="Choose one of the groups.")
    if world.read("SELECT 1 FROM rules WHERE name = ?", (line(rule_name),)):
        raise Invalid(rule_name="A rule has this name. Choose another one.")
    made = world.write(
        "INSERT INTO rules (name, kind, value, customer_group) VALUES (?, ?, ?, ?)",
        (line(rule_name), kind, _discount(kind, value), customer_group),
    )
    return {"rule": made}


def _discount(kind: str, value: str) -> int:
    """Return a discount in per cent or in cents."""
    if kind == "amount":
        return _cents("value", value)
    if not (re.fullmatch(r"[0-9]{1,3}", value.strip()) and 1 <= int(value) <= 100):
        raise Invalid(value="A discount in per cent is a whole number from 1 to 100.")
    return int(value)


@operation("contents")
def save_content(world: World, content: int, version: int, title: str, body: str) -> None:
    """Change the title and the text of a content page."""
    held = one(world, "SELECT version FROM contents WHERE id = ?", (content,))
    if str(held["version"]) != str(version):
        raise Refusal(409, CHANGED.format(thing="this content page"))
    world.write(
        "UPDATE contents SET title = ?, body = ?, version = version + 1 WHERE id = ?",
        (line(title), clean(body), content),
    )


@operation("themes", theme="themes")
def apply_theme(world: World, theme: str) -> None:
    """Let the shop have this theme in place of its present one."""
    one(world, "SELECT name FROM themes WHERE name = ?", (theme,))
    world.write("UPDATE themes SET applied = '' WHERE applied = 'yes' AND name != ?", (theme,))
    world.write("UPDATE themes SET applied = 'yes' WHERE name = ?", (theme,))


# Rows and texts


def _chosen(world: World, keys: Sequence[str], table: str, key: str) -> Sequence[str]:
    """Return the keys of chosen rows.

    Raises:
        Invalid: No row is chosen.
        Refusal: A row is not there (404).
    """
    if not keys:
        raise Invalid(chosen="Choose at least one row.")
    for each in keys:
        one(world, f"SELECT 1 FROM {table} WHERE {key} = ?", (each,))  # noqa: S608 (names of ours)
    return keys


def _cents(field: str, text: str) -> int:
    """Return a price in dollars as cents."""
    found = MONEY.fullmatch(text.strip())
    cents = 100 * int(found[1]) + int(found[2] or 0) if found else 0
    if not cents:
        raise Invalid(**{field: f"Write a price from 0.01 to {MOST}.99, such as 12.50."})
    return cents


def _pieces(text: str) -> int:
    """Return a number of pieces in the stock."""
    if not re.fullmatch(r"[0-9]{1,5}", str(text).strip()):
        raise Invalid(quantity=f"Write a whole number from 0 to {MOST}.")
    return int(text)
