"""Vouchers are issued and extended where the desk works on tickets."""

from __future__ import annotations

import pytest

from sites.crm import CrmData, create_app
from sites.crm.airline_desk.model.airline import KEYS, airlines
from sites.crm.airline_desk.operations import vouchers
from sites.world import World, Worlds
from tests.each import for_each
from tests.sites.crm.airline_desk import booked_rows
from tests.sites.crm.airline_desk.booked_rows import FAMILY, LONE
from tests.sites.crm.airline_desk.refused import refused
from tests.sites.crm.airline_desk.served import Visitor
from tests.sites.crm.airline_desk.ticket_rows import desk

NEW = {"voucher-worth": "85", "voucher-until": "2027-01-15"}
LONGER = {"voucher-held": "VOLD", "voucher-until": "2026-04-14"}


@pytest.fixture
def world(data: CrmData) -> World:
    return desk(data)


def test_a_voucher_is_issued_to_the_customer_under_a_code_of_its_own(world):
    codes = [vouchers.issue_voucher(world, FAMILY, NEW) for _ in range(2)]
    rows = world.read("SELECT * FROM vouchers WHERE code LIKE ?", (f"{FAMILY}%",))
    assert [row["code"] for row in rows] == codes and len({*codes}) == 2
    assert {(row["customer"], row["balance"], row["expires"]) for row in rows} == {
        (1, 85, "2027-01-15")
    }


def test_a_voucher_that_ran_out_is_good_again(world):
    vouchers.extend_voucher(world, FAMILY, LONGER)
    [row] = world.read("SELECT balance, expires FROM vouchers WHERE code = 'VOLD'")
    assert row == {"balance": 50, "expires": "2026-04-14"}


@for_each(
    ("values", "field"),
    [
        ({**NEW, "voucher-worth": "0"}, "voucher-worth"),
        ({**NEW, "voucher-worth": "-5"}, "voucher-worth"),
        ({**NEW, "voucher-until": "soon"}, "voucher-until"),
    ],
)
def test_a_wrong_voucher_is_not_issued(data, values, field):
    world = desk(data)
    assert [*refused(world, lambda: vouchers.issue_voucher(world, FAMILY, values)).errors] == [
        field
    ]


def test_nobody_gets_what_is_no_voucher_of_the_customer(world):
    wrong = {**LONGER, "voucher-held": "V999"}
    assert [*refused(world, lambda: vouchers.extend_voucher(world, FAMILY, wrong)).errors] == [
        "voucher-held"
    ]
    refused(world, lambda: vouchers.issue_voucher(world, LONE, NEW))


@for_each("key", KEYS)
def test_the_forms_are_at_the_booking(data, key):
    worlds, airline = Worlds(), airlines()[key]
    visitor = Visitor(create_app(data, worlds), worlds, desk(data, key), airline)
    visitor.open(airline.address("booking", FAMILY))
    visitor.follow(airline.word("open-extend-voucher"))
    day = airline.formats.day("2026-04-14")
    sent = {airline.id("voucher-held"): "VOLD", airline.id("voucher-until"): day}
    page = visitor.press(airline.word("extend-voucher"), sent)
    assert airline.word("done-extend-voucher", voucher="VOLD", reference=FAMILY) in page.text
    page = visitor.follow(airline.word("open-issue-voucher"))
    assert airline.id("issue-voucher") in page.buttons.values()


def test_a_desk_without_tickets_has_no_such_form(data):
    worlds, airline = Worlds(), airlines()["contrail"]
    visitor = Visitor(create_app(data, worlds), worlds, booked_rows.desk(data), airline)
    assert (
        airline.word("open-issue-voucher")
        not in visitor.open(airline.address("booking", FAMILY)).links
    )
    assert visitor.open(airline.address("issue-voucher", FAMILY)).status == 404
