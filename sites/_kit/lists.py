"""The SQL of lists: the rows of one page of a list, and the rank of a row in its order."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sites._kit.declare import Computed, Listing
from sites.world import Row, World

# The SQL below is made of declarations alone. The text of a visitor is always a bound value.
# ruff: noqa: S608


@dataclass(frozen=True)
class Query:
    """The rows that a list may show, in an order.

    Attributes:
        sql: The query.
        values: Its values by name.
        order: The order, as SQL.
        key: The columns that tell the rows apart; empty if none do.
    """

    sql: str
    values: Mapping[str, Any]
    order: str
    key: tuple[str, ...]

    def total(self, world: World) -> int:
        """Return the number of the rows."""
        return int(world.read(f"SELECT count(*) AS n FROM ({self.sql})", self.values)[0]["n"])

    def page(self, world: World, size: int, number: int) -> list[Row]:
        """Return the rows of one page of the list.

        The inner query sorts the keys alone. So the database computes the other columns only for
        the rows of this page.
        """
        part = f"ORDER BY {self.order} LIMIT {size} OFFSET {(number - 1) * size}"
        if not self.key:
            return world.read(f"{self.sql} {part}", self.values)
        key = ", ".join(self.key)
        chosen = f"SELECT {key} FROM ({self.sql}) {part}"
        sql = f"{self.sql} AND ({key}) IN ({chosen}) ORDER BY {self.order}"
        return world.read(sql, self.values)

    def rank(self, world: World, row: Mapping[str, Any]) -> int | None:
        """Return the number of rows before a row, or None if the list does not contain it."""
        parts = [*_parts(self.order)]
        here = " AND ".join(f"{key} = :{key}__" for key in self.key)
        values = {**self.values, **{f"{key}__": row[key] for key in self.key}}
        asked = ", ".join(f"{term} AS o{at}" for at, (term, _) in enumerate(parts))
        found = world.read(f"SELECT {asked} FROM ({self.sql}) WHERE {here}", values)
        if not found:
            return None
        before = _before(parts, [*found[0].values()])
        values |= {f"o{at}__": value for at, value in enumerate(found[0].values())}
        sql = f"SELECT count(*) AS n FROM ({self.sql}) WHERE {before}"
        return int(world.read(sql, values)[0]["n"])


def source(listing: Listing, world: World, record: Row) -> tuple[str, Row]:
    """Return the query of a list's rows, and its values by name.

    The rows of a function become a query over JSON. So they can be sorted, searched and counted as
    the rows of a table.
    """
    if isinstance(listing.rows, Computed):
        rows = json.dumps([dict(row) for row in listing.rows.run(world, record)])
        return made_of_json(listing.rows.columns), {**record, "rows__": rows}
    return listing.rows, dict(record)


def made_of_json(columns: Sequence[str]) -> str:
    """Return the query of rows that the value `rows__` holds as JSON."""
    parts = ", ".join(f"json_extract(value, '$.{each}') AS {each}" for each in columns)
    return f"SELECT {parts} FROM json_each(:rows__)"


def contains(column: str, value: str) -> str:
    """Return the condition that a column contains the bound value, in either case of letters."""
    return f"instr(lower({column}), lower({value})) > 0"


def _parts(order: str) -> Iterator[tuple[str, bool]]:
    """Yield each term of an order, and whether it goes downwards."""
    depth, start = 0, 0
    for at, letter in enumerate(f"{order},"):
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            yield _part(order[start:at].strip())
            start = at + 1


def _part(text: str) -> tuple[str, bool]:
    """Return a term without its direction, and whether it goes downwards."""
    words = text.rsplit(None, 1)
    if len(words) == 2 and words[1].upper() in ("ASC", "DESC"):
        return words[0], words[1].upper() == "DESC"
    return text, False


def _before(parts: Sequence[tuple[str, bool]], values: Sequence[Any]) -> str:
    """Return the condition that a row comes before the row with these values."""
    cases, same = [], ""
    for at, ((term, falls), value) in enumerate(zip(parts, values, strict=True)):
        mine = f":o{at}__"
        if value is None:
            less = f"({term}) IS NOT NULL" if falls else "0"
        else:
            less = f"({term}) > {mine}" if falls else f"(({term}) < {mine} OR ({term}) IS NULL)"
        cases.append(f"({same}{less})")
        same += f"({term}) IS {mine} AND "
    return " OR ".join(cases)
