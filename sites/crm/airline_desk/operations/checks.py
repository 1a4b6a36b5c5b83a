"""Checks of a form's values, which report all problems together."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

from sites.crm.airline_desk.model.journal import Values
from sites.crm.airline_desk.model.records import Passenger, Person, Search
from sites.crm.base import fields
from sites.crm.base.airports import Airports
from sites.crm.base.clock import LAST_DAY, TODAY, spoken
from sites.crm.base.forms import Invalid, read

MOST_TRAVELLERS = 6
"""Maximum number of travellers in a booking, not counting infants."""
MOST_WITH_INFANTS = 7
INFANT_YEARS, CHILD_YEARS = 2, 12
"""Age limits in years: an infant is younger than INFANT_YEARS on every day of travel, a child
younger than CHILD_YEARS on the day of departure.
"""


def count(most: int, least: int = 0) -> Callable[[str], int]:
    """Return a function that reads a number within limits from a text.

    An empty text is 0. The function raises `ValueError` for other texts.
    """

    def reader(text: str) -> int:
        typed = text.strip() or "0"
        if not typed.isdecimal() or not least <= int(typed) <= most:
            raise ValueError(f"Give a number from {least} to {most}.")
        return int(typed)

    return reader


def amount(text: str) -> int:
    """Return the whole dollars in a text; an empty text is 0. Raises `ValueError`."""
    typed = text.strip() or "0"
    if not typed.isdecimal() or len(typed) > 6:
        raise ValueError("Give an amount in whole dollars.")
    return int(typed)


# A search ----------------------------------------------------------------------------------------


def search(airports: Airports, values: Values) -> Search:
    """Return the flight search that a form describes. Raises `Invalid`."""
    one_way = values.get("trip-type", "").strip().lower() == "one-way"

    def code(text: str) -> str:
        return fields.airport(airports, text)

    back: Callable[[str], str] = (lambda _: "") if one_way else day_of_travel
    readers: dict[str, Callable[[str], str | int]] = {
        "from": code,
        "to": code,
        "departure": day_of_travel,
        "return": back,
        **{kind: count(MOST_TRAVELLERS) for kind in ("adults", "children", "infants")},
    }
    origin, destination, departure, returning, *numbers = read(values, readers).values()
    made = Search(str(origin), str(destination), str(departure), str(returning), *map(int, numbers))
    _check_search(made)
    return made


def _check_search(made: Search) -> None:
    """Raise `Invalid` if the parts of a search do not fit together."""
    problems = {}
    if made.origin == made.destination:
        problems["to"] = "The flight would end where it begins. Choose another airport."
    if made.returning and made.returning < made.departure:
        problems["return"] = "The way back is before the way out."
    if not made.adults:
        problems["adults"] = "One adult at least must travel."
    elif made.infants > made.adults:
        problems["infants"] = "Each infant sits on the lap of an adult of its own."
    elif len(made.kinds) > MOST_WITH_INFANTS:
        problems["infants"] = (
            f"At most {MOST_WITH_INFANTS} travellers, infants too, in one booking."
        )
    if made.seats > MOST_TRAVELLERS:
        problems["children"] = f"At most {MOST_TRAVELLERS} travellers with a seat in one booking."
    if problems:
        raise Invalid(problems)


def iso_day(text: str) -> str:
    """Return an ISO date unchanged. Raises ValueError for any other text."""
    return date.fromisoformat(text).isoformat()


def day_of_travel(text: str) -> str:
    """Return the typed date as an ISO date if flights are sold on it (from today on). Raises
    `ValueError`.
    """
    found = fields.day(text)
    if not TODAY.isoformat() <= found <= LAST_DAY.isoformat():
        raise ValueError(f"We sell flights from {spoken(TODAY)} to {spoken(LAST_DAY)}.")
    return found


# A party -----------------------------------------------------------------------------------------


def party(trip: Search, values: Values) -> tuple[Passenger, ...]:
    """Return the travellers that a form describes.

    Args:
        trip: The search, which says the kind of each traveller.
        values: Fields `<field>.<number>`.

    Raises:
        Invalid: Data of a traveller is wrong.
    """
    found: list[Passenger] = []
    problems: dict[str, str] = {}
    for number, kind in enumerate(trip.kinds, start=1):
        try:
            who = person(values, f".{number}")
            problem = wrong_age(kind, who.born, trip)
            if problem:
                raise Invalid({f"born.{number}": problem})
            found.append(Passenger(number, kind, who, _lap(kind, number, trip, values)))
        except Invalid as problem_of_one:
            problems |= problem_of_one.errors
    problems = problems or _laps_taken(found) or _same_twice(found)
    if problems:
        raise Invalid(problems)
    return tuple(found)


def person(values: Values, ending: str = "") -> Person:
    """Return the person that a form describes. Raises `Invalid`.

    Args:
        values: The texts of the form.
        ending: The text that follows the name of each field, such as ".2".
    """
    readers: dict[str, Callable[[str], str]] = {
        f"title{ending}": lambda text: fields.choice(text, fields.TITLES),
        f"first-name{ending}": lambda text: fields.name(text, "first name"),
        f"last-name{ending}": lambda text: fields.name(text, "last name"),
        f"gender{ending}": lambda text: fields.choice(text, fields.GENDERS),
        f"born{ending}": fields.birthday,
    }
    return Person(*read(values, readers).values())


def age(born: str, day: str) -> int:
    """Return a person's age in years on a day, given two ISO dates."""
    birth, then = date.fromisoformat(born), date.fromisoformat(day)
    return then.year - birth.year - ((then.month, then.day) < (birth.month, birth.day))


def wrong_age(kind: str, born: str, trip: Search) -> str:
    """Return an error message if a traveller's age does not fit the kind (adult, child, infant),
    else "".
    """
    last = trip.returning or trip.departure
    if kind == "infant" and age(born, last) >= INFANT_YEARS:
        return f"An infant is under {INFANT_YEARS} on every day of travel. Search again."
    if kind == "child" and not INFANT_YEARS <= age(born, trip.departure) < CHILD_YEARS:
        return f"A child is {INFANT_YEARS} to {CHILD_YEARS - 1} on the day of departure."
    if kind == "adult" and age(born, trip.departure) < CHILD_YEARS:
        return f"Who is under {CHILD_YEARS} on the day of departure is no adult. Search again."
    return ""


def _lap(kind: str, number: int, trip: Search, values: Values) -> int | None:
    """Return the number of the adult on whose lap an infant sits; None for other travellers."""
    if kind != "infant":
        return None
    typed = values.get(f"lap.{number}", "").strip()
    if not typed.isdecimal() or not 1 <= int(typed) <= trip.adults:
        raise Invalid({f"lap.{number}": "Choose the adult on whose lap the infant sits."})
    return int(typed)


def _laps_taken(party: list[Passenger]) -> dict[str, str]:
    """Return error messages, by field, for adults who would have two infants on their lap."""
    taken: set[int] = set()
    problems = {}
    for each in party:
        if each.adult is not None and each.adult in taken:
            problems[f"lap.{each.number}"] = "This adult has an infant already. Choose another."
        elif each.adult is not None:
            taken.add(each.adult)
    return problems


def _same_twice(party: list[Passenger]) -> dict[str, str]:
    """Return error messages, by field, for travellers who are entered twice."""
    seen: set[tuple[str, str]] = set()
    problems = {}
    for each in party:
        who = each.person.name.casefold(), each.person.born
        if who in seen:
            problems[f"first-name.{each.number}"] = "This traveller is in the party already."
        seen.add(who)
    return problems
