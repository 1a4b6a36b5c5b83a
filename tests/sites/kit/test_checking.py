"""A site that is declared wrongly is refused at load, with the place and the remedy."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from sites.forum.site import SITE as FORUM
from sites.kit import BadDeclaration, Computed, Field, Form, Link, Operation, check, create_app
from sites.world import Worlds
from tests.sites.kit.library import (
    AWAY,
    ORDER,
    ORDERS,
    PAGES,
    PLAIN,
    SITE,
    TABLES,
    burn,
    with_page,
    with_words,
)

HOME = next(each for each in PAGES if each.name == "home").listing


def home(**other):
    return with_page("home", listing=replace(HOME, **other))


def form(**other):
    return with_page("book", forms=(replace(ORDER, **other),))


def skin(**other):
    return replace(SITE, skins=(replace(PLAIN, **other),))


def table(**other):
    return replace(SITE, tables=(replace(TABLES[0], **other), *TABLES[1:]))


WRONG = {
    "a name twice": (replace(SITE, pages=(*PAGES, PAGES[0])), "page home: is declared twice"),
    "no such home": (replace(SITE, home="start"), "home start: is no page"),
    "home with arguments": (replace(SITE, home="book"), "home book: needs arguments"),
    "key of no column": (table(key=("title",)), "table shelves: has no column title"),
    "about no table": (table(about={"name": "rooms"}), "table shelves, about: rooms is no table"),
    "check of no table": (
        replace(SITE, operations=(*SITE.operations, Operation(len, "rooms", {}))),
        "operation len, check: rooms is no table",
    ),
    "of no table": (
        replace(SITE, operations=(Operation(burn.run, "books", {"book": "rooms"}),)),
        "operation burn, of book: rooms is no table",
    ),
    "of no argument": (
        replace(SITE, operations=(Operation(burn.run, "books", {"page": "books"}),)),
        "operation burn, of: has no argument page",
    ),
    "an argument means two things": (
        with_page("receipt", address="/receipt/<book>", key=("book",), record=ORDERS),
        "<book> means a row of orders, and of books on page book",
    ),
    "a record lacks an argument": (
        with_page("book", address="/book/<book>/<author>"),
        "page book: its record has no column author",
    ),
    "a key is not in the address": (
        with_page("book", key=("id",)),
        "its address does not hold the key id",
    ),
    "a name of the kit": (with_page("report", asks=(Field("page"),)), "page is a name of the kit"),
    "a query fails": (with_page("book", record="SELECT * FROM rooms"), "its query fails (no such"),
    "an order fails": (home(sorts={"new": "at DESC"}), "order new: its query fails"),
    "no order": (home(sorts={}), "page home, list: has no order"),
    "nothing tells rows apart": (home(links=(), columns=()), "nothing tells its rows apart"),
    "a key of the list": (home(key=("isbn",)), "its rows have no column isbn"),
    "a filter of no column": (home(filters={"isbn": "SELECT 1"}), "searches isbn"),
    "a filter of two columns": (home(filters={"shelf": "SELECT 1, 2"}), "has several columns"),
    "a keyword of no column": (home(keyword="isbn"), "searches isbn"),
    "a shown column": (home(columns=("isbn",)), "shows isbn, which is no column here"),
    "a shown link": (home(links=HOME.links[1:]), "shows a link book, which is not declared"),
    "a link to no page": (
        with_page("receipt", links=(Link("room"),)),
        "page receipt: a link goes to room, which is no page",
    ),
    "a link without its argument": (
        with_page("receipt", record="SELECT o.number FROM orders o"),
        "its link to book needs book, which is no column here",
    ),
    "navigation without arguments": (skin(nav=(Link("book"),)), "skin plain, navigation: its link"),
    "an operation that is not declared": (
        replace(SITE, operations=SITE.operations[1:]),
        "its operation order is not one of the site",
    ),
    "an argument that nothing fills": (form(given={}), "does not fill the argument book of order"),
    "an argument that is filled twice": (form(fixed={"book": 1}), "fills the argument book twice"),
    "an argument that is not there": (form(fixed={"pages": 1}), "order has no argument pages"),
    "a given column": (form(given={"book": "isbn"}), "is given isbn, which is no column here"),
    "follows no page": (form(follows="thanks"), "is followed by thanks, which is no page"),
    "two forms of one name": (with_page("book", forms=(ORDER, ORDER)), "has two forms order"),
    "a field's column": (
        form(fields=(*ORDER.fields[:-1], Field("gift", held="isbn"))),
        "field gift: shows isbn",
    ),
    "a choice without options": (
        form(fields=(*ORDER.fields[:-1], Field("gift", "choice"))),
        "is a choice without options",
    ),
    "forms in a form": (
        home(forms=(Form("burn", burn, given={"book": "book"}),)),
        "has a form for several rows and forms in its rows",
    ),
    "several rows without argument": (
        home(mass=replace(AWAY, each=None, given={"books": "me"})),
        "does not say which argument gets the rows",
    ),
    "several rows by no column": (home(mass=replace(AWAY, each=("books", "isbn"))), "isbn is no"),
    "an address of no page": (skin(addresses={"room": "/r"}), "address room: is of no page"),
    "an address with other arguments": (
        skin(addresses={"book": "/b/<id>"}),
        "address book: has other arguments than the page; the page has <book>",
    ),
    "two pages of one address": (
        skin(addresses={"book": "/shelf/<book>"}),
        "two pages have the address /shelf/<>",
    ),
    "an order that is not there": (skin(sorts={"home": "new"}), "page home has no order new"),
    "a word that is missing": (with_words(shelf=""), "the word shelf is missing"),
    "a label that is missing": (with_words(day=""), "the word day is missing"),
    "a word of a column": (with_words(title_book="{isbn}"), "shows isbn, which is no column there"),
    "rows that look the same": (with_words(book="Open"), "the word book is the same in every row"),
    "two links of one label": (with_words(report="Books"), "links home and report are both called"),
    "two buttons of one label": (with_words(burn="order it"), "buttons order and burn are both"),
    "two fields of one label": (with_words(scan="Remark"), "fields scan and remark are both"),
    "a look-up that looks like sending": (with_words(look="Order it"), "buttons order and look"),
    "a query of what may be shown": (
        with_page("report", record=Computed(len, ("n",), "SELECT isbn FROM books")),
        "page report, record, among: its query fails",
    ),
}


@pytest.mark.parametrize(("site", "sentence"), WRONG.values(), ids=WRONG.keys())
def test_a_wrong_declaration_is_refused_with_place_and_remedy(site, sentence):
    with pytest.raises(BadDeclaration) as caught:
        check(site)
    assert sentence in str(caught.value)
    assert caught.value.remedy
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("site", [SITE, FORUM], ids=["library", "forum"])
def test_the_declared_sites_are_right(site):
    check(site)


def test_an_application_of_a_wrong_declaration_is_not_made(tmp_path: Path):
    with pytest.raises(BadDeclaration, match="is no page"):
        create_app(replace(SITE, home="start"), tmp_path, Worlds())
