"""Bad input through the pages, drafts, and the way from a product to an order."""

from __future__ import annotations

import pytest

from sites.kit import drafts
from sites.shop import SITE
from sites.shop.tables import ADDRESSES
from tests.sites.shop.conftest import SKINS

TABLES = [each.name for each in SITE.tables]
MESSAGE = {"reason": "Refund", "order_number": "", "amount": "", "text": "It broke."}
REVIEW = {"stars": "4", "nickname": "Ada", "title": "Good", "body": "It works."}
HOME = {"recipient": "Ada", "street": "3 Mill Lane", "city": "Calder", "postcode": "04109"}


def rows(visit):
    """Everything that a visit can change, apart from the journal."""
    return {each: visit.world.read(f"SELECT * FROM {each}") for each in TABLES}


WRONG = {
    "no reason": ("send_message", "contact", {**MESSAGE, "reason": ""}, "Reason: fill this in."),
    "another reason": ("send_message", "contact", {**MESSAGE, "reason": "Praise"}, "of the list"),
    "a long text": ("send_message", "contact", {**MESSAGE, "text": "x" * 2001}, "at most 2000"),
    "no such order": (
        "send_message",
        "contact",
        {**MESSAGE, "order_number": "999999"},
        "You have no order with this number.",
    ),
    "no amount": ("send_message", "contact", {**MESSAGE, "amount": "ten"}, "such as 12.50"),
    "a short postcode": ("add_address", "new_address", {**HOME, "postcode": "41"}, "five digits"),
    "no street": ("add_address", "new_address", {**HOME, "street": " "}, "Street: fill this in."),
    "six stars": (
        "send_review",
        "write_review",
        {**REVIEW, "stars": "6"},
        "choose one of the list",
    ),
    "no stars": ("send_review", "write_review", {**REVIEW, "stars": ""}, "Stars: fill this in."),
    "a long name": ("send_review", "write_review", {**REVIEW, "nickname": "x" * 41}, "at most 40"),
}


@pytest.mark.parametrize("why", WRONG)
def test_a_wrong_field_is_named_and_the_text_is_kept(corner, why):
    form, page, values, sentence = WRONG[why]
    before, product = rows(corner), corner.variant()["product"]
    args = {"product": product} if page == "write_review" else {}
    response = corner.send(form, page, {**values, **args}, **args)
    assert response.status_code == 400
    assert sentence in response.text
    assert rows(corner) == before
    assert [*values.values()][-1] in response.text


@pytest.mark.parametrize("skin", SKINS)
def test_from_a_product_to_an_order(visit, skin):
    opened = visit(skin)
    bought = opened.variant()
    args = {"product": bought["product"]}
    opened.send("add", "product", {"variant": bought["sku"]}, **args)
    place = {**args, "variant": bought["sku"]}
    opened.send("set_quantity", "variant", {"variant": bought["sku"], "quantity": "3"}, **place)
    assert bought["name"] in opened.open("cart").text
    label = opened.world.read(ADDRESSES, {"me": opened.me})[0]["label"]
    values = {"address": label, "shipping": "Express"}
    response = opened.send("place_order", "checkout", values)
    made = opened.client.get(response.location).text
    assert bought["name"] in made and f"${(3 * bought['price'] + 1295) / 100:,.2f}" in made
    assert opened.send("place_order", "checkout", values).status_code == 409
    assert 'class="place_order"' not in opened.open("checkout").text


def test_the_checkout_takes_own_addresses_alone(corner):
    corner.send(
        "add", "product", {"variant": corner.variant()["sku"]}, product=corner.variant()["product"]
    )
    before = rows(corner)
    other = corner.one("SELECT customer FROM addresses WHERE customer != ?", corner.me)["customer"]
    label = corner.world.read(ADDRESSES, {"me": other})[0]["label"]
    response = corner.send("place_order", "checkout", {"address": label, "shipping": "Express"})
    assert response.status_code == 400 and "choose one of the list" in response.text
    assert label not in corner.open("checkout").text
    assert rows(corner) == before


def test_more_than_the_stock_is_refused(corner):
    bought = corner.variant()
    place = {"product": bought["product"], "variant": bought["sku"]}
    corner.send("add", "variant", {"variant": bought["sku"]}, **place)
    before = rows(corner)
    for wrong in (bought["quantity"] + 1, 0, -1, 100, "two"):
        values = {"variant": bought["sku"], "quantity": str(wrong)}
        assert corner.send("set_quantity", "variant", values, **place).status_code == 400, wrong
    assert rows(corner) == before


def test_a_draft_is_kept_and_told_and_ends_when_it_is_sent(corner):
    before = rows(corner)
    assert "is a draft" not in corner.open("contact").text
    kept = corner.send("send_message", "contact", {**MESSAGE, "keep": "yes"})
    page = corner.client.get(kept.location).text
    assert "This message is a draft" in page and "It broke." in page
    assert rows(corner) == before
    logged = corner.world.read("SELECT * FROM log_drafts")
    assert drafts(logged) == {"send_message": MESSAGE}
    sent = corner.send("send_message", "contact", {**MESSAGE, "once": "1"})
    assert "It broke." in corner.client.get(sent.location).text
    assert "is a draft" not in corner.open("contact").text


def test_an_address_is_changed_in_place_and_orders_keep_theirs(corner):
    old = corner.one("SELECT * FROM addresses WHERE customer = ?", corner.me)
    orders = corner.world.read("SELECT * FROM orders")
    place = {"address_no": old["id"]}
    sent = corner.send("save_address", "address", {**HOME, **place}, **place)
    assert "3 Mill Lane" in corner.client.get(sent.location).text
    assert corner.world.read("SELECT * FROM orders") == orders


def test_ten_megabytes_are_refused(corner):
    values = {**MESSAGE, "text": "x" * 10_000_000}
    assert corner.send("send_message", "contact", values).status_code == 413


def test_no_text_becomes_html(corner):
    script = "<script>alert(1)</script>"
    sent = corner.send("send_message", "contact", {**MESSAGE, "text": script})
    page = corner.client.get(sent.location).text
    assert "<script" not in page and "&lt;script&gt;" in page


def test_a_form_without_the_token_of_the_page_changes_nothing(corner):
    before = rows(corner)
    sent = {
        "form": "add_wish",
        "once": "0",
        "product": corner.variant()["product"],
        "csrf": "guess",
    }
    url = corner.url("product", product=corner.variant()["product"])
    assert corner.client.post(url, data=sent).status_code == 400
    assert rows(corner) == before
