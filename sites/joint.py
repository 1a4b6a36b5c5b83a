"""A visit to several sites: their worlds as one world, which is forked, restored, scored and
released as a whole.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from functools import partial
from typing import NamedTuple

from sites.world import Snapshot, Table, Values, World, Worlds


class JointWorld(World):
    """The worlds of one visit to several sites.

    It owns its parts: it closes and releases them together. All parts share one lock, so a snapshot
    or a restore never falls between two changes of one request. In a snapshot the name of each
    table begins with its site: "forum.votes". `read`, `table`, `write` and `about` mean the first
    site.

    Args:
        parts: The world of each site by the site's name, the site of the task first.

    Attributes:
        parts: As passed.
        addresses: The address of each site's first page, for links between the sites. It is empty
            until the sites are served.
    """

    def __init__(self, parts: Mapping[str, World]) -> None:
        self.parts = dict(parts)
        self.addresses: Mapping[str, str] = {}
        first = self._first
        self.name, self.about, self.number = first.name, first.about, first.number
        self.closed = False
        self.lock = threading.RLock()
        for each in self.parts.values():
            each.lock, each.joint = self.lock, self

    @property
    def _first(self) -> World:
        """The world of the task's own site."""
        return next(iter(self.parts.values()))

    def of(self, site: str) -> World:
        """Return the world of one site of the visit.

        Raises:
            KeyError: The visit has no such site.
        """
        return self.parts[site]

    @property
    def session(self) -> str:
        """The session that stands in addresses, the same at every site."""
        return self._first.session

    @session.setter
    def session(self, session: str) -> None:
        for each in self.parts.values():
            each.session = session

    @property
    def restores(self) -> int:  # type: ignore[override]  # only the parts count
        """The number of calls of `restore`."""
        return self._first.restores

    @property
    def writes(self) -> int:  # type: ignore[override]  # only the parts count
        """The number of writes at all sites."""
        return sum(each.writes for each in self.parts.values())

    @property
    def fault(self) -> str:  # type: ignore[override]  # only the parts have faults
        """The failure of a site during this visit, "" if there was none."""
        return next((each.fault for each in self.parts.values() if each.fault), "")

    def fork(self) -> JointWorld:
        """Return an independent copy of all parts, which the caller owns.

        Raises:
            WorldClosed: A part was released. Nothing was made.
        """
        with self.lock, ExitStack() as made:
            copies = {site: made.enter_context(each.fork()) for site, each in self.parts.items()}
            copy = JointWorld(copies)
            made.pop_all()
        copy.addresses = self.addresses
        return copy

    def restore(self, other: World) -> None:
        """Replace the rows of all parts by the rows of another joint world, or of none of them.

        Raises:
            WorldClosed: A part of one of the two worlds was released. Nothing was changed.
        """
        with other.fork() as copy:
            self.exchange(copy)

    def exchange(self, other: World) -> None:
        """Exchange the rows of all parts with another joint world.

        If one part fails, the parts before it get their own rows back.
        """
        with self.lock, other.lock, ExitStack() as back:
            for site, each in self.parts.items():
                each.exchange(other.of(site))
                back.callback(each.exchange, other.of(site))
            back.pop_all()

    def close(self) -> None:
        """Freeze all parts: from now on every write raises `WorldClosed`."""
        with self.lock:
            self.closed = True
            for each in self.parts.values():
                each.close()

    def release(self) -> None:
        """Freeze all parts and close their databases. A second call does nothing."""
        with self.lock:
            self.closed = True
            for each in self.parts.values():
                each.release()

    @property
    def released(self) -> bool:
        """Whether the databases are closed."""
        return all(each.released for each in self.parts.values())

    def table(self, sql: str, values: Values = ()) -> Table:
        """Run a query on the first site's rows."""
        return self._first.table(sql, values)

    def write(self, sql: str, values: Values = ()) -> int:
        """Run one statement on the first site's rows."""
        return self._first.write(sql, values)

    def snapshot(self, wanted: Callable[[str], bool] = lambda name: True) -> Snapshot:
        """Return every table of every site as a list of its rows, by site and table:
        "forum.votes".

        Args:
            wanted: Whether to return the table with this name, which begins with its site.
        """
        with self.lock:
            return {
                f"{site}.{table}": rows
                for site, each in self.parts.items()
                for table, rows in each.snapshot(partial(_is_wanted, wanted, site)).items()
            }


def _is_wanted(wanted: Callable[[str], bool], site: str, table: str) -> bool:
    return wanted(f"{site}.{table}")


def of_site(snapshot: Snapshot, site: str) -> Snapshot:
    """Return the tables of one site of a snapshot, without the site's name.

    The snapshot of a visit to a single site is returned as it is.
    """
    named = f"{site}."
    parts = {
        table.removeprefix(named): rows
        for table, rows in snapshot.items()
        if table.startswith(named)
    }
    return parts or snapshot


class JointWorlds(Worlds):
    """The open worlds of several sites, for visits to all of them.

    Each site gets its own part of a world under the same token and the same session.

    Args:
        sites: The open worlds of each site, by the site's name.
    """

    def __init__(self, sites: Mapping[str, Worlds]) -> None:
        super().__init__()
        self._sites = dict(sites)

    def replace(self, token: str, world: World) -> None:
        """Make a token point to another world at every site."""
        for site, worlds in self._sites.items():
            worlds.replace(token, world.of(site))

    def revoke(self, token: str) -> None:
        """End the validity of an episode's token at every site."""
        for worlds in self._sites.values():
            worlds.revoke(token)

    def publish(self, world: World) -> None:
        """Show each site's part of a world to every visitor who names the session."""
        for site, worlds in self._sites.items():
            worlds.publish(world.of(site))

    def withdraw(self, session: str) -> World | None:
        """Stop showing the world of a session at every site, and return it."""
        found = [worlds.withdraw(session) for worlds in self._sites.values()]
        return next((each.whole for each in found if each), None)


class Neighbour(NamedTuple):
    """Another site of the visit, with the address that leads there.

    `opened` says whether the visitor has opened a page there.
    """

    site: str
    url: str
    opened: bool


def neighbours(world: World | None) -> list[Neighbour]:
    """Return the other sites of the visit to which a site's world belongs."""
    joint = world.joint if world else None
    if not isinstance(joint, JointWorld) or world is None:
        return []
    return [
        Neighbour(site, f"{address}/?scenario={world.session}", _opened(joint.of(site)))
        for site, address in joint.addresses.items()
        if joint.of(site) is not world
    ]


def lead(world: World, addresses: Mapping[str, str]) -> None:
    """Let the pages of a visit link to its other sites.

    Args:
        world: The world of the visit. The world of a visit to a single site is left as it is.
        addresses: The address of each site, without a path.
    """
    if isinstance(world, JointWorld):
        world.addresses = {site: addresses[site] for site in world.parts}


def _opened(world: World) -> bool:
    return bool(world.read("SELECT 1 FROM log_pages LIMIT 1"))
