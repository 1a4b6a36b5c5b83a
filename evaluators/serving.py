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
    """Bind and serve; everything is closed afterwards. Raises `PortInUse`."""
    options: dict[str, Any] = {"open_session": _anyone} if open_sessions else {}
    with ExitStack() as stack:
        sites = {name: staged(name, **options) for name in names or casting.site_names()}
        for site in sites.values():
            stack.enter_context(site.server)
        sessions, token = Sessions(sites), secrets.token_hex(32)
        control = stack.enter_context(Server(create_app(sessions, token), port))
        yield House(sites, sessions, control, token)


def _anyone(session: str) -> Any:
    """A world for a session that nobody has opened: a look around without a task."""
    return casting.site("store").new_world(session, "Look around; nothing in particular is wanted.")
