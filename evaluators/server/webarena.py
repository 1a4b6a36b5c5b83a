"""The sites for clients of WebArena: one port for each kind of site, and a home page.

The clients read the addresses from environment variables and compare addresses by their beginnings,
so no address may be the beginning of another. Kinds of sites that Rehearsal does not have get an
address too, because clients ask for each variable; only a page to log in is there.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path

from flask import Flask, render_template

from evaluators.episode.environment import RunningSite
from evaluators.integrations.webarena import folder
from evaluators.integrations.webarena.folder import ExportedVisit
from evaluators.integrations.webarena.kinds import BROWSERGYM, HOME, KINDS, RESET, Kind
from evaluators.server import lobby
from evaluators.server.exported_visits import ExportedVisits
from evaluators.server.lobby import PAGES, Lobby
from evaluators.server.sessions import Sessions
from rehearsal_errors import RehearsalError
from sites.server import Server
from sites.site_app import create_site
from sites.world import Worlds

SITES = tuple(kind.site for kind in KINDS if kind.site)
"""Our sites that clients of WebArena know."""
READY = "Ready for duty!"
"""The text by which BrowserGym knows that a reset is over."""


class AmbiguousAddresses(RehearsalError, ValueError):
    """The address of a site is the beginning of another site's."""


@dataclass(frozen=True)
class WebArenaDoor:
    """The addresses for clients of WebArena.

    Attributes:
        urls: The address of each kind of site and of the home page, by its variable.
        reset: The address that ends all visits.
    """

    urls: Mapping[str, str]
    reset: str

    def variables(self) -> dict[str, str]:
        """Return the environment variables of WebArena's own client and of BrowserGym."""
        prefixed = {f"{BROWSERGYM}{name}": url for name, url in self.urls.items()}
        return {**self.urls, **prefixed, RESET: self.reset}

    def greeting(self) -> str:
        """Return the lines that a shell reads."""
        return "".join(f"export {name}={value}\n" for name, value in self.variables().items())


@contextmanager
def opened(
    tasks: Path, sessions: Sessions, sites: Mapping[str, RunningSite]
) -> Iterator[WebArenaDoor]:
    """Serve exported tasks to clients of WebArena, within the block.

    Call it before the sites are served.

    Args:
        tasks: The folder of the exported tasks.
        sessions: The open scenarios.
        sites: The sites.

    Raises:
        BadTasks: The folder cannot be read, or a scenario is drawn differently now.
        AmbiguousAddresses: The address of a site is the beginning of another site's.
    """
    visits = ExportedVisits(_served(folder.read(tasks), sites), sessions, sites)
    with ExitStack() as stack:
        servers = {kind: _server(kind, sites, visits, stack) for kind in KINDS}
        urls = {kind.variable: f"{server.url}{kind.base}" for kind, server in servers.items()}
        key = secrets.token_hex(16)
        home = stack.enter_context(Server(_home(urls, visits, key)))
        urls[HOME] = home.url
        _check(urls)
        yield WebArenaDoor(urls, f"{home.url}/{key}")


def _served(
    visits: Sequence[ExportedVisit], sites: Mapping[str, RunningSite]
) -> Sequence[ExportedVisit]:
    """Return the visits. Raise `BadTasks` for a visit at a site that is not served."""
    for each in visits:
        site = each.scenario.partition("/")[0]
        if site not in sites:
            raise folder.BadTasks(
                f"task {each.task_id} is on {site}, which is not served", folder.REMEDY
            )
    return visits


def _server(
    kind: Kind, sites: Mapping[str, RunningSite], visits: ExportedVisits, stack: ExitStack
) -> Server:
    """Return the server of a kind of site, with the pages for clients without a visit."""
    if kind.site:
        server = sites[kind.site].server
        Lobby(kind, visits).mount(server.app)
        return server
    app = create_site(kind.name.replace("_", "-"), PAGES, Worlds())
    Lobby(kind).mount(app)
    return stack.enter_context(Server(app))


def _home(urls: Mapping[str, str], visits: ExportedVisits, key: str) -> Flask:
    """Return the application of the home page, which lists the sites and their accounts.

    Only an address with the secret `key` resets the sites.
    """
    app = create_site("home", PAGES, Worlds())
    app.register_blueprint(lobby.blueprint())
    listed = [(kind, urls[kind.variable]) for kind in KINDS if kind.site]

    def reset() -> str:
        visits.reset()
        return READY

    app.add_url_rule("/", "home", lambda: render_template("lobby/home.html", listed=listed))
    app.add_url_rule(
        "/password.html", "password", lambda: render_template("lobby/password.html", kinds=KINDS)
    )
    app.add_url_rule(f"/{key}/reset", "reset", reset)
    app.add_url_rule(f"/{key}/status", "status", lambda: READY)
    return app


def _check(urls: Mapping[str, str]) -> None:
    """Raise `AmbiguousAddresses` if an address is the beginning of another."""
    for (name, url), (other, longer) in permutations(urls.items(), 2):
        if longer.startswith(url):
            raise AmbiguousAddresses(
                f"{name}={url} is the beginning of {other}={longer}, and clients exchange addresses"
                " by their beginnings",
                "give ports of equal length, such as --site forum:8001 --site map:8002",
            )
