"""Score a visit to a declared site by the rows that it changed, the pages that it opened and the
answer that it gave.

Each table that a right end changes has a check of its own. All other changes fail the check
"nothing else". The progress is the weighted mean of these parts, each from 0 to 1, if the task asks
for them (`declared_visit.WEIGHTS`):

- the changes: those that are wanted and made, as a share of those that are wanted or made;
- the pages: the share of the evidence that was shown, and the page that is open at the end;
- the answer, which counts once all evidence was shown;
- the draft: the share of its fields that are right.

If no change is wanted, every change divides the progress.
"""

from __future__ import annotations

from evaluators.scoring import _row_words, webarena_checks
from evaluators.scoring.context import ScoringContext
from evaluators.scoring.declared_visit import Visit
from evaluators.scoring.score import Score, progress
from scenarios.kit import Gold
from scenarios.scenario import answer_schema
from sites.world import Snapshot


def score(context: ScoringContext, after: Snapshot, answer: str) -> Score:
    """Score the end state of a visit to a declared site."""
    asks = answer_schema(context.family, context.scenario) is not None
    gold = Gold.from_json(context.scenario.gold)
    visit = Visit(context.data.site, gold, after, answer, asks)
    checks = tuple(visit.checks())
    success = all(each.held for each in checks)
    reached = progress(visit.progress, success=success)
    return Score(
        success=success,
        success_published=webarena_checks.hold(visit),
        progress=reached,
        checks=checks,
        collateral=tuple(_row_words.rows([each]) for each in sorted(visit.extra, key=repr)),
        failure="" if success else "missed detail" if reached else "gave up",
        skills=visit.skills,
    )
