"""The pages of the market's cart and checkout, as a customer's browser asks for them."""

from __future__ import annotations

import re

import pytest
from flask.testing import FlaskClient
from hypothesis import given, settings
from hypothesis import strategies as st

from scenarios import registry
from sites.store import new_world
from sites.store.market.account.account import OUTLET
from sites.store.market.checkout import cart, checkout
from sites.store.market.offers import Offer, rules_of
from sites.store.market.pricing import ShopRules
from sites.store.outlet.goods import sold
from sites.store.outlet.stock import stock_of
from sites.store.shop.address import Visit
from sites.world import World
from tests.measuring import DEEP
from tests.sites.store.market.shopping import ACCOUNT, ASINS, LAMPS, new_shopper
from tests.sites.store.shop.applications import application

DATA = registry.site_data("store")
VISIT = Visit("s1")
ONE, TWO = LAMPS[:2]
PRESET = ShopRules(preset=("plan", "round up", "subscription"), tax=50)
STEPS = [VISIT.checkout(step) for step in checkout.STEPS]


class Customer:
    """A browser without a cookie, and the world that it visits."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.client: FlaskClient = application(DATA, world)[0].test_client()

    def see(self, address: str, status: int = 200) -> str:
        answer = self.client.get(address)
        assert answer.status_code == status, answer.text
        return answer.text

    def token(self) -> str:
        return re.findall(r'name="csrf" value="([^"]+)"', self.see(VISIT.cart))[0]

    def send(self, address: str, status: int = 303, /, **form: str | list[str]) -> str:
        """Post a form of ours; the address that it leads to, or the page."""
        answer = self.client.post(address, data={"csrf": self.token(), **form})
        assert answer.status_code == status, answer.text
        return answer.headers["Location"] if status == 303 else answer.text

    def into_cart(self, asin: str = ONE, quantity: str = "1", status: int = 303) -> str:
        return self.send(VISIT.into_cart(asin, {}), status, quantity=quantity)

    def fields(self, address: str) -> dict[str, str]:
        return dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', self.see(address)))

    @property
    def lines(self) -> list[tuple[str, int]]:
        return [(line.asin, line.quantity) for line in cart.lines(self.world)]

    @property
    def orders(self) -> list[dict]:
        return self.world.snapshot()["market_orders"]


@pytest.fixture
def customer() -> Customer:
    return Customer(new_shopper({TWO: Offer(stock=3)}, PRESET))


def name(asin: str) -> str:
    product = DATA.market.product(asin)
    assert product is not None
    return product.name


# What every page shows ---------------------------------------------------------------------------


def test_every_page_of_a_visit_with_a_cart_shows_it_in_short(customer):
    customer.into_cart(quantity="2")
    customer.see(VISIT.item(TWO, {}))
    pages = [VISIT.index, VISIT.item(ONE, {}), VISIT.results(), VISIT.cart, VISIT.orders()]
    for address in [*pages[:2], Visit("s1", ("lamp",)).results(), *pages[3:], *STEPS]:
        html = customer.see(address)
        assert "Cart (2 pieces)" in html
        assert f"2 × {name(ONE)}" in html
        assert "HOME15 (15% off)" in html and "OLD20 (20% off, expired)" in html
        assert html.count("Recently viewed") == 1
        assert f'href="{VISIT.item(TWO, {})}"' in html
    html = customer.see("/checkout/s1/nowhere", 404)
    assert "Cart (2 pieces)" in html


def test_items_are_put_into_the_cart_or_bought_but_not_both(customer):
    html = customer.see(VISIT.item(TWO, {}))
    assert "Add to Cart" in html and "3 in stock" in html and "Buy Now" not in html
    other = Customer(new_shopper(cart=False))
    html = other.see(VISIT.item(TWO, {}))
    assert "Buy Now" in html and "Add to Cart" not in html
    for absent in ("Cart (", "in stock", VISIT.cart):
        assert absent not in html


def test_webshops_visits_have_no_cart():
    shop = Customer(new_world("s1", "Buy it."))
    assert "Cart" not in shop.see(VISIT.index)
    for address in (VISIT.cart, VISIT.receipt("300000001"), *STEPS):
        shop.see(address, 404)
    assert shop.client.post(VISIT.into_cart(ONE, {})).status_code in (400, 404)


# The cart ----------------------------------------------------------------------------------------


def test_the_cart_keeps_what_was_typed_whatever_button_is_pressed(customer):
    customer.into_cart()
    customer.into_cart(TWO)
    one, two = cart.lines(customer.world)
    typed = {f"quantity-{one.id}": "4", f"quantity-{two.id}": "2"}
    assert customer.send(VISIT.cart, do="checkout", **typed) == STEPS[0]
    assert customer.lines == [(ONE, 4), (TWO, 2)]
    typed = {f"quantity-{one.id}": "5", f"quantity-{two.id}": "rubbish"}
    customer.send(VISIT.cart, remove=str(two.id), **typed)
    assert customer.lines == [(ONE, 5)]
    customer.send(VISIT.cart, do="update", **{f"quantity-{one.id}": "0"})
    assert "Your cart is empty" in customer.see(VISIT.cart)


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("", "Enter a whole number from 0 to 99."),
        ("two", "Enter a whole number"),
        ("1.5", "Enter a whole number"),
        ("-1", "Enter 0 to 99, not -1."),
        ("100", "at most 99"),
        ("9" * 5000, "Enter a whole number"),
    ],
)
def test_a_wrong_quantity_is_told_beside_its_field_and_nothing_is_lost(customer, typed, says):
    customer.into_cart()
    customer.into_cart(TWO)
    one, two = cart.lines(customer.world)
    form = {f"quantity-{one.id}": typed, f"quantity-{two.id}": "2"}
    html = customer.send(VISIT.cart, 400, do="update", **form)
    assert says in html and html.count('aria-invalid="true"') == 1
    assert f'value="{typed}"' in html and 'value="2"' in html
    assert customer.lines == [(ONE, 1), (TWO, 1)]


def test_more_than_the_stock_is_told_on_the_item_and_in_the_cart(customer):
    html = customer.into_cart(TWO, "4", 409)
    assert "Only 3 of" in html and VISIT.item(TWO, {}) in html
    customer.into_cart(TWO, "3")
    [line] = cart.lines(customer.world)
    assert "Only 3 of" in customer.send(VISIT.cart, 400, **{f"quantity-{line.id}": "4"})
    for quantity in ("", "x", "0", "-3", "1e3", "9" * 99):
        customer.into_cart(ONE, quantity, 400)
    assert customer.lines == [(TWO, 3)]


def test_what_is_saved_for_later_stays_in_the_cart_and_out_of_the_order(customer):
    customer.into_cart()
    customer.into_cart(TWO)
    one, two = cart.lines(customer.world)
    customer.send(VISIT.cart, save=str(one.id), **{f"quantity-{two.id}": "1"})
    html = customer.see(VISIT.cart)
    assert html.index("Saved for later") < html.index("Move to Cart")
    assert customer.lines == [(TWO, 1)]
    customer.send(VISIT.cart, back=str(one.id))
    assert customer.lines == [(ONE, 1), (TWO, 1)]
    assert "no longer in your cart" in customer.send(VISIT.cart, 404, remove="77")


# Checkout ----------------------------------------------------------------------------------------


def test_a_customer_goes_from_the_cart_to_the_receipt(customer):
    customer.into_cart(quantity="2")
    assert 'value="1" checked' in customer.see(STEPS[0])
    assert customer.send(STEPS[0], address="2") == STEPS[1]
    html = customer.see(STEPS[1])
    assert "Arrives by Thursday, January 22, 2026" in html
    assert "Courier does not deliver to Canada." in html
    assert customer.send(STEPS[1], method="Standard") == STEPS[2]
    html = customer.see(STEPS[2])
    assert html.count(" checked>") == 3 and "Protection plan, $8.99" in html
    assert customer.send(STEPS[2], gift_text="See you <b>", extra=["plan", "wrap"]) == STEPS[3]
    assert customer.send(STEPS[3], code="home15", card="1", do="stay") == STEPS[3]
    assert "HOME15 takes $" in customer.see(STEPS[3])
    assert customer.send(STEPS[3], code="", card="2", do="go on") == STEPS[4]
    html, quote = customer.see(STEPS[4]), checkout.quoted(customer.world, DATA.market)
    total = f"${quote.total / 100:.2f}"
    charged = f"charges {total} to Mastercard ending 4417"
    shown = ("Rose Lee", "Standard, arrives by", "“See you &lt;b&gt;”", "Codes: HOME15", "$8.99")
    assert all(each in html for each in (*shown, charged))
    assert html.index(f"<strong>{total}</strong>") < html.index("Place Order</button>")
    assert customer.send(f"{STEPS[4]}/without", extra="plan") == STEPS[4]
    receipt = customer.send(f"{STEPS[4]}/order", **customer.fields(STEPS[4]))
    html = customer.see(receipt)
    [row] = customer.orders
    assert f"${row['total'] / 100:.2f}" in html and row["total"] == quote.total - 899
    assert row["chosen"] == '["wrap"]' and "See you &lt;b&gt;" in html
    assert "Your cart is empty" in customer.see(VISIT.cart)
    assert row["number"] in customer.see(VISIT.orders())


@pytest.mark.parametrize("extra", ["plan", "round up", "subscription"])
def test_each_extra_is_removed_by_one_click_at_the_review(customer, extra):
    customer.into_cart()
    assert customer.see(STEPS[4]).count("Remove ") == 3
    customer.send(f"{STEPS[4]}/without", extra=extra)
    assert customer.see(STEPS[4]).count("Remove ") == 2
    chosen = checkout.state(customer.world)
    assert extra not in chosen.extras and chosen.subscribed == (extra != "subscription")


@pytest.mark.parametrize(
    ("step", "form", "says"),
    [
        ("address", {}, "Choose one of your addresses."),
        ("address", {"address": "77"}, "Choose one of your addresses."),
        ("address", {"address": "-1"}, "Choose one of your addresses."),
        ("address", {"address": "3"}, "Nothing can be delivered to New Zealand."),
        ("delivery", {}, "Choose how it is delivered."),
        ("delivery", {"method": "Pigeon"}, "Choose how it is delivered."),
        ("extras", {"gift_text": "x" * 201}, "at most 200 characters, not 201"),
        ("extras", {"extra": "diamonds"}, "Choose from"),
        ("payment", {"card": "77"}, "Choose one of your cards."),
        ("payment", {"code": "", "do": "stay"}, "Enter a code."),
        ("payment", {"code": "NOPE", "card": "2"}, "We know no such code."),
        ("payment", {"code": "old20"}, "was good until January 14, 2026 only."),
    ],
)
def test_what_cannot_be_chosen_is_told_at_its_step(customer, step, form, says):
    customer.into_cart()
    html = customer.send(VISIT.checkout(step), 400, **form)
    assert says in html
    if "gift_text" in form or form.get("code"):
        assert f'value="{form.get("gift_text") or form["code"]}"' in html


def test_an_order_that_cannot_be_placed_says_why_and_has_no_button(customer):
    customer.into_cart()
    customer.send(STEPS[1], method="Courier")
    customer.send(STEPS[0], address="2")
    html = customer.see(STEPS[4])
    assert "Courier does not deliver to Canada." in html and "Place Order</button>" not in html
    form = {"orders": "0", "seen": checkout.as_seen(customer.world, DATA.market)}
    assert "Courier does not" in customer.send(f"{STEPS[4]}/order", 409, **form)
    assert customer.orders == []


def test_a_form_orders_once_and_only_what_it_showed(customer):
    customer.into_cart()
    form = customer.fields(STEPS[4])
    customer.into_cart(TWO)
    html = customer.send(f"{STEPS[4]}/order", 409, **form)
    assert "has changed since this page was made" in html and STEPS[4] in html
    form = customer.fields(STEPS[4])
    customer.send(f"{STEPS[4]}/order", **form)
    html = customer.send(f"{STEPS[4]}/order", 409, **form)
    [row] = customer.orders
    assert "nothing was ordered now" in html and VISIT.receipt(row["number"]) in html


def test_a_refused_order_leads_to_no_receipt_of_the_outlet(customer):
    customer.into_cart()
    form = customer.fields(STEPS[4])
    bought = order_in_the_outlet(customer.world)
    html = customer.send(f"{STEPS[4]}/order", 409, **form)
    links = {*re.findall(r'"(/(?:receipt|checkout)/[^"]+)"', html)}
    assert STEPS[4] in links and VISIT.receipt(bought) not in links
    for link in links:
        customer.see(link)


def order_in_the_outlet(world: World) -> str:
    """Order what costs more than the outlet's smallest order; the number of the order."""
    stock, least = stock_of(DATA.market, world), rules_of(world, OUTLET).minimum
    dear = next(asin for asin in sold() if stock.line(asin).cents > least)
    cart.add(world, stock, dear, {}, shop=OUTLET)
    return checkout.place(world, stock, OUTLET, checkout.order_count(world)).number


