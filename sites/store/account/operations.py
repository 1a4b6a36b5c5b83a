"""Operations of a signed-in customer on a visit's database (its world), for the pages and for
reference solutions.

Every operation raises `Refusal` (404, 400 or 409) for a request that the store does not accept, and
then changes nothing. Every page that the customer opens becomes a line of the journal. After the
end of the visit the database can still be read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, astuple, dataclass

from sites.site_app import Refusal
from sites.store.account import orders
from sites.store.account.account import COUNTRIES, WAITING_STATUSES, Address
from sites.store.account.customer import order_of
from sites.store.catalogue.product import Product
from sites.store.catalogue.reviews import Review
from sites.store.catalogue.stock import Stock
from sites.store.market.account.account import MarketOrder
from sites.store.shop import operations
from sites.store.shop.address import DIRECTIONS, SORTS, Listing, split_query
from sites.store.shop.journal import as_json, log_page
from sites.store.shop.world import addresses_of
from sites.world import World

REVIEWS_PER_PAGE = 8
PRODUCTS_PER_PAGE = 12
CONTACT_FIELDS = ("order_number", "subject", "text")
LONGEST_SUBJECT, LONGEST_TEXT, LONGEST_DRAFT = 120, 4_000, 5_000
LONGEST_LINE = 80
POSTCODE = re.compile(r"[A-Za-z0-9][A-Za-z0-9 -]{1,10}[A-Za-z0-9]")
ZIP_CODE = re.compile(r"[0-9]{5}(-[0-9]{4})?")
PHONE = re.compile(r"\+?[0-9][0-9 ().-]{5,23}[0-9]")


class Invalid(Refusal):
    """A refusal of a form (400); `errors` gives a sentence for every field with a wrong value."""

    def __init__(self, errors: Mapping[str, str]) -> None:
        super().__init__(400, " ".join(errors.values()))
        self.errors = dict(errors)


def raise_wrong(errors: Mapping[str, str]) -> None:
    """Raise `Invalid` with the fields whose error message is not empty; return if all are empty."""
    wrong = {field: sentence for field, sentence in errors.items() if sentence}
    if wrong:
        raise Invalid(wrong)


@dataclass(frozen=True)
class ReviewsPage:
    """One page of a product's reviews; `last` is the number of the last page."""

    page: int
    last: int
    product: Product
    reviews: tuple[Review, ...]


@dataclass(frozen=True)
class Message:
    """A message sent with the contact form; `order_number` is "" if the message names no order."""

    order_number: str
    subject: str
    text: str


@dataclass(frozen=True)
class CategoryPage:
    """One page of a category; `total` counts the products on all pages, `last` is the last page."""

    listing: Listing
    last: int
    total: int
    products: tuple[Product, ...]


# Orders -------------------------------------------------------------------------------------------


def destinations(world: World, shown: MarketOrder) -> dict[int, Address]:
    """Return the addresses of the book to which an order can be redirected, by id.

    The mapping is empty once the order is being prepared.
    """
    book = addresses_of(world) if shown.status in WAITING_STATUSES else {}
    return {number: each for number, each in book.items() if each != shown.ship_to}


def redirect_order(world: World, number: str, to: int) -> None:
    """Redirect an order that was not prepared yet to the address with the id `to`.

    Raises:
        Refusal: The order or the address does not exist (404), or the order is being
            prepared (409).
        WorldClosed: The visit is over.
    """
    with world.lock:
        if orders.find(world, number).status not in WAITING_STATUSES:
            raise Refusal(409, "The address of this order can no longer be changed.")
        ship_to = as_json(asdict(_address(world, to)))
        world.write("UPDATE market_orders SET ship_to = ? WHERE number = ?", (ship_to, number))


# Addresses ---------------------------------------------------------------------------------------


def open_address(world: World, number: int) -> Address:
    """Return an address of the book, and record in the journal that its form was opened. Raises
    `Refusal` (404).
    """
    orders.check_customer(world)
    found = _address(world, number)
    log_page(world, "address", number=number)
    return found


