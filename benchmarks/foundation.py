"""The foundation's figures beside the naive way: `python -m benchmarks.foundation [--quick]`.

Every row is measured in one run, ours and the naive way in turns. Nothing is asserted.
"""

from __future__ import annotations

import argparse
import asyncio
import http.client
import itertools
import json
import sqlite3
import sys
import tempfile
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from agent.browser import chromium
from agent.browser.lane import Lane
from agent.interface import Click, Observation
from agent.llm.cassette import Cassette, CassetteWriter
from agent.llm.client import Client, Endpoint
from agent.llm.completion import completion
from agent.llm.replay import Replay
from agent.llm.transports import Recording, Scripted
from agent.renderings import tree
from benchmarks.measuring import Effort, Row, Timing, alternate, compared, document, load, table
from evaluators import agents, casting
from evaluators.casting import Cast
from evaluators.episode import Job, Terms, run_episode
from evaluators.stage import Stage, open_stage
from sites.gate import COOKIE
from sites.server import HOST, Server
from sites.store import StoreData, create_app, load_data, new_world
from sites.store.address import Visit
from sites.store.product import Product
from sites.store.search import LIMIT
from sites.store.search import document as searchable
from sites.world import World, Worlds

if TYPE_CHECKING:
    from flask import Flask
    from playwright.async_api import Page

Rows = list[Row]
Benchmark = Callable[[bool], Awaitable[Rows]]
"""One block of the table; the argument says whether to be quick."""

SESSION = "benchmark"
INSTRUCTION = "I need a pair of quiet headphones that fold, and price lower than 60.00 dollars"

# In the browser --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Shop:
    """A store with a visit that both ways use, each with the cookie of its own episode."""

    stage: Stage

    @property
    def origin(self) -> str:
        return self.stage.sites["store"].origin

    def cookie(self) -> tuple[str, str]:
        return COOKIE, self.stage.sites["store"].worlds.admit(new_world(SESSION, INSTRUCTION))

    def item(self) -> str:
        """The page of a product with one option chosen; clicking that option does nothing."""
        product = next(each for each in self.stage.sites["store"].data.catalogue if each.options)
        kind, values = next(iter(product.options.items()))
        visit = Visit(SESSION, ("headphones",))
        return self.origin + visit.item(product.asin, {kind: values[0]})

    @asynccontextmanager
    async def naive_page(self) -> AsyncIterator[Page]:
        """A page in a new context, as a script without us would have it."""
        context = await self.stage.browser.chromium.new_context()
        name, value = self.cookie()
        await context.add_cookies([{"name": name, "value": value, "url": self.origin}])
        try:
            yield await context.new_page()
        finally:
            await context.close()


@asynccontextmanager
async def shop() -> AsyncIterator[Shop]:
    async with open_stage(["store"]) as stage:
        yield Shop(stage)


async def step(quick: bool) -> Rows:
    """A click that the page does not answer, and the page as text."""
    async with shop() as store, store.stage.lane() as lane, store.naive_page() as page:
        seen = await lane.open(store.item(), cookie=store.cookie())
        await page.goto(store.item())
        idle = _idle(seen)
        selector = f"#{idle.html_id}"

        async def ours() -> None:
            tree.render(await lane.act(Click(idle.id)))

        async def naive() -> None:
            await page.click(selector)
            await page.locator("body").aria_snapshot()

        timings = await alternate(Effort(3 if quick else 8, 10, warm=5), ours, naive)
        note = f"{len(seen.elements)} elements; naive: page.click + aria_snapshot"
        return [compared("step, idle page, with its text", timings, 8, note)]


def _idle(seen: Observation) -> Any:
    return next(each for each in seen.elements if each.role == "radio" and "checked" in each.states)


async def observation(quick: bool) -> Rows:
    """A page of 5,000 elements, read."""
    async with _large_page() as (lane, page):
        texts: list[str] = []

        async def ours() -> None:
            await lane.observe()

        async def naive() -> None:
            texts.append(await page.locator("body").aria_snapshot())

        timings = await alternate(Effort(3 if quick else 8, 3), ours, naive)
        walked = await _walked(lane)
        sizes = len(walked.encode()) / 1000, len(texts[-1].encode()) / 1000
        shown = (await lane.observe()).elements
        return [
            compared("5,000 elements observed", timings, 25, "naive: aria_snapshot"),
            Row("5,000 elements, size", "kB", *sizes, 100, note=f"{len(shown)} interactive"),
        ]


