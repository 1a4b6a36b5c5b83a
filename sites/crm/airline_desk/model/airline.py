"""The airlines: what differs between three fronts of one desk, each from its own TOML file."""

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
"""The word for how a date is written on these pages, at their foot."""
LAST_STEPS = ("button", "review", "again")

_SLOT = r"([^/]{1,60})"
_PART = re.compile(r"[0-9A-Za-z.]+")


@dataclass(frozen=True, eq=False)
class Airline:
    """The front of one airline, made once: each is equal to itself only.

    `widgets` names the widget of a kind of field, or of one field by its key. `order` has the
    fields of a form and the sections of a page. `pages` has the sections of a sale that stand on
    each of its pages. `last_step` is button (one press), review (a page with a box to tick) or
    again (the button asks to be pressed a second time).
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
        """The same front with the formats, and what is said of them, of the airline that stands so
        many places after it in `KEYS`."""
        return _in_formats(self, places) if places else self

    def word(self, key: str, **slots: object) -> str:
        """A text with its slots filled. Raises KeyError for a key that no airline has."""
        return self.words[key].format(**slots)

    def id(self, key: str, *parts: object) -> str:
        """The html id of a field or button; parts (a passenger's number, ...) follow its name."""
        return "-".join((self.ids[key], *map(str, parts)))

    def key_of(self, id: str) -> tuple[str, tuple[str, ...]] | None:  # noqa: A002  as in HTML
        """The key and the parts that an html id was made of; None where it is none of ours."""
        parts = id.split("-")
        for cut in range(len(parts), 0, -1):
            key = self._keys.get("-".join(parts[:cut]))
            if key and all(map(_PART.fullmatch, parts[cut:])):
                return key, tuple(parts[cut:])
        return None

    def widget(self, kind: str, id: str) -> str:  # noqa: A002  as in HTML
        """The widget of a field: that of its key, else that of its kind, else the kind itself."""
        found = self.key_of(id)
        named = self.widgets.get(found[0], "") if found else ""
        return named or self.widgets.get(kind, kind)

    def address(self, screen: str, *parts: object) -> str:
        return self.addresses[screen].format(*parts)

    def read(self, address: str) -> tuple[str, tuple[str, ...]] | None:
        """The screen at an address and its parts; None where there is none."""
        for screen, pattern in self._patterns:
            match = pattern.fullmatch(address)
            if match:
                return screen, match.groups()
        return None

    @cached_property
    def _keys(self) -> dict[str, str]:
        return {name: key for key, name in self.ids.items()}

    @cached_property
    def _patterns(self) -> list[tuple[str, re.Pattern[str]]]:
        """Addresses with fewer slots first: what is spelt out wins."""
        fewest = sorted(self.addresses.items(), key=lambda each: each[1].count("{}"))
        return [(screen, _pattern(template)) for screen, template in fewest]


@lru_cache(maxsize=1)
def airlines() -> Mapping[str, Airline]:
    """All of them, by key."""
    return MappingProxyType({key: _load(key) for key in KEYS})


@lru_cache(maxsize=len(KEYS) * len(KEYS))
def _in_formats(own: Airline, places: int) -> Airline:
    found = airlines()[KEYS[(KEYS.index(own.key) + places) % len(KEYS)]]
    words = {**own.words, FORM: found.words[FORM]}
    return replace(own, formats=found.formats, words=MappingProxyType(words))


def _load(key: str) -> Airline:
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
