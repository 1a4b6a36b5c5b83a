"""Read the number that an answer states, alone or in a sentence.

A text is read word by word. A word with a digit is an amount; or a code (such as a flight number)
or a percentage, which are skipped; or else the answer cannot be read: `1e3`, `5-6`, `14:05` and
`5k` are no amounts. Words that change an amount also refuse it: "about 5", "5 thousand", "5 or
more".
"""

from __future__ import annotations

import re
from decimal import Decimal

from evaluators.scoring._plain_text import NARROW_BLANK
from evaluators.scoring._refused import Refused, only


def number(text: str) -> Decimal:
    """Return the number that a plain text states. Raise `Refused` if it states none or several."""
    accounted = _ACCOUNTED.fullmatch(text)
    if accounted and (amount := _amount(accounted[1].strip())) is not None:
        return -abs(amount)
    if _ANOTHER_CURRENCY.search(text):
        raise Refused("another currency")
    words = _words(text)
    stated = only(_stated(words), "number")
    if _BOUND.search(text) or any(_is_changed(words, at) for at in range(len(words))):
        raise Refused("no single number")
    return stated


# Amounts ------------------------------------------------------------------------------------------

_DOLLAR = r"(?:US\$|USD|\$)"
_FORMS = (
    r"\d+(?:\.\d+)?|\.\d+",
    rf"\d{{1,3}}(?:(?P<group>[,'{NARROW_BLANK}])\d{{3}})(?:(?P=group)\d{{3}})*(?:\.\d+)?",
    rf"(?P<comma>(?:\d{{1,3}}(?:[.'{NARROW_BLANK}]\d{{3}})+|\d+),\d\d)",
)
"""Patterns of the forms of amounts: 1250.5, 1,250.5 and, as some of our airlines write money,
1.250,50.
"""
_UNIT = r"(?:kg|lbs?|km|mi|h|hrs?|mins?|days?|pcs)"
_AMOUNT = re.compile(
    rf"(?P<sign>[+-]?){_DOLLAR}?(?P<inner>-?)(?P<number>{'|'.join(_FORMS)})(?:{_DOLLAR}|{_UNIT})?",
    re.IGNORECASE,
)
_EITHER_WAY = re.compile(r"[1-9]\d{0,2}\.\d{3}")
"""A pattern of ambiguous amounts: "1.250" is a thousand and more in some countries, a fraction in
others.
"""
_ACCOUNTED = re.compile(rf"{_DOLLAR}?\(([^()]+)\)(?:\s*(?:{_DOLLAR}|dollars))?", re.IGNORECASE)
"""An accountant's negative amount: ($5.00)."""


def _amount(word: str) -> Decimal | None:
    """Return the amount of a word with its sign, or None if the word is no amount."""
    found = _AMOUNT.fullmatch(word)
    if found is None or (found["sign"] and found["inner"]):
        return None
    if _EITHER_WAY.fullmatch(found["number"]):
        raise Refused("ambiguous number")
    digits = re.sub(rf"[,'{NARROW_BLANK}]", "", found["number"])
    if found["comma"]:
        digits = re.sub(rf"[.'{NARROW_BLANK}]", "", found["comma"]).replace(",", ".")
    return Decimal(("-" if "-" in found["sign"] + found["inner"] else "") + digits)


# Words --------------------------------------------------------------------------------------------

_MARKUP = re.compile(r"</?[a-z][^<>]*>|(?<=[^\W\d_])-(?=\$)", re.IGNORECASE)
"""A pattern of parts that are removed from an answer: HTML tags, and a dash between a word and "$".
"""
_PERCENT = re.compile(r"(?<=\d)\s*(?:%|percent\b|per cent\b|pct\b)", re.IGNORECASE)
_APART = re.compile(
    rf"[ \t\r\n\f\v\[\]{{}}\"`;|\\]+|[:=,{NARROW_BLANK}](?!\d)|(?<!\d)[:=,{NARROW_BLANK}]|([()])"
)
"""A pattern of the separators between the words of an answer; brackets count as words."""
_EDGES = "*_'.,!?#:•"
_CODE = re.compile(r"[^\W\d_][\w./-]*|(?=(?:\d*[A-Z]){2})(?!0X)[0-9A-Z]{6}")
"""Codes such as A380, AA-123, 4RNJ54."""
_SHARE = re.compile(r"[\d.,]+%")
_CURRENCY = {"$", "us$", "usd", "dollar", "dollars", "bucks"}


