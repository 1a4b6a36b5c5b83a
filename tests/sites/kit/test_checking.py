"""A site that is declared wrongly is refused at load, with the place and the remedy."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest

from evaluators.commands import skeletons
from sites.forum.site import SITE as FORUM
from sites.kit import (
    BadDeclaration,
    Computed,
    Field,
    Form,
    Link,
    Map,
    Operation,
    Place,
    Table,
    check,
    create_app,
    schema,
)
from sites.world import World, Worlds
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
from tests.test_docs import blocks

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
    "a head of no column": (home(head="isbn"), "has the head isbn, which is no column of its rows"),
    "a head without a word": (home(head="shelf"), "the word head_home is missing"),
    "a head that shows another column": (
        replace(home(head="shelf"), skins=with_words(head_home="{isbn}").skins),
        "the word head_home shows isbn, which is no column there",
    ),
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
    "an address with slashes in another argument": (
        skin(addresses={"book": "/b/<*book>"}),
        "address book: has other arguments than the page; the page has <book>",
    ),
    "slashes before the end of an address": (
        with_page("book", address="/book/<*book>/more"),
        "page book: <*book> stands before the end of the address; write <book>, or put it",
    ),
    "slashes before the end of a skin's address": (
        skin(addresses={"book": "/<*book>/more"}),
        "skin plain, address book: <*book> stands before the end of the address",
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
    "columns that SQL refuses": (table(columns="name TEXT,, x"), "table shelves: cannot be made"),
    "an index of no column": (table(index=("isbn",)), "table shelves: cannot be made"),
    "nobody to sign in": (replace(SITE, personas="SELECT 1 AS me"), "has no column name"),
    "a frame": (skin(look="bottom"), "skin plain, look: there is no 'bottom'; choose from top"),
    "a pager": (skin(pager="dots"), "skin plain, pager: there is no 'dots'; choose from"),
    "a menu": (skin(menus=("sorts",)), "skin plain, menus: there is no 'sorts'; choose from nav"),
    "half a column in a word": (with_words(title_book="{title"), "“{title” cannot be read"),
    "a column without a name": (with_words(title_book="{}"), "shows , which is no column"),
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


BEGUN = {
    "rehearse new site": skeletons.SITE.replace("NAME", "shelf"),
    "docs/adding.md": next(
        each.text for each in blocks("adding.md") if each.file == "sites/board/__init__.py"
    ),
}


@pytest.mark.parametrize("text", BEGUN.values(), ids=BEGUN.keys())
def test_the_sites_that_newcomers_begin_with_are_right(text, monkeypatch):
    made = ModuleType("begun")
    made.__file__ = __file__
    monkeypatch.setitem(sys.modules, "begun", made)
    exec(compile(text, "begun", "exec"), vars(made))
    check(made.SITE)


@pytest.mark.parametrize(
    ("record", "key"),
    [("SELECT name AS me FROM people", ("me",)), ("SELECT name FROM people WHERE name = :me", ())],
)
def test_the_start_page_shows_the_record_of_the_signed_in_user(record, key):
    people = Table("people", "name TEXT, room TEXT", ("name",))
    pages = tuple(
        replace(each, record=record, key=key) if each.name == "home" else each for each in PAGES
    )
    site = replace(SITE, tables=(*TABLES, people), pages=pages)
    check(site)
    with World(schema(site), "visit", {"me": "Ada", "skin": "plain"}) as world:
        world.write("INSERT INTO people VALUES ('Ada', NULL), ('Bob', NULL)")
        assert "Ada" in Map(site, world).record(Place.of("home", {})).values()


def test_an_empty_column_is_an_empty_text_in_words():
    skin = replace(PLAIN, words={"about": "Room: {room:>3}{floor}."})
    assert skin.say("about", {"room": None, "floor": None}) == "Room: ."


def test_an_application_of_a_wrong_declaration_is_not_made(tmp_path: Path):
    with pytest.raises(BadDeclaration, match="is no page"):
        create_app(replace(SITE, home="start"), tmp_path, Worlds())
