"""Serve the sites and their control plane on loopback, for people and for foreign agents."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any

from evaluators import casting
from evaluators.control import Sessions, create_app
from evaluators.stage import StagedSite, staged
from sites.server import Server
from sites.world import World


@dataclass(frozen=True)
class House:
    """What is being served. `token` opens the control plane."""

    sites: dict[str, StagedSite]
    sessions: Sessions
    control: Server
    token: str = field(repr=False)

    def addresses(self) -> dict[str, Any]:
        """{"sites": {name: URL}, "control": URL, "token": TOKEN}."""
        urls = {name: site.server.url for name, site in self.sites.items()}
        return {"sites": urls, "control": self.control.url, "token": self.token}

    def greeting(self) -> str:
        """The same for people."""
        lines = [f"  {name:8} {site.server.url}" for name, site in self.sites.items()]
        return "\n".join(
            [
                "Sites (open a scenario from the control plane first):",
                *lines,
                "Control plane (the address holds the token; keep it from agents):",
                f"  {self.control.url}/?token={self.token}",
                "Stop with Ctrl-C.",
            ]
        )

    def wait(self) -> None:
        """Until the process is interrupted."""
        threading.Event().wait()


@contextmanager
def serve(names: Sequence[str] = (), port: int = 0, open_sessions: bool = False) -> Iterator[House]:
    """Bind and serve these sites, or all; `port` is the control plane's. Closes all afterwards.

    With `open_sessions` the store makes a world for whoever names a new session, as WebShop's
    published code does. Raises `PortInUse` and `plugins.UnknownName`.
    """
    sites: dict[str, StagedSite] = {}
    with ExitStack() as stack:
        for name in dict.fromkeys(names or casting.site_names()):
            sites[name] = staged(name, **_options(name, open_sessions))
            stack.enter_context(sites[name].server)
        sessions, token = Sessions(sites), secrets.token_hex(32)
        control = stack.enter_context(Server(create_app(sessions, token), port))
        yield House(sites, sessions, control, token)


def _options(name: str, open_sessions: bool) -> dict[str, Any]:
    return {"open_sessions": _look_around} if open_sessions and name == "store" else {}


def _look_around(session: str) -> World:
    """A world for a session that nobody has opened: without a task, and never evaluated."""
    world: World = casting.site("store").new_world(
        session, "Look around; nothing in particular is wanted."
    )
    return world
