"""Tasks in both shops: the right orders are found from the pages alone, and what the shops charge
is read from their checkout."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import product
from types import ModuleType

import pytest
from flask.testing import FlaskClient

from scenarios import registry
from scenarios.phrasings import phrasings
from scenarios.scenario import Scenario
from scenarios.store.pages import visits
from scenarios.store.two_shops import _two_shops, two_shop_split, two_shops_cheapest
from sites.store.market.account.account import OUTLET, STORE
from sites.store.market.checkout import cart, checkout
from sites.store.market.offers import rules_of
from sites.store.outlet import goods
from tests import drawing
from tests.measuring import DEEP
from tests.scenarios.store.pages.visiting import visit
from tests.scenarios.store.two_shops import shops_reader
from tests.scenarios.store.two_shops.shops_reader import HOST, Charges, Order

READ = (*(range(200) if DEEP else (0, 4, 5)), 500, 1500)
"""Seeds of all splits whose pages are read; `tox -e deep` adds the others up to 200."""
DATA = registry.site_data("store")
SEEDS = range(24) if DEEP else (0, 2, 3, 5)
"""The last has no shop with enough; three rounds of what is drawn in turn of eight with
`tox -e deep`."""
MANY = range(200 if DEEP else 60)
"""Seeds of which shares are counted."""
PAGE = {STORE: "/checkout/{}/review", OUTLET: "/{}/checkout"}
TOTAL = re.compile(r"<th scope=\"row\">Total</th><td[^>]*>\$([\d,.]+)</td>")


def drawn(seed: int) -> Scenario:
    return drawing.drawn("two_shops_cheapest", seed)


def charged(scenario: Scenario, shop: str, method: str, codes: tuple[str, ...]) -> float:
    """The total that the shop's checkout shows, after all that is ticked was taken off."""
    world = two_shops_cheapest.world(scenario)
    stock = _two_shops.stocks_of(scenario, DATA)[shop]
    [[asin, options, quantity]] = scenario.gold["wanted"][shop]["lines"]
    cart.add(world, stock, asin, options, quantity, shop)
    checkout.choose(world, stock, shop, method=method, extras=(), subscribed=False)
    for code in codes:
        checkout.add_code(world, stock, shop, code)
    page = visit(world).get(PAGE[shop].format(scenario.id), base_url=HOST[shop])
    found = TOTAL.search(page.text)
    assert found is not None
    return float(found[1].replace(",", ""))


# Found from the pages ----------------------------------------------------------------------------


def charges(client: FlaskClient, session: str) -> dict[str, Charges]:
    return {
        STORE: shops_reader.store_charges(client, session),
        OUTLET: shops_reader.outlet_charges(client, session),
    }


def wanted(scenario: Scenario) -> list[Order]:
    """The orders that are right, as a reader writes them; nobody wants anything besides."""
    for each in scenario.gold["orders"]:
        assert each["ship_to"] == 1
        assert not (each["extras"] or each["subscribed"] or each["gift_text"])
    return sorted(
        (
            Order(
                0,
                each["shop"],
                tuple(sorted((asin, quantity) for asin, _, quantity in each["lines"])),
                *each["methods"],
                tuple(each["codes"]),
            )
            for each in scenario.gold["orders"]
        ),
        key=lambda each: each.shop,
    )


def stated_city(family: ModuleType, scenario: Scenario, split: str) -> str:
    return shops_reader.read(phrasings(scenario.family, split)["aim"], scenario.instruction)["city"]


@pytest.mark.wide
@pytest.mark.parametrize("seed", READ)
def test_the_pages_suffice_to_find_the_cheaper_shop(seed: int) -> None:
    scenario, split = drawn(seed), visits.split_of(seed)
    client = visit(two_shops_cheapest.world(scenario))
    asked = shops_reader.one(phrasings("two_shops_cheapest", split)["what"], scenario.instruction)
    offers, asks = shops_reader.sold(client, scenario.id, asked), charges(client, scenario.id)
    wallet = shops_reader.codes(client, scenario.id)
    lines = {shop: [(each, offers[STORE].asin, asked.pieces)] for shop, each in offers.items()}
    every = [shops_reader.cheapest(shop, lines[shop], asks[shop], wallet) for shop in lines]
    found = sorted(each for each in every if each is not None)
    assert [replace(each, total=0) for each in found[:1]] == wanted(scenario)
    city = stated_city(two_shops_cheapest, scenario, split)
    assert city == shops_reader.usual_city(client, scenario.id)


