"""Recognize whether a failure ended in one of the family's near misses, which are known wrong
results that look right.
"""

from __future__ import annotations

from typing import Any

from evaluators.scoring import answers
from evaluators.scoring.context import ScoringContext
from evaluators.scoring.score import Score
from scenarios.scenario import NearMiss, answer_schema
from sites.world import World

LOOKED = ("pages opened", "evidence")
"""The names of the checks of opened pages; they may differ between a visit and its near miss."""
ANSWERED = "answer"


def recognized(context: ScoringContext, score: Score, answer: str) -> str:
    """Return the name of the near miss that a failed visit ended in.

    The visit ended in a near miss if the same checks fail in both and found the same, and both gave
    the same answer. Checks of opened pages are ignored. An unchanged world
    without an answer is no near miss.

    Args:
        context: The scenario, whose family has the near misses.
        score: The score of the visit.
        answer: The agent's answer.

    Returns:
        The name, "" for none; several names with " or " between them if they cannot be told apart.
    """
    if score.success:
        return ""
    misses = context.family.near_misses(context.scenario, context.data)
    wrong, failed = _wrong(context, score, answer), _failed(score)
    possible = {name: miss for name, miss in misses.items() if miss.fails in failed}
    with context.family.world(context.scenario) as start:
        if wrong == _wrong(context, context.score(start.snapshot()), ""):
            return ""
        alike = (name for name, miss in possible.items() if _ended(context, start, miss) == wrong)
        return " or ".join(alike)


def _ended(context: ScoringContext, start: World, miss: NearMiss) -> tuple[dict[str, Any], Any]:
    """Return the failed checks and the answer of a near miss that is done on a copy of the start
    database.
    """
    with start.fork() as world:
        given = miss.apply(world) or ""
        return _wrong(context, context.score(world.snapshot(), given), given)


def _failed(score: Score) -> set[str]:
    return {check.name for check in score.checks if not check.held}


def _wrong(context: ScoringContext, score: Score, answer: str) -> tuple[dict[str, Any], Any]:
    """Return the failed checks with what they found and wanted, and the answer.

    The checks of opened pages are left out. The answer is read as the task asks; if the task asks
    for none, it is whether the agent gave up.
    """
    seen = {
        check.name: None if check.name == ANSWERED else (check.found, check.wanted)
        for check in score.checks
        if not check.held and check.name not in LOOKED
    }
    schema = answer_schema(context.family, context.scenario)
    if schema is None or not any(check.name == ANSWERED for check in score.checks):
        return seen, answers.gave_up(answer)
    return seen, answers.read(schema, answer)
