"""The map of a site forwards: addresses, records, rows of lists, links and the journal."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import parse_qs, unquote, urlencode, urlsplit

from sites._kit import addresses
from sites._kit.declare import KEYWORD, PAGE, SORT, Computed, Do, Form, Link, Page, Site, one
from sites._kit.lists import Query, contains, source
from sites._kit.places import Place, Shown
from sites._kit.skins.pagers import PAGERS
from sites.site_app import Refusal
from sites.world import Row, World

DOWN, DESCENDING = "_desc", "desc"
"""The ending of the name of an order that goes downwards, and the word for it in an address."""


class Forward:
    """A declared site over one world, read from the open page to where it leads.

    Args:
        site: The site.
        world: The world. Its skin and its persona are those of the visit.
    """

    def __init__(self, site: Site, world: World) -> None:
        self.site, self.world, self.skin = site, world, site.skin_of(world)
        self.me = world.about.get("me", "")

    # Addresses

    def address(self, page: Page) -> str:
        """Return the address of a page in this skin, with `<name>` for each argument."""
        return self.skin.addresses.get(page.name, page.address)

    def url(self, place: Place) -> str:
        """Return the address of a place."""
        page, args = self.site.page[place.page], dict(place.args)
        path = addresses.write(self.address(page), args)
        query = urlencode(
            self.spelled({key: text for key, text in args.items() if key not in page.args})
        )
        return path + (f"?{query}" if query else "")

    def spelled(self, args: Mapping[str, str]) -> dict[str, str]:
        """Return the options of a place as an address writes them."""
        if not self.site.order_args or SORT not in args:
            return dict(args)
        order, way = self.site.order_args
        rest = {key: value for key, value in args.items() if key != SORT}
        name = args[SORT].removesuffix(DOWN)
        return {**rest, order: name, **({way: DESCENDING} if name != args[SORT] else {})}

    def _read(self, query: Mapping[str, str]) -> dict[str, str]:
        """Return the options of an address as a place has them."""
        if not self.site.order_args or self.site.order_args[0] not in query:
            return dict(query)
        order, way = self.site.order_args
        down = DOWN if query.get(way) == DESCENDING else ""
        return {**query, SORT: query[order] + down}

    def place(self, url: str) -> Place | None:
        """Return the place of an address, or None if the site has no such page."""
        split = urlsplit(url)
        parts = [unquote(part) for part in split.path.split("/")]
        query = self._read({key: values[0] for key, values in parse_qs(split.query).items()})
        for page in self.site.pages:
            args = addresses.match(self.address(page), parts)
            if args is not None:
                return self._with_options(page, args, query)
        return None

    def _with_options(
        self, page: Page, args: Mapping[str, str], query: Mapping[str, str]
    ) -> Place | None:
        """Return the place with its order, keyword, filters and number; None if it has no such."""
        known = {key: query[key] for key in (SORT, PAGE, *page.asked) if query.get(key)}
        place = Place.of(page.name, {**args, **known})
        if not page.listing and (SORT in known or PAGE in known):
            place = place.but(sort=None, page=None)
        elif page.listing and known.get(SORT, self.first_sort(page)) not in page.listing.sorts:
            return None
        return self.usual(place) if place.number else None

    def usual(self, place: Place) -> Place:
        """Return the place without the arguments that are usual."""
        sort, number = place[SORT], place[PAGE]
        if sort is not None and sort == self.first_sort(self.site.page[place.page]):
            place = place.but(sort=None)
        return place.but(page=None) if number == "1" else place

    def first_sort(self, page: Page) -> str:
        """Return the usual order of a page's list, "" if it has no list."""
        usual = next(iter(page.listing.sorts), "") if page.listing else ""
        return self.skin.sorts.get(page.name, usual)

    # Records

    def record(self, place: Place) -> Row:
        """Return the record that the page shows.

        Raises:
            Refusal: There is no such record (404).
        """
        page, args = self.site.page[place.page], dict(place.args)
        row: Row = {**{each.name: "" for each in page.asks}, **args, "me": self.me}
        if isinstance(page.record, Computed):
            return row | self._computed(page.record, row)
        if page.record:
            where = " AND ".join(f"{key} = :{key}" for key in page.key) or "1"
            row |= one(self.world, f"SELECT * FROM ({page.record}) WHERE {where}", row)  # noqa: S608
        return row

    def _computed(self, record: Computed, row: Row) -> Row:
        """Return the first record that a function computes."""
        for found in record.run(self.world, row):
            return found
        raise Refusal(404, "This page is not here. Go back, or start from the first page.")

    def computed_place(self, place: Place, record: Row | None = None) -> Place:
        """Return the place with the arguments that its computed record has; else the place itself.

        So two addresses of the same thing, such as two spellings of a name, are one place.

        Args:
            place: The page.
            record: Its record, if the caller has read it.
        """
        page = self.site.page[place.page]
        if not isinstance(page.record, Computed):
            return place
        record = self.record(place) if record is None else record
        names = [name for name in (*page.args, *page.asked) if name in page.record.columns]
        return self.usual(place.but(**{name: str(record[name]) or None for name in names}))

    def knows(self, places: Iterable[Place]) -> bool:
        """Return whether each of the places has a record in this world."""
        try:
            return all(self.record(each) for each in places)
        except Refusal:
            return False

    # Rows

    def size(self, page: Page) -> int:
        """Return the number of rows on one page of a page's list."""
        assert page.listing
        return self.skin.size or page.listing.size

    def shown(self, place: Place, record: Row) -> Shown:
        """Return the rows of the list that stand on this page of it."""
        page = self.site.page[place.page]
        query, size = self.query(place, record), self.size(page)
        total = query.total(self.world)
        rows = query.page(self.world, size, place.number) if total else []
        me = {"me": self.me}
        return Shown([row | me for row in rows], total, _pages(total, size))

    def last(self, place: Place) -> int:
        """Return the number of the last page of a list."""
        total = self.query(place, self.record(place)).total(self.world)
        return _pages(total, self.size(self.site.page[place.page]))

    def query(self, place: Place, record: Row) -> Query:
        """Return the query of a page's list, as the place orders, filters and searches it."""
        page = self.site.page[place.page]
        listing = page.listing
        assert listing
        rows, values = source(listing, self.world, record)
        sql = f"SELECT * FROM ({rows}) WHERE 1"  # noqa: S608 (declared)
        asked = {name: place[name] for name in (*listing.filters, KEYWORD) if place[name]}
        for name in asked:
            own = contains(listing.keyword, ":q_") if name == KEYWORD else f"{name} = :{name}_"
            sql += f" AND {own}"
        values |= {f"{name}_": value for name, value in asked.items()}
        order = listing.sorts[place[SORT] or self.first_sort(page)]
        return Query(sql, values, order, self.key(page))

    def key(self, page: Page) -> tuple[str, ...]:
        """Return the columns that tell the rows of a page's list apart."""
        listing = page.listing
        assert listing
        if listing.key or not listing.links:
            return listing.key
        main = listing.links[0]
        return tuple(main.using.get(key, key) for key in self.site.page[main.to].key)

    def bare(self, place: Place) -> Place:
        """Return the list as it stands before its form was sent."""
        return place.but(**dict.fromkeys((*self.site.page[place.page].asked, PAGE)))

    def kept(self, place: Place) -> Place:
        """Return a list with the filters that it had when it was open last, if it keeps them."""
        page = self.site.page[place.page]
        if not (page.listing and page.listing.kept):
            return place
        sql = "SELECT args FROM log_pages WHERE page = ? ORDER BY id DESC LIMIT 1"
        last = [json.loads(row["args"]) for row in self.world.read(sql, (place.page,))]
        return self._filtered(place, last[0] if last else {})

    def _filtered(self, place: Place, args: Mapping[str, str]) -> Place:
        """Return a list with the filters and the keyword that these arguments have."""
        asked = {name: args[name] for name in self.site.page[place.page].asked if name in args}
        return place.but(**asked, page=None) if asked else place

    def leads(self, place: Place, to: Place) -> Place:
        """Return the place that a link from one place to another opens.

        A link to the open list without its filters opens the list as it is, if it keeps them.
        """
        listing = self.site.page[to.page].listing
        keeps = bool(listing and listing.kept) and to.page == place.page and to == self.bare(to)
        return self._filtered(to, dict(place.args)) if keeps else to

    def queries(self, place: Place, ways: Iterable[Place]) -> Iterator[Place]:
        """Yield those of the places that the form of the list leads to from this page."""
        own = self.bare(place)
        for each in ways:
            near = each.page == place.page and each.number == 1 and each != place
            if near and self.bare(each) == own:
                yield each

    # The journal

    def line(self, place: Place) -> tuple[str, str]:
        """Return a place as the journal writes it: the page, and the arguments as JSON."""
        return place.page, json.dumps(dict(place.args), sort_keys=True)

    def things(self, place: Place) -> list[str]:
        """Return names of all that a page shows: its record, and the rows of its list, or that a
        list with filters or a keyword has no rows.
        """
        record = self.record(place)
        listed = self.site.page[place.page].listing
        return self._things(place, record, self.shown(place, record) if listed else None)

    def _things(self, place: Place, record: Row, shown: Shown | None) -> list[str]:
        page = self.site.page[place.page]
        own = dict(Place.of(page.name, {key: record[key] for key in page.args}).args)
        rows = shown.rows if shown else []
        is_empty = shown and not shown.total and page.asked
        none = [_nothing(page, place)] if is_empty else []
        return [
            " ".join((page.name, *own.values())),
            *(self._thing(page, row) for row in rows),
            *none,
        ]

    def thing(self, place: Place, row: Row) -> str:
        """Return the name of a row of a page's list."""
        return self._thing(self.site.page[place.page], row)

    def _thing(self, page: Page, row: Row) -> str:
        """Return the name of a row: that of the page of its first link, or its own key."""
        assert page.listing
        if page.listing.key or not page.listing.links:
            return " ".join((f"{page.name} row", *(str(row[key]) for key in page.listing.key)))
        place = self.to(page.listing.links[0], row)
        return " ".join((place.page, *(value for _, value in place.args)))

    def note(self, place: Place, record: Row | None = None, shown: Shown | None = None) -> None:
        """Write into the journal that a page was opened, and which rows it showed.

        Args:
            place: The page.
            record: Its record, if the caller has read it.
            shown: The rows of its list, if the caller has read them.
        """
        things = self.things(place) if record is None else self._things(place, record, shown)
        values = (*self.line(place), json.dumps(things))
        self.world.write("INSERT INTO log_pages (page, args, shown) VALUES (?, ?, ?)", values)

    # Links

    def to(self, link: Link, row: Mapping[str, Any]) -> Place:
        """Return the place that a link of this record or row leads to."""
        args = {key: row[link.using.get(key, key)] for key in self.site.filled(link)}
        return self.usual(Place.of(link.to, {**args, **link.fixed}))

    def links(self, place: Place) -> Iterator[tuple[str, Place]]:
        """Yield all that leads away from a page: the label and the place of each link."""
        page, record = self.site.page[place.page], self.record(place)
        for label, to in self._links((*self.skin.nav, *page.links), record):
            yield label, self.leads(place, to)
        if page.listing:
            yield from self.tabs(place)
            shown = self.shown(place, record)
            yield from self.turns(place, shown.last)
            for row in shown.rows:
                yield from self._links(page.listing.links, row)

    def _links(self, links: Iterable[Link], row: Row) -> Iterator[tuple[str, Place]]:
        for link in links:
            if link.shown(row):
                yield self.skin.say(link.label, row), self.to(link, row)

    def tabs(self, place: Place) -> Iterator[tuple[str, Place]]:
        """Yield the links to the other orders of a list."""
        return (each for each in self.orders(place) if each[1] != place)

    def orders(self, place: Place) -> Iterator[tuple[str, Place]]:
        """Yield the label of each order of a list, with the first page in that order."""
        listing = self.site.page[place.page].listing
        if listing and len(listing.sorts) > 1:
            for sort in listing.sorts:
                yield self.skin.say(f"sort_{sort}"), self.usual(place.but(sort=sort, page=None))

    def turns(self, place: Place, last: int) -> Iterator[tuple[str, Place]]:
        """Yield the links to the other pages of a list.

        Args:
            place: The open page of the list.
            last: The number of the last page.
        """
        for word, number in PAGERS[self.skin.pager](place.number, last):
            yield self.skin.say(word, {"n": number}), self.usual(place.but(page=number))

    def menus(self, place: Place) -> dict[str, str]:
        """Return, for the label of each link in a menu, the label of the menu.

        The menu must be opened before the link can be pressed.
        """
        found: dict[str, str] = {}
        if "nav" in self.skin.menus:
            record = self.record(place)
            links = (link for link in self.skin.nav if link.shown(record))
            found |= {self.skin.say(each.label, record): self.skin.say("menu") for each in links}
        if "sort" in self.skin.menus:
            found |= {label: self.skin.say("sorting") for label, _ in self.tabs(place)}
        return found

    def follows(self, place: Place, form: Form, do: Do, made: Row | None) -> Place:
        """Return the page after a form was sent.

        Args:
            place: The page with the form.
            form: The form.
            do: The call of the operation.
            made: The columns that the operation returned.
        """
        if form.follows:
            return self.to(Link(form.follows), {**do.args, **(made or {}), "me": self.me})
        if place.number > 1:  # the list may be shorter now
            return self.usual(place.but(page=min(place.number, self.last(place))))
        return place


def _pages(total: int, size: int) -> int:
    """Return the number of pages of a list, at least 1."""
    return max(1, -(-total // size))


def _nothing(page: Page, place: Place) -> str:
    """Return the name of the fact that a list has no rows with the filters and the keyword of a
    place.
    """
    asked = (f"{name} {place[name]}".casefold() for name in page.asked if place[name])
    return " ".join((f"no row of {page.name}", *(place[each] or "" for each in page.args), *asked))
