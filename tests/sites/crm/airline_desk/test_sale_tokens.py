"""How long the pages of a sale are for a model: tokens of what ReAct shows of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack

import pytest

from agent import prompting, renderings
from agent.browser.chromium import find_chromium
from agent.llm import tokenizer
from sites.crm import CrmData, create_app
from sites.crm.airline_desk.model.airline import KEYS, airlines
from sites.crm.airline_desk.model.world import new_world
from sites.site_app import COOKIE
from tests.measuring import DEEP
from tests.sites.crm.airline_desk.sale import Sale, Traveller, Wanted
from tests.sites.crm.airline_desk.served import BASE, Visitor

if find_chromium() is None:
    pytest.skip("no Chromium; run: rehearse doctor --fix", allow_module_level=True)

BAR = 2000
OUT, HOME = "2026-03-13", "2026-03-22"
ROUTE = ("LAX", "EWR")
"""Twenty offers and more, most of them with a stop."""
FIRST_NAMES = ("Anna-Katharina", "Bartholomew", "Cassandra", "Dominique", "Esmeralda", "Florian")
LAST_NAMES = ("Papadopoulou-Lindqvist", "Lindqvist")
KINDS = (*("adult",) * 3, *("child",) * 3, "infant")
"""As many as one booking can have."""
BORN = {"adult": "1980-01-02", "child": "2017-01-02", "infant": "2025-06-01"}


def party() -> list[Traveller]:
    return [
        Traveller(
            kind=kind,
            title="Ms",
            first_name=FIRST_NAMES[at % 6],
            last_name=LAST_NAMES[at // 6],
            gender="Female",
            born=BORN[kind],
            lap=at - 5 if kind == "infant" else 0,
        )
        for at, kind in enumerate(KINDS)
    ]


@pytest.fixture(scope="module")
def count(runner, environments) -> Iterator[Callable[[Sale, str], int]]:
    """The tokens of the page that somebody has open, as a browser shows it."""
    stack = AsyncExitStack()
    lane = runner.run(stack.enter_async_context(environments.lane("crm")))
    rendering = renderings.get(prompting.load("react", "crm").rendering)

    def counted(sale: Sale, token: str) -> int:
        address = f"{BASE}{sale.page.address}"
        seen = runner.run(lane.open(address, cookie=(COOKIE, token)))
        assert seen.url == address
        return tokenizer.count(rendering.render(seen))

    yield counted
    runner.run(stack.aclose())


def screens(sale: Sale, data: CrmData, travellers: list[Traveller]) -> Iterator[str]:
    """Every page on the way to a booking of two flights each way, by its name."""
    there, here = (data.airports[code].label for code in ROUTE)
    kinds = [each.kind for each in travellers]
    numbers = (kinds.count("adult"), kinds.count("child"), kinds.count("infant"))
    sale.visitor.open("/")
    yield "search"
    sale.search(Wanted(there, here, OUT, HOME, *numbers))
    for direction in ("outward", "return"):
        first = sale.page.address
        yield f"{direction} 1"
        sale.visitor.open(f"{first}?page=2&sort=price")
        yield f"{direction} 2"
        sale.visitor.open(f"{first}?sort=price")
        sale.choose(next(each for each in sale.fares() if " + " in each.label))
    yield "party"
    seated = [each for each in travellers if each.kind != "infant"]
    bags = {(at, way): 2 for at in range(1, len(seated) + 1) for way in ("outward", "return")}
    sale.party(travellers, bags)
    while sale.on_seats:
        yield "seats"
        free = [code for code, each in sale.cabin().items() if each.free]
        sale.seats(dict(zip([each.name for each in seated], free, strict=False)))
    if sale.word("save-bags") in sale.page.buttons:
        yield "bags"
        sale.bags([each.name for each in travellers], bags)
    yield "payment"
    sale.pay_by_card()
    if sale.airline.last_step == "review":
        yield "review"
    sale.confirm()
    yield "booking"


@pytest.mark.wide
@pytest.mark.parametrize("airline", KEYS)
def test_no_page_of_a_sale_is_longer_than_the_bar(environments, count, airline):
    """Every third page of an airline, others for each; all of them in the deep run."""
    site = environments.sites["crm"]
    world = new_world(f"tokens-{airline}", airline, {})
    token = site.worlds.admit(world)
    visitor = Visitor(create_app(site.data, site.worlds), site.worlds, world, airlines()[airline])
    sale = Sale(visitor)
    found: dict[str, int] = {}
    for number, name in enumerate(screens(sale, site.data, party())):
        if DEEP or number % len(KEYS) == KEYS.index(airline):
            found[name] = max(found.get(name, 0), count(sale, token))
    assert len(found) > (8 if DEEP else 2)
    assert {name: tokens for name, tokens in found.items() if tokens > BAR} == {}
