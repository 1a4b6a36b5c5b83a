from __future__ import annotations

import json
from dataclasses import replace

import pytest

from sites.site_app import Refusal
from sites.store import new_world
from sites.store.account import operations as customer
from sites.store.account import orders
from sites.store.account.account import Address
from sites.store.account.operations import Invalid
from sites.store.catalogue.reviews import reviews
from sites.store.shop import operations
from sites.store.shop.address import DIRECTIONS, SORTS, Listing
from sites.world import WorldClosed

GOOD = Address("Ann Lee", "1 Hill Road", "Fordville, SD", "57001", "United States", "605-555-0101")


@pytest.fixture
def world(my_shop):
    return my_shop.world


def refused(status: int, act, *values, **named) -> str:
    with pytest.raises(Refusal) as caught:
        act(*values, **named)
    assert caught.value.status == status
    return str(caught.value)


def last_page(world) -> dict:
    return world.snapshot()["log_pages"][-1]


def test_the_dashboard_is_the_account(world, account):
    found = orders.dashboard(world)
    assert (found.name, found.email) == (account.name, account.email)
    assert found.address == account.addresses[0]
    assert tuple(found.orders) == account.orders[:5]
    assert last_page(world)["page"] == "account"


def test_orders_come_ten_a_page_the_newest_first(world, account):
    last = -(-len(account.orders) // 10)
    shown = [orders.orders(world, page) for page in range(1, last + 1)]
    assert tuple(order for page in shown for order in page.orders) == account.orders
    assert {page.last for page in shown} == {last}
    assert (last_page(world)["page"], last_page(world)["number"]) == ("orders", last)


@pytest.mark.parametrize("page", [0, -1, 4, 10**8])
def test_pages_of_orders_out_of_range_are_refused(world, page):
    before = world.snapshot()
    assert "There is no page" in refused(404, orders.orders, world, page)
    assert world.snapshot() == before


def test_an_order_is_found_by_its_number(world, account):
    for order in account.orders:
        assert orders.order(world, order.number) == order
        assert last_page(world)["page"] == "order"
        assert last_page(world)["number"] == int(order.number)


@pytest.mark.parametrize("number", ["", "1", "x" * 5000, "' OR 1=1 --", "1" * 9, "100000000.0"])
def test_unknown_orders_are_refused(world, number):
    before = world.snapshot()
    assert len(refused(404, orders.order, world, number)) < 200
    assert world.snapshot() == before


# Addresses --------------------------------------------------------------------------------------


def test_an_address_is_changed_and_orders_keep_theirs(world, account):
    assert [each.address for each in orders.addresses(world)] == list(account.addresses)
    customer.change_address(world, 1, replace(GOOD, name="  Ann \n Lee ", city="Fordville,\tSD"))
    changed = [(each.number, each.address) for each in orders.addresses(world)]
    assert changed == [(1, GOOD), (2, account.addresses[1])]
    assert customer.open_address(world, 1) == GOOD
    assert tuple(orders.orders(world).orders) == account.orders[:10]


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("name", " ", "Enter your name."),
        ("name", "\u0000\u200b", "Enter your name."),
        ("street", "", "Enter a street and number."),
        ("city", "x" * 81, "at most 80 characters, not 81"),
        ("postcode", "5700", "five digits"),
        ("postcode", "٥٧٠٠١", "five digits"),
        ("postcode", "", "five digits"),
        ("country", "Atlantis", "from the list"),
        ("country", "", "from the list"),
        ("phone", "call me", "phone number"),
        ("phone", "1" * 200, "phone number"),
        ("phone", "", "phone number"),
    ],
)
def test_what_is_wrong_with_an_address_is_told_by_field(world, field, value, sentence):
    before = world.snapshot()
    with pytest.raises(Invalid) as caught:
        customer.change_address(world, 1, replace(GOOD, **{field: value}))
    assert (caught.value.status, set(caught.value.errors)) == (400, {field})
    assert sentence in caught.value.errors[field]
    assert world.snapshot() == before


def test_every_wrong_field_is_told_at_once(world):
    with pytest.raises(Invalid) as caught:
        customer.change_address(world, 1, Address("", "", "", "", "", ""))
    assert set(caught.value.errors) == {"name", "street", "city", "postcode", "country", "phone"}


