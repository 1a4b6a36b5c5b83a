"""Changes of a clerk show in the shop, and a refused one leaves it as it was."""

from __future__ import annotations

import pytest

from sites.admin import operations as do
from sites.admin import tables as of

SIMPLE = f"SELECT * FROM ({of.PRODUCTS}) WHERE variants = 1 AND status = 'enabled'"


@pytest.fixture
def product(counter):
    return counter.one(f"{SIMPLE} ORDER BY product")


def in_shop(visit, product):
    return visit.open("shop_product", product=product["product"]).text


def save(visit, product, price, quantity):
    """Send the form of a product's page with a price and a stock."""
    values = {"variant": product["only"], "price": price, "quantity": quantity}
    return visit.send("save_simple", "product", values, product=product["product"])


def test_a_price_shows_on_the_page_and_in_the_list_of_the_shop(counter, product):
    assert "$1,234.56" not in in_shop(counter, product)
    assert save(counter, product, "1234.56", str(product["stock"])).status_code == 303
    assert "$1,234.56" in in_shop(counter, product)
    category = counter.open("shop_category", category=product["category"], sort="price_desc")
    assert "$1,234.56" in category.text


def test_a_product_costs_what_its_cheapest_variant_costs(counter):
    several = counter.one(f"SELECT * FROM ({of.PRODUCTS}) WHERE variants > 3 AND status='enabled'")
    dearest = counter.one(
        of.VARIANTS + " WHERE v.product = ? ORDER BY v.price DESC", several["product"]
    )
    form = {"variant": dearest["variant"], "price": "0.37", "quantity": "5"}
    counter.send("save_variant", "variant", form, variant=dearest["variant"])
    category = counter.open("shop_category", category=several["category"], sort="price")
    assert category.text.index("$0.37") < category.text.index("$", category.text.index("$0.37") + 1)
    assert "$0.37" in in_shop(counter, several)


def test_a_stock_shows_in_the_shop(counter, product):
    before = in_shop(counter, product)
    assert save(counter, product, product["amount"], "7654").status_code == 303
    assert "7654" not in before and "7654" in in_shop(counter, product)


def test_a_review_shows_while_it_is_approved(counter):
    review = counter.one(of.REVIEWS + " WHERE r.status = 'pending' AND p.status = 'enabled'")
    body = "Words that no other review has."
    counter.world.write("UPDATE reviews SET body = ? WHERE id = ?", (body, review["review"]))
    shown = []
    for change in (
        None,
        do.decide(review["review"], "approved"),
        do.delete_review(review["review"]),
    ):
        if change:
            counter.run(change)
        shown.append(
            body in counter.open("shop_reviews", product=review["product"], sort="new").text
        )
    assert shown == [False, True, False]


@pytest.mark.parametrize(
    ("price", "quantity", "sentence"),
    [
        ("1e400", "5", "Write a price from 0.01"),
        ("-3.00", "5", "Write a price from 0.01"),
        ("9.99", "-1", "write 0 or more"),
        ("9.99", "100000", "write 99999 or less"),
        ("", "5", "fill this in"),
    ],
)
def test_a_wrong_price_or_stock_is_refused_with_a_sentence(
    counter, product, price, quantity, sentence
):
    before = in_shop(counter, product)
    answer = save(counter, product, price, quantity)
    assert answer.status_code == 400 and sentence in answer.text
    assert in_shop(counter, product) == before


def test_of_two_people_who_save_one_product_the_second_is_refused(counter, product):
    """The second clerk opened the page before the first one saved, and loses no other's words."""
    form = {"product": product["product"], "version": product["version"], "name": product["name"]}
    page = {"product": product["product"]}
    first = counter.send("save_product", "product", {**form, "about": "By the first."}, **page)
    second = counter.send("save_product", "product", {**form, "about": "By the second."}, **page)
    assert (first.status_code, second.status_code) == (303, 409)
    assert "saved this product meanwhile" in second.text
    assert "By the first." in in_shop(counter, product)


def test_a_discount_over_all_is_refused_with_a_sentence(counter):
    form = {"rule_name": "Odd", "kind": "percent", "value": "101", "customer_group": "Staff"}
    answer = counter.send("add_rule", "new_rule", form)
    assert answer.status_code == 400
    assert "a whole number from 1 to 100" in answer.text
    assert counter.world.read("SELECT * FROM rules WHERE name = 'Odd'") == []


def test_several_variants_need_a_choice_and_a_value(counter):
    several = counter.one(f"SELECT * FROM ({of.PRODUCTS}) WHERE variants > 2")["product"]
    variants = counter.world.read(of.VARIANTS + " WHERE v.product = ?", (several,))
    for chosen, price, sentence in (
        ([], "5.00", "Choose at least one row."),
        ([variants[0]["variant"]], "", "Write a price, a stock, or both."),
    ):
        form = {"chosen": chosen, "price": price, "quantity": ""}
        answer = counter.send("save_variants", "variants", form, product=several)
        assert answer.status_code == 400 and sentence in answer.text
    assert counter.world.read(of.VARIANTS + " WHERE v.product = ?", (several,)) == variants