def change_address(world: World, number: int, address: Address) -> Address:
    """Replace an address of the book and return it as it was stored, with blanks cleaned up.

    Raises:
        Refusal: The customer has no address with this number (404).
        Invalid: A field has a wrong value (400); it holds one sentence per field.
    """
    orders.check_customer(world)
    _address(world, number)
    clean = Address(**{field: _line_of(text) for field, text in asdict(address).items()})
    raise_wrong(_wrong_address(clean))
    world.write(
        "UPDATE addresses SET name = ?, street = ?, city = ?, postcode = ?, country = ?, phone = ?"
        " WHERE id = ?",
        (*astuple(clean), number),
    )
    return clean


def _wrong_address(address: Address) -> dict[str, str]:
    country = "" if address.country in COUNTRIES else "Choose a country from the list."
    phone = "Enter a phone number of 7 to 25 digits, such as 312-555-0142."
    return {
        "name": _wrong_text(address.name, "your name", LONGEST_LINE),
        "street": _wrong_text(address.street, "a street and number", LONGEST_LINE),
        "city": _wrong_text(address.city, "a city", LONGEST_LINE),
        "country": country,
        "postcode": _wrong_postcode(address),
        "phone": "" if PHONE.fullmatch(address.phone) else phone,
    }


def _wrong_postcode(address: Address) -> str:
    if address.country == COUNTRIES[0]:
        pattern, what = ZIP_CODE, "a ZIP code of five digits, such as 60614"
    else:
        pattern, what = POSTCODE, "a postcode of 3 to 12 letters and digits"
    return "" if pattern.fullmatch(address.postcode) else f"Enter {what}."


# Wishes ------------------------------------------------------------------------------------------


def wish(world: World, data: Stock, asin: str) -> None:
    """Put a product on the wish list, unless the product is already there."""
    orders.check_customer(world)
    item = operations.product(data, asin)
    world.write("INSERT OR IGNORE INTO wishes (asin) VALUES (?)", (item.asin,))


def unwish(world: World, asin: str) -> None:
    """Take a product off the wish list, if it is there."""
    orders.check_customer(world)
    world.write("DELETE FROM wishes WHERE asin = ?", (asin,))


def wishes(world: World) -> tuple[str, ...]:
    """Return the asins (product codes) on the wish list in the order in which they were added, and
    record that the list was opened.
    """
    orders.check_customer(world)
    log_page(world, "wishlist")
    return wished(world)


def wished(world: World) -> tuple[str, ...]:
    """Return the asins (product codes) on the wish list, without recording that it was opened."""
    return tuple(row["asin"] for row in world.read("SELECT asin FROM wishes ORDER BY id"))


# The contact form --------------------------------------------------------------------------------


def open_contact(world: World) -> dict[str, str]:
    """Return the current text of each field of the contact form, and record that the form was
    opened.
    """
    orders.check_customer(world)
    log_page(world, "contact")
    return drafts(world)


def drafts(world: World) -> dict[str, str]:
    """Return the last unsent text of every field of the contact form, "" for a field
    without one.
    """
    rows = world.read("SELECT field, value FROM log_drafts ORDER BY id")
    return {**dict.fromkeys(CONTACT_FIELDS, ""), **{row["field"]: row["value"] for row in rows}}


def messages(world: World) -> tuple[Message, ...]:
    """Return the messages that the customer sent, the oldest first."""
    rows = world.read("SELECT order_number, subject, text FROM messages ORDER BY id")
    return tuple(Message(**row) for row in rows)


def draft(world: World, field: str, value: str, after: int | None = None) -> None:
    """Store the current, unsent text of a field of the contact form, cut to a maximum length.

    A new draft replaces the previous draft of that field, so the journal does not show how fast
    somebody types.

    Args:
        field: order_number, subject or text.
        after: The number of messages sent when the form was rendered. An older form is
            refused (409). None skips this check.

    Raises:
        Refusal: The field does not exist (400), or the form is outdated (409).
        WorldClosed: The visit is over.
    """
    orders.check_customer(world)
    if field not in CONTACT_FIELDS:
        raise Refusal(400, f"The form has no field “{operations.short(field)}”.")
    with world.lock:
        _check_form(world, after)
        _write_draft(world, field, value[:LONGEST_DRAFT])


def _write_draft(world: World, field: str, value: str) -> None:
    last = world.read("SELECT id, field FROM log_drafts ORDER BY id DESC LIMIT 1")
    if last and last[0]["field"] == field:
        world.write("UPDATE log_drafts SET value = ? WHERE id = ?", (value, last[0]["id"]))
    else:
        world.write("INSERT INTO log_drafts (field, value) VALUES (?, ?)", (field, value))


