"""The rules of the handbook as code: what is right to do with a request.

The site does not know it; the texts of its articles say the same, with the numbers of the same
edition.
"""

from scenarios.crm.policy.decision import Decision
from scenarios.crm.policy.engine import decide, without

__all__ = ["Decision", "decide", "without"]
