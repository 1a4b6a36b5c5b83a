"""The market's hand-written word lists (banks): facts about each kind of product, and the words for
them.

A bank is a TOML file of `words/`, one per kind. Facts have three forms: a worded fact has one of a
few values, a measured fact is a number with a unit, a gathered fact is a set of members. Pages
state them in the shop's words, wishes (in tasks) in a customer's words; the two share no word stem.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from rehearsal_errors import RehearsalError
from sites.store.market.goods.units import UNITS, Unit

WORDS = Path(__file__).with_name("words")
SHARED = "shared"
SPLITS = {"test": 3, "dev": 2, "train": 3}
"""The number of wordings that every value has in tasks, for each split of the seeds (test, dev,
train); no wording is in two splits.
"""

Wishes = Mapping[str, tuple[str, ...]]
"""The wordings of one wish, as tasks express it, by split of the seeds (test, dev, train)."""


class BadBank(RehearsalError, ValueError):
    """An error in a word list; the message names the file and the entry."""


@dataclass(frozen=True, slots=True)
class WordedValue:
    """A value of a worded fact, with its wording in every part of a page and in tasks (wishes).

    The attribute `unlike` holds wishes for any other value than this; not every value has such
    wishes.
    """

    name: str
    table: str
    page: str
    answer: str
    review: tuple[str, ...]
    against: str
    wish: Wishes
    unlike: Wishes


@dataclass(frozen=True, slots=True)
class WordedFact:
    """A fact that has one of a few values, each with its own wording."""

    name: str
    labels: tuple[str, ...]
    question: str
    values: Mapping[str, WordedValue]


@dataclass(frozen=True, slots=True)
class MeasuredFact:
    """A fact that is a number from `lowest` to `highest` in steps; its texts hold `{x}` for the
    figure.

    The attributes `most` and `least` are wishes, as tasks express them, for a figure up to or from
    a bound. `boast` is the advertisement's vaguer claim.
    """

    name: str
    labels: tuple[str, ...]
    question: str
    unit: Unit
    lowest: float
    highest: float
    step: float
    page: str
    answer: str
    boast: str
    most: Wishes
    least: Wishes


@dataclass(frozen=True, slots=True)
class Member:
    """A possible member of a gathered fact (a fact that is a set), with its wording."""

    name: str
    text: str
    wish: Wishes


@dataclass(frozen=True, slots=True)
class GatheredFact:
    """A fact that is a set of `fewest` to `most` members; its texts hold `{x}` for their list."""

    name: str
    labels: tuple[str, ...]
    question: str
    members: Mapping[str, Member]
    fewest: int
    most: int
    page: str
    answer: str


Fact = WordedFact | MeasuredFact | GatheredFact


@dataclass(frozen=True, slots=True)
class Complaint:
    """A complaint that some reviews of a product make, with the texts of similar remarks (`alike`)
    and of denials.
    """

    name: str
    says: tuple[str, ...]
    alike: tuple[str, ...]
    denies: tuple[str, ...]
    asked: Wishes


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of product of the market.

    Attributes:
        name: The search term for the kind.
        one: A single piece with its article.
        lowest: The lowest price in dollars.
        highest: The highest price in dollars.
        options: The possible values of each option.
        needs: Wishes that imply the kind without its nouns.
        facts: The facts of the kind by name.
        complaints: Complaints that reviews may make.
    """

    name: str
    one: str
    department: str
    breadcrumb: str
    heads: tuple[str, ...]
    lines: tuple[str, ...]
    lowest: float
    highest: float
    story: tuple[str, ...]
    options: Mapping[str, tuple[str, ...]]
    needs: Wishes
    facts: Mapping[str, Fact]
    complaints: tuple[Complaint, ...]


@cache
def kinds() -> Mapping[str, Kind]:
    """Return every kind of product, by the name of its word list. Raises `BadBank`."""
    files = sorted(each for each in WORDS.glob("*.toml") if each.stem != SHARED)
    return {file.stem: read(file.stem, file.read_text(encoding="utf-8")) for file in files}


@cache
def shared() -> Mapping[str, Any]:
    """Return the words that all kinds of products share: brands, remarks in reviews, and sentence
    frames for wishes in tasks.
    """
    return tomllib.loads((WORDS / f"{SHARED}.toml").read_text(encoding="utf-8"))


def read(name: str, text: str) -> Kind:
    """Return the kind of product that the text of a word list describes. Raises `BadBank`."""
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadBank(f"{name}.toml is no TOML: {error}", "mend that line") from None
    return _Entry(table, f"{name}.toml").kind()


