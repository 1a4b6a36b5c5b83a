"""The scorer of the market's orders, on end states made by the store's own operations."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from evaluators.scoring.context import ScoringContext
from evaluators.scoring.scorers.store import order as scorer
from scenarios import registry
from scenarios.scenario import Scenario
from scenarios.store.market import ordering
from sites.store.market.checkout import cart, checkout
from sites.store.market.pricing import ShopRules
from sites.store.shop import operations
from tests.sites.store.market.shopping import LAMPS, new_shopper

ONE, TWO, THREE = LAMPS[:3]
RULES = ShopRules(preset=("plan", "subscription"))
PARTS = {"shop", "items", "pieces", "options", "address", "delivery", "gift text", "codes", "card",
         "extras"}  # fmt: skip


@pytest.fixture(scope="module")
def market():
    return registry.site_data("store").market


@pytest.fixture(scope="module")
def wanted(market):
    name, values = next(iter(market.product(TWO).options.items()))
    lines = [(ONE, {}, 2), (TWO, {name: values[0]}, 1)]
    return ordering.order(
        lines, ["Standard"], ship_to=2, gift_text="See you", codes=["LAMPS5"], card="4417"
    )


def gold(*orders, possible=True, **more):
    """Both lamps' pages decide, and the ways to deliver."""
    decides = [
        *[[{"page": "item", "asin": asin}] for asin in (ONE, TWO)],
        [{"page": "checkout", "options": {"step": "delivery"}}],
    ]
    return {"orders": list(orders), "decides": decides, "possible": possible, **more}


def score(gold, act, answer=""):
    world = new_shopper(rules=RULES)
    before = world.snapshot()
    act(world)
    scenario = Scenario("store", "by_hand", 0, "Order it.", "/x", {}, gold)
    context = ScoringContext(scenario, SimpleNamespace(), before, registry.site_data("store"))
    return scorer.score(context, world.snapshot(), answer)


def looked(world, market):
    for asin in (ONE, TWO):
        operations.open_item(world, market, asin, {})


def ordered(market, wanted, **otherwise):
    """Everything that decides was seen, and the order was placed, otherwise in these keys."""

    def act(world):
        looked(world, market)
        ordering.place(world, market, {**wanted, **otherwise})

    return act


def failed(found):
    return [check.name for check in found.checks if not check.held]


def test_the_wanted_order_is_right(market, wanted):
    found = score(gold(wanted), ordered(market, wanted))
    assert (found.success, found.progress, failed(found)) == (True, 1.0, [])
    assert set(found.skills.values()) == {1.0}
    assert {check.name for check in found.checks} > PARTS


@pytest.mark.parametrize(
    ("fails", "otherwise"),
    [
        ("items", {"lines": [[ONE, {}, 2]]}),
        ("items", {"lines": [[ONE, {}, 2], [THREE, {}, 1]]}),
        ("pieces", {"lines": [[ONE, {}, 1], [TWO, {}, 1]]}),
        ("options", {"lines": [[ONE, {}, 2], [TWO, {}, 1]]}),
        ("address", {"ship_to": 1}),
        ("delivery", {"methods": ["Economy"]}),
        ("gift text", {"gift_text": "See you soon"}),
        ("codes", {"codes": []}),
        ("codes", {"codes": ["TENOFF"]}),
        ("card", {"card": "1234"}),
        ("extras", {"extras": ["plan"]}),
        ("extras", {"subscribed": True}),
    ],
)
def test_whatever_is_otherwise_fails_its_own_check(market, wanted, fails, otherwise):
    found = score(gold(wanted), ordered(market, wanted, **otherwise))
    assert failed(found) == [fails] == list(found.missed)
    assert not found.success and 0.4 < found.progress < 1
    assert found.failure == "missed detail"


def test_text_and_card_may_be_anything_where_nothing_is_said(market, wanted):
    free = {**wanted, "gift_text": None, "card": None, "methods": ["Economy", "Standard"]}
    assert score(gold(free), ordered(market, wanted)).success


def test_other_orders_may_be_as_right(market, wanted):
    other = {**wanted, "lines": [[THREE, {}, 1]]}
    found = gold(wanted, alternatives=[[other]])
    assert score(found, ordered(market, other)).success
    assert failed(score(found, ordered(market, wanted, lines=[[THREE, {}, 2]]))) == ["pieces"]


