"""A screen to show: a place in a world, in the words of an airline."""

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
"""The fields that can be too short for what is typed."""
LONGER = "longer"
"""The argument of an address that says that they are long enough."""
FEW = 3
"""No more of a field's values are filled in by pages that were made without care."""


@dataclass(frozen=True)
class Entry:
    """A field of a screen's form.

    `key` is `<field>` or `<field>.<number>`; `word` is the key of its label where that is another
    one, and `of` what the label says besides ("child 1"). `options` are values and labels. A field
    that must be filled in and that nobody has touched is `fresh`.
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
        return self.key.split(".")


@dataclass(frozen=True)
class View:
    """`values` are the texts that were sent, `problems` the sentences against them, by key.

    `query` is what every address ends with (the visitor's session, where an address names it);
    `arguments` are those of the page's own address, `pending` the button that is to be pressed
    again. `kinds` are all screens, by name.
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
        """The same screen in another world."""
        return replace(self, world=world)

    # What it is about

    def trip(self) -> Trip:
        return looking.trip(self.world, self.place.number)

    def booking(self) -> Booking:
        return looking.booking(self.world, self.place.reference)

    def version(self) -> int:
        """How often the sale or booking was changed."""
        return journal.version(self.world, self.place.parts[0]) if self.place.parts else 0

    # In the airline's words

    def word(self, key: str, **slots: object) -> str:
        return self.airline.word(key, **slots)

    def direction(self, name: str) -> str:
        """What the way out and the way back are called."""
        return self.word({"outward": "outward", "return": "inward"}[name])

    def done(self, recorded: Iterable[Row]) -> list[str]:
        """What accepted commits did, a sentence for each that has one."""
        return [text for each in recorded if (text := done.sentence(self.airline, each))]

    def money(self, dollars: int) -> str:
        return self.airline.formats.money(dollars)

    def airport(self, code: str) -> str:
        found: Airport = self.data.airports[code]
        return found.label

    def address(self, place: Place, /, **arguments: object) -> str:
        """Of a screen, with the visitor's session where addresses have it."""
        path = self.airline.address(place.screen, *place.parts)
        pairs = [urlencode({name: value}) for name, value in arguments.items() if value]
        query = "&".join([*filter(None, [self.query]), *pairs])
        return f"{path}?{query}" if query else path

    def link(self, key: str, place: Place, *parts: object, **slots: object) -> Link:
        """A link with the id and the words of a key."""
        return Link(self.airline.id(key, *parts), self.word(key, **slots), self.address(place))

    def button(self, key: str, *, commits: bool = False) -> Button:
        """A button; one that commits says so where it is to be pressed again."""
        asked = commits and self.pending == key
        label = self.word("press-again", label=self.word(key)) if asked else self.word(key)
        return Button(self.airline.id(key), label, commits=commits, primary=True)

    def form(self, title: str, entries: tuple[Entry, ...], lead: str = "") -> Form:
        return Form(title, tuple(map(self.field, entries)), lead)

    def field(self, entry: Entry) -> Field:
        """A field with what stands in it: what was sent, else what was kept, else its value."""
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
        """How many letters a field of a name takes; 0 where it takes all."""
        dials = Dials.of(self.world)
        return dials.letters if dials and LONGER not in self.arguments else 0

    def _held(self, entry: Entry) -> str:
        if not entry.fresh:
            return entry.value
        values = [value for value, _ in entry.options][:FEW]
        return careless.filled_in(self.world, entry.key, values, entry.value)


def same_options(texts: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Options whose labels are their values."""
    return tuple((each, each) for each in texts)


Entries = Callable[[View], tuple[Entry, ...]]


@dataclass(frozen=True)
class Contents:
    """What a screen shows besides its form; `title` is the key of the heading, `slots` what
    stands in it. With `asks` its button opens the screen itself, with the fields in the address."""

    title: str
    sections: tuple[Section, ...] = ()
    buttons: tuple[Button, ...] = ()
    links: tuple[Link, ...] = ()
    back: Link | None = None
    slots: Mapping[str, object] = field(default_factory=dict)
    asks: bool = False


def no_entries(_: View) -> tuple[Entry, ...]:
    return ()


@dataclass(frozen=True)
class ScreenKind:
    """How a screen is made and sent.

    `send(view, control, values)` runs the operation of a button and returns the screen that
    follows. `commits` are the controls that cannot be taken back. `opened` is the subject under
    which the journal notes it, where that is not what the place says.
    """

    contents: Callable[[View], Contents]
    entries: Entries = no_entries
    send: Callable[[View, str, Values], Place] | None = None
    controls: tuple[str, ...] = ()
    commits: tuple[str, ...] = ()
    summary: Callable[[View], tuple[Section, ...]] | None = None
    opened: Callable[[View], str] | None = None
