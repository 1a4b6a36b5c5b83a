"""A world: everything that one visit can change, in an in-memory SQLite database.

A world can be forked in microseconds. Tables whose names begin with `log_` are its journal (opened
pages, queries, drafts). The journal is part of the snapshot, but not of the diff and the digest.

The caller of a function that makes or forks a world owns this world. It releases the world when
nobody reads it any longer (`with family.world(scenario) as world:`), or gives it to an owner that
lives longer. Such owners are the page of an episode (its attempts, snapshots and checkpoints) and
`Worlds` (the worlds that a site shows to people). A world that is merely dropped also closes its
database, but the tests treat this as a mistake of its owner.
"""

from __future__ import annotations

import hashlib
import json
import secrets
import sqlite3
import threading
from atexit import register
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import count
from typing import Any, Self
from weakref import finalize

Row = dict[str, Any]
Values = Sequence[Any] | Mapping[str, Any]
"""The values of a statement, by position or by name."""
Snapshot = dict[str, list[Row]]
Table = tuple[list[str], list[tuple[Any, ...]]]
"""The result of a query: the names of its columns, and its rows."""
JOURNAL = "log_"

_numbers = count()


class WorldClosed(Exception):
    """The visit is over.

    Its database (world) cannot be changed, and after `release` it cannot be read either.
    """


class World:
    """The database of one visit. Every method may be called from any thread.

    After `close` the rows can still be read but not changed. `release`, which the end of a `with`
    block calls, also closes the database.

    Args:
        schema: The SQL statements that create the tables.
        session: The session, which stands in addresses.
        about: Facts that pages may show, such as the instruction of a shop's task.

    Attributes:
        session: The session that stands in addresses now.
        name: The session when the world was made. Values that are derived from it stay the same if
            the session changes.
        about: As passed.
        closed: Whether the rows are frozen.
        lock: Held during every access to the rows.
        joint: The world of a visit to several sites that this world is a part of
            (`sites.joint.JointWorld`), or None.
    """

    joint: World | None = None

    def __init__(self, schema: str, session: str, about: Mapping[str, str] | None = None) -> None:
        self.session = self.name = session
        self.about = dict(about or {})
        self.closed = False
        self.restores = 0
        """The number of calls of `restore`."""
        self.writes = 0
        """The number of writes, including those to the journal."""
        self.fault = ""
        """The site's own failure during this visit, "" if there was none."""
        self.number = next(_numbers)
        """A number that no other world of this process has."""
        self.lock = threading.RLock()
        self._open()
        with _EMPTY:
            _empty(schema).backup(self._database)

    def of(self, site: str) -> World:
        """Return the world of one site of the visit; a visit to a single site has only this one."""
        return self

    @property
    def whole(self) -> World:
        """The world of the whole visit: this one, unless the visit has worlds of several sites."""
        return self.joint or self

    def _open(self) -> None:
        """Connect the world to a new database."""
        self._database = _connect()
        self._end = finalize(self, self._database.close)

    def fork(self) -> World:
        """Return an independent copy of the database (a new world).

        The copy is open, and the caller owns it.

        Raises:
            WorldClosed: The world was released.
        """
        copy = object.__new__(World)
        copy.session, copy.name = self.session, self.name
        copy.about, copy.closed = dict(self.about), False
        copy.restores, copy.writes, copy.fault = 0, 0, ""
        copy.number = next(_numbers)
        copy.lock = threading.RLock()
        with self.lock:
            self._check()
            copy._open()
            self._database.backup(copy._database)
        return copy

    def restore(self, other: World) -> None:
        """Replace the rows of this world by another world's rows.

        Raises:
            WorldClosed: One of the two worlds was released.
        """
        with self.lock, other.lock:
            self._check()
            other._check()
            other._database.backup(self._database)
            self.restores += 1
            self.writes += 1

    def exchange(self, other: World) -> None:
        """Exchange the rows of two worlds. A second call brings the old rows back.

        Raises:
            WorldClosed: One of the two worlds was released. Nothing was changed.
        """
        with self.lock, other.lock:
            self._check()
            other._check()
            self._database, other._database = other._database, self._database
            for each in (self, other):
                each._end.detach()
                each._end = finalize(each, each._database.close)
                each.restores += 1
                each.writes += 1

    def close(self) -> None:
        """Freeze the world: from now on every write raises `WorldClosed`."""
        with self.lock:
            self.closed = True

    def release(self) -> None:
        """Freeze the world and close its database, so that it can be neither written nor read.

        A second call does nothing.
        """
        with self.lock:
            self.closed = True
            if self._end.detach():
                self._database.close()

    @property
    def released(self) -> bool:
        """Whether the database is closed."""
        return not self._end.alive

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.release()

    def _check(self) -> None:
        """Raise `WorldClosed` if the world was released."""
        if self.released:
            raise WorldClosed("this visit is over, and its world was released")

    def read(self, sql: str, values: Values = ()) -> list[Row]:
        """Run a query and return its rows as dicts.

        Raises:
            WorldClosed: The world was released.
        """
        return named(self.table(sql, values))

    def table(self, sql: str, values: Values = ()) -> Table:
        """Run a query and return the names of its columns and its rows as tuples.

        Raises:
            WorldClosed: The world was released.
        """
        with self.lock:
            self._check()
            cursor = self._database.execute(sql, values)
            return [column[0] for column in cursor.description], cursor.fetchall()

    def write(self, sql: str, values: Values = ()) -> int:
        """Run one statement and return the id of the new row, or 0 if it has none.

        Raises:
            WorldClosed: The world was closed or released.
        """
        with self.lock:
            if self.closed:
                raise WorldClosed("this episode is closed; nothing was changed")
            self.writes += 1
            return self._database.execute(sql, values).lastrowid or 0

    def snapshot(self, wanted: Callable[[str], bool] = lambda name: True) -> Snapshot:
        """Return every table, by name, as a list of its rows in the order of their insertion.

        Args:
            wanted: Whether to return the table with this name.
        """
        with self.lock:
            return {
                name: self.read(f'SELECT * FROM "{name}" ORDER BY rowid')  # noqa: S608 (own name)
                for name in self._tables()
                if wanted(name)
            }

    def digest(self) -> str:
        """Return the SHA-256 of all rows except the journal's, as hex digits."""
        return hashlib.sha256(
            json.dumps(state(self.snapshot()), sort_keys=True).encode()
        ).hexdigest()

    def _tables(self) -> list[str]:
        """Return the names of all tables, sorted."""
        rows = self.read(
            "SELECT name FROM sqlite_master WHERE type = 'table'"
            " AND name NOT LIKE 'sqlite%' ORDER BY name"
        )
        return [row["name"] for row in rows]


