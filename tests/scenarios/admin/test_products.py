"""The families about products: what their words fit, and the numbers that they draw."""

from __future__ import annotations

from functools import cache

import pytest

from scenarios import registry
from scenarios._kit.starts import start_world
from scenarios.kit import Gold

PRICES, STOCKS = ("change_price", "variant_price"), ("out_of_stock", "receive_stock")
SEEDS = range(40)


@cache
def drawn(name):
    data = registry.site_data("admin")
    return [registry.family(name).generate(seed, data) for seed in SEEDS]


def variants(scenario):
    """The rows of all variants at the start, by SKU."""
    sql = "SELECT v.*, s.quantity, p.name FROM variants v JOIN stock s ON s.variant = v.sku"
    with start_world(scenario) as world:
        rows = world.read(f"{sql} JOIN products p ON p.sku = v.product")
    return {each["sku"]: each for each in rows}


def changed(scenario):
    """The changed variants, each with its row at the start and the arguments of its change."""
    rows = variants(scenario)
    args = [do.args for do in Gold.from_json(scenario.gold).ends[0].do]
    return [(rows[each["variant"]], each) for each in args]


def cents(text):
    return round(100 * float(text))


@pytest.mark.parametrize("name", ["variant_price", "out_of_stock", "receive_stock"])
def test_the_words_fit_the_variants_that_change_and_no_others(name):
    """A variant fits if its product has the name, and its colour or size is the one that is said.

    One that is out of stock already need not change to be so.
    """
    for scenario in drawn(name):
        words = scenario.instruction
        fitting = {
            sku
            for sku, row in variants(scenario).items()
            if f"the variants of {row['name']} in the" in words
            and any(row[key] and f"the {key} {row[key]}" in words for key in ("colour", "size"))
            and (name != "out_of_stock" or row["quantity"])
        }
        found = {row["sku"] for row, _ in changed(scenario)}
        assert found == fitting or "the variants of" not in words, scenario.name
        assert len(found) > 1 or "the variants of" not in words, scenario.name


@pytest.mark.parametrize("name", PRICES)
def test_new_prices_are_whole_cents_and_the_stock_stays(name):
    for scenario in drawn(name):
        for row, args in changed(scenario):
            assert args["quantity"] == str(row["quantity"])
            new, number = cents(args["price"]), _number(scenario.instruction)
            step = row["price"] * number if "per cent" in scenario.instruction else 10_000 * number
            assert 100 * abs(new - row["price"]) == step and new > 0, scenario.name


def _number(words):
    """The number of dollars or of per cent in an instruction."""
    *_, found = (each for each in words.replace("$", " ").split(" ") if each[:1].isdigit())
    return int(found.split(".")[0])


def test_prices_change_by_per_cent_and_by_dollars_about_as_often():
    shares = ["per cent" in each.instruction for name in PRICES for each in drawn(name)]
    assert 0.3 < sum(shares) / len(shares) < 0.8


@pytest.mark.parametrize("name", STOCKS)
def test_new_stocks_leave_the_price(name):
    for scenario in drawn(name):
        assert all(cents(args["price"]) == row["price"] for row, args in changed(scenario))


def test_a_quoted_nickname_is_that_of_one_review():
    for scenario in drawn("quote_reviews"):
        sql = "SELECT r.*, p.name FROM reviews r JOIN products p ON p.sku = r.product"
        words, [args] = scenario.instruction, [do.args for do in _dos(scenario)]
        with start_world(scenario) as world:
            own = [row for row in world.read(sql) if row["product"] == args["product"]]
        named = [row for row in own if row["nickname"] in scenario.details["named"]]
        assert [row["title"] for row in named] == [args["about"].split("\n")[-1]], words


def _dos(scenario):
    return Gold.from_json(scenario.gold).ends[0].do


def test_on_most_seeds_the_first_page_of_the_products_lacks_one_that_goes_on_sale():
    sql = "SELECT sku FROM products ORDER BY name, sku LIMIT 20"
    far = 0
    for scenario in drawn("mark_on_sale"):
        with start_world(scenario) as world:
            first = {row["sku"] for row in world.read(sql)}
        far += not {do.args["product"] for do in _dos(scenario)} <= first
    assert far > len(SEEDS) / 3
