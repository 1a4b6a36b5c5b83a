"""Amounts of US dollars as text; small ones keep enough digits to differ from nothing."""

from __future__ import annotations

import math

CENT, MOST_DIGITS = 0.01, 8


def shown(amount: float) -> str:
    """Return an amount in US dollars: with two decimals from a cent on, below with four or more.

    Example:
        >>> shown(12.5), shown(0.0059), shown(0.000021)
        ('$12.50', '$0.0059', '$0.000021')
    """
    if amount >= CENT or amount <= 0:
        return f"${amount:.2f}"
    return f"${amount:.{min(MOST_DIGITS, max(4, 1 - math.floor(math.log10(amount))))}f}"
