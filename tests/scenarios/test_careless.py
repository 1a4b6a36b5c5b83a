"""Pages that are careless (another order, fields filled in) or foreign: the same end is right."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from flask import Flask, g

from agent.plugins import UnknownName
from scenarios import dials as profiles
from scenarios import registry
from scenarios.crm.airline_desk import desk
from sites import careless, dials
from sites.crm.airline_desk.app import create_airline_desk
from sites.crm.airline_desk.model.airline import airlines
from sites.crm.airline_desk.operations import selling
from sites.crm.airline_desk.pages.screen import Link
from sites.dials import Dials
from sites.site_app import COOKIE
from sites.store.market.goods.facets import SORTS
from sites.world import World, Worlds
from tests.measuring import DEEP
from tests.scenarios.test_dials import Visit
from tests.scenarios.with_dials import ends_as_without

CARELESS = sorted(
    name
    for name, made in registry.family_modules().items()
    if profiles.takes(made) and "careless" in profiles.profiles_of(made, name)
)
FEW = ("book_party", "find_by_name", "ledger_sum", "two_shops_cheapest")
"""The families whose ends are looked at on careless pages in every run; with `tox -e deep` all."""
ACTED = FEW[::3]
"""Those whose expert acts there: one at the desk, one in the shops."""


class Controls(HTMLParser):
    """The fields of a page with what stands in them, in their order."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.held: dict[str, str] = {}
        self._list = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "select":
            self._list = given["name"]
            self.held.setdefault(self._list, "")
        elif tag == "option" and "selected" in given:
            self.held[self._list] = given["value"]
        elif tag == "input" and given.get("type") in ("radio", "checkbox"):
            key = f"{given['name']} {given['value']}"
            self.held[key] = "checked" if "checked" in given else ""
        elif tag == "input" and given.get("type") != "hidden" and "name" in given:
            self.held[given["name"]] = given["value"]


class DeskVisit:
    """A visit of the first sale of `book_party` with these dials."""

    def __init__(self, **set_dials: int) -> None:
        family, self.data = registry.family("book_party"), registry.site_data("crm")
        self.scenario = family.generate(0, self.data)
        self.order = desk.order_of(self.scenario)
        self.world: World = family.world(self.scenario)
        dials.equip(self.world, Dials(**set_dials).to_json())
        worlds = Worlds()
        self.client = create_airline_desk(self.data, worlds).test_client()
        self.client.set_cookie(COOKIE, worlds.admit(self.world))

    def held(self, address: str) -> dict[str, str]:
        return Controls(self.client.get(address).get_data(as_text=True)).held


def test_parts_are_shuffled_the_same_way_twice_and_those_that_look_alike_stay_in_turn():
    links = [Link(str(at), "Seat" if at % 3 else f"Way {at}", "") for at in range(9)]
    world = World("", "one")
    dials.equip(world, Dials(order=7).to_json())
    with Flask(__name__).app_context():
        assert careless.shuffled(links, "ways") == links, "there is no world"
        g.world = World("", "plain")
        assert careless.shuffled(links, "ways") == links, "it has no dials"
        g.world = world
        shuffled = careless.shuffled(links, "ways", "label")
        assert careless.shuffled(links, "ways", "label") == shuffled != links
        assert careless.shuffled(links, "others", "label") != shuffled
    assert sorted(shuffled, key=links.index) == links
    assert [each for each in shuffled if each.label == "Seat"] == [
        each for each in links if each.label == "Seat"
    ]


def test_a_shop_sorts_otherwise_until_somebody_sorts():
    visit, plain = Visit(order=3), Visit()
    name = f"/search_results/{visit.world.session}/%5B%22monitors%22%5D/1?kind=monitors"
    labels = [label for label, _ in SORTS.values()]
    chosen = [label for label in labels if f"<strong>{label}</strong>" in visit.get(name)]
    assert chosen and chosen != labels[:1]
    assert not any(f"<strong>{label}</strong>" in plain.get(name) for label in labels)
    assert f"<strong>{labels[0]}</strong>" in visit.get(f"{name}&sort=price-up")


def test_a_list_that_leaves_something_out_begins_with_what_fits_best():
    words = "%5B%22water%22%2C%22lamp%22%2C%22monitors%22%5D"
    pages = [
        visit.get(f"/search_results/{visit.world.session}/{words}/1")
        for visit in (Visit(), Visit(order=3))
    ]
    usual, listed = (re.findall('product-title">([^<]*)', page) for page in pages)
    assert "The list ends after the best 200" in pages[1]
    assert usual == listed != []


