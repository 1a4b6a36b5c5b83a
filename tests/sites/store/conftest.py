"""A small shop for the tests of the store."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from html.parser import HTMLParser

import pytest
from flask.testing import FlaskClient

from sites.store import StoreData, load_data, new_world
from sites.store.account.draw import draw_account
from sites.store.catalogue.product import Product
from sites.store.market.account.account import MarketAccount
from sites.world import World
from tests.sites.store.shop.applications import application

SESSION = "s1"
INSTRUCTION = "i need a <b>mat</b> & a strap, and price lower than 70.00 dollars"
VOID = {"input", "img", "br", "meta", "link"}


class Shop:
    """The store with one open world, seen by a client without a cookie."""

    def __init__(self, data: StoreData, account: MarketAccount | None = None) -> None:
        self.data, self.account = data, account
        self.world: World = new_world(SESSION, INSTRUCTION, account)
        visitor = "a customer" if account else "somebody"
        self.app, self.worlds = application(data, self.world, visitor)
        self.client: FlaskClient = self.app.test_client()

    @property
    def product(self) -> Product:
        """A product with at least two kinds of options."""
        return next(product for product in self.data.catalogue if len(product.options) > 1)


class Markup(HTMLParser):
    """The visible texts as WebShop's text mode reads them, the elements, and the forms."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.stack: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.buttons: list[str] = []
        self.labels: list[str] = []
        self.links: list[tuple[str, str]] = []
        self.ways: dict[str, list[str]] = {}
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.stack.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        while self.stack and self.stack.pop()[0] != tag:
            pass

    def handle_data(self, data):
        text = data.strip()
        tags = [tag for tag, _ in self.stack]
        if not text or {"head", "script", "style", "title", "noscript"} & set(tags):
            return
        if tags[-1] == "a":
            self.ways[text] = [have.get("class") or "" for _, have in self.stack]
        self.texts.append(text)
        if tags[-1] == "button":
            self.buttons.append(text)
        if tags[-1] == "label":
            self.labels.append(text)
        if tags[-1] == "a":
            self.links.append((text, self.stack[-1][1].get("class") or ""))

    def find(self, tag: str, **attributes: str) -> dict[str, str | None]:
        return next(
            have
            for name, have in self.elements
            if name == tag and all(have.get(key) == value for key, value in attributes.items())
        )

    def visited(self) -> list[str]:
        """The links on cards that are marked as opened before."""
        return [text for text, classes in self.ways.items() if "card visited" in classes]

    def fields(self) -> dict[str, str]:
        """The hidden fields of the page."""
        return {
            str(have["name"]): str(have["value"])
            for tag, have in self.elements
            if tag == "input" and have.get("type") == "hidden"
        }

    def addresses(self) -> list[str]:
        """Every address that the page names."""
        names = ("href", "src", "action", "data-url", "srcset", "poster", "data", "content")
        found = [(name, have.get(name)) for _, have in self.elements for name in names]
        return [
            str(value) for name, value in found if value and (name != "content" or "/" in value)
        ]


def css_addresses(css: str) -> list[str]:
    return re.findall(r"url\(\s*['\"]?([^'\")]*)", css)


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StoreData]:
    data = load_data(300, 0, tmp_path_factory.mktemp("cache"))
    yield data
    data.close()


@pytest.fixture
def shop(data: StoreData) -> Shop:
    return Shop(data)


@pytest.fixture(scope="session")
def account(data: StoreData) -> MarketAccount:
    return draw_account(random.Random("store/tests"), data)


@pytest.fixture
def my_shop(data: StoreData, account: MarketAccount) -> Shop:
    """The same with a customer who has signed in."""
    return Shop(data, account)


@pytest.fixture(scope="session")
def read():
    """`read(response)`: the page's markup."""
    return lambda response: Markup(response.text)


@pytest.fixture(scope="session")
def read_css():
    return css_addresses
