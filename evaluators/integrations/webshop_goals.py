"""The goals of WebShop's task, by the session names in the requests of WebShop's clients."""

from __future__ import annotations

import hashlib
import re

from evaluators.run.catalogues import GOAL_FAMILY, SITE, TEST_GOALS
from rehearsal_errors import RehearsalError
from scenarios import registry

DRAWN = range(1_000_000)
"""The numbers of the goals if the store's catalogue has no goals of its own."""
_FIXED = re.compile(r"(?:fixed_)?([0-9]{1,9})")


class NoSuchGoal(RehearsalError, ValueError):
    """The catalogue has no goal with this number."""


def goals() -> range:
    """Return the numbers of the goals that can be opened now."""
    return registry.seeds_of(GOAL_FAMILY, SITE) or DRAWN


def numbered(goal: int) -> int:
    """Return the number of a goal. Raise `NoSuchGoal` if it is out of range."""
    last = goals().stop - 1
    if not 0 <= goal <= last:
        raise NoSuchGoal(f"there is no goal {goal}", f"give a number from 0 to {last}")
    return goal


def named(session: str) -> int:
    """Return the number of the goal that a session's name stands for.

    Args:
        session: `12` or `fixed_12` for goal 12; any other name stands for a goal of the test split,
            always the same.

    Raises:
        NoSuchGoal: The number is out of range.
    """
    fixed = _FIXED.fullmatch(session)
    if fixed:
        return numbered(int(fixed[1]))
    digest = hashlib.sha256(session.encode()).digest()
    test = goals()[: TEST_GOALS.stop]
    return test[int.from_bytes(digest[:8], "big") % len(test)]
