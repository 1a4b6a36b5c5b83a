"""The plan of a task: stations, the pages at which each can be done, and the way between them.

A station is a page to open, an operation to do, or a form to fill in and to keep as a draft.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from typing import TypeVar

from agent.interface import Element
from scenarios._kit import filling
from scenarios._kit.drawing import See
from scenarios._kit.gold import Gold
from scenarios._kit.visit import BadRight
from sites.kit import KEYWORD, Do, Map, Place, Spot

MOST_CLICKS = 99
"""The most clicks from one station to the next."""
FAR = 9
"""The most pages of a route from a list to a form."""
Ways = Mapping[Place, int]
"""Pages, each with the number of clicks from it to the nearest page of a station."""
Leads = TypeVar("Leads")


@dataclass(frozen=True)
class Draft:
    """A form to fill in and to keep as a draft."""

    do: Do


Station = See | Do | Draft


@dataclass(frozen=True)
class InMenu:
    """A link in a closed menu, which takes two clicks.

    Attributes:
        to: The page that the link leads to.
        button: The button that opens the menu; None on a page that nobody looks at.
    """

    to: Place
    button: Element | None = None


@dataclass(frozen=True)
class Trip:
    """The expert's way through a site, found without a browser.

    Attributes:
        length: The number of actions.
        legs: For each page on the way, the stations to which it leads, in the expert's order.
        after: The page that follows each operation, by the place of its station in the plan.
    """

    length: int
    legs: Mapping[Place, Sequence[int]]
    after: Mapping[int, Place]


@dataclass(frozen=True)
class Plan:
    """The stations of one scenario with the map of its site.

    Attributes:
        map: The map over the start world.
        ended: The map over the right end, which knows the pages that the operations make.
        stations: The stations, in the expert's order.
        answer: The right answer, "" for none.
        named: The values that the instruction names.
        search: Pages that an agent looks through which does not know the right rows.
        end: The page that must be open at the end, which is the last station; None if any may be.
        start: The page that is open at the start; None for the home of the site.
    """

    map: Map
    ended: Map
    stations: tuple[Station, ...]
    answer: str
    named: tuple[str, ...] = ()
    search: tuple[See, ...] = ()
    end: Place | None = None
    start: Place | None = None

    @cached_property
    def stands(self) -> Sequence[Mapping[Place, Spot | None]]:
        """The pages at which each station can be done, with the place of its form."""
        return [self._stands(each) for each in self.stations]

    def _stands(self, station: Station) -> Mapping[Place, Spot | None]:
        if isinstance(station, See):
            return {station.place: None}
        do = operation(station)
        ended = self.ended.stands(do).items()
        made = {place: spot for place, spot in ended if not self.map.knows([place])}
        return self._preferred({**self.map.stands(do), **made, **self._searched(do)})

    def _searched(self, do: Do) -> Mapping[Place, Spot]:
        """Return the lists that the plan searches and that show the row with the form of an
        operation.
        """
        seen = [each.place for each in self.stations if isinstance(each, See)]
        searched = [each for each in seen if each[KEYWORD] and self.map.knows([each])]
        found = ((place, self.map.stands_at(place, do)) for place in searched)
        return {place: spot for place, spot in found if spot}

    def _preferred(self, found: Mapping[Place, Spot]) -> Mapping[Place, Spot]:
        """Return the pages at which the agent found out what to do, if the form stands there."""
        seen = {each.place for each in self.stations if isinstance(each, See)}
        near = {_of_any_order(place) for place in seen}
        same = {place: spot for place, spot in found.items() if place in seen}
        lists = {place.but(page=None) for place in seen}
        turned = {place: spot for place, spot in found.items() if place.but(page=None) in lists}
        alike = {place: spot for place, spot in found.items() if _of_any_order(place) in near}
        return same or turned or alike or found

    @cached_property
    def ways(self) -> Sequence[Ways]:
        """The way to each station from the pages near it."""
        return [self._map_of(each).ways(each) for each in self.stands]

    def _map_of(self, places: Iterable[Place]) -> Map:
        """Return the map that knows these places."""
        return self.map if self.map.knows(places) else self.ended

    # The steps

    def way_to(self, at: int) -> str:
        """Return the name of the step that leads to the page of a station."""
        return f"find {min(each.page for each in self.stands[at])}"

    def step(self, at: int) -> str:
        """Return the name of the step that does a station, on its page."""
        station = self.stations[at]
        return self.way_to(at) if isinstance(station, See) else operation(station).operation

    @property
    def steps(self) -> tuple[str, ...]:
        """The names of the steps, each once, in the order of the stations."""
        named = ((self.way_to(at), self.step(at)) for at in range(len(self.stations)))
        return tuple(dict.fromkeys(chain.from_iterable(named)))

    # The pages that the operations make

    @cached_property
    def made(self) -> Mapping[int, Place]:
        """The page that each station makes, for the stations that make one."""
        after = self.walk.after.items()
        return {at: place for at, place in after if not self.map.knows([place])}

    @cached_property
    def traces(self) -> Sequence[Ways]:
        """The ways to the lists that show the page which a station makes; {} if it makes none."""
        return [self._traces(at) for at in range(len(self.stations))]

    def _traces(self, at: int) -> Ways:
        if at not in self.made:
            return {}
        lists = [each for each in self.ended.parents(self.made[at]) if self.map.knows([each])]
        far = {each: len(self.route(at, each)) for each in lists}
        near = [each for each in lists if far[each] == min(far.values())]
        return self.ended.ways(near) if near else {}

    def route(self, at: int, place: Place) -> list[Place]:
        """Return the pages from a page to a station, without the station's own page."""
        found: list[Place] = []
        while place not in self.stands[at] and len(found) < FAR:
            found.append(place)
            links = ((to, to) for _, to in self.map.links(place))
            place = nearest(self.ways[at], links) or place
        return found

    @cached_property
    def sure(self) -> Sequence[frozenset[Place]]:
        """The pages on the way from the traces of a station to its form."""
        return [
            frozenset(
                step
                for place, far in self.traces[at].items()
                if far == 0
                for step in self.route(at, place)
            )
            for at in range(len(self.stations))
        ]

    # The way

    @cached_property
    def walk(self) -> Trip:
        """The expert's way. Raise `BadRight` if there is none."""
        with self.map.world.fork() as world:
            walker = _Walker(self, Map(self.map.site, world))
            return walker.walk()

    @cached_property
    def honest_length(self) -> int:
        """The number of actions of an agent that first looks through the pages of `search`."""
        if not self.search:
            return self.walk.length
        return replace(self, stations=(*self.search, *self.stations), search=()).walk.length


