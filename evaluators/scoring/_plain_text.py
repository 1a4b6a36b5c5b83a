"""Normalize the spelling of letters, dashes, quotes, blanks and digits.

`plain` changes how a text is written, never the value that it states.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

NARROW_BLANK = "\u00a0"
"""The character that replaces every non-breaking or thin blank, because these group digits."""
OVERRIDES = re.compile("[\u202d\u202e]")
"""A pattern of the characters that make a screen show a text in another order than the stored
order.
"""

_GROUPING_BLANKS = "\u00a0\u2007\u2008\u2009\u200a\u202f"
_NAMED = {
    **dict.fromkeys("\u2018\u2019\u201a\u201b\u2039\u203a\u2032\u02bc", "'"),
    **dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033", '"'),
    **dict.fromkeys(_GROUPING_BLANKS, NARROW_BLANK),
    **dict.fromkeys("\u2044\u2215", "/"),
    **dict.fromkeys("\u2212\u02d7", "-"),
    **dict.fromkeys("\u034f" + "".join(map(chr, range(0xFE00, 0xFE10))), ""),
    **dict.fromkeys("\u0085\u2028\u2029", "\n"),
    "\u066b": ".",
    "\u066c": ",",
}
_MINUS_APART = re.compile(r"[\u2212\uff0d\ufe63][^\S\n]+(?=[$\d])")
"""A pattern of a minus sign with a blank before a number, to which it belongs; a dash does not
match.
"""
_DASH_BETWEEN = re.compile(r"(?<=[^\W\d_])[\u2014\u2015](?=[$\d])")
"""A pattern of a long dash between a word and a number, which it separates."""


def plain(text: str) -> str:
    """Return the text in composed letters (NFC) and with the ASCII forms of its characters.

    Dashes, quotes, blanks, digits of any script, full-width letters and ligatures get their ASCII
    forms; invisible characters are removed. Blanks that group digits become `NARROW_BLANK`.
    """
    spaced = _DASH_BETWEEN.sub(" - ", _MINUS_APART.sub("-", text))
    composed = unicodedata.normalize("NFC", spaced)
    return unicodedata.normalize("NFC", "".join(map(_plain, composed)))


def folded(text: str) -> str:
    """Return the plain text in lower case, with single blanks."""
    return " ".join(plain(text).casefold().split())


@lru_cache(maxsize=4096)
def _plain(character: str) -> str:
    if character.isascii() or OVERRIDES.match(character):
        return character
    if character in _NAMED:
        return _NAMED[character]
    by_category = _BY_CATEGORY.get(unicodedata.category(character))
    if by_category is not None:
        return by_category
    if character.isdecimal():
        return str(unicodedata.decimal(character))
    return unicodedata.normalize("NFKC", character) if _is_a_form(character) else character


_BY_CATEGORY = {"Pd": "-", "Zs": " ", "Cf": ""}


def _is_a_form(character: str) -> bool:
    """Return whether a character is a full-width, small or joined form of other characters."""
    form = unicodedata.decomposition(character).split(" ")[0]
    return form in ("<wide>", "<narrow>", "<small>") or "\ufb00" <= character <= "\ufb06"
