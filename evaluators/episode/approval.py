"""Approval of irreversible actions: a policy allows them, refuses them, or ends the episode there.

The risk section of the LASER paper lets a person confirm every purchase; its trial on a real shop
ended before buying. The page shows which of its elements commit an irreversible action.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass

import click

from agent import actions
from agent.interface import Action, Element
from evaluators.commands.terminal import plain
from rehearsal_errors import RehearsalError

ALLOW, REFUSE, STOP = "allow", "refuse", "stop"


@dataclass(frozen=True)
class Commitment:
    """An irreversible action that an agent is about to do: the action as text, its element, the
    page's address.
    """

    agent: str
    instruction: str
    action: str
    target: str
    url: str


ApprovalPolicy = Callable[[Commitment], str]
"""A function that decides about an irreversible action and returns ALLOW, REFUSE or STOP.

ALLOW does the action, REFUSE shows the agent an error instead, and STOP does the action and then
ends and scores the episode.
"""


class ApprovalUnavailable(RehearsalError, ValueError):
    """The approval policy cannot be used in this run."""


class StoppedAtCommit(Exception):
    """The approval policy ended the episode after an irreversible action."""


def stop(commitment: Commitment) -> str:
    """Return STOP, which does the irreversible action, then ends the episode and scores it."""
    return STOP


def ask(commitment: Commitment) -> str:
    """Return ALLOW or REFUSE, as the person at the terminal answers a question about the action."""
    question = (
        f"\n{commitment.agent} at {commitment.url}\n  task: {commitment.instruction}"
        f"\n  wants to: {commitment.action} ({commitment.target})\n  allow it?"
    )
    return ALLOW if click.confirm(plain(question), default=False, err=True) else REFUSE


POLICIES: dict[str, ApprovalPolicy] = {"ask": ask, "stop": stop}


def policy(name: str | None, single_process: bool) -> ApprovalPolicy | None:
    """Return the approval policy that `--confirm` names, or None without a name.

    Args:
        name: "ask", "stop", or None.
        single_process: Whether this process runs every episode.

    Raises:
        ApprovalUnavailable: The policy "ask" has no terminal, or no single process to ask from.
    """
    if name == "ask" and not sys.stdin.isatty():
        raise ApprovalUnavailable(
            "--confirm ask needs a terminal; use --confirm stop, or a policy from Python"
        )
    if name == "ask" and not single_process:
        raise ApprovalUnavailable(
            "--confirm ask needs one process to ask from; leave out -n and --engine"
        )
    return POLICIES[name] if name else None


def commitment(
    agent: str, instruction: str, action: Action, element: Element, url: str
) -> Commitment:
    """Return the description of an irreversible action and its element for the approval policy."""
    return Commitment(agent, instruction, actions.show(action), label(element), url)


def label(element: Element) -> str:
    """Return an element in words: its role and name."""
    return f"{element.role} {element.name!r}"
