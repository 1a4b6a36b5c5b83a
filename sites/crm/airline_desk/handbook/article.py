"""The articles of the handbook, filled with the numbers of an edition and the words of an
airline.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from sites.crm.airline_desk.handbook.edition import (
    DOLLARS,
    LISTED,
    PARAMETERS,
    WORDING,
    Bulletin,
    Edition,
    kind,
)
from sites.crm.airline_desk.handbook.zones import zones
from sites.crm.airline_desk.model.airline import Airline
from sites.crm.base.airports import load_airports, plain

FOLDER = Path(__file__).with_name("articles")
KINDS = ("rule", "table", "procedure", "bulletin", "glossary", "archive")
"""The kinds of the handbook's articles, in the order of its contents."""
LISTS_BULLETINS = "P10"
"""The number of the handbook's procedure that refers to all bulletins."""
HITS = 8
"""Maximum number of articles that a search in the handbook shows."""
KEPT = 32
"""Number of filled-in handbooks (an edition in the words of an airline) that are cached."""
TITLE, TEXT = 3, 1
"""Points in a search of the handbook for a word that is found in an article's title (TITLE) and in
its text (TEXT).
"""

_WORD = re.compile(r"[a-z0-9]+")


@dataclass(frozen=True)
class Article:
    """An article of the handbook.

    Attributes:
        number: 1 to 25 for rules, T1 ... for tables, P1 ... for procedures, B1 ... for bulletins, G
            for the glossary, X1 ... for articles without use.
        kind: One of `KINDS`.
        title: The title.
        paragraphs: The text.
        day: The ISO date since which the text is valid.
        beaten_by: The numbers of articles that override this one.
        see: The numbers of articles that this one makes use of.
    """

    number: str
    kind: str
    title: str
    paragraphs: tuple[str, ...]
    day: str
    beaten_by: tuple[str, ...] = ()
    see: tuple[str, ...] = ()


@lru_cache(maxsize=KEPT)
def articles(edition: Edition, airline: Airline) -> tuple[Article, ...]:
    """Return all articles of an edition of the handbook, in the order of the contents."""
    slots = _slots(edition, airline)
    written = [_written(edition, number, row, slots) for number, row in texts().items()]
    bulletins = [_bulletin(edition, each, slots, airline) for each in edition.bulletins]
    return tuple(sorted((*written, *bulletins), key=lambda each: KINDS.index(each.kind)))


def article(edition: Edition, number: str, airline: Airline) -> Article | None:
    """Return the handbook's article with a number, ignoring case, or None."""
    wanted = number.strip().upper()
    return next((each for each in articles(edition, airline) if each.number == wanted), None)


def search_handbook(edition: Edition, words: str, airline: Airline) -> tuple[Article, ...]:
    """Return the handbook's articles that contain most of the searched words, best first.

    A word also matches longer words that begin with it. Letter case and accents are ignored.

    Returns:
        At most `HITS` articles.
    """
    asked = set(_words(words))
    scored = [(_score(each, asked), each) for each in articles(edition, airline)]
    scored.sort(key=lambda pair: -pair[0])
    return tuple(each for score, each in scored if score)[:HITS]


def _score(one: Article, asked: set[str]) -> int:
    """Return the points of an article for the words of a search; 0 if it contains none."""
    title, text = _words(one.title), _words(" ".join(one.paragraphs))
    return sum(
        TITLE * any(each.startswith(word) for each in title)
        + TEXT * any(each.startswith(word) for each in text)
        for word in asked
    )


def _words(text: str) -> list[str]:
    """Return the words of a text in lower case and without accents."""
    return _WORD.findall(plain(text))


# Texts of the articles ---------------------------------------------------------------------------