ROW = (
    '<li><a href="/{n}">Product {n}</a><span>4.5 stars</span><b>${n}.50</b>'
    '<label>Count <input name="c{n}" value="1"></label><button>Add {n}</button><em>new</em></li>'
)
"""Eight elements, three of which can be used."""


@asynccontextmanager
async def _large_page() -> AsyncIterator[tuple[Lane, Page]]:
    html = f"<!doctype html><title>Many</title><ul>{''.join(ROW.format(n=n) for n in range(625))}"
    with Server(_one_page(html)) as server:
        async with chromium.launch({"large.localhost": server.port}) as browser:
            lane, context = await browser.lane(), await browser.chromium.new_context()
            page = await context.new_page()
            await lane.open("http://large.localhost/")
            await page.goto("http://large.localhost/")
            yield lane, page
            await context.close()
            await lane.close()


def _one_page(html: str) -> Flask:
    from flask import Flask

    app = Flask("benchmarks")
    app.add_url_rule("/", view_func=lambda: html)
    return app


async def _walked(lane: Lane) -> str:
    """The walker's JSON, before it is read."""
    return await lane._tab.call("read", "document", 1000)


async def reset(quick: bool) -> Rows:
    """The start page for the next episode."""
    async with shop() as store, store.stage.lane() as lane:
        start = f"{store.origin}/{SESSION}"

        async def ours() -> None:
            await lane.open(start, cookie=store.cookie())

        async def naive() -> None:
            async with store.naive_page() as page:
                await page.goto(start)

        timings = await alternate(Effort(3 if quick else 8, 4), ours, naive)
        return [compared("lane reset", timings, 60, "naive: new context, page, goto, close")]


# On the server ---------------------------------------------------------------------------------


async def search(quick: bool) -> Rows:
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


async def fork(quick: bool) -> Rows:
    """A fresh copy of a start world with a few rows."""
    start = _visited()
    snapshot = start.snapshot()
    effort = Effort(3 if quick else 10, 100, warm=20)
    timings = await alternate(effort, start.fork, partial(_anew, snapshot))
    return [compared("world fork", timings, 1, "naive: the schema and the rows again")]


def _visited() -> World:
    world = new_world(SESSION, INSTRUCTION)
    for number in range(5):
        world.write("INSERT INTO log_pages (page, number) VALUES ('results', ?)", (number,))
        world.write("INSERT INTO log_queries (query, page, hits) VALUES ('bands', ?, '[]')", (1,))
    world.write("INSERT INTO purchases (asin, options, price) VALUES ('B0', '{}', 9.5)")
    return world


def _anew(snapshot: Mapping[str, list[dict[str, Any]]]) -> World:
    world = new_world(SESSION, INSTRUCTION)
    for name, rows in snapshot.items():
        for row in rows:
            marks = ", ".join("?" * len(row))
            world.write(f"INSERT INTO {name} VALUES ({marks})", tuple(row.values()))
    return world


async def page_served(quick: bool) -> Rows:
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


# The model's door ------------------------------------------------------------------------------

CALLS = 15
TURN = 1500
"""Characters of a page as ReAct is shown it."""


async def cassette(quick: bool) -> Rows:
    """A dialogue of 15 calls that grows, as ReAct's does: answered, recorded, replayed."""
    with tempfile.TemporaryDirectory() as folder:
        recorded, plain = Path(folder, "recorded.jsonl"), Path(folder, "plain.jsonl")
        effort = Effort(3 if quick else 8, 3)
        timings = await alternate(
            effort,
            partial(_dialogue, Scripted(_say)),
            partial(_recorded, recorded),
            partial(_replayed, recorded),
            partial(_plainly_recorded, plain),
        )
        bare, kept, played, naive = (each.median / CALLS for each in timings)
        size = f"file {_kilobytes(recorded)} kB against {_kilobytes(plain)} kB"
    cpu = [each.cpu_each / CALLS for each in timings]
    return [
        Row("scripted call, bare client", "ms", bare, cpu_ms=cpu[0]),
        Row("recorder on top, a call", "ms", kept - bare, naive - bare, 1, cpu[1] - cpu[0],
            cpu[3] - cpu[0], f"naive: every request whole, as a line; {size}"),
        Row("replay on top, a call", "ms", played - bare, None, 1, cpu[2] - cpu[0],
            note=f"reading the file included; {played:.2f} ms in all"),
    ]  # fmt: skip


