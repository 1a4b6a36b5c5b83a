"""The parts of a declaration: tables, operations, pages with links, lists and forms, and skins.

A name means one thing on the whole site. An argument in the address of a page is a column of the
record that the page shows. So the kit can find the way to a page from its address alone.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, Protocol

from rehearsal_errors import RehearsalError
from sites._kit.addresses import names
from sites._kit.skins.synonyms import Synonyms
from sites.site_app import Refusal
from sites.world import Row, World

PAGE, SORT, KEYWORD = "page", "sort", "q"
"""The arguments in the address of a list that say which page, order and keyword it shows."""
FRAMES = "top", "side", "columns", "masthead"
"""The frames: the place of the navigation, and the columns of a page (`templates/frames`)."""
THEMES = "ocean", "meadow", "ember", "slate"
"""The themes: colours, letters and corners, each in light and dark (`static/themes`)."""
ROWS = "list", "cards", "table"
"""The forms in which a list shows its rows."""
MENUS = "nav", "sort"
"""The parts of a page that may stand in a closed menu."""
DRAWN = re.compile(r"skin-(0|[1-9]\d{0,14})")
"""The name of a skin that is drawn by its number."""

Value = str | int | float | None | Sequence[str]
"""An argument of an operation. A list of texts is the choice of several rows."""


class _Empty:
    """An empty column (NULL), which a pattern shows as an empty text."""

    def __format__(self, form: str) -> str:
        return ""


EMPTY = _Empty()


class BadDeclaration(RehearsalError):
    """A site is declared wrongly. The message names the place and the remedy."""


class Invalid(Refusal):
    """The text of some fields cannot be accepted.

    Args:
        errors: A sentence for each such field, by the field's name.
    """

    def __init__(self, **errors: str) -> None:
        super().__init__(400, " ".join(errors.values()))
        self.errors = errors


@dataclass(frozen=True)
class Table:
    """A table of the world.

    Attributes:
        name: The table's name.
        columns: The columns, as SQL.
        key: The columns that tell its rows apart.
        drawn: Columns that the clock or a counter fills. They are no part of the diff.
        about: The table whose key a column holds, by the column's name.
        index: The columns of each index, as SQL.
    """

    name: str
    columns: str
    key: tuple[str, ...]
    drawn: tuple[str, ...] = ()
    about: Mapping[str, str] = field(default_factory=dict)
    index: tuple[str, ...] = ()


@dataclass(frozen=True)
class Do:
    """One call of an operation, which can be written as JSON."""

    operation: str
    args: Mapping[str, Any]

    def to_json(self) -> list[Any]:
        """Return the name of the operation and its arguments."""
        return [self.operation, dict(self.args)]


@dataclass(frozen=True)
class Operation:
    """A function that changes a world. Pages, solutions and near misses call the same function.

    Attributes:
        run: The function. It returns columns of the row that it made, for the page that follows.
        check: The table that it is meant to change.
        of: The table whose key an argument holds, by the argument's name.
    """

    run: Callable[..., Row | None]
    check: str
    of: Mapping[str, str]

    @property
    def name(self) -> str:
        """The name of the function."""
        return self.run.__name__

    @cached_property
    def args(self) -> tuple[str, ...]:
        """The names of the arguments, without the world."""
        return tuple(inspect.signature(self.run).parameters)[1:]

    @cached_property
    def needed(self) -> tuple[str, ...]:
        """The names of the arguments that have no default."""
        found = inspect.signature(self.run).parameters
        return tuple(each for each in self.args if found[each].default is inspect.Parameter.empty)

    def __call__(self, *values: Any, **named: Any) -> Do:
        """Return a call with these arguments. Nothing is changed yet."""
        bound = inspect.signature(self.run).bind(None, *values, **named)
        bound.apply_defaults()
        return Do(self.name, {key: bound.arguments[key] for key in self.args})


def operation(check: str, **of: str) -> Callable[[Callable[..., Row | None]], Operation]:
    """Declare a function as an operation.

    Args:
        check: The table that it is meant to change.
        of: The table whose key an argument holds, by the argument's name.
    """
    return lambda run: Operation(run, check, of)


Kind = Literal[
    "line", "text", "choice", "check", "suggest", "date", "number", "range", "radio", "file"
]  # fmt: skip
"""The kinds of fields.

