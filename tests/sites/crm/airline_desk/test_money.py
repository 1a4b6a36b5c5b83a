"""Money after the sale: it adds up, and no more goes back than was paid."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sites.crm import CrmData
from sites.crm.airline_desk.operations import changing, money
from sites.crm.base.forms import Invalid
from sites.world import World
from tests.each import for_each
from tests.sites.crm.airline_desk import ticket_rows
from tests.sites.crm.airline_desk.booked_rows import CARD, FAMILY, GONE, LONE, desk
from tests.sites.crm.airline_desk.refused import refused

FEE = {"fee-kind": "bags", "fee-amount": "60"}


@pytest.fixture
def world(data: CrmData) -> World:
    return desk(data)


def balance(world: World, code: str = "V100") -> int:
    [row] = world.read("SELECT balance FROM vouchers WHERE code = ?", (code,))
    return int(row["balance"])


def test_money_goes_back_to_the_payment_it_came_from(world):
    money.give_refund(world, FAMILY, {"refund-amount.1": "300", "refund-amount.2": "60"})
    money.give_refund(world, FAMILY, {"refund-amount.1": "600"})
    assert [each.left for each in money.paid(world, FAMILY)] == [0, 0]
    assert balance(world) == 160


@for_each(
    ("typed", "words"),
    [
        ("901", "At most 900 dollars"),
        ("-1", "whole dollars"),
        ("1.5", "whole dollars"),
        ("many", "whole dollars"),
        ("1" * 400, "whole dollars"),
        ("", "Give the amount"),
        ("0", "Give the amount"),
    ],
)
def test_an_amount_that_cannot_go_back_is_refused(data, typed, words):
    world = desk(data)
    problem = refused(world, lambda: money.give_refund(world, FAMILY, {"refund-amount.1": typed}))
    assert words in problem.errors["refund-amount.1"]


def test_a_payment_of_another_booking_is_not_given_back(world):
    refused(world, lambda: money.give_refund(world, FAMILY, {"refund-amount.3": "1"}))


def test_nothing_goes_back_twice_and_nothing_of_a_booking_without_payments(world):
    money.give_refund(world, FAMILY, {"refund-amount.2": "60"})
    problem = refused(world, lambda: money.give_refund(world, FAMILY, {"refund-amount.2": "1"}))
    assert problem.errors == {"refund-amount.2": "All of this payment was given back already."}
    refused(world, lambda: money.give_refund(world, LONE, {}))


def test_a_fee_is_charged_to_voucher_and_card(world):
    pay = {"voucher": "V100", "voucher-amount": "40", "card-amount": "20", **CARD}
    money.charge(world, FAMILY, {**FEE, "passenger": "3", **pay})
    [fee] = world.read("SELECT kind, passenger, amount FROM fees")
    assert fee == {"kind": "bags", "passenger": 3, "amount": 60}
    assert balance(world) == 60
    assert [each.amount for each in money.paid(world, FAMILY)] == [900, 60, 40, 20]


@for_each(
    ("values", "field", "words"),
    [
        ({"fee-kind": "tip"}, "fee-kind", "Choose change"),
        ({"fee-amount": ""}, "fee-amount", "amount of the fee"),
        ({"passenger": "9"}, "passenger", "traveller of this booking"),
        ({"card-amount": "59"}, "card-amount", "add up to 59; 60 dollars are due"),
        ({"card-number": "4111 1111 1111 1112"}, "card-number", "no card with this number"),
        ({"expiry": "01/20"}, "expiry", "expired"),
        ({"voucher": "VOLD", "voucher-amount": "1"}, "voucher", "ran out"),
    ],
)
def test_a_fee_that_cannot_be_charged_is_refused(data, values, field, words):
    world = desk(data)
    typed = {**FEE, "card-amount": "60", **CARD, **values}
    problem = refused(world, lambda: money.charge(world, FAMILY, typed))
    assert words in problem.errors[field]


def test_money_of_a_cancelled_booking_stays_as_it_is(world):
    assert refused(world, lambda: money.charge(world, GONE, FEE)).status == 409
    assert refused(world, lambda: money.give_refund(world, GONE, {})).status == 409


AMOUNTS = st.integers(-5, 1000).map(str)


@settings(max_examples=50, deadline=None)
@given(
    steps=st.lists(
        st.one_of(
            st.tuples(st.just("refund"), st.sampled_from([1, 2, 3, 4]), AMOUNTS),
            st.tuples(st.just("charge"), AMOUNTS, AMOUNTS),
            st.tuples(st.just("cancel"), st.sampled_from([1, 2]), AMOUNTS),
        ),
        max_size=8,
    )
)
def test_money_adds_up_whatever_is_typed(data, steps):
    """What was paid less what went back, and what is on the voucher, change by the fees alone."""
    world = desk(data)

    def held() -> int:
        kept = sum(each.left for each in money.paid(world, FAMILY) if each.method == "voucher")
        return kept + balance(world)

    start = held()
    for name, one, other in steps:
        before = world.digest()
        try:
            if name == "refund":
                money.give_refund(world, FAMILY, {f"refund-amount.{one}": other})
            elif name == "cancel":
                changing.cancel(world.fork(), FAMILY, {f"refund-amount.{one}": other})
            else:
                pay = {"voucher": "V100", "voucher-amount": other}
                money.charge(world, FAMILY, {"fee-kind": "name", "fee-amount": one, **pay})
        except Invalid:
            assert world.digest() == before
        assert held() == start
        assert balance(world) >= 0
        assert all(0 <= each.left <= each.amount for each in money.paid(world, FAMILY))


# A balance ---------------------------------------------------------------------------------------


def test_a_balance_is_paid_by_a_charge_of_its_own(data):
    world = ticket_rows.desk(data)
    world.write("UPDATE terms SET balance = 60 WHERE reference = ?", (FAMILY,))
    owed = {"fee-kind": "balance", "fee-amount": "45", "card-amount": "45", **CARD}
    money.charge(world, FAMILY, owed)
    assert money.unpaid(world, FAMILY) == 15
    assert world.read("SELECT * FROM fees") == []
    assert money.paid(world, FAMILY)[-1].amount == 45
    problem = refused(world, lambda: money.charge(world, FAMILY, owed))
    assert [*problem.errors] == ["fee-amount"]


def test_a_desk_without_tickets_knows_no_balance(world):
    owed = {"fee-kind": "balance", "fee-amount": "45", "card-amount": "45", **CARD}
    assert money.unpaid(world, FAMILY) == 0
    assert [*refused(world, lambda: money.charge(world, FAMILY, owed)).errors] == ["fee-kind"]
