"""The outlet's goods, pages and orders."""

from __future__ import annotations

import re

import pytest

from sites.store import load_data, new_world
from sites.store.market.goods import goods as market_goods
from sites.store.market.visit import new_market_world
from sites.store.outlet import goods, operations
from sites.store.outlet.address import Shop
from sites.store.outlet.visit import new_outlet_world, open_shops
from tests.measuring import unmeasured
from tests.sites.store.shop.applications import application

SESSION = "s1"
HOST = "http://outlet.localhost"
SHOP = Shop(SESSION)
SHOES = [good for good in goods.sold().values() if good.kind.name == "running shoes"]
LAMPS = [good for good in goods.sold().values() if good.kind.name == "desk lamps"]
IMPERIAL = re.compile(r"\d (in|ft|lb|oz|fl oz|qt|mi)\b")


class Visit:
    """A client in the outlet, on a world of its own."""

    def __init__(self, world):
        self.world = world
        self.app, self.worlds = application(load_data(), world)
        self.client = self.app.test_client()

    def get(self, path, host=HOST):
        return self.client.get(path, base_url=host)

    def post(self, path, **fields):
        return self.client.post(path, base_url=HOST, data=fields)

    def form(self, path):
        """The hidden fields of the page's form that posts."""
        text = self.get(path).text.partition('method="post"')[2]
        return dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', text))


@pytest.fixture
def visit():
    return Visit(new_outlet_world(SESSION, "get me a lamp"))


@pytest.fixture
def both():
    world = new_market_world(SESSION, "get me a lamp")
    open_shops(world)
    return Visit(world)


# Goods -------------------------------------------------------------------------------------------


def test_a_third_of_the_market_is_sold_designs_with_all_their_siblings():
    every, sold = market_goods.goods(), goods.sold()
    assert 0.3 < len(sold) / len(every) < 0.37
    designs = {good.design for good in sold.values()}
    assert all((good.design in designs) == (asin in sold) for asin, good in every.items())
    assert {good.kind.name for good in sold.values()} == {g.kind.name for g in every.values()}


def test_makers_numbers_are_unlike_and_siblings_differ_in_a_letter():
    every = market_goods.goods()
    numbers = {asin: goods.maker_number(asin) for asin in every}
    assert len({*numbers.values()}) == len(every)
    assert all(goods.NUMBER.fullmatch(each) for each in numbers.values())
    starts = {}
    for asin, good in every.items():
        starts.setdefault(good.design, set()).add(numbers[asin][:-1])
    assert all(len(each) == 1 for each in starts.values())


def test_facts_are_those_of_the_market_and_measures_metric():
    for asin, good in goods.sold().items():
        there = market_goods.goods()[asin]
        assert good.facts == there.facts and good.places == there.places
        assert good.convention == "metric"
    assert all(int(size) >= 36 for good in SHOES for size in good.options["size"])


def test_a_total_is_the_price_and_eight_percent():
    good = LAMPS[0]
    assert goods.gross_cents(good) == goods.net_cents(good) + goods.tax_cents(good)
    assert all(
        abs(goods.tax_cents(each) - goods.net_cents(each) * 0.08) <= 0.5
        for each in goods.sold().values()
    )


# Pages -------------------------------------------------------------------------------------------


def test_every_page_is_in_british_and_metric_and_says_that_tax_comes_on_top(visit):
    paths = (SHOP.home, SHOP.search("desk lamps", {}), SHOP.item(LAMPS[0], {}))
    for path in (*paths, SHOP.item(SHOES[0], {}), SHOP.order(LAMPS[0], {})):
        answer = visit.get(path)
        assert answer.status_code == 200
        assert 'lang="en-GB"' in answer.text and "without tax. 8 % tax" in answer.text
        assert not IMPERIAL.search(answer.text) and "color" not in answer.text.replace(
            "color-scheme", ""
        )


def test_no_page_shows_a_code_of_the_store(visit):
    good = LAMPS[0]
    model = market_goods.goods()[good.asin].model
    for path in (SHOP.search("desk lamps", {}), SHOP.item(good, {}), SHOP.order(good, {})):
        text = visit.get(path).text
        assert good.asin not in text and model not in text
    assert visit.get(SHOP.item(good, {})).text.count(goods.maker_number(good.asin)) >= 2


def test_more_results_come_below_those_that_are_shown(visit):
    path = SHOP.search("desk lamps", {"kind": "desk lamps"})
    first = visit.get(path).text
    more = re.search(r'href="([^"]+)">Show more', first)
    second = visit.get(more[1].replace("&amp;", "&")).text
    titles = [re.findall(r"<h2><a[^>]*>([^<]+)", text) for text in (first, second)]
    assert len(titles[0]) == 8 and len(titles[1]) == 16 and titles[1][:8] == titles[0]
    shown = visit.world.read("SELECT number FROM log_pages WHERE page = 'outlet results'")
    assert [row["number"] for row in shown] == [8, 16]


