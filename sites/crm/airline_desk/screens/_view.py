"""The view of a screen: a place (screen and subject) in a visit's database, in the words of an
airline.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from urllib.parse import urlencode

from sites import careless
from sites.crm.airline_desk.model import journal
from sites.crm.airline_desk.model.airline import Airline
from sites.crm.airline_desk.model.journal import Values
from sites.crm.airline_desk.model.place import Place
from sites.crm.airline_desk.model.records import Booking, Trip
from sites.crm.airline_desk.operations import looking
from sites.crm.airline_desk.pages import done
from sites.crm.airline_desk.pages.screen import Button, Field, Form, Link, Option, Section
from sites.crm.base.airports import Airport
from sites.crm.base.world import CrmData
from sites.dials import Dials
from sites.world import Row, World

NAMES = ("first-name", "last-name")
"""The fields whose length the dial (difficulty setting) `letters` limits, perhaps too much for a
name.
"""
LONGER = "longer"
"""The argument in an address that lifts the length limit which the dial (difficulty setting)
`letters` sets.
"""
FEW = 3
"""The number of a field's first options that the dial (difficulty setting) `preset` uses when it
fills the field in.
"""


@dataclass(frozen=True)
class Entry:
    """A field of a screen's form.

    Attributes:
        key: `<field>` or `<field>.<number>`.
        kind: The kind of the field, see `pages.screen.Field`.
        value: The current value.
        options: Pairs of a value and its label.
        hint: The hint beside it.
        word: The key of its label, if it is not the key of the field.
        of: A text that the label adds in brackets, such as "child 1".
        fresh: Whether the field must be filled in and nobody has touched it yet.
    """

    key: str
    kind: str = "text"
    value: str = ""
    options: tuple[tuple[str, str], ...] = ()
    hint: str = ""
    word: str = ""
    of: str = ""
    fresh: bool = False

    @property
    def parts(self) -> list[str]:
        """The parts of the field's key between dots: its name and, for some fields, a number."""
        return self.key.split(".")


