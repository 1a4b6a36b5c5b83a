"""A screen as its template gets it: all texts are in the airline's words and formats."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True)
class Option:
    value: str
    label: str


@dataclass(frozen=True)
class Field:
    """`kind` is airport, date, choice, count, text, money or check; `id` is also the posted name.

    `options` are those of a choice, or the numbers that a count can be; a text is cut after `most`
    letters, if there are so many.
    """

    id: str
    label: str
    kind: str
    value: str = ""
    options: tuple[Option, ...] = ()
    hint: str = ""
    problem: str = ""
    most: int = 0


@dataclass(frozen=True)
class Form:
    """A group of fields."""

    template: ClassVar[str] = "form"
    title: str
    fields: tuple[Field, ...]
    lead: str = ""


@dataclass(frozen=True)
class Facts:
    """Terms and what they are; `id` is the element's."""

    template: ClassVar[str] = "facts"
    title: str
    rows: tuple[tuple[str, str], ...] = ()
    id: str = ""


@dataclass(frozen=True)
class Cell:
    """A text; with an address it is a link, with an id."""

    text: str
    address: str = ""
    id: str = ""


@dataclass(frozen=True)
class Link:
    id: str
    label: str
    address: str
    current: bool = False


@dataclass(frozen=True)
class Table:
    """`empty` is the sentence that stands there without rows."""

    template: ClassVar[str] = "table"
    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...] = ()
    empty: str = ""
    pages: tuple[Link, ...] = ()


@dataclass(frozen=True)
class Price:
    """A fare of an offer, to be chosen: `value` is posted, `label` is the accessible name."""

    id: str
    value: str
    text: str
    label: str
    left: str = ""
    sold_out: bool = False
    checked: bool = False


@dataclass(frozen=True)
class OfferRow:
    """One offer in texts, with a price for each brand in the brands' order."""

    id: str
    flights: str
    departs: str
    arrives: str
    stop: str
    duration: str
    prices: tuple[Price, ...]


@dataclass(frozen=True)
class Offers:
    """The offers of one direction; `name` is the posted name of the choice."""

    template: ClassVar[str] = "offers"
    name: str
    title: str
    lead: str
    brands: tuple[str, ...]
    rows: tuple[OfferRow, ...]
    problem: str = ""
    total: str | None = None
    pages: tuple[Link, ...] = ()


@dataclass(frozen=True)
class SeatCell:
    code: str
    text: str


@dataclass(frozen=True)
class SeatMap:
    """`rows`: the row's text, whether it is an exit row, and its seats in the letters' order."""

    template: ClassVar[str] = "seatmap"
    title: str
    letters: str
    rows: tuple[tuple[str, bool, tuple[SeatCell, ...]], ...]


@dataclass(frozen=True)
class Text:
    template: ClassVar[str] = "text"
    paragraphs: tuple[str, ...]


@dataclass(frozen=True)
class Mail:
    """`head` says who wrote it and when."""

    head: str
    paragraphs: tuple[str, ...]


@dataclass(frozen=True)
class Thread:
    template: ClassVar[str] = "thread"
    title: str
    mails: tuple[Mail, ...]


@dataclass(frozen=True)
class Passage:
    """A text to read, and what is said of it below."""

    template: ClassVar[str] = "passage"
    paragraphs: tuple[str, ...]
    foot: str = ""


@dataclass(frozen=True)
class LinkList:
    template: ClassVar[str] = "links"
    title: str
    links: tuple[Link, ...]


@dataclass(frozen=True)
class Button:
    """It submits the screen's form with its id as `press`; `commits`: it cannot be taken back."""

    id: str
    label: str
    commits: bool = False
    primary: bool = False


@dataclass(frozen=True)
class Step:
    """`state` is past, current or next."""

    label: str
    state: str


Section = Form | Facts | Table | Offers | SeatMap | Text | Passage | LinkList | Thread


@dataclass(frozen=True)
class Screen:
    """One page.

    `links` open other screens, `nav` is the bar of every page, `visit` holds a line for each thing
    that was done in this visit, `version` guards against a page that is out of date. With `asks`
    the form is sent by GET. `longer` opens it with fields that take longer texts,
    `news` a ticket that has new mail.
    """

    key: str
    title: str
    address: str
    sections: tuple[Section, ...]
    buttons: tuple[Button, ...] = ()
    links: tuple[Link, ...] = ()
    back: Link | None = None
    nav: tuple[Link, ...] = ()
    steps: tuple[Step, ...] = ()
    problem: str = ""
    visit: tuple[str, ...] = ()
    version: int = 0
    about: Link | None = None
    asks: bool = False
    longer: Link | None = None
    news: Link | None = None
