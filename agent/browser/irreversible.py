"""Detects actions that make a change that cannot be undone, by marks that the page's elements
carry.
"""

from __future__ import annotations

from agent.browser import xpath
from agent.interface import Action, Click, Element, KeyboardType, Observation, Press, Type

_FIELDS = ("textbox", "combobox", "spinbutton")


def committed(action: Action, observation: Observation) -> Element | None:
    """Return the element through which the action would make an irreversible change, or None.

    Enter in a field submits its form, so on a page with such an element it counts as well.
    """
    committing = [element for element in observation.elements if element.commits]
    if not committing:
        return None
    if isinstance(action, Click):
        return next((each for each in committing if _meant(action.target, each)), None)
    if isinstance(action, Type) and action.enter:
        return committing[0]
    if isinstance(action, Press) and action.keys.split("+")[-1] in ("Enter", "Space", " "):
        return _sent(action, observation, committing)
    if isinstance(action, KeyboardType) and " " in action.text:  # a blank presses a focused button
        return _sent(Press("Space"), observation, committing)
    return None


def _sent(action: Press, observation: Observation, committing: list[Element]) -> Element | None:
    focused = [each for each in observation.elements if "focused" in each.states]
    for element in focused:
        if element.commits:
            return element
        if element.role in _FIELDS and action.keys.endswith("Enter"):
            return committing[0]
    return None


def _meant(target: int | str, element: Element) -> bool:
    """Return whether an action's target (id, name or XPath) may be this element; an XPath may be
    any element.
    """
    if isinstance(target, int):
        return target == element.id
    return xpath.is_path(target) or target.casefold() == element.name.casefold()
