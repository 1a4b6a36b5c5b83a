"""To let time pass on a page of which time passes with each action."""

from __future__ import annotations

from agent.interface import LONGEST_WAIT, Element, Hover, Wait
from scenarios.widgets._page_view import Ahead
from sites.widgets import ACTION_MS

ACTION = ACTION_MS / 1000
"""The seconds that pass with an action."""


def wait(actions: int) -> Wait | None:
    """For as long as so many actions take, or as one can wait at once."""
    return Wait(min(round(actions * ACTION, 1), LONGEST_WAIT)) if actions > 0 else None


def idle(element: Element, actions: int, remark: str = "") -> Ahead:
    """The same in a program, which cannot wait: the mouse goes again and again where it is."""
    return [(remark or element.name, Hover(element.id))] * actions
