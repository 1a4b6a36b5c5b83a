"""No test reaches the network: this process may connect to loopback only."""

from __future__ import annotations

import signal
import sys
from typing import Any

import pytest

LOOPBACK = ("127.", "::1", "localhost")


def _loopback_only(event: str, args: tuple[Any, ...]) -> None:
    if event == "socket.connect":
        address = args[1]
        if isinstance(address, tuple) and not str(address[0]).startswith(LOOPBACK):
            raise ConnectionRefusedError(f"tests are offline: {address[0]} was not reached")


def pytest_configure(config: pytest.Config) -> None:
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        # Begun in the background: the programs that we start and interrupt must not inherit it.
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if not config.getoption("--live"):
        sys.addaudithook(_loopback_only)
