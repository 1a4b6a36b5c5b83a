"""Advice on a page of a declared site. It remembers nothing but the agent's notes: the page itself
tells which stations of the plan are done.

A followed link, a pressed button, a button that is gone and a text on the page that follows a form
all tell it. A page that has a note is done when the note is taken.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain

from agent.interface import Action, Advice, Click, Element, Note, Observation
from scenarios._kit import filling
from scenarios._kit.drawing import See
from scenarios._kit.filling import LINK
from scenarios._kit.plan import Draft, InMenu, Plan, Ways, nearest, operation
from sites.kit import MENU, Do, Form, Map, Place, Spot, filters, follows, opens
from sites.site_app import Refusal
from sites.world import Row

KEEP, KEPT = "keep", "kept"
"""The skin's words for the button that keeps a draft, and for a draft that was kept."""
NUMBER = re.compile(r"[0-9]+(\.[0-9]+)?")
COLLAPSED = "collapsed"
"""The state of the button of a closed menu."""
Needs = tuple[tuple[str, ...], ...]
Way = Element | InMenu | Place
"""A link, a link in a closed menu, or a page that the form of a list opens."""


def advise(plan: Plan, observation: Observation) -> Advice:
    """Return the right next actions on a page."""
    here = View(plan, observation)
    at = here.next_station
    if at == len(plan.stations):
        return Advice(here.last_step, answer=plan.answer, needs=here.needs(at))
    moves = here.moves
    notes = here.notes if moves else ()
    call = here.call if moves else ""
    return Advice(here.step(at), (*notes, *moves), needs=here.needs(at), call=call)


