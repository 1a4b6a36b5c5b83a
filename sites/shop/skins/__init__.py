"""The shop's skins: three shops with the same tables, operations and pages.

Instructions speak of categories, products, options, carts, orders, reviews, wish lists and
newsletters. `SYNONYMS` holds each skin's word for each of these, and a test finds the word on the
skin's pages.
"""

from sites.shop.skins import atelier, corner, depot

SKINS = (corner.SKIN, atelier.SKIN, depot.SKIN)
HELD_OUT = "depot"
"""The skin that no prompt and no exemplar shows."""
SYNONYMS = {
    "corner": corner.SYNONYMS,
    "atelier": atelier.SYNONYMS,
    "depot": depot.SYNONYMS,
}

__all__ = ["HELD_OUT", "SKINS", "SYNONYMS"]
