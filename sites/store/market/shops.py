"""The names of the market's shops, and how lines of the journal distinguish their pages."""

from __future__ import annotations

STORE, OUTLET = "store", "outlet"


def journal_options(shop: str, **more: str) -> dict[str, str] | None:
    """Return the JSON options of a page's line in the journal, with the shop's name unless it is
    the store; None if empty.
    """
    named = {} if shop == STORE else {"shop": shop}
    return {**named, **more} or None
