"""A world: everything that one visit can change, in an in-memory SQLite database.

It is forked in microseconds. Tables whose names begin with `log_` are its journal (pages opened,
queries, drafts): part of the snapshot, but not of the diff and the digest.

A function that makes or forks a world hands it to its caller, and the caller owns it: it releases
the world once nobody reads it any more (`with family.world(scenario) as world:`), or gives it to an
owner that lives longer. Such owners are the page of an episode (its attempts, snapshots and
checkpoints) and `Worlds` (what a site shows to people). A world that is only dropped closes its
database too, but the tests take that for a fault of its owner.
"""

from __future__ import annotations

import hashlib
import json
import secrets
import sqlite3
import threading
from atexit import register
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import count
from typing import Any, Self
from weakref import finalize

Row = dict[str, Any]
Snapshot = dict[str, list[Row]]
Table = tuple[list[str], list[tuple[Any, ...]]]
"""The names of columns, and rows."""
JOURNAL = "log_"

_numbers = count()


class WorldClosed(Exception):
    """The episode is over; the world cannot be changed, or, once released, not even be read."""


class World:
    """One visitor's database. Every method may be called from any thread.

    `close` freezes the rows, which can still be read. `release`, and the end of a `with` block over
    the world, gives the database back.

    `session` is what addresses hold, and `name` what it was when the world was made: whatever is
    derived from it stays the same under another address. `about` holds what pages may show (for
    the store: the instruction).
    """

    def __init__(self, schema: str, session: str, about: Mapping[str, str] | None = None) -> None:
        self.session = self.name = session
        self.about = dict(about or {})
        self.closed = False
        self.restores = 0
        """The number of restores."""
        self.writes = 0
        """The number of writes, the journal included."""
        self.fault = ""
        """The site's own failure during this visit, "" if none."""
        self.number = next(_numbers)
        """No other world of this process has it."""
        self.lock = threading.RLock()
        self._open()
        with _EMPTY:
            _empty(schema).backup(self._database)

    def _open(self) -> None:
        """Connect to a database of its own."""
        self._database = _connect()
        self._end = finalize(self, self._database.close)

    def fork(self) -> World:
        """An independent copy of the rows as they are now; the copy is open and the caller's.

        Raises `WorldClosed` after `release`."""
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
        """Make the rows of this world equal to another's. Raises `WorldClosed` after `release`."""
        with self.lock, other.lock:
            self._check()
            other._check()
            other._database.backup(self._database)
            self.restores += 1
            self.writes += 1

    def close(self) -> None:
        """Freeze the world: from now on every write raises `WorldClosed`."""
        with self.lock:
            self.closed = True

    def release(self) -> None:
        """Freeze the world and close its database; from now on it can neither be written nor read.

        A second call does nothing."""
        with self.lock:
            self.closed = True
            if self._end.detach():
                self._database.close()

    @property
    def released(self) -> bool:
        return not self._end.alive

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.release()

    def _check(self) -> None:
        """Raises `WorldClosed` after `release`."""
        if self.released:
            raise WorldClosed("this visit is over, and its world was released")

    def read(self, sql: str, values: Sequence[Any] = ()) -> list[Row]:
        return named(self.table(sql, values))

    def table(self, sql: str, values: Sequence[Any] = ()) -> Table:
        """What `read` gives, without the columns' names in each row. Raises `WorldClosed` after
        `release`."""
        with self.lock:
            self._check()
            cursor = self._database.execute(sql, values)
            return [column[0] for column in cursor.description], cursor.fetchall()

    def write(self, sql: str, values: Sequence[Any] = ()) -> int:
        """Run one statement and return the new row's id. Raises `WorldClosed`."""
        with self.lock:
            if self.closed:
                raise WorldClosed("this episode is closed; nothing was changed")
            self.writes += 1
            return self._database.execute(sql, values).lastrowid or 0

    def snapshot(self) -> Snapshot:
        """Every table as rows in their order of insertion."""
        with self.lock:
            return {
                name: self.read(f'SELECT * FROM "{name}" ORDER BY rowid')  # noqa: S608 (own name)
                for name in self._tables()
            }

    def digest(self) -> str:
        """SHA-256 of all rows but the journal's."""
        return hashlib.sha256(
            json.dumps(state(self.snapshot()), sort_keys=True).encode()
        ).hexdigest()

    def _tables(self) -> list[str]:
        rows = self.read(
            "SELECT name FROM sqlite_master WHERE type = 'table'"
            " AND name NOT LIKE 'sqlite%' ORDER BY name"
        )
        return [row["name"] for row in rows]


