"""Ways to let time pass on a page whose time advances with each action."""

from __future__ import annotations

from agent.interface import LONGEST_WAIT, Element, Hover, Wait
from scenarios.widgets._page_view import Ahead
from sites.widgets import ACTION_MS

ACTION = ACTION_MS / 1000
"""The seconds by which each action moves the page's clock on."""


def wait(actions: int) -> Wait | None:
    """Return a wait as long as this many actions, at most the longest wait; None for no actions."""
    return Wait(min(round(actions * ACTION, 1), LONGEST_WAIT)) if actions > 0 else None


def idle(element: Element, actions: int, remark: str = "") -> Ahead:
    """Return hovers over an element that let this many actions' time pass, for agents without
    `wait`.
    """
    return [(remark or element.name, Hover(element.id))] * actions
