"""Score a visit to the back office, as to any declared site."""

from evaluators.scoring.joint import reads, score

__all__ = ["reads", "score"]
