"""Actions of our episodes in the three operations of Mind2Web."""

from __future__ import annotations

from dataclasses import dataclass

from agent import actions
from agent.interface import (
    Action,
    Click,
    Element,
    Hover,
    Note,
    Observation,
    Press,
    Scroll,
    Select,
    Target,
    Type,
)
from agent.text_lane.fields import fold

LONGEST_NAME = 50
"""The most characters of an element's name in `action_reprs`."""
ENTER = Press("Enter")


class Untellable(Exception):
    """A task cannot be told in Mind2Web's operations; the text says why."""


@dataclass(frozen=True)
class Operation:
    """An operation on an element.

    Attributes:
        op: CLICK, TYPE or SELECT.
        original_op: As `op`, or HOVER or ENTER.
        value: The text to type or the option to choose.
        element: The element.
    """

    op: str
    original_op: str
    value: str
    element: Element

    @property
    def repr(self) -> str:
        """The action in words, as `action_reprs` has it."""
        name = fold(self.element.name)
        short = name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 3]}..."
        value = f": {self.value}" if self.value else ""
        return f"[{self.element.role}]  {short} -> {self.original_op}{value}"


def parts(action: Action) -> tuple[Action, ...]:
    """Return the actions that one action consists of: typing, and Enter after it."""
    if isinstance(action, Type) and action.enter:
        return Type(action.target, action.text), ENTER
    return (action,)


def operation(action: Action, seen: Observation) -> Operation | None:
    """Return the operation that an action is, or None for an action that is no step.

    Args:
        action: The action, one of `parts`.
        seen: The page on which it is done.

    Raises:
        Untellable: None of the operations says what the action does.
    """
    match action:
        case Note() | Scroll():
            return None
        case Click(target):
            return Operation("CLICK", "CLICK", "", _element(target, seen))
        case Hover(target):
            return Operation("CLICK", "HOVER", "", _element(target, seen))
        case Type(target, text):
            return Operation("TYPE", "TYPE", fold(text), _element(target, seen))
        case Select(target, option):
            return Operation("SELECT", "SELECT", fold(option), _element(target, seen))
        case Press("Enter"):
            return Operation("CLICK", "ENTER", "", _focused(seen))
    raise Untellable(f"no operation for {actions.show(action).split(' ')[0]}")


def _element(target: Target, seen: Observation) -> Element:
    """Return the element that a number or a name means on a page."""
    wanted = fold(target) if isinstance(target, str) else target
    for each in seen.elements:
        if wanted in (each.id, each.name):
            return each
    for each in seen.elements:
        if isinstance(wanted, str) and wanted.lower() == each.name.lower():
            return each
    raise Untellable("an element that the page does not show")


def _focused(seen: Observation) -> Element:
    for each in seen.elements:
        if "focused" in each.states:
            return each
    raise Untellable("Enter without a field that has the focus")
