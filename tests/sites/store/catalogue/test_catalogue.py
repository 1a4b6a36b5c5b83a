"""The catalogue on disk: built once, whole or not at all, the same for everybody."""

from __future__ import annotations

import hashlib
import itertools
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from sites.store import load_data
from sites.store.catalogue import generator, search
from sites.store.catalogue.cache import CacheError, cache_folder
from sites.store.catalogue.catalogue import FILE, Catalogue, build, open_catalogue
from sites.store.catalogue.generator import products
from sites.store.catalogue.product import Product
from sites.store.shop.data import open_data
from tests import open_databases
from tests.measuring import unmeasured

OPEN = """
import sys
from pathlib import Path
from sites.store.catalogue.catalogue import open_catalogue
sys.stdin.read()
catalogue = open_catalogue(1500, 3, Path(sys.argv[1]))
print(catalogue.digest, len(list(catalogue)))
"""


@pytest.fixture(scope="module")
def catalogue(tmp_path_factory: pytest.TempPathFactory) -> Catalogue:
    return open_catalogue(1200, 0, tmp_path_factory.mktemp("cache"))


def test_it_gives_back_what_was_put_in(catalogue: Catalogue) -> None:
    assert list(catalogue) == list(products(1200))
    assert list(catalogue.asins()) == [product.asin for product in products(1200)]
    assert len(catalogue) == 1200


def test_a_product_is_found_by_its_asin(catalogue: Catalogue) -> None:
    wanted = next(itertools.islice(products(1200), 700, None))
    assert catalogue.get(wanted.asin) == wanted
    assert wanted.asin in catalogue


@pytest.mark.parametrize("asin", ["", "B0NOTHERE0", "' OR 1=1 --", "b" * 5000])
def test_an_unknown_asin_is_none(catalogue: Catalogue, asin: str) -> None:
    assert catalogue.get(asin) is None


def test_positions_give_asins_in_the_order_asked_for(catalogue: Catalogue) -> None:
    asins = list(catalogue.asins())
    assert catalogue.at([5, 0, 1199]) == [asins[5], asins[0], asins[1199]]
    assert catalogue.at([]) == []


def test_the_digest_is_that_of_the_lines(catalogue: Catalogue) -> None:
    lines = "".join(f"{product.to_json()}\n" for product in products(1200))
    assert catalogue.digest == hashlib.sha256(lines.encode()).hexdigest()


def test_the_file_cannot_be_written_through_a_catalogue(catalogue: Catalogue) -> None:
    before = (catalogue.folder / FILE).read_bytes()
    with pytest.raises(Exception, match="readonly"):
        catalogue._rows("DELETE FROM products")
    assert (catalogue.folder / FILE).read_bytes() == before


def test_it_is_built_once(tmp_path: Path) -> None:
    first = open_catalogue(50, 0, tmp_path)
    made = (first.folder / FILE).stat().st_mtime_ns
    assert (open_catalogue(50, 0, tmp_path).folder / FILE).stat().st_mtime_ns == made


def test_size_seed_and_generator_name_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = {open_catalogue(*asked, tmp_path).name for asked in ((10, 0), (11, 0), (10, 1))}
    monkeypatch.setattr(generator, "digest", lambda: "another version of the generator")
    names.add(open_catalogue(10, 0, tmp_path).name)
    assert len(names) == 4


def test_what_the_generator_depends_on_is_in_its_digest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = generator.digest()
    (tmp_path / "fashion.toml").write_text("category = 'other'")
    monkeypatch.setattr(generator, "WORDS", tmp_path)
    generator.digest.cache_clear()
    assert generator.digest() != before
    monkeypatch.undo()
    generator.digest.cache_clear()
    assert generator.digest() == before


def test_a_failed_build_leaves_nothing(tmp_path: Path) -> None:
    def broken() -> Iterator[Product]:
        yield from products(600)
        raise RuntimeError("the source broke off")

    with pytest.raises(RuntimeError, match="broke off"):
        build(tmp_path / "shop", broken())
    assert list(tmp_path.iterdir()) == []


def test_an_asin_twice_is_refused_by_name(tmp_path: Path) -> None:
    twice = [*products(700), next(itertools.islice(products(700), 600, None))]
    with pytest.raises(ValueError, match=twice[-1].asin):
        build(tmp_path / "shop", twice)
    assert list(tmp_path.iterdir()) == []


