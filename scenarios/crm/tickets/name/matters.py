"""Wrong names in a booking, by the kind of error."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from scenarios.crm.policy import letters_wrong
from sites.crm import CrmData
from sites.crm.airline_desk.model.records import Passenger

LETTERS, EXCHANGED = "letters", "exchanged"
MARRIED, FIRST_TOO, PERSON = "new surname", "first name too", "another person"
SORTS = (LETTERS, LETTERS, LETTERS, EXCHANGED, MARRIED, MARRIED, MARRIED, FIRST_TOO, PERSON)
"""The kinds of errors in an adult's name, repeated by their frequency."""
NEVER = (FIRST_TOO, PERSON)
YOUNG = (LETTERS, LETTERS, EXCHANGED, PERSON)
OWN, OTHER, OLD = "own", "of another passenger", "with another surname"
PAPERS = (OWN, OWN, OTHER, OLD, "")
"""The kinds of document attached for a new surname, repeated by their frequency; "" means none."""
FAR = 6
"""The least number of letters in which a drawn new surname, or another person's first name, differs
from the old one.
"""
SHORT = 3
"""The length of a name up to which an error does not drop a letter."""
ACCENTS = dict(zip("aeiou", "áéíóú", strict=True))
Name = tuple[str, str]


@dataclass(frozen=True)
class Matter:
    """A change of a passenger's name from `before` in the booking to `after`, which the mail asks
    for.

    Attributes:
        sort: The kind of error.
        paper: The kind of attached document; "" if none.
    """

    number: int
    sort: str
    before: Name
    after: Name
    paper: str = ""


def draw(
    rng: Random, data: CrmData, passengers: Sequence[Passenger], *, granted: bool
) -> list[Matter]:
    """Draw name changes for two or three passengers except the first; with `granted`, only changes
    that can be granted.
    """
    others = sorted(each.number for each in passengers[1:])
    numbers = sorted(rng.sample(others, min(len(others), rng.choice((2, 3, 3)))))
    taken = {each.person.first_name for each in passengers}
    by_number = {each.number: each for each in passengers}
    found: list[Matter] = []
    while len(found) < len(numbers):
        one = _matter(rng, data, by_number[numbers[len(found)]], taken)
        if not granted or (one.sort not in NEVER and one.paper in ("", OWN)):
            found.append(one)
    return found


def _matter(rng: Random, data: CrmData, one: Passenger, taken: set[str]) -> Matter:
    who = one.person
    name = who.first_name, who.last_name
    sort = rng.choice(SORTS if one.kind == "adult" else YOUNG)
    if sort == EXCHANGED:
        return Matter(one.number, sort, name[::-1], name)
    if sort == PERSON:
        firsts = [each for each in data.people[who.gender.lower()] if each not in taken]
        return Matter(one.number, sort, name, (_far(rng, firsts, name[0]), name[1]))
    if sort == LETTERS:
        right = _accented(rng, name) if rng.random() < 0.35 else name
        return Matter(
            one.number, sort, misspelt(rng, name, rng.choice((1, 2, 2, 3, 3, 4, 5))), right
        )
    new = name[0], _far(rng, data.people["last"], name[1])
    if sort == FIRST_TOO:
        return Matter(one.number, sort, misspelt(rng, name, 1, parts=(0,)), new, OWN)
    return Matter(one.number, sort, name, new, rng.choice(PAPERS))


def _far(rng: Random, names: Sequence[str], name: str) -> str:
    while letters_wrong(("", name), ("", found := rng.choice(names))) < FAR:
        continue
    return found


def _accented(rng: Random, name: Name) -> Name:
    """Return the name with an accent on one of its small vowels."""
    places = [
        (part, at)
        for part, text in enumerate(name)
        for at, each in enumerate(text)
        if each in ACCENTS
    ]
    if not places:
        return name
    part, at = rng.choice(places)
    return _replaced(name, part, at, ACCENTS[name[part][at]])


# Letters -----------------------------------------------------------------------------------------


def misspelt(rng: Random, name: Name, count: int, parts: Sequence[int] = (0, 1)) -> Name:
    """Return the name with this number of wrong letters; first letters stay."""
    while True:
        wrong = name
        for _ in range(count):
            wrong = _once(rng, wrong, rng.choice(parts))
        if letters_wrong(wrong, name) == count and wrong != name[::-1]:
            return wrong


def _once(rng: Random, name: Name, part: int) -> Name:
    """Return the name with one letter replaced, dropped or doubled."""
    at = rng.randrange(1, len(name[part]))
    letter = name[part][at]
    gone = [""] if len(name[part]) > SHORT else []
    return _replaced(name, part, at, rng.choice([*_alike(letter), letter * 2, *gone]))


def _alike(letter: str) -> Iterator[str]:
    """Yield the letters that are often confused with a letter."""
    for group in ("aeiouy", "bdpt", "mnr", "ckgq", "lijf", "szxc", "vwu"):
        if letter in group:
            yield from (each for each in group if each != letter)


def _replaced(name: Name, part: int, at: int, letters: str) -> Name:
    text = name[part]
    made = f"{text[:at]}{letters}{text[at + 1 :]}"
    return (made, name[1]) if part == 0 else (name[0], made)