def test_a_shop_fills_in_two_pieces_and_ticks_every_extra():
    for preset, pieces, extras in ((0, "1", None), (5, "2", "checked")):
        visit = Visit(preset=preset)
        asin = visit.scenario.gold["wanted"]["lines"][0][0]
        item = f"/item_page/{visit.world.session}/{asin}/%5B%5D/1/%7B%7D"
        assert Controls(visit.get(item)).held["quantity"] == pieces
        csrf = re.findall(r'name="csrf" value="([^"]*)"', visit.get(item))[0]
        visit.client.post(
            f"/cart/{visit.world.session}/{asin}/%7B%7D", data={"csrf": csrf, "quantity": "1"}
        )
        held = Controls(visit.get(f"/checkout/{visit.world.session}/extras")).held
        ticked = {held[key] for key in held if key.startswith("extra ")}
        assert extras is None or ticked == {extras}


def test_a_desk_fills_in_what_must_be_chosen_and_shows_what_was_saved():
    plain, visit = DeskVisit(), DeskVisit(preset=4)
    search = "/sales"
    assert visit.held(search).keys() == plain.held(search).keys()
    assert visit.held(search) != plain.held(search)
    trip = desk.search(visit.world, visit.data, visit.order.search)
    for direction in visit.order.offers:
        offer = {"offer": visit.order.offers[direction]}
        selling.choose(visit.world, visit.data, trip.number, direction, offer)
    party = f"/sales/{trip.number}/passengers"
    assert "" not in [each for key, each in visit.held(party).items() if "title" in key]
    selling.save_party(visit.world, trip.number, visit.order.party)
    saved = visit.held(party)
    assert visit.order.party["gender.2"] in [saved[key] for key in saved if "gender" in key]
    bags = f"/sales/{trip.number}/bags"
    assert set(visit.held(bags).values()) != {"0"}
    selling.save_bags(visit.world, trip.number, dict.fromkeys(visit.order.bags, "0"))
    assert set(visit.held(bags).values()) == {"0"}


def test_a_desk_shuffles_fields_and_menus_and_loses_none():
    plain, visit = DeskVisit(), DeskVisit(order=9)
    usual, shuffled = plain.held("/sales"), visit.held("/sales")
    assert usual == shuffled and [*usual] != [*shuffled]


@pytest.mark.parametrize(("places", "day"), [(0, "15 Jan 2026"), (1, "01/15"), (2, "15/01")])
def test_a_desk_writes_and_reads_days_as_another_airline_does(places, day):
    visit = DeskVisit(formats=places)
    page = visit.client.get("/sales").get_data(as_text=True)
    airline = desk.airline(visit.scenario).in_formats(places)
    assert day in page and airline.word("date-form") in page and airline.key == "contrail"
    assert airline.formats.read_day(airline.formats.day("2026-03-04")) == "2026-03-04"


@pytest.mark.wide
def test_foreign_formats_are_never_the_airlines_own(harness, tmp_path):
    """The expert reads and writes them; with `tox -e deep` on all airlines, both ways."""
    family = registry.family("airline_search.foreign")
    for seed in range(12):
        scenario = family.generate(seed, registry.site_data("crm"))
        own = airlines()[scenario.details["airline"]]
        assert desk.airline(scenario).formats != own.formats
    for name in profiles.SALES if DEEP else profiles.SALES[:1]:
        for seed in range(12 if DEEP else 2):
            harness.expert_succeeds(f"crm/{name}.foreign/{seed}", tmp_path)


@pytest.mark.parametrize("name", CARELESS if DEEP else FEW)
def test_the_ends_of_a_family_are_the_same_on_careless_pages(name):
    for seed in range(5 if DEEP else 1):
        ends_as_without(f"{name}.careless", seed)


@pytest.mark.wide
def test_the_expert_is_not_misled_by_careless_pages(harness, tmp_path):
    for name in CARELESS if DEEP else ACTED:
        for seed in range(5 if DEEP else 1):
            site = registry.family(name).SITE
            harness.expert_succeeds(f"{site}/{name}.careless/{seed}", tmp_path)


def test_a_family_whose_pages_cannot_be_careless_has_no_such_variant():
    with pytest.raises(UnknownName, match="no variant of buy_item 'careless'"):
        registry.family("buy_item.careless")
