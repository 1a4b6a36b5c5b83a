"""What a caller writes into brackets: one matter of several, and the parts of a payment."""

from __future__ import annotations

import re
from collections.abc import Sequence

NOTHING = "none"  # where a bracket has no value
_MATTERS = re.compile(r"\b(?:First|Second|Third|Fourth): ")
"""Where each of several matters of a task begins."""
_OF_CARD = (r"(?:\d[ -]?){12,}\d", r"\d{1,2}/\d{2,4}|[A-Z][a-z]+ \d{4}", r"\d{3}")
"""What a card's number, its date and its digits look like."""


def matter(objective: str, needs: Sequence[Sequence[str]]) -> str:
    """The first matter that names all that is needed, where the objective has several; else all of
    it."""
    matters = (each.strip() for each in _MATTERS.split(objective)[1:])
    found = (each for each in matters if needs and _names(each.casefold(), needs))
    return next(found, objective)


def _names(folded: str, needs: Sequence[Sequence[str]]) -> bool:
    return all(any(each.casefold() in folded for each in spellings) for spellings in needs)


def of_payment(values: Sequence[str]) -> list[str]:
    """Number, date and digits of the card, no voucher, and what else is known."""
    left, card = list(values), list[str]()
    for shape in _OF_CARD:
        able = [each for each in left if re.fullmatch(shape, each)]
        found = able[0] if able and NOTHING not in card else NOTHING
        left = [each for each in left if each != found]
        card.append(found)
    return [*card, NOTHING, ", ".join(left) or NOTHING]