@dataclass(frozen=True)
class _Entry:
    """A table of a word list, with its place in the file for error messages."""

    table: Mapping[str, Any]
    place: str

    def kind(self) -> Kind:
        lowest, highest = self.numbers("price")
        return Kind(
            name=self.text("kind"),
            one=self.text("one"),
            department=self.text("department"),
            breadcrumb=self.text("breadcrumb"),
            heads=self.texts("heads", 2),
            lines=self.texts("lines", 6),
            lowest=lowest,
            highest=highest,
            story=self.texts("story", 3),
            options={each: tuple(values) for each, values in self.table["options"].items()},
            needs=self.sub("needs").wishes(2),
            facts={each.place.rpartition(".")[2]: each.fact() for each in self.subs("facts")},
            complaints=tuple(each.complaint() for each in self.subs("complaints")),
        )

    def fact(self) -> Fact:
        if "values" in self.table:
            return self.worded()
        return self.measured() if "unit" in self.table else self.gathered()

    def worded(self) -> WordedFact:
        values = {each.name: each.value() for each in self.subs("values")}
        if len(values) < 2:
            raise self.bad("has fewer than two values", "write three")
        return WordedFact(self.name, self.texts("labels", 2), self.text("question"), values)

    def value(self) -> WordedValue:
        return WordedValue(
            name=self.name,
            table=self.text("table"),
            page=self.text("page"),
            answer=self.text("answer"),
            review=self.texts("review", 2),
            against=self.text("against"),
            wish=self.sub("wish").wishes(),
            unlike=self.sub("unlike").wishes(1) if "unlike" in self.table else {},
        )

    def measured(self) -> MeasuredFact:
        if self.text("unit") not in UNITS:
            raise self.bad(f"has the unknown unit {self.text('unit')}", f"use {', '.join(UNITS)}")
        lowest, highest = self.numbers("range")
        bounds = {
            each: self.sub(each).wishes(1, holds="{x}") for each in ("most", "least")
            if each in self.table
        }  # fmt: skip
        if not bounds:
            raise self.bad("has no wish", "write [most] or [least]")
        return MeasuredFact(
            name=self.name,
            labels=self.texts("labels", 2),
            question=self.text("question"),
            unit=UNITS[self.text("unit")],
            lowest=lowest,
            highest=highest,
            step=float(self.table.get("step", 0.1)),
            page=self.text("page", "{x}"),
            answer=self.text("answer", "{x}"),
            boast=self.text("boast", "{x}") if "boast" in self.table else "",
            most=bounds.get("most", {}),
            least=bounds.get("least", {}),
        )

    def gathered(self) -> GatheredFact:
        members = {
            each.name: Member(each.name, each.text("text"), each.sub("wish").wishes(1))
            for each in self.subs("members")
        }
        fewest, most = (int(each) for each in self.numbers("count"))
        if not 1 <= fewest <= most < len(members):
            raise self.bad(f"takes {fewest} to {most} of {len(members)} members", "leave one out")
        return GatheredFact(
            name=self.name,
            labels=self.texts("labels", 2),
            question=self.text("question"),
            members=members,
            fewest=fewest,
            most=most,
            page=self.text("page", "{x}"),
            answer=self.text("answer", "{x}"),
        )

    def complaint(self) -> Complaint:
        return Complaint(
            name=self.name,
            says=self.texts("says", 4),
            alike=self.texts("alike", 3),
            denies=self.texts("denies", 2),
            asked=self.sub("asked").wishes(1),
        )

    # Reading -------------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        return self.place.rpartition(".")[2]

    def text(self, key: str, holds: str = "") -> str:
        value = self.table.get(key)
        if not isinstance(value, str) or not value.strip() or holds not in value:
            wanted = f"a text with {holds}" if holds else "a text"
            raise self.bad(f"has no {key}", f"write {wanted}")
        return value

    def texts(self, key: str, least: int) -> tuple[str, ...]:
        values = self.table.get(key)
        good = isinstance(values, list) and all(isinstance(v, str) and v.strip() for v in values)
        if not isinstance(values, list) or not good or len(values) < least:
            raise self.bad(f"has too few {key}", f"write a list of {least} texts or more")
        return tuple(values)

    def numbers(self, key: str) -> tuple[float, float]:
        values = self.table.get(key)
        if not isinstance(values, list) or len(values) != 2 or not values[0] < values[1]:
            raise self.bad(f"has no {key}", "write two numbers, the lower one first")
        return float(values[0]), float(values[1])

    def wishes(self, least: int = 0, holds: str = "") -> Wishes:
        """Return the wordings that tasks use for a wish, by split of the seeds (test, dev, train).

        Args:
            least: The number of wordings for each split; 0 means the numbers of `SPLITS`.
            holds: A text that each wording must contain.
        """
        found = {
            split: self.texts(split, least or number)
            for split, number in SPLITS.items()
        }  # fmt: skip
        if any(holds not in text for texts in found.values() for text in texts):
            raise self.bad(f"has a wish without {holds}", "let each hold it")
        return found

    def sub(self, key: str) -> _Entry:
        table = self.table.get(key)
        if not isinstance(table, Mapping):
            raise self.bad(f"has no [{key}]", "add that table")
        return _Entry(table, f"{self.place}: {key}" if ":" not in self.place else self._under(key))

    def subs(self, key: str) -> Iterator[_Entry]:
        inner = self.sub(key)
        return (inner.sub(each) for each in inner.table)

    def _under(self, key: str) -> str:
        return f"{self.place}.{key}"

    def bad(self, problem: str, remedy: str) -> BadBank:
        return BadBank(f"{self.place} {problem}", remedy)
