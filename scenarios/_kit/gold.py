"""The gold of a scenario on a declared site: its right ends and its pages, as typed values that can
be written as JSON.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scenarios._kit.drawing import OR, See
from sites.kit import NEW, Change, Do, Place

Key = tuple[str, str]
"""A table, and the key of a row in it."""
Column = tuple[str, str, str]
"""A table, the key of a row in it, and a column."""


@dataclass(frozen=True)
class Written:
    """A column whose text the agent words itself, and the words that the text must contain."""

    column: Column
    words: tuple[str, ...] = ()

    def accepts(self, text: object) -> bool:
        """Return whether a text is one of the right texts."""
        folded = str(text or "").casefold()
        return bool(folded.strip()) and all(word.casefold() in folded for word in self.words)


@dataclass(frozen=True)
class Held:
    """A form that is filled in and kept as a draft.

    Attributes:
        form: The name of the form.
        url: The address of its page.
        do: The operation that the form would do if it were sent.
    """

    form: str
    url: str
    do: Do


@dataclass(frozen=True)
class End:
    """A right end state.

    Attributes:
        do: The operations that lead to it.
        changes: The changes that they leave.
        parts: The changes of each operation that still stand at the end, in the order of `do`.
        written: The columns that the agent words itself.
    """

    do: tuple[Do, ...] = ()
    changes: tuple[Change, ...] = ()
    parts: tuple[tuple[Change, ...], ...] = ()
    written: tuple[Written, ...] = ()

    def read_as(self, made: Iterable[Change]) -> set[Change]:
        """Return the changes of a visit in the terms of this end.

        A new row gets the name of the wanted new row that it resembles most. A text that the agent
        worded itself becomes the text of the gold if it is right.
        """
        found = _by_row(made)
        names = self._named(found)
        return {
            self._reworded((table, names.get((table, key), key), column, value))
            for (table, key), row in found.items()
            for column, value in row.items()
        }

    def left(self, made: Iterable[Change]) -> tuple[Do, ...]:
        """Return the operations that a visit with these changes has not done yet.

        An operation that leaves no change at the end counts as done once anything was changed.
        """
        standing = self.read_as(made)
        if not standing:
            return self.do
        parts = zip(self.do, self.parts, strict=True)
        return tuple(do for do, part in parts if not {*part} <= standing)

    def share(self, made: Iterable[Change]) -> float:
        """Return how near a visit came: the changes that are wanted and made, as a share of those
        that are wanted or made.
        """
        own, standing = {*self.changes}, self.read_as(made)
        return len(own & standing) / len(own | standing) if own | standing else 1.0

    def _named(self, found: Mapping[Key, Mapping[str, Any]]) -> dict[Key, str]:
        """Return new names of the new rows, by the key that the visit gave them."""
        left = [key for key in found if _is_new(key)]
        names: dict[Key, str] = {}
        for wanted, row in _by_row(self.changes).items():
            alike = [key for key in left if key[0] == wanted[0]]
            if _is_new(wanted) and alike:
                nearest = max(alike, key=lambda key: self._likeness(wanted, row, found[key]))
                left.remove(nearest)
                names[nearest] = wanted[1]
        return names | {key: f"another {key[1]}" for key in left}

    def _likeness(self, wanted: Key, row: Mapping[str, Any], made: Mapping[str, Any]) -> int:
        own = {(column, value) for column, value in row.items()}
        there = {
            self._reworded((*wanted, column, value))[2:]
            for column, value in made.items()
        }  # fmt: skip
        return len(own & there)

    def _reworded(self, change: Change) -> Change:
        for each in self.written:
            if each.column == change[:3] and each.accepts(change[3]):
                return next(own for own in self.changes if own[:3] == each.column)
        return change

    def to_json(self) -> dict[str, Any]:
        written = [[[*each.column], [*each.words]] for each in self.written]
        return {
            "do": [each.to_json() for each in self.do],
            "changes": [[*each] for each in self.changes],
            "parts": [[[*each] for each in part] for part in self.parts],
            **({"written": written} if written else {}),
        }

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> End:
        return cls(
            operations(values["do"]),
            _changes(values["changes"]),
            tuple(map(_changes, values["parts"])),
            tuple(
                Written((table, key, column), tuple(words))
                for (table, key, column), words in values.get("written", ())
            ),
        )


@dataclass(frozen=True)
class Gold:
    """All that the scorer, the solution and the advice of a scenario need.

    Attributes:
        ends: The right ends; the expert's is the first.
        via: The pages on which an agent finds out what to do.
        read: The pages that show the evidence of the answer.
        search: The pages that an agent looks through if it does not know which rows are meant.
        evidence: The rows that the visit must have shown.
        end: The page that must be open at the end, or None.
        draft: The draft that must be kept at the end, or None.
        answer: The `kind` and the `text` of the right answer; {} if the scenario asks for none.
        instead: Wrong outcomes by name.
    """

    ends: tuple[End, ...]
    via: tuple[See, ...] = ()
    read: tuple[See, ...] = ()
    search: tuple[See, ...] = ()
    evidence: tuple[str, ...] = ()
    end: Place | None = None
    draft: Held | None = None
    answer: Mapping[str, str] = field(default_factory=dict)
    instead: Mapping[str, tuple[Do, ...] | str] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The right answer, "" for none."""
        return self.answer.get("text", "")

    def unshown(self, shown: Collection[str]) -> list[str]:
        """Return the names of the evidence that these rows, which were shown, lack."""
        found = {*shown}
        return [each for each in self.evidence if not found & {*each.split(OR)}]

    @property
    def tables(self) -> tuple[str, ...]:
        """The tables that a right end changes."""
        return tuple(dict.fromkeys(each[0] for end in self.ends for each in end.changes))

    def is_right(self, made: Iterable[Change]) -> bool:
        """Return whether a visit made the changes of a right end and no others."""
        every = [*made]
        return any(end.read_as(every) == {*end.changes} for end in self.ends)

    def to_json(self) -> dict[str, Any]:
        first, *others = (each.to_json() for each in self.ends)
        rare = {
            "any_of": others,
            "search": [_page(each) for each in self.search],
            "draft": _draft(self.draft) if self.draft else None,
            "answer": dict(self.answer),
        }
        return {
            **first,
            "via": [_page(each) for each in self.via],
            "read": [_page(each) for each in self.read],
            "evidence": [*self.evidence],
            "end": _page(See(self.end))[:2] if self.end else None,
            "instead": {name: _other(each) for name, each in self.instead.items()},
            **{name: each for name, each in rare.items() if each},
        }

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Gold:
        return cls(
            tuple(End.from_json(each) for each in (values, *values.get("any_of", ()))),
            _pages(values["via"]),
            _pages(values["read"]),
            _pages(values.get("search", ())),
            tuple(values["evidence"]),
            Place.of(*values["end"]) if values["end"] else None,
            _held(*values["draft"]) if values.get("draft") else None,
            values.get("answer", {}),
            {
                name: each if isinstance(each, str) else operations(each)
                for name, each in values["instead"].items()
            },
        )