def test_postcodes_of_other_countries_hold_letters(world):
    there = replace(GOOD, country="United Kingdom", postcode="SW1A 1AA", phone="+44 20 7946 0101")
    assert customer.change_address(world, 2, there) == there
    with pytest.raises(Invalid):
        customer.change_address(world, 2, replace(there, postcode="?"))


@pytest.mark.parametrize("number", [0, 3, -1, 10**8])
def test_addresses_that_are_not_in_the_book_are_refused(world, number):
    before = world.snapshot()
    refused(404, customer.open_address, world, number)
    refused(404, customer.change_address, world, number, GOOD)
    assert world.snapshot() == before


# Wishes -----------------------------------------------------------------------------------------


def test_a_wish_is_there_once_until_it_is_removed(data, world):
    one, two = list(data.catalogue.asins())[:2]
    for asin in (two, one, two):
        customer.wish(world, data, asin)
    assert customer.wishes(world) == (two, one)
    assert last_page(world)["page"] == "wishlist"
    before = world.digest()
    customer.unwish(world, "NOPE")
    assert world.digest() == before
    customer.unwish(world, two)
    assert customer.wished(world) == (one,)


def test_only_products_can_be_wished_for(data, world):
    before = world.snapshot()
    refused(404, customer.wish, world, data, "NOPE")
    assert world.snapshot() == before


def test_wishes_of_the_account_are_there_from_the_start(data, account):
    asins = tuple(data.catalogue.asins())[3:1:-1]
    assert customer.wishes(new_world("s", "x", replace(account, wishes=asins))) == asins


# The contact form -------------------------------------------------------------------------------


def test_a_draft_is_in_the_journal_only(world):
    before = world.digest()
    customer.draft(world, "subject", "Refund")
    customer.draft(world, "text", "It broke.")
    assert world.digest() == before
    assert customer.open_contact(world) == {
        "order_number": "",
        "subject": "Refund",
        "text": "It broke.",
    }


def test_typing_on_leaves_one_draft(world):
    for text in ("R", "Ref", "Refund"):
        customer.draft(world, "subject", text)
    customer.draft(world, "text", "It broke.")
    customer.draft(world, "subject", "Money back")
    rows = [(row["field"], row["value"]) for row in world.snapshot()["log_drafts"]]
    assert rows == [("subject", "Refund"), ("text", "It broke."), ("subject", "Money back")]


def test_a_long_draft_is_cut_and_other_fields_are_refused(world):
    customer.draft(world, "text", "x" * 100_000)
    assert len(customer.drafts(world)["text"]) == 5_000
    refused(400, customer.draft, world, "csrf", "x")
    assert set(customer.drafts(world)) == {"order_number", "subject", "text"}


def test_a_message_is_sent_and_the_form_is_empty(world, account):
    number = account.orders[0].number
    customer.draft(world, "subject", "Refund")
    customer.send_message(world, f" {number}", " Refund  please ", "It broke.\r\nSorry. ")
    (message,) = customer.messages(world)
    assert (message.order_number, message.subject) == (number, "Refund please")
    assert message.text == "It broke.\nSorry."
    assert set(customer.drafts(world).values()) == {""}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("order_number", "123456789"),
        ("order_number", "x" * 100_000),
        ("subject", " \n "),
        ("subject", "x" * 121),
        ("text", ""),
        ("text", "x" * 4_001),
    ],
)
def test_what_is_wrong_with_a_message_is_told_by_field(world, field, value):
    sent = {"order_number": "", "subject": "Refund", "text": "It broke.", field: value}
    before = world.snapshot()
    with pytest.raises(Invalid) as caught:
        customer.send_message(world, **sent)
    assert set(caught.value.errors) == {field}
    assert len(caught.value.errors[field]) < 200
    assert world.snapshot() == before


def test_a_form_is_sent_once_and_its_late_drafts_are_dropped(world):
    customer.send_message(world, "", "Refund", "It broke.", after=0)
    before = world.snapshot()
    assert "already" in refused(
        409, customer.send_message, world, "", "Refund", "It broke.", after=0
    )
    refused(409, customer.draft, world, "text", "It broke.", after=0)
    assert world.snapshot() == before
    customer.send_message(world, "", "Another", "It broke again.", after=1)
    assert len(customer.messages(world)) == 2


# Reviews and categories --------------------------------------------------------------------------


