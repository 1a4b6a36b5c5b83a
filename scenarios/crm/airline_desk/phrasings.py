"""The kinds of wording at the airline desk: open phrasings, and held-out phrasings for testing."""

from __future__ import annotations

OPEN, HELD_OUT = "open", "held-out"
HELD_OUT_EVERY = 5
"""Among this many consecutive seeds, the last uses held-out phrasings."""


def kind_of(seed: int) -> str:
    """Return whether a seed's request uses open or held-out phrasings, as the key of its table."""
    return HELD_OUT if seed % HELD_OUT_EVERY == HELD_OUT_EVERY - 1 else OPEN
