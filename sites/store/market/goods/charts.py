"""Size charts of products that are worn: each brand has its own chart, unit and note.

A chart gives for each size the measure for which it is made. Its note says whether a body between
two rows takes the larger or the smaller size, and perhaps a larger size over thick clothes.
"""

from __future__ import annotations

import random
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from sites.store.market.goods.units import UNITS

MEASURES = Path(__file__).with_name("measures.toml")
SIZE = "size"
"""The name of the option for sizes, which products that are worn have."""
LARGER = "larger"
APART = 0.9
"""The largest number of rows by which a brand's sizes run larger or smaller than usual."""
CLEAR = 0.2
"""The least distance of a body's measure to any row of a size chart, as a share of the distance
between rows, so that rounding never decides.
"""
OFFERED = 0.8
CM_PER_IN = UNITS["cm"].factor


@dataclass(frozen=True, slots=True)
class Note:
    """The rule below a size chart: which of two sizes to take (`between`), and how many rows to add
    over thick clothes (`padded`).
    """

    between: str
    padded: int
    text: str


@dataclass(frozen=True, slots=True)
class Chart:
    """A brand's sizes, the smallest first, with the measures for which they are made.

    The measures are in the brand's unit.
    """

    caption: str
    head: str
    measure: str
    unit: str
    rows: tuple[tuple[str, float], ...]
    note: Note

    @property
    def shown(self) -> list[tuple[str, str]]:
        """Return each size of the chart, with its measure and unit as text."""
        return [(size, f"{figure:g} {self.unit}") for size, figure in self.rows]

    def size(self, cm: float, padded: bool) -> str:
        """Return the size for a body of `cm` centimetres by the chart's own note; "" if the chart
        has no such size.

        Args:
            padded: Whether the good is worn over thick clothes.
        """
        return self.read(cm, self.note.between, self.note.padded * padded)

    def read(self, cm: float, between: str, further: int) -> str:
        """Return the size for a body by the given rules, instead of the chart's note.

        Args:
            cm: The body's measure.
            between: Which size a body between two rows takes.
            further: The number of rows to add.

        Returns:
            The size, or "" if the chart has none.
        """
        measure = self.own(cm)
        if not self.rows[0][1] <= measure <= self.rows[-1][1]:
            return ""
        below = sum(figure < measure for _, figure in self.rows)
        is_between = self.rows[below][1] != measure
        place = below - (is_between and between != LARGER) + further
        return self.rows[place][0] if place < len(self.rows) else ""

    def own(self, cm: float) -> float:
        """Return a measure in centimetres in the unit of the chart."""
        return cm if self.unit == "cm" else cm / CM_PER_IN

    def is_near(self, cm: float) -> bool:
        """Return whether a body's measure is outside the chart, or so near to a row that rounding
        could matter.
        """
        figures = [figure for _, figure in self.rows]
        if not figures[0] <= self.own(cm) <= figures[-1]:
            return True
        gap = min(after - before for before, after in pairwise(figures))
        return any(abs(self.own(cm) - figure) < CLEAR * gap for figure in figures)

    def body(self, size: str, padded: bool, share: float) -> float:
        """Return the measure in cm of a body that takes this size; 0 if it is not between two rows.

        Args:
            padded: Whether the good is worn over thick clothes.
            share: The place between the two rows, from 0 to 1.
        """
        place = [name for name, _ in self.rows].index(size) - self.note.padded * padded
        first = place - (self.note.between == LARGER)
        if first < 0 or first + 1 >= len(self.rows):
            return 0.0
        low, high = self.rows[first][1], self.rows[first + 1][1]
        return (low + share * (high - low)) * (1 if self.unit == "cm" else CM_PER_IN)


@cache
def measures() -> Mapping[str, Any]:
    """Return the hand-written data about fit: products that are worn, notes of size charts, and
    rules of fit.
    """
    return tomllib.loads(MEASURES.read_text(encoding="utf-8"))


def is_worn(kind: str) -> bool:
    return kind in measures()["worn"]


@cache
def chart(kind: str, brand: str, convention: str) -> Chart:
    """Return a brand's size chart for a kind of product that is worn."""
    worn = measures()["worn"][kind]
    own, rng = worn[convention], random.Random(f"store/market/chart/{kind}/{brand}")
    smallest = own["smallest"] + rng.uniform(-APART, APART) * own["step"]
    note = rng.choice(measures()["notes"])
    text = note["text"].format(padding=worn["padding"], more=own["more"])
    return Chart(
        caption=worn["caption"],
        head=own["head"],
        measure=worn["measure"],
        unit=own["unit"],
        rows=tuple(
            (size, round(smallest + place * own["step"], own["decimals"]))
            for place, size in enumerate(own["sizes"])
        ),
        note=Note(note["between"], note["padded"], text),
    )


def options(kind: str, brand: str, convention: str, model: str) -> dict[str, tuple[str, ...]]:
    """Return the option "size" of a product with most sizes of its chart, as a dict; {} if the kind
    is not worn.
    """
    if not is_worn(kind):
        return {}
    sizes = [size for size, _ in chart(kind, brand, convention).rows]
    rng = random.Random(f"store/market/sizes/{brand}/{model}")
    chosen = rng.sample(sizes, round(OFFERED * len(sizes)))
    return {SIZE: tuple(size for size in sizes if size in chosen)}


# Rules of fit ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Fit:
    """A wish in tasks that states a limit of a measured fact indirectly: by the size of a gap, and
    the air to leave in it.

    The limit is the gap minus `times` the air (form "at most"), or plus `times` the air ("at
    least").
    """

    fact: str
    form: str
    times: int
    amounts: Mapping[str, tuple[float, ...]]
    wish: Mapping[str, tuple[str, ...]]

    def bound(self, gap: float, air: float) -> float:
        """Return the limit of the fact that follows from this gap and this air."""
        return gap + self.sign * self.times * air

    def gap(self, bound: float, air: float) -> float:
        """Return the gap for which, with this air, the fact has this limit."""
        return bound - self.sign * self.times * air

    @property
    def sign(self) -> int:
        return -1 if self.form == "at most" else 1


@cache
def fits(kind: str) -> tuple[Fit, ...]:
    """Return the rules for task wishes about a fit in a gap, for a kind of product; () if it has
    none.
    """
    return tuple(
        Fit(
            fact=each["fact"],
            form=each["form"],
            times=each["times"],
            amounts={name: tuple(each[name]) for name in ("metric", "imperial")},
            wish={split: tuple(each[split]) for split in ("test", "dev", "train")},
        )
        for each in measures()["fits"]
        if each["kind"] == kind
    )
