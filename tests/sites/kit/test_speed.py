"""A page of a long list costs about as much as a page of a short one."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator
from contextlib import contextmanager

from sites.kit import Map, Place
from sites.world import World
from tests.sites.kit import library
from tests.sites.kit.library import SITE

ROUNDS = 15


@contextmanager
def statements(world: World) -> Iterator[list[str]]:
    """Collects the SQL statements that the world runs."""
    run: list[str] = []
    world._database.set_trace_callback(run.append)
    yield run
    world._database.set_trace_callback(None)


def test_the_number_of_statements_does_not_grow_with_the_rows(visit):
    counts = []
    for books in (2, 25):
        page, world = visit("/", books=books)
        with statements(world) as run:
            page.open("/")
        counts.append(len(run))
    assert counts[0] == counts[1] < 12


def test_columns_are_computed_for_the_rows_of_the_page_alone(world):
    """The inner query sorts keys; the expensive column is computed once for each shown row."""
    calls: list[int] = []
    world._database.create_function("dear", 1, lambda value: calls.append(value) or value)
    listing = SITE.page["home"].listing
    rows = f"SELECT b.*, dear(b.cents) AS worth FROM ({listing.rows}) b"
    query = Map(SITE, world).query(Place.of("home", {}), {"me": "Ada"})
    asked = type(query)(f"SELECT * FROM ({rows}) WHERE 1", {}, query.order, query.key)
    assert len(asked.page(world, 10, 2)) == 10
    assert len(calls) == 10


def test_a_rank_is_faster_than_the_list():
    with library.world(books=20_000) as world:
        query = Map(SITE, world).query(Place.of("home", {}), {"me": "Ada"})
        last = world.read("SELECT id, id AS book FROM books WHERE id = 19999")[0]

        def whole() -> int:
            rows = world.read(f"{query.sql} ORDER BY {query.order}", query.values)
            return [row["id"] for row in rows].index(last["id"])

        assert query.rank(world, last) == whole()
        assert processor(lambda: query.rank(world, last)) < processor(whole)


def processor(work) -> float:
    """The median of the processor seconds."""
    taken = []
    for _ in range(ROUNDS):
        start = time.thread_time()
        work()
        taken.append(time.thread_time() - start)
    return statistics.median(taken)
