"""Wrong outcomes that look right, made from the right outcome of a scenario."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import partial
from typing import Any

from scenarios._kit.gold import Gold, Held
from scenarios._kit.visit import changed, done, opened
from scenarios.scenario import NearMiss
from sites.kit import Do, Map, Place, Site, hold
from sites.site_app import Refusal
from sites.world import World

ANSWER, EVIDENCE, ELSE = "answer", "evidence", "nothing else"
DRAFT, PAGE, WENT_ON = "draft", "page at the end", "did not give up"
"""The names of the scorer's checks other than those of tables."""
NOT_FOUND, NOT_ACHIEVABLE = "NOT_FOUND", "NOT_ACHIEVABLE"
SHORT = 3
"""The most characters of a text in which no letter is left out."""


@dataclass(frozen=True)
class Outcome:
    """A whole visit: the opened pages, the operations, the page left open, and the answer."""

    places: tuple[Place, ...]
    dos: tuple[Do, ...]
    last: Place | None
    draft: Held | None
    answer: str

    def apply(self, site: Site, world: World) -> str:
        """Make the visit, and return the answer."""
        opened(site, world, self.places)
        done(site, world, self.dos)
        if self.draft:
            hold(world, self.draft.form, self.draft.url, self.draft.do)
        opened(site, world, [self.last] if self.last else [])
        return self.answer


Miss = tuple[str, Outcome, str]
"""A name of the mistake, the wrong outcome, and the check that fails."""


def right_outcome(gold: Gold) -> Outcome:
    """Return the expert's outcome, with the pages of the evidence."""
    places = tuple(each.place for each in gold.read)
    return Outcome(places, gold.ends[0].do, gold.end, gold.draft, gold.text)


def near_misses(gold: Gold, start: Map, *, may_fail: bool) -> dict[str, NearMiss]:
    """Return the wrong outcomes of a scenario that the site allows, by the name of the mistake.

    Args:
        gold: The gold of the scenario.
        start: The map over its start world.
        may_fail: Whether the answer may say that the task cannot be done.
    """
    misses = Misses(gold, start, may_fail)
    return {
        name: NearMiss(partial(outcome.apply, start.site), broken)
        for name, outcome, fails in misses.every()
        if (broken := misses.broken(outcome, fails))
    }


