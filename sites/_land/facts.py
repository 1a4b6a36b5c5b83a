"""Facts about a country that its map does not tell: teams, people, works, prizes and buildings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from random import Random

from sites._land.land import Land, land
from sites._land.places import Place
from sites._land.words import BRANDS, STREET_WORDS, THINGS, Names

TEAMS, PEOPLE, WORKS = 8, 48, 60
COLOURS = "red", "blue", "green", "gold", "purple", "orange", "black", "grey"
SPORTS = "football", "handball", "hockey", "rugby"
TEAM_NAMES = "Rovers", "Wanderers", "Athletic", "United", "Harriers", "Union", "Rangers", "Stars"
TRADES = "architect", "novelist", "composer", "painter", "physicist", "botanist", "poet", "engineer"
FORMS = {"novelist": "novel", "composer": "opera", "painter": "painting", "poet": "book of poems"}
"""The works that people of a trade make."""
PRIZES = "Silver Quill", "Amber Medal", "Laurel of Letters", "Grand Lyre"
BUILT = (
    "museum", "concert hall", "stadium", "railway station", "town hall", "library", "hospital",
    "sports centre",
)  # fmt: skip
"""The kinds of places whose architect and year are known."""
NOW = 2026
DECADES = range(1940, NOW, 10)


@dataclass(frozen=True)
class Ground:
    """The time in which a team played on a ground.

    Attributes:
        place: The number of the ground's place.
        since: The first year.
        until: The last year; `NOW` for the present ground.
    """

    place: int
    since: int
    until: int


@dataclass(frozen=True)
class Team:
    """A team of the city, with its grounds, the oldest first."""

    name: str
    sport: str
    founded: int
    colours: str
    grounds: tuple[Ground, ...]


@dataclass(frozen=True)
class Person:
    """A person. `home` is the number of the city where the person was born."""

    name: str
    trade: str
    born: int
    died: int
    home: int


@dataclass(frozen=True)
class Work:
    """A work, with the name of its author and the prize that it won; "" for none."""

    title: str
    form: str
    author: str
    year: int
    prize: str


@dataclass(frozen=True)
class Building:
    """A place of the city with the name of its architect and the year in which it was opened."""

    place: int
    architect: str
    opened: int


@dataclass(frozen=True)
class City:
    """Facts about a city, by the number of its place."""

    place: int
    founded: int
    mayor: str
    known_for: str


@dataclass(frozen=True)
class Park:
    """Facts about a national park, by the number of its place."""

    place: int
    area: int
    peak: int


@dataclass(frozen=True, eq=False)
class Facts:
    """The facts of a country."""

    country: Land
    teams: tuple[Team, ...]
    people: tuple[Person, ...]
    works: tuple[Work, ...]
    buildings: tuple[Building, ...]
    cities: tuple[City, ...]
    parks: tuple[Park, ...]

    @cached_property
    def short(self) -> Mapping[str, Place]:
        """The places that have an abbreviation, which the map's search does not know."""
        kinds = "university", "town hall", "zoo", "courthouse"
        found = (each for each in self.country.places if each.kind in kinds)
        return {_initials(each.name): each for each in found}


@cache
def facts(size: str, number: int) -> Facts:
    """Return the facts of the country that is drawn from a number."""
    return _Telling(land(size, number), Random(f"facts/{size}/{number}")).facts()


class _Telling:
    """Facts that are being drawn."""

    def __init__(self, country: Land, rng: Random) -> None:
        self.country, self.rng, self.names = country, rng, Names(rng)

    def facts(self) -> Facts:
        """Return the finished facts."""
        people = tuple(self._people())
        return Facts(
            self.country,
            tuple(self._teams()),
            people,
            tuple(self._works(people)),
            tuple(self._buildings(people)),
            tuple(self._cities()),
            tuple(self._parks()),
        )

    def _of(self, *kinds: str) -> list[Place]:
        return [each for each in self.country.places if each.kind in kinds]

    # Teams

    def _teams(self) -> Iterator[Team]:
        """Yield the teams; each has moved once or twice."""
        colours = self.rng.sample(COLOURS, TEAMS)
        for at in range(TEAMS):
            founded = self.rng.randrange(1890, 1940)
            name = f"{self.country.city} {TEAM_NAMES[at % len(TEAM_NAMES)]}"
            yield Team(
                name,
                SPORTS[at % len(SPORTS)],
                founded,
                f"{colours[at]} and white",
                tuple(self._grounds(founded)),
            )

    def _grounds(self, founded: int) -> Iterator[Ground]:
        """Yield the grounds of a team; moves are in years that do not end a decade."""
        places = self.rng.sample(self._of("stadium", "sports centre"), 3)
        moves = sorted(self.rng.sample(DECADES, 2))
        years = [founded, *(each + self.rng.randrange(2, 8) for each in moves), NOW + 1]
        for place, since, after in zip(places, years, years[1:], strict=False):
            yield Ground(place.id, since, min(after - 1, NOW))

    # People and works

    def _people(self) -> Iterator[Person]:
        homes = self._of("city")
        for at in range(PEOPLE):
            born = self.rng.randrange(1790, 1960)
            died = min(NOW, born + self.rng.randrange(45, 95))
            home = self.rng.choice(homes).id
            yield Person(self.names.person(), TRADES[at % len(TRADES)], born, died, home)

    def _works(self, people: Sequence[Person]) -> Iterator[Work]:
        """Yield the works; a prize is given to one work a year."""
        makers = [each for each in people if each.trade in FORMS]
        given: set[tuple[str, int]] = set()
        for title in self.rng.sample(self._titles(), WORKS):
            author = self.rng.choice(makers)
            year = self.rng.randrange(author.born + 22, max(author.born + 23, author.died))
            prize = self.rng.choice(("", *PRIZES))
            if (prize, year) in given:
                prize = ""
            given.add((prize, year))
            yield Work(title, FORMS[author.trade], author.name, year, prize)

    def _titles(self) -> list[str]:
        of = [f"The {one} of {other}" for one in THINGS[::3] for other in STREET_WORDS[::9]]
        return [*of, *(f"{one} and {other}" for one in THINGS[1::5] for other in THINGS[2::5])]

    # Places

    def _buildings(self, people: Sequence[Person]) -> Iterator[Building]:
        """Yield the buildings; each architect has few, in years of their own."""
        builders = [each for each in people if each.trade == "architect"]
        for place in self._of(*BUILT):
            if not place.chain:
                builder = self.rng.choice(builders)
                opened = self.rng.randrange(builder.born + 25, builder.died + 1)
                yield Building(place.id, builder.name, opened)

    def _cities(self) -> Iterator[City]:
        goods = self.rng.sample(BRANDS, 12)
        for place, brand in zip(self._of("city"), goods, strict=True):
            founded = self.rng.randrange(900, 1700)
            yield City(place.id, founded, self.names.person(), f"the {brand} works")

    def _parks(self) -> Iterator[Park]:
        for place in self._of("national park"):
            yield Park(place.id, self.rng.randrange(80, 2_400), self.rng.randrange(600, 3_900))


def _initials(name: str) -> str:
    return "".join(word[0] for word in name.split()).upper()
