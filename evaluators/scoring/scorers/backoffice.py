"""Score a visit to the back office, as to any declared site."""

from evaluators.scoring.declared import score

__all__ = ["score"]
