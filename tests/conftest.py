"""No test reaches the network: this process may connect to loopback only."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import socket
from collections.abc import Generator, Iterator
from contextlib import AsyncExitStack, nullcontext
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings

from tests import between, open_databases, slices
from tests.measuring import SEED, unmeasured

if TYPE_CHECKING:
    from evaluators.episode.environment import EnvironmentPool
    from tests.contracts.harness import EpisodeHarness

LOOPBACK = ("127.", "::1", "localhost")
WORKERS = "PYTEST_XDIST_AUTO_NUM_WORKERS"
# How long an example takes tells how busy the machine is.
settings.register_profile("tests", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("tests")


def _stay_on_loopback() -> None:
    """Refuse other addresses where sockets connect.

    Not by an audit hook: it would also be called, and could be interrupted, while a thread
    installs coverage's tracer, and Python 3.11 then refuses the tracer of the next thread.
    """

    def guarded(connect: Any) -> Any:
        def guard(self: socket.socket, address: Any) -> Any:
            if isinstance(address, tuple) and not str(address[0]).startswith(LOOPBACK):
                raise ConnectionRefusedError(f"tests are offline: {address[0]} was not reached")
            return connect(self, address)

        return guard

    for name in ("connect", "connect_ex"):
        setattr(socket.socket, name, guarded(getattr(socket.socket, name)))


def pytest_configure(config: pytest.Config) -> None:
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        # Begun in the background: the programs that we start and interrupt must not inherit it.
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if not config.getoption("--live"):
        _stay_on_loopback()
    open_databases.watch()
    between.open_folder(config)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """With `-n auto` one worker more than there are processors: a third of the time is waited.

    None, where the environment says how many, leaves it to xdist.
    """
    return None if os.environ.get(WORKERS) else (os.cpu_count() or 1) + 1


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    slices.mark(items)


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    if f"not {slices.WIDE}" in config.getoption("markexpr"):
        for line in slices.summary():
            terminalreporter.write_line(line)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """The collector leaves alone what is there to stay: modules and tests."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Of a test's seeds coverage is measured on the first: the others run the same lines."""
    indices = item.callspec.indices if hasattr(item, "callspec") else {}
    with unmeasured() if indices.get(SEED) else nullcontext():
        return (yield)


@pytest.fixture(scope="session")
def harness(runner: asyncio.Runner, environments: EnvironmentPool) -> EpisodeHarness:
    """The environments, with short ways to run episodes in them."""
    from tests.contracts.harness import EpisodeHarness

    return EpisodeHarness(runner, environments)


@pytest.fixture(scope="session")
def quick_harness(
    runner: asyncio.Runner, environments: EnvironmentPool
) -> Iterator[EpisodeHarness]:
    """The same, for tests of which a browser is not the point: it plays without one what it can."""
    from evaluators.episode.environment import open_environments
    from evaluators.episode.environment_lanes import TEXT
    from evaluators.training.session import SITES
    from tests.contracts.harness import EpisodeHarness

    stack = AsyncExitStack()
    opened = runner.run(stack.enter_async_context(open_environments(SITES, lane=TEXT)))
    yield EpisodeHarness(runner, environments, opened)
    runner.run(stack.aclose())


@pytest.fixture(scope="module", name="unmeasured")
def _unmeasured() -> Iterator[None]:
    """No coverage is measured: for tests of whole episodes, runs and programs. What they run has
    tests of its own, where it is measured; here it would cost up to half of the time."""
    with unmeasured():
        yield
