"""The screen of each airline as HTML: whole without JavaScript, and safe."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest
from lxml import html

from sites.crm import airline_desk
from sites.crm.airline_desk.model.airline import KEYS, airlines
from sites.crm.airline_desk.pages import page, widgets
from sites.crm.airline_desk.pages.screen import Facts, Form, Screen, SeatCell
from tests.each import for_each
from tests.sites.crm.airline_desk import sample

STATIC = Path(airline_desk.__file__).parent / "static"
GIVEN = {
    "contrail": {"from": "LHR", "to": "OSL", "departure": "4 March 2026", "dob": "4 May 1980"},
    "halcyra": {
        "leaving-list": "LHR",
        "going-to-list": "OSL",
        "day-out": "03/04/2026",
        "birthday": "05/04/1980",
    },
    "ostrel": {
        "origin": "LHR",
        "destination": "OSL",
        "first-date-day": "04",
        "first-date-month": "03",
        "first-date-year": "2026",
        "birth-data": "04/05/1980",
    },
}


@pytest.fixture(scope="module")
def client():
    return sample.site().test_client()


@pytest.fixture(scope="module")
def shown(client):
    """The page of each airline by its key."""
    return {key: html.fromstring(client.get(f"/{key}").text) for key in KEYS}


@for_each("key", KEYS)
def test_no_id_stands_twice(shown, key):
    ids = Counter(shown[key].xpath("//*[not(ancestor-or-self::noscript)]/@id"))
    assert [each for each, times in ids.items() if times > 1] == []


@for_each("key", KEYS)
def test_what_is_referred_to_is_there(shown, key):
    ids = set(shown[key].xpath("//@id"))
    names = ("aria-labelledby", "aria-describedby", "for", "aria-controls")
    for name in names:
        for value in shown[key].xpath(f"//@{name}"):
            assert set(value.split()) <= ids, (name, value)


@for_each("key", KEYS)
def test_every_control_has_a_label(shown, key):
    controls = shown[key].xpath("//form//*[self::input[not(@type='hidden')] or self::select[@id]]")
    labelled = set(shown[key].xpath("//label/@for")) | set(shown[key].xpath("//label//input/@id"))
    assert [each.get("id") for each in controls if each.get("id") not in labelled] == []


@for_each("key", KEYS)
def test_what_people_typed_is_no_markup(client, key):
    text = client.get(f"/{key}").text
    assert "<img src=x" not in text
    assert "{{ 7 * 7 }}" in text
    assert text.count("&lt;img src=x") >= 5


@for_each("key", KEYS)
def test_it_loads_nothing_but_its_own_files(shown, key):
    addresses = shown[key].xpath("//@src | //link/@href")
    assert addresses
    assert [each for each in addresses if not each.startswith(("/static/", "/shared/"))] == []
    assert shown[key].xpath("//@style") == []
    assert shown[key].xpath("//script[not(@src) and not(@type='application/json')]") == []


@for_each("key", KEYS)
def test_the_form_carries_its_token_and_version(shown, key):
    assert shown[key].xpath("//form//input[@name='csrf']/@value") == ["the token"]
    assert shown[key].xpath("//form//input[@name='version']/@value") == ["3"]
    assert shown[key].xpath("//button[@data-commits]/@id") == [airlines()[key].id("book")]
    assert shown[key].xpath("//button[@name='press']/@value") == [
        airlines()[key].id(each) for each in ("search-flights", "book")
    ]


@for_each("key", KEYS)
def test_without_javascript_the_form_can_be_sent(client, key):
    given = GIVEN[key]
    controls = html.fromstring(client.get(f"/{key}").text).xpath("//@name")
    assert set(given) <= set(controls)
    read = html.fromstring(client.post(f"/{key}", data=given).text).xpath("//*[@id='read']//dd")
    texts = [each.text_content() for each in read]
    assert texts[:4] == ["LHR", "OSL", "", "2026-03-04"]
    assert "1980-05-04" in texts


@for_each("key", KEYS)
def test_a_problem_is_text_that_its_field_refers_to(client, key):
    airline = airlines()[key]
    wrong = {airline.id("adults"): "many", airline.id("amount"): "much"}
    tree = html.fromstring(client.post(f"/{key}", data=wrong).text)
    for name in wrong:
        control = tree.get_element_by_id(name)
        assert control.get("aria-invalid") == "true"
        problem = tree.get_element_by_id(f"{name}-problem")
        assert problem.get("id") in control.get("aria-describedby").split()
        assert problem.text_content().endswith(".")


@for_each("key", KEYS)
def test_a_sold_out_fare_cannot_be_chosen(shown, key):
    radios = shown[key].xpath("//input[@type='radio']")
    assert len(radios) == 16
    for radio in radios:
        assert (radio.get("disabled") is not None) == radio.get("value").endswith("/flex")


@for_each("key", KEYS)
def test_the_modules_get_words_and_airports(shown, key):
    front = json.loads(shown[key].get_element_by_id("front").text)
    assert len(front["airports"]) == len(sample.DATA.airports)
    assert all(front["words"].values())


def test_the_pages_load_the_module_for_the_fields_that_it_knows():
    module = (STATIC / "widgets.js").read_text(encoding="utf-8")
    known = re.findall(r"""^ +"([a-z-]+)": \(field\)|data-widget='([a-z-]+)'""", module, re.M)
    assert {one or other for one, other in known} == widgets.SCRIPTED


def test_a_row_of_seats_is_one_line():
    seats = [SeatCell(f"7{letter}", text) for letter, text in zip("ABC", "xyx", strict=True)]
    assert page.by_state(seats) == "A C x; B y"


def test_the_plan_draws_letters_prices_and_crosses():
    for airline in airlines().values():
        price = airline.formats.money(18)
        free = SeatCell("7A", airline.word("free"))
        costly = SeatCell("7B", airline.word("free-for", price=price))
        taken = SeatCell("7C", airline.word("taken"))
        signs = [page.seat_sign(airline, seat) for seat in (free, costly, taken)]
        assert signs == ["A", price, "×"]


def test_the_buttons_stand_after_the_last_thing_to_fill_in():
    form, facts = Form("", ()), Facts("")
    for sections, place in {(facts, form, facts): 2, (facts,): 0, (form, form): 2}.items():
        assert page.last_input(Screen("search", "", "", sections)) == place