def named(table: Table) -> list[Row]:
    """Return the rows as dicts keyed by the names of the columns."""
    names, rows = table
    return [dict(zip(names, row, strict=True)) for row in rows]


def state(snapshot: Snapshot) -> Snapshot:
    """Return a snapshot without the tables of the journal."""
    return {name: rows for name, rows in snapshot.items() if not is_journal(name)}


def is_journal(table: str) -> bool:
    """Return whether a table of a snapshot belongs to the journal; it may have the name of its site
    before a dot.
    """
    return table.rpartition(".")[2].startswith(JOURNAL)


def _connect() -> sqlite3.Connection:
    """Open an empty database in memory."""
    return sqlite3.connect(":memory:", check_same_thread=False, isolation_level=None)


_EMPTY = threading.Lock()
"""A lock that is held while an empty database is copied."""


@cache
def _empty(schema: str) -> sqlite3.Connection:
    """Return an empty database with these tables, which is kept for copying.

    Copying it takes a tenth of the time of creating the tables.
    """
    made = _connect()
    made.executescript(schema)
    register(made.close)
    return made


MOST_NAMED = 2_000
"""Maximum number of sessions that visitors may open by name; each takes about 0.1 MB of memory."""


REMEMBERED = 10_000
"""Maximum number of withdrawn sessions that a site remembers, to say that their visits ended."""


class TooManySessions(Exception):
    """The site has opened as many sessions by name as it may."""


class Worlds:
    """The open databases of a site's visits (worlds), by secret token (episodes) or session
    (people).

    A world that was admitted belongs to its episode. A world that was published or handed out
    belongs to this object, until `withdraw` returns it to the caller; `release` releases the rest.
    Sessions that visitors opened by name are kept apart, so that none of them replaces or hides a
    world that was published or handed out.
    """

    def __init__(self) -> None:
        self._by_token: dict[str, World] = {}
        self._by_session: dict[str, World] = {}
        self._by_name: dict[str, World] = {}
        self._withdrawn: deque[str] = deque(maxlen=REMEMBERED)

    def admit(self, world: World) -> str:
        """Make a visit's database (world) reachable for one episode.

        Returns:
            The token (128 bits) for the cookie of the episode's browser.
        """
        token = secrets.token_hex(16)
        self.replace(token, world)
        return token

    def replace(self, token: str, world: World) -> None:
        """Make a token point to another world (a new attempt of the same episode)."""
        self._by_token[token] = world

    def revoke(self, token: str) -> None:
        """End the validity of an episode's token; the world still belongs to the episode."""
        self._by_token.pop(token, None)

    def publish(self, world: World) -> None:
        """Show a world to every visitor who names its session."""
        self._by_session[world.session] = world

    def hand_out(self, world: World) -> str:
        """Show a world under a new random session (128 bits), and return the session."""
        world.session = secrets.token_hex(16)
        self.publish(world)
        return world.session

    def withdraw(self, session: str) -> World | None:
        """Stop showing the world of a session.

        Returns:
            The world, which now belongs to the caller, or None if the session is unknown.
        """
        world = self._by_session.pop(session, None)
        if world is not None:
            self._withdrawn.append(session)
        return world

    def was_withdrawn(self, session: str | None) -> bool:
        """Return whether `withdraw` has ended this session; old sessions are forgotten."""
        return session in self._withdrawn

    def release(self) -> None:
        """Release every world that no episode owns. The site calls this when it closes."""
        for worlds in (self._by_session, self._by_name):
            while worlds:
                worlds.popitem()[1].release()

    def open_named(self, session: str, make: Callable[[str], World]) -> World:
        """Make and keep the world of a session that a visitor names for the first time.

        Args:
            session: The session.
            make: Makes the world.

        Raises:
            TooManySessions: The site may open no more sessions. Nothing was made.
        """
        if len(self._by_name) >= MOST_NAMED:
            raise TooManySessions
        made = make(session)
        kept = self._by_name.setdefault(session, made)
        if kept is not made:  # another request of the same visitor came first
            made.release()
        return kept

    def find(self, token: str | None, session: str | None) -> World | None:
        """Return the world of a token, or without a token the world of a session.

        Returns:
            The world, or None if the token or session is unknown. An unknown token never falls back
            to the session.
        """
        if token:
            return self._by_token.get(token)
        if not session:
            return None
        return self._by_session.get(session) or self._by_name.get(session)
