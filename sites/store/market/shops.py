"""The names of the market's shops, and how the journal tells their pages apart."""

from __future__ import annotations

STORE, OUTLET = "store", "outlet"


def journal_options(shop: str, **more: str) -> dict[str, str] | None:
    """The options of a page's line in the journal; the store is not named."""
    named = {} if shop == STORE else {"shop": shop}
    return {**named, **more} or None
