"""A clerk who has the request and the served pages alone does the tasks of the airline desk."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from functools import cache
from itertools import groupby
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from evaluators.scoring.context import ScoringContext
from evaluators.scoring.score import Score
from scenarios import registry
from scenarios.scenario import Scenario
from sites.crm import create_app
from sites.crm.airline_desk.model.airline import KEYS, airlines
from sites.crm.base.clock import TODAY
from sites.world import Worlds
from tests.between import shared
from tests.drawing import drawn
from tests.each import for_each
from tests.measuring import DEEP
from tests.scenarios.crm.airline_desk import clerks, request_reader
from tests.scenarios.crm.airline_desk.clerk import BRANDS, Clerk, Unreadable, called
from tests.scenarios.crm.airline_desk.request_reader import NotUnderstood, Person, Reader
from tests.sites.crm.airline_desk.served import Page, Visitor

DATA = registry.site_data("crm")
SALES = ("airline_search", "book_party", "cheapest_fit")
FAMILIES = (*SALES, *clerks.FAMILIES)
SEEDS = range(9)
"""Three of each airline; any three in a row are of all of them."""
FEW = (0, 1, 2, 4)
"""Those that others draw too; the last is in held-out words."""
DEEP_SEEDS = range(50)
READ = range(200 if DEEP else 6)
IN_TURN = [(family, FEW[place % len(FEW)]) for place, family in enumerate(FAMILIES)]
CASES = [
    (family, seed)
    for family in FAMILIES
    for seed in SEEDS
    if DEEP or seed in SEEDS[:3] or (family, seed) in IN_TURN
]
"""Each family on three seeds, one of each airline."""
CUTS = {
    "airports": "//script[@id='front']",
    "today": "//*[@id='today']",
    "ages": "//*[contains(@id, '-hint')]",
    "offers": "//*[contains(@class, 'what')] | //table[contains(@class, 'grid')]//th[@scope='row']",
    "rules": "//section[contains(@class, 'text')]",
    "seat map": "//section[contains(@class, 'seatmap')]//tbody",
    "total": "//section[contains(@class, 'facts')]",
    "tables": "//main//table",
    "leads": "//main//p[contains(@class, 'lead')]",
    "mails": "//section[contains(@class, 'thread')]",
    "articles": "//section[contains(@class, 'passage')]",
}
"""What can be taken out of the pages."""
NEEDED = {
    "airline_search": ("airports", "today", "ages"),
    "book_party": ("airports", "today", "ages", "offers", "seat map", "total"),
    "cheapest_fit": ("airports", "today", "ages", "offers", "rules", "total"),
    **{each: clerks.module(each).NEEDED for each in clerks.FAMILIES},
}
ON_ONE_AIRLINE = [(family, airline) for family in FAMILIES for airline in KEYS]
"""Each family on each airline, with `tox -e deep`."""


def some(place: int, parts: Sequence[Any], number: int) -> Sequence[Any]:
    """So many of the parts that a family needs, others in the next one."""
    return [parts[(place + each) % len(parts)] for each in range(number)]


TAKEN_OUT = [
    (f"{family}.{airline}", 0, NEEDED[family]) for family, airline in ON_ONE_AIRLINE if DEEP
] or [
    (family, seed, some(place, NEEDED[family], 2)) for place, (family, seed) in enumerate(IN_TURN)
]
"""Scenarios, and the parts of their pages that are taken out."""

pytestmark = pytest.mark.usefixtures("unmeasured")


TICKETS = {
    "ticket_refund": 10,
    "ticket_third_party": 1,
    "ticket_change": 1,
    "ticket_bags": 5,
    "ticket_vouchers": 0,
    "ticket_disruption": 3,
    "ticket_name": 4,
    "ticket_children": 5,
    "shift_queue": 0,
    "audit_yesterday": 0,
}
"""A seed of each family of tickets at which something is done, most of them in part."""
EACH = 1 if DEEP else 20
"""Of the articles, and of the pages of a queue, so manieth ones are taken out one at a time."""
CONTENTS = "//main//section"
"""All that a page says."""


class Blindfolded(Visitor):
    """Somebody who does not see a part of the pages, of one at this address where there is one;
    `missed` counts what was taken out."""

    cut, address, missed = "", "", 0

    def _show(self, answer: TestResponse) -> Page:
        page = super()._show(answer)
        is_there = self.address in ("", page.address)
        for each in page.tree.xpath(self.cut) if self.cut and is_there else []:
            each.drop_tree()
            self.missed += 1
        return page


@cache
def application() -> tuple[Flask, Worlds]:
    worlds = Worlds()
    return create_app(DATA, worlds), worlds


def episode(scenario: Scenario, cut: str = "", address: str = "") -> tuple[Score, Blindfolded]:
    """What the clerk makes of a scenario."""
    family = registry.family(scenario.family)
    world = family.world(scenario)
    airline = airlines()[scenario.details["airline"]]
    visitor = Blindfolded(*application(), world, airline)
    visitor.cut, visitor.address = cut, address
    answer = ""
    try:
        answer = Clerk(visitor).work(scenario.family.partition(".")[0], scenario.instruction)
    except (Unreadable, NotUnderstood):
        if not cut:
            raise
    return ScoringContext.of(scenario, family).score(world.snapshot(), answer), visitor


def seen_whole(family: str, seed: int) -> Score:
    """How a clerk ends who sees all of the pages; in a run of the tests there is one."""
    score: Score = shared("clerk", (family, seed), lambda: episode(drawn(family, seed))[0])
    return score


@pytest.mark.wide
@pytest.mark.parametrize(("family", "seed"), CASES)
def test_the_pages_suffice(family: str, seed: int) -> None:
    score = seen_whole(family, seed)
    assert score.success, [each for each in score.checks if not each.held]
    assert score.progress == 1


@pytest.mark.deep
@pytest.mark.parametrize("airline", KEYS)
@pytest.mark.parametrize("family", FAMILIES if DEEP else FAMILIES[:1])
def test_the_pages_suffice_on_each_airline(family: str, airline: str) -> None:
    variant = registry.family(f"{family}.{airline}")
    missed = [seed for seed in DEEP_SEEDS if not episode(variant.generate(seed, DATA))[0].success]
    assert missed == []


def test_the_seeds_are_on_all_airlines_in_open_and_held_out_words() -> None:
    drawn = [registry.family(SALES[0]).generate(seed, DATA).details for seed in SEEDS]
    by_airline = groupby(sorted(each["airline"] for each in drawn))
    assert {name: len(list(each)) for name, each in by_airline} == dict.fromkeys(KEYS, 3)
    assert {each["phrasing"] for each in drawn} == {"open", "held-out"}


def test_each_part_is_taken_out_of_the_pages_of_some_family() -> None:
    assert {part for *_, parts in TAKEN_OUT for part in parts} == {*CUTS}


@pytest.mark.wide
@pytest.mark.parametrize(("family", "seed", "parts"), TAKEN_OUT)
def test_without_a_part_of_the_pages_it_cannot_be_done(
    family: str, seed: int, parts: Sequence[str]
) -> None:
    assert seen_whole(family, seed).success
    scenario = drawn(family, seed)
    for part in parts:
        score, visitor = episode(scenario, CUTS[part])
        assert visitor.missed, f"there is no {part} on the pages"
        assert not score.success, part


@pytest.mark.parametrize("family", TICKETS)
def test_without_a_page_that_decides_a_ticket_it_cannot_be_done(family: str) -> None:
    """Ticket, booking, who is checked in, flights with escorts of others, and the articles by which
    it is decided, one at a time; one of them, another in the next family, in the normal run."""
    scenario = drawn(family, TICKETS[family])
    airline = airlines()[scenario.details["airline"]]
    pages = decisive(scenario)
    for page in pages if DEEP else some([*TICKETS].index(family), pages, 1):
        score, visitor = episode(scenario, CONTENTS, airline.address(*page))
        assert visitor.missed, f"{page} was not opened"
        assert not score.success, page


def decisive(scenario: Scenario) -> list[tuple[str, ...]]:
    """Pages, each a screen with what it is about. How to work on a ticket a clerk knows by heart,
    but not how to work through a queue."""
    gold = scenario.gold
    if "pages" in gold:
        listed = [(screen, str(subject)) for screen, subject, *_ in gold["pages"]]
        return listed[::EACH]
    pages: list[tuple[str, ...]] = [("ticket", str(gold["ticket"]))]
    pages += [("booking", each) for each in _references(gold)]
    pages += [*_on_flights(gold)][::EACH]
    rules = [number for number, _ in gold["reading"] if not number.startswith("P")]
    return [*pages, *(("article", number) for number in rules[::EACH])]


def _on_flights(gold: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """The pages of the first check-in, and of the flights on which others have an escort."""
    if gold["rows"].get("checkins"):
        yield "checkin", gold["reference"], "1"
    escorts = gold["rows"].get("escorts", ())
    yield from dict.fromkeys(("flight", each["flight"], each["date"]) for each in escorts)


def _references(gold: Mapping[str, Any]) -> list[str]:
    """The bookings of a ticket; of many the last one, where few pages are taken out."""
    found: list[str] = gold["references"] if "references" in gold else [gold["reference"]]
    return found if DEEP or len(found) < EACH else found[-1:]


# One reading -------------------------------------------------------------------------------------


def slots(scenario: Scenario) -> dict[str, str]:
    """How requests call things on the airline of a scenario."""
    airline = airlines()[scenario.details["airline"]]
    brands = [airline.word(f"brand-{each}") for each in BRANDS]
    cities = {each.city for each in DATA.airports.values()}
    return request_reader.patterns(NAMES, cities, brands)


NAMES = called([(each.city, each.label) for each in DATA.airports.values()])


def code(name: str) -> str:
    return NAMES[name][-4:-1]


def people_of(party: Mapping[str, str]) -> set[Person]:
    """Those of a party's form."""
    numbers = {key.partition(".")[2] for key in party}
    fields = ("title", "first-name", "last-name", "gender", "born")
    return {Person(*(party[f"{field}.{number}"] for field in fields)) for number in numbers}


