"""Late flights are paid for at a desk with tickets; flights change without a difference."""

from __future__ import annotations

import pytest

from sites.crm import CrmData, create_app
from sites.crm.airline_desk.model.airline import KEYS, airlines
from sites.crm.airline_desk.model.records import Choice
from sites.crm.airline_desk.operations import changing, looking, payouts
from sites.world import World, Worlds
from tests.each import for_each
from tests.sites.crm.airline_desk import booked_rows
from tests.sites.crm.airline_desk.booked_rows import FAMILY
from tests.sites.crm.airline_desk.refused import refused
from tests.sites.crm.airline_desk.served import Visitor
from tests.sites.crm.airline_desk.ticket_rows import desk

PAID = {"payout-late": "250", "payout-meals": "30", "payout-hotel": "0"}


@pytest.fixture
def world(data: CrmData) -> World:
    return desk(data)


def test_each_kind_is_a_row_of_its_own_and_nothing_is_none(world):
    payouts.give_payout(world, FAMILY, PAID)
    rows = payouts.given(world, FAMILY)
    assert rows == [{"kind": "late", "amount": 250}, {"kind": "meals", "amount": 30}]


@for_each("text", ["0", "", "-5", "some"])
def test_what_is_no_amount_is_not_paid(world, text):
    values = {"payout-late": text}
    assert (
        "payout-late" in refused(world, lambda: payouts.give_payout(world, FAMILY, values)).errors
    )
    assert not payouts.given(world, FAMILY)


@for_each("key", KEYS)
def test_the_form_is_at_the_booking_which_says_what_was_paid(data, key):
    worlds, airline = Worlds(), airlines()[key]
    visitor = Visitor(create_app(data, worlds), worlds, desk(data, key), airline)
    visitor.open(airline.address("booking", FAMILY))
    visitor.follow(airline.word("open-payout"))
    money = airline.formats.money
    sent = {airline.id(name): money(int(amount)) for name, amount in PAID.items()}
    page = visitor.press(airline.word("give-payout"), sent)
    if airline.last_step == "again":
        page = visitor.press(airline.word("press-again", label=airline.word("give-payout")), sent)
    if airline.last_step == "review":
        page = visitor.press(airline.word("confirm"), {airline.id("agree"): "yes"})
    done = airline.word("done-give-payout", amount=money(280), reference=FAMILY)
    assert done in page.text
    assert airline.word("group-payouts") in page.text and money(250) in page.text


def test_a_desk_without_tickets_pays_nothing_out(data):
    worlds, airline = Worlds(), airlines()["contrail"]
    visitor = Visitor(create_app(data, worlds), worlds, booked_rows.desk(data), airline)
    assert airline.word("open-payout") not in visitor.open(airline.address("booking", FAMILY)).text
    assert visitor.open(airline.address("payout", FAMILY)).status == 404


def dearer(data: CrmData, world: World, day: str = "2026-03-21") -> Choice:
    """Other flights home that cost more."""
    found = looking.booking(world, FAMILY)
    offers = changing.reroute_offers(world, data, found, "return", day)
    choices = [Choice(each.id, "business") for each in offers if each.fare("business").seats > 5]
    return next(
        each
        for each in choices
        if changing.new_flights(world, data, found, "return", day, each).difference > 0
    )


def test_a_fare_difference_of_nothing_leaves_the_payments(data, world):
    choice, before = dearer(data, world), len(world.read("SELECT * FROM payments"))
    values = {"difference-amount": "0"}
    changing.reroute(world, data, FAMILY, "return", "2026-03-21", choice, values)
    assert len(world.read("SELECT * FROM payments")) == before
    assert {each.brand for each in looking.booking(world, FAMILY).direction("return")} == {
        "business"
    }
