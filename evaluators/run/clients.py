"""The agent in records if a program outside decides: the method `outside` with its client."""

from __future__ import annotations

import re

from agent import agent_spec
from agent.agent_spec import Agent
from evaluators.records.models import OUTSIDE
from rehearsal_errors import RehearsalError

NAME = re.compile(r"[\w.-]*")


class BadName(RehearsalError, ValueError):
    """The client's name has characters that an agent's name must not have."""


def name_of(client: str, option: str) -> str:
    """Return the name of the agent that an external client is: "outside", or "outside:client=NAME".

    Args:
        client: The client's name; may be "".
        option: The option that gave it, for the message.

    Raises:
        BadName: The client's name has other characters than letters, digits, dots, - and _.
    """
    if not NAME.fullmatch(client):
        raise BadName(f"{option} {client!r}", "write letters, digits, dots, - and _")
    return f"{OUTSIDE}:client={client}" if client else OUTSIDE


def agent_of(client: str, option: str) -> Agent:
    """Return the agent under which records name an external program that decides.

    Args:
        client: The program's name; may be "".
        option: The option that gave the name, for the message.

    Raises:
        BadName: The name has other characters than letters, digits, dots, - and _.
    """
    return agent_spec.read(name_of(client, option))
