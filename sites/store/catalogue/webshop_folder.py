"""A folder of WebShop's own files, built once into a catalogue with goals in the cache.

The folder holds one `items_shuffle*.json` (products) and one `items_human_ins*.json` (annotators'
goals) or `items_ins_v2*.json` (mined attributes and synthetic goals). If it holds both, the goals
are the annotators'. As in WebShop's published code, the goals are shuffled with the seed 233, and
the first 500 are the test split.
"""

from __future__ import annotations

import hashlib
import json
import random
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from sites.store.catalogue import catalogue
from sites.store.catalogue.cache import CacheError, build_once, cache_folder
from sites.store.catalogue.catalogue import Catalogue
from sites.store.catalogue.webshop_files import (
    Goal,
    WebShopFileError,
    human_goals,
    read_products,
    synthetic_goals,
)
from sites.store.catalogue.webshop_limits import MOST_STREAMED, opened

ITEMS, MINED, HUMAN = "items_shuffle*.json", "items_ins_v2*.json", "items_human_ins*.json"
GOALS, SKIPPED = "goals.sqlite", "skipped.json"
SHUFFLE = 233
VERSION = 1
"""The version of the cached catalogue, a part of the name of its folder.

Raise it when the contents that are read, or the way to read them, change.
"""
SCHEMA = """
CREATE TABLE goals (position INTEGER PRIMARY KEY, line TEXT NOT NULL);
CREATE TABLE about (size INTEGER NOT NULL, digest TEXT NOT NULL);
"""


class Goals:
    """The WebShop goals of a built catalogue, in their shuffled order.

    Raises:
        CacheError: If the folder holds no goals.
    """

    def __init__(self, folder: Path) -> None:
        self._address = f"{(folder / GOALS).absolute().as_uri()}?mode=ro&immutable=1"
        ((self._size, self.digest),) = self._rows("SELECT size, digest FROM about")

    def __len__(self) -> int:
        return int(self._size)

    def __getitem__(self, position: int) -> Goal:
        rows = self._rows(f"SELECT line FROM goals WHERE position = {int(position)}")  # noqa: S608
        if not rows:
            raise IndexError(f"there is no goal {position}: the catalogue has {len(self)}")
        return Goal.from_json(rows[0][0])

    def _rows(self, sql: str) -> list[tuple[str, ...]]:
        try:
            database = sqlite3.connect(self._address, uri=True)
            try:
                return database.execute(sql).fetchall()
            finally:
                database.close()
        except sqlite3.Error as error:
            raise CacheError(
                f"{self._address} holds no goals ({error})",
                "remove its folder and it is built again",
            ) from None


@dataclass(frozen=True)
class SourceFiles:
    """The paths of WebShop's files in a folder; missing files are None."""

    items: Path
    mined: Path | None
    human: Path | None

    @property
    def all(self) -> list[Path]:
        """Return the paths of the files that exist."""
        return [file for file in (self.items, self.mined, self.human) if file]

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of the files' contents, each in its role."""
        total = hashlib.sha256()
        for file in (self.items, self.mined, self.human):
            total.update(_bytes_digest(file) if file else b"none")
        return total.hexdigest()


@dataclass
class _Skipped:
    """A counter of bad entries that were left out; it keeps the first few error messages."""

    count: int = 0
    first: list[str] = field(default_factory=list)

    def __call__(self, error: WebShopFileError) -> None:
        self.count += 1
        self.first += [str(error)] if len(self.first) < MOST_NAMED else []


MOST_NAMED = 3


def source_files(folder: Path) -> SourceFiles:
    """Find WebShop's files in a folder.

    Raises:
        WebShopFileError: If files are missing, or if there are two of a kind.
    """
    items, mined, human = (_only(folder, pattern) for pattern in (ITEMS, MINED, HUMAN))
    if items is None:
        raise WebShopFileError(f"{folder} holds no {ITEMS}", "put WebShop's product file there")
    if mined is None and human is None:
        raise WebShopFileError(
            f"{folder} holds neither {HUMAN} nor {MINED}", "put one of WebShop's goal files there"
        )
    return SourceFiles(items, mined, human)


def _only(folder: Path, pattern: str) -> Path | None:
    """Return the only file that matches a pattern, or None."""
    found = sorted(folder.glob(pattern))
    if len(found) > 1:
        names = " and ".join(file.name for file in found[:2])
        raise WebShopFileError(f"{folder} holds {names}", "leave one of them there")
    return found[0] if found else None


def _bytes_digest(file: Path) -> bytes:
    try:
        with opened(file, MOST_STREAMED) as source:
            return hashlib.file_digest(source, "sha256").digest()
    except OSError as error:
        raise WebShopFileError(f"cannot read {file}: {error.strerror}") from None


def build(folder: Path, skip_bad: bool = False, cache: Path | None = None) -> Path:
    """Return the folder in the cache with the products and goals of these files, built on first
    use.

    Args:
        folder: The folder with WebShop's files.
        skip_bad: Whether bad entries are left out instead of raised.
        cache: The folder of the cache; None for the usual folder.

    Raises:
        WebShopFileError: If a file is missing, unreadable, or of another format.
        CacheError: If the cache cannot be written.
    """
    files = source_files(folder)
    name = f"webshop-{files.digest[:16]}-{VERSION}{'-skipped' if skip_bad else ''}"
    place = (cache or cache_folder()) / "store" / name
    build_once(place, lambda temporary: _make(temporary, files, skip_bad))
    return place


def skipped(folder: Path) -> tuple[int, list[str]]:
    """Return how many bad entries a built catalogue left out, and the first few messages."""
    about = folder / SKIPPED
    if not about.exists():
        return 0, []
    count, first = json.loads(about.read_text(encoding="utf-8"))
    return count, first


def _make(temporary: Path, files: SourceFiles, skip_bad: bool) -> None:
    bad = _Skipped()
    on_bad = bad if skip_bad else None
    catalogue.write(temporary, read_products(files.items, files.mined, on_bad=on_bad))
    products = Catalogue(temporary)
    try:
        make, source = (human_goals, files.human) if files.human else (synthetic_goals, files.mined)
        assert source is not None, "`source_files` has found one of them"
        goals = make(products, source, on_bad=on_bad)
    finally:
        products.close()
    if not goals:
        raise WebShopFileError(f"{source.name}: no goal is for a product of {files.items.name}")
    random.Random(SHUFFLE).shuffle(goals)
    _write_goals(temporary / GOALS, goals)
    about = json.dumps([bad.count, bad.first])
    (temporary / SKIPPED).write_text(about, encoding="utf-8")


def _write_goals(file: Path, goals: list[Goal]) -> None:
    digest = hashlib.sha256()
    database = sqlite3.connect(file)

    def lines() -> Iterator[tuple[int, str]]:
        for position, goal in enumerate(goals):
            line = goal.to_json()
            digest.update(f"{line}\n".encode())
            yield position, line

    try:
        with database:
            database.executescript(SCHEMA)
            database.executemany("INSERT INTO goals VALUES (?, ?)", lines())
            database.execute("INSERT INTO about VALUES (?, ?)", (len(goals), digest.hexdigest()))
    except sqlite3.OperationalError as error:
        hint = "make room or set REHEARSE_CACHE to another folder"
        raise CacheError(f"cannot write {file} ({error})", hint) from None
    finally:
        database.close()
