"""The base worlds of a declared site, which its scenarios begin with."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from random import Random

from sites._kit.declare import Site
from sites._kit.rows import fill, schema, triggers
from sites.world import Row, World

Rows = Mapping[str, Iterable[Row]]
"""The rows of a world, by table."""


@dataclass(frozen=True, eq=False)
class Bases:
    """The data of a declared site: its declaration and its base worlds, drawn on demand.

    Attributes:
        site: The declaration.
        draw: Draws the rows of a base world of a size, such as "medium".
        files: The modules that decide what a base world holds.
        bases: The number of base worlds of each size.
        seed: The text that the draws begin with; "" for the name of the site. Sites with the same
            text begin with the same draws, so that they can show one country.
    """

    site: Site
    draw: Callable[[Random, str], Rows]
    files: tuple[Path, ...]
    bases: int = 40
    seed: str = ""
    _drawn: dict[tuple[str, int], World] = field(default_factory=dict)

    @cached_property
    def digest(self) -> str:
        """The digest of the modules."""
        return sha256(b"".join(each.read_bytes() for each in self.files)).hexdigest()

    def base(self, size: str, number: int) -> World:
        """Return the base world with this number. The caller forks it and does not release it."""
        if (size, number) not in self._drawn:
            self._drawn[size, number] = self._made(size, number)
        return self._drawn[size, number]

    def _made(self, size: str, number: int) -> World:
        world = World(schema(self.site), "base", {"me": "", "skin": ""})
        rng = Random(f"{self.seed or self.site.name}/base/{size}/{number}")
        for table, rows in self.draw(rng, size).items():
            fill(world, table, rows)
        for statement in triggers(self.site):
            world.write(statement)
        return world
