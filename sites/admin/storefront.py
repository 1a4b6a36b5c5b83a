"""The pages of the shop that customers see, over the world of the back office. They only show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sites._kit.declare import Column, Link, Page, Show
from sites.shop.site import OPTIONS, SITE

OWN = "home", "department", "category", "product", "reviews"
"""The pages of the shop that are taken over."""


def _link(link: Link) -> Link:
    """Return a link between the pages of the shop with their names here."""
    return replace(link, to=f"shop_{link.to}", word=f"shop_{link.label}")


def _links(links: Sequence[Link]) -> tuple[Link, ...]:
    return tuple(_link(each) for each in links if each.to in OWN)


def _columns(columns: Sequence[str | Column]) -> tuple[str | Column, ...]:
    """Return parts of rows or records with the words of the shop by their names here."""
    return tuple(
        each if isinstance(each, str) else replace(each, shows=tuple(map(_show, each.shows)))
        for each in columns
    )


def _show(show: Show) -> Show:
    return replace(show, of=f"shop_{show.of}") if show.kind in ("word", "link") else show


def _page(page: Page) -> Page:
    listing = VARIANTS if page.listing is OPTIONS else page.listing
    assert listing
    return replace(
        page,
        name=f"shop_{page.name}",
        address=f"/shop{page.address}".rstrip("/"),
        links=_links(page.links) or HOME * (page.name != "home"),
        forms=(),
        listing=replace(
            listing, forms=(), links=_links(listing.links), columns=_columns(listing.columns)
        ),
        shows=tuple(replace(each, shows=tuple(map(_show, each.shows))) for each in page.shows),
    )


HOME = (Link("shop_home"),)
VARIANTS = replace(OPTIONS, key=("variant",), columns=("choice", *OPTIONS.columns[1:3]))
"""The variants of a product, with their prices and stock."""
PAGES = tuple(_page(SITE.page[each]) for each in OWN)
"""The pages of the shop, as the back office opens them."""
