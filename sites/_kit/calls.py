"""Names for what somebody can do on a page of a declared site.

A form is called by its own name. The names below are for links, and for the form of a list.
"""

from __future__ import annotations

from sites._kit.declare import SORT
from sites._kit.places import Place

REORDER, TURN, MENU = "sort", "turn_page", "open_menu"
"""The names for a link to another order of a list, for a link to another page of it, and for the
button of a closed menu."""


def opens(page: str) -> str:
    """Return the name for a link to a page."""
    return f"open_{page}"


def follows(place: Place, to: Place) -> str:
    """Return the name for the link that leads from one place to another."""
    if to == place or to.but(sort=None, page=None) != place.but(sort=None, page=None):
        return opens(to.page)
    return TURN if to[SORT] == place[SORT] else REORDER


def filters(page: str) -> str:
    """Return the name for the form of a page that opens the same page with other arguments."""
    return f"filter_{page}"
