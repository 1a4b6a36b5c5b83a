"""The cart and checkout of the market: what is kept, what is refused, what is ordered."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date

import pytest

from sites.site_app import Refusal
from sites.store import load_data
from sites.store.account.customer import orders_of
from sites.store.account.operations import Invalid
from sites.store.market.account.account import MarketOrder
from sites.store.market.checkout import cart, checkout
from sites.store.market.offers import Offer, offers_of
from sites.store.market.pricing import ShopRules
from sites.store.shop.world import write_order
from sites.world import World, WorldClosed
from tests.sites.store.market.shopping import (
    ACCOUNT,
    ASINS,
    HOME,
    LAMPS,
    MOTHER,
    new_shopper,
)

ONE, TWO = LAMPS[:2]


@pytest.fixture(scope="module")
def market():
    return load_data().market


def refused(status: int, act, *values, **named) -> str:
    world: World = values[0]
    before = world.snapshot()
    with pytest.raises(Refusal) as caught:
        act(*values, **named)
    assert caught.value.status == status
    assert world.snapshot() == before
    assert str(caught.value).endswith(".") and len(str(caught.value)) < 300
    return str(caught.value)


def invalid(field: str, act, *values, **named) -> str:
    refused(400, act, *values, **named)
    with pytest.raises(Invalid) as caught:
        act(*values, **named)
    assert set(caught.value.errors) == {field}
    return caught.value.errors[field]


def filled(market, *quantities: int, **named) -> World:
    world = new_shopper(**named)
    stock = market.offering(offers_of(world))
    for asin, quantity in zip(LAMPS, quantities, strict=False):
        cart.add(world, stock, asin, {}, quantity)
    return world


def place(world: World, market, **named):
    stock = market.offering(offers_of(world))
    return checkout.place(world, stock, "store", checkout.order_count(world), **named)


# The cart ----------------------------------------------------------------------------------------


def test_the_same_item_becomes_one_line_and_other_options_another(market):
    world, lamp = new_shopper(), market.product(ONE)
    name, values = next(iter(lamp.options.items()))
    for value in (values[0], values[1], values[0].upper()):
        cart.add(world, market, ONE, {name: value}, 2)
    assert [(line.options, line.quantity) for line in cart.lines(world)] == [
        ({name: values[0]}, 4),
        ({name: values[1]}, 2),
    ]
    assert cart.pieces(world) == 6
    assert cart.lines(world, "outlet") == []


@pytest.mark.parametrize("quantity", [0, -1, -(10**30)])
def test_no_less_than_a_piece_is_put_into_the_cart(market, quantity):
    assert "1 to 99" in refused(400, cart.add, new_shopper(), market, ONE, {}, quantity)


@pytest.mark.parametrize("quantity", [100, 10**30])
def test_an_order_holds_no_more_than_99_of_an_item(market, quantity):
    world = filled(market, 1)
    assert "at most 99" in refused(409, cart.add, world, market, TWO, {}, quantity)
    assert "at most 99" in refused(409, cart.add, world, market, ONE, {}, 99)
    [line] = cart.lines(world)
    assert "at most 99" in refused(409, cart.change, world, market, line.id, quantity)


def test_no_more_than_the_stock_whatever_the_options(market):
    world = new_shopper({ONE: Offer(stock=3), TWO: Offer(stock=0)})
    stock = market.offering(offers_of(world))
    name, values = next(iter(market.product(ONE).options.items()))
    cart.add(world, stock, ONE, {name: values[0]}, 2)
    assert "Only 3 of" in refused(409, cart.add, world, stock, ONE, {name: values[1]}, 2)
    assert "Only 3 of" in refused(409, cart.add, world, stock, ONE, {name: values[0]}, 2)
    assert "sold out" in refused(409, cart.add, world, stock, TWO, {})
    cart.add(world, stock, ONE, {name: values[1]})
    assert cart.pieces(world) == 3


def test_what_is_gone_is_not_sold(market):
    world = new_shopper({ONE: Offer(gone=True)})
    stock = market.offering(offers_of(world))
    assert "not sold any more" in refused(409, cart.add, world, stock, ONE, {})


def test_unknown_items_options_and_lines_are_refused(market):
    world = filled(market, 1)
    refused(404, cart.add, world, market, "NOPE", {})
    refused(400, cart.add, world, market, ONE, {"smell": "of roses"})
    refused(404, cart.change, world, market, 77, 1)
    refused(404, cart.save, world, 77, True)


def test_a_line_is_changed_saved_for_later_put_back_and_taken_out(market):
    world = filled(market, 1, 2)
    one, two = cart.lines(world)
    assert cart.change(world, market, one.id, 5).quantity == 5
    assert "0 to 99" in refused(400, cart.change, world, market, one.id, -1)
    cart.save(world, one.id, True)
    assert [line.asin for line in cart.saved(world)] == [ONE]
    assert [line.asin for line in cart.lines(world)] == [TWO]
    cart.add(world, market, ONE, {}, 1)
    cart.save(world, one.id, False)
    assert [(line.asin, line.quantity) for line in cart.lines(world)] == [(ONE, 6), (TWO, 2)]
    assert cart.saved(world) == []
    cart.change(world, market, one.id, 0)
    assert cart.lines(world) == [two]
    refused(404, cart.change, world, market, one.id, 0)


def test_a_visit_without_a_cart_or_a_customer_has_none(market):
    world = new_shopper(cart=False)
    for act in (cart.open_cart, cart.lines):
        refused(404, act, world)
    refused(404, cart.add, world, market, ONE, {})
    refused(404, checkout.state, world)
    guest = new_shopper(account=None)
    cart.add(guest, market, ONE, {})
    assert "signed in" in refused(404, checkout.open_step, guest, "store", "address")


# What is chosen ----------------------------------------------------------------------------------


def test_the_usual_address_card_and_method_are_chosen_from_the_start(market):
    world = filled(market, 1)
    assert checkout.state(world) == checkout.State(1, "Economy", card=1)


def test_what_the_terms_preset_is_chosen_from_the_start_and_can_be_undone(market):
    preset = ("plan", "round up", "subscription", "Express")
    world = filled(market, 1, rules=ShopRules(preset=preset))
    start = checkout.state(world)
    assert (start.extras, start.subscribed) == (("plan", "round up"), True)
    assert start.method == "Express"
    checkout.choose(world, market, extras=[], subscribed=False)
    assert checkout.state(world) == replace(start, extras=(), subscribed=False)
    order = place(world, market)
    [row] = world.snapshot()["market_orders"]
    assert (json.loads(row["chosen"]), row["total"]) == ([], order.total)


def test_what_is_chosen_stays_until_it_is_changed(market):
    world = filled(market, 1)
    checkout.choose(world, market, address=2, method="Standard")
    checkout.choose(world, market, gift_text="  See you \n Sunday ", extras=["wrap", "plan"])
    checkout.choose(world, market, card=2)
    found = checkout.State(2, "Standard", "See you Sunday", ("plan", "wrap"), (), 2)
    assert checkout.state(world) == found
    assert checkout.state(world, "outlet") == checkout.State(1, "Saver", card=1)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("address", 0),
        ("address", 77),
        ("address", 10**30),
        ("card", 77),
        ("method", "Pigeon"),
        ("method", ""),
        ("extras", ["diamonds"]),
        ("gift_text", "x" * 201),
    ],
)
def test_what_cannot_be_chosen_is_told_by_field(market, field, value):
    assert invalid(field, checkout.choose, filled(market, 1), market, **{field: value})


def test_nothing_is_delivered_to_a_country_that_nobody_serves(market):
    world = filled(market, 1)
    sentence = invalid("address", checkout.choose, world, market, address=3)
    assert "New Zealand" in sentence


def test_a_carrier_that_does_not_go_there_is_refused_and_nothing_is_lost(market):
    world = filled(market, 1)
    checkout.choose(world, market, method="Courier", gift_text="Hi")
    checkout.choose(world, market, address=2)
    assert checkout.state(world).gift_text == "Hi"
    assert [way.name for way, _ in checkout.deliveries(world)] == ["Economy", "Standard"]
    assert set(checkout.problems(world, market)) == {"delivery"}
    before = world.snapshot()
    with pytest.raises(Refusal, match="Courier does not deliver to Canada"):
        place(world, market)
    assert world.snapshot() == before
    assert "Canada" in invalid("method", checkout.choose, world, market, method="Express")
    checkout.choose(world, market, method="Standard")
    assert place(world, market).ship_to == MOTHER


def test_the_last_day_of_each_method_skips_weekends_and_holidays(market):
    found = checkout.deliveries(filled(market, 1))
    assert [(way.name, day.isoformat()) for way, day in found] == [
        ("Economy", "2026-01-27"),
        ("Standard", "2026-01-22"),
        ("Courier", "2026-01-20"),
        ("Express", "2026-01-16"),
    ]


# Codes -------------------------------------------------------------------------------------------


def test_a_code_is_used_however_it_is_written_and_dropped(market):
    world = filled(market, 1)
    assert checkout.add_code(world, market, "store", " home15 ").codes == ("HOME15",)
    full = sum(line.total for line in cart.priced(market, cart.lines(world)))
    assert checkout.quoted(world, market).codes == {"HOME15": (full * 15 + 50) // 100}
    assert checkout.drop_code(world, market, "store", "Home15").codes == ()
    assert checkout.quoted(world, market).off == 0


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("", "Enter a code"),
        (" \x00 ", "Enter a code"),
        ("NOPE", "no such code"),
        ("x" * 5000, "no such code"),
        ("OLD20", "until January 14, 2026"),
        ("home15", "already"),
        ("TENOFF", "HOME15 cannot be used in one order"),
    ],
)
def test_codes_that_cannot_be_used_are_told(market, name, says):
    world = filled(market, 5)
    checkout.add_code(world, market, "store", "HOME15")
    assert says in invalid("code", checkout.add_code, world, market, "store", name)


def test_a_code_that_takes_nothing_off_is_told(market):
    world = filled(market, 1)
    assert "takes nothing" in invalid("code", checkout.add_code, world, market, "store", "RICH")


def test_codes_stand_together_where_each_of_them_says_so(market):
    world = filled(market, 9)
    for name in ("TENOFF", "LAMPS5"):
        checkout.add_code(world, market, "store", name)
    assert checkout.quoted(world, market).codes == {"LAMPS5": 500, "TENOFF": 1000}


def test_a_code_is_good_on_its_last_day(market):
    world = filled(market, 1)
    assert checkout.add_code(world, market, "store", "TODAY1").codes == ("TODAY1",)


# The order ---------------------------------------------------------------------------------------


def test_an_order_is_what_was_in_the_cart_and_what_was_chosen(market):
    world = filled(market, 2, 1, rules=ShopRules(tax=50))
    checkout.choose(world, market, address=2, method="Standard", card=2)
    checkout.choose(world, market, gift_text="Hello", extras=["wrap", "round up"], subscribed=True)
    checkout.add_code(world, market, "store", "LAMPS5")
    kept = cart.add(world, market, ASINS[0], {})
    cart.save(world, kept.id, True)
    quote = checkout.quoted(world, market)
    order = place(world, market, seen=checkout.as_seen(world, market))
    assert [(line.asin, line.quantity) for line in order.lines] == [(ONE, 2), (TWO, 1)]
    assert order.total == quote.total and order.total % 100 == 0
    [row] = world.snapshot()["market_orders"]
    assert json.loads(row["codes"]) == ["LAMPS5"]
    assert json.loads(row["chosen"]) == ["round up", "subscription", "wrap"]
    assert (row["card"], row["total"]) == ("Mastercard ending 4417", quote.total)
    assert orders_of(world) == [order]
    assert cart.lines(world) == [] and [each.id for each in cart.saved(world)] == [kept.id]
    assert checkout.state(world) == checkout.State(1, "Economy", card=1)
    assert checkout.open_receipt(world, order.number).order == order


def test_an_order_of_an_earlier_day_has_no_receipt():
    world = new_shopper()
    earlier = MarketOrder("100000001", date(2025, 3, 1), "Complete", (), HOME)
    write_order(world, earlier)
    assert orders_of(world) == [earlier]
    with pytest.raises(Refusal, match="no such order"):
        checkout.open_receipt(world, earlier.number)
    assert not world.read("SELECT * FROM log_pages")


def test_a_form_that_was_sent_twice_or_from_two_tabs_orders_once(market):
    world = filled(market, 1)
    after = checkout.order_count(world)
    checkout.place(world, market, "store", after)
    cart.add(world, market, ONE, {})
    assert "nothing was ordered" in refused(409, checkout.place, world, market, "store", after)


def test_what_changed_in_another_tab_is_not_ordered_unseen(market):
    world = filled(market, 1)
    seen = checkout.as_seen(world, market)
    cart.add(world, market, TWO, {})
    sentence = refused(409, checkout.place, world, market, "store", 0, seen=seen)
    assert "has changed" in sentence


def test_an_empty_cart_is_neither_checked_out_nor_ordered(market):
    world = new_shopper()
    assert "empty" in refused(409, checkout.open_step, world, "store", "review")
    assert "empty" in refused(409, checkout.place, world, market, "store", 0)


def test_an_order_below_the_minimum_is_refused(market):
    world = filled(market, 1, rules=ShopRules(minimum=100_000))
    assert "$1,000.00" in refused(409, checkout.place, world, market, "store", 0)


def test_what_has_sold_out_since_is_not_ordered(market):
    world = filled(market, 3)
    less = market.offering({ONE: Offer(stock=2)})
    assert "Only 2 of" in refused(409, checkout.place, world, less, "store", 0)
    gone = market.offering({ONE: Offer(gone=True)})
    assert "not sold" in refused(409, checkout.place, world, gone, "store", 0)


def test_nobody_orders_without_an_address_or_a_card(market):
    bare = replace(ACCOUNT, addresses=(), notes=(), cards=())
    world = filled(market, 1, account=bare)
    assert checkout.quoted(world, market).total > 0
    assert set(checkout.problems(world, market)) == {"address", "payment"}
    refused(409, checkout.place, world, market, "store", 0)


def test_orders_are_numbered_after_those_that_are_there(market):
    world = filled(market, 1)
    first = place(world, market)
    cart.add(world, market, TWO, {})
    assert int(place(world, market).number) == int(first.number) + 1
    assert first.ship_to == HOME


def test_a_closed_visit_changes_nothing(market):
    world = filled(market, 1)
    world.close()
    for act in (
        lambda: cart.add(world, market, ONE, {}),
        lambda: checkout.choose(world, market, address=2),
        lambda: checkout.add_code(world, market, "store", "HOME15"),
        lambda: place(world, market),
    ):
        with pytest.raises(WorldClosed):
            act()
    assert len(checkout.open_step(world, "store", "review").method) > 0
