"""What an address is written with is read from it, and two addresses meet if a path is of both."""

from __future__ import annotations

from itertools import product
from urllib.parse import unquote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sites._kit.addresses import early, match, meet, names, slots, write
from sites.kit import Map, Place, create_app
from sites.site_app import COOKIE
from sites.world import Worlds
from tests.sites.kit import library

FILE = "/file/<branch>/<*file>"
TEXT = st.text(min_size=1, max_size=12) | st.sampled_from(
    (
        "a b",
        "100%",
        "%2F",
        "%",
        "..",
        ".",
        "é",
        "日本",
        "?a=b#c",
        "&amp;",
        "+",
        "<*file>",
        ";",
        "\\",
    )
)
REST = st.lists(TEXT, min_size=1, max_size=4).map("/".join) | st.sampled_from(
    ("a/b", "a//b", "/a", "a/", "docs/a b.html", "é/%2F/%25")
)
WORDS = ("a", "b", "")
PARTS = st.sampled_from(("a", "b", "<x>", "<y>"))
ADDRESSES = st.builds(
    lambda parts, rest: "/".join(("", *parts, *rest)),
    st.lists(PARTS, max_size=3),
    st.sampled_from(((), ("<*z>",))),
).map(lambda address: address or "/")


def read(address, url):
    """The arguments of a written address, as a server reads them."""
    return match(address, [unquote(part) for part in url.split("/")])


def test_names():
    assert names("/") == names("/file") == []
    assert names(FILE) == ["branch", "file"]
    assert slots(FILE) == ["<branch>", "<*file>"]
    assert early(FILE) == []
    assert early("/<*file>/edit") == ["<*file>"]


@given(branch=TEXT, file=REST)
def test_what_is_written_is_read(branch, file):
    args = {"branch": branch, "file": file}
    url = write(FILE, args)
    assert read(FILE, url) == args
    assert url.isascii()
    assert url.count("/") == 3 + file.count("/")


@given(name=REST)
def test_an_argument_without_a_star_is_one_part(name):
    url = write("/book/<name>", {"name": name})
    assert url.count("/") == 2
    assert read("/book/<name>", url) == {"name": name}


@pytest.mark.parametrize(
    "path", ["/", "/file", "/file/main", "/file/main/", "/file//a", "/files/main/a", "file/main/a"]
)
def test_a_path_of_another_address_is_not_read(path):
    assert match(FILE, path.split("/")) is None


@given(ADDRESSES, ADDRESSES)
@settings(max_examples=150)
def test_two_addresses_meet_exactly_if_a_path_is_of_both(one, other):
    longest = 1 + max(one.count("/"), other.count("/"))
    paths = (("", *path) for size in range(1, longest + 1) for path in product(WORDS, repeat=size))
    both = [each for each in paths if None not in (match(one, each), match(other, each))]
    assert meet(one, other) == meet(other, one) == bool(both)


@given(name=REST.filter(str.isprintable))
@settings(
    derandomize=True,
    deadline=None,
    max_examples=30,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_a_page_whose_key_has_slashes_is_opened_at_its_address(tmp_path, name):
    site = library.with_page("shelf", address="/shelf/<*shelf>")
    worlds = Worlds()
    client = create_app(site, tmp_path, worlds).test_client()
    with library.world() as world:
        client.set_cookie(COOKIE, worlds.admit(world))
        world.write("INSERT OR IGNORE INTO shelves VALUES (?)", (name,))
        place = Place.of("shelf", {"shelf": name})
        url = Map(site, world).url(place)
        assert Map(site, world).place(url) == place
        assert client.get(url).status_code == 200
