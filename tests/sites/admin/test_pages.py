"""Every page opens, its form refuses bad input with a sentence, and the shop shows the changes."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime

import pytest

from sites.admin import SITE
from sites.admin import operations as do
from sites.admin import tables as of
from sites.kit import Place
from tests.sites.admin.conftest import SKINS

YEAR = {"since": "2025-01-01", "until": "2025-12-31", "period": "month"}
REPORTS = [each.name for each in SITE.pages if each.name.startswith("report_")]


def month(row):
    return f"{datetime.fromtimestamp(row['at'], UTC):%Y-%m}"


@pytest.mark.parametrize("skin", SKINS)
@pytest.mark.parametrize("page", SITE.pages, ids=lambda page: page.name)
def test_every_page_opens(visit, skin, page):
    made = visit(skin)
    found = made.map.find(page, {}, few=3) if page.record and page.args else [{}]
    for row in found:
        args = {key: row[key] for key in page.args}
        assert made.open(page.name, **args).status_code == 200
    assert found


def rows_of(visit, page, **asked):
    """The rows of a report, on all pages of its list."""
    place = Place.of(page, {**YEAR, **asked})
    query = visit.map.query(place, visit.map.record(place))
    return query.page(visit.world, 10_000, 1)


def test_the_orders_report_has_the_sums_of_the_orders(counter):
    sold = counter.world.read("SELECT * FROM orders WHERE status != 'Canceled'")
    count, total = Counter(map(month, sold)), Counter()
    for each in sold:
        total[month(each)] += each["total"]
    for row in rows_of(counter, "report_orders"):
        assert (row["orders"], row["total"]) == (count[row["span"]], total[row["span"]])


def test_a_report_holds_both_of_its_days(counter):
    newest = counter.one("SELECT * FROM orders WHERE status != 'Canceled' ORDER BY at DESC")
    day = f"{datetime.fromtimestamp(newest['at'], UTC):%Y-%m-%d}"
    [row] = rows_of(counter, "report_orders", since=day, until=day, period="day")
    assert row["orders"] >= 1 and (row["begins"], row["ends"]) == (day, day)


@pytest.mark.parametrize("page", REPORTS)
def test_a_report_by_year_has_what_its_months_have(counter, page):
    counted = next(
        each for each in ("orders", "refunds", "uses", "views", "sold")
        if each in rows_of(counter, page)[0]
    )  # fmt: skip
    months, years = rows_of(counter, page), rows_of(counter, page, period="year")
    assert sum(row[counted] for row in months) == sum(row[counted] for row in years) > 0


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"until": "2024-12-31"}, "ends before it begins"),
        ({"since": "2025-02-30"}, "no such day"),
        ({"since": "yesterday"}, "write a date"),
        ({"period": "week"}, "choose one"),
    ],
)
def test_a_wrong_span_is_refused_with_a_sentence(counter, asked, sentence):
    answer = counter.open("report_orders", **{**YEAR, **asked})
    assert answer.status_code == 400
    assert sentence in answer.text


def test_a_form_says_what_is_wrong(counter):
    order = counter.one("SELECT number FROM orders WHERE status = 'Complete'")["number"]
    answer = counter.send("cancel", "order", {"order_no": order}, order_no=order)
    assert answer.status_code == 400
    assert "was shipped" in answer.text
    answer = counter.send("decide_all", "reviews", {"decision": "delete"})
    assert answer.status_code == 400
    assert "Choose at least one row." in answer.text


def test_a_mass_action_takes_the_chosen_rows(counter):
    first, second = (each["review"] for each in counter.map.shown(
        Place.of("reviews", {}), counter.map.record(Place.of("reviews", {}))).rows[:2])  # fmt: skip
    chosen = {"decision": "delete", "chosen": [str(first), str(second)]}
    assert counter.send("decide_all", "reviews", chosen).status_code == 303
    assert counter.world.read(of.REVIEWS + " WHERE r.id IN (?, ?)", (first, second)) == []


def test_a_filter_without_rows_is_a_page(counter):
    assert "0 records found" in counter.open("orders", q="Nobody Atall").text


def test_customers_see_enabled_products_and_approved_reviews_alone(counter):
    review = counter.one(of.REVIEWS + " WHERE r.status = 'pending' AND p.status = 'enabled'")
    shop = {"product": review["product"]}
    counter.run(do.save_product(review["product"], 1, "A name of ours", "Words of ours"))
    assert "A name of ours" in counter.open("shop_product", **shop).text
    before = counter.open("shop_reviews", **shop).text
    counter.run(do.decide(review["review"], "approved"))
    assert (
        counter.open("shop_reviews", **shop).text.count("of 5 stars")
        == before.count("of 5 stars") + 1
    )
    counter.run(do.set_status(review["product"], "disabled"))
    assert counter.open("shop_product", **shop).status_code == 404


def test_a_product_with_one_variant_says_that_it_has_no_options(counter):
    single = counter.one(of.PRODUCTS + " WHERE only IS NOT NULL")
    several = counter.one(of.PRODUCTS + " WHERE only IS NULL AND choices != 'none'")
    assert "Options: none." in counter.open("product", product=single["product"]).text
    page = counter.open("product", product=several["product"]).text
    assert "Options: " in page and "Options: none." not in page