line: one line of text. text: several lines. choice: a list to choose from. radio: the same as
buttons. check: "yes" or "". suggest: a line with a button that shows the options that contain the
text. date: a line with a date such as 2026-01-31. number: a line with a whole number. range: a line
with a range of whole numbers such as 10-25. file: a line with the name of a file.
"""


@dataclass(frozen=True)
class Field:
    """A field of a form. The word of its name is its label.

    Attributes:
        name: The name of the operation's argument.
        kind: The kind of the field.
        required: Whether it must be filled in.
        most: The maximum number of characters.
        options: The query of the values that it accepts, or the values. The query may name the
            columns of the page's record.
        held: The column of the record that the field shows at first.
        low: The least number or the first date that it accepts; "" for no limit.
        high: The greatest number or the last date that it accepts; "" for no limit.
        endings: The endings of file names that it accepts, such as ".pdf"; empty for all.
        tab: The word of the section that hides the field until somebody opens the section.
    """

    name: str
    kind: Kind = "line"
    required: bool = True
    most: int = 300
    options: str | tuple[str, ...] = ""
    held: str = ""
    low: str = ""
    high: str = ""
    endings: tuple[str, ...] = ()
    tab: str = ""


@dataclass(frozen=True)
class Form:
    """A form that calls an operation. The word of its name is the label of its button.

    Attributes:
        name: The form's name.
        operation: The operation.
        fields: The fields to fill in.
        given: The operation's arguments that the page knows: the column that holds each.
        fixed: The operation's arguments that are always the same.
        done: Whether the button is shown as pressed, for the page's record or the row.
        follows: The page after it, which shows what was made; "" is the page with the form.
        shown: Whether the form is there, for the page's record or the row.
        keeps: Whether a second button keeps the text as a draft and does not send it.
        commits: Whether no later form can take back the change. Agents see the mark `commits` at
            the button, and `--confirm` asks before it is pressed.
        each: In a form for several rows: the argument that gets a list, and the column of the row
            that is put into it.
    """

    name: str
    operation: Operation
    fields: tuple[Field, ...] = ()
    given: Mapping[str, str] = field(default_factory=dict)
    fixed: Mapping[str, Any] = field(default_factory=dict)
    done: Callable[[Row], bool] | None = None
    follows: str = ""
    shown: Callable[[Row], bool] = lambda row: True
    keeps: bool = False
    commits: bool = False
    each: tuple[str, str] | None = None

    @property
    def read_back(self) -> tuple[Field, ...]:
        """The fields whose values tell on the page after it that the form was sent: the texts, or
        the choices if it has no texts.
        """
        return tuple(each for each in self.fields if not each.options) or self.fields


@dataclass(frozen=True)
class Link:
    """A link to a page. The arguments of the page are columns of the record or row of the link.

    Attributes:
        to: The page.
        word: The skin's pattern of its label; "" is the page's name.
        using: The column for an argument that has another name. It may also name arguments that
            the page asks for.
        fixed: Arguments that are always the same.
        shown: Whether the link is there, for the page's record or the row.
    """

    to: str
    word: str = ""
    using: Mapping[str, str] = field(default_factory=dict)
    fixed: Mapping[str, Any] = field(default_factory=dict)
    shown: Callable[[Row], bool] = lambda row: True

    @property
    def label(self) -> str:
        """The name of the skin's pattern."""
        return self.word or self.to


@dataclass(frozen=True)
class Show:
    """A piece of a row or a record that a page shows.

    Attributes:
        kind: text: a column. lines: a column with its line breaks. ago: the age of a time. date:
            the day of a time. money: a column of cents. word: a pattern of the skin. link: the
            link with this label.
        of: The column, the word or the label of the link.
    """

    kind: Literal["text", "lines", "ago", "date", "money", "word", "link"]
    of: str


@dataclass(frozen=True)
class Column:
    """A column of a list, or a part of a record, with the pieces that stand in it."""

    name: str
    shows: tuple[Show, ...]


@dataclass(frozen=True)
class Computed:
    """Rows that a function computes, in place of a query.

    Attributes:
        run: The function. It gets the world and the arguments of the page, and returns the rows.
        columns: The columns of each row.
        among: The query of all rows that a page may show. With "", the kit finds no way to the
            page backwards, so that only a form leads there.
    """

    run: Callable[[World, Row], Iterable[Row]]
    columns: tuple[str, ...]
    among: str = ""


