"""What a competent person does on a page of a declared site: found from the map, the operations and
what the page shows. It remembers nothing between pages.

A plan is a row of stations, each a page to see or an operation to do. What a page shows of them
tells how far one is: a link that was followed, a button that is pressed, a text that stands there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from agent.interface import Action, Advice, Click, Element, Note, Observation, Select, Type
from scenarios._kit.drawing import See
from sites.kit import Do, Form, Map, Place, Spot
from sites.site_app import Refusal

Station = See | Do
LINKS, BUTTONS = ("link",), ("button",)


@dataclass(frozen=True)
class InMenu:
    """A way through a link in a closed menu.

    Attributes:
        to: The page that the link leads to.
        menu: The button that opens the menu; None on a page that nobody looks at.
    """

    to: Place
    menu: Element | None = None


@dataclass(frozen=True)
class Plan:
    map: Map
    ended: Map
    """The same over the right end: it knows the pages that are made on the way."""
    stations: Sequence[Station]
    answer: str
    told: tuple[str, ...] = ()
    """Values that the instruction tells."""

    @cached_property
    def stands(self) -> list[dict[Place, Spot]]:
        """Of each station, the pages where it can be done."""
        return [
            {each.place: Spot(None)} if isinstance(each, See) else self._stands(each)  # type: ignore[arg-type]
            for each in self.stations
        ]

    def _stands(self, do: Do) -> dict[Place, Spot]:
        made = {place: spot for place, spot in self.ended.stands(do).items() if not self.map.knows([place])}
        found = self.map.stands(do) | made
        seen = {each.place for each in self.stations if isinstance(each, See)}
        near = {each.but(page=None, sort=None) for each in seen}
        same = {place: spot for place, spot in found.items() if place in seen}
        alike = {place: spot for place, spot in found.items() if place.but(page=None, sort=None) in near}
        return same or alike or found  # done where one found out what to do, if that can be

    @cached_property
    def ways(self) -> list[dict[Place, int]]:
        return [(self.map if self.map.knows(each) else self.ended).ways(each) for each in self.stands]

    # Stations

    def advise(self, observation: Observation) -> Advice:
        here = View(self, observation)
        at = here.next_station
        if at == len(self.stations):
            return Advice(self.step(at - 1), answer=self.answer, needs=self.needs(here, at))
        note = [Note(each.note) for each in here.told_here if each.note and each.note not in here.text]
        moves = here.work(at)
        return Advice(
            self.step(at, here.place), (*note, *moves) if moves else (), needs=self.needs(here, at)
        )

    def step(self, at: int, here: Place | None = None) -> str:
        station = self.stations[at]
        if isinstance(station, Do) and (here is None or here in self.stands[at]):
            return station.operation
        return f"find {min(self.stands[at], key=lambda each: each.page).page}"

    def needs(self, here: View, at: int) -> tuple[tuple[str, ...], ...]:
        notes = [] if at < len(self.stations) else [
            each.note for each in self.stations if isinstance(each, See) and each.note
            and each not in here.told_here and each.note.casefold() not in here.text.casefold()]  # fmt: skip
        return tuple((value,) for value in (*self.told, *notes))

    # The way

    def best(self, at: int, links: Iterator[tuple[Any, Place]] | list[tuple[Any, Place]]) -> Any:
        """The link that leads nearest to a station."""
        ways = self.ways[at]
        known = [(ways[place] + self.opens(link), n, link)
                 for n, (link, place) in enumerate(links) if place in ways]  # fmt: skip
        return min(known, key=lambda each: each[:2])[2] if known else None

    @staticmethod
    def opens(link: Any) -> int:
        """Return 1 for a link in a menu that must be opened first, else 0."""
        return int(any(isinstance(each, InMenu) for each in (link if isinstance(link, tuple) else (link,))))

    @cached_property
    def traces(self) -> list[dict[Place, int]]:
        """Of each station that makes a page, the ways to lists that show it: there one looks whether
        it is made already."""
        found = []
        for at in range(len(self.stations)):
            made = self.made.get(at)
            lists = [each for each in self.ended.parents(made)] if made else []
            kept = [each for each in lists if self.map.knows([each])]
            near = min((self.far(at, each) for each in kept), default=0)
            kept = [each for each in kept if self.far(at, each) == near]
            found.append(self.ended.ways(kept) if kept else {})
        return found

    def far(self, at: int, place: Place) -> int:
        return len(self.route(at, place))

    def route(self, at: int, place: Place) -> list[Place]:
        """The pages from one to the next station, without the last."""
        found: list[Place] = []
        while place not in self.stands[at] and len(found) < 9:
            found.append(place)
            place = self.best(at, [(to, to) for _, to in self.map.links(place)]) or place
        return found

    @cached_property
    def sure(self) -> list[set[Place]]:
        """Of each station, the pages on the way from its traces to its form."""
        return [{step for place, far in self.traces[at].items() if far == 0
                 for step in self.route(at, place)} for at in range(len(self.stations))]  # fmt: skip

    @cached_property
    def made(self) -> dict[int, Place]:
        """The page that each station makes."""
        places = self.walked[2]
        return {at: place for at, place in places.items() if not self.map.knows([place])}

    @cached_property
    def walked(self) -> tuple[int, dict[Place, int], dict[int, Place]]:
        """How many actions it takes, found by walking the map; and to which station one is on the
        way where a page between two of them is open (the first, where it is to several)."""
        legs: dict[Place, int] = {}
        after: dict[int, Place] = {}
        world, place, count = self.map.world.fork(), Place.of(self.map.site.home, {}), 0
        walked = Map(self.map.site, world)
        for at, station in enumerate(self.stations):
            for _ in range(99):
                if place in self.stands[at]:
                    break
                menus = walked.menus(place)
                links = [(InMenu(to) if label in menus else (1, to), to)
                         for label, to in walked.links(place)]  # fmt: skip
                asked = [((1 + len(set(to.args) ^ set(place.but(page=None).args)), to), to)
                         for to in walked.queries(place, self.ways[at])]  # fmt: skip
                chosen = self.best(at, [*links, *asked])
                if chosen is None:
                    raise LookupError(f"no way from {place} to {station}")
                if isinstance(chosen, InMenu):
                    chosen = 2, chosen.to
                count, place = count + chosen[0], chosen[1]
                legs.setdefault(place, at)
            if isinstance(station, Do):
                form = self.stands[at][place].form
                record = walked.record(place)
                count += 1 + sum(
                    str(record.get(each.held or each.name) or "") != str(station.args[each.name])
                    if each.held or each.options else bool(station.args[each.name])
                    for each in form.fields)  # fmt: skip
                place = after[at] = walked.follows(place, form, station, walked.site.run(world, station))
        return count, legs, after


@dataclass(frozen=True)
class View:
    """A page, as far as it shows how far one is with a plan."""

    plan: Plan
    observation: Observation

    @cached_property
    def place(self) -> Place | None:
        return self.plan.map.place(self.observation.url)

    @cached_property
    def text(self) -> str:
        return " ".join(self.observation.text.split())

    @cached_property
    def links(self) -> list[tuple[Element, Place]]:
        """The declared links that the page shows."""
        named: dict[str, Element] = {}
        for each in self.observation.elements:
            if each.role in LINKS:
                named.setdefault(each.name, each)
        return [(named[label], to) for label, to in self._declared() if label in named]

    @cached_property
    def moves(self) -> list[tuple[Element | InMenu, Place]]:
        """The links of the page, in the order of the declaration; those in closed menus too."""
        shown = {each.name: each for each, _ in self.links}
        menus, found = self._menus(), list[tuple[Element | InMenu, Place]]()
        for label, to in self._declared():
            if label in shown:
                found.append((shown[label], to))
            elif label in menus:
                found.append((InMenu(to, menus[label]), to))
        return found

    def _menus(self) -> dict[str, Element]:
        """Return, for the label of each link in a closed menu, the button that opens the menu."""
        home = Place.of(self.plan.map.site.home, {})
        closed = {each.name: each for each in self.observation.elements if "collapsed" in each.states}
        for found in (self.plan.map, self.plan.ended):
            try:
                menus = found.menus(self.place or home)
            except Refusal:
                continue
            return {label: closed[menu] for label, menu in menus.items() if menu in closed}
        return {}

    def _declared(self) -> list[tuple[str, Place]]:
        found, home = self.plan.map, Place.of(self.plan.map.site.home, {})
        for each in (found, self.plan.ended):
            try:
                return list(each.links(self.place or home))
            except (Refusal, KeyError):  # a page that is made during the visit, or none of ours
                continue
        return [(found.skin.say(each.label, {"me": found.me}), found.to(each, {"me": found.me}))
                for each in found.skin.nav]  # fmt: skip

    @cached_property
    def told_here(self) -> list[See]:
        return [each for each in self.plan.stations if isinstance(each, See) and each.place == self.place]

    @cached_property
    def next_station(self) -> int:
        """The first that is not done, as far as this page tells."""
        states = [self.is_done(at) for at in range(len(self.plan.stations))]
        upto = max((at for at, done in enumerate(states) if done), default=-1)
        if self.place is not None:
            upto = max(upto, self.plan.walked[1].get(self.place, 0) - 1)
        return next((at for at, done in enumerate(states) if done is False or (at > upto and not done)),
                    len(states))  # fmt: skip

    def is_done(self, at: int) -> bool | None:
        """None where the page does not tell."""
        station = self.plan.stations[at]
        if isinstance(station, See):
            if station.place == self.place:
                return True
            link = next((each for each, to in self.links if to == station.place), None)
            return None if link is None else "visited" in link.states
        spot = self.plan.stands[at].get(self.place) if self.place else None
        form = spot.form if spot else next(iter(self.plan.stands[at].values())).form
        if form.fields:
            if self._follows(form, station) and self._shows(form, station):
                return True
            if self.plan.traces[at].get(self.place) == 0:  # type: ignore[arg-type]
                return self._lists(self.plan.made[at])
            return False if spot else None
        if spot is None:
            return None
        button = self.button(spot)
        return button is None or "pressed" in button.states

    def _lists(self, made: Place) -> bool:
        """Whether this list has a link to a page that is made."""
        assert self.place is not None
        labels = [label for label, to in self.plan.ended.links(self.place) if to == made]
        named = {each.name for each in self.observation.elements if each.role in LINKS}
        return any(label in named for label in labels)

    def _is_doubtful(self, at: int) -> bool:
        """Whether the form of a station that makes a page was open before: it may be sent. Asked of
        the first one alone: where one looks for a later one, no page tells of the first."""
        if min(self.plan.made, default=at) != at:
            return False
        traces, stands = self.plan.traces[at], self.plan.stands[at]
        if not traces or self.place in stands or self.place in self.plan.sure[at]:
            return False
        return any("visited" in each.states for each, to in self.links if to in stands)

    def _follows(self, form: Form, do: Do) -> bool:
        if self.place is None:
            return False
        if not form.follows:
            return self.place in self.plan.map.stands(do)
        same = all(self.place[key] in (None, str(value)) for key, value in do.args.items())
        return self.place.page == form.follows and same

    def _shows(self, form: Form, do: Do) -> bool:
        texts = (str(do.args[each.name]) for each in form.fields if not each.options)
        return all(" ".join(text.split()) in self.text for text in texts)

    # Work

    def work(self, at: int) -> tuple[Action, ...]:
        station, spot = self.plan.stations[at], None
        if isinstance(station, Do) and self.place is not None:
            spot = self.plan.stands[at].get(self.place)
        if spot is not None and isinstance(station, Do):
            button = self.button(spot)
            return (*self.fill(spot.form, station), Click(button.id)) if button else ()
        if self._is_doubtful(at):
            looks = [(self.plan.traces[at][to], n, each) for n, (each, to) in enumerate(self.links)
                     if to in self.plan.traces[at]]  # fmt: skip
            if looks:
                return (Click(min(looks, key=lambda each: each[:2])[2].id),)
        asked = self.plan.map.queries(self.place, self.plan.ways[at]) if self.place else ()
        ways = [*((each if isinstance(each, InMenu) else Click(each.id), to) for each, to in self.moves),
                *((None, to) for to in asked)]  # fmt: skip
        chosen = self.plan.best(at, [((each, to), to) for each, to in ways])
        if chosen is None:
            return ()
        if isinstance(chosen[0], InMenu):
            return (Click(chosen[0].menu.id),)
        return (chosen[0],) if chosen[0] else tuple(self._ask(chosen[1]))

    def _ask(self, place: Place) -> Iterator[Action]:
        """The list's form, so that it asks for this."""
        skin = self.plan.map.skin
        for name in self.plan.map.site.page[place.page].asked:
            label = skin.say("keyword") if name == "q" else skin.say(name, None, "label")
            field = next((e for e in self.observation.elements if e.name == label and e.value is not None), None)
            wanted = place[name] or ""
            if field is not None and (field.value or "") != wanted:
                yield Select(field.id, wanted) if field.options else Type(field.id, wanted)
        button = next((e for e in self.observation.elements if e.role in BUTTONS and e.name == skin.say("apply")), None)
        if button is not None:
            yield Click(button.id)

    def fill(self, form: Form, do: Do) -> Iterator[Action]:
        for each in form.fields:
            label = self.plan.map.skin.say(each.name, None, "label")
            field = next((e for e in self.observation.elements if e.name == label and e.role not in LINKS), None)  # noqa: E501
            wanted = str(do.args[each.name])
            if field is None:
                continue
            if each.kind == "check":
                if ("checked" in field.states) != (wanted == "yes"):
                    yield Click(field.id)
            elif (field.value or "") != wanted:
                yield Select(field.id, wanted) if each.kind == "choice" else Type(field.id, wanted)

    def button(self, spot: Spot) -> Element | None:
        """The form's button; of a row, the one that stands beside its link."""
        skin, listed = self.plan.map.skin, self.observation.elements
        label = skin.say(spot.form.name, None, "button")
        found = [each for each in listed if each.role in BUTTONS and each.name == label]
        if not spot.row:
            return found[0] if found else None
        link = next((each for each in listed if each.role in LINKS and each.name == spot.row), None)
        if link is None:
            return None
        if skin.buttons == "before":
            return next((each for each in reversed(found) if each.id < link.id), None)
        return next((each for each in found if each.id > link.id), None)