def test_reviews_come_eight_a_page(data, world):
    product = next(p for p in data.catalogue if 17 <= p.review_count < 40)
    last = -(-product.review_count // 8)
    shown = [customer.reviews_page(world, data, product.asin, page) for page in range(1, last + 1)]
    together = tuple(review for page in shown for review in page.reviews)
    assert together == reviews(product, product.review_count)
    assert (last_page(world)["page"], last_page(world)["number"]) == ("Reviews", last)
    refused(404, customer.reviews_page, world, data, product.asin, last + 1)
    refused(404, customer.reviews_page, world, data, product.asin, 0)


def test_a_product_without_reviews_has_one_empty_page(data, world):
    product = next(p for p in data.catalogue if not p.review_count)
    assert customer.reviews_page(world, data, product.asin).reviews == ()
    refused(404, customer.reviews_page, world, data, product.asin, 2)


@pytest.mark.parametrize("sort", SORTS)
@pytest.mark.parametrize("direction", DIRECTIONS)
def test_a_category_is_sorted_twelve_a_page(data, world, sort, direction):
    name = "garden"
    inside = [product for product in data.catalogue if product.category == name]
    first = customer.category(world, data, name, 1, sort, direction)
    pages = [
        customer.category(world, data, name, page, sort, direction)
        for page in range(1, first.last + 1)
    ]
    shown = [product for page in pages for product in page.products]
    keys = {
        "position": inside.index,
        "name": lambda product: product.name.casefold(),
        "price": lambda product: product.pricing[0],
        "rating": lambda product: product.rating,
    }
    assert shown == sorted(inside, key=keys[sort], reverse=direction == "desc")
    assert first.total == len(inside)
    assert {len(page.products) for page in pages[:-1]} == {12}
    row = last_page(world)
    assert (row["page"], row["number"]) == ("category", first.last)
    assert json.loads(row["options"]) == {"name": name, "sort": sort, "direction": direction}
    assert customer.last_listing(world) == Listing(name, first.last, sort, direction)


def test_every_product_stands_in_its_category_and_among_its_type(data, world):
    shelves = data.shelves.categories
    assert set(shelves) == {product.category for product in data.catalogue}
    for kinds in shelves.values():
        for kind in kinds:
            found = customer.category(world, data, kind)
            assert found.total == sum(product.kind == kind for product in data.catalogue)
            assert {product.kind for product in found.products} == {kind}


@pytest.mark.parametrize(
    ("status", "wanted"),
    [
        (404, {"name": "nonsense"}),
        (404, {"name": ""}),
        (404, {"page": 0}),
        (404, {"page": 10**6}),
        (400, {"sort": "asin"}),
        (400, {"direction": "up"}),
    ],
)
def test_listings_that_do_not_exist_are_refused(data, world, status, wanted):
    before = world.snapshot()
    refused(status, customer.category, world, data, **{"name": "garden", **wanted})
    assert world.snapshot() == before


# Guests and closed worlds ------------------------------------------------------------------------


def test_a_guest_has_none_of_it(data):
    guest = new_world("s", "x")
    asin = next(iter(data.catalogue)).asin
    before = guest.snapshot()
    for act in (
        orders.dashboard,
        orders.orders,
        orders.addresses,
        customer.wishes,
        customer.open_contact,
        lambda world: orders.order(world, "1"),
        lambda world: customer.open_address(world, 1),
        lambda world: customer.change_address(world, 1, GOOD),
        lambda world: customer.wish(world, data, asin),
        lambda world: customer.unwish(world, asin),
        lambda world: customer.draft(world, "text", "x"),
        lambda world: customer.send_message(world, "", "x", "x"),
        lambda world: customer.category(world, data, "garden"),
    ):
        assert "signed in" in refused(404, act, guest)
    assert guest.snapshot() == before


def test_a_closed_world_is_looked_at_but_not_changed(data, world, account):
    world.close()
    before = world.snapshot()
    assert orders.dashboard(world).name == account.name
    assert orders.orders(world).orders
    assert customer.category(world, data, "garden").products
    asin = next(iter(data.catalogue)).asin
    for act in (
        lambda: customer.change_address(world, 1, GOOD),
        lambda: customer.wish(world, data, asin),
        lambda: customer.unwish(world, asin),
        lambda: customer.draft(world, "text", "x"),
        lambda: customer.send_message(world, "", "x", "x"),
    ):
        with pytest.raises(WorldClosed):
            act()
    assert world.snapshot() == before


def test_orders_of_the_account_are_no_purchases_of_the_visit(my_shop):
    assert operations.purchase_count(my_shop.world) == 0
