"""The goals of WebShop's task, by the names that its clients give to sessions."""

from __future__ import annotations

import hashlib
import re

from evaluators.run.catalogues import GOAL_FAMILY, SITE, TEST_GOALS
from rehearsal_errors import RehearsalError
from scenarios import registry

DRAWN = range(1_000_000)
"""The goals that there are, where the catalogue has none of its own."""
_FIXED = re.compile(r"(?:fixed_)?([0-9]{1,9})")


class NoSuchGoal(RehearsalError, ValueError):
    """The catalogue has no goal with this number."""


def goals() -> range:
    """The goals that can be opened now."""
    return registry.seeds_of(GOAL_FAMILY, SITE) or DRAWN


def numbered(goal: int) -> int:
    """The goal itself. Raises `NoSuchGoal`."""
    last = goals().stop - 1
    if not 0 <= goal <= last:
        raise NoSuchGoal(f"there is no goal {goal}", f"give a number from 0 to {last}")
    return goal


def named(session: str) -> int:
    """The goal of a session: its number, as in `12` or `fixed_12`, and of any other name one of the
    test split, the same each time. Raises `NoSuchGoal`."""
    fixed = _FIXED.fullmatch(session)
    if fixed:
        return numbered(int(fixed[1]))
    digest = hashlib.sha256(session.encode()).digest()
    test = goals()[: TEST_GOALS.stop]
    return test[int.from_bytes(digest[:8], "big") % len(test)]
