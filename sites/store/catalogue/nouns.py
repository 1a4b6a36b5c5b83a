"""The nouns in a product's name, found by a rule instead of a tagger; the reward uses them too."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path

WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
POSSESSIVE = re.compile(r"['’]s?$")
NOT_NOUNS = ("function", "adjectives", "units")
LISTS = Path(__file__).with_name("words") / "not_nouns.toml"


def nouns_of(name: str) -> tuple[str, ...]:
    """Return the lower-case words of a name that count as nouns, in their order, with duplicates.

    The rule replaces spaCy's tags in WebShop's published code. A word is a run of letters, without
    the 's of a possessive. A hyphen separates words, and letters next to a digit ("64oz") are no
    word. A word counts unless it is a single letter, or is in words/not_nouns.toml (function words,
    common adjectives, units), or ends in "-ing" or "-ed", is not the last word of its phrase, and
    is not listed there as a noun. A phrase ends at any character except a blank and a hyphen inside
    a word. The rule is coarse on purpose: it makes the same mistakes for the wanted and the bought
    product.
    """
    return tuple(word for phrase in _phrases(name.lower()) for word in _nouns(phrase))


def _phrases(name: str) -> list[list[str]]:
    found: list[list[str]] = []
    end = -1
    for match in WORD.finditer(name):
        between = name[end : match.start()]
        if not found or (between != "-" and between.strip()):
            found.append([])
        if not _beside_digit(name, match):
            found[-1].append(POSSESSIVE.sub("", match.group()))
        end = match.end()
    return found


def _beside_digit(name: str, match: re.Match[str]) -> bool:
    before, after = name[: match.start()][-1:], name[match.end() :][:1]
    return before.isdigit() or after.isdigit()


def _nouns(phrase: list[str]) -> list[str]:
    last = len(phrase) - 1
    return [
        word
        for place, word in enumerate(phrase)
        if len(word) > 1
        and not any(word in _list(name) for name in NOT_NOUNS)
        and (place == last or not _like_participle(word))
    ]


def _like_participle(word: str) -> bool:
    ending = len(word) > 5 and word.endswith(("ing", "ed"))
    return ending and word not in _list("nouns_in_ing_ed")


@cache
def _list(name: str) -> frozenset[str]:
    return frozenset(tomllib.loads(LISTS.read_text(encoding="utf-8"))[name])
