"""The rules of the handbook as code: what is right to do with a request.

The site does not know it; the texts of its articles say the same, with the numbers of the same
edition.
"""

from scenarios.crm.policy.decision import Decision
from scenarios.crm.policy.engine import decide, without

FAMILIES: tuple[()] = ()
"""It stands among the families, and has none."""

__all__ = ["FAMILIES", "Decision", "decide", "without"]
