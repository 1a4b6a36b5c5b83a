"""A list may keep its filters until the visitor clears them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sites.kit import Map, Place, changes, create_app
from sites.site_app import COOKIE
from sites.world import Worlds
from tests.sites.kit import library

HOME = next(each for each in library.PAGES if each.name == "home").listing
SITE = replace(
    library.with_page("home", listing=replace(HOME, kept=True)),
    skins=(replace(library.PLAIN, words=library.WORDS | {"clear": "Clear all"}),),
)


@pytest.fixture
def kept(tmp_path):
    """A client of the library whose first page keeps its filters, and the world."""
    worlds = Worlds()
    client = create_app(SITE, tmp_path, worlds).test_client()
    with library.world() as world:
        client.set_cookie(COOKIE, worlds.admit(world))
        yield client, world


def path(client, url):
    """The address that an address leads to."""
    return client.get(url, follow_redirects=True).request.full_path.rstrip("?")


def test_a_filter_stays_until_it_is_cleared(kept):
    client, world = kept
    assert path(client, "/") == "/"
    assert path(client, "/?shelf=Chess&q=") == "/?shelf=Chess&q="
    assert path(client, "/") == "/?shelf=Chess"
    assert path(client, "/?sort=title") in ("/?shelf=Chess&sort=title", "/?shelf=Chess")
    assert "Clear all" in client.get("/?shelf=Chess").text
    assert "Clear all" not in client.get("/?q=").text
    assert path(client, "/") == "/"
    assert changes(SITE, world.read("SELECT * FROM log_change")) == []


def test_another_filter_takes_its_place(kept):
    client, _ = kept
    client.get("/?shelf=Chess")
    client.get("/?shelf=Bees")
    assert path(client, "/?page=2") == "/?shelf=Bees"


def test_the_map_knows_where_the_links_of_a_filtered_list_lead(kept):
    client, world = kept
    filtered = Place.of("home", {"shelf": "Chess"})
    found = Map(SITE, world)
    assert Place.of("home", {}) not in [to for _, to in found.links(filtered)]
    assert filtered in [to for _, to in found.links(filtered)]
    page = client.get("/?shelf=Chess").text
    assert all(f'href="{found.url(to)}"'.replace("&", "&amp;") in page
               for _, to in found.links(filtered))  # fmt: skip
