"""Score a visit to the store with the module of this package that the family's `SCORING` names.

The default is `purchase`, WebShop's task.
"""

from __future__ import annotations

import evaluators.scoring.scorers.store
from agent import plugins
from evaluators.scoring.context import ScoringContext
from evaluators.scoring.score import Score
from sites.world import Snapshot

USUAL = "purchase"


def score(context: ScoringContext, after: Snapshot, answer: str) -> Score:
    """Score a visit to the store with the family's module."""
    name = context.family.SCORING or USUAL
    scorer = plugins.load("scorer of the store", evaluators.scoring.scorers.store, name)
    scored: Score = scorer.score(context, after, answer)
    return scored
