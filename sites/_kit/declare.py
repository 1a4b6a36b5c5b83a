"""What a site declares: tables, operations, pages with links, lists and forms, and skins.

Names are the map: an argument of an address is a column of the record that its page shows, so the
way to a page can be found from its address alone (`sites/_kit/map.py`).
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, Protocol

from sites._kit.skins.synonyms import Synonyms
from sites.site_app import Refusal
from sites.world import Row, World

PAGE, SORT, KEYWORD = "page", "sort", "q"
"""What a list's address holds besides the arguments of its page."""
FRAMES = "top", "side", "columns", "masthead"
"""The frames: the place of the navigation, and the columns of a page (`templates/frames`)."""
THEMES = "ocean", "meadow", "ember", "slate"
"""The themes: colours, letters and corners, each in light and dark (`static/themes`)."""
ROWS = "list", "cards", "table"
"""The forms in which a list shows its rows."""
DRAWN = re.compile(r"skin-(0|[1-9]\d{0,14})")
"""The name of a skin that is drawn by its number."""


class Invalid(Refusal):
    """What was filled in cannot be taken: a sentence for each wrong field, by its name."""

    def __init__(self, **errors: str) -> None:
        super().__init__(400, " ".join(errors.values()))
        self.errors = errors


@dataclass(frozen=True)
class Table:
    """`key` tells rows apart; `drawn` are columns that the clock or a counter fills; `about` says
    of which table's key a column is, so that a sibling of it can be named."""

    name: str
    columns: str
    key: tuple[str, ...]
    drawn: tuple[str, ...] = ()
    about: Mapping[str, str] = field(default_factory=dict)
    index: tuple[str, ...] = ()


@dataclass(frozen=True)
class Do:
    """One call of an operation, as JSON."""

    operation: str
    args: Mapping[str, Any]

    def to_json(self) -> list[Any]:
        return [self.operation, dict(self.args)]


@dataclass(frozen=True)
class Operation:
    """A function that changes a world; it is called by pages, solutions and near misses alike.

    `check` is the table whose rows it is there to change. `of` says which table's key an argument
    is. It returns columns of what it made, for the page that follows.
    """

    run: Callable[..., Row | None]
    check: str
    of: Mapping[str, str]

    @property
    def name(self) -> str:
        return self.run.__name__

    def __call__(self, *values: Any, **named: Any) -> Do:
        bound = inspect.signature(self.run).bind(None, *values, **named)
        bound.apply_defaults()
        return Do(self.name, {key: value for key, value in list(bound.arguments.items())[1:]})


def operation(check: str, **of: str) -> Callable[[Callable[..., Row | None]], Operation]:
    return lambda run: Operation(run, check, of)


@dataclass(frozen=True)
class Field:
    """Its label is the skin's word of its name. `options` is the query of a choice's values;
    `held` is the column of the page's record that it shows at first."""

    name: str
    kind: Literal["line", "text", "choice", "check"] = "line"
    required: bool = True
    most: int = 300
    options: str = ""
    held: str = ""


@dataclass(frozen=True)
class Form:
    """Its button is the skin's word of its name. `given` are the operation's arguments that the
    page knows, by column; `fixed` those that are the same wherever it stands. `done` is a condition
    on the row: then the button is shown pressed. `follows` is the page after it; "" is the same."""

    name: str
    operation: Operation
    fields: tuple[Field, ...] = ()
    given: Mapping[str, str] = field(default_factory=dict)
    fixed: Mapping[str, Any] = field(default_factory=dict)
    done: Callable[[Row], bool] | None = None
    follows: str = ""
    shown: Callable[[Row], bool] = lambda row: True


@dataclass(frozen=True)
class Link:
    """To a page whose arguments are columns of what it stands on; `using` where names differ.
    Its label is the skin's pattern `word`."""

    to: str
    word: str = ""
    using: Mapping[str, str] = field(default_factory=dict)
    fixed: Mapping[str, Any] = field(default_factory=dict)
    shown: Callable[[Row], bool] = lambda row: True

    @property
    def label(self) -> str:
        return self.word or self.to


