"""A library that is declared for the tests: it has every kind of field, list and page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from sites.kit import (
    Column,
    Computed,
    Field,
    Form,
    Invalid,
    Link,
    Listing,
    Page,
    Show,
    Site,
    Skin,
    Table,
    one,
    operation,
    schema,
    triggers,
)
from sites.site_app import Refusal
from sites.world import Row, World

TABLES = (
    Table("shelves", "name TEXT PRIMARY KEY", ("name",)),
    Table(
        "books",
        "id INTEGER PRIMARY KEY, title TEXT, shelf TEXT, cents INTEGER, state TEXT",
        ("id",),
        about={"shelf": "shelves"},
    ),
    Table(
        "orders",
        "number INTEGER PRIMARY KEY, book INTEGER, day TEXT, copies INTEGER, way TEXT, shelf TEXT,"
        " scan TEXT, remark TEXT, gift TEXT",
        ("number",),
        drawn=("number",),
    ),
)


@operation("orders", book="books")
def order(
    world: World,
    book: int,
    day: str,
    copies: str,
    way: str,
    shelf: str,
    scan: str = "",
    remark: str = "",
    gift: str = "",
) -> Row:
    one(world, "SELECT 1 FROM books WHERE id = ?", (book,))
    if remark == "refuse":
        raise Refusal(409, "This cannot be done.")
    if remark == "forbidden":
        world.write("DELETE FROM orders")
        raise Invalid(remark="Remark: choose other words.")
    sql = "INSERT INTO orders (book, day, copies, way, shelf, scan, remark, gift) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"  # noqa: E501
    values = (int(book), day, int(copies), way, shelf, scan, remark, gift)
    return {"number": world.write(sql, values)}


@operation("books")
def put_away(world: World, books: list[str], state: str) -> None:
    for each in books:
        one(world, "SELECT 1 FROM books WHERE id = ?", (each,))
        world.write("UPDATE books SET state = ? WHERE id = ?", (state, each))


@operation("books", book="books")
def burn(world: World, book: int) -> None:
    one(world, "SELECT 1 FROM books WHERE id = ?", (book,))
    world.write("DELETE FROM books WHERE id = ?", (book,))


def count(world: World, args: Row) -> Iterator[Row]:
    """The number of the books that cost no more."""
    most = int(args["most"] or 0)
    sql = "SELECT count(*) AS n FROM books WHERE cents <= ?"
    yield {"n": world.read(sql, (most,))[0]["n"]}


def per_shelf(world: World, args: Row) -> list[Row]:
    """Each shelf with the number of its books that cost no more."""
    most = int(args["most"] or 0)
    sql = "SELECT shelf, count(*) AS n FROM books WHERE cents <= ? GROUP BY shelf"
    return world.read(sql, (most,))


BOOKS = "SELECT b.*, b.id AS book FROM books b"
ORDERS = "SELECT o.*, b.title FROM orders o JOIN books b ON b.id = o.book"
SHELVES = "SELECT s.name AS shelf FROM shelves s"
WAYS = ("by post", "at the desk")
ORDER = Form(
    "order",
    order,
    (
        Field("day", "date", low="2026-01-10", high="2026-02-28"),
        Field("copies", "number", low="1", high="5"),
        Field("way", "radio", options=WAYS),
        Field("shelf", "suggest", options="SELECT name FROM shelves ORDER BY name"),
        Field("scan", "file", required=False, endings=(".pdf", ".png"), tab="more"),
        Field("remark", "text", required=False, most=200, tab="more"),
        Field("gift", "check", required=False),
    ),
    given={"book": "book"},
    follows="receipt",
    keeps=True,
    commits=True,
)
AWAY = Form(
    "put_away",
    put_away,
    (Field("state", "choice", options=("away", "lent")),),
    each=("books", "id"),
)
PAGES = (
    Page(
        "home",
        "/",
        listing=Listing(
            BOOKS,
            {"title": "title, id", "price": "cents DESC, id"},
            (Link("book"), Link("shelf")),
            filters={"shelf": "SELECT name FROM shelves ORDER BY name"},
            keyword="title",
            size=10,
            columns=(Column("title", (Show("link", "book"), Show("link", "shelf"))), "state"),
            mass=AWAY,
        ),
    ),
    Page(
        "book",
        "/book/<book>",
        BOOKS,
        ("book",),
        (Link("shelf"),),
        (ORDER, Form("burn", burn, given={"book": "book"}, follows="home")),
        shows=(Column("price", (Show("money", "cents"),)),),
    ),
    Page(
        "shelf",
        "/shelf/<shelf>",
        SHELVES,
        ("shelf",),
        listing=Listing(
            BOOKS + " WHERE b.shelf = :shelf",
            {"title": "title, id"},
            (Link("book"),),
            columns=(Column("title", (Show("link", "book"),)),),
        ),
    ),
    Page("receipt", "/receipt/<number>", ORDERS, ("number",), (Link("book"),)),
    Page(
        "report",
        "/report",
        Computed(count, ("n",)),
        asks=(Field("most", "number", low="0"),),
        shows=(Column("n", (Show("text", "n"),)),),
        listing=Listing(
            Computed(per_shelf, ("shelf", "n"), SHELVES),
            {"most": "n DESC, shelf", "name": "shelf"},
            (Link("shelf"),),
            columns=(Column("shelf", (Show("link", "shelf"),)), "n"),
        ),
    ),
)
WORDS = {
    "site": "Library", "signed_in": "{me}", "footer": "A library", "sorting": "Order",
    "keyword": "Title contains", "apply": "Show", "pages": "Pages", "found": "books",
    "next": "Next", "previous": "Back", "number": "{n}", "home": "Books", "report": "Report",
    "book": "{title}", "shelf": "Shelf {shelf}", "title_home": "Books", "title_book": "{title}",
    "title_shelf": "{shelf}", "title_receipt": "Order {number}", "title_report": "Report",
    "sort_title": "By title", "sort_price": "By price", "sort_most": "Fullest first",
    "sort_name": "By name", "col_title": "Title", "col_state": "State", "col_shelf": "Shelf",
    "col_n": "Books", "order": "Order it", "burn": "Burn it", "put_away": "Put away",
    "day": "Day", "copies": "Copies", "way": "Delivery", "scan": "Scan", "remark": "Remark",
    "gift": "Gift", "shelf_label": "Shelf", "state": "New state", "most": "At most (cents)",
    "look": "Look up", "nothing": "Nothing is called so.", "keep": "Keep as draft",
    "kept": "This draft is kept.",
    "more": "More", "col_buttons": "Actions", "pick": "Choose {title}",
}  # fmt: skip
NAV = (Link("home"), Link("report"))
PLAIN = Skin("plain", WORDS, NAV, "top")
GRID = Skin(
    "grid",
    WORDS,
    NAV,
    "side",
    rows="table",
    pager="numbers",
    sorts={"home": "price"},
    addresses={"book": "/b/<book>"},
)
SITE = Site(
    "library",
    TABLES,
    (order, put_away, burn),
    PAGES,
    (PLAIN, GRID),
    "home",
    "SELECT 'Ada' AS name",
    lambda world: burn(1),
)


def world(skin: str = "plain", books: int = 25) -> World:
    """A world with three shelves and so many books, whose prices fall and whose titles rise."""
    made = World(schema(SITE), "visit", {"me": "Ada", "skin": skin})
    for name in ("Art", "Bees", "Chess"):
        made.write("INSERT INTO shelves VALUES (?)", (name,))
    for at in range(1, books + 1):
        shelf = ("Art", "Bees", "Chess")[at % 3]
        values = (at, f"Volume {at:02}", shelf, 10_000 - 100 * (at // 2), "")
        made.write("INSERT INTO books VALUES (?, ?, ?, ?, ?)", values)
    for statement in triggers(SITE):
        made.write(statement)
    return made


def with_page(name: str, **other: Any) -> Site:
    """The site with another declaration of one page."""
    pages = tuple(replace(each, **other) if each.name == name else each for each in PAGES)
    return replace(SITE, pages=pages)


def with_words(**words: str) -> Site:
    """The site whose usual skin says other words; an empty one is left out."""
    kept = {key: text for key, text in {**WORDS, **words}.items() if text}
    return replace(SITE, skins=(replace(PLAIN, words=kept), GRID))
