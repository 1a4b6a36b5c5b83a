"""The airlines: the differences between three versions of the same desk, each read from its own
TOML file.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from sites.crm.airline_desk.model.formats import Formats

FOLDER = Path(__file__).with_name("airlines")
KEYS = ("contrail", "halcyra", "ostrel")
FORM = "date-form"
"""The key of the text at the foot of every page that says how dates are written."""
LAST_STEPS = ("button", "review", "again")

_SLOT = r"([^/]{1,60})"
_PART = re.compile(r"[0-9A-Za-z.]+")


@dataclass(frozen=True, eq=False)
class Airline:
    """The version of the desk that an airline uses.

    An airline is created once and only equal to itself.

    Attributes:
        key: The key of the airline.
        name: Its name.
        tagline: Its slogan.
        words: The texts by key.
        ids: The names of html ids by key.
        addresses: The addresses of screens, with `{}` for each part.
        widgets: The widget for a kind of field, or for a single field by its key.
        formats: The formats of dates, times and money.
        order: The order of the fields of each form and of the sections of each page.
        pages: The sections that each page of a sale shows.
        last_step: How the last step works: "button" (one press), "review" (a page with a box to
            tick) or "again" (the button must be pressed a second time).
    """

    key: str
    name: str
    tagline: str
    words: Mapping[str, str]
    ids: Mapping[str, str]
    addresses: Mapping[str, str]
    widgets: Mapping[str, str]
    formats: Formats
    order: Mapping[str, tuple[str, ...]]
    pages: Mapping[str, tuple[str, ...]]
    last_step: str

    def in_formats(self, places: int) -> Airline:
        """Return a copy of the airline with another airline's formats of dates and money, and with
        the text about them.

        Args:
            places: How many places after this airline in `KEYS` the other one stands; 0 for no
                change.
        """
        return _in_formats(self, places) if places else self

    def word(self, key: str, **slots: object) -> str:
        """Return one of the airline's texts by key, with its slots filled. Raises KeyError for a
        key that no airline has.
        """
        return self.words[key].format(**slots)

    def id(self, key: str, *parts: object) -> str:
        """Return the html id of a field or button.

        Args:
            key: The key of the field or button.
            *parts: Parts that follow its name, such as the number of a passenger.
        """
        return "-".join((self.ids[key], *map(str, parts)))

    def key_of(self, id: str) -> tuple[str, tuple[str, ...]] | None:  # noqa: A002  as in HTML
        """Return the key and the parts that an html id is made of, or None if this airline has no
        such id.
        """
        parts = id.split("-")
        for cut in range(len(parts), 0, -1):
            key = self._keys.get("-".join(parts[:cut]))
            if key and all(map(_PART.fullmatch, parts[cut:])):
                return key, tuple(parts[cut:])
        return None

    def widget(self, kind: str, id: str) -> str:  # noqa: A002  as in HTML
        """Return the name of the widget that shows a field.

        Returns:
            The widget for its key if the airline names one, else that for its kind, else the kind
            itself.
        """
        found = self.key_of(id)
        named = self.widgets.get(found[0], "") if found else ""
        return named or self.widgets.get(kind, kind)

    def address(self, screen: str, *parts: object) -> str:
        """Return the address of a screen, with these parts (such as a booking's reference) filled
        in.
        """
        return self.addresses[screen].format(*parts)

    def read(self, address: str) -> tuple[str, tuple[str, ...]] | None:
        """Return the name of the screen at an address and the parts in the address, or None if
        there is no such screen.
        """
        for screen, pattern in self._patterns:
            match = pattern.fullmatch(address)
            if match:
                return screen, match.groups()
        return None

    @cached_property
    def _keys(self) -> dict[str, str]:
        """The key of each html id, by the name that the id begins with."""
        return {name: key for key, name in self.ids.items()}

    @cached_property
    def _patterns(self) -> list[tuple[str, re.Pattern[str]]]:
        """The screens, each with a pattern that matches its addresses.

        Those with fewer slots come first, because a literal part wins.
        """
        fewest = sorted(self.addresses.items(), key=lambda each: each[1].count("{}"))
        return [(screen, _pattern(template)) for screen, template in fewest]


@lru_cache(maxsize=1)
def airlines() -> Mapping[str, Airline]:
    """Return all airlines by key."""
    return MappingProxyType({key: _load(key) for key in KEYS})


@lru_cache(maxsize=len(KEYS) * len(KEYS))
def _in_formats(own: Airline, places: int) -> Airline:
    """Return an airline with the formats of another (see `Airline.in_formats`)."""
    found = airlines()[KEYS[(KEYS.index(own.key) + places) % len(KEYS)]]
    words = {**own.words, FORM: found.words[FORM]}
    return replace(own, formats=found.formats, words=MappingProxyType(words))


def _load(key: str) -> Airline:
    """Return the airline with this key, read from its file."""
    rows = tomllib.loads((FOLDER / f"{key}.toml").read_text(encoding="utf-8"))
    return Airline(
        key=key,
        name=rows["name"],
        tagline=rows["tagline"],
        words=MappingProxyType(rows["words"]),
        ids=MappingProxyType(rows["ids"]),
        addresses=MappingProxyType(rows["addresses"]),
        widgets=MappingProxyType(rows["widgets"]),
        formats=Formats(**rows["formats"]),
        order=_lists(rows["order"]),
        pages=_lists(rows["pages"]),
        last_step=rows["last_step"],
    )


def _lists(rows: Mapping[str, Any]) -> Mapping[str, tuple[str, ...]]:
    return MappingProxyType({name: tuple(each) for name, each in rows.items()})


def _pattern(template: str) -> re.Pattern[str]:
    return re.compile(_SLOT.join(map(re.escape, template.split("{}"))))
