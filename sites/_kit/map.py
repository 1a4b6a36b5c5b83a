"""The map of a declared site over one world: which page an address is, what leads where, how far a
page is, and where a form stands. Pages draw their links from it, and advice finds its way by it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, quote, unquote, urlencode, urlsplit

from sites._kit.declare import KEYWORD, PAGE, SORT, Do, Form, Link, Page, Site, one
from sites._kit.skins.pagers import PAGERS
from sites.site_app import Refusal
from sites.world import Row, World

FEW = 3
"""So many of the pages that lead to another are looked at, where there are more."""
FAR = 9


@dataclass(frozen=True)
class Place:
    """A page with its arguments, and its sorting, search and number where these are not usual."""

    page: str
    args: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, page: str, args: Mapping[str, Any]) -> Place:
        return cls(page, tuple(sorted((key, str(value)) for key, value in args.items())))

    def __getitem__(self, key: str) -> str | None:
        return dict(self.args).get(key)

    def but(self, **args: Any) -> Place:
        merged = {**dict(self.args), **args}
        return Place.of(self.page, {k: v for k, v in merged.items() if v is not None})

    @property
    def number(self) -> int:
        return int(self[PAGE] or 1)


@dataclass(frozen=True)
class Spot:
    """Where a form stands: its page's own, or that of a row with this label."""

    form: Form
    row: str = ""


@dataclass(frozen=True)
class Shown:
    rows: list[Row]
    total: int
    last: int