@dataclass(frozen=True)
class View:
    """A screen to show.

    Attributes:
        world: The visit's database (its world).
        data: The site's read-only data.
        airline: The airline.
        place: The screen and its subject.
        query: The end of every address: the visitor's session if addresses name it.
        arguments: The arguments in the page's own address.
        values: The texts that were sent, by key.
        problems: The sentences about wrong texts, by key.
        pending: The button that must be pressed again.
        kinds: All screens by name.
    """

    world: World
    data: CrmData
    airline: Airline
    place: Place
    query: str = ""
    arguments: Mapping[str, str] = field(default_factory=dict)
    values: Values = field(default_factory=dict)
    problems: Mapping[str, str] = field(default_factory=dict)
    pending: str = ""
    kinds: Mapping[str, ScreenKind] = field(default_factory=dict)

    def on(self, world: World) -> View:
        """Return the view of the same screen with another database, such as a copy on which an
        action is tried.
        """
        return replace(self, world=world)

    # Subject

    def trip(self) -> Trip:
        """Return the sale that the screen is about."""
        return looking.trip(self.world, self.place.number)

    def booking(self) -> Booking:
        """Return the booking that the screen is about."""
        return looking.booking(self.world, self.place.reference)

    def version(self) -> int:
        """Return how often the sale or booking of the screen was changed, by which outdated pages
        are recognised.
        """
        return journal.version(self.world, self.place.parts[0]) if self.place.parts else 0

    # Words and formats of the airline

    def word(self, key: str, **slots: object) -> str:
        """Return the airline's text for a key, with its slots filled."""
        return self.airline.word(key, **slots)

    def direction(self, name: str) -> str:
        """Return the airline's name for "outward" or "return"."""
        return self.word({"outward": "outward", "return": "inward"}[name])

    def done(self, recorded: Iterable[Row]) -> list[str]:
        """Return the sentences about accepted actions, given their recorded values; actions without
        a sentence are left out.
        """
        return [text for each in recorded if (text := done.sentence(self.airline, each))]

    def money(self, dollars: int) -> str:
        """Return an amount in the airline's format."""
        return self.airline.formats.money(dollars)

    def airport(self, code: str) -> str:
        """Return name and code of an airport, as pages write them."""
        found: Airport = self.data.airports[code]
        return found.label

    def address(self, place: Place, /, **arguments: object) -> str:
        """Return the address of a screen, with the visitor's session if addresses name it."""
        path = self.airline.address(place.screen, *place.parts)
        pairs = [urlencode({name: value}) for name, value in arguments.items() if value]
        query = "&".join([*filter(None, [self.query]), *pairs])
        return f"{path}?{query}" if query else path

    def link(self, key: str, place: Place, *parts: object, **slots: object) -> Link:
        """Return a link to a place, whose html id and text are the airline's for this key."""
        return Link(self.airline.id(key, *parts), self.word(key, **slots), self.address(place))

    def button(self, key: str, *, commits: bool = False) -> Button:
        """Return a button with the airline's text for a key. If it must be pressed a second time,
        its label says so.
        """
        asked = commits and self.pending == key
        label = self.word("press-again", label=self.word(key)) if asked else self.word(key)
        return Button(self.airline.id(key), label, commits=commits, primary=True)

    def form(self, title: str, entries: tuple[Entry, ...], lead: str = "") -> Form:
        """Return a form with these fields, a title, and a text (`lead`) above the fields."""
        return Form(title, tuple(map(self.field, entries)), lead)

    def field(self, entry: Entry) -> Field:
        """Return a form field with the text that was sent for it, or else with its own value."""
        word = self.word(entry.word or entry.parts[0])
        return Field(
            id=self.airline.id(*entry.parts),
            label=f"{word} ({entry.of})" if entry.of else word,
            kind=entry.kind,
            value=self.values.get(entry.key, self._held(entry)),
            options=tuple(Option(*each) for each in entry.options),
            hint=entry.hint,
            problem=self.problems.get(entry.key, ""),
            most=self.letters if entry.parts[0] in NAMES else 0,
        )

    @property
    def letters(self) -> int:
        """The number of letters that a name field takes; 0 for no limit."""
        dials = Dials.of(self.world)
        return dials.letters if dials and LONGER not in self.arguments else 0

    def _held(self, entry: Entry) -> str:
        """Return the first value of a field, which the dial (difficulty setting) `preset` may
        replace by a wrong one.
        """
        if not entry.fresh:
            return entry.value
        values = [value for value, _ in entry.options][:FEW]
        return careless.filled_in(self.world, entry.key, values, entry.value)


def same_options(texts: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Return options whose labels are their values."""
    return tuple((each, each) for each in texts)


Entries = Callable[[View], tuple[Entry, ...]]


@dataclass(frozen=True)
class Contents:
    """The contents of a screen.

    Attributes:
        title: The key of the heading.
        sections: The sections, including forms.
        buttons: The buttons.
        links: Links to other screens.
        back: The link to the previous screen.
        slots: The values in the heading.
        asks: Whether the button opens the screen itself, with the fields in the address.
    """

    title: str
    sections: tuple[Section, ...] = ()
    buttons: tuple[Button, ...] = ()
    links: tuple[Link, ...] = ()
    back: Link | None = None
    slots: Mapping[str, object] = field(default_factory=dict)
    asks: bool = False


def no_entries(_: View) -> tuple[Entry, ...]:
    """Return no fields, for screens without a form."""
    return ()


@dataclass(frozen=True)
class ScreenKind:
    """A kind of screen: the functions that make it and that handle its buttons.

    Attributes:
        contents: Returns the contents.
        entries: Returns the fields.
        send: Called as `send(view, control, values)`. It runs the operation of a button and
            returns
            the next screen.
        controls: The keys of the buttons.
        commits: The buttons whose action cannot be undone.
        summary: Returns the sections that a review shows before such an action.
        opened: Returns the subject under which the journal records the screen; None for the
            subject
            of the place.
    """

    contents: Callable[[View], Contents]
    entries: Entries = no_entries
    send: Callable[[View, str, Values], Place] | None = None
    controls: tuple[str, ...] = ()
    commits: tuple[str, ...] = ()
    summary: Callable[[View], tuple[Section, ...]] | None = None
    opened: Callable[[View], str] | None = None