def test_an_empty_catalogue_is_one(tmp_path: Path) -> None:
    empty = build(tmp_path / "shop", ())
    assert len(empty) == 0 and list(empty) == [] and empty.get("B000000000") is None


def test_a_folder_without_catalogue_says_what_to_do(tmp_path: Path) -> None:
    before = open_databases.opened()
    with pytest.raises(CacheError, match="remove its folder"):
        Catalogue(tmp_path)
    (tmp_path / FILE).write_bytes(b"not a database" * 100)
    with pytest.raises(CacheError, match="remove its folder") as raised:
        Catalogue(tmp_path)
    assert raised.traceback and open_databases.opened() <= before


def test_data_that_cannot_be_opened_leave_nothing_open(monkeypatch, tmp_path: Path) -> None:
    """The catalogue is there; its index is not and cannot be built."""
    folder = open_catalogue(20, 0, tmp_path).folder
    monkeypatch.setattr(search, "build_once", refused)
    before = open_databases.opened()
    for opened in (lambda: load_data(20, 0, tmp_path), lambda: open_data(folder)):
        with pytest.raises(CacheError, match="no room") as raised:
            opened()
        assert raised.traceback and open_databases.opened() <= before


def refused(*_: object) -> None:
    raise CacheError("no room", "make room")


@pytest.mark.wide
def test_closing_the_data_closes_the_market_too(tmp_path: Path) -> None:
    before = open_databases.opened()
    data = load_data(20, 0, tmp_path)
    assert data.market.catalogue
    assert len(open_databases.opened() - before) == 4
    data.close()
    assert open_databases.opened() <= before


def test_a_cache_that_cannot_be_written_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(CacheError, match="set REHEARSE_CACHE"):
        open_catalogue(5, 0, tmp_path / "file")


@pytest.mark.wide
@unmeasured()
def test_two_processes_at_once_end_with_one_good_catalogue(tmp_path: Path) -> None:
    command = [sys.executable, "-c", OPEN, str(tmp_path)]
    both = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    for process in both:
        assert process.stdin is not None
        process.stdin.close()
        process.stdin = None
    outputs = {process.communicate()[0] for process in both}
    assert outputs == {f"{open_catalogue(1500, 3, tmp_path).digest} 1500\n"}
    assert len(os.listdir(tmp_path / "store")) == 1


def test_a_build_that_comes_second_uses_the_first(tmp_path: Path) -> None:
    folder = tmp_path / "shop"

    def overtaken() -> Iterator[Product]:
        yield from products(20)
        build(folder, products(20))

    assert list(build(folder, overtaken())) == list(products(20))
    assert os.listdir(tmp_path) == ["shop"]


def test_many_threads_read_it(catalogue: Catalogue) -> None:
    asins = list(catalogue.asins())
    start = threading.Barrier(8)

    def read(first: int) -> list[str]:
        start.wait()
        found = [catalogue.get(asin) for asin in asins[first::8]]
        assert len(list(catalogue)) == 1200
        return [product.asin for product in found if product]

    with ThreadPoolExecutor(8) as pool:
        assert [asin for part in pool.map(read, range(8)) for asin in part] == [
            asin for first in range(8) for asin in asins[first::8]
        ]


def test_a_reader_may_read_on_while_it_iterates(catalogue: Catalogue) -> None:
    for product in itertools.islice(catalogue, 600):
        assert catalogue.get(product.asin) == product


@pytest.mark.parametrize(
    ("own", "xdg", "folder"),
    [
        ("/data/cache", "/xdg", "/data/cache"),
        ("", "/xdg", "/xdg/rehearsal"),
        ("", "relative", "/home/me/.cache/rehearsal"),
        ("", "", "/home/me/.cache/rehearsal"),
    ],
)
def test_where_the_cache_is(
    monkeypatch: pytest.MonkeyPatch, own: str, xdg: str, folder: str
) -> None:
    monkeypatch.setenv("REHEARSE_CACHE", own)
    monkeypatch.setenv("XDG_CACHE_HOME", xdg)
    monkeypatch.setenv("HOME", "/home/me")
    assert cache_folder() == Path(folder)
