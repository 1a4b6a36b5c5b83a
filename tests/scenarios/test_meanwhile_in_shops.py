"""Prices of last night and goods that have just sold out, in both shops; never another end."""

from __future__ import annotations

import re
from html import unescape

import pytest

from agent.plugins import UnknownName
from scenarios import dials as profiles
from scenarios import registry
from scenarios.phrasings import phrasings
from scenarios.scenario import Contender, Scenario
from sites.dials import Dials
from sites.store.account import operations
from sites.store.market import outdated
from sites.store.outlet import goods
from sites.store.outlet.address import Shop as Outlet
from sites.store.shop.address import Visit as Store
from sites.world import World
from tests.drawing import drawn
from tests.measuring import DEEP
from tests.scenarios.store.pages.visiting import visit
from tests.scenarios.store.two_shops import shops_reader
from tests.scenarios.store.two_shops.shops_reader import HOST
from tests.scenarios.store.wishes import owned_reader
from tests.scenarios.with_dials import ends_as_without

OF_LEVEL_2 = ("two_shops_cheapest", "cheaper_substitute")
OF_LEVEL_3 = ("best_basket", "two_shop_split", "fitting_set", "restock", "gifts_for_people")
FAMILIES = (*OF_LEVEL_2, *OF_LEVEL_3)
EVERY = [f"{name}.{profile}" for name in FAMILIES for profile in ("repriced", "sold_out")]
FEW = ("two_shops_cheapest.repriced", "cheaper_substitute.sold_out")
"""The families that are run whole in every run; with `tox -e deep` all are."""
CHEAP = range(50 if DEEP else 8)
DATA = registry.site_data("store")


def dials_of(scenario: Scenario) -> Dials:
    return Dials(**scenario.details["dials"])


def first(shown: dict[str, dict[str, int]]) -> tuple[str, str, int]:
    """The shop, the product and the cents of the only good that a dial is about."""
    [(shop, prices)] = shown.items()
    [(asin, cents)] = prices.items()
    return shop, asin, cents


def contender(scenario: Scenario, shop: str, asin: str) -> Contender:
    family = registry.family(scenario.family.partition(".")[0])
    assert family.contenders is not None
    every = family.contenders(scenario, DATA)
    return next(each for each in every if (each.shop, each.asin) == (shop, asin))


class Visitor:
    """A visit of both shops without a browser."""

    def __init__(self, scenario: Scenario) -> None:
        self.world: World = registry.family(scenario.family).world(scenario)
        self.client, self.session = visit(self.world), self.world.session

    def get(self, shop: str, address: str) -> str:
        return unescape(self.client.get(address, base_url=HOST[shop]).text)

    def item(self, shop: str, asin: str) -> str:
        """The address of an item's page."""
        if shop == "outlet":
            return Outlet(self.session).item(goods.sold()[asin], {})
        return Store(self.session).item(asin, {})

    def put(self, shop: str, asin: str) -> tuple[int, str]:
        """Into the cart, or buy it; the status and the text of the answer's page."""
        page = self.client.get(self.item(shop, asin), base_url=HOST[shop]).text
        form = re.search(r'<form class="(?:buy|into)" action="([^"]*)"(.*?)</form>', page, re.S)
        assert form is not None
        sent = dict(re.findall(r'<input [^>]*name="(\w+)" value="([^"]*)"', form[2]))
        answer = self.client.post(
            unescape(form[1]), data=sent, base_url=HOST[shop], follow_redirects=True
        )
        return answer.status_code, unescape(answer.text)

    def list_of(self, shop: str, asin: str) -> str:
        """What a list shows of a product."""
        page = self.results(shop, asin)
        if shop == "outlet":
            return page.partition('<ol class="finds">')[2]
        return page.partition(f">{asin}</a>")[2].partition("</li>\n<li class")[0]

    def results(self, shop: str, asin: str) -> str:
        """A list that has a product."""
        if shop == "outlet":
            return self.get(shop, f"/{self.session}/search?q={goods.maker_number(asin)}")
        name = DATA.market.good(asin).name.split()
        return self.get(shop, Store(self.session, tuple(name)).results())


