from __future__ import annotations

from urllib.parse import parse_qsl, unquote, urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sites.store.shop.address import (
    DIRECTIONS,
    SORTS,
    Listing,
    Visit,
    picture,
    read_keywords,
    read_listing,
    read_options,
    split_query,
)
from tests.measuring import DEEP

TEXT = st.text(max_size=20)


@settings(derandomize=True, max_examples=200 if DEEP else 60)
@given(st.dictionaries(TEXT, TEXT, max_size=4))
def test_options_survive_the_address(options):
    encodable = {
        key.encode("utf-8", "replace").decode(): value.encode("utf-8", "replace").decode()
        for key, value in options.items()
    }
    address = Visit("s").done("A", encodable)
    segments = address.split("/")
    assert segments[:4] == ["", "done", "s", "A"]
    assert len(segments) == 5
    assert read_options(unquote(segments[4])) == encodable


@settings(derandomize=True, max_examples=200 if DEEP else 60)
@given(st.text(max_size=60))
def test_keywords_survive_the_address(query):
    keywords = split_query(query.encode("utf-8", "replace").decode())
    segments = Visit("s", keywords, 3).results().split("/")
    assert segments[:3] == ["", "search_results", "s"]
    assert segments[4:] == ["3"]
    assert read_keywords(unquote(segments[3])) == keywords


@pytest.mark.parametrize(
    ("text", "keywords"),
    [
        ('["red","shoes"]', ("red", "shoes")),
        ("['red', 'shoes']", ("red", "shoes")),
        ("[\"it's\", '5\"']", ("it's", '5"')),
        (r"['it\'s', 'a\\b', '\u00e9', '\xe9']", ("it's", r"a\b", "é", "é")),
        ("['a',]", ("a",)),
        (" [ ] ", ()),
        ("red+shoes", ("red", "shoes")),
        ("red shoes", ("red", "shoes")),
        ("red", ("red",)),
        ("<r>", ("<r>",)),
        ("{'a':'b'}", ("{'a':'b'}",)),
        ("", ()),
        (r'["\ud83d\ude00"]', ("😀",)),
        (r'["\ud83d"]', ("\ufffd",)),
        (r'["a\u0000\nb"]', ("a", "b")),
    ],
)
def test_keywords_of_every_client_are_read(text, keywords):
    assert read_keywords(text) == keywords


@pytest.mark.parametrize(
    "text",
    ["[", "[a]", "['a' 'b']", "[1]", "[['a']]", "['a', ['b']]", "['a'] + ['b']", "[x for x in y]"],
)
def test_what_is_no_list_of_strings_is_refused(text):
    with pytest.raises(ValueError):
        read_keywords(text)


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("{}", {}),
        ('{"color":"red","size":"8 | 9"}', {"color": "red", "size": "8 | 9"}),
        ("{'color': 'red', 'size': \"7'\"}", {"color": "red", "size": "7'"}),
        (r'{"a":"1\u002f2"}', {"a": "1/2"}),
    ],
)
def test_options_of_every_client_are_read(text, options):
    assert read_options(text) == options


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "{'a'}",
        "{'a': 1}",
        "{'a': {'b': 'c'}}",
        "{'a': 'b' 'c'}",
        "{**{}}",
        "dict(a='b')",
        "__import__('os').system('true')",
        "{'a': __import__('os')}",
        "null",
    ],
)
def test_what_is_no_mapping_of_strings_is_refused(text):
    with pytest.raises(ValueError):
        read_options(text)


@pytest.mark.parametrize("opening", ["[", "{", "['", '["', "{'a':", "[" + "'a'," * 9_000 + "'"])
def test_long_nonsense_is_refused_quickly(opening):
    with pytest.raises(ValueError):
        read_keywords("[" + opening * (40_000 // len(opening)))


def test_pictures_name_their_options():
    assert picture("A", {}) == "/picture/A.svg"
    assert picture("A", {"color": "black | white"}) == "/picture/A.svg?color=black%20%7C%20white"


@pytest.mark.parametrize("page", [1, 7])
@pytest.mark.parametrize("sort", SORTS)
@pytest.mark.parametrize("direction", DIRECTIONS)
def test_a_listing_survives_its_address(page, sort, direction):
    listing = Listing("running shoes", page, sort, direction)
    address = urlsplit(Visit("s").category(listing))
    assert address.path == "/category/s/running%20shoes"
    assert read_listing("running shoes", dict(parse_qsl(address.query))) == listing


def test_what_is_usual_stands_in_no_address():
    assert Visit("s").category(Listing("garden")) == "/category/s/garden"
    sorted_ = Visit("s").category(Listing("garden", 2, "price", "desc"))
    assert sorted_ == "/category/s/garden?page=2&sort=price&direction=desc"
    assert (Visit("s").orders(), Visit("s").orders(2)) == (
        "/account/s/orders",
        "/account/s/orders?page=2",
    )
    assert Visit("s").sub_page("A", "Reviews", {}, 2).endswith("/Reviews/%7B%7D?page=2")


@pytest.mark.parametrize(
    "query",
    [
        {"page": ""},
        {"page": "-1"},
        {"page": "٣"},
        {"page": "1e3"},
        {"page": "9" * 5000},
        {"sort": "asin"},
        {"sort": ""},
        {"direction": "up"},
    ],
)
def test_listings_that_do_not_exist_are_refused(query):
    with pytest.raises(ValueError):
        read_listing("garden", query)
