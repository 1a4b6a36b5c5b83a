"""The arguments for the policy that pays by card, in the bracket notation of SteP's
policy calls.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

NOTHING = "none"  # the text of a bracket without a value
_OF_CARD = (r"(?:\d[ -]?){12,}\d", r"\d{1,2}/\d{2,4}|[A-Z][a-z]+ \d{4}", r"\d{3}")
"""Patterns of a payment card's number, of its expiry date and of its security digits, in this
order.
"""


def of_payment(values: Sequence[str]) -> list[str]:
    """Return the arguments of the policy that pays: the card's number, date and security digits, no
    voucher, and the remaining values.

    Args:
        values: The values that the task gives, in any order.

    Returns:
        Five texts; `NOTHING` for a bracket without a value. If a part of the card is missing, the
        parts after it are `NOTHING` too.
    """
    left, card = list(values), list[str]()
    for shape in _OF_CARD:
        able = [each for each in left if re.fullmatch(shape, each)]
        found = able[0] if able and NOTHING not in card else NOTHING
        left = [each for each in left if each != found]
        card.append(found)
    return [*card, NOTHING, ", ".join(left) or NOTHING]
