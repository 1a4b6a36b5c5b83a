"""A model's server, the network to it, and a client of it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from agent.llm.client import Client, Endpoint, Limits
from agent.llm.transport.live import Live
from tests.loopback import Server, serve


@pytest.fixture
def server() -> Iterator[Server]:
    with serve() as served:
        yield served


@pytest.fixture
def live(server: Server, runner: asyncio.Runner) -> Iterator[Live]:
    """The network's transport to the server."""
    transport = Live(server.url, largest_reply=100_000)
    yield transport
    runner.run(transport.aclose())


@pytest.fixture
def client(server: Server, live: Live) -> Client:
    """A client of the server that waits briefly."""
    limits = Limits(max_retries=2, timeout_s=2.0, deadline_s=5.0)
    return Client(live, Endpoint("gpt-x", server.url, "sk-key-for-tests-0123456789"), limits)