def in_dollars(cents: int) -> str:
    return f"${cents / 100:,.2f}"


# Prices of last night ----------------------------------------------------------------------------


@pytest.mark.parametrize("family", FAMILIES if DEEP else OF_LEVEL_2)
def test_about_half_of_the_prices_of_last_night_mislead_and_none_that_is_sold_out_costs_more(
    family,
):
    misled = []
    for seed in CHEAP:
        scenario = drawn(f"{family}.repriced", seed)
        if any(dials_of(scenario).listed.values()):
            shop, asin, cents = first(dict(dials_of(scenario).listed))
            own = contender(scenario, shop, asin)
            assert cents < own.cents and not own.wins(own.cents)
            misled.append(own.wins(cents))
        gone = drawn(f"{family}.sold_out", seed)
        if dials_of(gone).taken:
            shop, asin, cents = first(dict(dials_of(gone).taken))
            assert contender(gone, shop, asin).wins(cents)
    assert len(misled) >= 0.6 * len(CHEAP)
    assert 0.2 <= sum(misled) / len(misled) <= 0.8


@pytest.mark.parametrize("seed", range(50 if DEEP else 4))
def test_who_looks_again_finds_the_cheaper_shop_and_who_does_not_may_not(seed):
    """From the pages alone."""
    scenario = drawn("two_shops_cheapest.repriced", seed)
    client, session = visit(registry.family(scenario.family).world(scenario)), scenario.id
    frames = phrasings("two_shops_cheapest", "test")["what"]
    asked = shops_reader.one(frames, scenario.instruction)
    asks = {
        "store": shops_reader.store_charges(client, session),
        "outlet": shops_reader.outlet_charges(client, session),
    }
    wallet, found = shops_reader.codes(client, session), []
    for _ in range(2):
        offers = shops_reader.sold(client, session, asked)
        lines = {
            shop: [(each, offers["store"].asin, asked.pieces)] for shop, each in offers.items()
        }
        every = [shops_reader.cheapest(shop, lines[shop], asks[shop], wallet) for shop in lines]
        found.append(min((each.shop for each in sorted(filter(None, every))[:1]), default=""))
    at_first, at_last = found
    assert at_last == (scenario.gold["shop"] if scenario.gold["possible"] else "")
    listed = dials_of(scenario).listed
    if any(listed.values()):
        shop, asin, cents = first(dict(listed))
        assert (at_first == shop) == contender(scenario, shop, asin).wins(cents)


@pytest.mark.parametrize("seed", range(50 if DEEP else 4))
def test_who_looks_again_finds_the_better_deal_and_who_does_not_may_not(seed):
    scenario = drawn("cheaper_substitute.repriced", seed)
    client, gold = visit(registry.family(scenario.family).world(scenario)), scenario.gold
    shop, asin, cents = first(dict(dials_of(scenario).listed))
    pages = [owned_reader.offered(client, scenario.id, asin) for _ in range(2)]
    own = contender(scenario, shop, asin)
    assert [round(each.price * 100) for each in pages] == [cents, own.cents]
    right = owned_reader.offered(client, scenario.id, gold["asin"])
    if gold["possible"]:
        apiece = [each.price / each.pieces for each in pages]
        assert (apiece[0] < right.price / right.pieces) == own.wins(cents)
        assert apiece[1] > right.price / right.pieces


def of_shop(family: str, profile: str, shop: str) -> Scenario:
    """The first scenario whose dial is about this shop."""
    every = (drawn(f"{family}.{profile}", seed) for seed in range(60))
    name = "listed" if profile == "repriced" else "taken"
    return next(each for each in every if getattr(dials_of(each), name).get(shop))