@pytest.fixture(scope="module")
def scenarios() -> dict[str, list[Scenario]]:
    return {name: [drawn(name, seed) for seed in READ] for name in SALES}


def test_a_party_is_read_as_it_was_meant(scenarios) -> None:
    for scenario in scenarios["book_party"]:
        found = request_reader.book_party(scenario.instruction, slots(scenario), TODAY)
        order = scenario.gold["order"]
        journey, search, party = found.journey, order["search"], order["party"]
        assert journey.home is not None
        assert (code(journey.origin), code(journey.destination)) == (search["from"], search["to"])
        assert journey.out.isoformat() == search["departure"]
        assert journey.home.isoformat() == search["return"]
        assert {*found.people} == people_of(party)
        firsts = {key.partition(".")[2]: name for key, name in party.items() if "first-name" in key}
        assert found.laps == {
            firsts[key.partition(".")[2]]: firsts[adult]
            for key, adult in party.items()
            if key.startswith("lap")
        }
        assert {
            f"bags-{way}.{number}": str(pieces)
            for (name, way), pieces in found.bags.items()
            for number, first in firsts.items()
            if first == name
        } == order["bags"]
        assert found.card == order["card"]
        airline = airlines()[scenario.details["airline"]]
        assert found.brands == {
            way: airline.word(f"brand-{each.partition('/')[2]}")
            for way, each in order["offers"].items()
        }