def send_message(
    world: World, order_number: str, subject: str, text: str, after: int | None = None
) -> None:
    """Send the contact form and empty its fields.

    Args:
        order_number: The order that the message is about; "" for none.
        after: As in `draft`: a form can be sent only once.

    Raises:
        Invalid: A field has a wrong value (400).
        Refusal: The form is outdated (409).
        WorldClosed: The visit is over.
    """
    orders.check_customer(world)
    number, subject = _line_of(order_number), _line_of(subject)
    text = "\n".join(text.splitlines()).strip()
    raise_wrong(_wrong_message(world, number, subject, text))
    with world.lock:
        _check_form(world, after)
        world.write(
            "INSERT INTO messages (order_number, subject, text) VALUES (?, ?, ?)",
            (number, subject, text),
        )
        for field, value in drafts(world).items():
            if value:
                draft(world, field, "")


def _wrong_message(world: World, number: str, subject: str, text: str) -> dict[str, str]:
    known = not number or order_of(world, number)
    unknown = "You have no order with this number. Look it up in My Orders, or leave this empty."
    return {
        "order_number": "" if known else unknown,
        "subject": _wrong_text(subject, "a subject", LONGEST_SUBJECT),
        "text": _wrong_text(text, "a message", LONGEST_TEXT),
    }


def _check_form(world: World, after: int | None) -> None:
    if after is not None and after != len(messages(world)):
        sentence = "This form was sent already, so nothing was sent again."
        raise Refusal(409, f"{sentence} Open Contact Us again to write another message.")


# Reviews and categories --------------------------------------------------------------------------


def reviews_page(
    world: World,
    data: Stock,
    asin: str,
    page: int = 1,
    options: Mapping[str, str] | None = None,
) -> ReviewsPage:
    """Return a page of eight reviews of a product, and record that it was opened; without reviews
    the page is empty.
    """
    item = operations.product(data, asin)
    chosen = operations.choose(item, options or {})
    every = range(item.review_count)
    last, shown = operations.turn(every, page, REVIEWS_PER_PAGE, "of these reviews")
    first = (page - 1) * REVIEWS_PER_PAGE
    log_page(world, "Reviews", item.asin, chosen, page)
    return ReviewsPage(page, last, item, tuple(data.reviews(item, first, first + len(shown))))


def category(
    world: World,
    data: Stock,
    name: str,
    page: int = 1,
    sort: str = SORTS[0],
    direction: str = DIRECTIONS[0],
) -> CategoryPage:
    """Return a page of twelve products of a category or product type, sorted as in `listing`, and
    record that it was opened.
    """
    orders.check_customer(world)
    if name not in data.shelves:
        raise Refusal(404, f"There is no category “{operations.short(name)}”.")
    if sort not in SORTS or direction not in DIRECTIONS:
        raise Refusal(400, "A category cannot be sorted like that. Use the links above the list.")
    positions = data.shelves.listing(name, sort, direction)
    last, shown = operations.turn(positions, page, PRODUCTS_PER_PAGE, "of this category")
    options = {"name": name, "sort": sort, "direction": direction}
    log_page(world, "category", options=options, number=page)
    products = tuple(operations.product(data, asin) for asin in data.catalogue.at(shown))
    return CategoryPage(Listing(name, page, sort, direction), last, len(positions), products)


def last_listing(world: World) -> Listing | None:
    """Return the category page that was opened last, or None."""
    rows = world.read("SELECT * FROM log_pages WHERE page = 'category' ORDER BY id DESC LIMIT 1")
    return Listing(page=rows[0]["number"], **json.loads(rows[0]["options"])) if rows else None


# Helpers ------------------------------------------------------------------------------------------


def _address(world: World, number: int) -> Address:
    found = addresses_of(world).get(number)
    if found is None:
        raise Refusal(404, f"There is no address {number} in your address book.")
    return found


def _line_of(text: str) -> str:
    """Return the text in one line, without control characters or surplus blanks."""
    return " ".join(split_query(text))


def _wrong_text(text: str, what: str, longest: int) -> str:
    if not text:
        return f"Enter {what}."
    if len(text) > longest:
        return f"Enter {what} of at most {longest} characters, not {len(text)}."
    return ""
