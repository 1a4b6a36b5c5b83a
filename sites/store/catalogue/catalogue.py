"""The catalogue: products in a SQLite file, which is written once and then only read."""

from __future__ import annotations

import hashlib
import itertools
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from functools import lru_cache
from pathlib import Path
from typing import Any
from weakref import finalize

from sites.store.catalogue import generator
from sites.store.catalogue.cache import CacheError, build_once, cache_folder
from sites.store.catalogue.product import Product

FILE = "products.sqlite"
SCHEMA = """
CREATE TABLE products (position INTEGER PRIMARY KEY, asin TEXT UNIQUE NOT NULL, line TEXT NOT NULL);
CREATE TABLE about (size INTEGER NOT NULL, digest TEXT NOT NULL);
"""
PAGE, PAGE_LETTERS = 500, 10_000_000


class Catalogue:
    """The read-only products of one folder, in a fixed order; every method is thread-safe.

    The caller closes the catalogue. `digest` is the SHA-256 of the products' canonical lines, and
    `name` is the name of the folder.

    Raises:
        CacheError: If the folder holds no catalogue.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.name = folder.name
        self._lock = threading.Lock()
        self._database, self._size, self.digest = _open(folder / FILE)
        self._end = finalize(self, self._database.close)
        self._remembered = lru_cache(maxsize=1024)(self._read)

    def get(self, asin: str) -> Product | None:
        """Return the product with this asin (product code), or None."""
        return self._remembered(asin)

    def at(self, positions: Sequence[int]) -> list[str]:
        """Return the asins (product codes) at these positions (from 0) of the catalogue, in the
        order of the positions.
        """
        marks = ",".join("?" * len(positions))
        sql = f"SELECT position, asin FROM products WHERE position IN ({marks})"  # noqa: S608
        found = dict(self._rows(sql, positions))
        return [found[position] for position in positions]

    def asins(self) -> Iterator[str]:
        """Yield all asins (product codes), in the order of the catalogue."""
        return (asin for asin, _ in self._pages())

    def __iter__(self) -> Iterator[Product]:
        return (Product.from_json(line) for _, line in self._pages())

    def __len__(self) -> int:
        return self._size

    def __contains__(self, asin: object) -> bool:
        return isinstance(asin, str) and self.get(asin) is not None

    def close(self) -> None:
        """Close the catalogue's file."""
        with self._lock:
            self._end.detach()
            self._database.close()

    def _read(self, asin: str) -> Product | None:
        rows = self._rows("SELECT line FROM products WHERE asin = ?", (asin,))
        return Product.from_json(rows[0][0]) if rows else None

    def _pages(self) -> Iterator[tuple[str, str]]:
        """Yield each product as a pair of its asin (product code) and its line of JSON.

        The lock is held while a page of rows is read, but never while the caller works.
        """
        sql = "SELECT asin, line FROM products WHERE position >= ? AND position < ?"
        for start in range(0, len(self), PAGE):
            yield from self._rows(f"{sql} ORDER BY position", (start, start + PAGE))

    def _rows(self, sql: str, values: Sequence[Any] = ()) -> list[Any]:
        with self._lock:
            return self._database.execute(sql, values).fetchall()


def build(folder: Path, products: Iterable[Product]) -> Catalogue:
    """Write the products into `folder`, unless it exists already, and open it.

    The products are streamed: memory does not grow with their number.

    Args:
        folder: The folder of the catalogue.
        products: The products to write.

    Raises:
        CacheError: If the folder cannot be written.
        ValueError: If two products have the same asin.
    """
    build_once(folder, lambda temporary: write(temporary, products))
    return Catalogue(folder)


def open_catalogue(size: int = 1000, seed: int = 0, cache: Path | None = None) -> Catalogue:
    """Return the generated catalogue of this size and seed, which is built on first use.

    The name of its folder contains a digest of the generator, so that a catalogue by another
    version of the generator is never used.

    Args:
        size: The number of products.
        seed: The seed of the generator.
        cache: The folder of the cache; None for the usual folder.
    """
    name = f"products-{size}-{seed}-{generator.digest()[:16]}"
    return build((cache or cache_folder()) / "store" / name, generator.products(size, seed))


def _open(file: Path) -> tuple[sqlite3.Connection, int, str]:
    """Return the read-only database in a file, the number of its products, and their digest."""
    address = f"{file.absolute().as_uri()}?mode=ro&immutable=1"
    try:
        with ExitStack() as failed:
            database = sqlite3.connect(address, uri=True, check_same_thread=False)
            failed.callback(database.close)
            size, digest = database.execute("SELECT size, digest FROM about").fetchone()
            failed.pop_all()
    except sqlite3.Error as error:
        raise CacheError(
            f"{file} is no catalogue ({error})", "remove its folder and it is built again"
        ) from None
    return database, size, digest


def write(folder: Path, products: Iterable[Product]) -> None:
    """Write the products into a catalogue's file in a temporary folder that `build_once`
    has made.
    """
    file = folder / FILE
    database = sqlite3.connect(file, isolation_level=None)
    try:
        database.executescript(SCHEMA)
        database.execute("BEGIN")
        database.execute("INSERT INTO about VALUES (?, ?)", _insert(database, products))
        database.execute("COMMIT")
    except sqlite3.OperationalError as error:
        hint = "make room or set REHEARSE_CACHE to another folder"
        raise CacheError(f"cannot write {file} ({error})", hint) from None
    finally:
        database.close()


def _page(stream: Iterator[Product]) -> list[Product]:
    """Return the next products of the stream for writing: `PAGE` of them, or fewer if their
    descriptions are long.
    """
    page: list[Product] = []
    letters = 0
    while len(page) < PAGE and letters < PAGE_LETTERS and (product := next(stream, None)):
        page.append(product)
        letters += len(product.description)
    return page


def _insert(database: sqlite3.Connection, products: Iterable[Product]) -> tuple[int, str]:
    """Insert the products into the database; return their number and the digest of their lines."""
    digest, position = hashlib.sha256(), 0
    stream = iter(products)
    while page := _page(stream):
        lines = [product.to_json() for product in page]
        digest.update("".join(f"{line}\n" for line in lines).encode())
        rows = zip(itertools.count(position), (p.asin for p in page), lines, strict=False)
        try:
            database.executemany("INSERT INTO products VALUES (?, ?, ?)", rows)
        except sqlite3.IntegrityError:
            (inserted,) = database.execute("SELECT count(*) FROM products").fetchone()
            asin = page[inserted - position].asin
            raise ValueError(f"two products have the asin {asin}; keep one of them") from None
        position += len(page)
    return position, digest.hexdigest()
