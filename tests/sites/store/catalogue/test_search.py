"""Search: plain words in, the right products out, nothing is an operator, always in one order."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sites.store.catalogue.catalogue import Catalogue, build, open_catalogue
from sites.store.catalogue.generator import products
from sites.store.catalogue.product import Product
from sites.store.catalogue.search import LIMIT, TERMS, Search, document
from tests.measuring import DEEP


@pytest.fixture(scope="module")
def catalogue(tmp_path_factory: pytest.TempPathFactory) -> Catalogue:
    return open_catalogue(2000, 0, tmp_path_factory.mktemp("cache"))


@pytest.fixture(scope="module")
def search(catalogue: Catalogue) -> Search:
    return Search(catalogue.folder)


def twins(count: int) -> Iterator[Product]:
    """Products that no query can tell apart."""
    first, *others = products(count)
    return (replace(first, asin=product.asin) for product in (first, *others))


def test_a_product_is_found_by_its_name(catalogue: Catalogue, search: Search) -> None:
    for product in list(catalogue)[::97]:
        assert product.asin in search.search(product.name)


def test_a_type_is_found_by_its_name(catalogue: Catalogue, search: Search) -> None:
    for asin in search.search("yoga mat")[:10]:
        product = catalogue.get(asin)
        assert product and product.kind == "yoga mats"


@pytest.mark.parametrize(
    "part", ["name", "description", "first bullet", "option type", "option value"]
)
def test_these_are_searched(tmp_path: Path, part: str) -> None:
    plain = next(products(1))
    word = "zyzzyva"
    changed = {
        "name": replace(plain, name=f"{plain.name} {word}"),
        "description": replace(plain, description=f"{word}. {plain.description}"),
        "first bullet": replace(plain, bullets=(f"A {word}!", "other")),
        "option type": replace(plain, options={word: ("one",)}),
        "option value": replace(plain, options={"size": ("small", word.upper())}),
    }
    build(tmp_path / "shop", [changed[part]])
    assert Search(tmp_path / "shop").search(word) == [plain.asin]


def test_these_are_not_searched(tmp_path: Path) -> None:
    plain = next(products(1))
    hidden = replace(plain, attributes=("zyzzyva",), bullets=("first", "second zyzzyva"))
    build(tmp_path / "shop", [hidden])
    assert Search(tmp_path / "shop").search("zyzzyva") == []


def test_the_document_is_the_published_one() -> None:
    product = replace(
        next(products(1)),
        name="A Mat",
        description="Soft.",
        bullets=("First", "Second"),
        options={"color": ("red", "blue"), "size": ("s",)},
    )
    assert document(product) == "a mat soft. first color: red, blue, and size: s"
    assert document(replace(product, bullets=(), options={}, description="")) == "a mat"


def test_rare_words_weigh_more(catalogue: Catalogue, search: Search) -> None:
    product = next(iter(catalogue))
    found = [catalogue.get(asin) for asin in search.search(f"the mat for {product.brand}")[:3]]
    assert all(hit and hit.brand == product.brand for hit in found)


def test_no_more_than_the_limit(search: Search) -> None:
    assert len(search.search("color")) == LIMIT
    assert search.search("color", 7) == search.search("color")[:7]
    assert search.search("color", 0) == search.search("color", -1) == []


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("shoes AND red", "shoes red"),
        ("+shoes -red", "shoes red"),
        ("NOT shoes", "shoes"),
        ('"red shoes"', "red shoes"),
        ("text:shoes", "text shoes"),
        ("sho*", "sho"),
        ("shoes~2 red^9", "shoes 2 red 9"),
        ("[red TO shoes]", "red shoes"),
        ("(shoes) {red}", "shoes red"),
        ("RED ShOeS", "red shoes"),
        ("shoe", "shoes"),
        ("shoes shoes shoes", "shoes"),
        ("  shoes\n\tred ", "shoes red"),
        ("caf\u00e9 shoes", "cafe shoes"),
        ("shoes \U0001f45f", "shoes"),
        ("*", ""),
    ],
)
def test_nothing_is_an_operator(search: Search, written: str, meant: str) -> None:
    assert search.search(written) == search.search(meant)


@pytest.mark.parametrize("query", ["", " ", "the and of", "\U0001f45f\U0001f680", "\x00", "???"])
def test_nothing_to_look_for_finds_nothing(search: Search, query: str) -> None:
    assert search.search(query) == []


def test_a_very_long_query_is_cut_and_quick(search: Search) -> None:
    assert search.search("shoes " + "x" * 10_000) == search.search("shoes")
    many = " ".join(f"w{number}" for number in range(3000))
    assert len(search.words(many)) == TERMS
    assert search.search(f"shoes {many}") == search.search("shoes")


@given(query=st.text(max_size=200))
@example(query="a\ud800b shoes")
@example(query="\\" * 10_000)
@example(query='"' * 9_999 + "AND")
@example(query="/" * 50 + "(((((((")
@settings(derandomize=True, max_examples=150 if DEEP else 50, deadline=None)
def test_any_text_is_a_query(search: Search, query: str) -> None:
    found = search.search(query)
    assert len(found) == len(set(found)) <= LIMIT
    assert all(asin in search.catalogue for asin in found)


def test_equal_scores_are_in_the_catalogues_order(tmp_path: Path) -> None:
    build(tmp_path / "shop", twins(300))
    expected = [product.asin for product in products(300)][:LIMIT]
    assert Search(tmp_path / "shop").search("mat for beginners shoes") == expected


def test_another_build_ranks_the_same(tmp_path: Path, catalogue: Catalogue, search: Search) -> None:
    build(tmp_path / "shop", catalogue)
    reopened = Search(tmp_path / "shop")
    for product in list(catalogue)[::61]:
        assert reopened.search(product.name) == search.search(product.name)


def test_many_threads_get_the_same_answers(catalogue: Catalogue, search: Search) -> None:
    queries = [product.name for product in catalogue][:160]
    single = [search.search(query) for query in queries]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(search.search, queries)) == single


def test_the_index_is_built_once_and_is_read_only(catalogue: Catalogue, search: Search) -> None:
    (place,) = catalogue.folder.glob("index-*")
    before = {file.name: file.stat().st_mtime_ns for file in place.iterdir()}
    reopened = Search(catalogue.folder)
    assert reopened.search("shoes") == search.search("shoes")
    assert {file.name: file.stat().st_mtime_ns for file in place.iterdir()} == before
    assert len(os.listdir(catalogue.folder)) == 2


def test_an_empty_catalogue_finds_nothing(tmp_path: Path) -> None:
    build(tmp_path / "shop", ())
    assert Search(tmp_path / "shop").search("shoes") == []
