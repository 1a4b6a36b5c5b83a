"""Tests fail if our code drops a database that it should have closed, on every Python.

Python 3.13 warns of databases that nobody closed; older ones do not. Here every database notes who
must close it, and warns if that owner drops it open. The owner is the first caller that does not
return it to its own caller. What a test opens itself it may drop: `World` and `Catalogue` close
their databases then.
"""

from __future__ import annotations

import re
import sqlite3
import sys
import warnings
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

ROOT = Path(__file__).parents[1]
OURS = ("agent", "sites", "scenarios", "evaluators", "tools", "rehearse.py")
MAKERS = {
    *("sites/world.py", "sites/store/catalogue/catalogue.py", "sites/store/shop/data.py"),
    *("sites/store/market/goods/stock.py", "sites/store/catalogue/search.py"),
    *("sites/store/catalogue/stock.py", "sites/joint.py"),
    *("evaluators/server/sessions.py", "evaluators/server/app.py"),
}
"""Files whose functions return what they open to their caller."""
HANDS_ON = re.compile(r"(?:|.*_)world")
"""Names of other functions that do: `new_world`, `Family.world`."""
KEPT = {"StoreData.market", "_empty", "_own_data", "_kept_plan"}
"""Functions that open at the first use what stays open for all: until the data are closed, or the
process ends."""

_open: weakref.WeakSet[WatchedDatabase] = weakref.WeakSet()


class WatchedDatabase(sqlite3.Connection):
    """A connection that knows the function of ours that must close it, "" if a test must."""

    owner: str = ""
    is_open = False
    """False too if there was no file to open."""

    def close(self) -> None:
        super().close()
        was_open, self.is_open = self.is_open, False
        if was_open and _is_collected(sys._getframe().f_back):
            self._report()

    def __del__(self) -> None:
        if self.is_open:
            self.is_open = False
            super().close()
            self._report()

    def _report(self) -> None:
        if self.owner:
            warnings.warn(f"{self.owner} dropped an open database", ResourceWarning, stacklevel=2)


def watch() -> None:
    """Let `sqlite3.connect` make watched databases."""
    connect = sqlite3.connect

    def watched(*args: Any, **options: Any) -> sqlite3.Connection:
        database = connect(*args, **{"factory": WatchedDatabase, **options})
        if isinstance(database, WatchedDatabase):
            database.owner, database.is_open = owner(sys._getframe(1)), True
            _open.add(database)
        return database

    sqlite3.connect = watched


def opened() -> set[WatchedDatabase]:
    """The databases of this process that are open now."""
    return {database for database in [*_open] if database.is_open}


@contextmanager
def nothing_left() -> Iterator[None]:
    """Fail if a function of ours leaves open what it opened in the block."""
    before = opened()
    yield
    left = sorted(database.owner for database in opened() - before if database.owner)
    assert not left, left


def owner(frame: FrameType | None) -> str:
    """The file and function that must close what is opened here; "" if that is a test."""
    while frame is not None:
        code, path = frame.f_code, Path(frame.f_code.co_filename)
        file = str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else ""
        if code.co_qualname in KEPT:
            return ""
        if not HANDS_ON.fullmatch(code.co_name) and file not in MAKERS:
            if file.startswith("tests/"):
                return ""
            if file.partition("/")[0] in OURS:
                return f"{file}::{code.co_qualname}"
        frame = frame.f_back
    return ""


def _is_collected(caller: FrameType | None) -> bool:
    """Whether a finalizer closes, for nobody else did."""
    return caller is not None and caller.f_code.co_filename == weakref.__file__
