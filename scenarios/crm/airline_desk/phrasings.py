"""The choice between open and held-out phrasings at the airline desk; held-out phrasings test
agents that learnt the others.
"""

from __future__ import annotations

OPEN, HELD_OUT = "open", "held-out"
HELD_OUT_EVERY = 5
"""Among this many consecutive seeds, the last uses held-out phrasings."""


def kind_of(seed: int) -> str:
    """Return the kind of phrasings of a seed's request, open or held-out, as the key of its
    table.
    """
    return HELD_OUT if seed % HELD_OUT_EVERY == HELD_OUT_EVERY - 1 else OPEN
