"""A draw gives the same rows with every version of SQLite and every index."""

from __future__ import annotations

from random import Random

import pytest

from scenarios import registry
from scenarios.kit import Draw
from sites.kit import Map
from sites.world import World
from tests.scenarios.kit.playing import site

pytestmark = pytest.mark.usefixtures("unmeasured")
QUERY = "SELECT name, biography FROM users"


def mapped(world: World) -> Map:
    world.about = {"me": "nobody", "skin": "harbor"}
    return Map(site(), world)


def test_a_draw_does_not_depend_on_the_indexes_of_a_table():
    def drawn() -> list[str]:
        draw = Draw(Random("draw"), world, "nobody", mapped(world))
        return [draw.pick(QUERY).name for _ in range(20)]

    with registry.site_data("forum").base("small", 0).fork() as world:
        found, rows = drawn(), world.read(QUERY)
        world.write("CREATE INDEX by_text ON users (biography DESC, name DESC)")
        assert world.read(QUERY) != rows
        assert drawn() == found


def test_rows_of_an_ordered_query_keep_their_order():
    with registry.site_data("forum").base("small", 0).fork() as world:
        draw = Draw(Random("draw"), world, "nobody", mapped(world))
        names = [row.name for row in draw.all(f"{QUERY} ORDER BY name DESC")]
        assert names == sorted(names, reverse=True)


def test_a_missing_value_comes_first():
    with registry.site_data("forum").base("small", 0).fork() as world:
        world.write("UPDATE users SET biography = NULL WHERE name = (SELECT max(name) FROM users)")
        draw = Draw(Random("draw"), world, "nobody", mapped(world))
        assert draw.all("SELECT biography FROM users")[0].biography is None
