"""The names of the market's shops, and how the journal distinguishes their pages."""

from __future__ import annotations

STORE, OUTLET = "store", "outlet"


def journal_options(shop: str, **more: str) -> dict[str, str] | None:
    """Return the options of a page's line in the journal; the store's name is left out."""
    named = {} if shop == STORE else {"shop": shop}
    return {**named, **more} or None
