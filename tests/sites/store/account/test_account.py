"""The drawn account: the same for a seed, and as a customer's would be."""

from __future__ import annotations

import json
import re
from collections import Counter
from datetime import timedelta
from random import Random

import pytest

from sites.store import new_world
from sites.store.account.account import STATUSES
from sites.store.account.draw import draw_account
from sites.store.catalogue.clock import TODAY
from sites.store.market.account.account import MarketAccount
from tests.sites.other_processes import printed_elsewhere


@pytest.fixture(scope="module")
def accounts(data) -> list[MarketAccount]:
    return [draw_account(Random(f"store/accounts/{seed}"), data) for seed in range(60)]


def test_the_same_draws_give_the_same_bytes_in_every_process(data):
    here = json.dumps(draw_account(Random("a"), data).to_json())
    assert printed_elsewhere("first account") == {here}
    assert json.dumps(draw_account(Random("b"), data).to_json()) != here


def test_equal_accounts_make_equal_worlds(data):
    worlds = [new_world("s", "x", draw_account(Random("a"), data)) for _ in range(2)]
    assert worlds[0].snapshot() == worlds[1].snapshot()


def test_an_account_survives_json(accounts):
    for account in accounts:
        assert MarketAccount.from_json(json.loads(json.dumps(account.to_json()))) == account


def test_orders_are_eighteen_to_thirty_of_different_days_the_newest_first(accounts):
    for account in accounts:
        days = [order.placed for order in account.orders]
        assert 18 <= len(days) <= 30
        assert days == sorted(set(days), reverse=True)
        assert TODAY - timedelta(days=913) < days[-1] and days[0] < TODAY
        numbers = [order.number for order in account.orders]
        assert numbers == sorted(set(numbers), reverse=True)
        assert all(re.fullmatch(r"[1-9]\d{8}", number) for number in numbers)


def test_every_status_is_somewhere_and_most_orders_are_complete(accounts):
    counts = Counter(order.status for account in accounts for order in account.orders)
    assert set(counts) == set(STATUSES)
    assert counts["Complete"] > counts["Canceled"] > max(counts["Pending"], counts["On Hold"])
    assert counts["Complete"] > sum(counts.values()) / 2


def test_accounts_without_an_order_of_some_status_exist(accounts):
    for status in ("Processing", "Pending", "Shipped", "On Hold"):
        have = [status in {order.status for order in account.orders} for account in accounts]
        assert any(have) and not all(have)


def test_lines_are_products_with_every_option_chosen(accounts, data):
    for account in accounts[:20]:
        for order in account.orders:
            asins = [line.asin for line in order.lines]
            assert 1 <= len(asins) <= 3 and len(set(asins)) == len(asins)
            for line in order.lines:
                product = data.catalogue.get(line.asin)
                assert set(line.options) == set(product.options)
                assert all(line.options[kind] in product.options[kind] for kind in line.options)
                assert line.quantity >= 1 and 0 < line.cents <= round(product.price * 100)
            assert order.total == sum(line.cents * line.quantity for line in order.lines)


def test_orders_go_to_an_address_of_the_book(accounts):
    for account in accounts:
        assert len(account.addresses) == 2
        assert {order.ship_to for order in account.orders} <= set(account.addresses)


def test_nothing_of_an_account_belongs_to_anybody(accounts):
    """Mail to example.com and numbers 555-01xx reach nobody."""
    for account in accounts:
        assert re.fullmatch(r"[a-z]+\.[a-z]+@example\.com", account.email)
        assert all(re.fullmatch(r"\d{3}-555-01\d\d", each.phone) for each in account.addresses)


def test_a_guest_has_no_account():
    snapshot = new_world("s", "x").snapshot()
    tables = ("customers", "addresses", "wishes", "messages", "log_drafts")
    assert {name: snapshot[name] for name in tables} == {name: [] for name in tables}
    assert "market_orders" not in snapshot
