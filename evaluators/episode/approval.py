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
from agent.interface import Action, Element
from rehearsal_errors import RehearsalError

ALLOW, REFUSE, STOP = "allow", "refuse", "stop"


@dataclass(frozen=True)
class Commitment:
    """What an agent is about to do: the action in our grammar, what it commits, and where."""

    agent: str
    instruction: str
    action: str
    target: str
    url: str


ApprovalPolicy = Callable[[Commitment], str]
"""ALLOW, REFUSE (the agent sees an error) or STOP (done and scored, then the episode is over)."""


class ApprovalUnavailable(RehearsalError, ValueError):
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


POLICIES: dict[str, ApprovalPolicy] = {"ask": ask, "stop": stop}


def policy(name: str | None, alone: bool) -> ApprovalPolicy | None:
    """The policy of `--confirm`; `alone` where this process plays every episode.

    Raises `Unasked` where nobody can be asked.
    """
    if name == "ask" and not sys.stdin.isatty():
        raise ApprovalUnavailable(
            "--confirm ask needs a terminal; use --confirm stop, or a policy from Python"
        )
    if name == "ask" and not alone:
        raise ApprovalUnavailable(
            "--confirm ask needs one process to ask from; leave out -n and --engine"
        )
    return POLICIES[name] if name else None


def commitment(
    agent: str, instruction: str, action: Action, element: Element, url: str
) -> Commitment:
    label = f"{element.role} {element.name!r}"
    return Commitment(agent, instruction, actions.show(action), label, url)
