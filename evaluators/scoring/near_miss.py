"""Tell whether a failed end state is one of the family's near misses."""

from __future__ import annotations

from typing import Any

from evaluators.scoring import answers
from evaluators.scoring.context import ScoringContext
from evaluators.scoring.score import Score
from scenarios.scenario import NearMiss, answer_schema
from sites.world import World

LOOKED = ("pages opened", "evidence")
"""The checks of the journal: who went the near miss's way may have seen more or less of it."""
ANSWERED = "answer"


def recognized(context: ScoringContext, score: Score, answer: str) -> str:
    """The name of the near miss that a failed visit ended in, "" where it is none; of several that
    end alike all names, with "or" between them.

    It is one where the scorer holds the same against both, with the same evidence, and both
    answered the same; of the pages that were looked at counts only whether they were enough. Who
    left all as it was has nearly missed nothing.
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
    """What is wrong with a near miss, from the start world on."""
    with start.fork() as world:
        given = miss.apply(world) or ""
        return _wrong(context, context.score(world.snapshot(), given), given)


def _failed(score: Score) -> set[str]:
    return {check.name for check in score.checks if not check.held}


def _wrong(context: ScoringContext, score: Score, answer: str) -> tuple[dict[str, Any], Any]:
    """What the scorer holds against a visit beside its pages, and what was answered: as read, or
    only whether it gave up, where no answer is asked for."""
    seen = {
        check.name: None if check.name == ANSWERED else check.evidence
        for check in score.checks
        if not check.held and check.name not in LOOKED
    }
    schema = answer_schema(context.family, context.scenario)
    if schema is None or not any(check.name == ANSWERED for check in score.checks):
        return seen, answers.gave_up(answer)
    return seen, answers.read(schema, answer)
