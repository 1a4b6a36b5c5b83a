"""A browser fills the same fields by real events, and sees what a reader of the HTML sees."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from agent.browser.chromium import find_chromium, launch
from agent.browser.lane import Lane
from agent.interface import Click, Observation, Select, Type
from sites.kit import create_app
from sites.server import Server
from sites.site_app import COOKIE
from sites.world import Worlds
from tests.sites.kit import library
from tests.sites.kit.test_fields import GOOD, made

if find_chromium() is None:
    pytest.skip("no Chromium; run: rehearse doctor --fix", allow_module_level=True)

HOST = "library.localhost"


class Window:
    """A browser's page of the library."""

    def __init__(self, runner: asyncio.Runner, lane: Lane) -> None:
        self.runner, self.lane = runner, lane
        self.page = Observation("", "")

    def open(self, path: str, token: str) -> None:
        cookie = (COOKIE, token)
        self.page = self.runner.run(self.lane.open(f"http://{HOST}{path}", cookie=cookie))

    def find(self, role: str, name: str) -> str:
        listed = [(each.role, each.name) for each in self.page.elements]
        assert (role, name) in listed, [*map(str, listed)]
        return next(e.id for e in self.page.elements if (e.role, e.name) == (role, name))

    def act(self, kind: type, role: str, name: str, *more: str) -> None:
        self.page = self.runner.run(self.lane.act(kind(self.find(role, name), *more)))


@pytest.fixture(scope="module")
def served(runner: asyncio.Runner, tmp_path_factory) -> Iterator[tuple[Window, Worlds]]:
    worlds = Worlds()
    folder: Path = tmp_path_factory.mktemp("library")
    with Server(create_app(library.SITE, folder, worlds)) as server:
        stack = AsyncExitStack()
        browser = runner.run(stack.enter_async_context(launch({HOST: server.port})))
        lane = Lane(browser, frozen_time=int(library.SITE.now))
        yield Window(runner, lane), worlds
        runner.run(lane.close())
        runner.run(stack.aclose())


def test_every_kind_of_field_is_filled_by_real_events(served):
    window, worlds = served
    with library.world() as world:
        window.open("/book/3", worlds.admit(world))
        window.act(Type, "textbox", "Day", GOOD["day"])
        window.act(Type, "textbox", "Copies", GOOD["copies"])
        window.act(Click, "radio", GOOD["way"])
        window.act(Type, "textbox", "Shelf", "ee")
        window.act(Click, "button", "Look up")
        window.act(Click, "radio", GOOD["shelf"])
        window.act(Click, "button", "More")
        window.act(Type, "textbox", "Scan", GOOD["scan"])
        window.act(Type, "textbox", "Remark", GOOD["remark"])
        window.act(Click, "checkbox", "Gift")
        window.act(Click, "button", "Order it")
        assert window.page.url == f"http://{HOST}/receipt/1"
        texts = {("orders", "new", name): text for name, text in GOOD.items()}
        assert made(world) == {
            **texts,
            ("orders", "new", "copies"): 2,
            ("orders", "new", "book"): 3,
        }


def test_several_rows_are_chosen_by_real_events(served):
    window, worlds = served
    with library.world("grid") as world:
        window.open("/?sort=title", worlds.admit(world))
        window.act(Click, "checkbox", "Choose Volume 02")
        window.act(Click, "checkbox", "Choose Volume 05")
        window.act(Select, "combobox", "New state", "lent")
        window.act(Click, "button", "Put away")
        rows = world.read("SELECT id FROM books WHERE state = 'lent' ORDER BY id")
        assert [row["id"] for row in rows] == [2, 5]


def test_a_browser_sends_an_empty_field_so_that_the_server_answers(served):
    window, worlds = served
    with library.world() as world:
        window.open("/book/3", worlds.admit(world))
        window.act(Type, "textbox", "Day", "tomorrow")
        window.act(Click, "button", "Order it")
        assert "write a date as 2026-01-31" in window.page.text
        assert "Copies: fill this in." in window.page.text
        assert "Delivery: fill this in." in window.page.text
        assert made(world) == {}