@pytest.mark.parametrize("shop", ["store", "outlet"])
def test_lists_and_items_are_behind_until_somebody_looks_again(shop):
    scenario = of_shop("two_shops_cheapest", "repriced", shop)
    visitor = Visitor(scenario)
    _, asin, cents = first(dict(dials_of(scenario).listed))
    now = contender(scenario, shop, asin).cents
    page = visitor.list_of(shop, asin)
    assert in_dollars(cents) in page and in_dollars(now) not in page
    assert "These prices are of last night" in visitor.results(shop, asin)
    item = visitor.get(shop, visitor.item(shop, asin))
    assert in_dollars(cents) in item and "of last night" in item and in_dollars(now) not in item
    [link] = re.findall(r'<a href="([^"]*)">look again</a>', item)
    item = visitor.get(shop, link)
    assert f"Today's price; last night it was {in_dollars(cents)}." in item
    assert in_dollars(now) in item and "look again" not in item
    page = visitor.list_of(shop, asin)
    assert in_dollars(now) in page and in_dollars(cents) not in page


@pytest.mark.parametrize("shop", ["store", "outlet"])
def test_a_cart_has_the_price_of_today_and_says_what_it_was(shop):
    scenario = of_shop("two_shops_cheapest", "repriced", shop)
    visitor = Visitor(scenario)
    _, asin, cents = first(dict(dials_of(scenario).listed))
    now, other = contender(scenario, shop, asin).cents, "outlet" if shop == "store" else "store"
    status, page = visitor.put(shop, asin)
    moved = f"The price has changed: it was {in_dollars(cents)} when you put this in."
    assert status == 200 and moved in page and f"{in_dollars(now)} each" in page
    for each in (shop, other):
        assert "of last night" not in visitor.get(each, visitor.item(each, asin))
        assert "of last night" not in visitor.results(each, asin)
    assert in_dollars(now) in visitor.list_of(shop, asin)


def test_a_list_that_somebody_shares_is_behind_as_others_are():
    scenario = drawn("gifts_for_people.repriced", 0)
    visitor, person = Visitor(scenario), scenario.gold["people"][0]["person"]
    shop, asin, cents = first(dict(dials_of(scenario).listed))
    now = contender(scenario, shop, asin).cents

    def shown() -> str:
        page = visitor.get(shop, Store(visitor.session).shared(person))
        assert "These prices are of last night" in page
        return page.partition(f">{asin}<")[2].partition("</li>")[0]

    operations.wish(visitor.world, DATA.market, asin)
    wishes = visitor.get(shop, Store(visitor.session).wishlist)
    assert in_dollars(cents) in shown() and in_dollars(cents) in wishes
    for _ in range(2):
        visitor.get(shop, visitor.item(shop, asin))
    assert in_dollars(now) in shown()


def test_what_has_sold_out_stands_so_on_a_list_that_somebody_shares():
    scenario = drawn("gifts_for_people.sold_out", 0)
    visitor, person = Visitor(scenario), scenario.gold["people"][0]["person"]
    shop, asin, cents = first(dict(dials_of(scenario).taken))
    address = Store(visitor.session).shared(person)
    page = visitor.get(shop, address)
    assert in_dollars(cents) in page and "Sold out" not in page and "last night" not in page
    assert visitor.put(shop, asin)[0] == 409
    page = visitor.get(shop, address)
    assert "Sold out" in page.partition(f">{asin}<")[2].partition("</li>")[0]


def test_what_did_not_change_says_so_on_the_second_look_and_nothing_in_the_cart():
    scenario = of_shop("two_shops_cheapest", "repriced", "store")
    visitor = Visitor(scenario)
    _, asin, _ = first(dict(dials_of(scenario).listed))
    address = visitor.item("outlet", asin)
    assert "of last night" in visitor.get("outlet", address)
    assert "Today's price." in visitor.get("outlet", address)
    assert "The price has changed" not in visitor.put("outlet", asin)[1]


def test_who_buys_at_once_is_told_what_it_costs_today_and_can_then_buy():
    scenario = drawn("cheaper_substitute.repriced", 0)
    visitor = Visitor(scenario)
    shop, asin, cents = first(dict(dials_of(scenario).listed))
    now = contender(scenario, shop, asin).cents
    status, page = visitor.put(shop, asin)
    assert status == 200 and "so nothing was bought. All pages have today's prices now." in page
    assert f"Price: {in_dollars(now)}" in page and f"it was {in_dollars(cents)} when" in page
    assert visitor.world.read("SELECT * FROM purchases") == []
    assert visitor.put(shop, asin)[0] == 200
    assert "nothing was bought" not in visitor.get(shop, visitor.item(shop, asin))
    [row] = visitor.world.read("SELECT price FROM purchases")
    assert round(row["price"] * 100) == now


