"""The pages after the sale as agents and people see them, where much is going on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AsyncExitStack

import pytest

from agent.browser.chromium import find_chromium, launch
from agent.browser.lane import Lane
from agent.interface import Click, Select
from agent.llm import tokens
from agent.renderings import tree
from sites.crm.airline_desk.app import create_airline_desk
from sites.crm.airline_desk.model.airline import KEYS, airlines
from sites.crm.airline_desk.operations import changing, looking
from sites.server import Server
from sites.world import Worlds
from tests.each import for_each
from tests.measuring import DEEP, unmeasured
from tests.sites.crm.airline_desk.booked_rows import busy_desk

if find_chromium() is None:
    pytest.skip("no Chromium; run: rehearse doctor --fix", allow_module_level=True)

MOST = 2_000
"""Tokens of a page."""
PHONE = {"width": 360, "height": 740, "deviceScaleFactor": 1, "mobile": True}
BUSY = "MANY00"


class Visit:
    def __init__(self, runner, lane: Lane, worlds: Worlds, data) -> None:
        self.run, self.lane = runner.run, lane
        self.worlds = {key: busy_desk(data, key, key) for key in KEYS}
        for world in self.worlds.values():
            worlds.publish(world)

    def open(self, airline: str, screen: str, *parts: str, query: str = ""):
        path = airlines()[airline].address(screen, *parts)
        url = f"http://airline.localhost{path}?scenario={airline}{query}"
        return self.run(self.lane.open(url))

    def js(self, script: str):
        reply = self.run(
            self.lane._tab.send("Runtime.evaluate", expression=script, returnByValue=True)
        )
        return reply["result"]["value"]


@pytest.fixture(scope="module")
def visit(runner, data) -> Iterator[Visit]:
    stack, worlds = AsyncExitStack(), Worlds()
    with Server(create_airline_desk(data, worlds)) as server:
        browser = runner.run(stack.enter_async_context(launch({"airline.localhost": server.port})))
        lane = Lane(browser)
        yield Visit(runner, lane, worlds, data)
        runner.run(lane.close())
        runner.run(stack.aclose())


@pytest.mark.wide
@for_each("airline", KEYS)
@unmeasured()
def test_no_page_is_long_and_none_scrolls_sideways(visit, airline):
    ids, world = airlines()[airline].ids, visit.worlds[airline]
    for _ in range(9):
        changing.add_note(world, BUSY, {"note-code": "permission"})
    first = looking.booking(world, BUSY).segments[0]
    pages = [
        ("people", (), f"&{ids['name']}=okafor"),
        ("booking", (BUSY,), ""),
        ("history", (BUSY,), ""),
        ("seats", (BUSY, "1"), ""),
        ("remove", (BUSY, "1"), ""),
        ("reroute-results", (BUSY, "return", "2026-03-24"), ""),
        ("cancel", (BUSY,), ""),
        ("charge", (BUSY,), ""),
        ("flight", (first.flight, first.date), ""),
        ("rebook", (BUSY, "1"), ""),
    ]
    first_of_all, *others = pages
    mine = others if DEEP else others[KEYS.index(airline) :: len(KEYS)]
    for screen, parts, query in (first_of_all, *mine):
        seen = visit.open(airline, screen, *parts, query=query)
        assert tokens.of_text(tree.render(seen)) <= MOST, screen
        visit.run(visit.lane._tab.send("Emulation.setDeviceMetricsOverride", **PHONE))
        wide = visit.js("document.documentElement.scrollWidth - innerWidth")
        visit.run(visit.lane._tab.send("Emulation.clearDeviceMetricsOverride"))
        assert wide <= 0, screen


@pytest.mark.wide
@for_each("airline", KEYS)
def test_a_form_that_asks_is_sent_by_its_button_and_leads_on(visit, airline):
    front = airlines()[airline]
    visit.open(airline, "people")
    visit.run(visit.lane.act(Select(f"//*[@id='{front.id('month')}']", "March 2026")))
    seen = visit.run(visit.lane.act(Click(f"//*[@id='{front.id('search-people')}']")))
    assert f"{front.ids['month']}=2026-03" in seen.url
    assert f"{front.ids['page']}-3" in {each.html_id for each in seen.elements}
    seen = visit.run(visit.lane.act(Click(f"//*[@id='{front.id('page', 3)}']")))
    link = front.id("open-booking", "MANY23")
    seen = visit.run(visit.lane.act(Click(f"//*[@id='{link}']")))
    assert front.address("booking", "MANY23") in seen.url
