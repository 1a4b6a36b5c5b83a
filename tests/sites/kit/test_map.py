"""What a map says of the way is what the pages show."""

from __future__ import annotations

from contextlib import ExitStack
from random import Random

import pytest

from sites import forum as forum_package
from sites.forum import SITE as FORUM
from sites.forum import load_data
from sites.kit import GONE, Map, Place, changes
from sites.site_app import COOKIE
from sites.world import World, Worlds
from tests.sites.kit import library
from tests.sites.kit.library import SITE, put_away


def places(found: Map, count: int) -> list[Place]:
    """Places that a visitor reaches from home by random links."""
    rng, place, reached = Random(0), Place.of(found.site.home, {}), []
    for _ in range(count):
        reached.append(place)
        place = rng.choice([to for _, to in found.links(place)])
    return reached


@pytest.mark.parametrize("skin", ["plain", "grid"])
def test_an_address_is_read_as_it_is_written(skin):
    with library.world(skin) as world:
        found = Map(SITE, world)
        for place in places(found, 60):
            assert found.place(found.url(place)) == place


@pytest.mark.parametrize("skin", ["plain", "grid"])
def test_pages_show_the_declared_links(visit, skin):
    page, world = visit(skin=skin)
    found = Map(SITE, world)
    for place in places(found, 40):
        page.open(found.url(place))
        assert page.status == 200
        assert page.links().items() >= {(label, found.url(to)) for label, to in found.links(place)}


def forum(skin: str) -> World:
    world = load_data().base("small", 0).fork()
    world.about = {"me": world.read(FORUM.personas)[0]["name"], "skin": skin}
    return world


