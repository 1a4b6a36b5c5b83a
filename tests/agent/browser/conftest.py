"""One browser a worker, two small sites of the test's own, and a listener nobody may reach."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from agent.browser.chromium import Browser, find_chromium, launch
from agent.browser.lane import Lane
from agent.interface import Action, Observation

if find_chromium() is None:
    pytest.skip("no Chromium; run: rehearse doctor --fix", allow_module_level=True)


@dataclass
class Answer:
    body: str | bytes = ""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)


class Site:
    """A site whose pages a test sets; `hits` are the requests that arrived, as "METHOD path"."""

    def __init__(self, host: str, port: int) -> None:
        self.host = host
        self.port = port
        self.url = f"http://{host}/"
        self.pages: dict[str, Answer | str | Callable[[BaseHTTPRequestHandler], Answer]] = {}
        self.hits: list[str] = []
        self.cookies: list[str] = []
        self.release = threading.Event()

    def reset(self) -> None:
        self.pages = {"/": "<title>home</title>home"}
        self.hits, self.cookies = [], []


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1
    site: Site

    def do_GET(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.site.hits.append(f"{self.command} {self.path}")
        self.site.cookies.append(self.headers.get("Cookie") or "")
        page = self.site.pages.get(self.path.partition("?")[0], Answer("no such page", 404))
        answer = page(self) if callable(page) else page
        if isinstance(answer, str):
            answer = Answer("<!doctype html>" + answer)
        body = answer.body.encode() if isinstance(answer.body, str) else answer.body
        self.send_response(answer.status)
        headers = {"Content-Type": "text/html; charset=utf-8", **answer.headers}
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_HEAD = do_PUT = do_CONNECT = do_OPTIONS = do_GET  # noqa: N815

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def serving(host: str) -> Iterator[Site]:
    class Ours(Handler):
        pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, *_: object) -> None:
            pass

    with Server(("127.0.0.1", 0), Ours) as server:
        Ours.site = Site(host, server.server_port)
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield Ours.site
        Ours.site.release.set()
        server.shutdown()
        thread.join()


@pytest.fixture(scope="session")
def _store() -> Iterator[Site]:
    with serving("store.localhost") as site:
        yield site


@pytest.fixture(scope="session")
def _crm() -> Iterator[Site]:
    with serving("crm.localhost") as site:
        yield site


@pytest.fixture
def store(_store: Site) -> Site:
    _store.reset()
    return _store


@pytest.fixture
def crm(_crm: Site) -> Site:
    _crm.reset()
    return _crm


@pytest.fixture(scope="session")
def browser(runner: asyncio.Runner, _store: Site, _crm: Site) -> Iterator[Browser]:
    stack = AsyncExitStack()
    hosts = {site.host: site.port for site in (_store, _crm)}
    yield runner.run(stack.enter_async_context(launch(hosts)))
    runner.run(stack.aclose())


@pytest.fixture(scope="session")
def _lane(runner: asyncio.Runner, browser: Browser) -> Iterator[Lane]:
    lane = Lane(browser, frozen_time=1_700_000_000)
    yield lane
    runner.run(lane.close())


class Visit:
    """A lane without `await`: what the tests below talk to."""

    def __init__(self, runner: asyncio.Runner, lane: Lane, site: Site) -> None:
        self.runner = runner
        self.lane = lane
        self.site = site

    def show(self, html: str, **options: Any) -> Observation:
        """Put a page at `/` of the store and open it."""
        self.site.pages["/"] = html
        return self.open(self.site.url, **options)

    def open(self, url: str, **options: Any) -> Observation:
        return self.runner.run(self.lane.open(url, **options))

    def act(self, *actions: Action) -> Observation:
        """Do them one after the other; the last observation."""
        for action in actions:
            observation = self.runner.run(self.lane.act(action))
        return observation

    def observe(self, **options: Any) -> Observation:
        return self.runner.run(self.lane.observe(**options))

    def eventually(self, holds: Callable[[], bool]) -> bool:
        """Let the browser go on until something holds, for two seconds at most."""

        async def wait() -> bool:
            deadline = time.monotonic() + 2
            while not holds() and time.monotonic() < deadline:  # noqa: ASYNC110
                await asyncio.sleep(0.002)
            return holds()

        return self.runner.run(wait())


@pytest.fixture
def visit(runner: asyncio.Runner, _lane: Lane, store: Site) -> Visit:
    return Visit(runner, _lane, store)