def named(table: Table) -> list[Row]:
    """The rows with the names of their columns."""
    names, rows = table
    return [dict(zip(names, row, strict=True)) for row in rows]


def state(snapshot: Snapshot) -> Snapshot:
    """A snapshot without the journal."""
    return {name: rows for name, rows in snapshot.items() if not name.startswith(JOURNAL)}


def _connect() -> sqlite3.Connection:
    return sqlite3.connect(":memory:", check_same_thread=False, isolation_level=None)


_EMPTY = threading.Lock()
"""Held while an empty database is copied."""


@cache
def _empty(schema: str) -> sqlite3.Connection:
    """A database with these tables, which is copied in a tenth of the time that they take."""
    made = _connect()
    made.executescript(schema)
    register(made.close)
    return made


MOST_NAMED = 2_000
"""A site opens this many sessions by name; each takes about 0.1 MB of memory."""


class TooManySessions(Exception):
    """The site has opened as many sessions by name as it may."""


class Worlds:
    """The open worlds of a site, by secret token (episodes) or by session (people).

    A world that an episode admits stays the episode's. One that is published or handed out belongs
    to these worlds: `release` releases it; `withdraw` returns it to the caller, who does.
    Sessions that visitors opened by naming them have a map of their own: none of them replaces or
    hides a world that was published or handed out.
    """

    def __init__(self) -> None:
        self._by_token: dict[str, World] = {}
        self._by_session: dict[str, World] = {}
        self._by_name: dict[str, World] = {}

    def admit(self, world: World) -> str:
        """Open a world for one episode; the token (128 bit) goes into the harness's cookie."""
        token = secrets.token_hex(16)
        self._by_token[token] = world
        return token

    def replace(self, token: str, world: World) -> None:
        """Make a token point to another world (a new attempt of the same episode)."""
        self._by_token[token] = world

    def revoke(self, token: str) -> None:
        self._by_token.pop(token, None)

    def publish(self, world: World) -> None:
        """Open a world to everyone who names its session."""
        self._by_session[world.session] = world

    def hand_out(self, world: World) -> str:
        """Open a world to whoever gets its address: a random session (128 bit)."""
        world.session = secrets.token_hex(16)
        self.publish(world)
        return world.session

    def withdraw(self, session: str) -> World | None:
        """Show this session's world to nobody any more; it is the caller's now."""
        return self._by_session.pop(session, None)

    def release(self) -> None:
        """Withdraw and release every world that no episode owns: the site closes."""
        for worlds in (self._by_session, self._by_name):
            while worlds:
                worlds.popitem()[1].release()

    def open_named(self, session: str, make: Callable[[str], World]) -> World:
        """Make and keep the world of a session that a visitor names first; it is never dropped.

        Raises `TooManySessions`, before anything is made.
        """
        if len(self._by_name) >= MOST_NAMED:
            raise TooManySessions
        made = make(session)
        kept = self._by_name.setdefault(session, made)
        if kept is not made:  # another request of the same visitor came first
            made.release()
        return kept

    def find(self, token: str | None, session: str | None) -> World | None:
        """The token's world, None for an unknown token; without a token the session's world."""
        if token:
            return self._by_token.get(token)
        if not session:
            return None
        return self._by_session.get(session) or self._by_name.get(session)
