"""Lines of a booking's history are flagged, otherwise or not any more."""

from __future__ import annotations

import pytest

from sites.crm import CrmData, create_app
from sites.crm.airline_desk.model.airline import KEYS, airlines
from sites.crm.airline_desk.model.world import add
from sites.crm.airline_desk.operations import changing, flags
from sites.site_app import Refusal
from sites.world import World, Worlds
from tests.each import for_each
from tests.sites.crm.airline_desk import booked_rows
from tests.sites.crm.airline_desk.booked_rows import FAMILY
from tests.sites.crm.airline_desk.refused import refused
from tests.sites.crm.airline_desk.served import Visitor
from tests.sites.crm.airline_desk.ticket_rows import desk

RIGHT = {"flag-article": "9", "flag-amount": "55"}


def with_line(world: World) -> int:
    """A line is added that is the last one; its number."""
    row = {"reference": FAMILY, "at": "2026-01-14 17:30", "colleague": "Kim"}
    add(world, "history", {**row, "entry": "Something was done"})
    return len(flags.lines(world, FAMILY))


@pytest.fixture
def world(data: CrmData) -> World:
    return desk(data)


def test_a_flag_says_article_and_amount_and_can_be_changed(world):
    line = with_line(world)
    flags.save_flag(world, FAMILY, line, RIGHT)
    flags.save_flag(world, FAMILY, line, {"flag-article": "art. b2", "flag-amount": "0"})
    assert flags.flags(world, FAMILY) == {line: {"line": line, "article": "B2", "amount": 0}}


def test_a_flag_is_taken_back_once(world):
    line = with_line(world)
    flags.save_flag(world, FAMILY, line, RIGHT)
    flags.drop_flag(world, FAMILY, line, {})
    assert flags.flags(world, FAMILY) == {}
    with pytest.raises(Refusal, match="nothing to take back"):
        flags.drop_flag(world, FAMILY, line, {})


def test_a_cancelled_booking_is_flagged_like_any_other(world):
    line = with_line(world)
    changing.cancel(world, FAMILY, {})
    flags.save_flag(world, FAMILY, line, RIGHT)
    assert line in flags.flags(world, FAMILY)


@for_each(
    ("values", "field"),
    [
        ({**RIGHT, "flag-article": "the fee"}, "flag-article"),
        ({**RIGHT, "flag-amount": "-1"}, "flag-amount"),
        ({**RIGHT, "flag-amount": ""}, "flag-amount"),
    ],
)
def test_a_wrong_flag_is_not_saved(data, values, field):
    world = desk(data)
    line = with_line(world)
    found = refused(world, lambda: flags.save_flag(world, FAMILY, line, values))
    assert [*found.errors] == [field]


@for_each("line", [0, 99])
def test_a_line_that_is_not_there_gets_no_flag(data, line):
    world = desk(data)
    with_line(world)
    with pytest.raises(Refusal, match="no such line"):
        flags.save_flag(world, FAMILY, line, RIGHT)


def test_a_page_that_is_out_of_date_flags_nothing(world):
    line = with_line(world)
    flags.save_flag(world, FAMILY, line, RIGHT)
    with pytest.raises(Refusal, match="changed since"):
        flags.save_flag(world, FAMILY, line, RIGHT, version=0)


@for_each("key", KEYS)
def test_the_form_is_at_the_line(data, key):
    worlds, airline, world = Worlds(), airlines()[key], desk(data, key)
    line = with_line(world)
    visitor = Visitor(create_app(data, worlds), worlds, world, airline)
    visitor.open(airline.address("history", FAMILY))
    page = visitor.follow(airline.word("open-flag", line=line))
    assert "Something was done" in page.text
    money = airline.formats.money(55)
    sent = {airline.id("flag-article"): "9", airline.id("flag-amount"): money}
    page = visitor.press(airline.word("save-flag"), sent)
    slots = {"line": line, "article": "9", "amount": money}
    assert airline.word("done-save-flag", reference=FAMILY, **slots) in page.text
    visitor.follow(airline.word("flagged", **slots))
    page = visitor.press(airline.word("drop-flag"))
    assert airline.word("done-drop-flag", reference=FAMILY, line=line) in page.text
    assert airline.word("flagged", **slots) not in page.text


def test_a_desk_without_a_handbook_has_no_flags(data):
    world = booked_rows.desk(data)
    worlds, airline = Worlds(), airlines()[world.about["airline"]]
    visitor = Visitor(create_app(data, worlds), worlds, world, airline)
    assert airline.word("flag") not in visitor.open(airline.address("history", FAMILY)).text
    assert visitor.open(airline.address("flag", FAMILY, 1)).status == 404
