"""The base worlds of the encyclopedia: articles about a country, with tables of facts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from sites._land.facts import NOW, Facts, Person, Team, facts
from sites._land.land import COUNTRIES
from sites._land.places import Place
from sites._land.words import FIRST_NAMES

READERS = 12
Values = dict[str, Any]
Fact = tuple[str, str, str]
"""The name of a fact, its value, and the title of the article that it leads to; "" for none."""


@dataclass(frozen=True)
class Article:
    """An article: its title, its topic, its text and its facts."""

    title: str
    topic: str
    lead: str
    facts: Sequence[Fact]

    @property
    def slug(self) -> str:
        """The title as addresses write it."""
        return slug(self.title)


def slug(title: str) -> str:
    """Return a title as addresses write it."""
    return title.replace(" ", "_")


def draw(rng: Random, size: str) -> dict[str, list[Values]]:
    """Return the rows of a base world, by table."""
    known = facts(size, rng.randrange(COUNTRIES))
    written = {each.slug: each for each in articles(known)}
    return {
        "readers": [{"name": name} for name in rng.sample(FIRST_NAMES, READERS)],
        "articles": [
            {"slug": each.slug, "title": each.title, "topic": each.topic, "lead": each.lead}
            for each in written.values()
        ],
        "facts": [
            {
                "slug": each.slug,
                "position": position,
                "name": name,
                "value": value,
                "target": slug(target) if slug(target) in written else "",
            }
            for each in written.values()
            for position, (name, value, target) in enumerate(each.facts, 1)
        ],
        "watches": [],
    }


def articles(known: Facts) -> Iterator[Article]:
    """Yield the articles about a country."""
    writer = _Writer(known)
    yield from writer.cities()
    yield from writer.provinces()
    yield from writer.parks()
    yield from map(writer.team, known.teams)
    yield from map(writer.person, known.people)
    yield from writer.works()
    yield from writer.buildings()
    yield from writer.short()


class _Writer:
    """Writes the articles about a country."""

    def __init__(self, known: Facts) -> None:
        self.known, self.country = known, known.country
        self.city = known.country.city

    def _place(self, number: int) -> Place:
        return self.country.of[number]

    def cities(self) -> Iterator[Article]:
        for each in self.known.cities:
            place = self._place(each.place)
            people = place.tags["population"]
            yield Article(
                place.name,
                "Cities",
                f"{place.name} is a city in the province of {place.province}. It was founded in"
                f" {each.founded} and has {people} inhabitants. It is known for {each.known_for}.",
                [
                    ("Province", place.province, place.province),
                    ("Founded", str(each.founded), ""),
                    ("Population", people, ""),
                    ("Mayor", each.mayor, ""),
                ],
            )

    def provinces(self) -> Iterator[Article]:
        cities = [self._place(each.place) for each in self.known.cities]
        for land in self.country.region.provinces:
            inside = [each.name for each in cities if each.province == land.name]
            near = ", ".join(land.borders)
            yield Article(
                land.name,
                "Provinces",
                f"{land.name} is a province. It borders {near}.",
                [
                    *((("City", name, name)) for name in inside),
                    *(("Borders", name, name) for name in land.borders),
                ],
            )

    def parks(self) -> Iterator[Article]:
        for each in self.known.parks:
            place = self._place(each.place)
            founded = place.tags["founded"]
            yield Article(
                place.name,
                "National parks",
                f"{place.name} lies in {place.province}. It was founded in {founded} and covers"
                f" {each.area} square kilometres.",
                [
                    ("Province", place.province, place.province),
                    ("Founded", founded, ""),
                    ("Area", f"{each.area} square kilometres", ""),
                    ("Highest peak", f"{each.peak} metres", ""),
                ],
            )

    def team(self, team: Team) -> Article:
        """Return the article about a team, with its grounds, the newest first."""
        now = self._place(team.grounds[-1].place)
        grounds = [
            (_years(each.since, each.until), self._place(each.place).name)
            for each in reversed(team.grounds)
        ]
        return Article(
            team.name,
            "Teams",
            f"{team.name} is a {team.sport} team from {self.city}, founded in {team.founded}. It"
            f" plays in {team.colours}. It has moved twice; its home is now {now.name}.",
            [
                ("City", self.city, self.city),
                ("Sport", team.sport, ""),
                ("Colours", team.colours, ""),
                *((f"Home ground {years}", name, name) for years, name in grounds),
            ],
        )

    def person(self, person: Person) -> Article:
        home = self._place(person.home).name
        made = [each for each in self.known.works if each.author == person.name]
        built = [each for each in self.known.buildings if each.architect == person.name]
        life = f"{person.born} to {person.died}" if person.died < NOW else f"born {person.born}"
        return Article(
            person.name,
            "People",
            f"{person.name} ({life}) {'was' if person.died < NOW else 'is'} a {person.trade} from"
            f" {home}.",
            [
                ("Born", f"{person.born} in {home}", home),
                ("Profession", person.trade, ""),
                *(("Work", f"{each.title} ({each.year})", each.title) for each in made),
                *(
                    ("Building", f"{self._place(each.place).name} ({each.opened})",
                     self._place(each.place).name)
                    for each in built
                ),
            ],
        )  # fmt: skip

    def works(self) -> Iterator[Article]:
        for each in self.known.works:
            prize = f" It won the {each.prize} of {each.year}." if each.prize else ""
            known = [("Prize", f"{each.prize} {each.year}", "")] if each.prize else []
            yield Article(
                each.title,
                "Works",
                f"{each.title} is a {each.form} by {each.author} from {each.year}.{prize}",
                [
                    ("Author", each.author, each.author),
                    ("Form", each.form, ""),
                    ("Year", str(each.year), ""),
                    *known,
                ],
            )

    def buildings(self) -> Iterator[Article]:
        for each in self.known.buildings:
            place = self._place(each.place)
            yield Article(
                place.name,
                "Buildings",
                f"{place.name} is a {place.kind} in {self.city}. {each.architect} designed"
                f" it. It opened in {each.opened}.",
                [
                    ("City", self.city, self.city),
                    ("Kind", place.kind, ""),
                    ("Architect", each.architect, each.architect),
                    ("Opened", str(each.opened), ""),
                ],
            )

    def short(self) -> Iterator[Article]:
        for letters, place in self.known.short.items():
            yield Article(
                letters,
                "Abbreviations",
                f"{letters} stands for {place.name}.",
                [("Stands for", place.name, place.name)],
            )


def _years(since: int, until: int) -> str:
    return f"since {since}" if until >= NOW else f"{since} to {until}"
