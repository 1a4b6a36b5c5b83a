"""Actions that cannot be taken back: let them pass, refuse them, or end at the decision.

The risk section of the LASER paper lets a person confirm every purchase; its trial on a real shop
ended before buying. A policy decides; which actions commit is known from the page.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass

import click

from agent import actions
from agent.interface import Action, Click, Element, KeyboardType, Observation, Press, Type

ALLOW, REFUSE, STOP = "allow", "refuse", "stop"
_FIELDS = ("textbox", "combobox", "spinbutton")


@dataclass(frozen=True)
class Commitment:
    """What an agent is about to do: the action in our grammar, what it commits, and where."""

    agent: str
    instruction: str
    action: str
    target: str
    url: str


Policy = Callable[[Commitment], str]
"""ALLOW, REFUSE (the agent sees an error) or STOP (done and scored, then the episode is over)."""


class Unasked(ValueError):
    """A policy that cannot be carried out here."""


class StoppedAtCommit(Exception):
    """The policy ended the episode at this decision."""


def stop(commitment: Commitment) -> str:
    """End at the decision; what would have come of it is scored."""
    return STOP


def ask(commitment: Commitment) -> str:
    """Ask the person at the terminal."""
    told = (
        f"\n{commitment.agent} at {commitment.url}\n  was told: {commitment.instruction}"
        f"\n  wants to: {commitment.action} ({commitment.target})\n  allow it?"
    )
    return ALLOW if click.confirm(told, default=False, err=True) else REFUSE


POLICIES: dict[str, Policy] = {"ask": ask, "stop": stop}


def policy(name: str | None, processes: int) -> Policy | None:
    """The policy of `--confirm`. Raises `Unasked` where nobody can be asked."""
    if name == "ask" and not sys.stdin.isatty():
        raise Unasked("--confirm ask needs a terminal; use --confirm stop, or a policy from Python")
    if name == "ask" and processes > 1:
        raise Unasked("--confirm ask needs one process to ask from; leave out -n")
    return POLICIES[name] if name else None


def committed(action: Action, observation: Observation) -> Element | None:
    """The element by which this action makes a change for good, None where it makes none.

    Enter in a field sends its form, so on a page with such an element it counts as well.
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
    if isinstance(action, KeyboardType) and " " in action.text:  # it presses a focused button
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
    """Whether a target is this element; an XPath might be any."""
    if isinstance(target, int):
        return target == element.id
    return target.startswith(("/", "(")) or target.casefold() == element.name.casefold()


def commitment(
    agent: str, instruction: str, action: Action, element: Element, url: str
) -> Commitment:
    label = f"{element.role} {element.name!r}"
    return Commitment(agent, instruction, actions.show(action), label, url)
