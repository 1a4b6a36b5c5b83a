"""What a visitor is offered otherwise: packs, what fits what, and what is no longer sold."""

from __future__ import annotations

import re

import pytest
from flask.testing import FlaskClient

from scenarios import registry
from sites.store import create_app
from sites.store.market.account.account import MarketAccount
from sites.store.market.goods.goods import goods
from sites.store.market.offers import Offer
from sites.store.market.visit import new_market_world
from sites.store.shop.address import Visit
from sites.world import World, Worlds

DATA = registry.site_data("store")
TEA, CABLE = (
    next(each.asin for each in goods().values() if each.kind.name == kind)
    for kind in ("herbal tea", "charging cables")
)
OFFERED = {
    TEA: Offer(pieces=40, piece="bags", gone=True, cents=1095),
    CABLE: Offer(fits=(("Elmark Heron Desk Lamp AB-1234", "3 to 5, not 4S"),)),
}


@pytest.fixture
def world() -> World:
    return new_market_world("s1", "Buy something.", None, OFFERED)


@pytest.fixture
def client(world: World) -> FlaskClient:
    worlds = Worlds()
    worlds.publish(world)
    return create_app(DATA, worlds).test_client()


def page(client: FlaskClient, asin: str) -> str:
    return client.get(Visit("s1").item(asin, {})).text


def test_a_pack_says_how_many_pieces_it_holds_and_not_what_one_costs(client: FlaskClient) -> None:
    html = page(client, TEA)
    assert "One pack holds 40 bags." in html
    assert "Price: $10.95" in html
    assert "$0.27" not in html
    assert "One pack holds" not in page(client, CABLE)


def test_an_accessory_says_what_it_fits(client: FlaskClient) -> None:
    html = page(client, CABLE)
    row = r'<th scope="row">Elmark Heron Desk Lamp AB-1234</th><td>3 to 5, not 4S</td>'
    assert re.search(row, html)
    assert "Buy Now" in html
    assert "<caption>Fits</caption>" not in page(client, TEA)


def test_what_is_gone_keeps_its_page_and_cannot_be_bought(
    client: FlaskClient, world: World
) -> None:
    html = page(client, TEA)
    assert "No longer sold" in html
    assert "Buy Now" not in html
    token = re.findall(r'name="csrf" value="([^"]+)"', page(client, CABLE))[0]
    form = {"csrf": token, "order": "0"}
    answer = client.post(Visit("s1").done(TEA, {}), data=form)
    assert answer.status_code == 409
    assert "is no longer sold. Search for something else." in answer.text
    assert not world.read("SELECT * FROM purchases")
    assert client.post(Visit("s1").done(CABLE, {}), data=form).status_code == 303


def test_a_list_says_what_is_gone(client: FlaskClient) -> None:
    good = goods()[TEA]
    html = client.get(Visit("s1", tuple(good.name.split())).results()).text
    cards = html.split('<li class="card">')
    assert [TEA in card for card in cards] == ["No longer sold" in card for card in cards]
    assert TEA in html


def test_a_customer_sees_what_was_looked_at_last() -> None:
    account = MarketAccount("Ann Lee", "ann.lee@example.com", ())
    world = new_market_world("s2", "Buy something.", account, OFFERED)
    worlds = Worlds()
    worlds.publish(world)
    client = create_app(DATA, worlds).test_client()
    assert "Recently viewed" not in client.get("/s2").text
    for asin in (TEA, CABLE, TEA):
        client.get(Visit("s2").item(asin, {}))
    html = client.get("/s2").text.partition("Recently viewed")[2]
    assert html.index(goods()[TEA].name) < html.index(goods()[CABLE].name)
    assert html.count(goods()[TEA].name) == 1
