"""The travellers of a task: their ages and fare kinds, and how a request lists them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from random import Random

from scenarios.crm.airline_desk import value_formats
from scenarios.crm.airline_desk.sampling import card, title
from sites.crm import CrmData
from sites.crm.airline_desk.model.records import KINDS, Passenger, Person
from sites.crm.base.clock import TODAY

__all__ = ["card"]

ADULT, TEEN, CHILD, INFANT = "adult", "teen", "child", "infant"
COMPOSITIONS: Sequence[tuple[str, ...]] = (
    (ADULT, ADULT, CHILD, INFANT),
    (ADULT, ADULT, CHILD),
    (ADULT, ADULT, CHILD, CHILD),
    (ADULT, ADULT, TEEN, INFANT),
    (ADULT, ADULT, TEEN, CHILD),
    (ADULT, CHILD, CHILD),
    (ADULT, ADULT, ADULT, INFANT),
)
YEARS: Mapping[str, tuple[int, int]] = {
    ADULT: (24, 70),
    TEEN: (12, 16),
    CHILD: (3, 10),
    INFANT: (0, 0),
}
"""The range of ages of each role (adult, teenager, child, infant), in whole years on the day of the
request.
"""
BIRTHDAY_BEFORE = 0.35
"""The share of parties in which a birthday before travel changes the fare kind of a child or
infant.
"""


@dataclass(frozen=True)
class Party:
    """A travelling party in the order of the forms; `roles` gives each passenger's role by number,
    "" for adults.
    """

    passengers: tuple[Passenger, ...]
    roles: Mapping[int, str]

    @property
    def seated(self) -> tuple[Passenger, ...]:
        return tuple(each for each in self.passengers if each.seated)

    @property
    def adults(self) -> tuple[Passenger, ...]:
        return tuple(each for each in self.passengers if each.kind == "adult")

    def counts(self) -> dict[str, int]:
        """Return the number of travellers of each kind, by field name of the search form."""
        kinds = [each.kind for each in self.passengers]
        fields = ("adults", "children", "infants")
        return {field: kinds.count(kind) for field, kind in zip(fields, KINDS, strict=True)}

    def values(self) -> dict[str, str]:
        """Return the values of the form with the travellers' data, by field."""
        found: dict[str, str] = {}
        for each in self.passengers:
            who = each.person
            found |= {
                f"title.{each.number}": who.title,
                f"first-name.{each.number}": who.first_name,
                f"last-name.{each.number}": who.last_name,
                f"gender.{each.number}": who.gender,
                f"born.{each.number}": who.born,
            }
            if each.adult:
                found[f"lap.{each.number}"] = str(each.adult)
        return found


def draw(
    rng: Random,
    data: CrmData,
    composition: Sequence[str],
    days: Sequence[str],
    *,
    turning: bool = True,
) -> Party:
    """Draw the people of a party, who share one or two surnames.

    Args:
        composition: The role of each person.
        days: The ISO dates of the first and the last travel day.
        turning: Whether a child may have a birthday before travel that changes the fare kind.
    """
    surnames = rng.sample(data.people["last"], 2)
    firsts: set[str] = set()
    drawn: list[tuple[str, Person]] = []
    for role in composition:
        own = surnames[role == ADULT and len(drawn) > 0 and rng.random() < 0.4]
        who = _person(rng, data, role, own, firsts)
        firsts.add(who.first_name)
        drawn.append((role, who))
    if turning and rng.random() < BIRTHDAY_BEFORE:
        drawn = _with_birthday(rng, drawn, days)
    return _party(rng, drawn, days)


def kind(born: str, days: Sequence[str]) -> str:
    """Return "adult", "child" or "infant", as airlines count.

    Args:
        born: A person's ISO date of birth.
        days: The ISO dates of travel, first to last.
    """
    if age(born, days[-1]) < 2:
        return "infant"
    return "child" if age(born, days[0]) < 12 else "adult"


def age(born: str, day: str) -> int:
    """Return a person's age in whole years on an ISO date."""
    birth, then = date.fromisoformat(born), date.fromisoformat(day)
    return then.year - birth.year - ((then.month, then.day) < (birth.month, birth.day))


def _person(rng: Random, data: CrmData, role: str, surname: str, taken: set[str]) -> Person:
    gender = rng.choice(("Female", "Male"))
    first = rng.choice([each for each in data.people[gender.lower()] if each not in taken])
    least, most = YEARS[role]
    days = rng.randint(60, 330) if role == INFANT else rng.randint(365 * least + 40, 365 * most)
    born = TODAY - timedelta(days + (least // 4))
    grown = role == ADULT
    called = title(rng, gender) if grown else {"Female": "Ms", "Male": "Mr"}[gender]
    return Person(called, first, surname, gender, born.isoformat())


def _with_birthday(
    rng: Random, drawn: list[tuple[str, Person]], days: Sequence[str]
) -> list[tuple[str, Person]]:
    """Return the people with one birthday moved, so that a child turns twelve, or an infant two,
    between today and travel.
    """
    for years, role, last in ((12, CHILD, days[0]), (2, INFANT, days[-1])):
        ahead = (date.fromisoformat(last) - TODAY).days
        for at, (own, who) in enumerate(drawn):
            if own == role and ahead > 8:
                turned = TODAY + timedelta(rng.randint(3, min(ahead - 1, 300)))
                born = _years_before(turned, years).isoformat()
                drawn[at] = own, replace(who, born=born)
                return drawn
    return drawn


def _years_before(day: date, years: int) -> date:
    return (day if (day.month, day.day) != (2, 29) else day - timedelta(1)).replace(
        year=day.year - years
    )


def _party(rng: Random, drawn: Sequence[tuple[str, Person]], days: Sequence[str]) -> Party:
    """Return the people as a party numbered by fare kind, with each infant on the lap of a random
    adult.
    """
    listed = sorted(
        ((kind(who.born, days), role, who) for role, who in drawn),
        key=lambda each: KINDS.index(each[0]),
    )
    grown = [number for number, (_, role, _) in enumerate(listed, 1) if role == ADULT]
    people = tuple(
        Passenger(number, sort, who, rng.choice(grown) if sort == "infant" else None)
        for number, (sort, _, who) in enumerate(listed, 1)
    )
    roles = {n: "" if role == ADULT else role for n, (_, role, _) in enumerate(listed, 1)}
    return Party(people, roles)


# Wording in a request -----------------------------------------------------------------------------

_STYLES = (
    "{title} {name}, {gender}, birthday {born}",
    "{title} {name} ({gender}, {born})",
    "{title} {name} (sex {gender}, birthday {born})",
)
_WORDS = {"Female": ("female", "woman", "girl"), "Male": ("male", "man", "boy")}


def listed(rng: Random, party: Party) -> str:
    """Return the passengers' details as a request lists them, in random order, separated by
    semicolons.
    """
    style, dates = rng.choice(_STYLES), rng.randrange(1, 4)
    order = list(party.passengers)
    rng.shuffle(order)
    return "; ".join(_described(style, each, party, dates) for each in order)


def _described(style: str, one: Passenger, party: Party, dates: int) -> str:
    who = one.person
    neutral, grown, young = _WORDS[who.gender]
    gender = neutral if "sex" in style else (young if party.roles[one.number] else grown)
    born = value_formats.of_date(who.born)[dates]
    return style.format(title=who.title, name=who.name, gender=gender, born=born)


def enumerated(parts: Sequence[str]) -> str:
    """Join the parts like "one, two and three"."""
    *most, last = parts
    return f"{', '.join(most)} and {last}" if most else last