def _words(text: str) -> list[str]:
    parts = _APART.split(_PERCENT.sub("%", _MARKUP.sub(" ", text)))
    stripped = ((each or "").strip(_EDGES) for each in parts)
    return [each for each in stripped if each and each.lower() not in _CURRENCY]


def _stated(words: list[str]) -> set[Decimal]:
    """Return the different amounts among the words.

    An amount in brackets may repeat another amount, or a number in words; then it does not count.
    Alone, as in `Total ($5)`, it could be an accountant's negative amount, so both signs count.
    """
    outside: set[Decimal] = set()
    bracketed: list[set[Decimal]] = []
    depth = 0
    for word in words:
        depth += (word == "(") - (word == ")")
        amount = _checked(word) if any(map(str.isnumeric, word)) else None
        if amount is not None and depth > 0:
            bracketed.append({amount} if word.isdecimal() else {amount, -amount})
        elif amount is not None:
            outside.add(amount)
    return outside.union(*(each for each in bracketed if not each & outside))


def _checked(word: str) -> Decimal | None:
    """Return the amount of a word with a digit, or None for a code or a percentage.

    Raises:
        Refused: The word is none of these.
    """
    amount = _amount(word)
    if amount is None and not (_CODE.fullmatch(word) or _SHARE.fullmatch(word)):
        raise Refused("no number")
    return amount


# Words that change an amount ----------------------------------------------------------------------

_IN_WORDS = (
    r"(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|forty"
    r"|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|billion|dozen|half)"
)
_CHANGES_THE_NEXT = re.compile(
    r"(?:(?:^|\s)(?:about|around|approximately|approx|roughly|circa|ca|nearly|almost|over|under"
    r"|above|below|exceed(?:s|ing)?|than|at least|at most|up to|between|from|not|\w+n't|minus"
    rf"|negative|plus|times|half of|twice|double|{_IN_WORDS}(?: or| to)?)"
    r"|(?:^|\(|\s[^\w\s]+|\d)\s?-|[~<>+/x×÷^±≈≤≥*−]+)$",
    re.IGNORECASE,
)
_CHANGES_THE_LAST = re.compile(
    r"(?:k|m|mm|mn|bn|b|hundred|thousand|million|billion|trillion|dozen|lakh|crore|ish|cents?|cr|dr"
    r"|minus|plus|less|off|point|times|and (?:a|one) (?:half|quarter|third)|or so|or thereabouts"
    rf"|(?:or|to|-) {_IN_WORDS}|[+/x×÷^±*]|-$)(?!\w)",
    re.IGNORECASE,
)


_BOUND = re.compile(
    r"\bor (?:more|less|fewer|so|above|over|below|under|thereabouts)\b", re.IGNORECASE
)
_ANOTHER_CURRENCY = re.compile(
    r"[¢£-¥֏؋৲৳฿₠-\u20cf]|[A-Z](?<!US)\$|(?<![^\W\d_])"
    r"(?:EUR|euros?|GBP|pounds?|CHF|JPY|yen|CAD|AUD|CNY|RMB|yuan|INR|rupees?|cents?|pence)\b",
    re.IGNORECASE,
)


def _is_changed(words: list[str], at: int) -> bool:
    """Return whether words near an amount turn it into another number, as in "about 5"."""
    if not _AMOUNT.fullmatch(words[at]):
        return False
    before, after = " ".join(words[max(at - 3, 0) : at]), " ".join(words[at + 1 : at + 4])
    return bool(_CHANGES_THE_NEXT.search(before) or _CHANGES_THE_LAST.match(after))
