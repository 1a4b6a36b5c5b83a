"""Functions that write and parse the addresses of WebShop's pages.

Keywords and options are segments of the path. We write them as JSON. We also read Python literals
(WebShop's web application writes these) and, for keywords, `a+b` (WebShop's text environment). No
text is evaluated: anything but a flat list or mapping of strings is refused.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any
from urllib.parse import quote, urlencode

_STRING = r"""("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')"""
_VALUE = re.compile(rf"\s*{_STRING}\s*(?:,|\Z)", re.DOTALL)
_PAIR = re.compile(rf"\s*{_STRING}\s*:\s*{_STRING}\s*(?:,|\Z)", re.DOTALL)
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|.)", re.DOTALL)
_PAGE = re.compile(r"[0-9]{1,9}")
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
_PLAIN_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}

SORTS = ("position", "name", "price", "rating")
DIRECTIONS = ("asc", "desc")


@dataclass(frozen=True)
class Listing:
    """A page of a category or product type, with its sort order."""

    name: str
    page: int = 1
    sort: str = SORTS[0]
    direction: str = DIRECTIONS[0]

    @property
    def query(self) -> str:
        """Return the query of the page's address: the values that differ from the defaults."""
        usual = Listing(self.name)
        named = ("page", "sort", "direction")
        return query_of(
            {key: getattr(self, key) for key in named if getattr(self, key) != getattr(usual, key)}
        )


@dataclass(frozen=True)
class Visit:
    """A visitor's place in the shop, from which the addresses of links are built.

    It holds the session, the keywords of the last search, the results page, and in `narrowing` the
    filters and the sort order of the results.
    """

    session: str
    keywords: tuple[str, ...] = ()
    page: int = 1
    narrowing: tuple[tuple[str, str], ...] = ()

    @property
    def index(self) -> str:
        return f"/{quoted(self.session)}"

    def results(self, page: int | None = None) -> str:
        number = self.page if page is None else page
        narrowing = query_of(dict(self.narrowing))
        return f"/search_results/{quoted(self.session)}/{self._keywords}/{number}{narrowing}"

    def narrowed(self, name: str, value: str) -> str:
        """Return the address of the first results page with a filter set; "" removes the filter."""
        chosen = {**dict(self.narrowing), name: value}
        narrowing = tuple((name, value) for name, value in chosen.items() if value)
        return replace(self, narrowing=narrowing).results(1)

    def item(self, asin: str, options: Mapping[str, str]) -> str:
        return f"/item_page/{self._inner(asin)}/{_json(options)}"

    def sub_page(self, asin: str, name: str, options: Mapping[str, str], page: int = 1) -> str:
        return f"/item_sub_page/{self._inner(asin)}/{name}/{_json(options)}{_page(page)}"

    def done(self, asin: str, options: Mapping[str, str]) -> str:
        return f"/done/{quoted(self.session)}/{quoted(asin)}/{_json(options)}"

    def wish(self, asin: str, options: Mapping[str, str]) -> str:
        """Return the address to which an item's page posts to put the item on the wish list."""
        return f"/wish/{self._inner(asin)}/{_json(options)}"

    @property
    def account(self) -> str:
        return f"/account/{quoted(self.session)}"

    def orders(self, page: int = 1) -> str:
        return f"{self.account}/orders{_page(page)}"

    def order(self, number: str) -> str:
        return f"{self.account}/orders/{quoted(number)}"

    @property
    def addresses(self) -> str:
        return f"{self.account}/addresses"

    def address(self, number: int) -> str:
        return f"{self.addresses}/{number}"

    @property
    def wishlist(self) -> str:
        return f"{self.account}/wishlist"

    @property
    def wallet(self) -> str:
        return f"{self.account}/wallet"

    @property
    def lists(self) -> str:
        """Return the address of the lists that other people share."""
        return f"{self.account}/lists"

    def shared(self, person: str) -> str:
        return f"{self.lists}/{quoted(person)}"

    @property
    def subscriptions(self) -> str:
        return f"{self.account}/subscriptions"

    def subscription(self, number: int) -> str:
        return f"{self.subscriptions}/{number}"

    @property
    def messages(self) -> str:
        return f"{self.account}/messages"

    def message(self, number: int) -> str:
        return f"{self.messages}/{number}"

    def help(self, topic: str = "") -> str:
        below = f"/{quoted(topic)}" if topic else ""
        return f"/help/{quoted(self.session)}{below}"

    @property
    def returns(self) -> str:
        return f"/returns/{quoted(self.session)}"

    def send_back(self, number: str, asin: str) -> str:
        """Return the address of the form that sends back a line of an order."""
        return f"{self.returns}/{quoted(number)}/{quoted(asin)}"

    @property
    def claim(self) -> str:
        return f"/claim/{quoted(self.session)}"

    @property
    def contact(self) -> str:
        return f"/contact/{quoted(self.session)}"

    @property
    def draft(self) -> str:
        """Return the address to which the contact form posts its unsent texts."""
        return f"{self.contact}/draft"

    @property
    def cart(self) -> str:
        return f"/cart/{quoted(self.session)}"

    def into_cart(self, asin: str, options: Mapping[str, str]) -> str:
        """Return the address to which an item's page posts to put the item into the cart."""
        return f"{self.cart}/{quoted(asin)}/{_json(options)}"

    def checkout(self, step: str) -> str:
        return f"/checkout/{quoted(self.session)}/{quoted(step)}"

    def receipt(self, number: str) -> str:
        return f"/receipt/{quoted(self.session)}/{quoted(number)}"

    def category(self, listing: Listing) -> str:
        return f"/category/{quoted(self.session)}/{quoted(listing.name)}{listing.query}"

    def _inner(self, asin: str) -> str:
        return f"{quoted(self.session)}/{quoted(asin)}/{self._keywords}/{self.page}"

    @cached_property
    def _keywords(self) -> str:
        return _json(list(self.keywords))


