"""Pages whose record is computed from what the visitor asks for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from sites._kit.bases import Bases
from sites._kit.declare import Computed, Field, Invalid, Link, Page
from sites.kit import BadDeclaration, Map, Place, check, create_app
from sites.site_app import COOKIE
from sites.world import Row, World, Worlds
from tests.sites.kit import library
from tests.sites.kit.visitor import Visitor


def nearest(world: World, asked: Row) -> Iterator[Row]:
    """Yield the book whose title begins with what is asked for."""
    if not asked["begins"]:
        yield {"begins": "", "after": ""}
        return
    titles = [row["title"] for row in world.read("SELECT title FROM books ORDER BY id")]
    found = [each for each in titles if each.startswith(asked["begins"])]
    if not found:
        raise Invalid(begins="No book begins so.")
    yield {"begins": found[0], "after": titles[titles.index(found[0]) + 1]}


LOOKUP = Page(
    "lookup",
    "/lookup",
    Computed(nearest, ("begins", "after")),
    links=(Link("lookup", "onward", using={"begins": "after"}),),
    asks=(Field("begins", most=20),),
)
WORDS = library.WORDS | {
    "lookup": "Look up", "begins": "Begins with", "onward": "After {begins}: {after}",
    "title_lookup": "Look up {begins}",
}  # fmt: skip
SITE = replace(
    library.SITE,
    pages=(*library.SITE.pages, LOOKUP),
    skins=tuple(replace(each, words=WORDS) for each in library.SITE.skins),
)


@pytest.fixture
def visitor(tmp_path: Path) -> Iterator[Visitor]:
    worlds = Worlds()
    app = create_app(SITE, tmp_path, worlds)
    with library.world() as world:
        client = app.test_client()
        client.set_cookie(COOKIE, worlds.admit(world))
        yield Visitor(client)


def test_two_spellings_open_the_same_address(visitor):
    for spelled in ("Volume+1", "Volume+10"):
        visitor.open(f"/lookup?begins={spelled}")
        assert (visitor.status, visitor.url) == (200, "/lookup?begins=Volume+10")
        assert "Look up Volume 10" in visitor.text
        assert visitor.page.xpath("//input[@name='begins']/@value") == ["Volume 10"]


def test_what_cannot_be_computed_is_said_at_its_field(visitor):
    visitor.open("/lookup?begins=Nobody")
    assert visitor.status == 400
    assert visitor.alerts() == ["No book begins so."]
    assert visitor.page.xpath("//input[@name='begins']/@value") == ["Nobody"]
    visitor.open("/lookup?begins=" + "x" * 10_000)
    assert visitor.status == 400 and len(visitor.alerts()) == 1


def test_nothing_is_asked_for_at_first(visitor):
    visitor.open("/lookup")
    assert visitor.status == 200 and visitor.alerts() == []


def test_a_link_may_fill_in_what_a_page_asks_for(visitor):
    visitor.open("/lookup?begins=Volume 1")
    assert visitor.links()["After Volume 10: Volume 11"] == "/lookup?begins=Volume+11"
    with library.world() as world:
        found = Map(SITE, world)
        place = Place.of("lookup", {"begins": "Volume 10"})
        assert ("After Volume 10: Volume 11", Place.of("lookup", {"begins": "Volume 11"})) in [
            *found.links(place)
        ]
        assert found.computed_place(Place.of("lookup", {"begins": "Volume 1"})) == place
        assert found.computed_place(Place.of("home", {})) == Place.of("home", {})


def test_a_link_that_fills_in_an_unknown_column_is_refused():
    wrong = replace(LOOKUP, links=(Link("lookup", "onward", using={"begins": "nobody"}),))
    with pytest.raises(BadDeclaration, match="needs nobody, which is no column here"):
        check(replace(SITE, pages=(*library.SITE.pages, wrong)))


def test_sites_with_one_seed_begin_with_the_same_draws():
    drawn = []

    def draw(rng, size):
        drawn.append(rng.random())
        return {}

    for name, seed in (("one", "shared"), ("two", "shared"), ("two", "")):
        site = replace(SITE, name=name)
        with Bases(site, draw, (), seed=seed).base("small", 1):
            pass
    assert drawn[0] == drawn[1] != drawn[2]