@lru_cache(maxsize=1)
def texts() -> Mapping[str, Mapping[str, Any]]:
    """Return the templates of the handbook's articles without bulletins, as a dict from article
    number to the entry in the file.
    """
    found: dict[str, Mapping[str, Any]] = {}
    for name, about in (("rules", "rule"), ("tables", "table"), ("procedures", "procedure")):
        found |= {number: {"kind": about, **row} for number, row in _read(name).items()}
    return found | _read("others")


@lru_cache(maxsize=1)
def bulletin_texts() -> Mapping[str, str]:
    """Return a sentence template for each parameter of the rules that a bulletin can change, by the
    parameter's name.
    """
    return {name: text for rows in _read("bulletins").values() for name, text in rows.items()}


def _read(name: str) -> dict[str, Any]:
    """Return the content of one of the handbook's TOML files, by its name."""
    return tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))


def _written(
    edition: Edition, number: str, row: Mapping[str, Any], slots: Mapping[str, str]
) -> Article:
    """Return the article made of a file's entry, with its slots filled."""
    is_rule, lists_all = row["kind"] == "rule", number == LISTS_BULLETINS
    about = [each.number for each in edition.bulletins if lists_all or each.article == number]
    return Article(
        number=number,
        kind=row["kind"],
        title=row["title"],
        paragraphs=_paragraphs(row["text"], slots),
        day=row.get("day", edition.issued),
        beaten_by=(*row.get("beaten_by", ()), *(about if is_rule else ())),
        see=(*row.get("see", ()), *(about if lists_all else ())),
    )


def _paragraphs(text: str, slots: Mapping[str, str]) -> tuple[str, ...]:
    """Return the paragraphs of an article's text with its slots filled."""
    fitting = _INDEFINITE.sub(lambda found: _indefinite(found[1], found[2], slots), text)
    return tuple(fitting.format_map(slots).strip().split("\n\n"))


_INDEFINITE = re.compile(r"\b([Aa]) \{([\w-]+)\}")


def _indefinite(word: str, name: str, slots: Mapping[str, str]) -> str:
    """Return `a` or `an` and the slot, as the text of the slot requires."""
    is_vowel = slots[name][:1].lower() in "aeiou"
    return f"{word}{'n' if is_vowel else ''} {{{name}}}"


def _bulletin(
    edition: Edition, one: Bulletin, slots: Mapping[str, str], airline: Airline
) -> Article:
    """Return the article for a bulletin: its period, scope, change, and the bulletins that it
    withdraws.
    """
    formats = airline.formats
    value = _shown(airline, one.parameter, one.value)
    what = bulletin_texts()[one.parameter].format_map({**slots, "value": value})
    taken = [each.number for each in edition.bulletins if each.withdrawn_by == one.number]
    paragraphs = [
        f"In force from {formats.day(one.issued)} to {formats.day(one.until)}.",
        f"{_scope(airline, one, slots['booking'])}: {what}",
        *(f"This bulletin takes back bulletin {each}." for each in taken),
    ]
    beating = (one.withdrawn_by,) if one.withdrawn_by else _newer(edition, one)
    return Article(
        number=one.number,
        kind="bulletin",
        title=f"{texts()[one.article]['title']}, bulletin of {formats.day(one.issued)}",
        paragraphs=tuple(paragraphs),
        day=one.issued,
        beaten_by=beating,
        see=(one.article, LISTS_BULLETINS),
    )


def _scope(airline: Airline, one: Bulletin, booking: str) -> str:
    """Return the words for the bookings to which a bulletin applies."""
    airport = load_airports()[one.airport].label
    first, last = map(airline.formats.day, (one.first, one.last))
    return (
        f"For every {booking} with a flight, still to be flown, to or from {airport}"
        f" from {first} to {last}, {_brands(airline, one.brands)}"
    )


def _newer(edition: Edition, one: Bulletin) -> tuple[str, ...]:
    """Return the numbers of newer bulletins about the same parameter."""
    return tuple(
        each.number
        for each in edition.bulletins
        if each.parameter == one.parameter and each.issued > one.issued
    )


