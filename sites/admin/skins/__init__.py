"""The back office's skins: two products with the same tables, operations and pages.

Instructions speak of orders, products, variants, stock, reviews, customers, invoices, reports,
price rules, content pages, themes, search terms, comments and tracking numbers. `SYNONYMS` holds
each skin's word for each of these, and a test finds the word on the skin's pages.
"""

from sites.admin.skins import counter, ledger

SKINS = (counter.SKIN, ledger.SKIN)
HELD_OUT = "ledger"
"""The skin that no prompt and no exemplar shows."""
SYNONYMS = {"counter": counter.SYNONYMS, "ledger": ledger.SYNONYMS}

__all__ = ["HELD_OUT", "SKINS", "SYNONYMS"]