def test_a_makers_number_finds_its_item_alone(visit):
    text = visit.get(SHOP.search(goods.maker_number(LAMPS[1].asin).lower(), {})).text
    assert re.findall(r"<h2><a[^>]*>([^<]+)", text) == [goods.title(LAMPS[1])]


def test_a_title_finds_its_item_first(visit):
    text = visit.get(SHOP.search(goods.title(LAMPS[1]), {})).text
    found = re.findall(r"<h2><a[^>]*>([^<]+)", text)
    assert found[0] == goods.title(LAMPS[1]) and len(found) == len(set(found)) > 1


def test_a_number_that_nothing_has_finds_nothing_by_itself(visit):
    assert "0 items for" in visit.get(SHOP.search("ZZ-0000-Z", {})).text


def test_results_are_narrowed_and_sorted(visit):
    narrowing = {"kind": "desk lamps", "maker": LAMPS[0].brand, "sort": "cheapest"}
    text = visit.get(SHOP.search("lamps", narrowing)).text
    titles = re.findall(r"<h2><a[^>]*>([^<]+)", text)
    assert all(LAMPS[0].brand.replace("&", "&amp;") in each for each in titles)
    prices = [float(each) for each in re.findall(r"\$([\d.]+) plus tax", text)]
    assert prices == sorted(prices) and "All makers" in text and "All kinds" in text


def test_an_item_that_was_opened_is_marked_in_the_list(visit):
    path = SHOP.search("desk lamps", {"kind": "desk lamps"})
    assert 'class="visited"' not in visit.get(path).text
    first = re.search(r'<h2><a href="([^"]+)"', visit.get(path).text)
    visit.get(first[1])
    assert f'class="visited" href="{first[1]}"' in visit.get(path).text


def test_reviews_stand_on_the_items_page_with_dates_of_the_continent(visit):
    good = max(SHOES, key=lambda each: len(operations.reviews_of(load_data().market, each)))
    text = visit.get(SHOP.item(good, {})).text
    assert text.count("<blockquote>") == 4
    assert re.findall(r"\d\d\.\d\d\.20\d\d", text)
    more = re.search(r'href="([^"]+)">More reviews', text)
    assert visit.get(more[1]).text.count("<blockquote>") == 8


@pytest.mark.wide
@unmeasured()
def test_what_only_reviews_tell_stands_among_the_first():
    for good in goods.sold().values():
        every = operations.reviews_of(load_data().market, good)
        assert sum(review.helpful for review in every) <= operations.REVIEWS


def test_options_are_pressed_buttons_and_a_list(visit):
    good = SHOES[0]
    colour, size = good.options["color"][0], good.options["size"][0]
    text = visit.get(SHOP.item(good, {"color": colour, "size": size})).text
    assert (
        text.count('aria-pressed="true"') == 1 and f'value="{colour}" aria-pressed="true"' in text
    )
    assert f'<option value="{size}" selected>' in text
    assert f'<input type="hidden" name="size" value="{size}">' in text


# Orders ------------------------------------------------------------------------------------------


def test_an_order_is_placed_in_two_steps_and_the_second_shows_the_tax(visit):
    good = LAMPS[0]
    path = SHOP.order(good, {"color": good.options["color"][0]})
    slip = visit.get(path).text
    assert all(
        f"${cents / 100:.2f}" in slip
        for cents in (goods.net_cents(good), goods.tax_cents(good), goods.gross_cents(good))
    )
    assert not visit.world.read("SELECT * FROM outlet_purchases")
    answer = visit.post(path, **visit.form(path))
    assert answer.status_code == 303
    row = visit.world.read("SELECT * FROM outlet_purchases")[0]
    assert (row["asin"], row["price"], row["tax"]) == (
        good.asin, goods.net_cents(good), goods.tax_cents(good),
    )  # fmt: skip
    assert good.options["color"][0] in row["options"] and "color" in row["options"]
    assert "Thank you" in visit.get(answer.location).text
    assert not visit.world.read("SELECT * FROM purchases")


def test_a_form_is_used_once(visit):
    path = SHOP.order(LAMPS[0], {})
    fields = visit.form(path)
    assert visit.post(path, **fields).status_code == 303
    second = visit.post(path, **fields)
    assert second.status_code == 409 and "nothing was ordered" in second.text
    assert len(visit.world.read("SELECT * FROM outlet_purchases")) == 1


