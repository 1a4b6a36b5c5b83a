"""The data of a screen as its template gets it: all texts are in the airline's words and
formats.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True)
class Option:
    """An option of a form's field: its posted value and its label."""

    value: str
    label: str


@dataclass(frozen=True)
class Field:
    """A field of a form.

    Attributes:
        id: The html id and the name under which it is posted.
        label: The label.
        kind: airport, date, choice, count, text, money or check.
        value: The current value.
        options: The options of a choice, or the numbers that a count can be.
        hint: The hint beside it.
        problem: The error message beside it.
        most: The number of letters after which a text is cut off; 0 for no limit.
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
    """A group of form fields with a title; `lead` is a text above them."""

    template: ClassVar[str] = "form"
    title: str
    fields: tuple[Field, ...]
    lead: str = ""


@dataclass(frozen=True)
class Facts:
    """A section of a page that lists terms with their values; `id` is the html id of the list."""

    template: ClassVar[str] = "facts"
    title: str
    rows: tuple[tuple[str, str], ...] = ()
    id: str = ""


@dataclass(frozen=True)
class Cell:
    """A text in a table's cell. With an address it is a link, which has an html id."""

    text: str
    address: str = ""
    id: str = ""


@dataclass(frozen=True)
class Link:
    """A link on a page; `current` marks the link to the page itself."""

    id: str
    label: str
    address: str
    current: bool = False


@dataclass(frozen=True)
class Table:
    """A table; `empty` is the sentence that replaces missing rows."""

    template: ClassVar[str] = "table"
    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...] = ()
    empty: str = ""
    pages: tuple[Link, ...] = ()


@dataclass(frozen=True)
class Price:
    """A fare of an offer as a button to choose: `value` is posted, and `label` is the accessible
    name.
    """

    id: str
    value: str
    text: str
    label: str
    left: str = ""
    sold_out: bool = False
    checked: bool = False


@dataclass(frozen=True)
class OfferRow:
    """A row in a list of flight offers, as texts, with a price for each fare brand."""

    id: str
    flights: str
    departs: str
    arrives: str
    stop: str
    duration: str
    prices: tuple[Price, ...]


@dataclass(frozen=True)
class Offers:
    """The list of offers for one direction; `name` is the name under which the choice is posted."""

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
    """A seat in a seat map: its code, and its state or price as text."""

    code: str
    text: str


@dataclass(frozen=True)
class SeatMap:
    """A seat map.

    Attributes:
        title: The heading.
        letters: The letters of the seats.
        rows: For each row its text, whether it is an exit row, and its seats in the letters' order.
    """

    template: ClassVar[str] = "seatmap"
    title: str
    letters: str
    rows: tuple[tuple[str, bool, tuple[SeatCell, ...]], ...]


@dataclass(frozen=True)
class Text:
    """Paragraphs of text."""

    template: ClassVar[str] = "text"
    paragraphs: tuple[str, ...]


@dataclass(frozen=True)
class Mail:
    """A mail shown on a page; `head` says who wrote it and when."""

    head: str
    paragraphs: tuple[str, ...]


@dataclass(frozen=True)
class Thread:
    """A section of a page that lists mails."""

    template: ClassVar[str] = "thread"
    title: str
    mails: tuple[Mail, ...]


@dataclass(frozen=True)
class Passage:
    """A section of a page with a text to read, and a remark below it."""

    template: ClassVar[str] = "passage"
    paragraphs: tuple[str, ...]
    foot: str = ""


@dataclass(frozen=True)
class LinkList:
    """A list of links."""

    template: ClassVar[str] = "links"
    title: str
    links: tuple[Link, ...]


@dataclass(frozen=True)
class Button:
    """A button that submits the screen's form with its id as `press`.

    `commits` means that its action cannot be undone.
    """

    id: str
    label: str
    commits: bool = False
    primary: bool = False


@dataclass(frozen=True)
class Step:
    """A step of a sale; `state` is past, current or next."""

    label: str
    state: str


Section = Form | Facts | Table | Offers | SeatMap | Text | Passage | LinkList | Thread


@dataclass(frozen=True)
class Screen:
    """One page.

    Attributes:
        key: The name of the screen.
        title: The heading.
        address: The address of the page.
        sections: The contents.
        buttons: The buttons below the form.
        links: Links to other screens.
        back: The link to the previous screen.
        nav: The navigation bar of every page.
        steps: The steps of a sale.
        problem: The message above the form.
        visit: Lines about what was done in this visit.
        version: The version of the sale or booking, by which outdated pages are recognized.
        about: A further link.
        asks: Whether the form is sent by GET.
        longer: The link to the same page with fields that take longer texts.
        news: The link to a ticket with new mail.
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