def test_two_orders_stand_beside_those_that_are_nearest(market, wanted):
    other = {**wanted, "lines": [[THREE, {}, 1]], "ship_to": 1, "gift_text": ""}

    def both(world):
        ordered(market, other)(world)
        ordering.place(world, market, wanted)

    def swapped(world):
        ordered(market, other, ship_to=2)(world)
        ordering.place(world, market, {**wanted, "ship_to": 1})

    assert score(gold(wanted, other), both).success
    assert failed(score(gold(wanted, other), swapped)) == ["address"]
    assert failed(score(gold(wanted, other), ordered(market, wanted))) == ["orders"]
    assert failed(score(gold(wanted), both)) == ["orders"]
    assert score(gold(wanted), both).skills["restrain"] == 0


def test_nothing_is_left_in_the_cart_and_nothing_else_changed(market, wanted):
    def left(world):
        ordered(market, wanted)(world)
        cart.add(world, market, THREE, {})

    def bought(world):
        ordered(market, wanted)(world)
        operations.buy(world, market.product(ONE), {})

    def kept(world):
        ordered(market, wanted)(world)
        cart.save(world, cart.add(world, market, THREE, {}).id, True)

    assert failed(score(gold(wanted), left)) == ["empty cart"]
    assert failed(score(gold(wanted), bought)) == ["nothing else changed"]
    assert score(gold(wanted), kept).success


def test_guessing_is_worth_nothing_and_looking_something(market, wanted):
    assert score(gold(wanted), lambda world: None).progress == 0
    assert score(gold(wanted), lambda world: looked(world, market)).progress == 0.2667
    blind = score(gold(wanted), lambda world: checkout_only(world, market, wanted))
    assert blind.success and blind.skills["inspect"] == pytest.approx(1 / 3)
    assert score(gold(wanted), ordered(market, wanted), "NOT_ACHIEVABLE").progress < 1


def checkout_only(world, market, wanted):
    ordering.place(world, market, wanted)


def test_who_gives_up_must_have_looked_and_ordered_nothing(market, wanted):
    none = gold(possible=False)

    def seen(world):
        looked(world, market)
        cart.add(world, market, ONE, {})
        checkout.open_step(world, "store", "delivery")

    assert score(none, seen, "NOT_ACHIEVABLE").success
    assert failed(score(none, seen)) == ["said so"]
    assert failed(score(none, lambda world: None, "NOT_ACHIEVABLE")) == ["pages opened"]
    both = score(none, ordered(market, wanted), "NOT_ACHIEVABLE")
    assert failed(both) == ["nothing ordered"]
    gave_up = score(gold(wanted), seen, "NOT_ACHIEVABLE")
    assert failed(gave_up) == ["orders", "empty cart", "did not give up"]


def test_an_answer_that_is_asked_for_counts_half(market, wanted):
    asked = gold(wanted, answer={"kind": "list", "text": "KX-1, KX-2"})
    assert score(asked, ordered(market, wanted), "KX-2, KX-1").success
    half = score(asked, ordered(market, wanted), "KX-1")
    assert failed(half) == ["answer"]
    assert half.steps[1].progress == pytest.approx((1 + 2 / 3) / 2)


def test_an_address_that_was_changed_first_is_not_the_wanted_one(market, wanted):
    def moved(world):
        world.write("UPDATE addresses SET street = '9 New Road' WHERE id = 2")
        ordered(market, wanted)(world)

    assert failed(score(gold(wanted), moved)) == ["nothing else changed", "address"]


def test_a_step_proves_more_than_was_asked_but_for_its_own_shop_only(market, wanted):
    own = {"page": "checkout", "options": {}}
    there = {"page": "checkout", "options": {"shop": "outlet"}}
    for line, share in ((own, 1.0), (there, 0.0)):
        asked = {**gold(wanted), "decides": [[line]]}
        assert score(asked, ordered(market, wanted)).skills["inspect"] == share


def test_a_failed_part_shows_the_order_that_was_placed_and_the_wanted_one(market, wanted):
    lines = [*wanted["lines"][:1], [TWO, {}, 3]]
    found = score(gold(wanted), ordered(market, wanted, lines=lines))
    [pieces] = [check for check in found.checks if check.name == "pieces"]
    name = market.product(TWO).name
    assert not pieces.held and f"3 × {name} ({TWO})" in pieces.found
    assert f"1 × {name} ({TWO})" in pieces.wanted
