"""The operations of a shop's customer. No other function changes a world of the shop."""

from __future__ import annotations

import re
from typing import Any

from sites._kit.declare import Invalid, one, operation
from sites._kit.texts import clean, line
from sites.shop.tables import CART, LABELS, ORDERS, VARIANTS
from sites.site_app import Refusal
from sites.world import Row, World

NOW = 1_768_478_400.0
"""The frozen time of every visit: 15 January 2026, 12:00 UTC."""
SHIPPING = {"Parcel shop": 295, "Standard": 495, "Express": 1295}
"""The shipping methods, each with its price in cents."""
REASONS = ("Question", "Refund", "Coupon")
MOST = 99
"""The most pieces of a variant in the cart."""
POSTCODE = re.compile(r"[0-9]{5}")
AMOUNT = re.compile(r"[0-9]{1,6}\.[0-9]{2}")


def me(world: World) -> str:
    """Return the name of the customer who is signed in."""
    return str(world.about["me"])


# The cart and orders


@operation("cart", variant="variants")
def add(world: World, variant: str) -> None:
    """Put one piece of a variant into the cart, unless the cart holds it already."""
    found = _variant(world, variant)
    if not found["taken"]:
        _put(world, found, 1)


@operation("cart", variant="variants")
def set_quantity(world: World, variant: str, quantity: int) -> None:
    """Set how many pieces of a variant of the cart are to be bought."""
    found = _variant(world, variant)
    if not found["taken"]:
        raise Refusal(409, "This is no longer in your cart. Put it into the cart first.")
    _put(world, found, int(quantity))


@operation("cart", variant="variants")
def remove(world: World, variant: str) -> None:
    """Take a variant out of the cart, if the cart holds it."""
    _variant(world, variant)
    world.write("DELETE FROM cart WHERE customer = ? AND variant = ?", (me(world), variant))


@operation("cart", order_no="orders")
def reorder(world: World, order_no: int) -> None:
    """Put as many pieces of each line of an order into the cart as the order has."""
    number = _order(world, order_no)["number"]
    for each in world.read("SELECT * FROM lines WHERE order_no = ? ORDER BY id", (number,)):
        found = _variant(world, each["variant"])
        if found["taken"] < each["quantity"]:
            _put(world, found, each["quantity"])


@operation("orders")
def place_order(world: World, address: str, shipping: str) -> Row:
    """Order all that the cart holds, and empty the cart."""
    customer = {"me": me(world)}
    held = world.read(f"{CART} ORDER BY variant", customer)
    if not held:
        raise Invalid(address="Your cart is empty. Put something into it first.")
    if address not in [row["label"] for row in world.read(LABELS, customer)]:
        raise Invalid(address="Choose one of your addresses.")
    if shipping not in SHIPPING:
        raise Invalid(shipping="Choose one of the shipping methods.")
    subtotal, postage = sum(each["sum"] for each in held), SHIPPING[shipping]
    values = (me(world), NOW, address, shipping, subtotal, postage, subtotal + postage)
    number = world.write(
        "INSERT INTO orders (customer, at, status, address, shipping, subtotal, postage, total)"
        " VALUES (?, ?, 'Pending', ?, ?, ?, ?, ?)",
        values,
    )
    for each in held:
        _buy(world, number, each)
    world.write("DELETE FROM cart WHERE customer = ?", (me(world),))
    return {"order_no": number}


def _buy(world: World, number: int, bought: Row) -> None:
    """Write a line of an order, and take its pieces out of the stock."""
    _check_stock(bought, bought["taken"])
    values = (bought[key] for key in ("variant", "product", "name", "choice", "price", "taken"))
    world.write(
        "INSERT INTO lines (order_no, variant, product, name, choice, price, quantity)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        (number, *values),
    )
    world.write(
        "UPDATE stock SET quantity = quantity - ? WHERE variant = ?",
        (bought["taken"], bought["variant"]),
    )


def _put(world: World, variant: Row, quantity: int) -> None:
    """Let the cart hold this many pieces of a variant."""
    if not 1 <= quantity <= MOST:
        raise Invalid(quantity=f"Write a number from 1 to {MOST}.")
    _check_stock(variant, quantity)
    world.write(
        "INSERT INTO cart VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET quantity = excluded.quantity",
        (me(world), variant["variant"], quantity),
    )


def _check_stock(variant: Row, quantity: int) -> None:
    if variant["stock"] < quantity:
        raise Invalid(
            quantity=f"Of {variant['name']} ({variant['choice']}) only {variant['stock']} are left."
            " Choose fewer or another option."
        )


# Wishes, newsletters, reviews


@operation("wishes", product="products")
def add_wish(world: World, product: str) -> None:
    """Put a product on the wish list; this changes nothing if it is there."""
    _product(world, product)
    world.write("INSERT OR IGNORE INTO wishes VALUES (?, ?)", (me(world), product))


