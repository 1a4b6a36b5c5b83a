"""Serve the sites and their control plane on loopback, for people and for external agents."""

from __future__ import annotations

import re
import secrets
import threading
from collections.abc import Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from evaluators.episode.environment import RunningSite, bind_site
from evaluators.records.models import EpisodeRecord
from evaluators.server import (
    OpenScenario,
    Sessions,
    authorization,
    create_app,
    mount,
    published,
    webarena,
    webshop,
)
from evaluators.server.front import FrontPage
from evaluators.server.jail import Jail
from evaluators.server.outside_run import OutsideRun
from evaluators.server.sessions import unknown_site
from evaluators.server.webarena import WebArenaDoor
from rehearsal_errors import RehearsalError
from scenarios import registry
from sites.server import Server
from sites.store import new_world
from sites.world import World

WITHOUT = "leave it out, or leave out -o"


class NoSuchSite(RehearsalError, ValueError):
    """An option needs a site that is not served."""


class BadPort(RehearsalError, ValueError):
    """The text after a site's name is no port."""


class OptionsCollide(RehearsalError, ValueError):
    """Two options contradict each other."""


class OpenJail(RehearsalError, ValueError):
    """An option would reveal scores or solutions, which `--jail` must keep from the agent."""


@dataclass(frozen=True)
class RunningServer:
    """The served sites and the control plane, with the `token` that gives access to it."""

    sites: dict[str, RunningSite]
    sessions: Sessions
    control: Server
    token: str = field(repr=False)
    warning: str = ""
    jail: Jail | None = None
    run: OutsideRun | None = None
    door: WebArenaDoor | None = None

    @property
    def ready(self) -> str:
        """The control plane's address for a browser, with the token."""
        return f"http://{authorization.HOST}:{self.control.port}/?token={self.token}"

    def addresses(self) -> dict[str, Any]:
        """Return {"sites": {name: URL}, "control": URL, "token": TOKEN, "ready": URL}; also "jail"
        if there is a proxy, and "webarena" (the variables) if its clients are served.
        """
        urls = {name: site.server.url for name, site in self.sites.items()}
        jail = {"jail": self.jail.addresses()} if self.jail else {}
        opened = {"control": self.control.url, "token": self.token, "ready": self.ready}
        door = {"webarena": self.door.variables()} if self.door else {}
        return {"sites": urls, **opened, **jail, **door}

    def record_of(self, opened: OpenScenario) -> EpisodeRecord | None:
        """Return the record that a visit left in the run, or None."""
        return self.run.record_of(opened) if self.run else None

    def greeting(self) -> str:
        """Return the addresses as text for people."""
        lines = "".join(f"  {name:8} {site.server.url}\n" for name, site in self.sites.items())
        return (
            f"Sites:\n{lines}"
            "Control plane (the address holds the token; keep it, and the browser profile that\n"
            "opens it, from agents):\n"
            f"  {self.ready}\n{self._run_note()}{self._jail_note()}{self._door_note()}"
            "Stop with Ctrl-C."
        )

    def _run_note(self) -> str:
        return f"Each visit becomes an episode of {self.run.folder}.\n" if self.run else ""

    def _jail_note(self) -> str:
        if self.jail is None:
            return ""
        flags = " \\\n".join(f"  '{flag}'" for flag in self.jail.flags)
        return f"The sites are open only to a Chromium with these flags:\n{flags}\n"

    def _door_note(self) -> str:
        if self.door is None:
            return ""
        return f"Variables for clients of WebArena:\n{self.door.greeting()}"

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
    for_webshop: bool = False,
    out: Path | None = None,
    client: str = "",
    tasks: Path | None = None,
) -> Iterator[RunningServer]:
    """Serve sites and their control plane within the block.

    Args:
        names: Sites, each with an optional port (`store:3000`); empty for all sites.
        port: The control plane's port, or with `one_port` the CRM's; 0 for a free one.
        open_sessions: The store makes a database for each new session, as WebShop's published code
            does.
        one_port: The CRM's own address also answers the published calls that open and score
            scenarios.
        jailed: The sites answer only requests through a proxy that leads nowhere else.
        attributes: Items of the store have WebShop's tab of attributes.
        for_webshop: The store serves clients of WebShop's application, on its port by default.
        out: The folder of a run to which each visit adds an episode, or None.
        client: The name of the agent that makes the visits, for the records of that run.
        tasks: The folder of exported tasks that clients of WebArena play, or None.

    Raises:
        PortInUse: A port is taken.
        plugins.UnknownName: A site is unknown.
        NoSuchSite: An option needs a site that is not served.
        BadPort: The text after a site's name is no port.
        OptionsCollide: Two options contradict each other.
        OpenJail: An option would reveal scores or solutions to the agent behind the proxy.
        BadName: The client's name has characters that an agent's name must not have.
        ChangedRun: The folder `out` holds another run.
        NotWritten: The folder `out` cannot be written.
        BadTasks: The folder `tasks` cannot be read, or its scenarios are drawn differently now.
        AmbiguousAddresses: For clients of WebArena, an address is the beginning of another.
    """
    usual = {published.SITE: port} if one_port else {}
    usual |= {webshop.SITE: webshop.PORT} if for_webshop else {}
    every = webarena.SITES if tasks else registry.site_names()
    ports = dict(map(_name_and_port, names or every))
    _check_names(ports)
    _check(ports, open_sessions, one_port, jailed, for_webshop)
    if tasks:
        _check_door(ports, one_port or for_webshop, jailed)
    _check_run(out, client, one_port, open_sessions or for_webshop)
    run = OutsideRun(out, client) if out else None
    opener = webshop.open_goal if for_webshop else _free_session if open_sessions else None
    with ExitStack() as stack:
        sites = {}
        for name, own in ports.items():
            options = {"open_sessions": opener, "attributes": attributes}
            at = usual.get(name, 0) if own is None else own
            sites[name] = bind_site(name, at, **(options if name == webshop.SITE else {}))
            stack.callback(sites[name].worlds.release)
            stack.callback(sites[name].server.close)
        sessions, token = _sessions(sites, run), secrets.token_hex(32)
        stack.callback(sessions.end)
        if one_port:
            mount(sites[published.SITE].server.app, sessions)
        if for_webshop:
            webshop.mount(sites[webshop.SITE].server.app, sessions)
        control = Server(create_app(sessions, token), 0 if one_port else port)
        stack.callback(control.close)
        door = stack.enter_context(webarena.opened(tasks, sessions, sites)) if tasks else None
        address = "" if jailed else f"http://{authorization.HOST}:{control.port}/"
        for name, site in sites.items():
            if not door and not (opener and name == webshop.SITE):  # its root is a visit
                FrontPage(name, sessions, address, not (jailed or out)).mount(site.server.app)
        jail = stack.enter_context(_jail(sites.values())) if jailed else None
        if run:
            stack.enter_context(run.following(sites))
        for site in sites.values():
            stack.enter_context(site.server)
        stack.enter_context(control)
        warnings = [published.WARNING] * one_port + [webshop.WARNING] * for_webshop
        yield RunningServer(sites, sessions, control, token, " ".join(warnings), jail, run, door)


