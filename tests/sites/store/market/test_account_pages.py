"""The account, wallet, shared lists and help of a market's customer, through a client."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from random import Random

import pytest
from flask.testing import FlaskClient

from sites.site_app import Refusal
from sites.store import StoreData, load_data, new_world
from sites.store.account import operations as customer
from sites.store.account import orders
from sites.store.account.draw import draw_account as draw_first_account
from sites.store.catalogue.clock import spoken
from sites.store.market.account.account import OUTLET, MarketAccount
from sites.store.market.account.draw import draw_account
from sites.store.market.pricing import Code, Method, ShopRules
from sites.store.market.service import help as rules
from sites.store.market.service.help import TOPICS, dollars, rule
from sites.store.market.visit import new_market_world
from sites.store.shop.address import Listing, Visit
from sites.world import World
from tests.sites.store.shop.applications import application

HERE = Visit("s1")
PAGES = {
    "account": HERE.account,
    "orders": HERE.orders(),
    "addresses": HERE.addresses,
    "wallet": HERE.wallet,
    "lists": HERE.lists,
    "help": HERE.help(),
}


class Market:
    """The store with one open world, seen by a client without a cookie."""

    def __init__(self, data: StoreData, world: World) -> None:
        self.world = world
        self.client: FlaskClient = application(data, world)[0].test_client()

    def journal(self) -> list[tuple[str, object, object]]:
        rows = self.world.read("SELECT * FROM log_pages ORDER BY id")
        return [(row["page"], json.loads(row["options"] or "{}"), row["number"]) for row in rows]


@pytest.fixture(scope="module")
def data(tmp_path_factory) -> Iterator[StoreData]:
    data = load_data(300, 0, tmp_path_factory.mktemp("cache"))
    yield data
    data.close()


@pytest.fixture(scope="module")
def account(data) -> MarketAccount:
    drawn = (draw_account(Random(f"pages/{seed}"), data.market) for seed in range(100))
    return next(
        each
        for each in drawn
        if len(each.lists) > 1 and each.codes and any(order.refunds for order in each.orders)
    )


@pytest.fixture
def market(data, account) -> Market:
    return Market(data, new_market_world("s1", "Look.", account))


@pytest.fixture
def guest(data) -> Market:
    return Market(data, new_market_world("s1", "Look."))


# What the pages show -----------------------------------------------------------------------------


@pytest.mark.wide
def test_the_header_leads_to_each_page(market, read) -> None:
    links = [text for text, _ in read(market.client.get("/s1")).links]
    assert links == [
        "My Account",
        "My Orders",
        "Address Book",
        "Wallet",
        "Shared Lists",
        "My Wish List",
        "Help",
    ]


@pytest.mark.wide
def test_orders_are_listed_with_what_in_short_and_totals(market, account, data, read) -> None:
    page = read(market.client.get(HERE.orders(2)))
    shown = [each for each in account.orders if each.number in page.texts]
    assert shown == list(account.orders[10:20])
    for order in shown:
        at = page.texts.index(order.number)
        first = order.lines[0]
        short = data.market.good(first.asin).design
        short = f"{first.quantity} × {short}" if first.quantity > 1 else short
        more = f" and {len(order.lines) - 1} more" if len(order.lines) > 1 else ""
        assert page.texts[at + 1 : at + 6] == [
            spoken(order.placed),
            short + more,
            order.ship_to.name,
            order.status,
            dollars(order.total),
        ]
    assert market.journal() == [("orders", {}, 2)]


def test_an_order_shows_lines_sums_and_refunds(market, account, data, read) -> None:
    order = next(each for each in account.orders if each.refunds and each.gift_text)
    texts = read(market.client.get(HERE.order(order.number))).texts
    for line in order.lines:
        good = data.market.good(line.asin)
        at = texts.index(good.name)
        values = [each for pair in line.options.items() for each in pair]
        values += ["revision", line.revision] if line.revision else []
        amounts = [dollars(line.cents), str(line.quantity), dollars(line.total)]
        wanted = [good.name, *values, good.kind.department, *amounts]
        assert texts[at : at + len(wanted)] == wanted
    at = texts.index("Goods")
    assert texts[at : at + 12 : 2] == ["Goods", "Taken off", "Postage", "Extras", "Tax", "Total"]
    assert texts[at + 1 : at + 12 : 2] == [
        dollars(order.goods),
        f"{'-' if order.discount else ''}{dollars(order.discount)}",
        *(dollars(each) for each in (order.postage, order.extras, order.tax, order.total)),
    ]
    for refund in order.refunds:
        at = texts.index(refund.reason)
        assert texts[at - 1 : at + 2] == [spoken(refund.day), refund.reason, dollars(refund.cents)]
    assert order.delivered
    assert {f"Delivered on {spoken(order.delivered)}", f"Card: “{order.gift_text}”"} <= set(texts)
    assert {order.ship_to.street, order.method, order.status} <= set(texts)


def test_a_canceled_order_says_that_nothing_was_charged(market, account, read) -> None:
    order = next(each for each in account.orders if each.status == "Canceled")
    texts = read(market.client.get(HERE.order(order.number))).texts
    assert "This order was canceled and nothing was charged." in texts
    assert "Would have been charged" in texts


def test_an_order_that_was_opened_is_marked(market, account, read) -> None:
    number = account.orders[3].number
    market.client.get(HERE.order(number))
    for address in (HERE.orders(), HERE.account):
        links = dict(read(market.client.get(address)).links)
        assert links[number] == "visited"
        assert links[account.orders[2].number] == ""


def test_addresses_stand_with_the_notes(market, account, read) -> None:
    texts = read(market.client.get(HERE.addresses)).texts
    notes = [text for text in texts if text.startswith("Note: ")]
    assert notes == [f"Note: {note}" for note in account.notes if note]
    assert {each.street for each in account.addresses} <= set(texts)


def test_the_wallet_says_each_rule(market, account, read) -> None:
    texts = read(market.client.get(HERE.wallet)).texts
    cards = [f"{each.name}{'' if place else ' (the usual one)'}"
             for place, each in enumerate(account.cards)]  # fmt: skip
    assert set(cards) <= set(texts)
    for code in account.codes:
        assert texts[texts.index(code.name) + 1] == rule(code)


def test_shared_lists_lead_to_what_is_wished(market, account, data, read) -> None:
    person = account.lists[-1].person
    links = [text for text, _ in read(market.client.get(HERE.lists)).links]
    assert links[-len(account.lists) :] == sorted(each.person for each in account.lists)
    page = read(market.client.get(HERE.shared(person)))
    names = [data.market.product(asin).name for asin in account.lists[-1].asins]
    assert [text for text in page.texts if text in names] == names
    marked = dict(read(market.client.get(HERE.lists)).links)
    assert marked[person] == "visited"
    assert market.journal() == [
        ("lists", {}, None), ("shared", {"person": person}, None), ("lists", {}, None),
    ]  # fmt: skip


def test_each_help_page_is_a_line_of_the_journal_and_marked(market, read) -> None:
    for name in TOPICS:
        assert market.client.get(HERE.help(name)).status_code == 200
    assert market.journal() == [("help", {"topic": name}, None) for name in TOPICS]
    links = dict(read(market.client.get(HERE.help())).links)
    assert all(links[topic.title] == "visited" for topic in TOPICS.values())


def test_from_an_item_one_comes_back_to_the_order(market, account, read) -> None:
    order = account.orders[0]
    line = order.lines[0]
    market.client.get(HERE.order(order.number))
    html = market.client.get(HERE.item(line.asin, line.options)).text
    assert f'href="{HERE.order(order.number)}">&lt; Prev' in html
    back = Visit("s1", ("tea",)).item(line.asin, {})
    assert "search_results" in market.client.get(back).text


def test_a_good_is_wished_for(market, account, read) -> None:
    asin = account.orders[0].lines[0].asin
    fields = read(market.client.get(HERE.item(asin, {}))).fields()
    done = market.client.post(HERE.wish(asin, {}), data=fields)
    assert done.status_code == 303
    assert asin in read(market.client.get(HERE.wishlist)).texts


# Bad input ---------------------------------------------------------------------------------------


def test_what_there_is_not_is_said_in_one_line(market) -> None:
    wrong = {
        HERE.orders(99): "There is no page 99 of your orders.",
        f"{HERE.account}/orders?page=x": "There is no such page.",
        HERE.order("1"): "You have no order “1”.",
        HERE.order("nonsense"): "You have no order “nonsense”.",
        HERE.shared("Nobody"): "Nobody called “Nobody” shares a list with you.",
        HERE.help("weather"): "There is no help about “weather”.",
        HERE.category(Listing("kitchen")): "The market has no categories.",
    }
    for address, sentence in wrong.items():
        answer = market.client.get(address)
        assert answer.status_code == 404
        assert sentence in answer.text
    assert market.journal() == []


def test_a_guest_has_help_and_no_account(guest) -> None:
    for name, address in PAGES.items():
        assert guest.client.get(address).status_code == (200 if name == "help" else 404)


def test_other_visitors_of_the_store_have_none_of_these_pages(data) -> None:
    first = Market(data, new_world("s1", "Buy.", draw_first_account(Random(1), data)))
    for address in (HERE.wallet, HERE.lists, HERE.shared("Ann"), HERE.help(), HERE.help("offers")):
        assert first.client.get(address).status_code == 404
    assert "Wallet" not in first.client.get(HERE.account).text


def test_what_customers_do_with_orders_knows_those_of_the_market(market, account) -> None:
    order = account.orders[0]
    customer.send_message(market.world, order.number, "Refund", "It broke.")
    assert [each.order_number for each in customer.messages(market.world)] == [order.number]
    before = market.world.digest()
    with pytest.raises(Refusal) as caught:
        customer.redirect_order(market.world, order.number, 2)
    assert caught.value.status == 409 and market.world.digest() == before


def test_an_account_names_its_wishes_only_if_there_are_any(account) -> None:
    wishing = replace(account, wishes=("M000000001",))
    assert "wishes" not in account.to_json() and wishing.to_json()["wishes"] == ["M000000001"]
    assert MarketAccount.from_json(wishing.to_json()) == wishing


def test_an_empty_account_has_pages(data, account) -> None:
    bare = MarketAccount(account.name, account.email, ())
    empty = Market(data, new_market_world("s1", "Look.", bare))
    for address in PAGES.values():
        assert empty.client.get(address).status_code == 200


def test_a_shop_shows_its_own_orders(data, account) -> None:
    elsewhere = replace(account.orders[0], shop=OUTLET)
    some = replace(account, orders=(elsewhere, account.orders[1]))
    world = new_market_world("s1", "Look.", some)
    assert orders.orders(world).orders == [account.orders[1]]
    assert orders.orders(world, shop=OUTLET).orders == [elsewhere]
    with pytest.raises(Refusal):
        orders.order(world, elsewhere.number)
    rules.open_topic(world, "taxes", OUTLET)
    rows = [json.loads(row["options"] or "{}") for row in world.read("SELECT * FROM log_pages")]
    assert rows == [{}, {"shop": OUTLET}, {"topic": "taxes", "shop": OUTLET}]


# Rules in words ----------------------------------------------------------------------------------


def in_words(topic: str, rules: ShopRules) -> str:
    return " ".join(each for part in TOPICS[topic].sections(rules) for each in part.sentences)


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        (Code("A", percent=10), "10% off everything; cannot be used together with another code."),
        (
            Code("B", cents=500, kind="herbal tea", over=2000, together=True),
            ("$5.00 off all herbal tea, if these goods come to $20.00 or more; can be used together"
            " with other codes that say so."),
        ),
        (
            Code("C", percent=15, brand="Almhaus", department="Office", cap=1000,
                 until=date(2026, 1, 31)),
            ("15% off everything by Almhaus in Office, at most $10.00, until January 31, 2026, that"
            " day included; cannot be used together with another code."),
        ),
    ],
)  # fmt: skip
def test_the_rule_of_a_code_is_one_sentence(code, sentence) -> None:
    assert rule(code) == sentence


def test_help_tells_the_visitors_own_terms() -> None:
    rules = ShopRules(
        methods=(Method("Slow", 250, 9, abroad=True), Method("Fast", 999, 1)),
        free_over=5000,
        free_method="Slow",
        bulky=700,
        bulky_kinds=("coolers",),
        threes=("herbal tea", "water bottles"),
        tax=75,
        minimum=1500,
        extras={"plan": 333},
    )
    delivery, offers = in_words("delivery", rules), in_words("offers", rules)
    for part in (
        "Slow costs $2.50 and arrives 9 business days after",
        "Fast costs $9.99 and arrives 1 business day after",
        "Slow is free for orders whose goods come to $50.00 or more",
        "For coolers $7.00 is added for each piece",
        "Fast goes to addresses in the United States only.",
        "Slow goes to other countries",
        "We do not deliver to New Zealand.",
        "Monday, January 19, 2026",
        "Today is Thursday, January 15, 2026.",
    ):
        assert part in delivery
    for part in (
        "Of herbal tea and water bottles every third piece",
        "Protection plan costs $3.33",
        "must come to $15.00",
    ):
        assert part in offers
    assert "Tax is 7.5% of the goods" in in_words("taxes", rules)
    assert "include all taxes" in in_words("taxes", ShopRules())
    assert "no such offer" in in_words("offers", ShopRules())
    assert "Smallest order" not in [each.heading for each in TOPICS["offers"].sections(ShopRules())]