def test_an_empty_cart_leads_back_to_the_cart(customer):
    for address in STEPS:
        html = customer.see(address, 409)
        assert "Your cart is empty" in html and VISIT.cart in html
    customer.send(f"{STEPS[4]}/order", 409, orders="0", seen="")


def test_forms_of_other_sites_are_refused_and_a_closed_visit_changes_nothing(customer):
    customer.into_cart()
    token = customer.token()
    posts = [VISIT.into_cart(ONE, {}), VISIT.cart, *STEPS[:4], f"{STEPS[4]}/without"]
    customer.world.close()
    before = customer.world.digest()
    for address in [*posts, f"{STEPS[4]}/order"]:
        assert customer.client.post(address, data={"csrf": "x"}).status_code == 400
    form = {"csrf": token, "orders": "0", "address": "2"}
    assert customer.client.post(STEPS[0], data=form).status_code == 409
    assert customer.world.digest() == before


def test_a_receipt_is_only_for_an_order_that_was_placed(customer):
    for number in ("1", "x", "٣", "9" * 400):
        customer.see(VISIT.receipt(number), 404)


ODD = st.one_of(
    st.sampled_from(["", "0", "-1", "9" * 30, "plan", "HOME15", "' OR 1=1 --", "\x00", "٣", "😀"]),
    st.text(max_size=20),
)
KEYS = st.sampled_from(
    ["do", "remove", "save", "back", "quantity", "quantity-1", "quantity-x", "address", "method",
     "extra", "gift_text", "code", "card", "drop", "orders", "seen"]
)  # fmt: skip
ADDRESSES = st.sampled_from(
    [VISIT.cart, VISIT.into_cart(ONE, {}), *STEPS, f"{STEPS[4]}/order", f"{STEPS[4]}/without"]
)


@pytest.fixture(scope="module")
def anybody() -> Customer:
    return Customer(new_shopper({TWO: Offer(stock=3)}, PRESET))


@settings(derandomize=True, max_examples=100 if DEEP else 30, deadline=None)
@given(address=ADDRESSES, form=st.dictionaries(KEYS, ODD, max_size=4))
def test_no_form_breaks_the_shop(anybody, address, form):
    sent = {"csrf": anybody.token(), **form}
    answer = anybody.client.post(address, data=sent)
    assert answer.status_code < 500, (address, form)
    assert anybody.client.get(VISIT.cart).status_code == 200


def test_a_guest_has_a_cart_and_is_told_to_sign_in():
    guest = Customer(new_shopper(account=None))
    guest.into_cart(ASINS[0])
    assert "Cart (1 piece)" in guest.see(VISIT.cart)
    assert "signed in" in guest.see(STEPS[0], 404)
    assert ACCOUNT.codes[0].name not in guest.see(VISIT.cart)
