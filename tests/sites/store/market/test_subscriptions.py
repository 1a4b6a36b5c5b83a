"""Subscriptions, messages and supplies of a market's customer, through a client."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from random import Random

import pytest
from flask.testing import FlaskClient

from sites.site_app import Refusal
from sites.store import StoreData, load_data
from sites.store.account import orders
from sites.store.market.account.draw import draw_account
from sites.store.market.goods import supplies
from sites.store.market.goods.goods import goods
from sites.store.market.offers import Offer, offers_of
from sites.store.market.service import reordering, subscriptions
from sites.store.market.service.subscriptions import Message, Subscription
from sites.store.market.visit import new_market_world
from sites.store.shop.address import Visit
from sites.world import World
from tests.sites.store.shop.applications import application

HERE = Visit("s1")
LINE, OTHER = supplies.lines()[0]
OWN = [
    Subscription(LINE[0].asin, 1, date(2026, 2, 3), 2),
    Subscription(OTHER[0].asin, 0, date(2026, 2, 4)),
]
INBOX = [
    Message(date(2026, 1, 9), "Newer", "A price."),
    Message(date(2026, 1, 2), "Older", "Another <price>."),
]
OFFERS = {
    LINE[0].asin: Offer(cents=1295, pieces=40, piece="tablets", others=(LINE[1].asin,)),
    LINE[1].asin: Offer(cents=1995, pieces=80, piece="tablets", gone=True, successor=OTHER[0].asin),
    OTHER[0].asin: Offer(cents=995, pieces=24, piece="tablets"),
}


@pytest.fixture(scope="module")
def data(tmp_path_factory) -> Iterator[StoreData]:
    data = load_data(300, 0, tmp_path_factory.mktemp("cache"))
    yield data
    data.close()


@pytest.fixture
def world(data) -> World:
    drawn = draw_account(Random("subscriptions"), data.market, range(3, 4))
    account = replace(drawn, codes=())
    return new_market_world("s1", "Look.", account, OFFERS, cart=True)


@pytest.fixture
def subscriber(world) -> World:
    subscriptions.begin(world, OWN, INBOX)
    return world


def client(data: StoreData, world: World) -> FlaskClient:
    return application(data, world)[0].test_client()


def text(html: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


def posted(visitor: FlaskClient, number: int, **fields: str) -> int:
    page = visitor.get(HERE.subscriptions).text
    token = re.findall(r'name="csrf" value="([^"]+)"', page)[0]
    return visitor.post(HERE.subscription(number), data={"csrf": token, **fields}).status_code


# Pages -------------------------------------------------------------------------------------------


@pytest.mark.wide
def test_the_list_names_what_comes_and_when_and_no_price(data, subscriber) -> None:
    page = client(data, subscriber).get(HERE.subscriptions).text
    assert f"{LINE[0].name} Every month, next on February 3, 2026" in text(page)
    assert f"{OTHER[0].name} Canceled" in text(page)
    assert "$" not in page
    labels = re.findall(r'aria-label="([^"]+)"', page)
    assert f"Cancel: {LINE[0].name}" in labels and f"Cancel: {OTHER[0].name}" not in labels


@pytest.mark.wide
def test_its_own_page_tells_price_and_packs(data, subscriber) -> None:
    page = text(client(data, subscriber).get(HERE.subscription(1)).text)
    assert "Packs in a delivery 2 Price of one pack today $12.95" in page


@pytest.mark.wide
def test_a_button_changes_it_and_another_one_changes_it_back(data, subscriber) -> None:
    visitor = client(data, subscriber)
    before = subscriber.digest()
    assert posted(visitor, 1, months="2") == 303
    assert [each.months for each in subscriptions.every(subscriber)] == [2, 0]
    assert posted(visitor, 1, months="1") == 303
    assert subscriber.digest() == before


@pytest.mark.parametrize("months", ["", "3", "-1", "two", "1 "])
def test_another_rhythm_is_refused(data, subscriber, months) -> None:
    before = subscriber.digest()
    assert posted(client(data, subscriber), 1, months=months) == 400
    assert subscriber.digest() == before


def test_a_form_that_is_not_the_shops_changes_nothing(data, subscriber) -> None:
    before = subscriber.digest()
    assert (
        client(data, subscriber).post(HERE.subscription(1), data={"months": "0"}).status_code >= 400
    )
    assert subscriber.digest() == before


@pytest.mark.parametrize("path", [HERE.subscription(3), HERE.message(3)])
def test_what_there_is_not_is_not_found(data, subscriber, path) -> None:
    assert client(data, subscriber).get(path).status_code == 404


def test_messages_come_the_newest_first_and_are_marked_once_read(data, subscriber) -> None:
    visitor = client(data, subscriber)
    assert "Another &lt;price&gt;." in visitor.get(HERE.message(1)).text
    page = visitor.get(HERE.messages).text
    assert page.index("Newer") < page.index("Older")
    assert re.search(rf'class="visited" href="{HERE.message(1)}"', page)
    assert not re.search(rf'class="visited" href="{HERE.message(2)}"', page)


def test_a_pack_names_its_pieces_its_line_and_its_successor(data, subscriber) -> None:
    visitor = client(data, subscriber)
    page = text(visitor.get(HERE.item(LINE[0].asin, {})).text)
    assert "One pack holds 40 tablets." in page
    assert f"Other packs of this line {LINE[1].name}" in page
    gone = text(visitor.get(HERE.item(LINE[1].asin, {})).text)
    assert f"Its successor: {OTHER[0].name}" in gone and "No longer sold" in gone


def test_from_an_item_one_comes_back_to_the_subscription(data, subscriber) -> None:
    visitor = client(data, subscriber)
    visitor.get(HERE.subscription(1))
    page = visitor.get(HERE.item(LINE[0].asin, {})).text
    assert re.search(rf'href="{HERE.subscription(1)}">&lt; Prev<', page)


# Nobody else has any of it -----------------------------------------------------------------------


def test_other_customers_have_neither_links_nor_help_nor_pages(data, world) -> None:
    visitor = client(data, world)
    assert "Subscriptions" not in visitor.get(HERE.account).text
    titles = [each.title for each in reordering.TOPICS.values()]
    assert not [title for title in titles if title in visitor.get(HERE.help()).text]
    paths = [HERE.subscriptions, HERE.subscription(1), HERE.messages, HERE.message(1)]
    paths += [HERE.help(topic) for topic in reordering.TOPICS]
    assert {visitor.get(path).status_code for path in paths} == {404}
    assert "subscriptions" not in world.snapshot()


def test_a_guest_has_none(data) -> None:
    guest = new_market_world("s1", "Look.")
    with pytest.raises(Refusal):
        subscriptions.listed(guest)
    with pytest.raises(Refusal):
        subscriptions.messages(guest)


# Supplies ----------------------------------------------------------------------------------------


def test_no_supply_has_the_asin_of_a_good() -> None:
    assert not supplies.supplies().keys() & goods().keys()
    assert len({each.name for each in supplies.supplies().values()}) == len(supplies.supplies())


def test_what_is_offered_is_found_by_its_line_and_by_its_kind(data, world) -> None:
    market = data.market.offering(offers_of(world))
    offered = set(OFFERS)
    assert set(market.hits(LINE[0].design)) == offered
    by_kind = market.hits(LINE[0].kind.name)
    assert set(by_kind[: len(offered)]) == offered and len(by_kind) > len(offered)


def test_other_visitors_find_no_supplies(data) -> None:
    hits = data.market.hits(LINE[0].design)
    assert hits and not [asin for asin in hits if supplies.is_supply(asin)]


def test_help_says_what_a_customer_with_subscriptions_asks(data, subscriber) -> None:
    visitor = client(data, subscriber)
    for name, topic in reordering.TOPICS.items():
        assert topic.title in visitor.get(HERE.help()).text
        page = text(visitor.get(HERE.help(name)).text)
        for section in topic.sections(None):  # type: ignore[arg-type]
            assert section.heading in page
    assert orders.opened_pages(subscriber) >= {"help"}