@operation("wishes", product="products")
def remove_wish(world: World, product: str) -> None:
    """Take a product off the wish list, if it is there."""
    _product(world, product)
    world.write("DELETE FROM wishes WHERE customer = ? AND product = ?", (me(world), product))


@operation("subscriptions", topic="categories")
def subscribe_to(world: World, topic: str) -> None:
    """Subscribe to the newsletter of a department; this changes nothing if it is subscribed."""
    _topic(world, topic)
    world.write("INSERT OR IGNORE INTO subscriptions VALUES (?, ?)", (me(world), topic))


@operation("subscriptions", topic="categories")
def unsubscribe_from(world: World, topic: str) -> None:
    """End the subscription to a newsletter, if there is one."""
    _topic(world, topic)
    world.write("DELETE FROM subscriptions WHERE customer = ? AND topic = ?", (me(world), topic))


@operation("reviews", product="products")
def review(world: World, product: str, stars: int, nickname: str, title: str, body: str) -> Row:
    """Write a review of a product. The shop shows it to others once it is approved."""
    _product(world, product)
    if str(stars) not in ("1", "2", "3", "4", "5"):
        raise Invalid(stars="Choose one to five stars.")
    made = world.write(
        "INSERT INTO reviews (product, customer, nickname, stars, title, body, at, status)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, 'pending')",
        (product, me(world), line(nickname), int(stars), line(title), clean(body), NOW),
    )
    return {"review": made}


# The account


@operation("addresses", address_no="addresses")
def save_address(
    world: World, address_no: int, recipient: str, street: str, city: str, postcode: str
) -> None:
    """Change one of the customer's addresses. Orders keep the address that they were sent to."""
    found = one(
        world,
        "SELECT id FROM addresses WHERE customer = ? AND id = ?",
        (me(world), _number(address_no)),
    )
    world.write(
        "UPDATE addresses SET recipient = ?, street = ?, city = ?, postcode = ? WHERE id = ?",
        (*_address(recipient, street, city, postcode), found["id"]),
    )


@operation("addresses")
def add_address(world: World, recipient: str, street: str, city: str, postcode: str) -> None:
    """Add an address to those of the customer."""
    world.write(
        "INSERT INTO addresses (customer, recipient, street, city, postcode)"
        " VALUES (?, ?, ?, ?, ?)",
        (me(world), *_address(recipient, street, city, postcode)),
    )


def _address(recipient: str, street: str, city: str, postcode: str) -> tuple[str, ...]:
    """Return the parts of an address in normal form."""
    if not POSTCODE.fullmatch(postcode.strip()):
        raise Invalid(postcode="A postcode has five digits, such as 04109.")
    return line(recipient), line(street), line(city), postcode.strip()


@operation("messages")
def send_message(world: World, reason: str, order_number: str, amount: str, text: str) -> Row:
    """Send a message to the shop, with an order and an amount if they matter."""
    number, amount = order_number.strip(), amount.strip().removeprefix("$")
    if reason not in REASONS:
        raise Invalid(reason="Choose one of the reasons.")
    if number and not world.read(
        "SELECT 1 FROM orders WHERE customer = ? AND number = ?", (me(world), _number(number))
    ):
        raise Invalid(order_number="You have no order with this number. Look at your orders.")
    if amount and not AMOUNT.fullmatch(amount):
        raise Invalid(amount="Write an amount such as 12.50.")
    made = world.write(
        "INSERT INTO messages (customer, reason, order_number, amount, body, at)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        (me(world), reason, number, amount, clean(text), NOW),
    )
    return {"message": made}


# Rows and texts


def _product(world: World, sku: str) -> Row:
    return one(world, "SELECT * FROM products WHERE sku = ? AND status = 'enabled'", (sku,))


def _variant(world: World, sku: str) -> Row:
    """Return a variant with the pieces of it in the cart (`taken`) and in the stock.

    A variant of a product that is no longer offered has none in the stock.
    """
    values = {"me": me(world), "variant": sku}
    sql = f"SELECT * FROM ({VARIANTS}) WHERE variant = :variant"  # noqa: S608 (declared)
    found = one(world, sql, values)
    return found if found["status"] == "enabled" else {**found, "stock": 0}


def _topic(world: World, name: str) -> Row:
    return one(world, "SELECT * FROM categories WHERE name = ? AND parent = ''", (name,))


def _order(world: World, number: Any) -> Row:
    """Return an order of the customer."""
    values = {"me": me(world), "number": _number(number)}
    return one(world, f"{ORDERS} AND number = :number", values)


def _number(text: Any) -> int:
    """Return a text as the number of a row, -1 if it is none."""
    return int(text) if re.fullmatch(r"[0-9]{1,12}", str(text)) else -1
