"""The widgets as agents and people use them: by clicks, keys and the observation's texts."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AsyncExitStack
from urllib.parse import urlsplit

import pytest

from agent.browser.chromium import find_chromium, launch
from agent.browser.lane import Lane
from agent.interface import Action, Click, Element, Observation, Press, Select, Text, Type
from agent.llm import tokens
from agent.renderings import tree
from sites.crm.airline_desk.model.airline import KEYS, airlines
from sites.server import Server
from tests.sites.crm.airline_desk import sample

if find_chromium() is None:
    pytest.skip("no Chromium; run: rehearse doctor --fix", allow_module_level=True)

A, B, C = KEYS
PHONE = {"width": 360, "height": 740, "deviceScaleFactor": 1, "mobile": True}


class Visit:
    def __init__(self, runner, lane: Lane) -> None:
        self.run, self.lane = runner.run, lane
        self.seen = Observation("", "")

    def open(self, key: str) -> Observation:
        self.airline = airlines()[key]
        self.seen = self.run(self.lane.open(f"http://crm.localhost/{key}"))
        return self.seen

    def act(self, *actions: Action) -> Observation:
        for action in actions:
            self.seen = self.run(self.lane.act(action))
            assert not self.seen.capped and self.seen.error is None, (action, self.seen.error)
        return self.seen

    def click(self, *ids: str) -> Observation:
        return self.act(*(Click(f"//*[@id='{each}']") for each in ids))

    def type(self, id: str, text: str) -> Observation:  # noqa: A002  as in HTML
        return self.act(Type(f"//*[@id='{id}']", text))

    def pick(self, id: str, text: str) -> Observation:  # noqa: A002  as in HTML
        return self.act(Select(f"//*[@id='{id}']", text))

    def get(self, id: str) -> Element:  # noqa: A002  as in HTML
        return next(each for each in self.seen.elements if each.html_id == id)

    def ids(self) -> set[str]:
        return {each.html_id for each in self.seen.elements}

    def send(self) -> dict[str, str]:
        """Send the form; what the site has read, by field."""
        self.click(self.airline.id("search-flights"))
        assert urlsplit(self.seen.url).path == f"/{self.airline.key}"
        texts = [each.text for each in self.seen.content if not isinstance(each, Element)]
        read = self.js("[...document.querySelectorAll('#read dd')].map((each) => each.textContent)")
        assert set(filter(None, read)) <= set(texts)
        return dict(zip(sample.KINDS, read, strict=True))

    def js(self, script: str):
        """The value of an expression in the page."""
        reply = self.run(
            self.lane._tab.send("Runtime.evaluate", expression=script, returnByValue=True)
        )
        assert "exceptionDetails" not in reply, reply
        return reply["result"]["value"]


@pytest.fixture(scope="module")
def visit(runner) -> Iterator[Visit]:
    stack = AsyncExitStack()
    with Server(sample.site()) as server:
        browser = runner.run(stack.enter_async_context(launch({"crm.localhost": server.port})))
        lane = Lane(browser)
        yield Visit(runner, lane)
        runner.run(lane.close())
        runner.run(stack.aclose())


# Each airline's widgets ---------------------------------------------------------------------------


def test_contrail_takes_what_is_typed_or_chosen(visit):
    visit.open(A)
    visit.type("from", "lon")
    visit.act(Click("London Gatwick (LGW)"))
    visit.type("to", "OSL")
    visit.click("departure-calendar")
    visit.act(Click("20 January 2026"))
    visit.type("return", "3 Feb 2026")
    visit.type("adults", "2")
    read = visit.send()
    assert (read["from"], read["to"], read["adults"]) == ("LGW", "OSL", "2")
    assert (read["departure"], read["return"]) == ("2026-01-20", "2026-02-03")


@pytest.mark.wide
def test_halcyra_takes_an_airport_from_its_list_only(visit):
    visit.open(B)
    visit.type("leaving", "LGW")
    assert "Nothing picked yet." in visit.seen.text
    visit.send()
    assert "“LGW” is only typed. Pick an airport from the list that opens." in visit.seen.text
    visit.type("leaving", "london")
    visit.act(Click("London: All airports"))
    visit.send()
    assert "London has several airports." in visit.seen.text
    visit.type("leaving", "london")
    visit.act(Press("ArrowDown"), Press("ArrowDown"), Press("Enter"))
    assert "You picked London Gatwick (LGW)." in visit.seen.text
    assert visit.send()["from"] == "LGW"
    assert visit.get("leaving").value == "London Gatwick (LGW)"


@pytest.mark.wide
def test_what_is_typed_after_a_pick_picks_nothing(visit):
    visit.open(B)
    visit.type("leaving", "oslo")
    visit.act(Press("ArrowDown"), Press("Enter"))
    visit.type("leaving", "Oslo Gardermoen (OSL)")
    assert "You picked" not in visit.seen.text
    assert visit.send()["from"] != "OSL"
    visit.type("leaving", "Oslo Gardermoen (OSL)")
    visit.act(Click("Oslo Gardermoen (OSL)"))
    assert visit.send()["from"] == "OSL"


def test_halcyra_has_one_calendar_for_both_days(visit):
    visit.open(B)
    assert {"day-out-calendar"} == {each for each in visit.ids() if each.endswith("-calendar")}
    assert "readonly" in visit.get("day-out").states
    visit.click("day-out-calendar")
    visit.pick("day-out-month", "March 2026")
    visit.act(Click("Wednesday, March 4, 2026"))
    assert "Pick the day home" in visit.seen.text
    assert "disabled" in visit.get("day-out-2026-03-03").states
    visit.act(Press("ArrowDown"), Press("Enter"))
    assert (visit.get("day-out").value, visit.get("day-home").value) == ("03/04/2026", "03/11/2026")
    assert "day-out-month" not in visit.ids()
    read = visit.send()
    assert (read["departure"], read["return"]) == ("2026-03-04", "2026-03-11")


def test_a_new_day_out_after_the_day_home_empties_it(visit):
    visit.open(B)
    visit.click("day-out-calendar", "day-out-2026-01-20", "day-out-2026-01-21")
    visit.click("day-out-calendar", "day-out-2026-01-25")
    assert (visit.get("day-out").value, visit.get("day-home").value) == ("01/25/2026", "")


@pytest.mark.wide
def test_halcyra_counts_with_two_buttons(visit):
    visit.open(B)
    visit.click("grown-ups-more", "grown-ups-more", "grown-ups-fewer", "babes-fewer")
    assert "Grown-ups: 2" in visit.seen.text
    assert "disabled" in visit.get("babes-fewer").states
    visit.click(*["grown-ups-more"] * 6)
    assert "disabled" in visit.get("grown-ups-more").states
    assert visit.send()["adults"] == "6"


def test_ostrel_has_lists_that_depend_on_each_other(visit):
    visit.open(C)
    assert "disabled" in visit.get("origin-city").states
    visit.pick("origin-country", "Norway")
    assert visit.get("origin").value == "Oslo Gardermoen (OSL)"
    visit.pick("destination-country", "United Kingdom")
    assert visit.get("destination").value == "–"
    assert visit.get("destination-city").options == ("–", "Edinburgh", "London", "Manchester")
    visit.send()
    assert "Select the port too." in visit.seen.text
    visit.pick("destination-city", "London")
    visit.pick("destination", "London Gatwick (LGW)")
    read = visit.send()
    assert (read["from"], read["to"]) == ("OSL", "LGW")


@pytest.mark.wide
def test_ostrel_has_three_lists_for_a_day(visit):
    visit.open(C)
    for part, text in {"day": "30", "month": "February", "year": "2026"}.items():
        visit.pick(f"first-date-{part}", text)
    visit.send()
    assert "There is no 30/02/2026: February 2026 has 28 days." in visit.seen.text
    assert visit.get("first-date-day").value == "30"
    visit.pick("first-date-day", "04")
    visit.pick("first-date-month", "March")
    assert visit.send()["departure"] == "2026-03-04"


def test_ostrel_has_a_menu_for_the_keyboard(visit):
    visit.open(C)
    assert "view-positions" not in visit.ids()
    visit.click("menu")
    assert "view-positions" in visit.ids()
    visit.act(Press("Escape"))
    assert "view-positions" not in visit.ids()
    visit.act(Press("Enter"))
    assert "withdraw" in visit.ids()


# What all have in common --------------------------------------------------------------------------


@pytest.mark.wide
@pytest.mark.parametrize("key", KEYS)
def test_every_control_is_found_by_a_name_of_its_own(visit, key):
    seen = visit.open(key)
    assert [each.html_id for each in seen.elements if not each.name] == []
    names = [each.name for each in seen.elements if each.role not in {"radio", "button"}]
    assert len(set(names)) == len(names)
    assert tokens.of_text(tree.render(seen)) < 2000


@pytest.mark.wide
@pytest.mark.parametrize("key", KEYS)
def test_a_fare_is_named_by_flight_brand_and_price(visit, key):
    visit.open(key)
    airline = visit.airline
    if key == B:
        visit.click("outward-0-fares")
    brand, price = airline.word("brand-classic"), airline.formats.money(150)
    name = visit.get("outward-0-classic").name
    assert name.startswith("LW2041") and brand in name and price in name
    visit.click("outward-0-classic")
    assert "checked" in visit.get("outward-0-classic").states
    if key == B:
        assert f"You picked LW2041, {brand}, {price}." in visit.seen.text
        visit.click("outward-1-fares")
        assert "outward-0-classic" not in visit.ids()


@pytest.mark.parametrize("key", KEYS)
def test_a_row_of_the_seat_map_is_one_text(visit, key):
    visit.open(key)
    texts = [each for each in visit.seen.content if isinstance(each, Text)]
    rows = [each for each in texts if each.role == "rowheader" and ": " in each.text]
    assert len(rows) == 22
    free, exit_row = visit.airline.word("free"), visit.airline.word("exit-row")
    assert f"A D {free}; B E" in rows[0].text
    assert [exit_row in row.text for row in rows] == [at == 9 for at in range(22)]


def test_enter_presses_none_of_several_buttons_that_commit(visit):
    visit.open(A)
    visit.type("name", "Ann")
    visit.act(Press("Enter"))
    assert "Look again." not in visit.seen.text
    assert visit.get("name").value == "Ann"


@pytest.mark.wide
@pytest.mark.parametrize("key", KEYS)
def test_a_journey_one_way_needs_no_day_of_return(visit, key):
    visit.open(key)
    visit.pick(visit.airline.id("trip-type"), visit.airline.word("one-way-trip"))
    name = visit.airline.id("return") + ("-day" if key == C else "")
    assert "disabled" in visit.get(name).states
    visit.pick(visit.airline.id("trip-type"), visit.airline.word("return-trip"))
    assert "disabled" not in visit.get(name).states


@pytest.mark.wide
@pytest.mark.parametrize("key", KEYS)
def test_a_phone_shows_it_without_scrolling_sideways(visit, key):
    visit.open(key)
    visit.run(visit.lane._tab.send("Emulation.setDeviceMetricsOverride", **PHONE))
    wide = visit.js("document.documentElement.scrollWidth")
    small = visit.js(
        """[...document.querySelectorAll("a, button, select, summary, input:not([type=hidden])")]
        .filter((each) => {
          const box = (each.closest("label") || each).getBoundingClientRect();
          return box.width && (box.height < 24 || box.width < 24);
        }).map((each) => each.id)"""
    )
    visit.run(visit.lane._tab.send("Emulation.clearDeviceMetricsOverride"))
    assert wide <= PHONE["width"]
    assert small == []
