"""Tickets: the queue, offers and their answers, how a ticket is closed and linked."""

from __future__ import annotations

import json
from itertools import product

import pytest

from sites.crm import CrmData
from sites.crm.airline_desk.model.ticket_tables import TICKET_TABLES
from sites.crm.airline_desk.model.world import add, has_tickets, is_airline_desk, tables
from sites.crm.airline_desk.operations import correspondent, tickets
from sites.crm.airline_desk.operations.correspondent import Expected, Script, SentOffer
from sites.site_app import Refusal
from sites.world import World
from tests.each import for_each
from tests.sites.crm.airline_desk import booked_rows
from tests.sites.crm.airline_desk.refused import refused
from tests.sites.crm.airline_desk.ticket_rows import OLD, OTHER, REFUND, SCRIPT, desk
from tests.sites.crm.airline_desk.ticket_rows import ticket as ticket_row

NUMBER = str(REFUND)
OFFER = {"offer-what": "refund", "offer-amount": "450"}
CLOSED = {"outcome": "in-part", "decides": "5", "close-amount": "450"}


@pytest.fixture
def world(data: CrmData) -> World:
    return desk(data)


def newest(world: World) -> dict[str, object]:
    [row] = world.read("SELECT * FROM log_commits ORDER BY id DESC LIMIT 1")
    return {**row, "recorded": json.loads(row["recorded"])}


# The tables --------------------------------------------------------------------------------------


def test_a_desk_without_tickets_has_no_table_of_theirs(data, world):
    plain = booked_rows.desk(data)
    assert is_airline_desk(plain) and is_airline_desk(world)
    assert not has_tickets(plain) and has_tickets(world)
    assert not {*TICKET_TABLES, "log_offers", "log_messages"} & plain.snapshot().keys()
    assert {*tables(world)} == {each for each in world.snapshot() if not each.startswith("log_")}
    assert tickets.queue(plain) == ()
    with pytest.raises(Refusal):
        tickets.ticket(plain, NUMBER)


# Looking -----------------------------------------------------------------------------------------


def test_the_queue_has_what_is_urgent_first_and_what_is_closed_last(world):
    assert [each.number for each in tickets.queue(world)] == [REFUND, OTHER, OLD]
    assert [each.hours for each in tickets.queue(world)[:2]] == [2, 75]


def test_a_ticket_has_its_mail_in_order_and_its_bookings(world):
    one = tickets.ticket(world, f" {REFUND} ")
    assert [each.at for each in tickets.messages(world, one)] == [
        "2026-01-14 18:00",
        "2026-01-15 09:30",
    ]
    assert tickets.references(world, one) == (booked_rows.FAMILY,)
    assert [each.title for each in tickets.attachments(world, one)] == ["Certificate"]


def test_a_ticket_that_arrives_is_there_once_so_many_were_closed(world):
    late = {**ticket_row(7800, "Late", "urgent", "2026-01-15 12:00"), "arrives": 2}
    add(world, "tickets", late)
    add(world, "ticket_bookings", {"ticket": 7800, "reference": booked_rows.FAMILY})
    with pytest.raises(Refusal):
        tickets.ticket(world, "7800")
    for _ in range(2):
        tickets.close_ticket(world, NUMBER, CLOSED)
    assert 7800 not in [each.number for each in tickets.queue(world)], "one ticket, closed twice"
    tickets.close_ticket(world, str(OTHER), CLOSED)
    assert tickets.queue(world)[0].number == tickets.ticket(world, "7800").number == 7800


@for_each("number", ["", "1", "-1", "x", "7" * 20, "７７３１"])
def test_an_unknown_ticket_is_refused(data, number):
    with pytest.raises(Refusal) as caught:
        tickets.ticket(desk(data), number)
    assert caught.value.status == 404


# Offers ------------------------------------------------------------------------------------------


def test_the_answer_to_an_offer_is_in_the_mail(world):
    answer = tickets.send_offer(world, NUMBER, OFFER)
    one = tickets.ticket(world, NUMBER)
    assert answer == correspondent.Reply("yes", SCRIPT.yes)
    last = tickets.messages(world, one)[-1]
    assert (last.body, last.address) == (SCRIPT.yes, "ann@example.com")
    line = newest(world)
    assert (line["control"], line["screen"], line["subject"]) == ("send-offer", "propose", NUMBER)
    assert line["recorded"]["offer"] == {"what": "refund", "amount": 450, "flights": ""}
    assert line["recorded"]["answer"] == "yes" and line["recorded"]["changes"] == []


