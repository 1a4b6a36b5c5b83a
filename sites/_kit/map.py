"""The map of a declared site over one world, also read backwards.

Backwards means: which pages have a link to a page, how far a page is, and on which pages the form
of an operation stands. Pages draw their links from the map, and advice finds its way by it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from sites._kit.declare import SORT, Do, Form, Link, Listing, Page
from sites._kit.forward import Forward
from sites._kit.places import Place, Shown, Spot
from sites._kit.skins.pagers import PAGERS
from sites.site_app import Refusal
from sites.world import Row

__all__ = ["Map", "Place", "Shown", "Spot"]

FEW = 3
"""The number of records that are looked at, if more of them have a link to a page."""
FAR = 9
"""The number of clicks after which the search for a way ends."""


class Map(Forward):
    """The map of a site over one world."""

    # Records by their columns

    def find(self, page: Page, known: Mapping[str, Any], few: int = FEW) -> list[Row]:
        """Return records of a page that have these values.

        Args:
            page: The page.
            known: The values by column.
            few: The maximum number of records.

        Returns:
            The records; none if the page has no such column or says nothing of its records.
        """
        return self._found(page.among, known, few) if page.among else []

    def _found(self, query: str, known: Mapping[str, Any], few: int) -> list[Row]:
        """Return rows of a declared query that have these values."""
        if not {*known} <= {*self._columns(query)}:
            return []
        where = " AND ".join(f"{key} = :{key}" for key in known) or "1"
        sql = f"SELECT * FROM ({query}) WHERE {where} LIMIT {few}"  # noqa: S608 (declared)
        me = {"me": self.me}
        return [row | me for row in self.world.read(sql, {**known, **me})]

    def _columns(self, query: str) -> list[str]:
        """Return the names of the columns of a declared query."""
        return self.world.table(f"SELECT * FROM ({query}) LIMIT 0", {"me": self.me})[0]  # noqa: S608

    # Distances

    def ways(self, targets: Iterable[Place], enough: Place | None = None) -> dict[Place, int]:
        """Return how many clicks it is from each near page to the nearest target.

        Args:
            targets: The targets.
            enough: A page; the search ends when its distance is known.
        """
        found = dict.fromkeys(targets, 0)
        everywhere = {self.to(link, {"me": self.me}) for link in self.skin.nav}
        edge = [*found]
        for far in range(1, FAR):
            if not edge or enough in found or everywhere & {*edge}:
                break  # the navigation leads to the edge from any page, so no way is shorter
            before = dict.fromkeys(p for each in edge for p in self.parents(each))
            edge = [each for each in before if each not in found]
            found |= dict.fromkeys(edge, far)
        return found

    def parents(self, place: Place) -> Iterator[Place]:
        """Yield pages with a link to this one; not all of them if there are many."""
        if place.number > 1:
            yield from self._turned(place)
            return
        if place[SORT] is not None:
            yield place.but(sort=None)
        if self.bare(place) != place:
            yield self.bare(place)
        yield from self._linked(place, self.record(place))

    def _turned(self, place: Place) -> Iterator[Place]:
        """Yield the pages of a list from which the pager leads to this one."""
        last = self.last(place)
        turns = PAGERS[self.skin.pager]
        for each in range(1, last + 1):
            if place.number in [number for _, number in turns(each, last)]:
                yield self.usual(place.but(page=each))

    def _linked(self, place: Place, record: Row) -> Iterator[Place]:
        """Yield the pages that have a declared link to this one."""
        for other in self.site.pages:
            for link in other.links:
                if link.to == place.page:
                    yield from self._from_page(other, link, place, record)
            if other.listing:
                for link in other.listing.links:
                    if link.to == place.page:
                        yield from self._from_rows(other, link, place, record)

    def _from_page(self, other: Page, link: Link, place: Place, record: Row) -> Iterator[Place]:
        """Yield the places of a page whose link leads to a place."""
        rows = [record]
        if other.record:
            wanted = self._wanted(link, place)
            rows = self.find(other, wanted) if wanted or not other.args else []
        for row in rows:
            if all(key in row for key in other.args) and self._leads(link, row, place):
                yield Place.of(other.name, {key: row[key] for key in other.args})

    def _wanted(self, link: Link, place: Place) -> Row:
        """Return the columns that a record has if its link leads to a place."""
        return {link.using.get(key, key): place[key] for key in self.site.filled(link)}

    def _leads(self, link: Link, row: Row, place: Place) -> bool:
        """Return whether the link of a record leads to a place."""
        try:
            return self.to(link, row) == place and bool(link.shown(row))
        except KeyError:
            return False

    def _from_rows(self, other: Page, link: Link, place: Place, record: Row) -> Iterator[Place]:
        """Yield the places of a list in which the link of a row leads to a place."""
        assert other.listing
        first = link == other.listing.links[0] and not other.listing.key
        rows = [record] if first else self._rows(other, self._wanted(link, place))
        for row in rows:
            if self._leads(link, row, place):
                yield from self._positions(other, row)

    # Lists

    def _rows(self, page: Page, known: Mapping[str, Any]) -> list[Row]:
        """Return rows that the list of a page may show and that have these values."""
        listing = page.listing
        assert listing
        if listing.links and not listing.key:
            return self.find(self.site.page[listing.links[0].to], known)
        return [] if page.args else self._listed(listing, known)

    def _listed(self, listing: Listing, known: Mapping[str, Any]) -> list[Row]:
        """Return rows of a list whose page has no arguments."""
        if isinstance(listing.rows, str):
            return self._found(listing.rows, known, FEW)
        return self._found(listing.rows.among, known, FEW) if listing.rows.among else []

    def _positions(self, other: Page, row: Row) -> Iterator[Place]:
        """Yield on which page of which order a list shows a row, and the search that finds it."""
        listing = other.listing
        if listing is None or not all(key in row for key in other.args):
            return
        base = Place.of(other.name, {key: row[key] for key in other.args})
        places = [self.usual(base.but(sort=sort)) for sort in listing.sorts]
        if listing.keyword in row:
            places.append(places[0].but(q=row[listing.keyword]))
        for each in places:
            at = self._rank(each, row)
            if at is not None:
                yield self.usual(each.but(page=at // self.size(other) + 1))

    def _rank(self, place: Place, row: Row) -> int | None:
        """Return how many rows stand before a row in a list, or None if it is not there."""
        page = self.site.page[place.page]
        if not self.key(page) or not all(key in row for key in self.key(page)):
            return None
        try:
            return self.query(place, self.record(place)).rank(self.world, row)
        except Refusal:
            return None

    # Forms

    def stands(self, do: Do) -> dict[Place, Spot]:
        """Return the pages on which a form calls an operation with these arguments."""
        found: dict[Place, Spot] = {}
        for page in self.site.pages:
            for form in page.forms:
                if self._makes(form, do):
                    found |= dict.fromkeys(self._of_page(page, form, do), Spot(form))
            if page.listing:
                for form in page.listing.forms:
                    if self._makes(form, do):
                        found |= dict(self._of_rows(page, form, do))
                if page.listing.mass and self._makes(page.listing.mass, do):
                    found |= dict(self._of_several(page, page.listing.mass, do))
        return found

    def stands_at(self, place: Place, do: Do) -> Spot | None:
        """Return the form in a row of this page of a list that calls an operation with these
        arguments; None if no row has one.
        """
        listing = self.site.page[place.page].listing
        forms = [each for each in listing.forms if self._makes(each, do)] if listing else []
        for row in self.shown(place, self.record(place)).rows if forms else ():
            for form in forms:
                given = form.given.items()
                if listing and all(str(row[column]) == str(do.args[arg]) for arg, column in given):
                    return Spot(form, self._label(listing, row))
        return None

    def _makes(self, form: Form, do: Do) -> bool:
        """Return whether a form can call an operation with these arguments."""
        same = all(do.args.get(key) == value for key, value in form.fixed.items())
        return form.operation.name == do.operation and same

    def _of_page(self, page: Page, form: Form, do: Do) -> Iterator[Place]:
        """Yield the places of a page with the form."""
        known = {column: do.args[arg] for arg, column in form.given.items()}
        known |= {key: do.args[key] for key in page.args if key in do.args}
        rows = self.find(page, known) if page.record else [{**do.args, "me": self.me}]
        for row in rows:
            if all(key in row for key in page.args):
                yield Place.of(page.name, {key: row[key] for key in page.args})

    def _of_rows(self, page: Page, form: Form, do: Do) -> Iterator[tuple[Place, Spot]]:
        """Yield the places of a list that show a row with the form."""
        assert page.listing
        known = {column: do.args[arg] for arg, column in form.given.items()}
        for row in self._rows(page, known):
            label = self._label(page.listing, row)
            yield from ((place, Spot(form, label)) for place in self._positions(page, row))

    def _of_several(self, page: Page, form: Form, do: Do) -> Iterator[tuple[Place, Spot]]:
        """Yield the places of a list that show all the rows of a form for several rows."""
        assert form.each
        arg, column = form.each
        shared: set[Place] | None = None
        for value in do.args[arg]:
            rows = self._rows(page, {column: value})
            places = {place for row in rows for place in self._positions(page, row)}
            shared = places if shared is None else shared & places
        yield from ((place, Spot(form)) for place in sorted(shared or (), key=lambda at: at.args))

    def _label(self, listing: Listing, row: Row) -> str:
        """Return the label of a row's first link, "" if it has none."""
        return self.skin.say(listing.links[0].label, row) if listing.links else ""