def operations(values: Iterable[Sequence[Any]]) -> tuple[Do, ...]:
    """Return calls of operations from their JSON."""
    return tuple(Do(name, args) for name, args in values)


def _changes(values: Iterable[Sequence[Any]]) -> tuple[Change, ...]:
    return tuple((table, key, column, value) for table, key, column, value in values)


def _page(see: See) -> list[Any]:
    return [see.place.page, dict(see.place.args), see.note]


def _pages(values: Iterable[Sequence[Any]]) -> tuple[See, ...]:
    return tuple(See(Place.of(page, args), note) for page, args, note in values)


def _draft(held: Held) -> list[Any]:
    return [held.form, held.url, held.do.to_json()]


def _held(form: str, url: str, do: Sequence[Any]) -> Held:
    return Held(form, url, Do(*do))


def _other(each: tuple[Do, ...] | str) -> Any:
    return each if isinstance(each, str) else [do.to_json() for do in each]


def _by_row(changes: Iterable[Change]) -> dict[Key, dict[str, Any]]:
    """Return the changed columns of each row."""
    found: dict[Key, dict[str, Any]] = {}
    for table, key, column, value in changes:
        found.setdefault((table, key), {})[column] = value
    return found


def _is_new(key: Key) -> bool:
    """Return whether a key names a row whose real key a counter gave."""
    return key[1] == NEW or key[1].startswith(f"{NEW} ")