@dataclass(frozen=True)
class Misses:
    """The wrong outcomes of one scenario."""

    gold: Gold
    start: Map
    may_fail: bool

    @property
    def site(self) -> Site:
        return self.start.site

    @property
    def right(self) -> Outcome:
        return right_outcome(self.gold)

    def every(self) -> Iterator[Miss]:
        """Yield all mistakes; some of them may end right or be refused by the site."""
        for name, dos, fails in self._deeds():
            yield name, replace(self.right, dos=tuple(dos)), fails
        yield self._meddling()
        yield from self._answers()
        yield from self._unread()
        yield from self._misplaced() if self.gold.end else ()
        yield from self._drafts(self.gold.draft) if self.gold.draft else ()

    def broken(self, outcome: Outcome, fails: str) -> str:
        """Return the check that an outcome fails: the given one, unless other tables are wrong.

        Returns:
            The name of the check; "" if the site refuses the outcome, or if it is right.
        """
        if replace(outcome, dos=()) != replace(self.right, dos=()):
            return fails
        with self.start.world.fork() as world:
            try:
                outcome.apply(self.site, world)
            except Refusal:
                return ""
            made = changed(self.site, world)
        if self.gold.is_right(made):
            return ""
        end = max(self.gold.ends, key=lambda each: each.share(made))
        wrong = {table for table, *_ in end.read_as(made) ^ {*end.changes}}
        failed = sorted({table if table in self.gold.tables else ELSE for table in wrong})
        return fails if fails in failed else failed[0]

    # Operations

    def _deeds(self) -> Iterator[tuple[str, Sequence[Do], str]]:
        """Yield the operations that are done in place of the right ones.

        Each comes with the name of the mistake and the check that fails.
        """
        dos = self.right.dos
        last = self._check(dos[-1]) if dos else ELSE
        for name, other in self.gold.instead.items():
            if not isinstance(other, str):
                yield name, other, last
        if not dos:
            return
        if len(dos) > 1:
            yield "the last left out", dos[:-1], last
        yield "done twice", [*dos, dos[-1]], last
        first = self._check(dos[0])
        seen = first if first in self.gold.tables else last  # a later operation may undo its rows
        for name, args in self._changed_arguments(dos[0]):
            wrong = Do(dos[0].operation, {**dos[0].args, **args})
            yield name, [wrong, *dos[1:]], seen

    def _check(self, do: Do) -> str:
        """Return the check of the table that an operation is there to change."""
        return self.site.operation[do.operation].check

    def _changed_arguments(self, do: Do) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """Yield other arguments of an operation, by the name of the mistake."""
        of = self.site.operation[do.operation].of
        for key, value in do.args.items():
            if key in of:
                for other in self._siblings(of[key], value):
                    yield f"done to another of {of[key]}", {key: other}
            elif isinstance(value, str):
                if len(value) > SHORT:
                    yield f"{key} written wrongly", {key: value[:-2] + value[-1]}
                yield from self._without_words(key, value)
            elif value:
                yield f"{key} the other way", {key: -value}

    def _without_words(self, key: str, value: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """Yield a text that lacks a word which the agent's own text must contain."""
        for each in self.gold.ends[0].written:
            for word in each.words:
                if word in value:
                    yield f"{key} without a word: {word}", {key: value.replace(word, "").strip()}

    def _siblings(self, table: str, value: Any) -> Iterator[Any]:
        """Yield the key of another row of a table."""
        [key] = self.site.table[table].key
        sql = (
            f"SELECT {key} AS key FROM {table} WHERE {key} != ?"  # noqa: S608 (declared names)
            f" ORDER BY {key} > ? DESC, {key} LIMIT 1"
        )
        yield from (row["key"] for row in self.start.world.read(sql, (value, value)))

    def _meddling(self) -> Miss:
        """Return the right outcome with an operation that nobody asked for."""
        stray = self.site.stray(self.start.world)
        table = self._check(stray)
        outcome = replace(self.right, dos=(*self.right.dos, stray))
        return "more than was asked for", outcome, table if table in self.gold.tables else ELSE

    # Answers and pages

    def _answers(self) -> Iterator[Miss]:
        """Yield the wrong answers."""
        for name, text in self.gold.instead.items():
            if isinstance(text, str) and text != self.gold.text:
                yield name, replace(self.right, answer=text), ANSWER
        if self.gold.text == NOT_ACHIEVABLE:
            yield "claimed it", replace(self.right, answer="done"), ANSWER
            yield "did not find it", replace(self.right, answer=NOT_FOUND), ANSWER
        elif self.may_fail and not self.gold.answer:
            yield "did it and denied it", replace(self.right, answer=NOT_ACHIEVABLE), WENT_ON

    def _unread(self) -> Iterator[Miss]:
        """Yield the right outcome without the pages of the evidence, or without the last one."""
        if not self.gold.evidence:
            return
        yield "guessed", replace(self.right, places=()), EVIDENCE
        places = self.right.places[:-1]
        kept = [*places, *([self.gold.end] if self.gold.end else [])]
        shown = {thing for place in kept for thing in self.start.things(place)}
        if places and self.gold.unshown(shown):
            yield "the last page unread", replace(self.right, places=places), EVIDENCE

    def _misplaced(self) -> Iterator[Miss]:
        """Yield the right outcome with another page open at the end."""
        assert self.gold.end is not None
        for name, other in self._other_places(self.gold.end):
            if not self.start.knows([other]):
                continue  # the site refuses to open it
            place = self.start.computed_place(other)
            if place != self.gold.end:
                right = (*self.right.places, self.gold.end)
                yield name, replace(self.right, places=right, last=place), PAGE

    def _other_places(self, right: Place) -> Iterator[tuple[str, Place]]:
        yield "the first page left open", Place.of(self.site.home, {})
        page = self.site.page[right.page]
        for key, _ in right.args:
            if key not in page.args:
                yield f"without {key}", right.but(**{key: None})
        for sort in page.listing.sorts if page.listing else ():
            yield f"ordered by {sort}", self.start.usual(right.but(sort=sort))
        for name, value in self._near(right):
            yield f"another {name}", right.but(**{name: value})

    def _near(self, right: Place) -> Iterator[tuple[str, Any]]:
        """Yield other values of what the form of a page asks for: a day later, another choice."""
        page = self.site.page[right.page]
        for field in page.asks:
            if field.kind == "date" and (day := right[field.name]):
                yield field.name, date.fromisoformat(day) + timedelta(1)
        for name, sql in page.listing.filters.items() if page.listing else ():
            found = self.start.world.read(sql, self.start.record(right)) if right[name] else []
            others = [value for row in found for value in row.values() if value != right[name]]
            yield from ((name, value) for value in others[:1])

    # Drafts

    def _drafts(self, held: Held) -> Iterator[Miss]:
        """Yield a draft that was sent, and drafts with another value or an empty field."""
        yield "sent it", replace(self.right, draft=None, dos=(*self.right.dos, held.do)), DRAFT
        for key, value in held.do.args.items():
            if isinstance(value, str) and value:
                for name, text in ((f"{key} left empty", ""), (f"{key} cut", value[:-1])):
                    other = Do(held.do.operation, {**held.do.args, key: text})
                    yield name, replace(self.right, draft=replace(held, do=other)), DRAFT