@pytest.mark.parametrize("skin", [each.name for each in FORUM.skins])
def test_a_rank_asked_of_sql_is_the_place_in_the_whole_list(skin):
    with forum(skin) as world:
        found = Map(FORUM, world)
        page, record = FORUM.page["home"], {"me": found.me}
        for sort in FORUM.page["home"].listing.sorts:
            place = found.usual(Place.of("home", {"sort": sort}))
            query = found.query(place, record)
            rows = world.read(f"{query.sql} ORDER BY {query.order}", query.values)
            for at in (0, 1, 77, len(rows) - 1):
                assert query.rank(world, rows[at]) == at
                there = place.but(page=at // found.size(page) + 1)
                shown = found.shown(found.usual(there), record)
                assert rows[at]["id"] in [each["id"] for each in shown.rows]


def test_an_order_with_empty_values_and_brackets_ranks_right(world):
    world.write("UPDATE books SET state = NULL WHERE id IN (4, 9)")
    world.write("UPDATE books SET state = 'b' WHERE id = 6")
    for order in (
        "state, id",
        "state DESC, id DESC",
        "coalesce(state, 'z') DESC, id",
        "min(id, 5), id",
    ):
        query = Map(SITE, world).query(Place.of("home", {}), {"me": "Ada"})
        asked = type(query)(query.sql, query.values, order, ("id",))
        rows = world.read(f"{query.sql} ORDER BY {order}", query.values)
        assert [asked.rank(world, row) for row in rows] == [*range(len(rows))]


def test_a_row_that_a_filter_leaves_out_has_no_rank(world):
    found = Map(SITE, world)
    query = found.query(Place.of("home", {"shelf": "Art"}), {"me": "Ada"})
    assert query.rank(world, {"book": 1}) is None
    assert query.rank(world, {"book": 3}) == 0


@pytest.mark.parametrize("skin", ["plain", "grid"])
def test_distances_are_those_of_a_search_forwards(skin):
    with library.world(skin) as world:
        found = Map(SITE, world)
        target = Place.of("book", {"book": 25})
        ways = found.ways([target])
        assert ways[target] == 0
        assert len(ways) > 3
        for place, far in ways.items():
            nearest = min((ways[to] for _, to in found.links(place) if to in ways), default=None)
            asked = [ways[to] for to in found.queries(place, ways)]
            assert far == 0 or min([nearest, *asked]) < far


def test_ways_to_a_thread_of_the_forum_are_real():
    with ExitStack() as owned:
        world = owned.enter_context(forum(FORUM.skins[0].name))
        found = Map(FORUM, world)
        post = world.read("SELECT forum, id, slug FROM submissions ORDER BY id LIMIT 1")[0]
        ways = found.ways([Place.of("thread", post)])
        near = [place for place, far in ways.items() if far == 1]
        assert near
        for place in near:
            assert Place.of("thread", post) in [to for _, to in found.links(place)]


# Pages that are computed


def test_a_computed_page_takes_its_arguments_from_the_address(visit):
    page, world = visit("/report")
    page.press("Show", most="9000")
    assert (page.status, page.url) == (200, "/report")
    cheap = world.read("SELECT count(*) AS n FROM books WHERE cents <= 9000")[0]["n"]
    page.open("/report?most=9000")
    assert page.page.xpath("//p[@class='n']")[0].text == str(cheap)
    opened = world.read("SELECT args FROM log_pages ORDER BY id DESC LIMIT 1")
    assert opened == [{"args": '{"most": "9000"}'}]


@pytest.mark.parametrize("text", ["cheap", "-1", "9" * 400])
def test_a_wrong_argument_of_a_computed_page_is_one_sentence(visit, text):
    page, world = visit("/report")
    page.open(f"/report?most={text}")
    assert page.status == 400
    assert len(page.alerts()) == 1
    assert world.fault == ""


def test_a_computed_list_is_sorted_and_its_rows_are_found(world):
    found = Map(SITE, world)
    place = Place.of("report", {"most": "9500"})
    counted = {"Art": 0, "Bees": 0, "Chess": 0}
    for row in world.read("SELECT shelf FROM books WHERE cents <= 9500"):
        counted[row["shelf"]] += 1
    by_name = found.shown(place.but(sort="name"), found.record(place))
    assert [(row["shelf"], row["n"]) for row in by_name.rows] == sorted(counted.items())
    first = found.shown(place, found.record(place)).rows[0]
    assert first["n"] == max(counted.values())
    assert found.things(place)[1:] == [f"shelf {row['shelf']}" for row in found.shown(
        place, found.record(place)).rows]  # fmt: skip


# Bad addresses


@pytest.mark.parametrize(
    "url",
    [
        "/?page=0", "/?page=-1", "/?page=x", "/?page=²", "/?page=99999999999999999999",
        "/?sort=new", "/book/999", "/book/x", "/book/3%00", "/nowhere", "/shelf/%2541",
    ],
)  # fmt: skip
def test_an_address_that_is_not_there_is_a_clear_page(visit, url):
    page, world = visit(url)
    assert page.status == 404
    assert len(page.alerts()) == 1
    assert world.fault == ""
    assert "Books" in page.links()


@pytest.mark.parametrize("url", ["/?q=%25", "/?q='", "/?shelf='", "/?page=99", "/?q=" + "x" * 5000])
def test_a_search_for_anything_is_a_page(visit, url):
    page, world = visit(url)
    assert page.status == 200
    assert world.fault == ""


def test_a_search_takes_no_character_for_a_pattern(visit):
    page, _ = visit("/?q=_")
    assert "0 books" in page.text
    page.open("/?q=volume 0")
    assert "9 books" in page.text


@pytest.mark.parametrize("name", ["5%41", "a b?c=d&e", "Ü#1", "x'y\"z", "<b>"])
def test_a_key_of_any_letters_has_an_address(visit, name):
    page, world = visit()
    world.write("INSERT INTO shelves VALUES (?)", (name,))
    found = Map(SITE, world)
    page.open(found.url(Place.of("shelf", {"shelf": name})))
    assert page.status == 200
    assert page.page.xpath("//h1")[0].text == name


def test_a_page_has_one_address():
    """The words of a title in an address are no decoration: other words are no page."""
    worlds = Worlds()
    client = forum_package.create_app(load_data(), worlds).test_client()
    with forum(FORUM.skins[0].name) as world:
        client.set_cookie(COOKIE, worlds.admit(world))
        post = world.read("SELECT forum, id, slug FROM submissions WHERE kind = 'text'")[0]
        found = Map(FORUM, world)
        assert client.get(found.url(Place.of("thread", post))).status_code == 200
        other = {**post, "slug": "other-words"}
        assert client.get(found.url(Place.of("thread", other))).status_code == 404


def test_a_list_that_became_shorter_is_shown_at_its_new_last_page(world):
    found, place = Map(SITE, world), Place.of("home", {"page": 3})
    world.write("DELETE FROM books WHERE id > 20")
    form = SITE.page["home"].listing.mass
    assert found.follows(place, form, put_away(["1"], "away"), None) == place.but(page=2)


def test_a_row_that_was_made_and_deleted_is_no_change(world):
    world.write("INSERT INTO shelves VALUES ('Dust')")
    world.write("DELETE FROM shelves WHERE name = 'Dust'")
    world.write("DELETE FROM shelves WHERE name = 'Art'")
    assert changes(SITE, world.read("SELECT * FROM log_change")) == [("shelves", "Art", GONE, None)]