@dataclass
class _Walker:
    """A visitor who walks a plan over a copy of the start world."""

    plan: Plan
    map: Map
    length: int = 0
    legs: dict[Place, list[int]] = field(default_factory=dict)
    after: dict[int, Place] = field(default_factory=dict)

    def walk(self) -> Trip:
        self.place = self.plan.start or Place.of(self.map.site.home, {})
        if self.place not in self.plan.stands[0]:
            self.legs[self.place] = [0]
        for at, station in enumerate(self.plan.stations):
            self._go(at)
            if not isinstance(station, See):
                self._do(at, station)
        return Trip(self.length, self.legs, self.after)

    def _go(self, at: int) -> None:
        """Follow links until the station can be done.

        A page that only had to be seen also leads to the next station.
        """
        is_seen = at > 0 and isinstance(self.plan.stations[at - 1], See)
        if is_seen and self.place not in self.plan.stands[at]:
            self.legs.setdefault(self.place, []).append(at)
        for _ in range(MOST_CLICKS):
            if self.place in self.plan.stands[at]:
                return
            self._step(at)
            self.legs.setdefault(self.place, []).append(at)
        raise BadRight(self._no_way(at))

    def _step(self, at: int) -> None:
        menus = self.map.menus(self.place)
        links: list[tuple[InMenu | tuple[int, Place], Place]] = [
            (InMenu(to) if label in menus else (1, to), to)
            for label, to in self.map.links(self.place)
            if to != self.place
        ]
        asked = [
            ((filling.asked(self.place, to), to), to)
            for to in self.map.queries(self.place, self.plan.ways[at])
        ]
        chosen = nearest(self.plan.ways[at], [*links, *asked])
        if chosen is None:
            raise BadRight(self._no_way(at))
        clicks, to = (2, chosen.to) if isinstance(chosen, InMenu) else chosen
        self.place = to if (chosen, to) in asked else self._kept(to)
        self.length += clicks
        listing = self.map.site.page[to.page].listing
        if listing and listing.kept:
            self.map.note(self.place)

    def _kept(self, to: Place) -> Place:
        """Return what a link to a page opens: a list may have kept its filters."""
        return self.map.kept(to) if to == self.map.bare(to) else to

    def _no_way(self, at: int) -> str:
        return (
            f"no links lead from the page {self.place.page} to {self.plan.stations[at]}; declare a"
            " link on the way, or name an earlier page in `via`"
        )

    def _do(self, at: int, station: Do | Draft) -> None:
        """Fill in the form of an operation, and send it or keep it as a draft."""
        spot, do = self.plan.stands[at][self.place], operation(station)
        assert spot is not None
        self.length += 1 + filling.count(spot.form, do, self.map.record(self.place))
        if isinstance(station, Do):
            made = self.map.site.run(self.map.world, do)
            self.place = self.after[at] = self.map.follows(self.place, spot.form, do, made)


def nearest(ways: Ways, links: Iterable[tuple[Leads, Place]]) -> Leads | None:
    """Return the link that leads nearest to the end of the ways, the first of equals.

    A link in a closed menu counts one click more.

    Args:
        ways: The ways.
        links: Links of any kind, each with the page that it leads to.

    Returns:
        The link, or None if no link leads to a page of the ways.
    """
    known = [
        (ways[place] + isinstance(link, InMenu), link) for link, place in links if place in ways
    ]
    return min(known, key=lambda each: each[0])[1] if known else None


def stations(gold: Gold) -> tuple[Station, ...]:
    """Return the stations of the expert, in its order."""
    drafts = [Draft(gold.draft.do)] if gold.draft else []
    ends = [See(gold.end)] if gold.end else []
    return (*gold.via, *gold.read, *gold.ends[0].do, *drafts, *ends)


def operation(station: Do | Draft) -> Do:
    """Return the operation whose form a station needs."""
    return station.do if isinstance(station, Draft) else station


def _of_any_order(place: Place) -> Place:
    """Return the first page of a list in its usual order."""
    return place.but(page=None, sort=None)