class Map:
    def __init__(self, site: Site, world: World) -> None:
        self.site, self.world, self.skin = site, world, site.skin_of(world)
        self.me = world.about.get("me", "")
        self._orders: dict[tuple[Place, str], dict[Place, int]] = {}

    # Addresses

    def address(self, page: Page) -> str:
        return self.skin.addresses.get(page.name, page.address)

    def url(self, place: Place) -> str:
        page, args = self.site.page[place.page], dict(place.args)
        parts = [
            quote(args.pop(part[1:-1]), safe="") if part[:1] == "<" else part
            for part in self.address(page).split("/")
        ]
        return "/".join(parts) + (f"?{urlencode(args)}" if args else "")

    def place(self, url: str) -> Place | None:
        split = urlsplit(url)
        parts = [unquote(part) for part in split.path.split("/")]
        query = {key: values[0] for key, values in parse_qs(split.query).items()}
        for page in self.site.pages:
            pattern = self.address(page).split("/")
            if len(pattern) == len(parts) and all(
                a[:1] == "<" or a == b for a, b in zip(pattern, parts, strict=True)
            ):
                args = {a[1:-1]: b for a, b in zip(pattern, parts, strict=True) if a[:1] == "<"}
                options = (SORT, PAGE, *page.asked)
                known = {key: query[key] for key in options if query.get(key)}
                return self.usual(Place.of(page.name, {**args, **known}))
        return None

    def usual(self, place: Place) -> Place:
        """Without what is usual."""
        drop: dict[str, None] = {}
        if place[SORT] is not None and place[SORT] == self.first_sort(self.site.page[place.page]):
            drop[SORT] = None
        if place[PAGE] == "1":
            drop[PAGE] = None
        return place.but(**drop) if drop else place

    def first_sort(self, page: Page) -> str:
        usual = next(iter(page.listing.sorts), "") if page.listing else ""
        return self.skin.sorts.get(page.name, usual)

    # Rows

    def record(self, place: Place) -> Row:
        """What the page shows. Raises `Refusal` (404)."""
        page, args = self.site.page[place.page], dict(place.args)
        row: Row = {**args, "me": self.me}
        if page.record:
            where = " AND ".join(f"{key} = :{key}" for key in page.key)
            sql = f"SELECT * FROM ({page.record}) WHERE {where}"  # noqa: S608 (declared)
            row |= one(self.world, sql, row)  # type: ignore[arg-type]
        return row

    def knows(self, places: Iterable[Place]) -> bool:
        try:
            return all(self.record(each) for each in places)
        except Refusal:
            return False

    def find(self, page: Page, known: Mapping[str, Any], few: int = FEW) -> list[Row]:
        """Records of a page that have these values; none where it has no such column."""
        where = " AND ".join(f"{key} = :{key}" for key in known) or "1"
        sql = f"SELECT * FROM ({page.record}) WHERE {where} LIMIT {few}"  # noqa: S608
        try:
            rows = self.world.read(sql, {**known, "me": self.me})  # type: ignore[arg-type]
        except Exception as error:
            if "no such column" in str(error):
                return []
            raise
        return [{**row, "me": self.me} for row in rows]

    def size(self, page: Page) -> int:
        assert page.listing
        return self.skin.size or page.listing.size

    def shown(self, place: Place, record: Row) -> Shown:
        """The rows of the list that stand on this page of it."""
        page = self.site.page[place.page]
        assert page.listing
        size, sql, values = self.size(page), *self._listed(place, record)
        total = self.world.read(f"SELECT count(*) AS n FROM ({sql})", values)[0]["n"]  # noqa: S608
        order = page.listing.sorts[place[SORT] or self.first_sort(page)]
        at = (place.number - 1) * size
        rows = self.world.read(f"{sql} ORDER BY {order} LIMIT {size} OFFSET {at}", values)
        last = max(1, -(-total // size))
        return Shown([{**row, "me": self.me} for row in rows], total, last)

    def _listed(self, place: Place, record: Row) -> tuple[str, Any]:
        listing = self.site.page[place.page].listing
        assert listing
        sql = f"SELECT * FROM ({listing.rows}) WHERE 1"  # noqa: S608 (declared)
        if place[KEYWORD]:
            sql += f" AND {listing.keyword} LIKE '%' || :q_ || '%'"
        for name in listing.filters:
            sql += f" AND {name} = :{name}_" if place[name] else ""
        asked = {f"{name}_": place[name] or "" for name in (KEYWORD, *listing.filters)}
        return sql, {**record, **asked}

    def bare(self, place: Place) -> Place:
        """The list as it stands before its form was sent."""
        return place.but(**dict.fromkeys((*self.site.page[place.page].asked, PAGE)))

    def queries(self, place: Place, ways: Iterable[Place]) -> Iterator[Place]:
        """Which of these the list's form of a page leads to."""
        for each in ways:
            if each.page == place.page and each.number == 1 and each != place:
                if self.bare(each) == self.bare(place):
                    yield each

    # The journal

    def line(self, place: Place) -> tuple[str, str]:
        return place.page, json.dumps(dict(place.args), sort_keys=True)

    def things(self, place: Place) -> list[str]:
        """What a page shows: its record, and the rows of its list."""
        record, page = self.record(place), self.site.page[place.page]
        found = [self._thing(Place.of(page.name, {key: record[key] for key in page.args}))]
        if page.listing:
            found += [self._thing(self.to(page.listing.links[0], row))
                      for row in self.shown(place, record).rows]  # fmt: skip
        return found

    def _thing(self, place: Place) -> str:
        return " ".join((place.page, *(value for _, value in place.args)))

    def note(self, place: Place) -> None:
        """Write into the journal that a page was opened, and what it showed."""
        values = (*self.line(place), json.dumps(self.things(place)))
        self.world.write("INSERT INTO log_pages (page, args, shown) VALUES (?, ?, ?)", values)

    # Forward

    def to(self, link: Link, row: Mapping[str, Any]) -> Place:
        page = self.site.page[link.to]
        args = {key: row[link.using.get(key, key)] for key in page.args if key not in link.fixed}
        return self.usual(Place.of(link.to, {**args, **link.fixed}))

    def links(self, place: Place) -> Iterator[tuple[str, Place]]:
        """All that leads away from a page, by label."""
        page, record = self.site.page[place.page], self.record(place)
        for link in (*self.skin.nav, *page.links):
            if link.shown(record):
                yield self.skin.say(link.label, record), self.to(link, record)
        if page.listing:
            yield from self.tabs(place)
            shown = self.shown(place, record)
            yield from self.turns(place, shown.last)
            for row in shown.rows:
                for link in page.listing.links:
                    if link.shown(row):
                        yield self.skin.say(link.label, row), self.to(link, row)

    def tabs(self, place: Place) -> Iterator[tuple[str, Place]]:
        listing = self.site.page[place.page].listing
        if listing and len(listing.sorts) > 1:
            for sort in listing.sorts:
                yield self.skin.say(f"sort_{sort}"), self.usual(place.but(sort=sort, page=None))

    def turns(self, place: Place, last: int) -> Iterator[tuple[str, Place]]:
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

    # Backward

    def ways(self, targets: Iterable[Place], enough: Place | None = None) -> dict[Place, int]:
        """How many clicks it is from a page to the nearest of these; of pages that are near."""
        found = dict.fromkeys(targets, 0)
        everywhere = {self.to(link, {"me": self.me}) for link in self.skin.nav}
        edge = list(found)
        for far in range(1, FAR):
            if not edge or enough in found:
                break
            if everywhere & {*edge}:  # any page is one click away from here: no way is shorter
                break
            before = dict.fromkeys(p for each in edge for p in self.parents(each))
            edge = [each for each in before if each not in found]
            found |= dict.fromkeys(edge, far)
        return found

    def parents(self, place: Place) -> Iterator[Place]:
        """Pages with a link to this one; not all where there are many."""
        page = self.site.page[place.page]
        if place.number > 1:
            last = self.shown(place, self.record(place)).last
            turns = PAGERS[self.skin.pager]
            yield from (self.usual(place.but(page=each)) for each in range(1, last + 1)
                        if place.number in [number for _, number in turns(each, last)])  # fmt: skip
            return
        if place[SORT] is not None:
            yield place.but(sort=None)
        if self.bare(place) != place:
            yield self.bare(place)
        record = self.record(place)
        for other in self.site.pages:
            for link in other.links:
                if link.to == page.name:
                    yield from self._from_page(other, link, place, record)
            if other.listing:
                for at, link in enumerate(other.listing.links):
                    if link.to == page.name:
                        yield from self._from_rows(other, link, at, place, record)

    def _from_page(self, other: Page, link: Link, place: Place, record: Row) -> Iterator[Place]:
        if other.record:
            wanted = {link.using.get(key, key): place[key] for key in self.site.page[link.to].args
                      if key not in link.fixed}  # fmt: skip
            rows = self.find(other, wanted) if wanted else []
        else:
            rows = [record]
        for row in rows:
            if all(key in row for key in other.args) and self._leads(link, row, place):
                yield Place.of(other.name, {key: row[key] for key in other.args})

    def _leads(self, link: Link, row: Row, place: Place) -> bool:
        try:
            return bool(self.to(link, row) == place and link.shown(row))
        except KeyError:
            return False

    def _from_rows(
        self, other: Page, link: Link, at: int, place: Place, record: Row
    ) -> Iterator[Place]:
        assert other.listing
        rows = [record]
        if at:
            main = self.site.page[other.listing.links[0].to]
            wanted = {link.using.get(key, key): place[key] for key in self.site.page[link.to].args}
            rows = self.find(main, wanted) if main.record else []
        for row in rows:
            if self._leads(link, row, place):
                yield from self._positions(other, row)

    def _positions(self, other: Page, row: Row) -> Iterator[Place]:
        """Where a list shows the row: on which page of which order, and by searching for it."""
        listing = other.listing
        if listing is None or not all(key in row for key in other.args):
            return
        base = Place.of(other.name, {key: row[key] for key in other.args})
        wanted = self.to(listing.links[0], row)
        places = [self.usual(base.but(sort=sort)) for sort in listing.sorts]
        if listing.keyword:
            places += [each.but(q=row[listing.keyword]) for each in places[:1]]
        for each in places:
            index = self._order(each).get(wanted)
            if index is not None:
                yield self.usual(each.but(page=index // self.size(other) + 1))

    def _order(self, place: Place) -> dict[Place, int]:
        key = place, place[SORT] or ""
        if key not in self._orders:
            page = self.site.page[place.page]
            assert page.listing
            sql, values = self._listed(place, self.record(place))
            order = page.listing.sorts[place[SORT] or self.first_sort(page)]
            rows = self.world.read(f"{sql} ORDER BY {order}", values)
            self._orders[key] = {
                self.to(page.listing.links[0], row): at for at, row in enumerate(rows)
            }
        return self._orders[key]

    # Forms

    def stands(self, do: Do) -> dict[Place, Spot]:
        """Where the form of an operation with these arguments stands."""
        found: dict[Place, Spot] = {}
        for page in self.site.pages:
            for form in page.forms:
                if self._makes(form, do):
                    known = {column: do.args[arg] for arg, column in form.given.items()}
                    known |= {key: do.args[key] for key in page.args if key in do.args}
                    rows = self.find(page, known) if page.record else [{**do.args, "me": self.me}]
                    for row in rows:
                        if all(key in row for key in page.args):
                            place = Place.of(page.name, {key: row[key] for key in page.args})
                            found[place] = Spot(form)
            for form in page.listing.forms if page.listing else ():
                if self._makes(form, do):
                    assert page.listing
                    known = {column: do.args[arg] for arg, column in form.given.items()}
                    main = page.listing.links[0]
                    for row in self.find(self.site.page[main.to], known):
                        for place in self._positions(page, row):
                            found[place] = Spot(form, self.skin.say(main.label, row))
        return found

    def _makes(self, form: Form, do: Do) -> bool:
        same = all(do.args.get(key) == value for key, value in form.fixed.items())
        return form.operation.name == do.operation and same

    def follows(self, place: Place, form: Form, do: Do, made: Row | None) -> Place:
        """The page after a form was sent."""
        if not form.follows:
            return place
        return self.to(Link(form.follows), {**do.args, **(made or {}), "me": self.me})
