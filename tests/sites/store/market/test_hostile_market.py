"""Whatever is sent to the market's pages, in whatever order: nothing of ours fails, a refusal says
why, and changes nothing."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import date
from urllib.parse import quote

import pytest
from flask.testing import FlaskClient
from hypothesis import given, settings
from hypothesis import strategies as st
from werkzeug.test import TestResponse

from sites.store import StoreData, load_data
from sites.store.market.account.account import MarketLine, MarketOrder, SharedList
from sites.store.market.checkout import cart
from sites.store.market.checkout.checkout import STEPS
from sites.store.market.offers import Offer, offers_of
from sites.store.market.pricing import PLAN, WRAP
from sites.store.market.service.help import TOPICS
from sites.store.shop.address import Visit
from sites.world import World, state
from tests import measuring
from tests.sites.store.market.shopping import ACCOUNT, HOME, LAMPS, new_shopper
from tests.sites.store.shop.applications import application

EXAMPLES = 400 if measuring.DEEP else 15
ONE, TWO, GONE, FEW = LAMPS[:4]
HERE = Visit("s1")
TOKEN = re.compile(r'name="csrf" value="(\w+)"')
HOSTILE = (
    "", " ", "0", "-1", "-999999999999", "99", "100", "1e9", "9" * 40, "1.5", "NaN", "١٢", "½",
    "\0", "\n\r", "'; DROP TABLE cart_lines; --", "<script>alert(1)</script>", "../../etc/passwd",
    "{{ 7 * 7 }}", "%s%n", "\u202e\u200b", "😀" * 60, "a" * 3000, "{}", "[]", "null", '{"size": 1}',
    '{"color":"black"}', '{"color": "black", "color": "white"}', '["lamp"]', "review/order",
)  # fmt: skip
KNOWN = (
    "s1", ONE, TWO, GONE, FEW, "1", "2", "3", "4", *STEPS, *TOPICS, "HOME15", "home15", "TENOFF",
    "OLD20", "RICH", "Economy", "Express", PLAN, WRAP, "subscription", "update", "checkout", "stay",
    "go on", "100000001", "300000001", "Rose Lee", "Reviews", "Description",
)  # fmt: skip
FIELDS = (
    "quantity", "quantity-1", "quantity-2", "quantity-x", "do", "save", "back", "remove", "address",
    "method", "gift_text", "extra", "card", "code", "drop", "orders", "seen", "csrf", "name",
    "street", "city", "postcode", "country", "phone", "asin", "search_query", "page",
)  # fmt: skip
PATHS = (
    "/{}", "/search_results/{}/{}/{}", "/item_page/{}/{}/{}/{}/{}",
    "/item_sub_page/{}/{}/{}/{}/{}/{}", "/done/{}/{}/{}", "/wish/{}/{}/{}/{}/{}",
    "/account/{}", "/account/{}/orders", "/account/{}/orders/{}", "/account/{}/addresses",
    "/account/{}/addresses/{}", "/account/{}/wishlist", "/account/{}/wallet", "/account/{}/lists",
    "/account/{}/lists/{}", "/help/{}", "/help/{}/{}", "/contact/{}", "/category/{}/{}",
    "/cart/{}", "/cart/{}/{}/{}", "/checkout/{}", "/checkout/{}/{}", "/checkout/{}/review/without",
    "/checkout/{}/review/order", "/receipt/{}/{}", "/picture/{}.svg",
)  # fmt: skip


@pytest.fixture(scope="module")
def data():
    return load_data()


@dataclass(frozen=True)
class Asked:
    """A request; with `signed` it carries the token of our own forms."""

    method: str
    path: str
    query: Mapping[str, str]
    form: Mapping[str, str] = field(default_factory=dict)
    signed: bool = True


texts = st.one_of(
    st.sampled_from(KNOWN),
    st.sampled_from(HOSTILE),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=30),
)


DOORS = (
    HERE.index, HERE.cart, HERE.into_cart(ONE, {}), HERE.into_cart(FEW, {"color": "black"}),
    HERE.item(ONE, {}), HERE.account, HERE.orders(), HERE.order("100000001"), HERE.addresses,
    HERE.address(1), HERE.address(3), HERE.wallet, HERE.lists, HERE.shared("Rose Lee"), HERE.help(),
    HERE.help("delivery"), HERE.wishlist, HERE.contact, HERE.wish(ONE, {}),
    *(HERE.checkout(step) for step in STEPS), HERE.checkout("review") + "/without",
    HERE.checkout("review") + "/order", HERE.receipt("300000001"), HERE.done(ONE, {}),
)  # fmt: skip
"""Addresses that there are."""


@st.composite
def paths(draw: st.DrawFn) -> str:
    """An address of a shape that there is, with anything in it."""
    path = draw(st.sampled_from(PATHS))
    first = draw(st.sampled_from(("s1", "s1", "s1", "s1", "nobody")))
    parts = [first, *(draw(texts) for _ in range(path.count("{}") - 1))]
    return path.format(*(quote(each, safe="") or "%20" for each in parts))


@st.composite
def requests(draw: st.DrawFn) -> Asked:
    return Asked(
        draw(
            st.sampled_from(("GET", "GET", "GET", "POST", "POST", "POST", "PUT", "DELETE", "HEAD"))
        ),
        draw(st.one_of(st.sampled_from(DOORS), paths())),
        draw(st.dictionaries(st.sampled_from(FIELDS), texts, max_size=2)),
        draw(st.dictionaries(st.sampled_from(FIELDS), texts, max_size=4)),
        draw(st.sampled_from((True, True, True, False))),
    )


class Shop:
    """A customer with two things in the cart, one of them the last, and what they see."""

    def __init__(self, data: StoreData) -> None:
        lists = (SharedList("Rose Lee", (ONE, TWO)),)
        account = replace(ACCOUNT, lists=lists, orders=(ORDERED,))
        offered = {GONE: Offer(gone=True), FEW: Offer(stock=1)}
        self.world: World = new_shopper(offered, account=account)
        stock = data.market.offering(offers_of(self.world))
        cart.add(self.world, stock, ONE, {}, 2)
        cart.add(self.world, stock, FEW, {}, 1)
        self.client: FlaskClient = application(data, self.world)[0].test_client()
        self.token = TOKEN.findall(self.client.get(HERE.cart).text)[0]

    def ask(self, asked: Asked) -> TestResponse:
        form = {**({"csrf": self.token} if asked.signed else {}), **asked.form}
        return self.client.open(
            asked.path, method=asked.method, query_string=dict(asked.query), data=form
        )

    def post(self, path: str, **form: str) -> TestResponse:
        return self.ask(Asked("POST", path, {}, form))

    def refused(self, path: str, **form: str) -> str:
        """What the page of a refusal says; nothing was changed."""
        before = state(self.world.snapshot())
        answer = self.post(path, **form)
        assert 400 <= answer.status_code < 500
        assert state(self.world.snapshot()) == before
        return answer.text


ORDERED = MarketOrder(
    "100000001",
    date(2025, 11, 3),
    "Complete",
    (MarketLine(ONE, 2500, 1, {}, "2"),),
    HOME,
    delivered=date(2025, 11, 12),
)


# Anything ----------------------------------------------------------------------------------------


@pytest.mark.wide
@settings(max_examples=EXAMPLES, deadline=None)
@given(asked=st.lists(requests(), min_size=1, max_size=12))
def test_whatever_is_sent_nothing_of_ours_fails(data, asked) -> None:
    shop = Shop(data)
    for each in asked:
        before = state(shop.world.snapshot())
        answer = shop.ask(each)
        assert answer.status_code < 500, (each, answer.text[:300])
        if answer.status_code >= 400:
            assert state(shop.world.snapshot()) == before, each
            assert each.method == "HEAD" or answer.status_code == 405 or _says_why(answer), each
    assert not shop.world.fault


def _says_why(answer: TestResponse) -> bool:
    """Whether the page has a sentence for its reader, and no inner word of ours."""
    text = answer.text
    inner = ("Traceback", "sqlite", "KeyError", "ValueError", "jinja")
    return "." in text and not any(word in text for word in inner)


# What goes wrong by itself -----------------------------------------------------------------------


@pytest.fixture
def shop(data) -> Shop:
    return Shop(data)


def test_a_code_is_applied_once(shop) -> None:
    payment = HERE.checkout("payment")
    assert shop.post(payment, code="HOME15", do="stay").status_code == 303
    shown = shop.refused(payment, code="HOME15", do="stay")
    assert "already" in shown
    assert shown.count("Remove HOME15") == 1


@pytest.mark.parametrize("quantity", ["-1", "-999999999999", "100", "9" * 40, "1e9", "½", ""])
def test_no_quantity_is_negative_or_huge(shop, quantity) -> None:
    for path, name in ((HERE.cart, "quantity-1"), (HERE.into_cart(TWO, {}), "quantity")):
        shown = shop.refused(path, **{name: quantity, "do": "update"})
        assert re.search(r"(0|1) to 99|at most 99", shown)


def test_the_last_piece_is_had_once(shop) -> None:
    assert "Only 1 of" in shop.refused(HERE.into_cart(FEW, {}), quantity="1")
    assert "not sold any more" in shop.refused(HERE.into_cart(GONE, {}), quantity="1")


def test_an_address_that_nobody_serves_is_told_and_nothing_is_ordered(shop) -> None:
    shown = shop.refused(HERE.checkout("address"), address="3")
    assert "Nothing can be delivered to New Zealand." in shown
    review = shop.client.get(HERE.checkout("review")).text
    form = dict(re.findall(r'name="(orders|seen)" value="(\w+)"', review))
    moved = {**asdict(HOME), "country": "New Zealand"}
    assert shop.post(HERE.address(1), **moved).status_code == 303
    shown = shop.refused(HERE.checkout("review") + "/order", **form)
    assert "New Zealand" in shown
    assert "Place Order" not in shop.client.get(HERE.checkout("review")).text


def test_two_tabs_order_a_cart_once(shop) -> None:
    review = shop.client.get(HERE.checkout("review")).text
    form = dict(re.findall(r'name="(orders|seen)" value="(\w+)"', review))
    assert shop.post(HERE.checkout("review") + "/order", **form).status_code == 303
    shown = shop.refused(HERE.checkout("review") + "/order", **form)
    assert "You have ordered since this page was made" in shown
    assert len(shop.world.read("SELECT * FROM market_orders")) == 2