def _sessions(sites: dict[str, RunningSite], run: OutsideRun | None) -> Sessions:
    return Sessions(sites, on_end=run.end) if run else Sessions(sites)


def _name_and_port(site: str) -> tuple[str, int | None]:
    """Split `store:3000` into name and port; the port is None if it is missing."""
    name, colon, port = site.partition(":")
    if colon and not re.fullmatch(r"[0-9]{1,5}", port):
        raise BadPort(f"{port!r} is no port, in --site {site}", "write --site store:3000")
    return name, int(port) if colon else None


def _check_names(sites: Collection[str]) -> None:
    """Raise `UnknownName` for a site that does not exist."""
    known = registry.site_names()
    for name in sites:
        if name not in known:
            raise unknown_site(name, known)


def _check(
    sites: Collection[str], open_sessions: bool, one_port: bool, jailed: bool, for_webshop: bool
) -> None:
    if one_port and published.SITE not in sites:
        raise NoSuchSite("--one-port is for the CRM, which is not served; add --site crm")
    if for_webshop and webshop.SITE not in sites:
        raise NoSuchSite("--webshop is for the store, which is not served; add --site store")
    if for_webshop and open_sessions:
        raise OptionsCollide(
            "with --webshop every session has a goal, with --open-sessions none", "leave one out"
        )
    if one_port and jailed:
        raise OpenJail("--one-port shows solutions to everybody in the jail", "leave one out")
    if for_webshop and jailed:
        raise OpenJail("--webshop tells scores to everybody in the jail", "leave one out")


def _check_door(sites: Collection[str], shows_scores: bool, jailed: bool) -> None:
    """Check the options of a server for clients of WebArena."""
    if missing := [site for site in webarena.SITES if site not in sites]:
        raise NoSuchSite(f"--webarena needs the site {missing[0]}; add --site {missing[0]}")
    if shows_scores:
        raise OptionsCollide(
            "--webarena shows no scores, --webshop and --one-port show them", "leave one out"
        )
    if jailed:
        raise OptionsCollide(
            "--jail guards the sites of one task, and clients of WebArena open all",
            "leave out --jail; docs/webarena.md says how to confine such a browser",
        )


def _check_run(out: Path | None, client: str, one_port: bool, named: bool) -> None:
    """Raise `OptionsCollide` if a run could not be recorded honestly, or its agent has no run."""
    if client and out is None:
        raise OptionsCollide(f"--as {client} names the agent of a run", "add -o FOLDER")
    if out and one_port:
        raise OptionsCollide("--one-port shows solutions, so a run would mean nothing", WITHOUT)
    if out and named:
        raise OptionsCollide(
            "sessions that visitors open are not drawn, so no run has them", WITHOUT
        )


def _jail(sites: Collection[RunningSite]) -> Jail:
    """Return a proxy through which alone these sites, which are not served yet, can be reached."""
    jail = Jail(site.served_at(host) for site in sites for host in site.hosts or (site.name,))
    for site in sites:
        app = site.server.app
        app.wsgi_app = jail.guard(app.wsgi_app)  # type: ignore[method-assign]  # Flask's own way
    return jail


def _free_session(session: str) -> World:
    """Return a database for a session that nobody opened; it has no task and is never scored."""
    return new_world(session, "Look around; nothing in particular is wanted.")
