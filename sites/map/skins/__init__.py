"""The map's skins: three maps with the same tables, operations and pages.

Instructions speak of places, routes, kinds, districts, provinces and coordinates. `SYNONYMS` holds
each skin's word for each of these, and a test finds the word on the skin's pages.
"""

from sites.map.skins import atlas, compass, wander

SKINS = (atlas.SKIN, wander.SKIN, compass.SKIN)
HELD_OUT = "compass"
"""The skin that no prompt and no exemplar shows."""
SYNONYMS = {"atlas": atlas.SYNONYMS, "wander": wander.SYNONYMS, "compass": compass.SYNONYMS}

__all__ = ["HELD_OUT", "SKINS", "SYNONYMS"]