def test_another_offer_is_not_what_was_asked_for(world):
    wrong = {"offer-what": "flights", "offer-amount": "80", "offer-flights": "KW1234"}
    assert tickets.send_offer(world, NUMBER, wrong).answer == "no"
    right = {**wrong, "offer-flights": "lw 2041"}
    assert tickets.send_offer(world, NUMBER, right).answer == "yes"
    one = tickets.ticket(world, NUMBER)
    assert [each["answer"] for each in tickets.offers(world, one)] == ["no", "yes"]


def test_who_has_no_script_agrees_to_nothing(world):
    assert tickets.send_offer(world, str(OTHER), OFFER).answer == "no"


@for_each(
    ("values", "field"),
    [
        ({**OFFER, "offer-what": "everything"}, "offer-what"),
        ({**OFFER, "offer-amount": "-1"}, "offer-amount"),
        ({**OFFER, "offer-flights": "LW2041 " * 40}, "offer-flights"),
    ],
)
def test_a_wrong_offer_is_not_sent(data, values, field):
    world = desk(data)
    assert [*refused(world, lambda: tickets.send_offer(world, NUMBER, values)).errors] == [field]
    assert tickets.offers(world, tickets.ticket(world, NUMBER)) == []


def test_a_correspondent_answers_whatever_is_offered():
    kinds, amounts, flights = ("refund", "flights", ""), (0, 3), ("", "LW2041", "lw 2041, KW1")
    offers = [SentOffer(*each) for each in product(kinds, amounts, flights)]
    for expected in (Expected(*each) for each in product(kinds, (None, 3), (None, "LW2041"))):
        script = Script((expected,))
        assert correspondent.reply(script, []) is None
        for offer in offers:
            answer = correspondent.reply(script, [*offers[:2], offer])
            assert answer and answer.body in {script.yes, script.no}
            assert (answer.answer == "yes") == expected.is_met(offer)
            assert correspondent.reply(Script.of(script.to_json()), [offer]) == answer


# Closing and linking -----------------------------------------------------------------------------


def test_a_ticket_is_closed_and_can_be_closed_otherwise(world):
    tickets.close_ticket(world, NUMBER, CLOSED)
    tickets.close_ticket(world, NUMBER, {**CLOSED, "decides": "Article 2", "close-amount": ""})
    one = tickets.ticket(world, NUMBER)
    assert (one.closed, one.outcome, one.article, one.amount) == (True, "in-part", "2", 0)
    assert [NUMBER, "article", "2"] in [each[1:] for each in newest(world)["recorded"]["changes"]]


@for_each(
    ("values", "field"),
    [
        ({**CLOSED, "outcome": ""}, "outcome"),
        ({**CLOSED, "decides": "the fifth"}, "decides"),
        ({**CLOSED, "decides": ""}, "decides"),
        ({**CLOSED, "close-amount": "1.5"}, "close-amount"),
    ],
)
def test_a_ticket_is_not_closed_by_a_wrong_form(data, values, field):
    world = desk(data)
    assert [*refused(world, lambda: tickets.close_ticket(world, NUMBER, values)).errors] == [field]


def test_a_duplicate_is_linked_and_the_link_taken_back(world):
    tickets.link_tickets(world, NUMBER, {"same-as": str(OTHER)})
    assert tickets.ticket(world, NUMBER).same_as == OTHER
    tickets.link_tickets(world, NUMBER, {"same-as": ""})
    assert tickets.ticket(world, NUMBER).same_as is None
    for wrong in ("1", NUMBER, "x"):
        problem = refused(world, lambda typed=wrong: _link(world, typed))
        assert [*problem.errors] == ["same-as"]


def _link(world: World, other: str) -> None:
    tickets.link_tickets(world, NUMBER, {"same-as": other})


def test_a_page_that_is_out_of_date_changes_nothing(world):
    tickets.send_offer(world, NUMBER, OFFER, version=0)
    refused(world, lambda: tickets.close_ticket(world, NUMBER, CLOSED, version=0))