@dataclass(frozen=True)
class Listing:
    """A list on a page.

    Attributes:
        rows: The query of its rows, or the function that computes them.
        sorts: Its orders by name, as SQL. The first is the usual one.
        links: The links of each row. The page of the first link tells the rows apart.
        forms: The forms of each row.
        filters: Columns that the visitor may choose a value of, with the query of the values.
        keyword: The column that the visitor may search; "" for none.
        size: The number of rows on a page of the list.
        columns: The parts of a row. A name alone is the text of that column of the rows. If no
            part shows a link, the first part shows the first link in place of its text.
        key: The columns that tell the rows apart, if the first link does not.
        mass: The form for several rows, which the visitor chooses by check boxes.
        head: The column whose value stands above the rows that share it; "" for none.
        kept: Whether the list keeps the filters and the keyword that the visitor applied last,
            until a button clears them. Its page has no arguments in its address.
    """

    rows: str | Computed
    sorts: Mapping[str, str]
    links: tuple[Link, ...] = ()
    forms: tuple[Form, ...] = ()
    filters: Mapping[str, str] = field(default_factory=dict)
    keyword: str = ""
    size: int = 20
    columns: Sequence[str | Column] = ()
    key: tuple[str, ...] = ()
    mass: Form | None = None
    head: str = ""
    kept: bool = False

    @cached_property
    def cells(self) -> tuple[Column, ...]:
        """The columns with the pieces that stand in them."""
        cells = [
            Column(each, (Show("text", each),)) if isinstance(each, str) else each
            for each in self.columns
        ]
        if (
            self.links
            and cells
            and not any(show.kind == "link" for each in cells for show in each.shows)
        ):
            cells[0] = Column(cells[0].name, (Show("link", self.links[0].label),))
        return tuple(cells)

    @cached_property
    def amounts(self) -> tuple[Column, ...]:
        """The columns that show an amount of money and nothing else."""
        return tuple(each for each in self.cells if [show.kind for show in each.shows] == ["money"])

    @cached_property
    def sent(self) -> tuple[Form, ...]:
        """All forms of the list."""
        return (*self.forms, *([self.mass] if self.mass else ()))


@dataclass(frozen=True)
class Page:
    """A page of the site.

    Attributes:
        name: The page's name.
        address: Its address; `<name>` stands for a column of its record, and `<*name>` at the end
            for a column that may contain slashes.
        record: The query of all records that the page may show, or a function that computes the
            record from the page's arguments. "" for a page without a record.
        key: The columns that choose the record. The address holds them, except `me`, which is the
            signed-in user. Without a key, the page shows the first record of the query.
        links: Its links.
        forms: Its forms.
        listing: Its list.
        asks: Fields of a form that only opens this page again, with the text of the fields in the
            address. The function of the record gets them as arguments.
        shows: The parts of the record that the page shows.
    """

    name: str
    address: str
    record: str | Computed = ""
    key: tuple[str, ...] = ()
    links: tuple[Link, ...] = ()
    forms: tuple[Form, ...] = ()
    listing: Listing | None = None
    asks: tuple[Field, ...] = ()
    shows: tuple[Column, ...] = ()

    @cached_property
    def asked(self) -> tuple[str, ...]:
        """The arguments that its form without an operation asks for."""
        own = tuple(each.name for each in self.asks)
        if self.listing is None:
            return own
        return (*own, *self.listing.filters, *([KEYWORD] if self.listing.keyword else []))

    @cached_property
    def args(self) -> tuple[str, ...]:
        """The arguments in its address."""
        return tuple(names(self.address))

    @cached_property
    def sent(self) -> tuple[Form, ...]:
        """All forms of the page and of its list."""
        return (*self.forms, *(self.listing.sent if self.listing else ()))

    @cached_property
    def among(self) -> str:
        """The query of all records that the page may show; "" if there is none."""
        return self.record.among if isinstance(self.record, Computed) else self.record


@dataclass(frozen=True)
class Skin:
    """How a site looks. The same site with the same data can have several skins.

    Attributes:
        name: The skin's name.
        words: The texts, which are patterns over columns.
        nav: The links that stand on every page.
        look: The frame, one of `FRAMES`.
        theme: The theme, one of `THEMES`.
        sheet: The address of a style sheet of the skin's own; "" for none.
        menus: The parts that stand in a closed menu: `nav` is the navigation, `sort` the orders of
            lists.
        rows: The form in which a list shows its rows, one of `ROWS`.
        buttons: Whether the buttons of a row stand before or after the row.
        pager: One of `PAGERS` in `sites/_kit/skins/pagers.py`.
        size: The number of rows on a page of a list; 0 is the number of the list.
        sorts: The usual order of a page's list, if it is not the first.
        addresses: The addresses of pages, if they are not the declared ones.
    """

    name: str
    words: Mapping[str, str]
    nav: tuple[Link, ...]
    look: str = "top"
    sheet: str = ""
    rows: str = "list"
    buttons: str = "after"
    pager: str = "next"
    size: int = 0
    sorts: Mapping[str, str] = field(default_factory=dict)
    addresses: Mapping[str, str] = field(default_factory=dict)
    theme: str = "ocean"
    menus: tuple[str, ...] = ()

    def named(self, word: str, kind: str) -> str:
        """Return the name of a word of a kind (`button` or `label`), if the skin has one."""
        return f"{word}_{kind}" if kind and f"{word}_{kind}" in self.words else word

    def pattern(self, word: str, kind: str = "") -> str | None:
        """Return the pattern of a word. The pattern for its kind (button, label) comes first."""
        return (self.words.get(f"{word}_{kind}") if kind else None) or self.words.get(word)

    def say(self, word: str, row: Mapping[str, Any] | None = None, kind: str = "") -> str:
        """Return a text of this skin.

        Args:
            word: The name of the text.
            row: The columns that stand in it. An empty column (NULL) gives an empty text.
            kind: `button` or `label`, to prefer the text for buttons or labels; "" for neither.

        Raises:
            KeyError: The skin has no such word, or the row lacks a column.
        """
        pattern = self.pattern(word, kind)
        if pattern is None:
            raise KeyError(word)
        if "{" not in pattern:
            return pattern
        values = (row or {}).items()
        return pattern.format_map({key: EMPTY if text is None else text for key, text in values})


