"""What a site declares: tables, operations, pages with links, lists and forms, and skins.

Names are the map: an argument of an address is a column of the record that its page shows, so the
way to a page can be found from its address alone (`sites/_kit/map.py`).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from sites.site_app import Refusal
from sites.world import Row, World

PAGE, SORT, KEYWORD = "page", "sort", "q"
"""What a list's address holds besides the arguments of its page."""


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
    keeps: bool = False
    """Whether a second button keeps the text as a draft and does not send it. Its label is the
    skin's word `keep`; the word `kept` stands beside a form that shows a draft."""


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
    """How a site looks: words (patterns over columns), navigation, layout, addresses, sizes."""

    name: str
    words: Mapping[str, str]
    nav: tuple[Link, ...]
    look: str
    sheet: str = ""
    """The address of its own style sheet, if it has one."""
    rows: Literal["list", "table"] = "list"
    buttons: Literal["before", "after"] = "after"
    pager: Literal["next", "numbers"] = "next"
    size: int = 0
    sorts: Mapping[str, str] = field(default_factory=dict)
    """The usual order of a page's list, where it is not the first."""
    addresses: Mapping[str, str] = field(default_factory=dict)

    def say(self, word: str, row: Mapping[str, Any] | None = None, kind: str = "") -> str:
        """The word; of a button or label the one of that kind, where there are several."""
        pattern = self.words.get(f"{word}_{kind}") if kind else None
        return (pattern or self.words[word]).format_map(row or {})


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

    @cached_property
    def page(self) -> Mapping[str, Page]:
        return {each.name: each for each in self.pages}

    @cached_property
    def operation(self) -> Mapping[str, Operation]:
        return {each.name: each for each in self.operations}

    @cached_property
    def skin(self) -> Mapping[str, Skin]:
        return {each.name: each for each in self.skins}

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
