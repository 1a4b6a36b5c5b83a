"""The outlet's basket, its checkout on one page, and its terms."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest

from sites.site_app import Refusal
from sites.store.market.account.account import OUTLET
from sites.store.market.checkout import cart, checkout
from sites.store.market.goods import goods as market_goods
from sites.store.market.offers import USUAL, Offer
from sites.store.market.pricing import PLAN, ShopRules, half_up
from sites.store.market.visit import new_market_world
from sites.store.outlet import goods
from sites.store.outlet.stock import stock_of
from sites.store.outlet.visit import open_shops
from sites.store.shop.address import Visit as Address
from tests.sites.store.market.shopping import ACCOUNT
from tests.sites.store.outlet.test_outlet import LAMPS, SHOES, SHOP, Visit

LAMP, OTHER = LAMPS[:2]
CENTS = 4150
RULES = USUAL[OUTLET]


def visit_of(rules: ShopRules | None = None, *, with_cart: bool = True, account=ACCOUNT) -> Visit:
    shops = {OUTLET: rules} if rules else None
    world = new_market_world("s1", "Buy it.", account, None, shops, cart=with_cart)
    open_shops(world, offered={LAMP.asin: Offer(cents=CENTS, stock=7, pieces=2, piece="lamps")})
    return Visit(world)


@pytest.fixture
def visit() -> Visit:
    return visit_of()


def send(visit: Visit, path: str, page: str, **fields):
    return visit.post(path, csrf=visit.form(page)["csrf"], **fields)


def add(visit: Visit, good=LAMP, quantity: str = "2", **options: str):
    own = SHOP.item(good, {})
    return send(visit, SHOP.into_basket(good, options), own, quantity=quantity)


def place(visit: Visit):
    form = visit.get(SHOP.checkout).text.partition("data-commits")[2]
    hidden = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', form))
    return visit.post(f"{SHOP.checkout}/order", **hidden)


def rows(visit: Visit, page: str) -> list[dict[str, str]]:
    found = visit.world.read("SELECT options FROM log_pages WHERE page = ?", (page,))
    return [json.loads(row["options"]) for row in found]


def test_an_item_shows_what_this_visitor_is_offered(visit):
    text = visit.get(SHOP.item(LAMP, {})).text
    for shown in ("$41.50 plus tax", "7 in stock", "One pack holds 2 lamps.", "Add to basket"):
        assert shown in text
    assert "Order this item" not in text
    listed = visit.get(SHOP.search(goods.maker_number(LAMP.asin), {})).text
    assert "$41.50 plus tax" in listed


def test_without_a_cart_an_item_is_ordered_at_once():
    visit = visit_of(with_cart=False)
    text = visit.get(SHOP.item(LAMP, {})).text
    assert "Order this item" in text and "Basket" not in text
    for path in (SHOP.basket, SHOP.checkout, SHOP.help):
        assert visit.get(path).status_code == 404


def test_with_a_cart_nothing_is_ordered_at_once(visit):
    assert visit.get(SHOP.order(LAMP, {})).status_code == 404


def test_the_basket_is_a_dialog_with_what_was_put_there(visit):
    assert add(visit, colour="black").status_code == 303
    text = visit.get(SHOP.basket).text
    dialog = text.partition("<dialog")[2].partition("</dialog>")[0]
    assert f"{goods.title(LAMP)} (black)" in dialog and "$83.00 plus tax" in dialog
    assert "Basket (2 pieces)" in visit.get(SHOP.home).text
    assert rows(visit, "cart") == [{"shop": OUTLET}]


def test_sizes_are_those_of_the_outlet(visit):
    size = SHOES[0].options["size"][0]
    assert add(visit, SHOES[0], size=size).status_code == 303
    [line] = cart.lines(visit.world, OUTLET)
    assert line.options == {"size": size}


def test_lines_are_changed_and_taken_out(visit):
    add(visit)
    add(visit, OTHER, "1")
    first, second = cart.lines(visit.world, OUTLET)
    send(visit, SHOP.basket, SHOP.basket, **{f"quantity-{first.id}": "3", "remove": second.id})
    assert [(each.asin, each.quantity) for each in cart.lines(visit.world, OUTLET)] == [
        (LAMP.asin, 3)
    ]
    wrong = send(visit, SHOP.basket, SHOP.basket, **{f"quantity-{first.id}": "8"})
    assert wrong.status_code == 400
    assert f"Only 7 of “{goods.title(LAMP)}” can be had, not 8." in wrong.text


def test_checkout_shows_all_amounts(visit):
    add(visit)
    text = visit.get(SHOP.checkout).text
    tax = half_up(2 * CENTS * RULES.tax, 1000)
    total = 2 * CENTS + tax + RULES.methods[0].cents
    for shown in (
        "Goods without tax",
        "Tax added (8 %)",
        f"${tax / 100:.2f}",
        "$4.49",
        f"${total / 100:.2f}",
        "there by 26.01.2026",
    ):
        assert shown in text
    assert rows(visit, "checkout") == [{"shop": OUTLET, "step": "review"}]


def test_what_is_chosen_is_kept_and_ordered(visit):
    add(visit)
    send(visit, SHOP.checkout, SHOP.checkout, address="1", method="Tracked", card="2")
    used = send(visit, SHOP.checkout, SHOP.checkout, code="home15", do="code")
    assert used.status_code == 303
    placed = place(visit)
    assert placed.status_code == 303
    receipt = visit.get(placed.location).text
    assert "Thank you, your order is placed" in receipt and "15.01.2026" in receipt
    [row] = visit.world.read("SELECT * FROM market_orders")
    assert (row["shop"], row["method"], row["card"]) == (
        OUTLET,
        "Tracked",
        "Mastercard ending 4417",
    )
    assert json.loads(row["codes"]) == ["HOME15"]
    left = 2 * CENTS - half_up(2 * CENTS * 15, 100)
    assert row["total"] == left + half_up(left * RULES.tax, 1000) + 749
    assert not cart.lines(visit.world, OUTLET)


def test_the_stores_cart_is_another(visit):
    add(visit)
    assert not cart.lines(visit.world)
    assert "Basket (2 pieces)" in visit.get(SHOP.home).text
    assert "Cart (0 pieces)" in visit.get("/s1", "http://store.localhost").text


def test_a_form_that_showed_something_else_orders_nothing(visit):
    add(visit)
    form = visit.get(SHOP.checkout).text.partition("data-commits")[2]
    hidden = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', form))
    add(visit, OTHER, "1")
    refused = visit.post(f"{SHOP.checkout}/order", **hidden)
    assert refused.status_code == 409 and "Look at the order again" in refused.text
    assert not visit.world.read("SELECT * FROM market_orders")


def test_a_wrong_code_is_told_in_the_outlets_words(visit):
    add(visit)
    refused = send(visit, SHOP.checkout, SHOP.checkout, code="old20", do="code")
    assert refused.status_code == 400
    assert "OLD20 was good until 14.01.2026 only." in refused.text


def test_too_small_an_order_is_not_placed():
    visit = visit_of(replace(RULES, minimum=9000))
    add(visit)
    text = visit.get(SHOP.checkout).text
    assert "An order must come to $90.00 in goods; your basket holds $83.00." in text
    assert "Place your order" not in text


def test_extras_are_offered_where_the_terms_have_them():
    visit = visit_of(replace(RULES, extras={PLAN: 599}, preset=(PLAN,)))
    add(visit)
    assert "Protection plan, $5.99" in visit.get(SHOP.checkout).text
    send(visit, SHOP.checkout, SHOP.checkout, address="1")
    assert checkout.state(visit.world, OUTLET).extras == ()


def test_the_terms_are_said_on_a_page(visit):
    text = visit.get(SHOP.help).text
    for sentence in (
        "Tax of 8 % is added to the goods",
        "must come to $20.00 at least",
        "Saver is free once the goods come to $120.00 without tax",
        "19.01.2026 and 16.02.2026",
        "There is no tax on postage.",
        "3 working days",
    ):
        assert sentence in " ".join(text.split())
    assert rows(visit, "help") == [{"shop": OUTLET, "topic": "rules"}]


def test_the_foot_tells_the_rate_of_this_visit():
    visit = visit_of(replace(RULES, tax=65))
    assert "6.5 % tax is added" in visit.get(SHOP.home).text
    visit = visit_of(replace(RULES, tax=0))
    assert "Prices are in US dollars and include tax." in visit.get(SHOP.home).text
    assert "plus tax" not in visit.get(SHOP.item(LAMP, {})).text


def test_links_show_where_one_has_been(visit):
    seen = re.compile(r'class="visited" href="[^"]*">(To the store|Delivery and tax)<')
    assert not seen.search(visit.get(SHOP.home).text)
    visit.get(SHOP.help)
    add(visit)
    assert seen.findall(visit.get(SHOP.home).text) == ["Delivery and tax"], "all was the outlet's"
    visit.get("/s1", "http://store.localhost")
    assert seen.findall(visit.get(SHOP.home).text) == ["Delivery and tax", "To the store"]


def test_back_to_the_list_leads_to_the_outlets_own(visit):
    visit.get(SHOP.search("desk lamp", {}))
    visit.get(Address("s1", ("coffee", "makers")).results(), "http://store.localhost")
    back = re.search(r'href="([^"]+)">Back to the list', visit.get(SHOP.item(LAMP, {})).text)
    assert back and back[1] == SHOP.search("desk lamp", {})


def test_an_extra_that_there_is_not_is_told_of():
    visit = visit_of(replace(RULES, extras={PLAN: 599}))
    add(visit)
    answer = send(visit, SHOP.checkout, SHOP.checkout, extra="gold leaf")
    assert answer.status_code == 400 and "Choose from" in answer.text


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        (SHOP.into_basket(LAMP, {}), {"quantity": "many"}),
        (SHOP.into_basket(LAMP, {}), {"quantity": "0"}),
        (SHOP.into_basket(LAMP, {}), {"quantity": "8"}),
        (SHOP.into_basket(LAMP, {"color": "pale plaid"}), {}),
        (SHOP.basket, {"remove": "77"}),
        (SHOP.basket, {"remove": "x"}),
        (SHOP.basket, {"remove": "9" * 20}),
        (SHOP.basket, {"quantity-" + "9" * 5000: "1"}),
        (SHOP.checkout, {"address": "9"}),
        (SHOP.checkout, {"address": "x"}),
        (SHOP.checkout, {"card": "9"}),
        (SHOP.checkout, {"method": "by air"}),
        (SHOP.checkout, {"extra": "plan", "code": "nope"}),
        (f"{SHOP.checkout}/order", {"orders": "x"}),
        (f"{SHOP.checkout}/order", {"orders": "4"}),
    ],
)
def test_bad_input_is_refused_in_a_sentence_and_changes_nothing(visit, path, fields):
    add(visit, quantity="1")
    before = visit.world.read("SELECT * FROM cart_lines")
    answer = send(visit, path, SHOP.checkout, **fields)
    assert answer.status_code in (303, 400, 404, 409)
    assert visit.world.read("SELECT * FROM cart_lines") == before
    assert not visit.world.read("SELECT * FROM market_orders")
    assert checkout.state(visit.world, OUTLET).address == 1


def test_a_form_from_elsewhere_is_refused(visit):
    for path in (SHOP.basket, SHOP.checkout, SHOP.into_basket(LAMP, {})):
        assert visit.post(path).status_code == 400


def test_a_guest_has_a_basket_but_no_checkout():
    visit = visit_of(account=None)
    add(visit)
    assert "$83.00" in visit.get(SHOP.basket).text
    assert visit.get(SHOP.checkout).status_code == 404


def test_what_the_outlet_does_not_sell_has_no_price_there(visit):
    every = market_goods.goods

    other = next(asin for asin in every() if asin not in goods.sold())
    stock = stock_of(visit.app.extensions["store"].market, visit.world)
    with pytest.raises(Refusal):
        cart.add(visit.world, stock, other, {}, 1, OUTLET)