@pytest.mark.wide
@pytest.mark.parametrize("seed", READ)
def test_the_pages_suffice_to_share_out_the_list(seed: int) -> None:
    scenario, split = drawing.drawn("two_shop_split", seed), visits.split_of(seed)
    client = visit(two_shop_split.world(scenario))
    listed = shops_reader.several(phrasings("two_shop_split", split)["what"], scenario.instruction)
    assert len(listed) == two_shop_split.SOLD + 1
    offers = [(shops_reader.sold(client, scenario.id, each), each.pieces) for each in listed]
    able = [(sold, n) for sold, n in offers if any(each.is_sold for each in sold.values())]
    gone = [each.number for each, offer in zip(listed, offers, strict=True) if offer not in able]
    assert scenario.gold["answer"]["text"] == (gone[0] if able else visits.NOT_ACHIEVABLE)
    if not able:
        assert not scenario.gold["orders"]
        return
    assert len(gone) == 1
    wallet, asks = shops_reader.codes(client, scenario.id), charges(client, scenario.id)
    (least, orders), (second, _) = sorted(shops_reader.splits(able, asks, wallet))[:2]
    assert second - least >= two_shop_split.AHEAD
    assert [replace(each, total=0) for each in orders] == wanted(scenario)
    city = stated_city(two_shop_split, scenario, split)
    assert city == shops_reader.usual_city(client, scenario.id)


# What the shops charge ---------------------------------------------------------------------------


@pytest.mark.parametrize("seed", SEEDS)
def test_the_pages_show_which_shop_charges_less(seed):
    scenario = drawn(seed)
    gold = scenario.gold
    if not gold["possible"]:
        pytest.skip("neither shop has enough")
    world = two_shops_cheapest.world(scenario)
    least = {}
    for shop in (STORE, OUTLET):
        wanted = gold["wanted"][shop]
        methods = [each.name for each in rules_of(world, shop).methods]
        every = {(): None, tuple(wanted["codes"]): None}
        totals = {way: charged(scenario, shop, *way) for way in product(methods, every)}
        least[shop] = min(totals.values())
        assert totals[wanted["methods"][0], tuple(wanted["codes"])] == least[shop]
    other = STORE if gold["shop"] == OUTLET else OUTLET
    ahead = least[other] - least[gold["shop"]]
    assert ahead >= 1 and ahead >= 0.02 * least[other] - 0.01


@pytest.mark.wide
def test_more_often_than_not_the_lower_price_loses():
    lower = [_has_lower_price(drawn(seed)) for seed in MANY]
    assert 0.5 <= lower.count(False) / len(lower) <= 0.7


def _has_lower_price(scenario: Scenario) -> bool:
    price = {
        shop: float(text[1:].replace(",", "")) for shop, text in scenario.gold["notes"].items()
    }
    return price[scenario.gold["shop"]] == min(price.values())


def test_either_shop_is_right_as_often():
    shops = [drawn(seed).gold["shop"] for seed in MANY]
    assert 0.35 <= shops.count(STORE) / len(shops) <= 0.65


def test_the_pages_of_the_items_show_the_number_and_what_is_in_stock():
    rare = next(drawn(seed) for seed in SEEDS if not drawn(seed).gold["possible"])
    client, gold = visit(two_shops_cheapest.world(rare)), rare.gold
    asin, quantity = gold["opened"][-1], gold["wanted"][STORE]["lines"][0][2]
    own = client.get(f"/item_page/{rare.id}/{asin}/[]/1/{{}}", base_url=HOST[STORE]).text
    slug = goods.slug(goods.sold()[asin])
    there = client.get(f"/{rare.id}/goods/{slug}", base_url=HOST[OUTLET]).text
    assert gold["number"] in there
    for text in (own, there):
        assert f"{quantity - 1} in stock" in text
    assert f"number: {gold['number']}" in own