@dataclass(frozen=True)
class Listing:
    """Rows of a page: a query, its orders by name (the first is the usual one), what may be
    searched, and what stands in each row. The first link of a row tells which one it is."""

    rows: str
    sorts: Mapping[str, str]
    links: tuple[Link, ...]
    forms: tuple[Form, ...] = ()
    filters: Mapping[str, str] = field(default_factory=dict)
    """Columns that may be chosen from a list, each with the query of its values."""
    keyword: str = ""
    size: int = 20
    columns: Sequence[str] = ()


@dataclass(frozen=True)
class Page:
    """`record` is a query whose rows are all that such a page may show; `key` are the columns that
    choose one. The page's address holds columns of it."""

    name: str
    address: str
    record: str = ""
    key: tuple[str, ...] = ()
    links: tuple[Link, ...] = ()
    forms: tuple[Form, ...] = ()
    listing: Listing | None = None

    @cached_property
    def asked(self) -> tuple[str, ...]:
        """What its list's form asks for."""
        if self.listing is None:
            return ()
        return (*self.listing.filters, *([KEYWORD] if self.listing.keyword else []))

    @cached_property
    def args(self) -> tuple[str, ...]:
        return tuple(part[1:-1] for part in self.address.split("/") if part[:1] == "<")


@dataclass(frozen=True)
class Skin:
    """The look of a site: its words, navigation, layout, addresses and sizes.

    Attributes:
        words: The texts by name; a column of the row in braces stands for its value.
        nav: The links of the navigation, in their order.
        look: The frame, one of `FRAMES`.
        theme: The theme, one of `THEMES`.
        sheet: The address of a style sheet of the skin's own; "" for none.
        menus: The parts that stand in a closed menu: `nav` is the navigation, `sort` the orders of
            lists.
        size: The number of rows on a page of a list; 0 means that each list has its own.
        sorts: The usual order of a page's list, if it is not the first.
        addresses: The address of a page, if it is not the declared one.
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

    def say(self, word: str, row: Mapping[str, Any] | None = None, kind: str = "") -> str:
        """The word; of a button or label the one of that kind, where there are several."""
        return self.words[self.named(word, kind)].format_map(row or {})

    def named(self, word: str, kind: str) -> str:
        """Return the name of a word of a kind (`button` or `label`), if the skin has one."""
        return f"{word}_{kind}" if kind and f"{word}_{kind}" in self.words else word


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
    name: str
    tables: tuple[Table, ...]
    operations: tuple[Operation, ...]
    pages: tuple[Page, ...]
    skins: tuple[Skin, ...]
    home: str
    personas: str
    """The query of those who may be signed in."""
    stray: Callable[[World], Do]
    """Something that nobody asked for, for near misses."""
    drawn: Drawing | None = None
    """Draws the skin with a number; None if the site has no drawn skins."""

    @cached_property
    def page(self) -> Mapping[str, Page]:
        return {each.name: each for each in self.pages}

    @cached_property
    def operation(self) -> Mapping[str, Operation]:
        return {each.name: each for each in self.operations}

    @cached_property
    def skin(self) -> Mapping[str, Skin]:
        return Skins(self)

    @cached_property
    def table(self) -> Mapping[str, Table]:
        return {each.name: each for each in self.tables}

    def skin_of(self, world: World) -> Skin:
        return self.skin[world.about.get("skin", self.skins[0].name)]

    def run(self, world: World, do: Do) -> Row | None:
        """One call of an operation. Raises `Refusal` and then changes nothing."""
        return self.operation[do.operation].run(world, **do.args)


def one(world: World, sql: str, values: Any = ()) -> Row:
    """The row; Raises `Refusal` (404) where there is none."""
    found = world.read(sql, values)
    if not found:
        raise Refusal(404, "This page is not here. Go back, or start from the first page.")
    return found[0]