@pytest.mark.parametrize("fields", [{}, {"order": "0"}, {"csrf": "x", "order": "0"}])
def test_a_form_that_is_not_ours_orders_nothing(visit, fields):
    assert visit.post(SHOP.order(LAMPS[0], {}), **fields).status_code == 400
    assert not visit.world.read("SELECT * FROM outlet_purchases")


def test_a_closed_visit_orders_nothing(visit):
    path = SHOP.order(LAMPS[0], {})
    fields = visit.form(path)
    visit.world.close()
    assert visit.post(path, **fields).status_code == 409
    assert visit.get(SHOP.item(LAMPS[0], {})).status_code == 200


# Bad input ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "status"),
    [
        (f"{SHOP.find}", 400), (f"{SHOP.find}?q=%20", 400), (f"{SHOP.find}?q=x&sort=y", 404),
        (f"{SHOP.find}?q=x&shown=y", 404), (f"{SHOP.find}?q=x&shown=-8", 404),
        (f"{SHOP.find}?q=x&shown=999999999", 200), (f"{SHOP.find}?q={'lamp ' * 400}", 200),
        (f"{SHOP.find}?q=lamp&kind=nothing", 200), (f"{SHOP.home}/goods/nothing", 404),
        (f"{SHOP.home}/goods/{goods.slug(LAMPS[0])}?colour=plaid", 400),
        (f"{SHOP.home}/goods/{goods.slug(LAMPS[0])}?size=40", 400),
        (f"{SHOP.home}/goods/{goods.slug(LAMPS[0])}?reviews=x", 404),
        (f"{SHOP.home}/order/{goods.slug(LAMPS[0])}?colour=plaid", 400),
        (f"{SHOP.home}/orders/1", 404), (f"{SHOP.home}/orders/x", 404), ("/other", 404),
        (f"{SHOP.home}/nowhere", 404), ("/picture/nothing.svg", 404),
        (f"/picture/{goods.slug(LAMPS[0])}.svg?colour=plaid", 400),
        (f"/picture/{goods.slug(SHOES[0])}.svg?size={SHOES[0].options['size'][0]}", 200),
    ],
)  # fmt: skip
def test_bad_addresses_are_answered_in_a_sentence(visit, path, status):
    answer = visit.get(path)
    assert answer.status_code == status
    if status != 200:
        assert 'role="alert"' in answer.text
    assert not visit.world.fault


# Hosts -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("stock", ["", "market"])
def test_a_visit_that_does_not_know_the_outlet_finds_nothing_there(stock):
    visit = Visit(new_world(SESSION, "get me a lamp", stock=stock))
    for path in (
        SHOP.home,
        SHOP.search("lamp", {}),
        SHOP.item(LAMPS[0], {}),
        f"/?scenario={SESSION}",
    ):
        assert visit.get(path).status_code == 404
    assert not visit.world.read("SELECT * FROM log_pages")
    assert "outlet" not in visit.get(SHOP.home, "http://store.localhost").text.lower()


def test_the_outlet_is_no_page_of_the_stores_host(visit):
    for host in ("http://store.localhost", "http://127.0.0.1", "http://localhost"):
        assert visit.get(SHOP.search("lamp", {}), host).status_code == 404
    for host in ("http://outlet.localhost:81", "http://xoutlet.localhost", "http://outlet.test"):
        answer = visit.client.get(SHOP.home, headers={"Host": host.removeprefix("http://")})
        assert answer.status_code == 400


def test_each_shops_foot_leads_to_the_other(both):
    assert f'href="http://store.localhost/{SESSION}"' in both.get(SHOP.home).text
    here = both.get(SHOP.home, "http://store.localhost").text
    assert f'href="http://outlet.localhost/{SESSION}"' in here
    served = both.client.get(SHOP.home, headers={"Host": "outlet.localhost:80"}).text
    assert f'href="http://store.localhost:80/{SESSION}"' in served


@pytest.mark.wide
def test_both_shops_show_the_makers_number(both):
    good = LAMPS[0]
    path = f"/item_page/{SESSION}/{good.asin}/%5B%5D/1/%7B%7D"
    line = f"Maker&#39;s number: {goods.maker_number(good.asin)}"
    there = both.get(path, "http://store.localhost").text
    assert line in there.replace("Maker's", "Maker&#39;s")


def test_the_market_alone_shows_no_makers_number(visit):
    other = Visit(new_world(SESSION, "get me a lamp", stock="market"))
    path = f"/item_page/{SESSION}/{LAMPS[0].asin}/%5B%5D/1/%7B%7D"
    assert "Maker's number" not in other.get(path, "http://store.localhost").text
