"""The names of the market's shops."""

from __future__ import annotations

STORE, OUTLET = "store", "outlet"