def _brands(airline: Airline, brands: tuple[str, ...]) -> str:
    """Return the words for the fare brands to which a bulletin applies."""
    words = [airline.word(f"brand-{each}") for each in brands]
    return "in any fare" if len(words) == len(BRAND_KEYS) else f"in {' or '.join(words)}"


BRAND_KEYS = ("light", "classic", "flex", "business")


# Slots -------------------------------------------------------------------------------------------


def _slots(edition: Edition, airline: Airline) -> Mapping[str, str]:
    """Return the texts that fill the slots in articles, by slot: parameters, words of the airline,
    and computed tables.
    """
    own = {f"brand-{each}": airline.word(f"brand-{each}") for each in BRAND_KEYS}
    own |= {f"tier-{each}": airline.word(f"tier-{each}") for each in ("blue", "silver", "gold")}
    own |= {
        "priority-urgent": airline.word("priority-urgent"),
        "note-claim": airline.word("note-claim"),
        "open-escort": airline.word("open-escort"),
        "fee-service": airline.word("fee-service"),
        "fee-seats": airline.word("fee-seats"),
        "booking": airline.word("booking").lower(),
        "passenger": airline.word("passenger").lower(),
        "passengers": airline.word("travellers").lower(),
        "zones": "\n\n".join(f"{each}: {' '.join(codes)}" for each, codes in zones().items()),
        "miles": "\n\n".join(_miles(edition)),
        "clocks": "\n\n".join(_clocks()),
    }
    plain_ones = {
        name: _shown(airline, name, getattr(edition, name))
        for name in PARAMETERS
        if kind(name) != WORDING and name != "miles"
    }
    own |= plain_ones
    chosen = {name: getattr(edition, name) for name in wordings()}
    return own | {name: wordings()[name][each].format_map(own) for name, each in chosen.items()}


@lru_cache(maxsize=1)
def wordings() -> Mapping[str, Mapping[str, str]]:
    """Return, for each parameter that is worded, the sentence of each of its variants."""
    return {
        name: sentences
        for row in texts().values()
        for name, sentences in row.get("wording", {}).items()
    }


def _shown(airline: Airline, name: str, value: Any) -> str:
    """Return a value of a parameter as the handbook's texts write it."""
    if kind(name) == DOLLARS:
        return airline.formats.money(value)
    if kind(name) == LISTED:
        return ", ".join(_LISTS[name](airline, each) for each in value)
    return str(value)


@lru_cache(maxsize=4)
def _words_of(name: str) -> Mapping[str, str]:
    """Return the words for the values of a parameter that is a list, as a dict from value
    to word.
    """
    found: Mapping[str, str] = _read("words")[name]
    return found


_LISTS: Mapping[str, Callable[[Airline, str], str]] = {
    "covered": lambda _, word: str(_words_of("covered")[word]),
    "relatives": lambda _, word: str(_words_of("relatives")[word]),
    "exempt": lambda _, word: str(_words_of("exempt")[word]),
    "cheaper_voucher": lambda airline, brand: airline.word(f"brand-{brand}"),
    "terminals": lambda _, code: load_airports()[code].label,
}


def _miles(edition: Edition) -> Iterator[str]:
    """Yield a line of distances for each zone, `A: A 300, B 1,200`, with each pair once."""
    letters = tuple(zones())
    for at, letter in enumerate(letters):
        pairs = zip(letters[at:], edition.miles[at][at:], strict=True)
        yield f"{letter}: {', '.join(f'{other} {miles}' for other, miles in pairs)}"


def _clocks() -> Iterator[str]:
    """Yield a line for each UTC offset with its airports."""
    by_offset: dict[float, list[str]] = {}
    for each in load_airports().values():
        by_offset.setdefault(each.utc_offset, []).append(each.code)
    for offset in sorted(by_offset):
        yield f"{offset:+g}: {' '.join(by_offset[offset])}".replace("-", "−")