async def _dialogue(transport: Any) -> None:
    rng, client = Random("dialogue"), Client(transport, Endpoint("scripted"))
    messages = [{"role": "system", "content": _text(rng, 450)}]
    for _ in range(CALLS):
        messages.append({"role": "user", "content": _text(rng, TURN)})
        exchange = await client.ask("react/act", messages)
        messages.append({"role": "assistant", "content": exchange.reply.text})


def _text(rng: Random, length: int) -> str:
    """Lines like those of a page, different each time."""
    lines = (f"[{number}] button 'Buy {rng.random()}'" for number in range(10, 10 + length // 36))
    return "\n".join(lines)


def _say(purpose: str, body: Mapping[str, Any]) -> dict[str, Any]:
    return completion((f"click[{len(body['messages'])}]",))


async def _recorded(path: Path) -> None:
    writer = CassetteWriter(path, "scripted", {})
    await _dialogue(Recording(Scripted(_say), writer))
    writer.close()


async def _replayed(path: Path) -> None:
    replay = Replay(Cassette.read(path), "again")
    await _dialogue(replay)
    replay.finish()


async def _plainly_recorded(path: Path) -> None:
    with path.open("w", encoding="utf-8") as file:

        def say(purpose: str, body: Mapping[str, Any]) -> dict[str, Any]:
            reply = _say(purpose, body)
            file.write(json.dumps({"request": body, "reply": reply}) + "\n")
            file.flush()
            return reply

        await _dialogue(Scripted(say))


def _kilobytes(path: Path) -> int:
    return path.stat().st_size // 1000


# Everything together ---------------------------------------------------------------------------


async def episodes(quick: bool) -> Rows:
    """Whole episodes of store-20, one after the other in one process."""
    cast = casting.from_suite("store-20")
    with tempfile.TemporaryDirectory() as folder:
        async with open_stage(["store"]) as stage:
            terms = Terms(Path(folder), strict=True)
            ways = [partial(_play, stage, terms, _jobs(name, cast)) for name in PLAYERS]
            timings = await alternate(Effort(2 if quick else 8, 5), *ways)
    return [_rate(name, timing) for name, timing in zip(PLAYERS, timings, strict=True)]


PLAYERS = ("expert", "react")


def _jobs(name: str, cast: Cast) -> Iterator[Job]:
    """Episodes of a suite without end, each of them new."""
    player = agents.read(name)
    for trial in itertools.count():
        for scenario in cast.names:
            length = cast.expert[scenario.split("/")[1]]
            yield Job(player, scenario, trial, cast.hashes[scenario], length)


async def _play(stage: Stage, terms: Terms, jobs: Iterator[Job]) -> None:
    record = await run_episode(next(jobs), stage, terms)
    assert record["success"], f"{record['episode']} ended as {record['ended']}"


def _rate(name: str, timing: Timing) -> Row:
    note = f"median {timing.median:.0f} ms an episode; informative"
    return Row(f"episodes of {name}", "/s", 1000 / timing.median, cpu_ms=timing.cpu_each, note=note)


# The run ---------------------------------------------------------------------------------------

BENCHMARKS: Mapping[str, Benchmark] = {
    "step": step,
    "observation": observation,
    "reset": reset,
    "search": search,
    "fork": fork,
    "page": page_served,
    "cassette": cassette,
    "episodes": episodes,
}


async def measured(names: Sequence[str], quick: bool) -> Rows:
    rows: Rows = []
    for name in names:
        print(f"{name} ...", file=sys.stderr)
        rows += await BENCHMARKS[name](quick)
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.foundation", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer rounds, a smaller catalogue")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument("--only", metavar="NAME,...", help=f"some of {', '.join(BENCHMARKS)}")
    chosen = parser.parse_args()
    names = chosen.only.split(",") if chosen.only else list(BENCHMARKS)
    if unknown := [name for name in names if name not in BENCHMARKS]:
        parser.error(f"there is no benchmark {unknown[0]!r}; choose from {', '.join(BENCHMARKS)}")
    before = load()
    rows = asyncio.run(measured(names, chosen.quick))
    if chosen.json:
        print(document(chosen.quick, rows, (before, load())))
    else:
        print(f"{table(rows)}\n\nload average before {before}, after {load()}")


if __name__ == "__main__":
    main()
