"""How a family draws a scenario from the rows of a world, and how it says what is right."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, TypeVar

from scenarios._kit.reading import Reading
from sites.kit import Do, Map, Place
from sites.world import World


class Again(Exception):
    """The drawn rows do not suit the task; the family draws again."""


class Found(dict[str, Any]):
    """A row whose columns can also be read as attributes."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError as error:
            raise AttributeError(name) from error


OR = " | "
"""The mark between the names of rows one of which must be seen."""


@dataclass(frozen=True)
class See:
    """A page to open.

    Attributes:
        place: The page.
        note: What the expert writes down there, "" for none: facts in words of the page, with ", "
            between them.
        evidence: The names of the rows that must be seen, on this page or on any other; None for
            all that the page shows. If one of several rows is enough, a name joins theirs by `OR`.
    """

    place: Place
    note: str = ""
    evidence: tuple[str, ...] | None = None


Drawn = TypeVar("Drawn")
Rows = list[Found]
Pages = list[See]
Planted = tuple[str, dict[str, Any]]
"""A table, and a row that is added to it."""
Tell = Callable[[Rows], str]
"""A function that writes the note of a page of a list from the rows that the page shows."""
Wanted = Callable[[Found], bool]
"""A function that says whether a row must be seen."""


@dataclass(frozen=True)
class Right:
    """The right outcome of one scenario, and outcomes that look right and are not.

    Attributes:
        slots: The values that the wording names.
        do: The operations that are to be done, in the expert's order.
        via: Pages on which an agent finds out what to do. The expert opens them; the scorer does
            not ask for them.
        read: Pages that show the evidence of the answer. The scorer asks that its rows were shown,
            on whatever pages.
        end: The page that must be open at the end; None if any page may be.
        start: The page that is open at the start; None for the home of the site.
        draft: The operation whose form must be filled and not sent; None for none.
        answer: The right answer; "" if the scenario asks for none.
        status: The answer of a scenario that cannot be done, such as "NOT_ACHIEVABLE"; "" if it can
            be done.
        any_of: Other right ends. Each is a list of operations that are done in place of `do`.
        has: The arguments that the agent words itself, each with the words that its text must
            contain; () if any text is right. The expert writes the text that stands in `do`.
        search: Pages that an agent looks through if it does not know yet which rows are meant. They
            lengthen the budget, and the expert does not open them.
        beside: Pages of the other sites of the episode, which are read before all else.
        instead: Wrong outcomes by name: other operations, or another answer.
    """

    slots: Mapping[str, Any]
    do: Sequence[Do] = ()
    via: Sequence[See] = ()
    read: Sequence[See] = ()
    end: See | None = None
    answer: str = ""
    instead: Mapping[str, Sequence[Do] | str] = field(default_factory=dict)
    any_of: Sequence[Sequence[Do]] = ()
    has: Mapping[str, Sequence[str]] = field(default_factory=dict)
    status: str = ""
    draft: Do | None = None
    start: See | None = None
    search: Sequence[See] = ()
    beside: Sequence[Reading] = ()


LENGTHS = (8, 10, 12, 15, 20, 25)
"""The rows on a page of a list, by skin."""


