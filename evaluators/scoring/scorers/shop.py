"""Score a visit to the shop, as to any declared site."""

from evaluators.scoring.joint import score

__all__ = ["score"]