def test_a_search_is_read_as_it_was_meant(scenarios) -> None:
    for scenario in scenarios["airline_search"]:
        found = request_reader.airline_search(scenario.instruction, slots(scenario), TODAY)
        journey, search = found.journey, scenario.gold["order"]["search"]
        assert (code(journey.origin), code(journey.destination)) == (search["from"], search["to"])
        assert journey.out.isoformat() == search["departure"]
        assert (journey.home.isoformat() if journey.home else "") == search["return"]
        adults = found.grown + sum(age >= 12 for age in found.ages)
        infants = sum(age < 2 for age in found.ages)
        counts = (adults, found.grown + len(found.ages) - adults - infants, infants)
        assert counts == tuple(int(search[each]) for each in ("adults", "children", "infants"))


def test_a_choice_is_read_as_it_was_meant(scenarios) -> None:
    for scenario in scenarios["cheapest_fit"]:
        found = request_reader.cheapest_fit(scenario.instruction, slots(scenario), TODAY)
        gold = scenario.gold
        search = gold["order"]["search"]
        assert [each.isoformat() for each in found.days] == gold["days"]
        assert (code(found.origin), code(found.destination)) == (search["from"], search["to"])
        assert {*found.people} == people_of(gold["order"]["party"])
        assert found.card == gold["order"]["card"]
        wanted = {each["kind"]: each["value"] or "" for each in gold["conditions"]}
        wanted |= {"limit": gold["limit"]} if gold["limit"] else {}
        conditions = dict(found.conditions)
        if "avoid" in conditions:
            conditions["avoid"] = code(str(conditions["avoid"]))
        assert conditions == wanted


@for_each(
    ("text", "out", "meant"),
    [
        ("on 14 January", None, "2027-01-14"),
        ("on 15 January", None, "2026-01-15"),
        ("on the fourth Thursday in April", None, "2026-04-23"),
        ("On the last Friday in May", None, "2026-05-29"),
        ("ten days later", "2026-04-23", "2026-05-03"),
        ("exactly two weeks later", "2026-04-23", "2026-05-07"),
        ("on the second Thursday after that", "2026-04-23", "2026-05-07"),
        ("on the second Friday after that", "2026-04-23", "2026-05-01"),
        ("on the Monday of the week after", "2026-04-23", "2026-04-27"),
        ("on the Saturday of the week after", "2026-04-20", "2026-05-02"),
    ],
)
def test_days_are_counted_by_the_calendar(text: str, out: str | None, meant: str) -> None:
    start = date.fromisoformat(out) if out else None
    assert request_reader.day(text, TODAY, start).isoformat() == meant


def test_words_that_nobody_wrote_are_not_understood() -> None:
    scenario = drawn("book_party", 0)
    for changed in (f"{scenario.instruction} Hurry.", scenario.instruction.replace("No ", "Any ")):
        with pytest.raises(NotUnderstood):
            request_reader.book_party(changed, slots(scenario), TODAY)
    assert Reader("book_party", slots(scenario), "Hello.").find("ask") is None
