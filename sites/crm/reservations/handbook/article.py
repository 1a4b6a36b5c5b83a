"""The articles of the handbook, with the numbers of an edition, in the words of an airline."""

from __future__ import annotations

from dataclasses import dataclass

from sites.crm.reservations.airline import Airline
from sites.crm.reservations.handbook.edition import Edition

KINDS = ("rule", "table", "procedure", "bulletin", "glossary", "archive")
"""The kinds of articles, in the order of the contents."""
HITS = 8
"""So many articles a search shows at most."""


@dataclass(frozen=True)
class Article:
    """`number` is 1 to 25 for the rules, T1 ... for tables, P1 ... for procedures, B1 ... for
    bulletins, G for the glossary, X1 ... for what is of no use. `paragraphs` are its text, `day`
    the ISO day since which it stands so, `beaten_by` and `see` are numbers of others: those that
    beat it, and those that it makes use of."""

    number: str
    kind: str
    title: str
    paragraphs: tuple[str, ...]
    day: str
    beaten_by: tuple[str, ...] = ()
    see: tuple[str, ...] = ()


def articles(edition: Edition, airline: Airline) -> tuple[Article, ...]:
    """All of them, in the order of the contents."""
    raise NotImplementedError


def article(edition: Edition, number: str, airline: Airline) -> Article | None:
    """One of them; letter case does not matter. None where there is none."""
    raise NotImplementedError


def search_handbook(edition: Edition, words: str, airline: Airline) -> tuple[Article, ...]:
    """The articles with most of these words in title and text, at most `HITS`, best first."""
    raise NotImplementedError
