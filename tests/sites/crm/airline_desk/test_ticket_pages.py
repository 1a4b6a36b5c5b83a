"""The pages of tickets at each airline: the queue, the mail, an offer and its answer, the end."""

from __future__ import annotations

import pytest

from sites.crm import create_app
from sites.crm.airline_desk.model.airline import KEYS, airlines
from sites.crm.airline_desk.operations import tickets
from sites.world import Worlds
from tests.sites.crm.airline_desk import booked_rows
from tests.sites.crm.airline_desk.booked_rows import FAMILY
from tests.sites.crm.airline_desk.served import Visitor
from tests.sites.crm.airline_desk.ticket_rows import OLD, OTHER, REFUND, SCRIPT, desk


@pytest.fixture(params=KEYS)
def visitor(request, data) -> Visitor:
    return _visitor(data, request.param, desk(data, request.param))


def _visitor(data, key, world) -> Visitor:
    worlds = Worlds()
    return Visitor(create_app(data, worlds), worlds, world, airlines()[key])


def word(visitor: Visitor, key: str, **slots: object) -> str:
    return visitor.airline.word(key, **slots)


def test_a_visit_begins_at_the_queue_which_leads_to_a_ticket_and_its_booking(visitor):
    page = visitor.open("/")
    assert page.heading == word(visitor, "title-tickets")
    rows = page.table(word(visitor, "group-queue", open=2))
    numbers = [each[word(visitor, "ticket-number")] for each in rows]
    assert numbers == [str(each) for each in (REFUND, OTHER, OLD)]
    assert rows[0][word(visitor, "age")] == word(visitor, "age-hours", number=2)
    assert rows[1][word(visitor, "age")] == word(visitor, "age-days", number=3)
    page = visitor.follow(str(REFUND))
    assert page.heading == word(visitor, "title-ticket", number=REFUND)
    assert "Please pay everything back." in page.text and "Ann Okafor cannot fly" in page.text
    assert page.facts(word(visitor, "group-known"))[word(visitor, "digits")] == "1111"
    page = visitor.follow(FAMILY)
    assert page.facts(word(visitor, "booking"))[word(visitor, "cover")] == word(
        visitor, "cover-yes"
    )
    assert word(visitor, "group-fares-paid") in page.text
    page = visitor.follow(word(visitor, "title-ticket", number=REFUND))
    assert page.heading == word(visitor, "title-ticket", number=REFUND)


def test_an_offer_is_answered_when_the_ticket_is_opened_next(visitor):
    visitor.open(visitor.airline.address("propose", REFUND))
    sent = {
        **visitor.text(word(visitor, "offer-what"), word(visitor, "what-refund")),
        **visitor.text(word(visitor, "offer-amount"), visitor.airline.formats.money(450)),
    }
    page = visitor.press(word(visitor, "send-offer"), sent)
    assert page.heading == word(visitor, "title-ticket", number=REFUND)
    assert SCRIPT.yes in page.text
    answered = word(visitor, "answer-yes")
    assert [
        each[word(visitor, "answered")] for each in page.table(word(visitor, "group-offers"))
    ] == [answered]
    money = visitor.airline.formats.money(450)
    done = word(
        visitor,
        "done-send-offer",
        ticket=REFUND,
        what=word(visitor, "what-refund"),
        amount=money,
        answer=answered,
    )
    assert done in page.text
    assert done in visitor.open(visitor.airline.address("booking", FAMILY)).text


def test_a_ticket_is_closed_by_the_form_and_wrong_fields_are_named(visitor):
    visitor.open(visitor.airline.address("close", REFUND))
    page = visitor.press(word(visitor, "close-ticket"), {visitor.airline.id("decides"): "none"})
    assert {*page.problems} == {word(visitor, "decides"), word(visitor, "outcome")}
    sent = {
        **visitor.text(word(visitor, "outcome"), word(visitor, "outcome-refused")),
        **visitor.text(word(visitor, "decides"), "Article 2"),
        **visitor.text(word(visitor, "close-amount"), visitor.airline.formats.money(0)),
    }
    page = visitor.press(word(visitor, "close-ticket"), sent)
    facts = page.facts(word(visitor, "group-ticket"))
    assert facts[word(visitor, "outcome")] == word(visitor, "outcome-refused")
    assert facts[word(visitor, "decides")] == "2"
    assert tickets.ticket(visitor.world, str(REFUND)).closed


def test_tickets_are_linked(visitor):
    visitor.open(visitor.airline.address("link-tickets", REFUND))
    other = visitor.text(word(visitor, "same-as"), str(OTHER))
    page = visitor.press(word(visitor, "link-tickets"), other)
    shown = page.facts(word(visitor, "group-ticket"))[word(visitor, "duplicate-of")]
    assert shown == str(OTHER)


def test_what_was_opened_is_in_the_line_of_the_visit(visitor):
    visitor.open(visitor.airline.address("ticket", f"0{REFUND}"))
    page = visitor.open(visitor.airline.address("tickets"))
    assert word(visitor, "seen-tickets", numbers=REFUND) in page.text


def test_a_desk_without_tickets_shows_nothing_of_them(data):
    for key in KEYS:
        visitor = _visitor(data, key, booked_rows.desk(data, key))
        assert visitor.open("/").heading == word(visitor, "title-search")
        assert word(visitor, "see-tickets") not in visitor.page.links
        for screen, *parts in (("tickets",), ("ticket", REFUND), ("propose", REFUND)):
            assert visitor.open(visitor.airline.address(screen, *parts)).status == 404
        page = visitor.open(visitor.airline.address("booking", FAMILY))
        assert word(visitor, "group-fares-paid") not in page.text
        assert word(visitor, "cover") not in page.facts(word(visitor, "booking"))


def test_a_booking_leads_to_no_ticket_that_has_not_come_in(data, visitor):
    visitor.world.write("UPDATE tickets SET arrives = 1 WHERE number = ?", (REFUND,))
    page = visitor.open(visitor.airline.address("booking", FAMILY))
    named = word(visitor, "title-ticket", number=REFUND)
    assert named not in page.links
    closed = {"outcome": "done", "decides": "5", "close-amount": "0"}
    tickets.close_ticket(visitor.world, str(OTHER), closed)
    assert named in visitor.open(visitor.airline.address("booking", FAMILY)).links