def picture(asin: str, options: Mapping[str, str]) -> str:
    """Return the address of a product's picture with these options chosen."""
    query = "&".join(f"{quoted(kind)}={quoted(value)}" for kind, value in options.items())
    return f"/picture/{quoted(asin)}.svg" + (f"?{query}" if query else "")


def read_keywords(text: str) -> tuple[str, ...]:
    """Return the keywords in a segment of an address's path. Raises ValueError."""
    if not text.lstrip().startswith("["):
        return split_query(text.replace("+", " "))
    found = (_unescape(match[1]) for match in _items(text, "[]", _VALUE))
    return split_query(" ".join(found))


def split_query(query: str) -> tuple[str, ...]:
    """Split a query that a visitor typed into keywords."""
    printable = "".join(letter if letter.isprintable() else " " for letter in query)
    return tuple(printable.split())


def read_listing(name: str, query: Mapping[str, str]) -> Listing:
    """Parse the address of a category page; values that the query lacks take their defaults.

    Raises:
        ValueError: The page, sort key or direction is not valid.
    """
    page = query.get("page", "1")
    sort, direction = query.get("sort", SORTS[0]), query.get("direction", DIRECTIONS[0])
    if not _PAGE.fullmatch(page) or sort not in SORTS or direction not in DIRECTIONS:
        raise ValueError(f"no page {page!r} by {sort!r} {direction!r}")
    return Listing(name, int(page), sort, direction)


def read_options(text: str) -> dict[str, str]:
    """Return the options in a segment of an address's path, by name. Raises ValueError."""
    return {_unescape(match[1]): _unescape(match[2]) for match in _items(text, "{}", _PAIR)}


def _items(text: str, brackets: str, item: re.Pattern[str]) -> Iterator[re.Match[str]]:
    text = text.strip()
    if len(text) < 2 or text[0] != brackets[0] or text[-1] != brackets[1]:
        raise ValueError(f"not in {brackets}")
    inner, place = text[1:-1].strip(), 0
    while place < len(inner):
        match = item.match(inner, place)
        if match is None:
            raise ValueError(f"no string at {place}")
        yield match
        place = match.end()


def _unescape(literal: str) -> str:
    """Return the text of a quoted literal; surrogate halves are joined, or replaced if unpaired."""
    text = _ESCAPE.sub(_escaped, literal[1:-1])
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _escaped(match: re.Match[str]) -> str:
    code = match[1]
    return chr(int(code[1:], 16)) if len(code) > 1 else _PLAIN_ESCAPES.get(code, code)


def _page(number: int) -> str:
    return query_of({"page": number} if number > 1 else {})


def query_of(values: Mapping[str, object]) -> str:
    """Return the query part of an address for these values: "?" and the encoded values, or ""
    without values.
    """
    return f"?{urlencode(values)}" if values else ""


def quoted(text: str) -> str:
    """Return a text quoted as one segment of a path."""
    return quote(text, safe="")


def _json(value: Any) -> str:
    """Return a value as JSON for one segment of a path, with slashes escaped, because servers
    decode %2F too early.
    """
    return quoted(_ENCODER.encode(value).replace("/", "\\u002f"))
