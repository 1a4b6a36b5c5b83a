"""What a caller writes into brackets: the parts of a payment."""

from __future__ import annotations

import re
from collections.abc import Sequence

NOTHING = "none"  # where a bracket has no value
_OF_CARD = (r"(?:\d[ -]?){12,}\d", r"\d{1,2}/\d{2,4}|[A-Z][a-z]+ \d{4}", r"\d{3}")
"""What a card's number, its date and its digits look like."""


def of_payment(values: Sequence[str]) -> list[str]:
    """Number, date and digits of the card, no voucher, and what else is known."""
    left, card = list(values), list[str]()
    for shape in _OF_CARD:
        able = [each for each in left if re.fullmatch(shape, each)]
        found = able[0] if able and NOTHING not in card else NOTHING
        left = [each for each in left if each != found]
        card.append(found)
    return [*card, NOTHING, ", ".join(left) or NOTHING]
