"""Serve the sites and their control plane on loopback, for people and for other agents."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any

from evaluators.episode.environment import RunningSite, bind_site
from evaluators.server import Sessions, authorization, create_app, mount, published
from evaluators.server.jail import Jail
from rehearsal_errors import RehearsalError
from scenarios import registry
from sites.server import Server
from sites.store import new_world
from sites.world import World


class NoSuchSite(RehearsalError, ValueError):
    """An option needs a site that is not served."""


class OpenJail(RehearsalError, ValueError):
    """An option would let out what a jail is to keep in."""


@dataclass(frozen=True)
class RunningServer:
    """The served sites and the control plane, which `token` opens."""

    sites: dict[str, RunningSite]
    sessions: Sessions
    control: Server
    token: str = field(repr=False)
    warning: str = ""
    jail: Jail | None = None

    def addresses(self) -> dict[str, Any]:
        """{"sites": {name: URL}, "control": URL, "token": TOKEN}, and "jail" where there is one."""
        urls = {name: site.server.url for name, site in self.sites.items()}
        jail = {"jail": self.jail.addresses()} if self.jail else {}
        return {"sites": urls, "control": self.control.url, "token": self.token, **jail}

    def greeting(self) -> str:
        """The addresses as text for people."""
        lines = "".join(f"  {name:8} {site.server.url}\n" for name, site in self.sites.items())
        return (
            f"Sites (open a scenario from the control plane first):\n{lines}"
            "Control plane (the address holds the token; keep it, and the browser profile that\n"
            "opens it, from agents):\n"
            f"  http://{authorization.HOST}:{self.control.port}/?token={self.token}\n"
            f"{self._jail_note()}Stop with Ctrl-C."
        )

    def _jail_note(self) -> str:
        if self.jail is None:
            return ""
        flags = " \\\n".join(f"  '{flag}'" for flag in self.jail.flags)
        return f"The sites are open only to a Chromium with these flags:\n{flags}\n"

    def wait(self) -> None:
        """Wait until the process is interrupted."""
        threading.Event().wait()


@contextmanager
def serve(
    names: Sequence[str] = (),
    port: int = 0,
    open_sessions: bool = False,
    one_port: bool = False,
    jailed: bool = False,
    attributes: bool = False,
) -> Iterator[RunningServer]:
    """Serve these sites, or all, and the control plane on `port`; stop them afterwards.

    With `open_sessions` the store makes a world for each new session, as WebShop's published code
    does; with `attributes` its items have WebShop's tab of attributes. With `one_port` the CRM's
    own address also answers the two published calls, and `port` is the CRM's. With `jailed` the
    sites answer only what comes through a proxy that leads to them alone. Raises `PortInUse`,
    `plugins.UnknownName`, `NoSuchSite` and `OpenJail`.
    """
    chosen = list(dict.fromkeys(names or registry.site_names()))
    if one_port and published.SITE not in chosen:
        raise NoSuchSite("--one-port is for the CRM, which is not served; add --site crm")
    if one_port and jailed:
        raise OpenJail("--one-port shows solutions to whoever is in the jail", "leave one out")
    with ExitStack() as stack:
        sites = {}
        for name in chosen:
            own = port if one_port and name == published.SITE else 0
            options = _store_options(open_sessions, attributes) if name == "store" else {}
            sites[name] = bind_site(name, own, **options)
            stack.callback(sites[name].server.close)
        sessions, token = Sessions(sites), secrets.token_hex(32)
        if one_port:
            mount(sites[published.SITE].server.app, sessions)
        jail = stack.enter_context(_jail(sites.values())) if jailed else None
        for site in sites.values():
            site.server.start()
        control_port = 0 if one_port else port
        control = stack.enter_context(Server(create_app(sessions, token), control_port))
        warning = published.WARNING if one_port else ""
        yield RunningServer(sites, sessions, control, token, warning, jail)


def _jail(sites: Collection[RunningSite]) -> Jail:
    """A jail around the sites, which are not served yet."""
    jail = Jail(site.served_at(host) for site in sites for host in site.hosts or (site.name,))
    for site in sites:
        app = site.server.app
        app.wsgi_app = jail.guard(app.wsgi_app)  # type: ignore[method-assign]  # Flask's own way
    return jail


def _store_options(open_sessions: bool, attributes: bool) -> dict[str, Any]:
    return {"open_sessions": _free_session if open_sessions else None, "attributes": attributes}


def _free_session(session: str) -> World:
    """A world for a session that nobody has opened: without a task, and never scored."""
    return new_world(session, "Look around; nothing in particular is wanted.")
