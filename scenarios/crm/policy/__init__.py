"""The rules of the desk's handbook as code: they decide what is right to do with a request.

The site does not import this package. The articles that the site shows state the same rules, with
the numbers of the same edition (`sites.crm.airline_desk.handbook`).
"""

from scenarios.crm.policy.decision import Decision
from scenarios.crm.policy.engine import decide, without

FAMILIES: tuple[()] = ()
"""Empty: this package stands among the families but provides none."""

__all__ = ["FAMILIES", "Decision", "decide", "without"]
