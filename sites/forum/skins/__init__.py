"""The forum's skins: three products with the same tables, operations and pages.

Instructions speak of forums, posts, comments, scores and votes. `SYNONYMS` holds each skin's word
for each of these, and a test finds the word on the skin's pages.
"""

from sites.forum.skins import harbor, lantern, meadow

SKINS = (harbor.SKIN, meadow.SKIN, lantern.SKIN)
HELD_OUT = "lantern"
"""The skin that no prompt and no exemplar shows."""
SYNONYMS = {
    "harbor": harbor.SYNONYMS,
    "meadow": meadow.SYNONYMS,
    "lantern": lantern.SYNONYMS,
}

__all__ = ["HELD_OUT", "SKINS", "SYNONYMS"]
