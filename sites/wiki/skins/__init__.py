"""The encyclopedia's skins: three with the same tables, operations and pages."""

from sites.wiki.skins import codex, folio, lore

SKINS = (codex.SKIN, lore.SKIN, folio.SKIN)
HELD_OUT = "folio"
"""The skin that no prompt and no exemplar shows."""
SYNONYMS = {"codex": codex.SYNONYMS, "lore": lore.SYNONYMS, "folio": folio.SYNONYMS}

__all__ = ["HELD_OUT", "SKINS", "SYNONYMS"]
