"""What needs no browser: the search engine, worlds, a page over HTTP."""

from __future__ import annotations

import http.client
import itertools
import sqlite3
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from benchmarks.measuring import Effort, Row, alternate, compared
from sites.crm.base import world as crm
from sites.crm.base.records import Booking, Leg, Passenger
from sites.crm.published_desk import operations
from sites.server import HOST, Server
from sites.store import StoreData, create_app, load_data, new_world
from sites.store.catalogue.product import Product
from sites.store.catalogue.search import LIMIT
from sites.store.catalogue.search import document as searchable
from sites.store.shop.world import SCHEMA
from sites.world import World, Worlds

if TYPE_CHECKING:
    from flask import Flask

SESSION = "benchmark"
INSTRUCTION = "I need a pair of quiet headphones that fold, and price lower than 60.00 dollars"


async def search(quick: bool) -> list[Row]:
    """The best fifty of 100,000 products."""
    size = 10_000 if quick else 100_000
    data = load_data(size)
    ours_next, naive_next = (itertools.cycle(_queries(data, 600)) for _ in range(2))
    with _full_text(data.catalogue) as database:

        def ours() -> None:
            data.search.search(next(ours_next))

        def naive() -> None:
            words = " OR ".join(f'"{word}"' for word in next(naive_next).split())
            database.execute(FULL_TEXT_QUERY, (words, LIMIT)).fetchall()

        effort = Effort(4 if quick else 12, 50, warm=5, naive_calls=5)
        mine, other = await alternate(effort, ours, naive)
    data.close()
    name, note = f"top 50 of {size:,} products", "naive: SQLite FTS5, OR query"
    return [
        compared(f"{name}, p50", (mine, other), None, note),
        Row(f"{name}, p95", "ms", mine.percentile(95), other.percentile(95), 3, note=note),
    ]


FULL_TEXT_QUERY = "SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY rank LIMIT ?"


@contextmanager
def _full_text(products: Any) -> Iterator[sqlite3.Connection]:
    """The products' texts in SQLite's own full text index."""
    with tempfile.TemporaryDirectory() as folder:
        database = sqlite3.connect(Path(folder, "texts.sqlite"))
        database.execute("CREATE VIRTUAL TABLE texts USING fts5(text, content='')")
        rows = ((place, searchable(product)) for place, product in enumerate(products))
        database.executemany("INSERT INTO texts (rowid, text) VALUES (?, ?)", rows)
        database.commit()
        yield database
        database.close()


def _queries(data: StoreData, count: int) -> list[str]:
    """Four to nine words of a product, as a shopper would remember it."""
    rng = Random("queries")
    asins = data.catalogue.at([rng.randrange(len(data.catalogue)) for _ in range(count)])
    return [_words(product, rng) for product in map(data.catalogue.get, asins) if product]


def _words(product: Product, rng: Random) -> str:
    words = [word for word in searchable(product).split() if word.isalnum()]
    return " ".join(rng.sample(words, min(len(words), rng.randint(4, 9))))


async def fork(quick: bool) -> list[Row]:
    """A fresh copy of a start world with a few rows."""
    effort = Effort(3 if quick else 10, 100, warm=20)
    rows = []
    for name, start, schema in (("store", _visited(), SCHEMA), ("CRM", _booked(), crm.SCHEMA)):
        timings = await alternate(effort, start.fork, partial(_anew, schema, start.snapshot()))
        note = "naive: the schema and the rows again"
        rows.append(compared(f"world fork, {name}", timings, 1, note))
    return rows


def _visited() -> World:
    world = new_world(SESSION, INSTRUCTION)
    for number in range(5):
        world.write("INSERT INTO log_pages (page, number) VALUES ('results', ?)", (number,))
        world.write("INSERT INTO log_queries (query, page, hits) VALUES ('bands', ?, '[]')", (1,))
    world.write("INSERT INTO purchases (asin, options, price) VALUES ('B0', '{}', 9.5)")
    return world


def _booked() -> World:
    """Twenty bookings, and a search in the journal."""
    passenger = Passenger("Ms", "Ann", "Lee", "Female", "1980-05-03")
    leg = Leg("LW2374", "2026-03-04")
    world = crm.new_world(SESSION)
    for number in range(20):
        made = Booking(f"REF{number:03}", "confirmed", passenger, leg, None, 184, "1111")
        crm.add_booking(world, made)
    trip = {"from": "LHR", "to": "JFK", "trip-type": "one-way", "departure": "2026-03-04"}
    operations.search_flights(world, crm.load_data(), trip)
    return world


def _anew(schema: str, snapshot: Mapping[str, list[dict[str, Any]]]) -> World:
    world = World(schema, SESSION)
    for name, rows in snapshot.items():
        for row in rows:
            marks = ", ".join("?" * len(row))
            world.write(f"INSERT INTO {name} VALUES ({marks})", tuple(row.values()))
    return world


async def page_served(quick: bool) -> list[Row]:
    """The store's first page over one connection after the other."""
    data, worlds = load_data(), Worlds()
    worlds.publish(new_world(SESSION, INSTRUCTION))
    app = create_app(data, worlds)
    with Server(app) as server, _development_server(app) as port:
        effort = Effort(4 if quick else 10, 50, warm=20)
        timings = await alternate(effort, _getter(server.port), _getter(port))
    data.close()
    return [compared("small page served", timings, 1, "naive: werkzeug's server, with threads")]


def _getter(port: int) -> Callable[[], None]:
    connection = http.client.HTTPConnection(HOST, port)

    def get() -> None:
        connection.request("GET", f"/{SESSION}")
        response = connection.getresponse()
        assert response.status == 200, response.status
        response.read()

    return get


@contextmanager
def _development_server(app: Flask) -> Iterator[int]:
    from werkzeug.serving import WSGIRequestHandler, make_server

    class Silent(WSGIRequestHandler):
        def log(self, *_: object) -> None:
            pass

    server = make_server(HOST, 0, app, threaded=True, request_handler=Silent)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