class Drawing(Protocol):
    """Draws the skins of a site (`sites/_kit/skins/drawn.py`)."""

    @property
    def synonyms(self) -> Synonyms:
        """The words, addresses and questions to draw from."""
        ...

    def __call__(self, site: Site, number: int) -> Skin:
        """Return the skin with a number."""
        ...


class Skins(dict[str, Skin]):
    """The skins of a site by name. A skin `skin-<number>` is drawn when it is asked for."""

    def __init__(self, site: Site) -> None:
        super().__init__((each.name, each) for each in site.skins)
        self._site = site

    def __missing__(self, name: str) -> Skin:
        number = DRAWN.fullmatch(name)
        if number is None or self._site.drawn is None:
            raise KeyError(name)
        self[name] = self._site.drawn(self._site, int(number[1]))
        return self[name]


@dataclass(frozen=True)
class Site:
    """A declared site.

    Attributes:
        name: The site's name.
        tables: Its tables.
        operations: Its operations.
        pages: Its pages.
        skins: Its skins. The first is the usual one.
        home: The page at which a visit starts.
        personas: The query of those who may be signed in; its column is `name`.
        stray: Returns a call of an operation that no task asks for, for near misses.
        now: The time of every visit, in seconds since 1970.
        drawn: Draws the skin with a number; None if the site has no drawn skins.
        order_args: The arguments of an address that say a list's order and that it goes downwards,
            such as `order=price&dir=desc` for the order `price_desc`; () if `sort` says both.
    """

    name: str
    tables: tuple[Table, ...]
    operations: tuple[Operation, ...]
    pages: tuple[Page, ...]
    skins: tuple[Skin, ...]
    home: str
    personas: str
    stray: Callable[[World], Do]
    now: float = 1_768_478_400.0
    drawn: Drawing | None = None
    order_args: tuple[str, ...] = ()

    @cached_property
    def page(self) -> Mapping[str, Page]:
        """The pages by name."""
        return {each.name: each for each in self.pages}

    @cached_property
    def operation(self) -> Mapping[str, Operation]:
        """The operations by name."""
        return {each.name: each for each in self.operations}

    @cached_property
    def skin(self) -> Mapping[str, Skin]:
        """The skins by name."""
        return Skins(self)

    @cached_property
    def table(self) -> Mapping[str, Table]:
        """The tables by name."""
        return {each.name: each for each in self.tables}

    def skin_of(self, world: World) -> Skin:
        """Return the skin that a world is shown in."""
        return self.skin[world.about.get("skin", self.skins[0].name)]

    def filled(self, link: Link) -> list[str]:
        """Return the arguments of a link's page that come from columns."""
        page = self.page[link.to]
        asked = (each for each in link.using if each in page.asked)
        return [each for each in (*page.args, *asked) if each not in link.fixed]

    def run(self, world: World, do: Do) -> Row | None:
        """Call an operation.

        Returns:
            Columns of the row that it made, or None.

        Raises:
            Refusal: The operation refused, and nothing was changed.
        """
        with world.lock:
            world.write("SAVEPOINT operation")
            try:
                made = self.operation[do.operation].run(world, **do.args)
            except BaseException:
                world.write("ROLLBACK TO operation")
                raise
            finally:
                world.write("RELEASE operation")
        return made


def one(world: World, sql: str, values: Any = ()) -> Row:
    """Return the first row of a query.

    Raises:
        Refusal: There is no row (404).
    """
    found = world.read(sql, values)
    if not found:
        raise Refusal(404, "This page is not here. Go back, or start from the first page.")
    return found[0]
