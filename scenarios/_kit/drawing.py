"""How a family draws: rows by query, with what must hold of them; and what it says is right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from scenarios._kit.beside import Reading
from sites.kit import Do, Map, Place
from sites.world import World


class Again(Exception):
    """What was drawn does not do: draw again."""


class Found(dict[str, Any]):
    """A row whose columns are attributes."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError as error:
            raise AttributeError(name) from error


@dataclass(frozen=True)
class See:
    """A page that tells something; `note` is what one keeps of it."""

    place: Place
    note: str = ""


@dataclass(frozen=True)
class Right:
    """What a family says of one scenario: the words' slots; what is done, or read and answered; and
    what looks right and is not, by name: other operations, or another answer. `via` are pages by
    which one finds out what to do: they are walked, and nobody asks for them."""

    slots: Mapping[str, Any]
    do: Sequence[Do] = ()
    via: Sequence[See] = ()
    read: Sequence[See] = ()
    end: See | None = None
    """The page that is to be open at the end."""
    beside: Sequence[Reading] = ()
    """Pages of other sites that are read before all else."""
    answer: str = ""
    instead: Mapping[str, Sequence[Do] | str] = field(default_factory=dict)


@dataclass
class Draw:
    """One try at drawing a scenario. `me` is the persona."""

    rng: Random
    world: World
    me: str
    map: Map
    plants: list[list[Any]] = field(default_factory=list)
    data: Mapping[str, Any] = field(default_factory=dict)
    """The data of the other sites of the family, by the site's name."""

    def all(self, sql: str, *values: Any) -> list[Found]:
        return [Found(row) for row in self.world.read(sql, values)]

    def pick(self, sql: str, *values: Any) -> Found:
        """A row of the query, by the seed."""
        rows = self.all(sql, *values)
        self.need(rows)
        return self.rng.choice(rows)

    def some(self, words: Sequence[str]) -> str:
        return self.rng.choice(words)

    def need(self, condition: object) -> None:
        """Draw again where this does not hold."""
        if not condition:
            raise Again

    def plant(self, table: str, **row: Any) -> int:
        """A row that the start world has besides."""
        self.plants.append([table, row])
        return put(self.world, table, row)

    def page(self, page: str, note: str = "", **args: Any) -> See:
        """One page, and what it tells."""
        return See(self.map.usual(Place.of(page, args)), note)

    def list(self, page: str, note: Any = None, upto: int = 0, **args: Any) -> list[See]:
        """All pages of a list (or the first ones), with what each of them tells."""
        place, found = Place.of(page, args), []
        record = self.map.record(self.map.usual(place))
        last = self.map.shown(self.map.usual(place), record).last
        for number in range(1, (upto or last) + 1):
            at = self.map.usual(place.but(page=number))
            rows = [Found(row) for row in self.map.shown(at, record).rows]
            found.append(See(at, note(rows) if note else ""))
        return found


def put(world: World, table: str, row: Mapping[str, Any]) -> int:
    names = ", ".join(row)
    marks = ", ".join("?" * len(row))
    return world.write(f"INSERT INTO {table} ({names}) VALUES ({marks})", [*row.values()])  # noqa: S608