@dataclass(frozen=True)
class View:
    """A page, as far as it shows how far a visit is with its plan."""

    plan: Plan
    observation: Observation

    @cached_property
    def place(self) -> Place | None:
        """The page that is open, None if it is no page of the site."""
        return self.plan.map.place(self.observation.url)

    @cached_property
    def text(self) -> str:
        return " ".join(self.observation.text.split())

    @cached_property
    def links(self) -> list[tuple[Element, Place]]:
        """The declared links that the page shows."""
        named: dict[str, Element] = {}
        for each in self.observation.elements:
            if each.role == LINK:
                named.setdefault(each.name, each)
        return [(named[label], to) for label, to in self._declared if label in named]

    @property
    def _leads(self) -> Iterator[tuple[Element | InMenu, Place]]:
        """Yield the links that the page shows and those in closed menus, as they are declared."""
        shown, closed = {each.name: each for each, _ in self.links}, self._closed
        for label, to in self._declared:
            if label in shown:
                yield shown[label], to
            elif label in closed:
                yield InMenu(to, closed[label]), to

    @property
    def _closed(self) -> dict[str, Element]:
        """The button of the closed menu that holds a link, by the label of the link."""
        buttons = {
            each.name: each for each in self.observation.elements if COLLAPSED in each.states
        }
        home = Place.of(self.plan.map.site.home, {})
        here, start = self.place or home, self.plan.map
        for site_map, place in ((start, here), (self.plan.ended, here), (start, home)):
            try:
                menus = site_map.menus(place)
            except (Refusal, KeyError):
                continue
            return {label: buttons[menu] for label, menu in menus.items() if menu in buttons}
        return {}

    @cached_property
    def _declared(self) -> list[tuple[str, Place]]:
        """The labels and targets of the links that the page must show.

        If the plan makes pages, these are the links at the start and those at the end.
        """
        known = (links for each in self._maps if (links := self._links_of(each)) is not None)
        found = [*dict.fromkeys(chain(*known))] if self.plan.made else next(known, [])
        if found:
            return found
        site_map, me = self.plan.map, {"me": self.plan.map.me}
        return [
            (site_map.skin.say(each.label, me), site_map.to(each, me)) for each in site_map.skin.nav
        ]

    def _links_of(self, site_map: Map) -> list[tuple[str, Place]] | None:
        """Return the links of the page on a map; None if the map does not know the page."""
        try:
            return [*site_map.links(self.place or Place.of(site_map.site.home, {}))]
        except (Refusal, KeyError):
            return None

    @cached_property
    def pages_here(self) -> list[See]:
        """The pages of the plan that are open now."""
        pages = (each for each in self.plan.stations if isinstance(each, See))
        return [each for each in pages if each.place == self.place]

    @property
    def notes(self) -> tuple[Note, ...]:
        """The notes that are to be taken on this page and are not yet taken."""
        notes = (each.note for each in self.pages_here if each.note)
        return tuple(Note(each) for each in notes if not self._is_taken(each))

    def _is_taken(self, note: str) -> bool:
        """Return whether the agent has kept this note."""
        return Note(note).kept in (self.observation.notes or ())

    # The advice's words

    def step(self, at: int) -> str:
        """Return the name of the step to which the actions for a station belong."""
        is_there = self.place in self.plan.stands[at]
        return self.plan.step(at) if is_there else self.plan.way_to(at)

    @property
    def last_step(self) -> str:
        """The name of the step of the last station."""
        return self.plan.step(len(self.plan.stations) - 1)

    def needs(self, at: int) -> Needs:
        """Return the facts that the actions depend on and that the page does not show."""
        return tuple((value,) for value in (*self.plan.named, *self._missing_notes(at)))

    def _missing_notes(self, at: int) -> Iterator[str]:
        """Yield the facts of the notes that a station's form, or the answer, takes and this page
        does not show.
        """
        text = self.text.casefold()
        for each in self.plan.stations:
            note = each.note if isinstance(each, See) else ""
            if note and self._takes(at, note):
                yield from (fact for fact in note.split(", ") if fact.casefold() not in text)

    def _takes(self, at: int, note: str) -> bool:
        """Return whether the answer depends on a note, or a text of a station's form has it."""
        if at == len(self.plan.stations):
            return True
        station = self.plan.stations[at]
        if isinstance(station, See):
            return False
        return any(note in str(value) for value in operation(station).args.values())

    # Stations

    @cached_property
    def next_station(self) -> int:
        """The place in the plan of the first station that is not done, as far as this page tells.

        A station that the page does not tell about counts as done if a later station is done.
        """
        states = [self.is_done(at) for at in range(len(self.plan.stations))]
        last = max((at for at, done in enumerate(states) if done), default=-1)
        if self.place is not None:
            leg = self._leg(self.place)
            last = max(last, -1 if self._lacks(leg) else leg - 1)
        open_ones = (
            at for at, done in enumerate(states) if done is False or (done is None and at > last)
        )
        return next(open_ones, len(states))

    def _leg(self, place: Place) -> int:
        """Return the station to which this page leads now.

        A page may stand on the ways to several stations. Then the first way is chosen on which the
        next link was not followed yet.
        """
        *before, last = self.plan.walk.legs.get(place, (0,))
        return next((at for at in before if not self._was_followed(at)), last)

    def _was_followed(self, at: int) -> bool:
        """Return whether the next link on the way to a station was followed."""
        link = nearest(self.plan.ways[at], self._leads)
        return isinstance(link, Element) and "visited" in link.states

    def is_done(self, at: int) -> bool | None:
        """Return whether a station is done; None if the page does not tell."""
        station = self.plan.stations[at]
        if isinstance(station, See):
            is_end = station.place == self.plan.end and at == len(self.plan.stations) - 1
            return self.place == self.plan.end if is_end else self._is_seen(station)
        spot = self._spot(at)
        if isinstance(station, Draft):
            return None if spot is None else self._is_kept(spot.form, station.do)
        form = spot.form if spot else self._form(at)
        if spot is not None and self._button(spot) is None:
            return True if self._stood(spot) else None
        if form.fields:
            return self._is_sent(at, station, form)
        button = self._button(spot) if spot else None
        return "pressed" in button.states if button else None

    def _lacks(self, at: int) -> bool:
        """Return whether a station's form has yet to appear on this page."""
        spot = self._spot(at)
        return spot is not None and self._button(spot) is None and not self._stood(spot)

    def _stood(self, spot: Spot) -> bool:
        """Return whether the form of this page stood here at the start, if the page was there."""
        if self.place is None or not self._is_known:
            return True
        record = self.plan.map.record(self.place)
        row = self._rows(self.plan.map).get(spot.row) if spot.row else record
        return row is not None and bool(spot.form.shown(row))

    def _is_seen(self, page: See) -> bool | None:
        """Return whether a page was opened; None if neither a note nor this page tells."""
        if page.place == self.place:
            return True
        if page.note and self.observation.notes is not None:
            return self._is_taken(page.note)
        link = next((each for each, to in self.links if to == page.place), None)
        return None if link is None else "visited" in link.states

    def _is_sent(self, at: int, do: Do, form: Form) -> bool | None:
        """Return whether a form with fields was sent; None if the page does not tell."""
        is_made = at not in self.plan.made or not self._is_known
        shows = self._follows(form, do) and self._shows(form, do) and self._holds(at, do)
        if is_made and shows:
            return True
        if self.place is not None and self.plan.traces[at].get(self.place) == 0:
            return self._lists(self.place, self.plan.made[at])
        return None if self._spot(at) is None else False

    @property
    def _is_known(self) -> bool:
        """Whether the start world has this page."""
        return self.place is not None and self.plan.map.knows([self.place])

    def _is_kept(self, form: Form, do: Do) -> bool:
        """Return whether this page shows a draft with the right values."""
        is_draft = self.plan.map.skin.say(KEPT) in self.text
        return is_draft and not [*self._fill(form, do)]

    def _spot(self, at: int) -> Spot | None:
        """Return the place of a station's form on this page, None if it does not stand here."""
        return self.plan.stands[at].get(self.place) if self.place else None

    def _form(self, at: int) -> Form:
        """Return the form of a station, wherever it stands."""
        return next(spot.form for spot in self.plan.stands[at].values() if spot)

    def _lists(self, place: Place, made: Place) -> bool:
        """Return whether this list has a link to a page that the plan makes."""
        labels = {label for label, to in self.plan.ended.links(place) if to == made}
        return any(each.role == LINK and each.name in labels for each in self.observation.elements)

    def _follows(self, form: Form, do: Do) -> bool:
        """Return whether this can be the page that follows a form."""
        if self.place is None:
            return False
        if not form.follows:
            return self.place in self.plan.map.stands(do)
        same = all(self.place[key] in (None, str(value)) for key, value in do.args.items())
        return self.place.page == form.follows and same

    def _shows(self, form: Form, do: Do) -> bool:
        """Return whether the page shows what was filled in: the texts, or the choices if there are
        no texts.
        """
        texts = [str(do.args[each.name]) for each in form.read_back]
        if not any(texts):
            texts = [str(do.args[each.name]) for each in form.fields]
        return all(_stands(" ".join(text.split()), self.text) for text in texts)

    def _holds(self, at: int, do: Do) -> bool:
        """Return whether the fields that show a column hold the values, if the form stands here."""
        spot = self._spot(at)
        if spot is None:
            return True
        held = tuple(each for each in spot.form.fields if each.held)
        return not [*self._fill(replace(spot.form, fields=held), do)]

    # Actions

    @property
    def moves(self) -> tuple[Action, ...]:
        """The actions that do the next station, or that lead towards it."""
        station, spot = self.plan.stations[self.next_station], self._spot(self.next_station)
        if spot is not None and isinstance(station, Draft):
            keep = filling.named_button(self.observation.elements, self.plan.map.skin.say(KEEP))
            return (*self._fill(spot.form, station.do), Click(keep.id)) if keep else ()
        if spot is not None and isinstance(station, Do):
            button = self._button(spot)
            return (*self._fill(spot.form, station), Click(button.id)) if button else ()
        return self._go(self._way)

    @property
    def call(self) -> str:
        """The name of what the moves do."""
        spot = self._spot(self.next_station)
        if spot is not None:
            return spot.form.name
        way = self._way
        if isinstance(way, Place):
            return filters(way.page)
        if isinstance(way, InMenu):
            return MENU
        to = next((to for each, to in self.links if each is way), None)
        if to is None:
            return ""
        return follows(self.place, to) if self.place else opens(to.page)

    @cached_property
    def _way(self) -> Way | None:
        """The way to the next station, or to a list that tells whether a form was sent already."""
        at = self.next_station
        wanted = (self._look(at), self._back(at), self.plan.ways[at])
        return next((way for way in map(self._nearest, wanted) if way), None)

    def _look(self, at: int) -> Ways:
        """Return the ways to the lists that tell whether a form was sent already.

        They are asked for the first page that the plan makes, if the link to its form was followed.
        Without such a look the form would be sent twice.
        """
        traces, stands = self.plan.traces[at], self.plan.stands[at]
        is_first = min(self.plan.made, default=None) == at
        if not is_first or not traces or self.place in stands or self.place in self.plan.sure[at]:
            return {}
        if not any("visited" in each.states for each, to in self.links if to in stands):
            return {}
        return traces

    def _nearest(self, ways: Ways) -> Way | None:
        """Return what leads one page nearer to the end of the ways."""
        asked = [*self.plan.map.queries(self.place, ways)] if self.place else []
        links: list[tuple[Way, Place]] = [*self._leads, *((to, to) for to in asked)]
        return nearest(ways, [each for each in links if each[1] != self.place])

    def _go(self, way: Way | None) -> tuple[Action, ...]:
        """Return the actions that go a way."""
        if isinstance(way, Place):
            return tuple(filling.ask(self.observation.elements, self.plan.map, way))
        element = way.button if isinstance(way, InMenu) else way
        return (Click(element.id),) if element else ()

    def _back(self, at: int) -> Ways:
        """Return the way to the page of the station before, if only from there the way is known.

        Pages beside that way tell nothing, so that the expert would begin again there.
        """
        before = self.plan.stations[at - 1] if at else None
        if not isinstance(before, See) or before.place == self.place:
            return {}
        legs, stands = self.plan.walk.legs, self.plan.stands[at]
        ahead = nearest(self.plan.ways[at], ((to, to) for _, to in self._leads))
        if any(each in stands or at in legs.get(each, ()) for each in (self.place, ahead) if each):
            return {}
        return {before.place: 0}

    def _fill(self, form: Form, do: Do) -> Iterator[Action]:
        return filling.fill(self.observation.elements, self.plan.map.skin, form, do)

    def _button(self, spot: Spot) -> Element | None:
        """Return the button of a form; in a list, the one beside the link of the form's row."""
        skin, shown = self.plan.map.skin, self.observation.elements
        label = skin.say(spot.form.name, None, "button")
        if not spot.row:
            return filling.named_button(shown, label)
        others = {name for each in self._maps for name in self._rows(each)} - {spot.row}
        return filling.button_beside(
            shown, label, spot.row, others, before=skin.buttons == "before"
        )

    @property
    def _maps(self) -> tuple[Map, Map]:
        return self.plan.map, self.plan.ended

    def _rows(self, site_map: Map) -> dict[str, Row]:
        """Return the rows of this page's list on a map, by the label of their first link."""
        if self.place is None or not site_map.knows([self.place]):
            return {}
        listing = site_map.site.page[self.place.page].listing
        if listing is None or not listing.links:
            return {}
        label, shown = (
            listing.links[0].label,
            site_map.shown(self.place, site_map.record(self.place)),
        )
        return {site_map.skin.say(label, row): row for row in shown.rows}


def _stands(value: str, text: str) -> bool:
    """Return whether a text shows a value; a number must not be a part of another one.

    A whole number may be shown as an amount of money: 48 as "$48.00".
    """
    if not NUMBER.fullmatch(value):
        return value in text
    return bool(re.search(rf"(?<![\w.-]){re.escape(value)}(?:\.00)?(?![\w]|[.-]\w)", text))
