"""The places of a city: shops, schools, parks and all else that has a page on the map."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from random import Random

from sites._land import words
from sites._land.kinds import BRANCHES, KINDS, PARK, Kind
from sites._land.streets import Streets, apart
from sites._land.words import Names

CUISINES = (
    "noodles", "soups", "grilled fish", "dumplings", "pancakes", "salads", "stews", "pies",
    "curries", "flatbreads", "tapas", "vegetarian",
)  # fmt: skip
TOPICS = (
    "Bridges", "Clocks", "Costume", "Fishing", "Glass", "Lace", "Lighthouses", "Maps", "Music",
    "Paper", "Porcelain", "Printing", "Railways", "Salt", "Toys", "Weather", "Weaving",
)  # fmt: skip
PAPERS = "Courier", "Gazette", "Herald", "Observer", "Chronicle"
OPERATORS = "Northern Trust", "Civic Services", "Harbor Holdings", "The Linden Society"
DAYS = "Mo-Fr", "Mo-Sa", "Mo-Su", "Tu-Su"
CLOSED = "closed "
"""Before the kind of a place that no longer exists."""


@dataclass(frozen=True)
class District:
    """A part of a city.

    Attributes:
        name: Its name.
        postcode: Its postcode.
        at: Its middle, in decimetres.
    """

    name: str
    postcode: str
    at: tuple[int, int]


@dataclass(frozen=True)
class Place:
    """A place with a page on the map.

    Attributes:
        id: Its number.
        form: `node`, `way` or `relation`.
        name: Its name.
        kind: Its kind.
        junction: The junction that it stands at.
        at: Where it stands, in decimetres.
        number: The house number, "" for none.
        street: The street, "" for none.
        district: The district.
        postcode: The postcode.
        city: The city.
        province: The province.
        tags: Facts that its page tells, by name.
        importance: How well known it is, from 1 to 9.
        chain: The name that all branches of its chain have; "" for none.
    """

    id: int
    form: str
    name: str
    kind: str
    junction: int
    at: tuple[int, int]
    number: str
    street: str
    district: str
    postcode: str
    city: str
    province: str
    tags: Mapping[str, str]
    importance: int
    chain: str = ""

    @property
    def address(self) -> str:
        """The parts of the address after the name, from the house number to the province."""
        corner = f"{self.number} {self.street}".strip()
        parts = corner, self.district, self.city, self.postcode, self.province
        return ", ".join(each for each in parts if each)


@dataclass(frozen=True)
class Drawn:
    """A place that has no address yet."""

    kind: Kind
    pattern: str
    chain: str = ""


def districts(rng: Random, streets: Streets, many: int) -> tuple[District, ...]:
    """Return the districts of a city."""
    found: list[District] = []
    names, every = rng.sample(words.DISTRICTS, many), sorted(streets.junctions.values())
    far = max(x for x, _ in every) / (many**0.5 + 1)
    codes = rng.sample(range(10_100, 99_900), many)
    while len(found) < many:
        at = rng.choice(every)
        if all(apart(at, each.at) > far * 0.7 for each in found):
            found.append(District(names[len(found)], str(codes[len(found)]), at))
        far *= 0.995
    return tuple(found)


def draw(
    rng: Random,
    home: tuple[str, str],
    streets: Streets,
    parts: tuple[District, ...],
    share: float,
) -> tuple[Place, ...]:
    """Return the places of a city.

    Args:
        rng: The source of the draws.
        home: The names of the city and its province.
        streets: The streets of the city.
        parts: Its districts.
        share: The number of places as a share of those of a medium city.
    """
    return tuple(_Founding(rng, home, streets, parts, share).places())


@dataclass
class _Founding:
    """Places that are being drawn."""

    rng: Random
    home: tuple[str, str]
    streets: Streets
    parts: tuple[District, ...]
    share: float
    used: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.city, self.province = self.home
        self.names = Names(self.rng)
        self.free = self._corners()
        self.ids = iter(self.rng.sample(range(10_000_000, 99_999_999), 2_000))
        self.numbers: Counter[str] = Counter()

    def places(self) -> Iterator[Place]:
        """Yield the places."""
        for drawn in (*self._single(), *self._branches()):
            yield self._at_corner(drawn, self.free.pop())
        yield from self._parks()
        yield self._viewpoint()
        yield from self._closed()

    def _corners(self) -> list[int]:
        """Return the junctions at which a place may stand, in a drawn order."""
        quiet = [
            junction
            for junction, roads in self.streets.at.items()
            if {road.kind for road in roads} & {"residential", "secondary", "primary"}
            and "motorway" not in {road.kind for road in roads}
        ]
        self.rng.shuffle(quiet)
        return quiet

    # Names

    def _single(self) -> Iterator[Drawn]:
        for kind in KINDS.values():
            for _ in range(max(1, round(kind.many * self.share))):
                yield Drawn(kind, self.rng.choice(kind.patterns))
        yield Drawn(KINDS["hotel"], "Airport Hotel")

    def _branches(self) -> Iterator[Drawn]:
        """Yield the branches of the chains, which all have the name of their chain."""
        brands = iter(self.rng.sample(words.BRANDS, sum(BRANCHES.values())))
        for name, many in BRANCHES.items():
            for brand in [next(brands) for _ in range(many)]:
                for _ in range(self.rng.randrange(4, 8)):
                    yield Drawn(KINDS[name], brand, brand)

    def _name(self, drawn: Drawn, district: str, street: str) -> str:
        """Return a name; each name but that of a chain is given once."""
        if drawn.chain:
            return drawn.chain
        patterns = [drawn.pattern, *drawn.kind.patterns, *(f"{drawn.pattern} on {{street}}",) * 9]
        for at in range(60):
            name = patterns[min(at // 6, len(patterns) - 1)].format(
                thing=self.rng.choice(words.THINGS),
                surname=self.names.surname(),
                topic=self.rng.choice(TOPICS),
                paper=self.rng.choice(PAPERS),
                city=self.city,
                district=district,
                street=street.rsplit(" ", 1)[0],
            )
            if name not in self.used:
                break
        self.used.add(name)
        return name

    # Where they stand

    def _at_corner(self, drawn: Drawn, junction: int) -> Place:
        road = self.rng.choice(
            [each for each in self.streets.at[junction] if each.kind in
             ("residential", "secondary", "primary")]
        )  # fmt: skip
        at = self._beside(junction)
        part = self.district(at)
        return self._place(drawn, junction, at, part, road.street)

    def _place(
        self, drawn: Drawn, junction: int, at: tuple[int, int], part: District, street: str
    ) -> Place:
        name = self._name(drawn, part.name, street or self.city)
        return Place(
            next(self.ids),
            drawn.kind.form,
            name,
            drawn.kind.name,
            junction,
            at,
            self._number(street) if street else "",
            street,
            part.name,
            part.postcode,
            self.city,
            self.province,
            {fact: self._fact(fact, name) for fact in drawn.kind.facts},
            drawn.kind.importance,
            drawn.chain,
        )

    def _beside(self, junction: int) -> tuple[int, int]:
        x, y = self.streets.junctions[junction]
        east, north = (self.rng.choice((-1, 1)) * self.rng.randrange(100, 260) for _ in range(2))
        return x + east, y + north

    def district(self, at: tuple[int, int]) -> District:
        """Return the district of a place: that with the nearest middle."""
        return min(self.parts, key=lambda each: apart(at, each.at))

    def _number(self, street: str) -> str:
        """Return a house number; each number of a street is given once."""
        self.numbers[street] += self.rng.randrange(1, 14)
        return str(self.numbers[street])

    # Facts

    def _fact(self, fact: str, name: str) -> str:
        made: Mapping[str, Callable[[], str]] = {
            "hours": self._hours,
            "phone": self._phone,
            "website": lambda: f"www.{''.join(filter(str.isalnum, name.lower()))}.example",
            "operator": lambda: self.rng.choice(OPERATORS),
            "cuisine": lambda: self.rng.choice(CUISINES),
            "stars": lambda: str(self.rng.randrange(2, 6)),
        }
        return made[fact]()

    def _hours(self) -> str:
        opens = self.rng.choice((7, 8, 8, 9, 9, 10, 11))
        return f"{self.rng.choice(DAYS)} {opens:02}:00-{opens + self.rng.randrange(8, 12):02}:00"

    def _phone(self) -> str:
        return f"0{self.rng.randrange(200, 900)} {self.rng.randrange(10_000, 99_999)}"

    # Places that are no houses

    def _parks(self) -> Iterator[Place]:
        for green in self.streets.green:
            gate = self._gate(green)
            middle = green[len(green) // 2]
            at = self.streets.junctions[middle]
            yield self._place(Drawn(PARK, PARK.patterns[0]), gate, at, self.district(at), "")

    def _gate(self, green: tuple[int, ...]) -> int:
        """Return a junction with a road at the edge of a park."""
        near = [
            end
            for junction in green
            for road in self.streets.at[junction]
            for end in (road.a, road.b)
            if end not in green
        ]
        return min(near)

    def _viewpoint(self) -> Place:
        """Return the viewpoint on the islet, to which only a foot bridge leads."""
        junction = self.streets.islet[-1]
        at = self.streets.junctions[junction]
        drawn = Drawn(KINDS["viewpoint"], "Islet Viewpoint")
        return self._place(drawn, junction, at, self.district(at), "")

    def _closed(self) -> Iterator[Place]:
        """Yield places that no longer exist; a search lists them as closed."""
        for name in ("cafe", "restaurant", "bookshop"):
            kind = KINDS[name]
            place = self._at_corner(Drawn(kind, kind.patterns[0]), self.free.pop())
            yield Place(**{**vars(place), "kind": CLOSED + name, "tags": {}, "importance": 1})
