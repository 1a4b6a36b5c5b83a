"""The code host's skins: two products with the same tables, operations and pages.

Instructions speak of projects, issues, merge requests, groups, members, stars, follows, milestones,
to-do lists, status lines, commits, branches, forks and labels. `SYNONYMS` holds each skin's word
for each of these, and a test finds the word on the skin's pages.
"""

from sites.codehost.skins import foundry, thicket

SKINS = (foundry.SKIN, thicket.SKIN)
HELD_OUT = "thicket"
"""The skin that no prompt and no exemplar shows."""
SYNONYMS = {"foundry": foundry.SYNONYMS, "thicket": thicket.SYNONYMS}

__all__ = ["HELD_OUT", "SKINS", "SYNONYMS"]