def test_a_plain_visit_says_nothing_of_last_night():
    scenario = drawn("two_shops_cheapest", 0)
    visitor, asin = Visitor(scenario), scenario.gold["orders"][0]["lines"][0][0]
    for shop in ("store", "outlet"):
        address = visitor.item(shop, asin)
        pages = [visitor.list_of(shop, asin), *(visitor.get(shop, address) for _ in range(2))]
        status, page = visitor.put(shop, asin)
        pages.append(page)
        assert status == 200
        assert not any("last night" in each or "Today's price" in each for each in pages)
        assert not any("price has changed" in each or "sold out" in each for each in pages)


# What has sold out -------------------------------------------------------------------------------


@pytest.mark.parametrize("shop", ["store", "outlet"])
def test_it_is_offered_until_somebody_wants_it_and_then_all_pages_show_it(shop):
    scenario = of_shop("two_shops_cheapest", "sold_out", shop)
    visitor = Visitor(scenario)
    _, asin, cents = first(dict(dials_of(scenario).taken))
    page = visitor.list_of(shop, asin)
    assert in_dollars(cents) in page and "Sold out" not in page
    status, page = visitor.put(shop, asin)
    assert status == 409 and "has just sold out" in page and "Back to the item" in page
    assert visitor.world.read("SELECT * FROM cart_lines") == []
    assert "Stock: Sold out" in visitor.list_of(shop, asin)
    item = visitor.get(shop, visitor.item(shop, asin))
    assert "Sold out" in item and not re.search(r">Add to (Cart|basket)<", item)
    assert visitor.put("outlet" if shop == "store" else "store", asin)[0] == 200


def test_what_has_sold_out_cannot_be_bought_at_once_either():
    scenario = drawn("cheaper_substitute.sold_out", 1)
    visitor = Visitor(scenario)
    shop, asin, _ = first(dict(dials_of(scenario).taken))
    status, page = visitor.put(shop, asin)
    assert status == 200 and "This has just sold out" in page and ">Buy Now<" not in page
    assert visitor.world.read("SELECT * FROM purchases") == []
    assert visitor.put(shop, scenario.gold["asin"])[0] == 200


@pytest.mark.parametrize("name", ["fitting_set", "cheaper_substitute"])
def test_where_nothing_can_be_done_nothing_is_sold_out(name):
    rare = next(seed for seed in range(60) if not drawn(name, seed).gold["possible"])
    assert dials_of(drawn(f"{name}.sold_out", rare)).taken == {}
    assert any(dials_of(drawn(f"{name}.repriced", rare)).listed.values())


def test_the_way_past_is_what_pages_offer_and_names_no_item():
    """An item that has nothing to do with the task can be looked at again as well."""
    scenario = of_shop("two_shops_cheapest", "repriced", "store")
    visitor = Visitor(scenario)
    other = next(asin for asin in goods.sold() if asin not in scenario.gold["opened"])
    for shop in ("store", "outlet"):
        assert "look again</a>" in visitor.get(shop, visitor.item(shop, other))
        assert outdated.last_night(visitor.world, DATA.market, other) is None


# All of them -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", EVERY if DEEP else FEW)
def test_the_ends_of_a_family_are_the_same(name):
    for seed in range(50 if DEEP else 1):
        ends_as_without(name, seed)


@pytest.mark.wide
def test_the_expert_gets_past_all_of_it(harness, tmp_path):
    """It looks again at each item, and tries what has sold out where it comes by."""
    for name in EVERY if DEEP else FEW:
        for seed in range(10 if DEEP else 1):
            harness.expert_succeeds(f"store/{name}/{seed}", tmp_path)


def test_those_that_choose_by_price_have_both_and_others_have_none():
    able = {
        name
        for name in profiles.AT_THE_MARKET
        if "repriced" in profiles.profiles_of(registry.family(name), name)
    }
    assert able == {*FAMILIES}
    with pytest.raises(UnknownName, match="no variant of"):
        registry.family("checkout_exact.sold_out")
