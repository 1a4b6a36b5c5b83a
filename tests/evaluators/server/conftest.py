"""The control plane of a served store, seen by a program and by a person's browser."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from flask.testing import FlaskClient

from evaluators.server import OpenScenario, create_app, serve
from evaluators.server.serve import RunningServer
from scenarios.store.webshop import buy_item

PORT = 5055
HOST = f"127.0.0.1:{PORT}"
BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8", "Sec-Fetch-Site": "none"}


class Caller:
    """A client of the application that sends what a curl with the token sends."""

    def __init__(self, client: FlaskClient, token: str) -> None:
        self.client = client
        self.token = token

    def __call__(self, method: str, path: str, **options: Any) -> Any:
        headers = {"Authorization": f"Bearer {self.token}", "Host": HOST}
        headers.update(options.pop("headers", {}))
        kept = {name: value for name, value in headers.items() if value is not None}
        environ = {"SERVER_PORT": str(PORT), **options.pop("environ", {})}
        return self.client.open(
            path, method=method, headers=kept, environ_overrides=environ, **options
        )

    def get(self, path: str, **options: Any) -> Any:
        return self("GET", path, **options)

    def post(self, path: str, **options: Any) -> Any:
        return self("POST", path, **options)

    def page(self, path: str, **options: Any) -> str:
        answer = self.get(path, headers=BROWSER, **options)
        assert answer.status_code == 200
        return str(answer.text)


@pytest.fixture(scope="session")
def served() -> Iterator[RunningServer]:
    with serve.serve(["store"]) as opened:
        yield opened


@pytest.fixture
def call(served: RunningServer) -> Caller:
    app = create_app(served.sessions, served.token)
    return Caller(app.test_client(use_cookies=False), served.token)


@pytest.fixture
def draw(served: RunningServer):
    """`draw(seed)` opens a scenario, `draw(seed, solved=True)` also solves it."""

    def opened(seed: int, solved: bool = False) -> OpenScenario:
        drawn = served.sessions.draw("store", "buy_item", seed)
        if solved:
            buy_item.solve(drawn.scenario, drawn.world, served.sites["store"].data)
        return drawn

    return opened
