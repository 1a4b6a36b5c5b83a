"""Ways to let time pass on a page whose time advances with each action."""

from __future__ import annotations

from agent.interface import LONGEST_WAIT, Element, Hover, Wait
from scenarios.widgets._page_view import Ahead
from sites.widgets import ACTION_MS

ACTION = ACTION_MS / 1000
"""The seconds that pass with an action."""


def wait(actions: int) -> Wait | None:
    """Wait as long as this many actions take, at most the longest wait; None if there are none."""
    return Wait(min(round(actions * ACTION, 1), LONGEST_WAIT)) if actions > 0 else None


def idle(element: Element, actions: int, remark: str = "") -> Ahead:
    """Return hovers that pass as much time, for a program that cannot wait."""
    return [(remark or element.name, Hover(element.id))] * actions
