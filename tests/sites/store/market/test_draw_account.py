"""The account of a customer of the market, drawn from a seed."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from functools import partial
from random import Random

import pytest

from sites.store import load_data
from sites.store.account.account import Address
from sites.store.catalogue.clock import TODAY
from sites.store.market import pricing
from sites.store.market.account.account import MarketAccount, MarketOrder
from sites.store.market.account.draw import CANCELED, COMPLETE, DAYS, ORDERS, RETURNED, draw_account
from sites.store.market.pricing import METHODS
from tests.measuring import cpu_seconds
from tests.sites.other_processes import printed_elsewhere

SEEDS = range(40)
LONGEST = 0.02
"""Seconds."""


@pytest.fixture(scope="module")
def market():
    return load_data().market


@pytest.fixture(scope="module")
def accounts(market) -> list[MarketAccount]:
    return [draw_account(Random(f"test/{seed}"), market) for seed in SEEDS]


def orders(accounts) -> list[MarketOrder]:
    return [order for account in accounts for order in account.orders]


def test_the_same_draws_give_the_same_account_in_every_process(market) -> None:
    assert printed_elsewhere("account") == {str(draw_account(Random("x"), market))}


def test_an_account_has_what_it_is_drawn_for(accounts) -> None:
    for account in accounts:
        assert len(account.orders) in ORDERS
        assert 2 <= len(account.addresses) == len(account.notes) <= 4
        assert len({each.last for each in account.cards}) == len(account.cards) in (2, 3)
        assert len({each.name for each in account.codes}) == len(account.codes) <= 4
        assert {each.person for each in account.lists} <= {each.name for each in account.addresses}
        assert MarketAccount.from_json(account.to_json()) == account


def test_a_family_says_how_many_orders(market) -> None:
    for seed in SEEDS:
        assert len(draw_account(Random(seed), market, range(25, 41)).orders) in range(25, 41)


def test_orders_are_the_newest_first_with_days_and_numbers_of_their_own(accounts) -> None:
    for account in accounts:
        days = [each.placed for each in account.orders]
        assert days == sorted(set(days), reverse=True)
        assert TODAY - timedelta(days=DAYS) < days[-1] < days[0] < TODAY
        numbers = [int(each.number) for each in account.orders]
        assert numbers == sorted(set(numbers), reverse=True)


def test_statuses_and_days_agree(accounts) -> None:
    statuses = Counter(each.status for each in orders(accounts))
    assert {COMPLETE, CANCELED, RETURNED} <= set(statuses)
    for order in orders(accounts):
        came = order.status in (COMPLETE, RETURNED)
        assert came == (order.delivered is not None)
        if order.delivered:
            assert order.placed < order.delivered < TODAY
            assert pricing.is_business_day(order.delivered)


def test_what_is_paid_back_was_paid_before(accounts) -> None:
    paid_back = [each for each in orders(accounts) if each.refunds]
    assert any(each.status == COMPLETE for each in paid_back)
    for order in paid_back:
        assert order.delivered and all(
            order.delivered < each.day <= TODAY for each in order.refunds
        )
        assert 0 < sum(each.cents for each in order.refunds) <= order.total
        if order.status == RETURNED:
            assert sum(each.cents for each in order.refunds) == order.goods


def test_amounts_of_an_order_are_those_of_the_rules(accounts, market) -> None:
    methods = {each.name: each for each in METHODS}
    for order in orders(accounts):
        bulky = sum(
            each.quantity * 1200
            for each in order.lines
            if market.good(each.asin).kind.name in ("standing desks", "coolers", "camping chairs")
        )
        left = order.goods - order.discount
        free = order.method == "Economy" and left >= 7500
        assert order.postage == (0 if free else methods[order.method].cents) + bulky
        assert order.total == left + order.postage + order.extras


def test_options_are_those_of_the_product(accounts, market) -> None:
    for order in orders(accounts[:5]):
        for line in order.lines:
            options = market.product(line.asin).options
            assert set(line.options) == set(options)
            assert all(value in options[name] for name, value in line.options.items())


def test_only_what_goes_abroad_goes_there(accounts) -> None:
    abroad = [each for each in orders(accounts) if each.ship_to.country != pricing.HOME]
    assert abroad
    assert {each.method for each in abroad} <= {each.name for each in METHODS if each.abroad}


def test_gifts_went_to_other_people(accounts) -> None:
    def is_own(account: MarketAccount, address: Address) -> bool:
        return address.name == account.name

    for account in accounts:
        assert is_own(account, account.addresses[0])
        assert any(not is_own(account, each) for each in account.addresses)
        for order in account.orders:
            assert bool(order.gift_text) == (not is_own(account, order.ship_to))


def test_drawing_is_quick(market) -> None:
    _draw(0, market)
    taken = [cpu_seconds(partial(_draw, seed, market)) for seed in SEEDS]
    assert sorted(taken)[len(taken) // 2] < LONGEST


def _draw(seed: int, market) -> MarketAccount:
    return draw_account(Random(seed), market)