def stay(rows: Sequence[Found], voted: Sequence[Found], by: int) -> bool:
    """Return whether each row is still on its page when its turn comes to be voted on.

    A vote changes a score, and so the order of a list by score. The pages may have any length.

    Args:
        rows: All rows of the list, the highest score first.
        voted: The rows in the order of the votes.
        by: The change of a score by a vote.
    """
    scores = {row.id: row.score for row in rows}
    at_first = [row.id for row in rows]
    for n, row in enumerate(voted):
        now = sorted(scores, key=lambda key: (-scores[key], key))
        for later in voted[n:]:
            before, after = at_first.index(later.id), now.index(later.id)
            if any(before // size != after // size for size in LENGTHS):
                return False
        scores[row.id] += by
    return True


@dataclass
class Draw:
    """One attempt to draw a scenario.

    Attributes:
        rng: The random generator of the seed and the attempt.
        world: A copy of the base world, which planted rows are added to.
        me: The signed-in user (the persona).
        map: The map of the site over `world`.
        plants: The rows that were planted.
        data: The data of the other sites of the episode, by the site's name.
        base: The size and the number of the base world. A declared site beside this one shows its
            base world of the same size and number; it counts on from 0 if it has fewer.
    """

    rng: Random
    world: World
    me: str
    map: Map
    plants: list[Planted] = field(default_factory=list)
    data: Mapping[str, Any] = field(default_factory=dict)
    base: tuple[str, int] = ("", 0)

    def all(self, sql: str, *values: Any) -> Rows:
        """Return the rows of a query; without ORDER BY, sorted by their columns.

        The order in which SQLite finds rows depends on its version and on the indexes.
        """
        return [Found(row) for row in in_order(self.world, sql, *values)]

    def pick(self, sql: str, *values: Any) -> Found:
        """Return a random row of a query; draw again if it has none."""
        rows = self.all(sql, *values)
        self.need(rows)
        return self.rng.choice(rows)

    def beside(self, site: str, sql: str, *values: Any) -> Rows:
        """Return the rows of a query at another declared site, in the order of `all`."""
        size, number = self.base
        world = self.data[site].base(size, number % self.data[site].bases)
        return [Found(row) for row in in_order(world, sql, *values)]

    def some(self, words: Sequence[Drawn]) -> Drawn:
        """Return a random element."""
        return self.rng.choice(words)

    def need(self, condition: object) -> None:
        """Draw again unless the condition is true."""
        if not condition:
            raise Again

    def plant(self, table: str, **row: Any) -> int:
        """Add a row to the start world of the scenario, and return its id."""
        self.plants.append((table, row))
        return put(self.world, table, row)

    def page(self, page: str, note: str = "", **args: Any) -> See:
        """Return a page to open, with the note that is taken there."""
        return See(self.map.usual(Place.of(page, args)), note)

    def is_at_start(self, page: See) -> bool:
        """Return whether the start page shows all rows of a page, so that nobody must open it."""
        home = self.map.things(Place.of(self.map.site.home, {}))
        return {*self.map.things(page.place)} <= {*home}

    def list(
        self,
        page: str,
        note: Tell | None = None,
        upto: int = 0,
        wanted: Wanted | None = None,
        **args: Any,
    ) -> Pages:
        """Return the pages of a list.

        Args:
            page: The name of the declared page.
            note: Writes the note of each page of the list; None for no notes.
            upto: The number of the last page; 0 for all pages.
            wanted: Whether a row must be seen; None if all rows must. An agent that sorts the list
                in another order may never see the others.
            args: The arguments and options of the page.
        """
        first = self.map.usual(Place.of(page, args))
        last = upto or self.map.last(first)
        return [self._listed(first.but(page=n), note, wanted) for n in range(1, last + 1)]

    def until(self, page: str, wanted: Wanted, note: Tell | None = None, **args: Any) -> Pages:
        """Return the first pages of a list, up to the last page that shows a wanted row.

        Only these rows must be seen, since a list may be sorted in other ways. Arguments as in
        `list`.
        """
        pages = self.list(page, note, wanted=wanted, **args)
        shows = [bool(each.evidence) for each in pages]
        return pages[: len(shows) - shows[::-1].index(True)]

    def _listed(self, place: Place, note: Tell | None, wanted: Wanted | None) -> See:
        at = self.map.usual(place)
        rows = [Found(row) for row in self.map.shown(at, self.map.record(at)).rows]
        evidence = wanted and tuple(self.map.thing(at, row) for row in rows if wanted(row))
        return See(at, note(rows) if note else "", evidence)

    def either(self, *pages: See) -> See:
        """Return the first of some pages; the evidence is that one of them was seen.

        A page is seen if the first row of its list was shown, or that the list has no rows. So an
        agent may find out in several ways that a row is not there. Draw again if the start page
        shows such a row.
        """
        names = dict.fromkeys(self.map.things(each.place)[1] for each in pages)
        home = self.map.things(Place.of(self.map.site.home, {}))
        self.need(not {*names} & {*home})
        return replace(pages[0], evidence=(OR.join(names),))

    def evidence(self, see: See) -> Collection[str]:
        """Return the names of the rows of a page that must be seen."""
        return self.map.things(see.place) if see.evidence is None else see.evidence


def in_order(world: World, sql: str, *values: Any) -> list[dict[str, Any]]:
    """Return the rows of a query in an order that every SQLite gives.

    Args:
        world: The world to read.
        sql: The query. An ORDER BY must leave no ties.
        values: The values of its question marks.
    """
    rows = world.read(sql, values)
    return rows if "ORDER BY" in sql else sorted(rows, key=_columns)


def _columns(row: Mapping[str, Any]) -> tuple[tuple[bool, Any], ...]:
    """Return the columns of a row for sorting: NULL comes first."""
    return tuple((value is not None, value) for value in row.values())


def put(world: World, table: str, row: Mapping[str, Any]) -> int:
    """Add a row to a table and return its id."""
    names, marks = ", ".join(row), ", ".join("?" * len(row))
    sql = f"INSERT INTO {table} ({names}) VALUES ({marks})"  # noqa: S608 (declared names)
    return world.write(sql, [*row.values()])
