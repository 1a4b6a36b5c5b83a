"""Whatever is sent to the outlet's pages, basket and checkout, in whatever order: nothing of ours
fails, a refusal says why, and neither the basket nor an order is changed by it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict
from functools import cache
from urllib.parse import quote

import pytest
from flask import Flask
from hypothesis import given, settings
from hypothesis import strategies as st
from werkzeug.test import TestResponse

from sites.store import create_app, load_data
from sites.store.market.account.account import OUTLET
from sites.store.market.checkout import cart, checkout
from sites.store.market.offers import Offer
from sites.store.market.visit import new_market_world
from sites.store.outlet import goods
from sites.store.outlet.visit import open_shops
from sites.world import World, Worlds, state
from tests.each import for_each
from tests.sites.store.market.shopping import ACCOUNT, HOME
from tests.sites.store.market.test_hostile_market import (
    EXAMPLES,
    FIELDS,
    HOSTILE,
    KNOWN,
    TOKEN,
    Asked,
)
from tests.sites.store.outlet.test_outlet import HOST, LAMPS, SHOES, SHOP, Visit

STORE_HOST = "http://store.localhost"
ONE, TWO, GONE, FEW = LAMPS[:4]
SHOE = SHOES[0]
ORDER = f"{SHOP.checkout}/order"
BOOK = "/account/s1/addresses"
SLUGS = tuple(map(goods.slug, (ONE, TWO, GONE, FEW, SHOE)))
OWN = (
    "s1", *SLUGS, *map(goods.maker_number, (good.asin for good in LAMPS[:4])), "cheapest",
    "best-liked", "Saver", "Tracked", "Swift", "order", "checkout", "code", "lamp", ONE.brand,
    "colour", *ONE.options.get("color", ()), *SHOE.options["size"][:2], "a" * 300, '"', "''",
)  # fmt: skip
SENT = (*FIELDS, "q", "kind", "maker", "sort", "shown", "reviews", "colour", "color", "size")
PATHS = (
    "/{}", "/{}/search", "/{}/goods/{}", "/{}/order/{}", "/{}/orders/{}", "/picture/{}.svg",
    "/{}/basket", "/{}/basket/{}", "/{}/checkout", "/{}/checkout/order", "/{}/receipts/{}",
    "/{}/help", "/{}/{}", "/{}/{}/{}",
)  # fmt: skip
DOORS = (
    SHOP.home, SHOP.find, SHOP.item(ONE, {}), SHOP.item(SHOE, {}),
    SHOP.into_basket(TWO, {}), SHOP.into_basket(FEW, {}), SHOP.into_basket(GONE, {}), SHOP.basket,
    SHOP.checkout, ORDER, SHOP.bought("300000001"), SHOP.order(ONE, {}), SHOP.receipt(1), SHOP.help,
)  # fmt: skip
"""Addresses that there are."""

texts = st.one_of(
    st.sampled_from((*KNOWN, *OWN)),
    st.sampled_from(HOSTILE),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=30),
)


@st.composite
def paths(draw: st.DrawFn) -> str:
    """An address of a shape that there is, with anything in it."""
    path = draw(st.sampled_from(PATHS))
    first = [] if path.startswith("/picture") else [draw(st.sampled_from(("s1", "s1", "nobody")))]
    parts = [*first, *(draw(texts) for _ in range(path.count("{}") - len(first)))]
    return path.format(*(quote(each, safe="") or "%20" for each in parts))


def fields(most: int) -> st.SearchStrategy[Mapping[str, str]]:
    names = st.one_of(st.sampled_from(SENT), texts.map(lambda text: f"quantity-{text}"))
    return st.dictionaries(names, texts, max_size=most)


@st.composite
def requests(draw: st.DrawFn) -> Asked:
    method = st.sampled_from(("GET", "GET", "POST", "POST", "POST", "PUT", "DELETE", "HEAD"))
    place = draw(st.one_of(st.sampled_from(DOORS), paths()))
    signed = draw(st.sampled_from((True, True, True, False)))
    return Asked(draw(method), place, draw(fields(2)), draw(fields(4)), signed)


@cache
def _shops() -> tuple[Flask, Worlds]:
    """One application for all, each time with a new world."""
    worlds = Worlds()
    return create_app(load_data(), worlds), worlds


class Customer(Visit):
    """Who knows both shops and has two things in the basket, one of them the last."""

    def __init__(self, *, with_cart: bool = True) -> None:
        world = new_market_world("s1", "Buy it.", ACCOUNT, cart=with_cart)
        offered = {GONE.asin: Offer(gone=True), FEW.asin: Offer(stock=1)}
        open_shops(world, offered=offered)
        self.world, (self.app, self.worlds) = world, _shops()
        self.worlds.publish(world)
        self.client = self.app.test_client()
        self.tokens = {HOST: "", STORE_HOST: ""}
        if with_cart:
            self.tokens = {host: self._token(host) for host in self.tokens}
            self.sent(SHOP.into_basket(ONE, {}), quantity="2")
            self.sent(SHOP.into_basket(FEW, {}), quantity="1")

    def _token(self, host: str) -> str:
        page = SHOP.item(ONE, {}) if host == HOST else f"{BOOK}/1"
        return TOKEN.findall(self.get(page, host).text)[0]

    def ask(self, asked: Asked, host: str = HOST) -> TestResponse:
        form = {**({"csrf": self.tokens[host]} if asked.signed else {}), **asked.form}
        return self.client.open(
            asked.path,
            base_url=host,
            method=asked.method,
            query_string=dict(asked.query) or None,
            data=form,
        )

    def sent(self, path: str, host: str = HOST, **form: str) -> None:
        assert self.ask(Asked("POST", path, {}, form), host).status_code == 303

    def refused(self, path: str, **form: str) -> str:
        """What the page of a refusal says; nothing was changed."""
        before = _state(self.world), checkout.state(self.world, OUTLET)
        answer = self.ask(Asked("POST", path, {}, form))
        assert 400 <= answer.status_code < 500
        assert (_state(self.world), checkout.state(self.world, OUTLET)) == before
        return answer.text

    def review(self) -> dict[str, str]:
        """What the form that orders says."""
        form = self.get(SHOP.checkout).text.partition("data-commits")[2]
        return dict(re.findall(r'name="(orders|seen)" value="(\w+)"', form))

    def rows(self, table: str) -> list[dict[str, object]]:
        return self.world.snapshot()[table]


@pytest.fixture
def customer() -> Customer:
    return Customer()


# Anything ----------------------------------------------------------------------------------------


@pytest.mark.wide
@settings(max_examples=EXAMPLES, deadline=None)
@given(asked=st.lists(requests(), min_size=1, max_size=12))
def test_whatever_is_sent_nothing_of_ours_fails(asked) -> None:
    customer = Customer()
    for each in asked:
        before = _state(customer.world)
        answer = customer.ask(each)
        assert answer.status_code < 500, (each, answer.text[:300])
        if answer.status_code >= 400:
            assert _state(customer.world) == before, each
            assert each.method == "HEAD" or answer.status_code == 405 or _says_why(answer), each
    assert not customer.world.fault


def _state(world: World) -> dict[str, object]:
    """What a refusal leaves alone; of several choices at once it keeps those that are right."""
    return {name: rows for name, rows in state(world.snapshot()).items() if name != "checkouts"}


def _says_why(answer: TestResponse) -> bool:
    """Whether the page has a sentence for its reader, and no inner word of ours."""
    inner = ("Traceback", "sqlite", "KeyError", "ValueError", "OverflowError", "jinja")
    return "." in answer.text and not any(word in answer.text for word in inner)


# What goes wrong by itself -----------------------------------------------------------------------


@for_each("quantity", ["-1", "-999999999999", "100", "9" * 40, "1e9", "½", "١", "", "a" * 300])
def test_no_quantity_is_negative_or_huge(quantity) -> None:
    customer = Customer()
    [line, _] = cart.lines(customer.world, OUTLET)
    shown = customer.refused(SHOP.basket, **{f"quantity-{line.id}": quantity})
    assert re.search(r"from 0 to 99|at most 99", shown)
    shown = customer.refused(SHOP.into_basket(TWO, {}), quantity=quantity)
    assert re.search(r"1 to 99|at most 99", shown)


@for_each("line", ["9" * 19, "9" * 40, "9" * 5000, "0", "77", "x", "-1", "١", "1; DROP TABLE x"])
def test_a_line_that_there_is_not_is_neither_changed_nor_taken_out(line) -> None:
    customer = Customer()
    before = state(customer.world.snapshot())
    for form in ({f"quantity-{line}": "5"}, {"remove": line}):
        answer = customer.ask(Asked("POST", SHOP.basket, {}, form))
        assert answer.status_code in (303, 404)
        assert state(customer.world.snapshot()) == before


def test_the_last_piece_is_had_once(customer) -> None:
    assert "Only 1 of" in customer.refused(SHOP.into_basket(FEW, {}), quantity="1")
    assert "not sold any more" in customer.refused(SHOP.into_basket(GONE, {}), quantity="1")


def test_a_code_is_applied_once(customer) -> None:
    customer.sent(SHOP.checkout, code="HOME15", do="code")
    total = re.search(r"Total.*?\$([\d.]+)", customer.get(SHOP.checkout).text, re.DOTALL)
    for code in ("HOME15", "home15", " Home15 "):
        assert "already" in customer.refused(SHOP.checkout, code=code, do="code")
    shown = customer.get(SHOP.checkout).text
    assert total and total[0] in shown


def test_an_address_that_nobody_serves_is_told_and_nothing_is_ordered(customer) -> None:
    shown = customer.refused(SHOP.checkout, address="3")
    assert "Nothing can be delivered to New Zealand." in shown
    form = customer.review()
    moved = {**asdict(HOME), "country": "New Zealand"}
    customer.sent(f"{BOOK}/1", STORE_HOST, **moved)
    assert "New Zealand" in customer.refused(ORDER, **form)
    shown = customer.get(SHOP.checkout).text
    assert "New Zealand" in shown and "Place your order" not in shown


def test_two_tabs_order_a_basket_once(customer) -> None:
    form = customer.review()
    customer.sent(ORDER, **form)
    assert "You have ordered since this page was made" in customer.refused(ORDER, **form)
    assert len(customer.rows("market_orders")) == 1


def test_a_tab_that_shows_another_way_or_code_orders_nothing(customer) -> None:
    for form in ({"method": "Tracked"}, {"code": "HOME15"}, {"card": "2"}, {"address": "2"}):
        shown = customer.review()
        customer.sent(SHOP.checkout, **form)
        assert "has changed since this page was made" in customer.refused(ORDER, **shown)


def test_the_other_shop_ordered_meanwhile(customer) -> None:
    """Orders are counted over both shops, so a form of before is old."""
    form = customer.review()
    store = "/checkout/s1/review"
    product = f"/cart/s1/{TWO.asin}/%7B%7D"
    customer.sent(product, STORE_HOST, quantity="1")
    review = customer.get(store, STORE_HOST).text
    placed = dict(re.findall(r'name="(orders|seen)" value="(\w+)"', review))
    customer.sent(f"{store}/order", STORE_HOST, **placed)
    assert "nothing was ordered now" in customer.refused(ORDER, **form)
    assert len(cart.lines(customer.world, OUTLET)) == 2
    customer.sent(ORDER, **customer.review())
    assert [row["shop"] for row in customer.rows("market_orders")] == ["store", OUTLET]


def test_what_went_out_of_stock_meanwhile_is_not_ordered(customer) -> None:
    [one, few] = cart.lines(customer.world, OUTLET)
    form = customer.review()
    customer.world.write("UPDATE cart_lines SET quantity = 2 WHERE id = ?", (few.id,))
    assert "Only 1 of" in customer.refused(ORDER, **form)
    customer.world.write("DELETE FROM cart_lines WHERE id IN (?, ?)", (one.id, few.id))
    assert "Your basket is empty." in customer.refused(ORDER, **form)


def test_an_address_that_is_gone_is_not_delivered_to(customer) -> None:
    customer.sent(SHOP.checkout, address="2")
    form = customer.review()
    customer.world.write("DELETE FROM addresses WHERE id = 2")
    assert "Choose one of your addresses." in customer.refused(ORDER, **form)
    assert "Choose one of your addresses." in customer.get(SHOP.checkout).text


@for_each("text", ["a" * 300, '"', "'; DROP TABLE cart_lines; --", "<script>alert(1)</script>"])
def test_what_is_typed_is_shown_as_text(text) -> None:
    customer = Customer()
    shown = [
        customer.refused(SHOP.checkout, code=text, do="code"),
        customer.refused(SHOP.checkout, method=text),
        customer.refused(SHOP.into_basket(ONE, {"color": text})),
        customer.get(SHOP.search(text, {"kind": text, "maker": text})).text,
        customer.get(f"{SHOP.home}/goods/{quote(text, safe='')}").text,
    ]
    assert not any("<script>alert" in page or 'value="""' in page for page in shown)
    assert not customer.world.fault


def test_what_is_gone_is_not_ordered_without_a_basket_either() -> None:
    customer = Customer(with_cart=False)
    sold = customer.form(SHOP.order(TWO, {}))
    for answer in (customer.get(SHOP.order(GONE, {})), customer.post(SHOP.order(GONE, {}), **sold)):
        assert answer.status_code == 409
        assert "is no longer sold. Please search for something else." in answer.text
        assert "Back to the item" in answer.text
    assert not customer.rows("outlet_purchases")
    assert customer.post(SHOP.order(TWO, {}), **sold).status_code == 303
