"""Refuse a site that is declared wrongly, with one sentence that names the place and the remedy.

The queries are tried on empty tables, so an unknown column is found before anybody opens a page.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field

from sites._kit import fields
from sites._kit.addresses import early, slots
from sites._kit.declare import (
    FRAMES,
    KEYWORD,
    MENUS,
    PAGE,
    ROWS,
    SORT,
    THEMES,
    BadDeclaration,
    Column,
    Computed,
    Field,
    Form,
    Link,
    Listing,
    Page,
    Show,
    Site,
    Skin,
)
from sites._kit.forms import FORM, KEEP, ONCE
from sites._kit.lists import made_of_json
from sites._kit.rows import JOURNAL, columns, creation
from sites._kit.skins.pagers import PAGERS
from sites._kit.wording import check_words

OPTIONS = {PAGE, SORT, KEYWORD, "me", "scenario"}
"""Names that the kit puts into addresses and records."""
SENT = {FORM, ONCE, KEEP, fields.LOOK, "csrf"}
"""Names that the kit puts into forms."""
CHOSEN = ("choice", "radio", "suggest")


def check(site: Site) -> None:
    """Check a declaration.

    Raises:
        BadDeclaration: Something is declared wrongly.
    """
    with closing(sqlite3.connect(":memory:")) as database:
        _Check(site, database).all()


@dataclass
class _Check:
    """The checks of a site.

    Attributes:
        site: The site.
        database: A database, which gets the empty tables of the site.
        shown: The columns of each page's record, by the page's name.
        listed: The columns of the rows of each page's list, by the page's name.
    """

    site: Site
    database: sqlite3.Connection
    shown: dict[str, set[str]] = field(default_factory=dict)
    listed: dict[str, set[str]] = field(default_factory=dict)

    def all(self) -> None:
        """Check everything, the parts first that other parts refer to."""
        self._names()
        self._tables()
        self._personas()
        self._operations()
        for page in self.site.pages:
            self.shown[page.name] = self._record(page)
        self._meanings()
        for page in self.site.pages:
            self._page(page)
        for skin in self.site.skins:
            self._skin_parts(skin)
            self._skin_addresses(skin.name, skin.addresses, skin.sorts)
            for link in skin.nav:
                self._link(link, {"me"}, f"skin {skin.name}, navigation")
            check_words(self.site, skin, self.shown, self.listed)

    # Names

    def _names(self) -> None:
        site = self.site
        for kind, parts in (
            ("table", site.tables),
            ("operation", site.operations),
            ("page", site.pages),
            ("skin", site.skins),
        ):
            for name in _twice(each.name for each in parts):
                raise _bad(f"{kind} {name}", "is declared twice", "give one of them another name")
        if site.home not in site.page:
            raise _bad(f"home {site.home}", "is no page", self._one_of("page", site.page))
        if site.page[site.home].args:
            raise _bad(f"home {site.home}", "needs arguments", "choose a page that needs none")

    def _tables(self) -> None:
        self.database.executescript(JOURNAL)
        for table in self.site.tables:
            try:
                self.database.executescript(creation(table))
            except sqlite3.Error as error:
                raise _bad(f"table {table.name}", f"cannot be made ({error})",
                           "correct its columns and its index") from None  # fmt: skip
        for table in self.site.tables:
            for column in (*table.key, *table.drawn, *table.about):
                if column not in columns(table):
                    have = ", ".join(columns(table))
                    raise _bad(f"table {table.name}", f"has no column {column}", f"it has {have}")
            for about in table.about.values():
                self._known_table(about, f"table {table.name}, about")

    def _personas(self) -> None:
        if "name" not in self._tried(self.site.personas, {}, "personas"):
            raise _bad("personas", "its query has no column name",
                       "let it give the column name, as in SELECT name FROM members")  # fmt: skip

    def _operations(self) -> None:
        for each in self.site.operations:
            self._known_table(each.check, f"operation {each.name}, check")
            for arg, table in each.of.items():
                if arg not in each.args:
                    raise _bad(f"operation {each.name}, of", f"has no argument {arg}",
                               f"its arguments are {', '.join(each.args)}")  # fmt: skip
                self._known_table(table, f"operation {each.name}, of {arg}")

    def _known_table(self, name: str, place: str) -> None:
        if name not in self.site.table:
            raise _bad(place, f"{name} is no table", self._one_of("table", self.site.table))

    def _one_of(self, kind: str, known: Iterable[str]) -> str:
        return f"name a {kind} of the site: {', '.join(known)}"

    # Records

    def _record(self, page: Page) -> set[str]:
        """Return the columns that the page knows, and check that it has those of its address."""
        self._rest(page.address, f"page {page.name}")
        asked = {each.name for each in page.asks}
        known = {*page.args, *asked, "me"}
        for name in (*page.args, *page.asked):
            if name in OPTIONS - ({KEYWORD} if page.listing and page.listing.keyword else set()):
                raise _bad(f"page {page.name}", f"{name} is a name of the kit",
                           "give the argument another name")  # fmt: skip
        if not page.record:
            return known
        found = self._columns_of(page.record, dict.fromkeys(known), f"page {page.name}, record")
        for arg in (*page.args, *page.key):
            if arg not in found:
                raise _bad(f"page {page.name}", f"its record has no column {arg}",
                           f"add {arg} to its query, or take it out of the address")  # fmt: skip
        for key in page.key:
            if key not in (*page.args, "me"):
                raise _bad(f"page {page.name}", f"its address does not hold the key {key}",
                           f"put <{key}> into the address")  # fmt: skip
        return known | found

    def _columns_of(
        self, rows: str | Computed, values: Mapping[str, object], place: str
    ) -> set[str]:
        """Return the columns of a declared query or function."""
        if isinstance(rows, str):
            return {*self._tried(f"SELECT * FROM ({rows})", values, place)}  # noqa: S608
        if rows.among:
            self._columns_of(rows.among, {"me": None}, f"{place}, among")
        return {*rows.columns}

    def _tried(self, sql: str, values: Mapping[str, object], place: str) -> list[str]:
        """Return the columns of a query, which is tried on the empty tables."""
        try:
            cursor = self.database.execute(sql, dict(values))
        except sqlite3.Error as error:
            raise _bad(place, f"its query fails ({error})", "correct the query") from None
        return [each[0] for each in cursor.description]

    def _meanings(self) -> None:
        """Refuse an argument that chooses rows of one table here and of another table there."""
        first: dict[str, tuple[str, str]] = {}
        for page in self.site.pages:
            table = _main_table(page.among)
            for key in page.key if table else ():
                other, own = first.setdefault(key, (page.name, table))
                if own != table:
                    problem = f"<{key}> means a row of {table}, and of {own} on page {other}"
                    raise _bad(f"page {page.name}", problem, "give one of them another name")

    # Pages

    def _page(self, page: Page) -> None:
        place, known = f"page {page.name}", self.shown[page.name]
        for link in page.links:
            self._link(link, known, place)
        for name in _twice(each.name for each in page.sent):
            raise _bad(place, f"has two forms {name}", "give one of them another name")
        for form in page.forms:
            self._form(form, known, place)
        for each in page.asks:
            self._field(each, known, f"{place}, asks")
        self._shows(page.shows, known, page.links, place)
        if page.listing:
            self._listing(page, page.listing, known)

    def _link(self, link: Link, known: set[str], place: str) -> None:
        if link.to not in self.site.page:
            remedy = self._one_of("page", self.site.page)
            raise _bad(place, f"a link goes to {link.to}, which is no page", remedy)
        for arg in self.site.filled(link):
            column = link.using.get(arg, arg)
            if column not in known:
                raise _bad(place, f"its link to {link.to} needs {column}, which is no column here",
                           f"add it, or name another column with using={{{arg!r}: …}}")  # fmt: skip

    def _shows(
        self, cells: Sequence[str | Column], known: set[str], links: Sequence[Link], place: str
    ) -> None:
        for cell in cells:
            for show in (Show("text", cell),) if isinstance(cell, str) else cell.shows:
                labels = {each.label for each in links}
                if show.kind == "link" and show.of not in labels:
                    raise _bad(place, f"shows a link {show.of}, which is not declared",
                               f"its links are {', '.join(sorted(labels)) or 'none'}")  # fmt: skip
                if show.kind not in ("link", "word") and show.of not in known:
                    raise _bad(place, f"shows {show.of}, which is no column here",
                               f"the columns are {', '.join(sorted(known))}")  # fmt: skip

    # Lists

    def _listing(self, page: Page, listing: Listing, known: set[str]) -> None:
        place = f"page {page.name}, list"
        values = {**dict.fromkeys(known), "rows__": "[]"}
        rows = self._columns_of(listing.rows, values, place)
        self.listed[page.name] = rows | {"me"}
        self._orders(page, listing, values)
        self._searches(listing, rows, place)
        for link in listing.links:
            self._link(link, rows | {"me"}, place)
        self._row_key(listing, rows, place)
        for form in listing.sent:
            self._form(form, (known if form is listing.mass else rows) | {"me"}, place)
        self._shows(listing.columns, rows, listing.links, place)
        self._mass(listing, rows, place)

    def _orders(self, page: Page, listing: Listing, values: Mapping[str, object]) -> None:
        place = f"page {page.name}, list"
        if not listing.sorts:
            raise _bad(place, "has no order", "declare one, such as {'new': 'at DESC, id'}")
        rows = listing.rows
        source = rows if isinstance(rows, str) else made_of_json(rows.columns)
        for name, order in listing.sorts.items():
            sql = f"SELECT * FROM ({source}) ORDER BY {order}"  # noqa: S608 (declared)
            self._tried(sql, values, f"{place}, order {name}")

    def _searches(self, listing: Listing, rows: set[str], place: str) -> None:
        for name in (*listing.filters, *([listing.keyword] if listing.keyword else [])):
            if name not in rows:
                raise _bad(place, f"searches {name}, which is no column of its rows",
                           f"the columns are {', '.join(sorted(rows))}")  # fmt: skip
        if listing.head and listing.head not in rows:
            raise _bad(place, f"has the head {listing.head}, which is no column of its rows",
                       f"the columns are {', '.join(sorted(rows))}")  # fmt: skip
        for name, options in listing.filters.items():
            self._one_column(options, f"{place}, filter {name}")

    def _one_column(self, sql: str, place: str, values: Mapping[str, object] | None = None) -> None:
        if len(self._tried(sql, {"me": None, **(values or {})}, place)) != 1:
            raise _bad(place, "its query has several columns", "choose one column")

    def _row_key(self, listing: Listing, rows: set[str], place: str) -> None:
        if not listing.links and not listing.key:
            raise _bad(place, "nothing tells its rows apart", "give it a link or a key")
        for key in listing.key:
            if key not in rows:
                raise _bad(place, f"its rows have no column {key}", "name a column in key")

    def _mass(self, listing: Listing, rows: set[str], place: str) -> None:
        form = listing.mass
        if form is None:
            return
        if listing.forms:
            raise _bad(place, "has a form for several rows and forms in its rows",
                       "leave out one kind, since a form cannot hold another form")  # fmt: skip
        if form.each is None:
            raise _bad(f"{place}, form {form.name}", "does not say which argument gets the rows",
                       "add each=(argument, column)")  # fmt: skip
        if form.each[1] not in rows:
            raise _bad(f"{place}, form {form.name}", f"{form.each[1]} is no column of the rows",
                       f"the columns are {', '.join(sorted(rows))}")  # fmt: skip

    # Forms

    def _form(self, form: Form, known: set[str], place: str) -> None:
        place = f"{place}, form {form.name}"
        if form.operation not in self.site.operations:
            raise _bad(place, f"its operation {form.operation.name} is not one of the site",
                       "add it to the operations of the site")  # fmt: skip
        self._arguments(form, place)
        for column in form.given.values():
            if column not in known:
                raise _bad(place, f"is given {column}, which is no column here",
                           f"the columns are {', '.join(sorted(known))}")  # fmt: skip
        for each in form.fields:
            self._field(each, known, place)
        if form.follows and form.follows not in self.site.page:
            raise _bad(place, f"is followed by {form.follows}, which is no page",
                       self._one_of("page", self.site.page))  # fmt: skip

    def _arguments(self, form: Form, place: str) -> None:
        sources = [*form.given, *form.fixed, *(each.name for each in form.fields)]
        sources += [form.each[0]] if form.each else []
        for name in _twice(sources):
            raise _bad(place, f"fills the argument {name} twice", "leave out one of them")
        args = form.operation.args
        for name in sources:
            if name not in args:
                raise _bad(place, f"{form.operation.name} has no argument {name}",
                           f"its arguments are {', '.join(args)}")  # fmt: skip
        for name in form.operation.needed:
            if name not in sources:
                raise _bad(place, f"does not fill the argument {name} of {form.operation.name}",
                           "add a field, or put it into given or fixed")  # fmt: skip

    def _field(self, each: Field, known: set[str], place: str) -> None:
        place = f"{place}, field {each.name}"
        if each.name in SENT or each.name.endswith(fields.PICK):
            raise _bad(place, "is a name of the kit", "give the argument another name")
        if each.kind in CHOSEN and not each.options:
            raise _bad(place, f"is a {each.kind} without options", "add options")
        if isinstance(each.options, str) and each.options:
            self._one_column(each.options, place, dict.fromkeys(known))
        if each.held and each.held not in known:
            raise _bad(place, f"shows {each.held}, which is no column here",
                       f"the columns are {', '.join(sorted(known))}")  # fmt: skip

    # Skins

    def _skin_parts(self, skin: Skin) -> None:
        for part, chosen, known in (
            ("look", (skin.look,), FRAMES),
            ("theme", (skin.theme,), THEMES),
            ("rows", (skin.rows,), ROWS),
            ("pager", (skin.pager,), PAGERS),
            ("menus", skin.menus, MENUS),
        ):
            for name in chosen:
                if name not in known:
                    raise _bad(f"skin {skin.name}, {part}", f"there is no {name!r}",
                               f"choose from {', '.join(known)}")  # fmt: skip

    def _skin_addresses(
        self, skin: str, addresses: Mapping[str, str], sorts: Mapping[str, str]
    ) -> None:
        for name, address in addresses.items():
            place = f"skin {skin}, address {name}"
            if name not in self.site.page:
                raise _bad(place, "is of no page", self._one_of("page", self.site.page))
            self._rest(address, place)
            held = slots(self.site.page[name].address)
            if sorted(slots(address)) != sorted(held):
                needed = ", ".join(held) or "none"
                raise _bad(place, "has other arguments than the page", f"the page has {needed}")
        self._usual_orders(skin, sorts)
        shapes = [re.sub("<[^>]*>", "<>", addresses.get(page.name, page.address))
                  for page in self.site.pages]  # fmt: skip
        for shape in _twice(shapes):
            raise _bad(f"skin {skin}", f"two pages have the address {shape}", "change one of them")

    def _rest(self, address: str, place: str) -> None:
        for slot in early(address):
            raise _bad(place, f"{slot} stands before the end of the address",
                       f"write {slot.replace('*', '')}, or put it at the end")  # fmt: skip

    def _usual_orders(self, skin: str, sorts: Mapping[str, str]) -> None:
        for name, sort in sorts.items():
            listing = self.site.page[name].listing if name in self.site.page else None
            if listing is None or sort not in listing.sorts:
                raise _bad(f"skin {skin}, sorts", f"page {name} has no order {sort}",
                           "name a page with a list, and one of its orders")  # fmt: skip


def _bad(place: str, problem: str, remedy: str) -> BadDeclaration:
    return BadDeclaration(f"{place}: {problem}", remedy)


def _twice(names: Iterable[str]) -> Iterator[str]:
    """Yield each name that comes again."""
    known: set[str] = set()
    for name in names:
        if name in known:
            yield name
        known.add(name)


def _main_table(sql: str) -> str:
    """Return the first table that a query reads outside of brackets, "" if there is none."""
    outside, depth = "", 0
    for letter in sql:
        depth += (letter == "(") - (letter == ")")
        outside += letter if depth == 0 else " "
    found = re.search(r"\bFROM\s+(\w+)", outside, re.IGNORECASE)
    return found[1] if found else ""
