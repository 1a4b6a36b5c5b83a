"""Score a visit to the forum, as to any declared site."""

from evaluators.scoring.declared import score

__all__ = ["score"]
