"""Telling somebody of a flight, and another address for the customer: operations and pages."""

from __future__ import annotations

import json

import pytest

from sites.crm import create_app
from sites.crm.airline_desk.model.airline import KEYS, airlines
from sites.crm.airline_desk.operations import replies
from sites.crm.base.row_names import made
from sites.world import World, Worlds
from tests.each import for_each
from tests.sites.crm.airline_desk.refused import refused
from tests.sites.crm.airline_desk.served import Visitor
from tests.sites.crm.airline_desk.ticket_rows import OLD, REFUND, desk

NUMBER = str(REFUND)
SENT = {
    "reply-to": "Ben@Example.com",
    "reply-flight": "lw 2041",
    "reply-day": "2026-03-13",
    "reply-time": "7:05 PM",
}


@pytest.fixture
def world(data) -> World:
    return desk(data)


def test_what_is_told_is_a_row_in_normal_forms(world):
    before = world.snapshot()
    replies.send_reply(world, NUMBER, SENT)
    key = f"{NUMBER}/ben@example.com"
    assert made(before, world.snapshot()) == {
        ("replies", key, "flight", "LW2041"),
        ("replies", key, "day", "2026-03-13"),
        ("replies", key, "time", "19:05"),
    }
    [line] = world.read("SELECT * FROM log_commits")
    recorded = json.loads(line["recorded"])
    assert (line["screen"], line["subject"]) == ("reply", NUMBER)
    assert recorded["slots"] == {"ticket": NUMBER, "to": "ben@example.com", "flight": "LW2041"}


@for_each(
    ("text", "time"),
    [("19:05", "19:05"), ("7.05", "07:05"), ("12:00 am", "00:00"), ("12:30 P.M.", "12:30")],
)
def test_times_are_read_in_both_clocks(text, time):
    assert replies.time(text) == time


@for_each("text", ["25:00", "13:00 PM", "7", "soon", "07:60"])
def test_what_is_no_time_is_refused(text):
    with pytest.raises(ValueError, match="Give a time"):
        replies.time(text)


@for_each(
    ("values", "field"),
    [
        ({**SENT, "reply-to": "Ben"}, "reply-to"),
        ({**SENT, "reply-time": "noon"}, "reply-time"),
        ({**SENT, "reply-flight": "LW2041 " * 20}, "reply-flight"),
        ({"reply-to": "ben@example.com"}, "reply-flight"),
    ],
)
def test_a_wrong_reply_is_not_sent(data, values, field):
    world = desk(data)
    problem = refused(world, lambda: replies.send_reply(world, NUMBER, values))
    assert [*problem.errors] == [field]
    assert world.read("SELECT * FROM replies") == []


def test_the_customer_of_the_ticket_has_another_address(world):
    before = world.snapshot()
    replies.save_contact(world, NUMBER, {"new-email": " Ann.New@Example.com "})
    assert made(before, world.snapshot()) == {("customers", "1", "email", "ann.new@example.com")}
    problem = refused(world, lambda: replies.save_contact(world, NUMBER, {"new-email": ""}))
    assert [*problem.errors] == ["new-email"]


@pytest.mark.parametrize("airline", KEYS)
def test_the_pages_send_both_and_the_ticket_shows_them(data, airline):
    worlds, world = Worlds(), desk(data, airline)
    visitor = Visitor(create_app(data, worlds), worlds, world, airlines()[airline])

    def word(key: str, **slots: object) -> str:
        return visitor.airline.word(key, **slots)

    visitor.open(visitor.airline.address("ticket", REFUND))
    visitor.follow(word("open-reply"))
    sent = {
        **visitor.text(word("reply-to"), "ben@example.com"),
        **visitor.text(word("reply-flight"), "LW2041"),
        **visitor.text(word("reply-time"), visitor.airline.formats.clock(19 * 60 + 5)),
    }
    page = visitor.press(word("send-reply"), sent)
    assert page.heading == word("title-ticket", number=REFUND)
    [row] = page.table(word("group-replies"))
    assert row[word("reply-to")] == "ben@example.com"
    assert row[word("reply-time")] == visitor.airline.formats.clock(19 * 60 + 5)
    assert word("done-send-reply", to="ben@example.com", ticket=REFUND, flight="LW2041") in (
        page.text
    )
    visitor.follow(word("open-contact"))
    page = visitor.press(word("save-contact"), visitor.text(word("new-email"), "new@example.com"))
    assert page.facts(word("group-known"))[word("email")] == "new@example.com"


def test_a_ticket_of_nobody_has_no_address_to_change(data):
    worlds, world = Worlds(), desk(data)
    world.write("UPDATE tickets SET customer = NULL WHERE number = ?", (OLD,))
    visitor = Visitor(create_app(data, worlds), worlds, world, airlines()["contrail"])
    page = visitor.open(visitor.airline.address("contact", OLD))
    assert "of nobody whom the desk knows" in page.text
